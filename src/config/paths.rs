use std::{
    env,
    path::{Path, PathBuf},
};

use etcetera::{BaseStrategy, HomeDirError};

use crate::domain::Vm;

/// Where the user's files lie (XDG: `$XDG_CONFIG_HOME`, `$XDG_STATE_HOME`). Nothing is created by asking.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Paths {
    /// Holds `config.toml` and `keymap.toml`.
    pub config_dir: PathBuf,
    /// Holds `state.sqlite`, the demo's transfers and the log.
    pub state_dir: PathBuf,
}

impl Paths {
    /// The folders of the person who started the program; fails only where there is no home folder.
    pub fn discover() -> Result<Self, HomeDirError> {
        let strategy = etcetera::choose_base_strategy()?;
        let state = strategy.state_dir().unwrap_or_else(|| strategy.data_dir());
        Ok(Self { config_dir: strategy.config_dir().join("rollscope"), state_dir: state.join("rollscope") })
    }

    /// The settings.
    pub fn config_file(&self) -> PathBuf {
        self.config_dir.join("config.toml")
    }

    /// The user's keys.
    pub fn keymap_file(&self) -> PathBuf {
        self.config_dir.join("keymap.toml")
    }

    /// A theme of the user's own.
    pub fn theme_file(&self, name: &str) -> PathBuf {
        self.config_dir.join("themes").join(format!("{name}.toml"))
    }

    /// What is remembered between sessions.
    pub fn state_file(&self) -> PathBuf {
        self.state_dir.join("state.sqlite")
    }

    /// The transfers of the embedded rollup with this virtual machine and seed.
    pub fn demo_journal(&self, vm: Vm, seed: u64) -> PathBuf {
        self.state_dir.join(format!("demo-{vm}-{seed}.json"))
    }

    /// The log.
    pub fn log_file(&self) -> PathBuf {
        self.state_dir.join("rollscope.log")
    }
}

/// The path that a text in a settings file names: `~/` is the home folder, anything relative lies beside the file.
pub(super) fn written_path(text: &str, file: Option<&Path>) -> PathBuf {
    let home = env::var_os("HOME").map(PathBuf::from).filter(|home| home.is_absolute());
    match (text.strip_prefix("~/").or((text == "~").then_some("")), home) {
        (Some(rest), Some(home)) => home.join(rest),
        _ => file.and_then(Path::parent).unwrap_or(Path::new("")).join(text),
    }
}

/// A path as people write it: with `~` for the home folder.
pub fn display_path(path: &Path) -> String {
    let home = env::var_os("HOME").map(PathBuf::from).filter(|home| home.is_absolute());
    let text = match home.and_then(|home| path.strip_prefix(home).ok().map(Path::to_path_buf)) {
        Some(rest) => format!("~/{}", rest.display()),
        None => path.display().to_string(),
    };
    crate::domain::text::clean(&text).into_owned()
}
