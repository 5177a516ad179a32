mod names;

use std::{fmt, sync::LazyLock};

use toml::{
    Spanned,
    de::{DeTable, DeValue},
};

use self::names::{read_accounts, read_bridge_id, read_channels, read_fees};
use super::{
    ExplorerTemplates, KnownChannel, KnownToken, NamedAccount, Network, NodeLocation,
    nearest::nearest,
    table::{Located, TableReader, article},
    value::{parse_base_url, parse_path},
};
use crate::domain::{FeeDenom, text::clip};

const BUILT_IN: &str = include_str!("../../assets/networks.toml");

pub const DEMO: &str = "demo";

/// Reserved name: earlier versions used it in the state file for networks without a name.
const CUSTOM: &str = "custom";

/// Error for an unknown network name; suggests the nearest name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct UnknownNetwork {
    pub name: String,
    pub nearest: Option<String>,
}

impl fmt::Display for UnknownNetwork {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "unknown network “{}”; ", clip(&self.name, 40))?;
        match &self.nearest {
            Some(nearest) => write!(formatter, "did you mean {nearest}?"),
            None => formatter.write_str("`rollscope networks` lists all"),
        }
    }
}

/// All named networks: built-in networks, overridden by the user's.
#[derive(Clone, Debug, Default)]
pub struct Networks(Vec<Network>);

impl Networks {
    /// Applies the user's entries in order to the built-in networks. Parses the embedded file, which takes about 1 ms.
    pub(super) fn new(user: &[NetworkEntry]) -> Self {
        let (entries, _) = read_text("networks.toml", BUILT_IN);
        let mut networks = Self(Vec::new());
        for entry in entries.iter().chain(user) {
            networks.lay_over(entry);
        }
        networks
    }

    /// Returns the built-in networks, which the first call parses.
    pub fn built_in() -> &'static Self {
        static BUILT_IN: LazyLock<Networks> = LazyLock::new(|| Networks::new(&[]));
        &BUILT_IN
    }

    fn lay_over(&mut self, entry: &NetworkEntry) {
        if let Some(network) = self.0.iter_mut().find(|network| network.name == entry.name.value) {
            entry.apply(network);
        } else if entry.indexer.is_some() || !entry.node.is_empty() {
            let mut network = Network { name: entry.name.value.clone(), ..Network::default() };
            entry.apply(&mut network);
            self.0.push(network);
        }
    }

    /// Returns these networks, or the built-in ones if there are none.
    pub fn or_built_in(&self) -> &Self {
        if self.0.is_empty() { Self::built_in() } else { self }
    }

    /// Returns the built-in networks in file order, then the user's networks.
    pub fn all(&self) -> &[Network] {
        &self.0
    }

    /// Finds a network by name, else by chain id.
    pub fn find(&self, name: &str) -> Result<&Network, UnknownNetwork> {
        let by_chain_id = || self.0.iter().find(|network| network.chain_id.as_deref() == Some(name));
        self.0.iter().find(|network| network.name == name).or_else(by_chain_id).ok_or_else(|| {
            let known = self.0.iter().flat_map(|network| [Some(network.name.as_str()), network.chain_id.as_deref()]);
            let nearest = nearest(name, known.flatten().chain([DEMO])).map(ToOwned::to_owned);
            UnknownNetwork { name: name.to_owned(), nearest }
        })
    }

    /// Returns the REST URL of the network with this name or chain id; `None` if unknown.
    pub fn rest_of(&self, name: &str) -> Option<String> {
        let node = self.find(name).ok()?.node.as_ref()?;
        Some(node.rest.clone().unwrap_or_else(|| node.node.clone()))
    }
}

/// Settings of one network in a file; keys that are not set keep the built-in values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct NetworkEntry {
    pub(super) name: Located<String>,
    chain_id: Option<String>,
    vm: Option<crate::domain::Vm>,
    pub(super) indexer: Option<String>,
    pub(super) node: Vec<String>,
    rest: Option<String>,
    json_rpc: Option<String>,
    /// File of the index of the node, for a server of several networks.
    pub(super) data: Option<String>,
    router: Option<String>,
    executor: Option<String>,
    ipfs_gateway: Option<String>,
    explorer: ExplorerTemplates,
    tokens: Option<Vec<KnownToken>>,
    l1: Option<String>,
    bridge_id: Option<u64>,
    channels: Option<Vec<KnownChannel>>,
    accounts: Option<Vec<NamedAccount>>,
    fees: Option<Vec<FeeDenom>>,
}

