use std::{cell::OnceCell, env, io, path::PathBuf, time::Duration};

use super::{
    Announcements, ColorChoice, ColumnSetting, DEMO, Network, Networks, NodeLocation, OfferedNetwork,
    OfferedNetworkError, Paths, ServeSetting, Styles, ThemeChoice, ThemeName, UnknownNetwork, display_path,
    file::ConfigFile,
    networks::NetworkEntry,
    paths::written_path,
    user_file::read_user_file,
    value::{ValueError, parse_base_url},
};

/// Default timeout of one request.
const DEFAULT_TIMEOUT: Duration = Duration::from_secs(10);

/// Settings from the command line, which override all other settings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Flags {
    /// Value of `--network`: a name, a chain id, or `demo`.
    pub network: Option<String>,
    /// Value of `--indexer`: a base URL from [`super::parse_base_url`].
    pub indexer: Option<String>,
    /// Values of `--node`: a node, and the nodes with which rollscope goes on when it fails.
    pub node: Vec<String>,
    pub rest: Option<String>,
    pub json_rpc: Option<String>,
    pub router: Option<String>,
    pub timeout: Option<Duration>,
    /// Value of `--config`; rollscope must be able to read this file.
    pub config: Option<PathBuf>,
    pub color: ColorChoice,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Environment {
    pub network: Option<String>,
    pub indexer: Option<String>,
    /// URLs in `ROLLSCOPE_NODE`, which commas separate.
    pub node: Vec<String>,
    pub rest: Option<String>,
    pub json_rpc: Option<String>,
    pub router: Option<String>,
    pub config: Option<String>,
    /// Whether `NO_COLOR` is set and not empty.
    pub no_color: bool,
    /// Whether `TERM=dumb`: the terminal has no colours.
    pub dumb_terminal: bool,
    pub colors: ColorDepth,
}

/// Colours that a terminal announces by `COLORTERM` and `TERM`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum ColorDepth {
    #[default]
    Sixteen,
    /// Palette of 256 colours.
    Palette,
    /// 24-bit colour.
    True,
}

impl ColorDepth {
    fn read() -> Self {
        let variable = |name: &str| env::var(name).unwrap_or_default();
        let (color_term, term) = (variable("COLORTERM"), variable("TERM"));
        if color_term == "truecolor" || color_term == "24bit" {
            Self::True
        } else if !color_term.is_empty() || PALETTES.iter().any(|name| term.contains(name)) {
            Self::Palette
        } else {
            Self::Sixteen
        }
    }
}

/// Parts of `TERM` that announce 256 colours or more.
const PALETTES: [&str; 8] = ["256color", "direct", "kitty", "alacritty", "foot", "wezterm", "ghostty", "contour"];

impl Environment {
    /// Reads the environment of the process; an empty variable counts as not set.
    pub fn read() -> Self {
        let variable = |name: &str| env::var(name).ok().filter(|value| !value.is_empty());
        Self {
            network: variable("ROLLSCOPE_NETWORK"),
            indexer: variable("ROLLSCOPE_INDEXER"),
            node: variable("ROLLSCOPE_NODE").iter().flat_map(|urls| urls.split(',').map(str::to_owned)).collect(),
            rest: variable("ROLLSCOPE_REST"),
            json_rpc: variable("ROLLSCOPE_JSON_RPC"),
            router: variable("ROLLSCOPE_ROUTER"),
            config: variable("ROLLSCOPE_CONFIG"),
            no_color: env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty()),
            dumb_terminal: env::var_os("TERM").is_some_and(|value| value == "dumb"),
            colors: ColorDepth::read(),
        }
    }

    fn servers(self) -> Result<NamedServers, SettingsError> {
        let url =
            |variable, text: &Option<String>| text.as_deref().map(|text| parse_variable(variable, text)).transpose();
        Ok(NamedServers {
            network: self.network,
            indexer: url("ROLLSCOPE_INDEXER", &self.indexer)?,
            node: self.node.iter().map(|url| parse_variable("ROLLSCOPE_NODE", url)).collect::<Result<_, _>>()?,
            rest: url("ROLLSCOPE_REST", &self.rest)?,
            json_rpc: url("ROLLSCOPE_JSON_RPC", &self.json_rpc)?,
        })
    }
}

