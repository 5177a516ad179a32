use std::{cell::OnceCell, env, fs, io, path::PathBuf, time::Duration};

use super::{
    Announcements, ColorChoice, ColumnSetting, DEMO, Network, Networks, NodeLocation, Paths, Styles, ThemeChoice,
    ThemeName, UnknownNetwork, display_path,
    file::ConfigFile,
    networks::NetworkEntry,
    paths::written_path,
    value::{ValueError, parse_base_url},
};

/// How long one answer is waited for unless something else is said.
const DEFAULT_TIMEOUT: Duration = Duration::from_secs(10);

/// What the command line states, which wins over everything else.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Flags {
    /// `--network`: a name, a chain id, or `demo`.
    pub network: Option<String>,
    /// `--indexer`: a base address, already read with [`super::parse_base_url`].
    pub indexer: Option<String>,
    /// `--node`: likewise.
    pub node: Option<String>,
    /// `--rest`: likewise.
    pub rest: Option<String>,
    /// `--json-rpc`: likewise.
    pub json_rpc: Option<String>,
    /// `--router`: likewise.
    pub router: Option<String>,
    /// `--timeout`.
    pub timeout: Option<Duration>,
    /// `--config`: must be readable.
    pub config: Option<PathBuf>,
    /// `--color`.
    pub color: ColorChoice,
}

/// The environment variables that settings come from, read once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Environment {
    /// `ROLLSCOPE_NETWORK`.
    pub network: Option<String>,
    /// `ROLLSCOPE_INDEXER`.
    pub indexer: Option<String>,
    /// `ROLLSCOPE_NODE`.
    pub node: Option<String>,
    /// `ROLLSCOPE_ROUTER`.
    pub router: Option<String>,
    /// `ROLLSCOPE_CONFIG`.
    pub config: Option<String>,
    /// `NO_COLOR`, set and not empty.
    pub no_color: bool,
    /// `TERM=dumb`: a terminal without colours.
    pub dumb_terminal: bool,
    /// `COLORTERM` says that the terminal shows any colour, not only those of its palette.
    pub true_color: bool,
}

impl Environment {
    /// Reads the process's environment; an empty variable counts as unset.
    pub fn read() -> Self {
        let variable = |name: &str| env::var(name).ok().filter(|value| !value.is_empty());
        Self {
            network: variable("ROLLSCOPE_NETWORK"),
            indexer: variable("ROLLSCOPE_INDEXER"),
            node: variable("ROLLSCOPE_NODE"),
            router: variable("ROLLSCOPE_ROUTER"),
            config: variable("ROLLSCOPE_CONFIG"),
            no_color: env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty()),
            dumb_terminal: env::var_os("TERM").is_some_and(|value| value == "dumb"),
            true_color: env::var_os("COLORTERM").is_some_and(|value| value == "truecolor" || value == "24bit"),
        }
    }
}

/// What to look at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NetworkChoice {
    /// The embedded rollup, started for the purpose.
    Embedded,
    /// A server somewhere.
    Network(Box<Network>),
    /// A rollup's own node, which is indexed here for the purpose: [`Network::node`] is there, and no indexer.
    Node(Box<Network>),
}

