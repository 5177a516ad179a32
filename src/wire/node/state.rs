use crate::domain::{Amount, Coin, Denom, Height};

/// What an account holds by a rollup's own node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeBalances {
    /// The chain of the node that was asked.
    pub chain_id: String,
    /// As of which block; `None` where the node does not say.
    pub height: Option<Height>,
    /// By the bank, in the node's order and the smallest units.
    pub coins: Vec<Coin>,
    /// Whether these are all that the bank has for it: of accounts with very many denoms only the first are read.
    pub is_whole: bool,
    /// By the contracts that were asked, of tokens that the bank does not list. Those of which it has none are left out.
    pub tokens: Vec<TokenBalance>,
}

/// What a token's own contract says that an account holds: its word, and no proof of anything.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenBalance {
    /// `evm/` or `cw20:` and the contract.
    pub denom: Denom,
    /// What it says.
    pub answer: TokenAnswer,
}

/// An answer about a balance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenAnswer {
    /// So much, in the smallest unit.
    Held(Amount),
    /// The contract refused, or what it said is no amount.
    NoAmount,
    /// The node gave no answer of it.
    Unanswered,
}

/// What a rollup's own node tells of names: of its bridge, of its tokens, and which channels lead to its L1.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NodeNames {
    /// The chain of the node that was asked.
    pub chain_id: String,
    /// Its optimistic bridge; `None` where it has none yet.
    pub bridge: Option<NodeBridge>,
    /// What the bank's metadata call tokens: words of whoever made them, and no proof of anything.
    pub units: Vec<BankUnit>,
    /// Its channels, port and name, whose client is the one that the bridge names as the L1's.
    pub l1_channels: Vec<(String, String)>,
}

/// The bridge of a rollup, as the rollup itself keeps it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeBridge {
    /// Its number on the L1.
    pub bridge_id: u64,
    /// The L1.
    pub l1_chain_id: String,
    /// The IBC client of the L1; empty where there is none.
    pub l1_client_id: String,
}

/// A token by the bank's metadata.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BankUnit {
    /// As the chain writes it.
    pub denom: Denom,
    /// As the metadata call it; hostile text.
    pub symbol: String,
    /// Power of ten between the smallest and the display unit.
    pub decimals: u8,
}

/// What token contracts call themselves.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NodeUnits {
    /// The chain of the node that was asked.
    pub chain_id: String,
    /// Those that say it: words of whoever made them, and no proof of anything.
    pub units: Vec<ContractUnit>,
}

/// A token as its own contract calls it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContractUnit {
    /// `evm/` or `cw20:` and the contract.
    pub denom: Denom,
    /// As the contract calls it; hostile text.
    pub symbol: String,
    /// Power of ten between the smallest and the display unit.
    pub decimals: u8,
}