/// Network and servers that one source of settings names.
struct NamedServers {
    network: Option<String>,
    indexer: Option<String>,
    node: Vec<String>,
    rest: Option<String>,
    json_rpc: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NetworkChoice {
    /// Embedded rollup, which starts on demand.
    Embedded,
    Network(Box<Network>),
    /// Rollup with only a node, which rollscope indexes locally: [`Network::node`] is set, the indexer is empty.
    Node(Box<Network>),
}

/// Invalid flag or environment variable. An invalid settings file only causes warnings.
#[derive(Debug, thiserror::Error)]
pub enum SettingsError {
    /// rollscope cannot read the file that `--config` or `ROLLSCOPE_CONFIG` names.
    #[error("cannot read the settings file {file}: {error}; check --config or ROLLSCOPE_CONFIG")]
    File { file: String, error: io::Error },
    #[error(transparent)]
    Network(#[from] UnknownNetwork),
    /// Unusable link or file of a network.
    #[error(transparent)]
    Offered(#[from] OfferedNetworkError),
    #[error("{variable}: {error}")]
    Variable { variable: &'static str, error: ValueError },
}

/// All settings: defaults < file < environment < flags.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Network to show; `None` if the user chose no network.
    pub destination: Option<NetworkChoice>,
    /// Routing API that replaces the network's.
    pub router: Option<String>,
    /// Gateway for `ipfs:` URLs, for networks without a gateway.
    pub ipfs_gateway: Option<String>,
    pub timeout: Duration,
    /// Whether to fetch NFT metadata automatically on every network. `None` fetches it only on the embedded rollup.
    pub fetch_metadata: Option<bool>,
    /// Folder with the user's ABI files of EVM contracts.
    pub abi: Option<PathBuf>,
    pub announcements: Announcements,
    /// Columns from the settings file; the module `columns` checks them.
    pub columns: Vec<ColumnSetting>,
    /// Options of `serve` from the settings file; the command line checks them.
    pub serve: Vec<ServeSetting>,
    /// Theme setting, which [`Settings::theme`] resolves.
    pub theme_choice: ThemeChoice,
    /// Whether screens consist of ASCII characters only.
    pub ascii: bool,
    /// Warnings about the files, one sentence each, with line and key.
    pub warnings: Vec<String>,
    /// Paths of the user's files; `None` without a home folder.
    pub paths: Option<Paths>,
    /// Path of the settings file, which may not exist; `None` without a home folder.
    pub config_file: Option<PathBuf>,
    color: ColorChoice,
    colorless: bool,
    colors: ColorDepth,
    user_networks: Vec<NetworkEntry>,
    networks: OnceCell<Networks>,
}

impl Settings {
    /// Combines all sources of settings. Reads one small file, and the built-in networks only if a network is named.
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
            serve: file.serve.clone(),
            theme_choice: file.theme.clone().unwrap_or_default(),
            ascii: file.ascii.unwrap_or_default(),
            warnings,
            paths,
            config_file,
            color: flags.color,
            colorless: environment.no_color || environment.dumb_terminal,
            colors: environment.colors,
            user_networks: file.networks.clone(),
            networks: OnceCell::new(),
        };
        settings.warn_of_networks_without_address();
        settings.router = match (flags.router, &environment.router) {
            (Some(router), _) => Some(router),
            (None, Some(text)) => Some(parse_variable("ROLLSCOPE_ROUTER", text)?),
            (None, None) => file.router.clone(),
        };
        let Flags { network, indexer, node, rest, json_rpc, .. } = flags;
        let flagged = settings.choose(NamedServers { network, indexer, node, rest, json_rpc })?;
        settings.destination = match flagged {
            Some(choice) => Some(choice),
            None => match settings.choose(environment.servers()?)? {
                Some(choice) => Some(choice),
                None => settings.choose_by_file(&file),
            },
        };
        settings.warnings.extend(settings.destination.as_ref().and_then(|choice| settings.rival_of(choice)));
        Ok(settings)
    }

