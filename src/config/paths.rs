use std::{
    env,
    path::{Path, PathBuf},
};

use etcetera::{BaseStrategy, HomeDirError};

use crate::domain::Vm;

/// Paths of the user's files by the XDG rules (`$XDG_CONFIG_HOME`, `$XDG_STATE_HOME`). Computing a path creates no
/// file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Paths {
    /// Folder of `config.toml` and `keymap.toml`.
    pub config_dir: PathBuf,
    /// Folder of `state.sqlite`, the demo's transfers and the log.
    pub state_dir: PathBuf,
}

impl Paths {
    /// Returns the user's folders; fails without a home folder.
    pub fn discover() -> Result<Self, HomeDirError> {
        let strategy = etcetera::choose_base_strategy()?;
        let state = strategy.state_dir().unwrap_or_else(|| strategy.data_dir());
        Ok(Self { config_dir: strategy.config_dir().join("rollscope"), state_dir: state.join("rollscope") })
    }

    pub fn config_file(&self) -> PathBuf {
        self.config_dir.join("config.toml")
    }

    pub fn keymap_file(&self) -> PathBuf {
        self.config_dir.join("keymap.toml")
    }

    pub fn theme_file(&self, name: &str) -> PathBuf {
        self.config_dir.join("themes").join(format!("{name}.toml"))
    }

    /// Returns the path of the database that keeps state between sessions.
    pub fn state_file(&self) -> PathBuf {
        self.state_dir.join("state.sqlite")
    }

    /// Returns the path of the journal of demo transfers for a VM and seed.
    pub fn demo_journal(&self, vm: Vm, seed: u64) -> PathBuf {
        self.state_dir.join(format!("demo-{vm}-{seed}.json"))
    }

    pub fn log_file(&self) -> PathBuf {
        self.state_dir.join("rollscope.log")
    }
}

/// Whether a value of `--data` is meant as the URL of a database, not as a file.
pub fn is_database_url(text: &str) -> bool {
    text.starts_with("postgres://") || text.starts_with("postgresql://")
}

/// Resolves a path from a settings file: `~/` is the home folder, and relative paths start at the file's folder.
pub(super) fn written_path(text: &str, file: Option<&Path>) -> PathBuf {
    let home = env::var_os("HOME").map(PathBuf::from).filter(|home| home.is_absolute());
    match (text.strip_prefix("~/").or((text == "~").then_some("")), home) {
        (Some(rest), Some(home)) => home.join(rest),
        _ => file.and_then(Path::parent).unwrap_or(Path::new("")).join(text),
    }
}

/// Formats a path for display, with `~` for the home folder.
pub fn display_path(path: &Path) -> String {
    let home = env::var_os("HOME").map(PathBuf::from).filter(|home| home.is_absolute());
    let text = match home.and_then(|home| path.strip_prefix(home).ok().map(Path::to_path_buf)) {
        Some(rest) => format!("~/{}", rest.display()),
        None => path.display().to_string(),
    };
    crate::domain::text::clean(&text).into_owned()
}
