//! What the Move VM runs, and how it refuses.

use crate::demo::ledger::common::record::{PartyId, TokenId};

/// A message to the Move VM.
#[derive(Debug)]
pub(crate) enum VmMessage {
    /// Running an entry function; `json` writes its arguments as JSON instead of BCS.
    Execute { sender: PartyId, json: bool, call: ContractCall },
    /// Running a script, which sends half of an amount to each of two accounts.
    Script { sender: PartyId, token: TokenId, half: u128, to: [PartyId; 2] },
    /// Publishing modules: so many, under the account of the sender.
    Publish { sender: PartyId, modules: u8, nonce: u32 },
}

/// How the Move VM refuses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum VmFailure {
    /// A module gave up with a code of its own.
    Aborted {
        /// Where the module lies.
        at: ModulePlace,
        module: &'static str,
        /// Category and reason.
        code: u32,
    },
    /// The VM stopped a function.
    Stopped {
        /// Where the module lies.
        at: ModulePlace,
        module: &'static str,
        /// The VM's name of it.
        status: &'static str,
        message: &'static str,
        /// The function's number and the place in its code.
        function: [u16; 2],
    },
}

/// Where a module lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ModulePlace {
    /// In the standard library.
    Std,
    /// At an account.
    Party(PartyId),
}

/// A call of an entry function.
#[derive(Debug)]
pub(crate) enum ContractCall {
    /// `0x1::coin::transfer`.
    Transfer { token: TokenId, to: PartyId, amount: u128 },
    /// `0x1::dex::swap_script`.
    Swap(Box<Swap>),
    /// `0x1::dex::provide_liquidity_script`.
    Provide(Box<Liquidity>),
    /// `0x1::dex::withdraw_liquidity_script`.
    Leave(Box<Liquidity>),
    /// `0x1::simple_nft::create_collection`.
    CreateCollection { collection: u8 },
    /// `0x1::simple_nft::mint`, by the creator, for another or to keep.
    Mint { collection: u8, number: u32, to: Option<PartyId> },
    /// `0x1::simple_nft::burn`.
    Burn { collection: u8, number: u32 },
    /// `0x1::object::transfer_call` of an NFT.
    Give { collection: u8, number: u32, to: PartyId },
    /// Staking the reward token.
    Stake { amount: u128 },
    /// Taking it back.
    Unstake { amount: u128 },
    /// A reward is paid by the airdrop.
    Claim { amount: u128 },
    /// Lending a token to the market.
    Supply { token: TokenId, amount: u128 },
    /// A call of an application: it moves nothing and emits an event of its own.
    Ping { module: u8, argument: u64 },
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Swap {
    /// Place in the catalogue of pools.
    pub(crate) pool: u8,
    /// Whether the pool's first token is sold.
    pub(crate) forward: bool,
    /// Sold.
    pub(crate) sold: u128,
    pub(crate) bought: u128,
    /// The least that the seller takes.
    pub(crate) least: u128,
}

/// What goes into a pool or comes out of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Liquidity {
    /// Place in the catalogue of pools.
    pub(crate) pool: u8,
    /// Amounts of its two tokens.
    pub(crate) sides: [u128; 2],
    /// Shares made or unmade.
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