impl NetworkEntry {
    fn apply(&self, network: &mut Network) {
        fn set<T: Clone>(target: &mut T, stated: Option<&T>) {
            if let Some(value) = stated {
                *target = value.clone();
            }
        }
        set(&mut network.indexer, self.indexer.as_ref());
        set(&mut network.tokens, self.tokens.as_ref());
        set(&mut network.channels, self.channels.as_ref());
        set(&mut network.accounts, self.accounts.as_ref());
        set(&mut network.fees, self.fees.as_ref());
        for (target, stated) in [
            (&mut network.chain_id, &self.chain_id),
            (&mut network.l1, &self.l1),
            (&mut network.router, &self.router),
            (&mut network.executor, &self.executor),
            (&mut network.ipfs_gateway, &self.ipfs_gateway),
            (&mut network.explorer.tx, &self.explorer.tx),
            (&mut network.explorer.account, &self.explorer.account),
            (&mut network.explorer.block, &self.explorer.block),
        ] {
            if stated.is_some() {
                target.clone_from(stated);
            }
        }
        let (node, rest, json_rpc) = (self.node.clone(), self.rest.clone(), self.json_rpc.clone());
        network.node = NodeLocation::named(node, rest, json_rpc, network.node.as_ref());
        network.vm = self.vm.or(network.vm);
        network.bridge_id = self.bridge_id.or(network.bridge_id);
    }
}

/// Reads entries and warnings from a file that contains only networks.
fn read_text(file: &str, text: &str) -> (Vec<NetworkEntry>, Vec<String>) {
    let mut reader = TableReader::new(file, text);
    let mut entries = Vec::new();
    for (key, value) in reader.top() {
        match key.get_ref().as_ref() {
            "networks" => entries = read_networks(&mut reader, &value),
            _ => reader.unknown(&key, &["networks"]),
        }
    }
    (entries, reader.warnings)
}

/// Reads an array of `[[networks]]` tables; skips invalid entries with a warning.
pub(super) fn read_networks(reader: &mut TableReader<'_>, value: &Spanned<DeValue<'_>>) -> Vec<NetworkEntry> {
    let Some(array) = value.get_ref().as_array() else {
        reader.warn(value, "networks", format_args!("write [[networks]], not {}", article(value.get_ref())));
        return Vec::new();
    };
    array
        .iter()
        .filter_map(|item| {
            let table = item.get_ref().as_table();
            if table.is_none() {
                reader.warn(item, "networks", "write [[networks]] before each network's settings");
            }
            read_network(reader, item, table?)
        })
        .collect()
}

const KEYS: &[&str] = &[
    "name",
    "chain_id",
    "vm",
    "l1",
    "bridge_id",
    "indexer",
    "node",
    "rest",
    "json_rpc",
    "data",
    "router",
    "executor",
    "ipfs_gateway",
    "explorer",
    "tokens",
    "channels",
    "accounts",
    "fees",
];

fn read_network(
    reader: &mut TableReader<'_>,
    item: &Spanned<DeValue<'_>>,
    table: &DeTable<'_>,
) -> Option<NetworkEntry> {
    let Some(name) = table.get("name") else {
        reader.warn(item, "networks", "the network needs a name; rollscope skips it");
        return None;
    };
    let line = reader.line(name.span().start);
    let name = reader.text("networks.name", name, parse_name)?;
    let mut entry = NetworkEntry {
        name: Located { value: name, line },
        chain_id: None,
        vm: None,
        indexer: None,
        node: Vec::new(),
        rest: None,
        json_rpc: None,
        data: None,
        router: None,
        executor: None,
        ipfs_gateway: None,
        explorer: ExplorerTemplates::default(),
        tokens: None,
        l1: None,
        bridge_id: None,
        channels: None,
        accounts: None,
        fees: None,
    };
    for (key, value) in table {
        match key.get_ref().as_ref() {
            "name" => {}
            "chain_id" => entry.chain_id = reader.text("networks.chain_id", value, parse_word),
            "vm" => entry.vm = reader.text("networks.vm", value, str::parse),
            "indexer" => entry.indexer = reader.text("networks.indexer", value, parse_base_url),
            "node" => entry.node = reader.texts("networks.node", value, parse_base_url),
            "rest" => entry.rest = reader.text("networks.rest", value, parse_base_url),
            "json_rpc" => entry.json_rpc = reader.text("networks.json_rpc", value, parse_base_url),
            "data" => entry.data = reader.text("networks.data", value, parse_path),
            "router" => entry.router = reader.text("networks.router", value, parse_base_url),
            "executor" => entry.executor = reader.text("networks.executor", value, parse_base_url),
            "ipfs_gateway" => entry.ipfs_gateway = reader.text("networks.ipfs_gateway", value, parse_base_url),
            "explorer" => entry.explorer = read_explorer(reader, value),
            "tokens" => entry.tokens = read_tokens(reader, value),
            "l1" => entry.l1 = reader.text("networks.l1", value, parse_word),
            "bridge_id" => entry.bridge_id = read_bridge_id(reader, value),
            "channels" => entry.channels = read_channels(reader, value),
            "accounts" => entry.accounts = read_accounts(reader, value),
            "fees" => entry.fees = read_fees(reader, value),
            _ => reader.unknown(key, KEYS),
        }
    }
    Some(entry)
}

