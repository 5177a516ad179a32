//! Settings: defaults < file < environment < flags. Networks, keymap, themes and paths.

mod action;
mod key;
mod keymap;
mod network;
mod theme;

pub use action::{Action, Layer};
pub use key::{Key, KeyCode, KeyError};
pub use keymap::{Binding, Keymap, KeymapError, Lookup};
pub use network::{ExplorerTemplates, Network, Token};
pub use theme::{Meaning, Styles, ThemeName};