    /// Chooses a network by its name or chain ID, by a URL of its indexer or node, or by a link or file that describes
    /// it.
    pub fn choice_named(&self, network: &str) -> Result<NetworkChoice, SettingsError> {
        // A link names servers in its query, where an URL may have a key.
        let is_link = OfferedNetwork::of_link(network).is_some();
        let url = if is_link { None } else { parse_base_url(network).ok() };
        let name = url.is_none().then(|| network.to_owned());
        let named =
            NamedServers { network: name, indexer: None, node: url.into_iter().collect(), rest: None, json_rpc: None };
        Ok(self.choose(named)?.unwrap_or(NetworkChoice::Embedded))
    }

    /// Shows this network instead of the chosen one.
    pub fn choose_network(&mut self, network: Network) {
        self.destination = Some(self.choice_of(network));
    }

    /// Returns the settings file, and the lines that add the network to it. Fails, with the reason, if the network is
    /// known or the file would not be read as before.
    pub fn added(&self, offered: &OfferedNetwork) -> Result<(PathBuf, String), String> {
        let path = self.config_file.clone().ok_or("without a home folder there is no settings file")?;
        if let Ok(known) = self.networks().find(&offered.chain_id) {
            return Err(format!("{} is known as {}", offered.chain_id, known.name));
        }
        let text = match read_user_file(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            read => read.map_err(|error| error.to_string())?,
        };
        let entry =
            if text.is_empty() || text.ends_with('\n') { offered.entry() } else { format!("\n{}", offered.entry()) };
        let read = |text: &str| ConfigFile::read(&display_path(&path), text);
        let ((before, faults), (after, new_faults)) = (read(&text), read(&format!("{text}{entry}")));
        if faults != new_faults || after.networks.len() != before.networks.len() + 1 {
            return Err("correct the settings file first".to_owned());
        }
        Ok((path, entry))
    }

    /// Returns a warning if a network that only its URLs name claims the chain id of a known network: a stranger's link
    /// may lead to a copy.
    pub fn rival_of(&self, choice: &NetworkChoice) -> Option<String> {
        let (NetworkChoice::Network(network) | NetworkChoice::Node(network)) = choice else { return None };
        let chain_id = network.chain_id.as_ref()?;
        let is_named = self.networks().all().iter().any(|known| known.name == network.name);
        let known = self.networks().find(chain_id).ok()?;
        if is_named || network.has_servers_of(known) {
            return None;
        }
        Some(format!("{chain_id} is {}, with other servers; to use those: -n {}", known.name, known.name))
    }

    /// Returns all named networks; the first call parses the built-in networks.
    pub fn networks(&self) -> &Networks {
        self.networks.get_or_init(|| Networks::new(&self.user_networks))
    }

    /// Returns the theme in use; a terminal that announces 16 colours gets these instead of a palette's.
    pub fn theme(&self) -> ThemeName {
        match (self.color, &self.theme_choice) {
            (ColorChoice::Never, _) => ThemeName::Mono,
            (ColorChoice::Auto, _) if self.colorless => ThemeName::Mono,
            (_, ThemeChoice::Named(theme)) if self.colors >= ColorDepth::Palette || !theme.needs_palette() => *theme,
            (_, _) => ThemeName::Ansi,
        }
    }

    /// Returns the styles of [`Self::theme`] for this terminal.
    pub fn styles(&self) -> Styles {
        self.adapted(Styles::new(self.theme()))
    }

    /// Returns the styles with what this terminal can show.
    pub fn adapted(&self, styles: Styles) -> Styles {
        styles.with_true_color(self.has_true_color()).with_ascii(self.ascii)
    }

    /// Returns the styles for a dark and a light background where the terminal's background chooses; `None` if the
    /// theme is chosen, or the terminal has only 16 colours.
    pub fn styles_by_background(&self) -> Option<[Styles; 2]> {
        let asks = self.theme_choice == ThemeChoice::Auto
            && self.theme() != ThemeName::Mono
            && self.colors >= ColorDepth::Palette;
        let styles = |theme| self.adapted(Styles::new(theme));
        asks.then(|| [styles(ThemeName::Dark), styles(ThemeName::Light)])
    }

