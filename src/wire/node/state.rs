use crate::domain::{Coin, Height};

/// What an account holds by the bank of a rollup's own node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeBalances {
    /// The chain of the node that was asked.
    pub chain_id: String,
    /// As of which block; `None` where the node does not say, or where it changed between two pages.
    pub height: Option<Height>,
    /// In the node's order, in the smallest units.
    pub coins: Vec<Coin>,
    /// Whether these are all that it holds: of accounts with very many denoms only the first are read.
    pub is_whole: bool,
}
