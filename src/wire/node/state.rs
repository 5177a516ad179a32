use crate::domain::{Amount, Coin, Denom, Height};

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
    /// Names from bank metadata, without proof: the tokens' creators chose them.
    pub units: Vec<BankUnit>,
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

/// Token in the bank's metadata.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BankUnit {
    pub denom: Denom,
    /// Hostile text: clean it before display.
    pub symbol: String,
    /// Power of ten between the smallest unit and the display unit.
    pub decimals: u8,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NodeUnits {
    pub chain_id: String,
    /// Names that token contracts returned, without proof: the tokens' creators chose them.
    pub units: Vec<ContractUnit>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContractUnit {
    /// `evm/` or `cw20:`, followed by the contract address.
    pub denom: Denom,
    /// Hostile text: clean it before display.
    pub symbol: String,
    /// Power of ten between the smallest unit and the display unit.
    pub decimals: u8,
}
