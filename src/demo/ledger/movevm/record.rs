//! Messages and failures of the Move VM.

use crate::demo::ledger::common::record::{self as shared, PartyId, TokenId};

/// Move flavour. Its `impl Flavour` is in another file, because it needs the planner, which needs this type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Move;

pub(crate) type Msg = shared::Msg<Move>;

#[derive(Debug, Hash)]
pub(crate) enum VmMessage {
    /// Call of an entry function; with `json`, its arguments are JSON instead of BCS.
    Execute { sender: PartyId, json: bool, call: ContractCall },
    /// Script that sends half of an amount to each of two accounts.
    Script { sender: PartyId, token: TokenId, half: u128, to: [PartyId; 2] },
    /// Publication of `modules` modules under the sender's account.
    Publish { sender: PartyId, modules: u8, nonce: u32 },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum VmFailure {
    Aborted {
        at: ModulePlace,
        module: &'static str,
        code: u32,
    },
    Stopped {
        at: ModulePlace,
        module: &'static str,
        status: &'static str,
        message: &'static str,
        /// Index of the function, and offset in its bytecode.
        function: [u16; 2],
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum ModulePlace {
    /// Standard library.
    Std,
    Party(PartyId),
}

#[derive(Debug, Hash)]
pub(crate) enum ContractCall {
    /// `0x1::coin::transfer`.
    Transfer {
        token: TokenId,
        to: PartyId,
        amount: u128,
    },
    /// `0x1::dex::swap_script`.
    Swap(Box<Swap>),
    /// `0x1::dex::provide_liquidity_script`.
    Provide(Box<Liquidity>),
    /// `0x1::dex::withdraw_liquidity_script`.
    Leave(Box<Liquidity>),
    /// `0x1::simple_nft::create_collection`.
    CreateCollection {
        collection: u8,
    },
    /// `0x1::simple_nft::mint` by the creator, for any account.
    Mint {
        collection: u8,
        number: u32,
        to: Option<PartyId>,
    },
    /// `0x1::simple_nft::burn`.
    Burn {
        collection: u8,
        number: u32,
    },
    /// `0x1::object::transfer_call` with an NFT.
    Give {
        collection: u8,
        number: u32,
        to: PartyId,
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
    /// Loan of a token to the lending market.
    Supply {
        token: TokenId,
        amount: u128,
    },
    /// Call of an application, which emits one event and moves no tokens.
    Ping {
        module: u8,
        argument: u64,
    },
}

#[derive(Clone, Copy, Debug, Hash)]
pub(crate) struct Swap {
    /// Index of the pool in the catalogue.
    pub(crate) pool: u8,
    /// Whether the swap sells the pool's first token.
    pub(crate) forward: bool,
    pub(crate) sold: u128,
    pub(crate) bought: u128,
    /// Minimum output.
    pub(crate) least: u128,
}

#[derive(Clone, Copy, Debug, Hash)]
pub(crate) struct Liquidity {
    /// Index of the pool in the catalogue.
    pub(crate) pool: u8,
    pub(crate) sides: [u128; 2],
    /// Shares that the pool mints or burns.
    pub(crate) shares: u128,
}

#[cfg(test)]
mod tests {
    use crate::demo::ledger::{
        common::record::{Msg, TxRecord},
        movevm::Move,
    };

    #[test]
    fn records_stay_small() {
        let (tx, message) = (size_of::<TxRecord<Move>>(), size_of::<Msg<Move>>());
        assert!(tx <= 128, "a transaction takes {tx} bytes");
        assert!(message <= 80, "a message takes {message} bytes");
    }
}
