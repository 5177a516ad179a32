use crate::domain::{Address, ContractRole, FeeDenom, Vm};

/// Chain that the explorer can show.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Network {
    /// Name for `-n`: `cabal`, `yominet`, or `demo` for the embedded rollup. An unnamed network shows the indexer's
    /// host, port and path.
    pub name: String,
    /// Chain id; `None` until the server reports it, unless the settings contain it.
    pub chain_id: Option<String>,
    pub vm: Option<Vm>,
    /// Chain id of the L1 on which the rollup settles; `None` for an L1.
    pub l1: Option<String>,
    /// Id of the rollup's OPinit bridge on the L1.
    pub bridge_id: Option<u64>,
    /// Base URL of the indexer API, without a trailing slash; empty if the network has only a node.
    pub indexer: String,
    /// Whether this process indexes the network's node, so that the indexer is its own.
    pub is_indexed_here: bool,
    pub node: Option<NodeLocation>,
    /// Base URL of the routing API, without a trailing slash.
    pub router: Option<String>,
    /// Base URL of the bridge executor's API, without a trailing slash.
    pub executor: Option<String>,
    /// Gateway for `ipfs:` URLs of this network's NFTs, without a trailing slash.
    pub ipfs_gateway: Option<String>,
    pub explorer: ExplorerTemplates,
    pub tokens: Vec<KnownToken>,
    /// IBC channels and their counterparty chains.
    pub channels: Vec<KnownChannel>,
    pub accounts: Vec<NamedAccount>,
    /// Denoms in which the chain takes fees, the usual one first.
    pub fees: Vec<FeeDenom>,
    /// Whether to fetch metadata and pictures of NFTs automatically. The NFT's creator chooses their hosts, which learn
    /// the user's IP address.
    pub fetches_metadata: bool,
}

impl Network {
    /// Creates a network from its indexer's URL alone.
    pub fn unnamed(indexer: String) -> Self {
        let name = shown_url(&indexer).to_owned();
        Self { name, indexer, ..Self::default() }
    }

    pub fn of_node(node: NodeLocation) -> Self {
        Self { name: shown_url(&node.node).to_owned(), node: Some(node), ..Self::default() }
    }

    /// Whether the network has no name, so that the indexer's address replaces it.
    pub fn is_unnamed(&self) -> bool {
        self.name == shown_url(&self.indexer)
    }

    /// Whether the network has only servers that the other one has too.
    pub fn has_servers_of(&self, other: &Self) -> bool {
        let has_indexer = self.indexer.is_empty() || self.indexer == other.indexer;
        has_indexer && (self.node.is_none() || self.node == other.node)
    }

    /// Returns the unique key of the network while its chain id is unknown: the name, or the indexer's full URL.
    pub fn key(&self) -> &str {
        if self.is_unnamed() { &self.indexer } else { &self.name }
    }
}

/// URLs of a rollup's own node, without a trailing slash.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NodeLocation {
    /// URL of one of the node's three interfaces; with the other URLs set, the RPC's.
    pub node: String,
    /// REST URL; `None` if rollscope derives it from `node`.
    pub rest: Option<String>,
    /// JSON-RPC URL; `None` if rollscope derives it from `node`.
    pub json_rpc: Option<String>,
    /// URLs of other nodes of the chain, with which rollscope goes on when `node` fails.
    pub others: Vec<String>,
}

impl NodeLocation {
    /// Combines URLs that one source of settings names, each over those of `known`. The first of several nodes is a
    /// location of its own; without a node, the first of the other URLs stands for it. `None` if no URL is named or
    /// known.
    pub fn named(
        nodes: impl IntoIterator<Item = String>,
        rest: Option<String>,
        json_rpc: Option<String>,
        known: Option<&Self>,
    ) -> Option<Self> {
        let mut nodes = nodes.into_iter();
        if let Some(node) = nodes.next() {
            return Some(Self { node, rest, json_rpc, others: nodes.collect() });
        }
        let known = known.cloned().unwrap_or_default();
        let (rest, json_rpc) = (rest.or(known.rest), json_rpc.or(known.json_rpc));
        let node = Some(known.node).filter(|node| !node.is_empty());
        let node = node.or_else(|| rest.clone()).or_else(|| json_rpc.clone())?;
        Some(Self { node, rest, json_rpc, others: known.others })
    }
}

/// Returns a URL without its scheme.
pub fn shown_url(url: &str) -> &str {
    url.split_once("://").map_or(url, |(_, rest)| rest)
}

/// URL templates of a web explorer; `{}` marks the place of the value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExplorerTemplates {
    /// Template for an upper-case transaction hash.
    pub tx: Option<String>,
    /// Template for a bech32 address.
    pub account: Option<String>,
    pub block: Option<String>,
}

/// Symbol and decimals of a denom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownToken {
    pub denom: String,
    /// Symbol; hostile text if a server sent it.
    pub symbol: String,
    /// Power of ten between the smallest unit and the display unit.
    pub decimals: u8,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownChannel {
    /// Local port, such as `transfer`, `nft-transfer` or `wasm.init1…`.
    pub port: String,
    pub channel: String,
    pub chain: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedAccount {
    pub address: Address,
    pub name: String,
    pub role: Option<ContractRole>,
}
