//! EVM messages and failures.

use crate::demo::ledger::common::record::{self as shared, PartyId, TokenId};

/// Flavour with the EVM. Apart from its `impl Flavour`, which needs the planner, which needs this type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Evm;

/// Message on the EVM rollup.
pub(crate) type Msg = shared::Msg<Evm>;

#[derive(Debug, Hash)]
pub(crate) enum VmMessage {
    Call {
        sender: PartyId,
        call: ContractCall,
    },
    /// Deployment of a contract; `salt` selects CREATE2.
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
    /// Stopped deployment.
    CreateFailed(VmStop),
    /// Gas limit below the intrinsic gas.
    IntrinsicGas,
    /// Call input that is not hex.
    BadInput,
    /// Message that this VM's bank does not support.
    NotSupported,
}

/// Reason why the EVM stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum VmStop {
    OutOfGas,
    InvalidOpcode,
    /// Enough gas for the constructor, but not for storing the code.
    CodeStorage,
    /// Value above the caller's balance.
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

    /// Whether the whole gas limit is consumed.
    pub(crate) const fn uses_up(self) -> bool {
        !matches!(self, Self::Funds)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum RevertReason {
    /// `require` with a reason, or a Solidity panic in the EVM's words.
    Reason(&'static str),
    /// Custom error, whose data the chain drops.
    Custom,
}

#[derive(Debug, Hash)]
pub(crate) enum ContractCall {
    /// ERC-20 transfer.
    Transfer {
        token: TokenId,
        to: PartyId,
        amount: u128,
    },
    /// ERC-20 approval; `None` is unlimited.
    Approve {
        token: TokenId,
        spender: PartyId,
        amount: Option<u128>,
    },
    /// ERC-20 burn.
    Burn {
        token: TokenId,
        amount: u128,
    },
    /// Payment in the fee token without input.
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
    /// ERC-721 setApprovalForAll for the marketplace.
    ApproveAll {
        collection: u8,
        approved: bool,
    },
    /// Swap over the router.
    Swap(Box<Swap>),
    /// Conversion of 6 foreign decimals to 18 local ones.
    ToLocal {
        wrap: u8,
        amount: u128,
    },
    /// Reverse conversion; `amount` has 18 decimals.
    ToRemote {
        wrap: u8,
        amount: u128,
    },
    /// Staking of the reward token.
    Stake {
        amount: u128,
    },
    Unstake {
        amount: u128,
    },
    /// Reward payment by the airdrop contract.
    Claim {
        amount: u128,
    },
    /// Equal amounts for several accounts.
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
    /// ERC-1155 mint of two kinds to the caller, twice as many of the second.
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
    /// Call without a movement or log.
    Ping {
        application: u8,
        argument: u64,
    },
}

/// Swap with the pool's new reserves.
#[derive(Debug, Hash)]
pub(crate) struct Swap {
    /// Pool by index in the catalogue.
    pub(crate) pool: u8,
    /// Whether the pool's first token is sold.
    pub(crate) forward: bool,
    pub(crate) sold: u128,
    pub(crate) bought: u128,
    /// Reserves after the swap, in the pool's token order.
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
