//! Balance, supply and NFT changes of a transaction by its events, with the fee separate (`docs/apis/story.md` §2).

pub(super) mod contract_tokens;
pub(super) mod direction;
mod evm;
mod fee;
mod ledger;
mod machine;
mod movevm;
pub(super) mod nft_moves;
mod nft_outcomes;
mod owners;
mod record;
mod wasm;

use std::collections::HashSet;

pub use record::ChangesRecord;

use super::{
    decode::{Decoded, EventPhase},
    limits::Work,
};
use crate::{
    domain::{Address, Balance, Coin, Denom, Vm},
    wire::Tx,
};
use ledger::{BalanceLedger, Sum, Sums};

/// Effect of a transaction on balances, supply and NFTs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// VM whose rules applied to the events.
    pub vm: Option<Vm>,
    /// Fee, which no other field includes.
    pub fee: FeeLine,
    /// Changes by account and denom, never zero, ordered by denom, then delta.
    pub balances: Vec<BalanceChange>,
    /// Mints minus burns by denom, never zero, ordered by denom.
    pub supply: Vec<SupplyChange>,
    /// Raw movements of NFTs and objects, in the order of the events.
    pub nfts: Vec<NftChange>,
    /// Metadata object of each denom on Move: hex with `0x`, ordered by denom.
    pub metadata: Vec<(Denom, String)>,
    /// Whether the deltas of each denom, including the fee, add up to its change of supply. If not, the events are
    /// incomplete, and the balances must not be shown as facts.
    pub is_conserved: bool,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FeeLine {
    /// Fee that the transaction offered.
    pub declared: Vec<Coin>,
    /// Payer: the granter, if there is one.
    pub payer: Option<Address>,
    /// Granter, if not the signer paid.
    pub granter: Option<Address>,
    /// Declared minus refunded amounts by denom; never zero.
    pub net_paid: Vec<Coin>,
    /// Events that prove the fee.
    pub events: Vec<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BalanceHolder {
    Account(Address),
    /// Store on Move of unknown owner, such as the inside of a pool.
    Store([u8; 32]),
}

/// Balance change of one account and denom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BalanceChange {
    pub holder: BalanceHolder,
    pub denom: Denom,
    /// Change in the smallest unit.
    pub delta: Balance,
    /// Whether only an unregistered contract, which may lie, reports it.
    pub is_reported: bool,
    /// Contributing events, as indices in [`Decoded::events`].
    pub events: Vec<usize>,
}

/// Mints and burns of a denom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SupplyChange {
    pub denom: Denom,
    /// Minted minus burned, in the smallest unit.
    pub delta: Balance,
    /// Contributing events.
    pub events: Vec<usize>,
}

/// Movement of an NFT, or of an object that may be one, as an event reports it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NftChange {
    /// Index of the message, from 0.
    pub message: usize,
    pub what: NftName,
    /// Previous owner; `None` for a mint.
    pub from: Option<Address>,
    /// Whether `from` is an assumption: no event names the owner, so the sender of the burn counts.
    pub is_inferred: bool,
    /// New owner; `None` for a burn.
    pub to: Option<Address>,
    /// Number of copies, for ERC-1155.
    pub amount: Option<crate::domain::Amount>,
    /// Token id on the chain of origin, if this transaction names it and the local id proves it: on the EVM the local
    /// id is its hash.
    pub origin_id: Option<String>,
    /// Events that prove the movement.
    pub events: Vec<usize>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NftName {
    /// Token of an EVM or Wasm contract.
    Token {
        /// EIP-55 on EVM, bech32 on Wasm.
        contract: String,
        /// Token id as the contract writes it, decimal on EVM.
        token_id: String,
    },
    /// NFT on Move with its collection; addresses in hex with `0x`, without leading zeros.
    Nft {
        collection: String,
        /// Name within its collection.
        token_id: String,
        nft: String,
    },
    /// Transferred Move object: an NFT or any other object.
    Object {
        /// Hex with `0x`.
        object: String,
    },
}

impl NftName {
    /// Returns the contract or collection; `None` for an object.
    pub fn collection(&self) -> Option<Address> {
        match self {
            Self::Token { contract, .. } => contract.parse().ok(),
            // Move omits leading zeros of an address.
            Self::Nft { collection, .. } => super::names::move_address::account(collection),
            Self::Object { .. } => None,
        }
    }
}

/// Result of one VM's event reader, before the fee is separated.
#[derive(Debug, Default)]
struct EventReading {
    ledger: BalanceLedger<BalanceHolder, Denom>,
    nfts: Vec<NftChange>,
    metadata: Vec<(Denom, String)>,
    /// Tokens that only their own contracts report.
    reported: HashSet<Denom>,
    /// Whether an event was unreadable, or one kind of event lacks its counterpart.
    is_incomplete: bool,
}

impl Changes {
    /// Reads the effect of a transaction. A failed one only has its fee.
    ///
    /// `vm` is the chain's VM if known; events of another VM still follow that VM's rules.
    pub fn of(tx: &Tx, decoded: &Decoded, vm: Option<Vm>, work: &Work) -> Self {
        Self::knowing(tx, decoded, vm, &[], work)
    }

    /// [`of`](Self::of) with the denoms of the chain's wrapper contracts.
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

    /// Clears the `is_reported` mark of tokens that a registry vouches for.
    pub fn vouch(&mut self, is_known: impl Fn(&Denom) -> bool) {
        for change in self.balances.iter_mut().filter(|change| change.is_reported) {
            change.is_reported = !is_known(&change.denom);
        }
    }

    /// Returns the changes of one account, compared by the last 20 bytes, because logs truncate longer accounts.
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

/// Returns the message of an event; without an index it is the first, or for events after the messages the last.
fn message_of(phase: EventPhase, decoded: &Decoded) -> usize {
    match phase {
        EventPhase::Before => 0,
        EventPhase::Message(message) => message,
        EventPhase::After => decoded.messages.len().saturating_sub(1),
    }
}