fn read_explorer(reader: &mut TableReader<'_>, value: &Spanned<DeValue<'_>>) -> ExplorerTemplates {
    let mut templates = ExplorerTemplates::default();
    let Some(table) = value.get_ref().as_table() else {
        reader.warn(value, "networks.explorer", "write explorer.tx = \"https://…/{}\"");
        return templates;
    };
    for (key, value) in table {
        match key.get_ref().as_ref() {
            "tx" => templates.tx = reader.text("networks.explorer.tx", value, parse_template),
            "account" => templates.account = reader.text("networks.explorer.account", value, parse_template),
            "block" => templates.block = reader.text("networks.explorer.block", value, parse_template),
            _ => reader.unknown(key, &["tx", "account", "block"]),
        }
    }
    templates
}

fn read_tokens(reader: &mut TableReader<'_>, value: &Spanned<DeValue<'_>>) -> Option<Vec<KnownToken>> {
    let Some(array) = value.get_ref().as_array() else {
        reader.warn(value, "networks.tokens", format_args!("expected a list, found {}", article(value.get_ref())));
        return None;
    };
    let mut tokens = Vec::with_capacity(array.len());
    for item in array {
        match read_token(item.get_ref()) {
            Some(token) => tokens.push(token),
            None => reader.warn(
                item,
                "networks.tokens",
                "expected { denom = \"…\", symbol = \"…\", decimals = 0 to 77 }; rollscope skips this token",
            ),
        }
    }
    Some(tokens)
}

fn read_token(value: &DeValue<'_>) -> Option<KnownToken> {
    /// Largest power of ten that fits into 256 bits.
    const MOST_DECIMALS: u8 = 77;
    let table = value.as_table()?;
    let text = |key: &str| table.get(key)?.get_ref().as_str().filter(|text| !text.is_empty()).map(ToOwned::to_owned);
    let decimals = table.get("decimals")?.get_ref().as_integer()?;
    let decimals = u8::from_str_radix(decimals.as_str(), decimals.radix()).ok()?;
    (table.len() == 3 && decimals <= MOST_DECIMALS).then_some(KnownToken {
        denom: text("denom")?,
        symbol: text("symbol")?,
        decimals,
    })
}

fn parse_word(text: &str) -> Result<String, String> {
    if text.is_empty() || text.contains(char::is_whitespace) || text.contains(char::is_control) {
        return Err(format!("“{}” must be one word", clip(text, 40)));
    }
    Ok(text.to_owned())
}

fn parse_name(text: &str) -> Result<String, String> {
    if text == DEMO || text == CUSTOM {
        return Err(format!(
            "“{text}” is reserved ({DEMO}: embedded rollup, {CUSTOM}: bare address); choose another name"
        ));
    }
    parse_word(text)
}

fn parse_template(text: &str) -> Result<String, String> {
    if !text.starts_with("http://") && !text.starts_with("https://") || !text.contains("{}") {
        return Err(format!(
            "“{}” is no template: start with http:// or https://, write {{}} for the value",
            clip(text, 60)
        ));
    }
    parse_word(text)
}

#[cfg(test)]
mod tests {
    use super::{BUILT_IN, read_text};

    #[test]
    fn the_built_in_networks_have_no_mistake() {
        let (entries, warnings) = read_text("networks.toml", BUILT_IN);
        assert_eq!(warnings, Vec::<String>::new());
        assert!(entries.len() >= 13 && entries.iter().all(|entry| entry.indexer.is_some()));
    }
}
