//! Messages and failures of the EVM.

use crate::demo::ledger::common::record::{self as shared, PartyId, TokenId};

/// EVM flavour. Its `impl Flavour` is in another file, because it needs the planner, which needs this type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Evm;

pub(crate) type Msg = shared::Msg<Evm>;

#[derive(Debug, Hash)]
pub(crate) enum VmMessage {
    Call {
        sender: PartyId,
        call: ContractCall,
    },
    /// Deployment of a contract; with `salt`, by CREATE2.
    Create {
        sender: PartyId,
        nonce: u32,
        salt: Option<u64>,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum VmFailure {
    Reverted(RevertReason),
    CallFailed(VmStop),
    CreateFailed(VmStop),
    /// The gas limit is below the intrinsic gas.
    IntrinsicGas,
    /// The call's input is not hexadecimal.
    BadInput,
    /// The bank of this VM does not support the message.
    NotSupported,
}

/// Why the EVM stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum VmStop {
    OutOfGas,
    InvalidOpcode,
    /// The gas was enough for the constructor, but not for storing the code.
    CodeStorage,
    /// The value exceeds the caller's balance.
    Funds,
}

impl VmStop {
    pub(crate) const fn text(self) -> &'static str {
        match self {
            Self::OutOfGas => "out of gas",
            Self::InvalidOpcode => "invalid opcode: INVALID",
            Self::CodeStorage => "contract creation code storage out of gas",
            Self::Funds => "insufficient balance for transfer",
        }
    }

    /// Whether the failure uses up the whole gas limit.
    pub(crate) const fn uses_up(self) -> bool {
        !matches!(self, Self::Funds)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum RevertReason {
    /// `require` failed with a reason, or Solidity panicked; in the EVM's words.
    Reason(&'static str),
    /// Custom error. The log lacks its data; the call trace has it.
    Custom,
}

#[derive(Debug, Hash)]
pub(crate) enum ContractCall {
    Transfer {
        token: TokenId,
        to: PartyId,
        amount: u128,
    },
    /// ERC-20 approval; `None` for an unlimited approval.
    Approve {
        token: TokenId,
        spender: PartyId,
        amount: Option<u128>,
    },
    Burn {
        token: TokenId,
        amount: u128,
    },
    /// Payment in the fee token, without call data.
    Pay {
        to: PartyId,
        amount: u128,
    },
    /// ERC-721 mint.
    Mint {
        collection: u8,
        id: u32,
        to: PartyId,
    },
    /// ERC-721 safeTransferFrom.
    Give {
        collection: u8,
        id: u32,
        to: PartyId,
    },
    /// ERC-721 setApprovalForAll, for the marketplace.
    ApproveAll {
        collection: u8,
        approved: bool,
    },
    /// Swap over the router.
    Swap(Box<Swap>),
    /// Conversion from 6 foreign decimals to 18 local decimals.
    ToLocal {
        wrap: u8,
        amount: u128,
    },
    /// Conversion from 18 local decimals to 6 foreign decimals; `amount` has 18.
    ToRemote {
        wrap: u8,
        amount: u128,
    },
    Stake {
        amount: u128,
    },
    Unstake {
        amount: u128,
    },
    Claim {
        amount: u128,
    },
    /// Payment of equal amounts to several accounts.
    Disperse {
        token: TokenId,
        each: u128,
        to: Box<[PartyId]>,
    },
    /// ERC-1155 mint of one kind to the caller.
    MintItems {
        kind: u8,
        count: u64,
    },
    /// ERC-1155 mint of two kinds to the caller: `count` of the first, twice as many of the second.
    MintBatch {
        kinds: [u8; 2],
        count: u64,
    },
    /// ERC-1155 safeTransferFrom.
    GiveItems {
        kind: u8,
        count: u64,
        to: PartyId,
    },
    /// Call that moves nothing and emits no log.
    Ping {
        application: u8,
        argument: u64,
    },
}

/// Swap, and the pool's reserves after it.
#[derive(Debug, Hash)]
pub(crate) struct Swap {
    /// Index of the pool in the catalogue.
    pub(crate) pool: u8,
    /// Whether the swap sells the pool's first token.
    pub(crate) forward: bool,
    pub(crate) sold: u128,
    pub(crate) bought: u128,
    /// Reserves after the swap, in the order of the pool's tokens.
    pub(crate) reserves: [u128; 2],
}

#[cfg(test)]
mod tests {
    use crate::demo::ledger::{
        common::record::{Msg, TxRecord},
        evm::Evm,
    };

    #[test]
    fn records_stay_small() {
        let (tx, message) = (size_of::<TxRecord<Evm>>(), size_of::<Msg<Evm>>());
        assert!(tx <= 96, "a transaction takes {tx} bytes");
        assert!(message <= 80, "a message takes {message} bytes");
    }
}
