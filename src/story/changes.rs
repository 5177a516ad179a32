//! Who gained and lost what in a transaction, from its events, with the fee apart (`docs/apis/story.md` §2).

mod evm;
mod fee;
mod ledger;
mod machine;
mod movevm;
mod nft_words;
mod owners;
mod record;
mod wasm;

use std::collections::HashSet;

pub use nft_words::nft_words;
pub use record::ChangesRecord;

use super::{Decoded, EventPhase, Work};
use crate::{
    domain::{Address, Balance, Coin, Denom, Vm},
    wire::Tx,
};
use ledger::{BalanceLedger, Sum, Sums};

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
pub enum BalanceHolder {
    /// An account.
    Account(Address),
    /// A store on Move whose owner the record does not tell: a pool's inside.
    Store([u8; 32]),
}

/// One cell of the matrix.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BalanceChange {
    /// Whose.
    pub holder: BalanceHolder,
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
    /// Whether no event says who had it, and it is only taken to be who asked for the burn.
    pub is_inferred: bool,
    /// Who has it; nobody for a burn.
    pub to: Option<Address>,
    /// How many, where a token has more than one of its kind (ERC-1155).
    pub amount: Option<crate::domain::Amount>,
    /// Its id on the chain that it came from, where this transaction tells it and its id here proves it: on the EVM it is
    /// that one's hash.
    pub origin_id: Option<String>,
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

impl NftName {
    /// The contract or collection that it is of; nothing of an object.
    pub fn collection(&self) -> Option<Address> {
        match self {
            Self::Token { contract, .. } => contract.parse().ok(),
            // Move leaves out the zeros before an address.
            Self::Nft { collection, .. } => super::nft_moves::account(collection),
            Self::Object { .. } => None,
        }
    }
}

/// What the events of one machine say, before the fee is told apart.
#[derive(Debug, Default)]
struct EventReading {
    ledger: BalanceLedger<BalanceHolder, Denom>,
    nfts: Vec<NftChange>,
    metadata: Vec<(Denom, String)>,
    /// Tokens that only their contracts tell of.
    reported: HashSet<Denom>,
    /// Whether something could not be read, or is told by one kind of event and missing in the other.
    is_incomplete: bool,
}

impl Changes {
    /// Reads what a transaction did. Of a failed one only the fee stays.
    ///
    /// `vm` is the machine where it is known; events of another machine are read by its rules all the same.
    pub fn of(tx: &Tx, decoded: &Decoded, vm: Option<Vm>, work: &Work) -> Self {
        Self::knowing(tx, decoded, vm, &[], work)
    }

    /// The same, with the word of the chain's own wrappers on which denom a contract stands for.
    pub(super) fn knowing(tx: &Tx, decoded: &Decoded, vm: Option<Vm>, wrappers: &[Address], work: &Work) -> Self {
        let vm = machine::machine(decoded, vm);
        let mut reading = match vm {
            Some(Vm::Evm) => evm::read(decoded, wrappers, work),
            Some(Vm::Move) => movevm::read(tx, decoded, work),
            Some(Vm::Wasm) | None => wasm::read(decoded, work),
        };
        let is_silent = decoded.events.is_empty() && tx.is_success();
        let (mut fee, is_fee_unread) = FeeLine::read(decoded, work);
        let is_incomplete = reading.is_incomplete || is_fee_unread || is_silent || decoded.problem.is_some();
        let is_even = !is_incomplete && reading.ledger.is_conserved();
        let is_conserved = fee.settle(&mut reading.ledger.outside) && is_even;
        let mut changes = Self { vm, fee, is_conserved, metadata: reading.metadata, ..Self::default() };
        if tx.is_success() {
            let BalanceLedger { mut inside, outside, supply } = reading.ledger;
            inside.absorb(outside);
            changes.balances = balances(inside, &reading.reported);
            changes.supply = supplies(supply);
            changes.nfts = reading.nfts;
        }
        changes
    }

    /// Takes the mark from tokens that somebody else than their contract vouches for, as a registry does.
    pub fn vouch(&mut self, is_known: impl Fn(&Denom) -> bool) {
        for change in self.balances.iter_mut().filter(|change| change.is_reported) {
            change.is_reported = !is_known(&change.denom);
        }
    }

    /// The cells of one account, compared by the last 20 bytes, as logs cut longer accounts.
    pub fn of_account(&self, account: Address) -> impl Iterator<Item = &BalanceChange> {
        self.balances.iter().filter(
            move |change| matches!(change.holder, BalanceHolder::Account(address) if address.is_same_in_logs(&account)),
        )
    }
}

fn balances(sums: Sums<(BalanceHolder, Denom)>, reported: &HashSet<Denom>) -> Vec<BalanceChange> {
    let mut rows: Vec<_> = sums
        .into_sums()
        .map(|((holder, denom), Sum { delta, events })| {
            let is_reported = reported.contains(&denom);
            BalanceChange { holder, denom, delta, is_reported, events }
        })
        .collect();
    rows.sort_unstable_by(|a, b| (&a.denom, a.delta, a.holder).cmp(&(&b.denom, b.delta, b.holder)));
    rows
}

fn supplies(sums: Sums<Denom>) -> Vec<SupplyChange> {
    let mut rows: Vec<_> =
        sums.into_sums().map(|(denom, Sum { delta, events })| SupplyChange { denom, delta, events }).collect();
    rows.sort_unstable_by(|a, b| a.denom.cmp(&b.denom));
    rows
}

/// The message an event belongs to; one without a number belongs to the first, or after all of them to the last.
fn message_of(phase: EventPhase, decoded: &Decoded) -> usize {
    match phase {
        EventPhase::Before => 0,
        EventPhase::Message(message) => message,
        EventPhase::After => decoded.messages.len().saturating_sub(1),
    }
}
