//! Contract functions that the simulation supports, and how their calls fail.

use crate::demo::ledger::{
    MessageFailure,
    common::record::{PartyId, TokenId},
};

/// Contract call that the simulation supports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CalledFunction {
    /// Payment in the fee token, without call data.
    Pay { to: PartyId, amount: u128 },
    /// ERC-20 transfer.
    Transfer { token: TokenId, to: PartyId, amount: u128 },
    /// ERC-20 approval; `None` for an unlimited approval.
    Approve { token: TokenId, spender: PartyId, amount: Option<u128> },
    /// ERC-20 burn.
    Burn { token: TokenId, amount: u128 },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CallEnd {
    Reverted(&'static str),
    OutOfGas,
}

impl CallEnd {
    pub(super) fn failure(self) -> MessageFailure {
        let (code, detail) = match self {
            Self::Reverted(reason) => (23, format!("revert: {reason}: Reverted")),
            Self::OutOfGas => (3, "out of gas: EVMCall failed".to_owned()),
        };
        let log = format!("failed to execute message; message index: 0: {detail}");
        let reverted = if let Self::Reverted(reason) = self { Some(reason) } else { None };
        MessageFailure { code, codespace: "evm", log, reverted }
    }
}
