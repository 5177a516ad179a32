//! Settings from defaults, file, environment and flags, in rising priority; also networks, keymap, themes and paths.

mod announcements;
mod commands;
mod file;
mod fleet;
mod key;
mod keymap;
mod known_tokens;
mod nearest;
mod network;
mod networks;
mod paths;
mod settings;
mod table;
mod theme;
mod theme_file;
mod user_file;
mod value;

pub use announcements::{Announcements, EndCommand};
pub use commands::{COMMANDS, Command, CommandEntry, KeyScope, Layer, Topic};
pub use file::{ColumnSetting, DEFAULT_CONFIG, ServeSetting};
pub use fleet::{FleetFileError, FleetMember, read_fleet};
pub use key::{Key, KeyCode, KeyError};
pub use keymap::{Binding, KeyLookup, Keymap, KeymapError, KeymapWarning};
pub use known_tokens::KnownTokens;
pub use nearest::nearest;
pub use network::{ExplorerTemplates, KnownChannel, KnownToken, NamedAccount, Network, NodeLocation};
pub use networks::{DEMO, Networks, UnknownNetwork};
pub use paths::{Paths, display_path};
pub use settings::{ColorDepth, Environment, Flags, NetworkChoice, Settings, SettingsError};
pub use table::Located;
pub use theme::{Meaning, PictureColors, Styles, ThemeName};
pub use user_file::{LARGEST_FILE, read_user_file};
pub use value::{ColorChoice, ThemeChoice, ValueError, parse_base_url, parse_duration, write_duration};