    pub fn has_true_color(&self) -> bool {
        self.colors == ColorDepth::True
    }

    /// Returns the colours that the terminal announces.
    pub fn colors(&self) -> ColorDepth {
        self.colors
    }

    /// Returns the path of the theme's file; `None` for a built-in theme.
    pub fn theme_file(&self) -> Option<PathBuf> {
        let ThemeChoice::File(name) = &self.theme_choice else { return None };
        let is_colored = self.theme() != ThemeName::Mono;
        self.paths.as_ref().filter(|_| is_colored).map(|paths| paths.theme_file(name))
    }

    /// Whether to colour the output; `to_terminal` says whether it goes to a terminal.
    pub fn is_colored(&self, to_terminal: bool) -> bool {
        match self.color {
            ColorChoice::Always => true,
            ColorChoice::Never => false,
            ColorChoice::Auto => {
                to_terminal && !self.colorless && self.theme_choice != ThemeChoice::Named(ThemeName::Mono)
            }
        }
    }

    /// Chooses the network that one source names: an indexer before a name. A node that the source also names is used
    /// beside the indexer, or replaces the network's node.
    fn choose(&self, named: NamedServers) -> Result<Option<NetworkChoice>, SettingsError> {
        let NamedServers { network, indexer, node, rest, json_rpc } = named;
        let network = match (network.as_deref(), indexer) {
            (_, Some(indexer)) => Network::unnamed(indexer),
            (Some(DEMO), None) if node.is_empty() => return Ok(Some(NetworkChoice::Embedded)),
            (Some(DEMO) | None, None) => {
                let node = NodeLocation::named(node, rest, json_rpc, None);
                return Ok(node.map(|node| self.choice_of(Network::of_node(node))));
            }
            (Some(name), None) => match OfferedNetwork::named(name) {
                Some(offered) => offered?.network(),
                None => self.networks().find(name)?.clone(),
            },
        };
        let node = NodeLocation::named(node, rest, json_rpc, network.node.as_ref());
        Ok(Some(self.choice_of(Network { node, ..network })))
    }

    /// Applies the general settings to one network; uses the network's node if it has no indexer.
    fn choice_of(&self, network: Network) -> NetworkChoice {
        let router = self.router.clone().or(network.router);
        let fetches_metadata = self.fetch_metadata.unwrap_or_default();
        let network = Box::new(Network { router, fetches_metadata, ..network });
        let is_node = network.indexer.is_empty() && network.node.is_some();
        if is_node { NetworkChoice::Node(network) } else { NetworkChoice::Network(network) }
    }

    fn choose_by_file(&mut self, file: &ConfigFile) -> Option<NetworkChoice> {
        let network = file.network.as_ref().map(|name| name.value.clone());
        let indexer = file.indexer.as_ref().map(|indexer| indexer.value.clone());
        let (node, rest, json_rpc) = (file.node.clone(), file.rest.clone(), file.json_rpc.clone());
        match self.choose(NamedServers { network, indexer, node, rest, json_rpc }) {
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
            .filter(|entry| entry.indexer.is_none() && entry.node.is_empty())
            .cloned()
            .collect();
        for entry in without {
            if self.networks().all().iter().all(|network| network.name != entry.name.value) {
                self.warn(
                    entry.name.line,
                    "networks.indexer",
                    "a custom network needs the URL of an indexer or a node",
                );
            }
        }
    }

    /// Formats a warning about a line of the settings file.
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

/// Returns path, contents and warnings of the settings file. Only a file named by flag or variable must exist.
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
    let (content, warnings) = match read_user_file(&path) {
        Ok(text) => ConfigFile::read(&file, &text),
        Err(error) if is_named => return Err(SettingsError::File { file, error }),
        Err(error) if error.kind() == io::ErrorKind::NotFound => (ConfigFile::default(), Vec::new()),
        Err(error) => {
            (ConfigFile::default(), vec![format!("cannot read {file}: {error}; rollscope uses the defaults")])
        }
    };
    Ok((Some(path), content, warnings))
}
