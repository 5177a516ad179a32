use crate::domain::{Address, ContractRole, Vm};

/// Chain that the explorer can show.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Network {
    /// Name for `-n`: `cabal`, `yominet`, or `demo` for the embedded rollup. Unnamed networks use the indexer's host,
    /// port and path.
    pub name: String,
    /// Chain id; `None` until the server reports it, unless configured.
    pub chain_id: Option<String>,
    pub vm: Option<Vm>,
    /// Chain id of the L1 it settles on; `None` for an L1.
    pub l1: Option<String>,
    /// Id of its OPinit bridge on the L1.
    pub bridge_id: Option<u64>,
    /// Base URL of the indexer API without a trailing slash; empty if only a node is known.
    pub indexer: String,
    pub node: Option<NodeLocation>,
    /// Base URL of the routing API without a trailing slash.
    pub router: Option<String>,
    /// Base URL of the bridge executor's API without a trailing slash.
    pub executor: Option<String>,
    /// Gateway for `ipfs:` URLs of this network's NFTs, without a trailing slash.
    pub ipfs_gateway: Option<String>,
    pub explorer: ExplorerTemplates,
    pub tokens: Vec<KnownToken>,
    /// IBC channels and their counterparty chains.
    pub channels: Vec<KnownChannel>,
    pub accounts: Vec<NamedAccount>,
    /// Fetches metadata and pictures of NFTs automatically. Their hosts are chosen by the NFT's maker and learn the
    /// reader's IP address.
    pub fetches_metadata: bool,
}

impl Network {
    /// Creates a network from its indexer's URL alone.
    pub fn unnamed(indexer: String) -> Self {
        let name = shown(&indexer).to_owned();
        Self { name, indexer, ..Self::default() }
    }

    /// Creates a network from its node's URL alone.
    pub fn of_node(node: NodeLocation) -> Self {
        Self { name: shown(&node.node).to_owned(), node: Some(node), ..Self::default() }
    }

    /// Whether the indexer's address stands in for a name.
    pub fn is_unnamed(&self) -> bool {
        self.name == shown(&self.indexer)
    }

    /// Unique key while the chain id is unknown: the name, or the indexer's full URL.
    pub fn key(&self) -> &str {
        if self.is_unnamed() { &self.indexer } else { &self.name }
    }
}

/// URLs of a rollup's own node; base URLs have no trailing slash.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NodeLocation {
    /// URL of one of the node's three interfaces; the RPC if the others are set too.
    pub node: String,
    /// REST URL; `None` if it follows from `node`.
    pub rest: Option<String>,
    /// JSON-RPC URL; `None` if it follows from `node`.
    pub json_rpc: Option<String>,
}

/// Returns a URL without its scheme.
fn shown(url: &str) -> &str {
    url.split_once("://").map_or(url, |(_, rest)| rest)
}

/// URL templates of a web explorer; `{}` is the value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExplorerTemplates {
    /// Takes an upper-case hash.
    pub tx: Option<String>,
    /// Takes a bech32 address.
    pub account: Option<String>,
    pub block: Option<String>,
}

/// Display data of a denom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownToken {
    pub denom: String,
    /// Hostile text if it comes from outside.
    pub symbol: String,
    /// Power of ten between the smallest and the display unit.
    pub decimals: u8,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownChannel {
    /// Local port: `transfer`, `nft-transfer`, `wasm.init1…`.
    pub port: String,
    pub channel: String,
    /// Chain id of the counterparty.
    pub chain: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedAccount {
    pub address: Address,
    pub name: String,
    pub role: Option<ContractRole>,
}
