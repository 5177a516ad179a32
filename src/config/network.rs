use crate::domain::{Address, ContractRole, Vm};

/// A chain that the explorer can be pointed at.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Network {
    /// The name that `-n` takes: `cabal`, `yominet`; `demo` for the embedded rollup. Without a name the indexer's host, with
    /// port and path.
    pub name: String,
    /// The chain id, where it is known before asking.
    pub chain_id: Option<String>,
    /// The virtual machine, where it is known.
    pub vm: Option<Vm>,
    /// The chain id of the L1 that it settles on; none where it is one itself.
    pub l1: Option<String>,
    /// The number of its optimistic bridge on the L1.
    pub bridge_id: Option<u64>,
    /// Base address of the indexer API, without a slash at the end; empty where there is none, but a node.
    pub indexer: String,
    /// Its own node, where that is known.
    pub node: Option<NodeLocation>,
    /// Base address of the routing API, without a slash at the end.
    pub router: Option<String>,
    /// Base address of the API of its bridge's executor, without a slash at the end.
    pub executor: Option<String>,
    /// Where `ipfs:` addresses of this network's NFTs are asked for, without a slash at the end.
    pub ipfs_gateway: Option<String>,
    /// Pages of the web explorer.
    pub explorer: ExplorerTemplates,
    /// Denoms with a known symbol.
    pub tokens: Vec<KnownToken>,
    /// Channels of IBC, and the chains behind them.
    pub channels: Vec<KnownChannel>,
    /// Accounts that are known by name.
    pub accounts: Vec<NamedAccount>,
    /// Whether the metadata and pictures of NFTs are fetched without being asked for. They lie wherever an NFT's maker
    /// says, who then learns of the reader.
    pub fetches_metadata: bool,
}

impl Network {
    /// A network of which only its indexer's address is known.
    pub fn unnamed(indexer: String) -> Self {
        let name = shown(&indexer).to_owned();
        Self { name, indexer, ..Self::default() }
    }

    /// A network of which only its node's address is known.
    pub fn of_node(node: NodeLocation) -> Self {
        Self { name: shown(&node.node).to_owned(), node: Some(node), ..Self::default() }
    }

    /// Whether it has no name but its indexer's address.
    pub fn is_unnamed(&self) -> bool {
        self.name == shown(&self.indexer)
    }

    /// What tells it from all other networks while its chain is not known: its name, or its indexer's whole address.
    pub fn key(&self) -> &str {
        if self.is_unnamed() { &self.indexer } else { &self.name }
    }
}

/// Where a rollup's own node is reached; base addresses without a slash at the end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NodeLocation {
    /// Any one of its three interfaces; the RPC where the others are named too.
    pub node: String,
    /// Its REST interface, where it cannot be guessed.
    pub rest: Option<String>,
    /// Its JSON-RPC, where it cannot be guessed.
    pub json_rpc: Option<String>,
}

/// An address without its scheme.
fn shown(url: &str) -> &str {
    url.split_once("://").map_or(url, |(_, rest)| rest)
}

/// Addresses of a web explorer's pages, with `{}` where the value goes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExplorerTemplates {
    /// Page of a transaction, by upper-case hash.
    pub tx: Option<String>,
    /// Page of an account, by bech32 address.
    pub account: Option<String>,
    /// Page of a block, by height.
    pub block: Option<String>,
}

/// What is known of a denom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownToken {
    /// As the chain writes it.
    pub denom: String,
    /// As people say it; hostile text when it came from outside.
    pub symbol: String,
    /// Power of ten between the smallest and the display unit.
    pub decimals: u8,
}

/// A channel of a network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownChannel {
    /// The port here: `transfer`, `nft-transfer`, `wasm.init1…`.
    pub port: String,
    /// Its name here.
    pub channel: String,
    /// The id of the chain at the other end.
    pub chain: String,
}

/// An account that is known by name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedAccount {
    /// The account or contract.
    pub address: Address,
    /// What it is called.
    pub name: String,
    /// The part that it plays, where it is a contract with one.
    pub role: Option<ContractRole>,
}
