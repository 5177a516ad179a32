//! Balance, supply and NFT changes of a transaction by its events, with the fee separate (`docs/apis/story.md` §2).

pub(super) mod asked_token;
pub(super) mod contract_tokens;
pub(super) mod direction;
mod evm;
pub(super) mod fee;
mod ledger;
mod machine;
mod movevm;
pub(super) mod nft_moves;
mod nft_outcomes;
mod owners;
mod parts;
mod record;
mod transfers;
mod wasm;

use std::collections::HashSet;

pub use parts::{BalanceChange, BalanceHolder, FeeLine, NftChange, NftName, SupplyChange, TokenTransfer};
pub use record::ChangesRecord;
pub(super) use record::{BalanceRecord, NftRecord, TokenTransferRecord};

use super::{
    decode::{Decoded, DecodedEvent, EventPhase},
    limits::Work,
};
use crate::{
    domain::{Address, Denom, Vm},
    events::names::{CALL, CREATE, EXECUTE, INSTANTIATE, MIGRATE, SCRIPT, SUDO},
    wire::Tx,
};
use ledger::{BalanceLedger, LedgerTransfer, Sum, Sums};

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
    /// Movements of tokens, also of the fee, in the order of the events.
    pub transfers: Vec<TokenTransfer>,
    /// Raw movements of NFTs and objects, in the order of the events.
    pub nfts: Vec<NftChange>,
    /// Metadata object of each denom on Move: hex with `0x`, ordered by denom.
    pub metadata: Vec<(Denom, String)>,
    /// Whether the deltas of each denom, including the fee, add up to its change of supply. If not, the events are
    /// incomplete, and the balances must not be shown as facts.
    pub is_conserved: bool,
    /// Whether a contract or a Move function ran: it may keep balances of its own, of which the chain shows nothing.
    pub has_run_contract: bool,
    /// Whether a new contract was asked to hand out tokens of its own, which no event shows.
    pub hands_out_tokens: bool,
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
        let is_incomplete = is_incomplete || tx.is_success() && transfers::lacks_a_side(decoded);
        let is_even = !is_incomplete && reading.ledger.is_conserved();
        let is_conserved = fee.settle(&mut reading.ledger.outside) && is_even;
        let transfers = transfers(std::mem::take(&mut reading.ledger.transfers), tx.is_success());
        let mut changes = Self { vm, fee, transfers, is_conserved, metadata: reading.metadata, ..Self::default() };
        if tx.is_success() {
            let BalanceLedger { mut inside, outside, supply, .. } = reading.ledger;
            inside.absorb(outside);
            changes.balances = balances(inside, &reading.reported);
            changes.supply = supplies(supply);
            changes.nfts = reading.nfts;
            changes.has_run_contract = decoded.events.iter().any(is_run_of_contract);
            changes.hands_out_tokens = asked_token::hands_out_tokens(decoded);
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

/// Whether an event shows that a message ran a contract or a Move function.
fn is_run_of_contract(event: &DecodedEvent) -> bool {
    let is_run = matches!(event.kind.as_str(), CALL | CREATE | EXECUTE | INSTANTIATE | MIGRATE | SCRIPT | SUDO);
    is_run && matches!(event.phase, EventPhase::Message(_))
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

/// Orders transfers by their events; a failed transaction only has those outside its messages.
fn transfers(mut all: Vec<LedgerTransfer<BalanceHolder, Denom>>, is_success: bool) -> Vec<TokenTransfer> {
    all.sort_by_key(|transfer| transfer.place.event);
    let transfer = |LedgerTransfer { place, from, to, asset, amount }| {
        let message = match place.phase {
            EventPhase::Message(message) => Some(message),
            EventPhase::Before | EventPhase::After => None,
        };
        TokenTransfer { message, from, to, denom: asset, amount }
    };
    all.into_iter().map(transfer).filter(|transfer| is_success || transfer.message.is_none()).collect()
}

fn supplies(sums: Sums<Denom>) -> Vec<SupplyChange> {
    let mut rows: Vec<_> =
        sums.into_sums().map(|(denom, Sum { delta, events })| SupplyChange { denom, delta, events }).collect();
    rows.sort_unstable_by(|a, b| a.denom.cmp(&b.denom));
    rows
}
