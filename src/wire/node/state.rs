use serde::{Deserialize, Serialize};

use crate::domain::{Amount, Coin, Denom, Height, Timestamp};

/// Balances of an account from the rollup's own node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeBalances {
    pub chain_id: String,
    /// Height of the balances; `None` if the node omits it.
    pub height: Option<Height>,
    /// Bank balances in smallest units, in the node's order.
    pub coins: Vec<Coin>,
    /// Whether the list of bank balances is complete; the list of an account with very many denoms is cut.
    pub is_whole: bool,
    /// Non-zero balances from the queried contracts of tokens that the bank does not list.
    pub tokens: Vec<TokenBalance>,
}

/// Balance that a token's contract claims, without proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TokenBalance {
    /// `evm/` or `cw20:`, followed by the contract address.
    pub denom: Denom,
    pub answer: TokenAnswer,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenAnswer {
    /// Balance in the smallest unit.
    Held(Amount),
    /// The contract reverted or returned no amount.
    NoAmount,
    Unanswered,
}

/// Names from the rollup's own node: bridge, tokens, and channels to the L1.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NodeNames {
    pub chain_id: String,
    /// OPinit bridge; `None` before the bridge exists.
    pub bridge: Option<NodeBridge>,
    /// Denom in which an EVM chain counts gas.
    pub gas_denom: Option<Denom>,
    /// Denoms in which the chain takes fees, the first for gas.
    pub fee_denoms: Vec<Denom>,
    /// First denoms of the bank's supply.
    pub supply: Vec<Denom>,
    /// Bank metadata.
    pub facts: Vec<DenomFact>,
    /// Ports and channels that use the bridge's light client of the L1.
    pub l1_channels: Vec<(String, String)>,
}

/// Bridge of a rollup, as stored on the rollup.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeBridge {
    pub bridge_id: u64,
    pub l1_chain_id: String,
    /// IBC client of the L1; empty before the L1 has a client.
    pub l1_client_id: String,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DenomFacts {
    pub chain_id: String,
    pub facts: Vec<DenomFact>,
}

/// A chain's answers about denoms, with their times.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DenomReports {
    pub chain_id: String,
    pub reports: Vec<DenomReport>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DenomReport {
    pub denom: Denom,
    /// `None`: the chain told neither unit nor origin.
    pub claim: Option<DenomClaim>,
    pub at: Timestamp,
}

/// What a chain's state says about a denom, without proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DenomFact {
    pub denom: Denom,
    pub claim: DenomClaim,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DenomClaim {
    /// Display unit that the token's creator chose.
    Unit {
        /// Hostile text: clean it before display.
        symbol: String,
        /// Power of ten between the smallest unit and the display unit.
        decimals: u8,
        reporter: UnitReporter,
    },
    /// Denom of the L1, or path of the voucher, from which a module derived the denom. Only the hash proves it.
    Origin(String),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum UnitReporter {
    Bank,
    Contract,
}