/// Why there are no settings: a mistake on the command line or in the environment. A bad file only warns.
#[derive(Debug, thiserror::Error)]
pub enum SettingsError {
    /// The file named by `--config` or `ROLLSCOPE_CONFIG` cannot be read.
    #[error("the settings file {file} cannot be read: {error}; check --config or ROLLSCOPE_CONFIG")]
    File {
        /// Which.
        file: String,
        /// Why.
        error: io::Error,
    },
    /// No network has the name.
    #[error(transparent)]
    Network(#[from] UnknownNetwork),
    /// An environment variable has a value that cannot be used.
    #[error("{variable}: {error}")]
    Variable {
        /// Which.
        variable: &'static str,
        /// Why.
        error: ValueError,
    },
}

/// Everything that can be set: defaults < file < environment < flags.
#[derive(Clone, Debug)]
pub struct Settings {
    /// What to look at; `None` when nothing was chosen anywhere.
    pub destination: Option<NetworkChoice>,
    /// The routing API, where one was chosen apart from the network's own.
    pub router: Option<String>,
    /// Where `ipfs:` addresses are asked for on networks that say nothing of it themselves.
    pub ipfs_gateway: Option<String>,
    /// How long one answer is waited for.
    pub timeout: Duration,
    /// Whether the metadata of NFTs is fetched without being asked for, whatever the network; where nothing is said only
    /// that of the embedded rollup is.
    pub fetch_metadata: Option<bool>,
    /// The folder with the user's ABI files of EVM contracts.
    pub abi: Option<PathBuf>,
    /// How the end of a transfer is told.
    pub announcements: Announcements,
    /// The columns of lists as the file has them; `columns` says what they come to.
    pub columns: Vec<ColumnSetting>,
    /// The looks that were asked for; [`Settings::theme`] says what they come to.
    pub theme_choice: ThemeChoice,
    /// What the person should be told about the files: one sentence each, with line and key.
    pub warnings: Vec<String>,
    /// Where the user's files lie; `None` on a machine without a home folder.
    pub paths: Option<Paths>,
    /// The settings file that was used or would be; `None` without a home folder.
    pub config_file: Option<PathBuf>,
    color: ColorChoice,
    colorless: bool,
    true_color: bool,
    user_networks: Vec<NetworkEntry>,
    networks: OnceCell<Networks>,
}

impl Settings {
    /// Puts all layers together. Reads at most one small file, and the built-in networks only when one is named.
    pub fn load(flags: Flags, environment: Environment, paths: Option<Paths>) -> Result<Self, SettingsError> {
        let (config_file, file, warnings) = read_file(&flags, &environment, paths.as_ref())?;
        let abi = file.abi.as_deref().map(|text| written_path(text, config_file.as_deref()));
        let mut settings = Self {
            destination: None,
            router: None,
            ipfs_gateway: file.ipfs_gateway.clone(),
            timeout: flags.timeout.or(file.timeout).unwrap_or(DEFAULT_TIMEOUT),
            fetch_metadata: file.fetch_metadata,
            abi,
            announcements: file.announcements.clone(),
            columns: file.columns.clone(),
            theme_choice: file.theme.clone().unwrap_or_default(),
            warnings,
            paths,
            config_file,
            color: flags.color,
            colorless: environment.no_color || environment.dumb_terminal,
            true_color: environment.true_color,
            user_networks: file.networks.clone(),
            networks: OnceCell::new(),
        };
        settings.warn_of_networks_without_address();
        settings.router = match (flags.router, environment.router) {
            (Some(router), _) => Some(router),
            (None, Some(text)) => Some(parse_variable("ROLLSCOPE_ROUTER", &text)?),
            (None, None) => file.router.clone(),
        };
        let flagged = flags.node.map(|node| NodeLocation { node, rest: flags.rest, json_rpc: flags.json_rpc });
        settings.destination = if let Some(node) = flagged {
            Some(settings.choice_of(Network::of_node(node)))
        } else if flags.network.is_some() || flags.indexer.is_some() {
            settings.choose(flags.network.as_deref(), flags.indexer)?
        } else if let Some(text) = environment.indexer {
            settings.choose(None, Some(parse_variable("ROLLSCOPE_INDEXER", &text)?))?
        } else if let Some(text) = environment.node {
            let node = parse_variable("ROLLSCOPE_NODE", &text)?;
            Some(settings.choice_of(Network::of_node(NodeLocation { node, ..NodeLocation::default() })))
        } else if environment.network.is_some() {
            settings.choose(environment.network.as_deref(), None)?
        } else {
            settings.choose_by_file(&file)
        };
        Ok(settings)
    }

    /// All networks with a name. The first call reads the built-in ones.
    pub fn networks(&self) -> &Networks {
        self.networks.get_or_init(|| Networks::new(&self.user_networks))
    }

    /// The theme that the explorer draws with.
    pub fn theme(&self) -> ThemeName {
        match (self.color, &self.theme_choice) {
            (ColorChoice::Never, _) => ThemeName::Mono,
            (ColorChoice::Auto, _) if self.colorless => ThemeName::Mono,
            (_, ThemeChoice::Named(theme)) => *theme,
            (_, ThemeChoice::Auto | ThemeChoice::File(_)) => ThemeName::Ansi,
        }
    }

    /// The looks of [`Self::theme`] on this terminal.
    pub fn styles(&self) -> Styles {
        Styles::new(self.theme()).with_true_color(self.true_color)
    }

    /// Whether the terminal shows any colour.
    pub fn has_true_color(&self) -> bool {
        self.true_color
    }

