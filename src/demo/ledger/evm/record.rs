//! What the EVM runs, and how it refuses.

use crate::demo::ledger::common::record::{PartyId, TokenId};

/// A message to the EVM.
#[derive(Debug)]
pub(crate) enum VmMessage {
    /// Calling a contract.
    Call { sender: PartyId, call: ContractCall },
    /// Deploying a contract; `salt` makes it CREATE2.
    Create { sender: PartyId, nonce: u32, salt: Option<u64> },
}

/// How the EVM refuses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum VmFailure {
    Reverted(RevertReason),
    /// The EVM stopped the call.
    CallFailed(VmStop),
    /// The EVM stopped the deployment.
    CreateFailed(VmStop),
    /// The gas limit does not even cover the transaction's data.
    IntrinsicGas,
    /// The call's input is not hex.
    BadInput,
    /// The bank of this virtual machine has no such message.
    NotSupported,
}

/// Why the EVM itself stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum VmStop {
    OutOfGas,
    /// Code reached an instruction that is none.
    InvalidOpcode,
    /// There was gas to run, but not to keep the new contract's code.
    CodeStorage,
    /// The caller has less than it sends along.
    Funds,
}

impl VmStop {
    /// The EVM's words.
    pub(crate) const fn text(self) -> &'static str {
        match self {
            Self::OutOfGas => "out of gas",
            Self::InvalidOpcode => "invalid opcode: INVALID",
            Self::CodeStorage => "contract creation code storage out of gas",
            Self::Funds => "insufficient balance for transfer",
        }
    }

    /// Whether all gas that the EVM was given is gone.
    pub(crate) const fn uses_up(self) -> bool {
        !matches!(self, Self::Funds)
    }
}

/// Why a contract refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RevertReason {
    /// `require` with a reason, or a Solidity panic in the EVM's words.
    Reason(&'static str),
    /// A custom error, whose data the chain does not keep.
    Custom,
}

/// A call of a contract.
#[derive(Debug)]
pub(crate) enum ContractCall {
    /// ERC-20 transfer.
    Transfer { token: TokenId, to: PartyId, amount: u128 },
    /// ERC-20 approve; `None` is unlimited.
    Approve { token: TokenId, spender: PartyId, amount: Option<u128> },
    /// ERC-20 burn.
    Burn { token: TokenId, amount: u128 },
    /// A payment in the fee token without input.
    Pay { to: PartyId, amount: u128 },
    /// ERC-721 mint.
    Mint { collection: u8, id: u32, to: PartyId },
    /// ERC-721 safeTransferFrom.
    Give { collection: u8, id: u32, to: PartyId },
    /// ERC-721 setApprovalForAll for the marketplace.
    ApproveAll { collection: u8, approved: bool },
    /// A swap over the router.
    Swap(Box<Swap>),
    /// 6 decimals from elsewhere become 18 decimals here.
    ToLocal { wrap: u8, amount: u128 },
    /// The reverse; `amount` counts the 18-decimal side.
    ToRemote { wrap: u8, amount: u128 },
    /// Staking the reward token.
    Stake { amount: u128 },
    /// Taking it back.
    Unstake { amount: u128 },
    /// A reward is paid by the airdrop contract.
    Claim { amount: u128 },
    /// The same amount to several accounts.
    Disperse { token: TokenId, each: u128, to: Box<[PartyId]> },
    /// ERC-1155 mint of several of one kind to the caller.
    MintItems { kind: u8, count: u64 },
    /// ERC-1155 mint of two kinds to the caller, the second one twice as many.
    MintBatch { kinds: [u8; 2], count: u64 },
    /// ERC-1155 safeTransferFrom.
    GiveItems { kind: u8, count: u64, to: PartyId },
    /// A call that moves nothing and logs nothing.
    Ping { application: u8, argument: u64 },
}

/// A swap and the pool after it.
#[derive(Debug)]
pub(crate) struct Swap {
    /// Place in the catalogue of pools.
    pub(crate) pool: u8,
    /// Whether the pool's first token is sold.
    pub(crate) forward: bool,
    /// Sold.
    pub(crate) sold: u128,
    pub(crate) bought: u128,
    /// The pool's reserves afterwards, in the pool's order.
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
