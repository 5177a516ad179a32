use crate::domain::Vm;

/// A chain that the explorer can be pointed at.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Network {
    /// The name that `-n` takes: `cabal`, `yominet`; `demo` for the embedded rollup, `custom` for a bare address.
    pub name: String,
    /// The chain id, where it is known before asking.
    pub chain_id: Option<String>,
    /// The virtual machine, where it is known.
    pub vm: Option<Vm>,
    /// Base address of the indexer API, without a slash at the end.
    pub indexer: String,
    /// Base address of the routing API, without a slash at the end.
    pub router: Option<String>,
    /// Where `ipfs:` addresses of this network's NFTs are asked for, without a slash at the end.
    pub ipfs_gateway: Option<String>,
    /// Pages of the web explorer.
    pub explorer: ExplorerTemplates,
    /// Denoms with a known symbol.
    pub tokens: Vec<Token>,
    /// Whether the metadata and pictures of NFTs are fetched without being asked for. They lie wherever an NFT's maker
    /// says, who then learns of the reader.
    pub fetches_metadata: bool,
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
pub struct Token {
    /// As the chain writes it.
    pub denom: String,
    /// As people say it; hostile text when it came from outside.
    pub symbol: String,
    /// Power of ten between the smallest and the display unit.
    pub decimals: u8,
}