    /// The file with the theme that the explorer draws with, should it be the user's own.
    pub fn theme_file(&self) -> Option<PathBuf> {
        let ThemeChoice::File(name) = &self.theme_choice else { return None };
        let is_colored = self.theme() != ThemeName::Mono;
        self.paths.as_ref().filter(|_| is_colored).map(|paths| paths.theme_file(name))
    }

    /// Whether output is coloured that goes to a terminal, or to somewhere else.
    pub fn is_colored(&self, to_terminal: bool) -> bool {
        match self.color {
            ColorChoice::Always => true,
            ColorChoice::Never => false,
            ColorChoice::Auto => {
                to_terminal && !self.colorless && self.theme_choice != ThemeChoice::Named(ThemeName::Mono)
            }
        }
    }

    fn choose(&self, name: Option<&str>, indexer: Option<String>) -> Result<Option<NetworkChoice>, UnknownNetwork> {
        let network = match (name, indexer) {
            (_, Some(indexer)) => Network::unnamed(indexer),
            (Some(DEMO), None) => return Ok(Some(NetworkChoice::Embedded)),
            (Some(name), None) => self.networks().find(name)?.clone(),
            (None, None) => return Ok(None),
        };
        Ok(Some(self.choice_of(network)))
    }

    /// A network with what the settings say of every one; its node where it has no indexer.
    fn choice_of(&self, network: Network) -> NetworkChoice {
        let router = self.router.clone().or(network.router);
        let fetches_metadata = self.fetch_metadata.unwrap_or_default();
        let network = Box::new(Network { router, fetches_metadata, ..network });
        let is_node = network.indexer.is_empty() && network.node.is_some();
        if is_node { NetworkChoice::Node(network) } else { NetworkChoice::Network(network) }
    }

    fn choose_by_file(&mut self, file: &ConfigFile) -> Option<NetworkChoice> {
        let name = file.network.as_ref().map(|name| name.value.as_str());
        let indexer = file.indexer.as_ref().map(|indexer| indexer.value.clone());
        match self.choose(name, indexer) {
            Ok(destination) => destination,
            Err(error) => {
                self.warn(file.network.as_ref().map_or(0, |name| name.line), "network", &error.to_string());
                None
            }
        }
    }

    fn warn_of_networks_without_address(&mut self) {
        let without: Vec<_> = self
            .user_networks
            .iter()
            .filter(|entry| entry.indexer.is_none() && entry.node.is_none())
            .cloned()
            .collect();
        for entry in without {
            if self.networks().all().iter().all(|network| network.name != entry.name.value) {
                self.warn(
                    entry.name.line,
                    "networks.indexer",
                    "a network of one's own needs the address of its indexer or of its node",
                );
            }
        }
    }

    /// What to tell the person about a line of the settings file.
    pub fn warning(&self, line: usize, key: &str, message: &str) -> String {
        let file = self.config_file.as_deref().map(display_path).unwrap_or_default();
        format!("{file} line {line}, {key}: {message}")
    }

    fn warn(&mut self, line: usize, key: &str, message: &str) {
        self.warnings.push(self.warning(line, key, message));
    }
}

fn parse_variable(variable: &'static str, text: &str) -> Result<String, SettingsError> {
    parse_base_url(text).map_err(|error| SettingsError::Variable { variable, error })
}

/// The settings file, what it states, and the warnings about it. Only a file that was named must exist.
fn read_file(
    flags: &Flags,
    environment: &Environment,
    paths: Option<&Paths>,
) -> Result<(Option<PathBuf>, ConfigFile, Vec<String>), SettingsError> {
    let named = flags.config.clone().or_else(|| environment.config.as_ref().map(PathBuf::from));
    let is_named = named.is_some();
    let Some(path) = named.or_else(|| paths.map(Paths::config_file)) else {
        return Ok((None, ConfigFile::default(), Vec::new()));
    };
    let file = display_path(&path);
    let (content, warnings) = match fs::read_to_string(&path) {
        Ok(text) => ConfigFile::read(&file, &text),
        Err(error) if is_named => return Err(SettingsError::File { file, error }),
        Err(error) if error.kind() == io::ErrorKind::NotFound => (ConfigFile::default(), Vec::new()),
        Err(error) => (ConfigFile::default(), vec![format!("{file} cannot be read: {error}; the defaults are used")]),
    };
    Ok((Some(path), content, warnings))
}
