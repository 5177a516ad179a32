//! Sums of movements with their events. Overflow of 256 bits marks a sum as inexact and never wraps.

use std::{
    collections::{HashMap, HashSet, hash_map::Entry},
    hash::Hash,
};

use super::parts::{BalanceHolder, NftChange};
use crate::{
    domain::{Amount, Balance, Coin, Denom, parse_coins},
    story::{
        decode::{Decoded, EventPhase},
        limits::Work,
    },
};

#[derive(Debug, Default)]
pub(super) struct Sum {
    pub(super) delta: Balance,
    /// Indices of the decoded events; sorted and unique once the sums are returned.
    pub(super) events: Vec<usize>,
}

#[derive(Debug)]
pub(super) struct Sums<K> {
    sums: HashMap<K, Sum>,
    is_inexact: bool,
}

/// Position of a movement's event in the transaction.
#[derive(Clone, Copy, Debug)]
pub(super) struct EventPlace {
    pub(super) event: usize,
    pub(super) phase: EventPhase,
}

/// All movements of a transaction by holder and asset.
#[derive(Debug)]
pub(super) struct BalanceLedger<H, A> {
    pub(super) inside: Sums<(H, A)>,
    /// Movements before and after the messages: the fee and its refund.
    pub(super) outside: Sums<(H, A)>,
    /// Mints minus burns, over all phases.
    pub(super) supply: Sums<A>,
    /// Movements from one holder to another, unordered.
    pub(super) transfers: Vec<LedgerTransfer<H, A>>,
}

/// Movement from one holder to another; no holder for a mint or burn, or where no event names the other side.
#[derive(Debug)]
pub(super) struct LedgerTransfer<H, A> {
    pub(super) place: EventPlace,
    pub(super) from: Option<H>,
    pub(super) to: Option<H>,
    pub(super) asset: A,
    pub(super) amount: Amount,
}

/// Result of one VM's event reader, before the fee is separated.
#[derive(Debug, Default)]
pub(super) struct EventReading {
    pub(super) ledger: BalanceLedger<BalanceHolder, Denom>,
    pub(super) nfts: Vec<NftChange>,
    pub(super) metadata: Vec<(Denom, String)>,
    /// Tokens that only their own contracts report.
    pub(super) reported: HashSet<Denom>,
    /// Whether an event was unreadable, or one kind of event lacks its counterpart.
    pub(super) is_incomplete: bool,
}

/// Returns the message of an event; without an index it is the first, or for events after the messages the last.
pub(super) fn message_of(phase: EventPhase, decoded: &Decoded) -> usize {
    match phase {
        EventPhase::Before => 0,
        EventPhase::Message(message) => message,
        EventPhase::After => decoded.messages.len().saturating_sub(1),
    }
}

/// Parses a list of coins; each after the first counts as an event. `None` if invalid or too long.
pub(super) fn listed(text: &str, work: &Work) -> Option<Vec<Coin>> {
    text.matches(',').all(|_| work.takes_event()).then(|| parse_coins(text).ok()).flatten()
}

pub(super) fn gain(amount: Amount) -> Balance {
    Balance::from(amount)
}

pub(super) fn loss(amount: Amount) -> Balance {
    Balance::below_zero(amount)
}

impl Sum {
    /// Whether all amounts are zero.
    pub(super) fn is_zero(&self) -> bool {
        self.delta.magnitude().is_zero()
    }

    /// Adds a delta; false on overflow.
    fn add(&mut self, delta: Balance) -> bool {
        let sum = self.delta.checked_add(delta);
        self.delta = sum.unwrap_or(self.delta);
        sum.is_some()
    }

    fn merge(&mut self, other: Self) -> bool {
        self.events.extend(other.events);
        self.add(other.delta)
    }
}

impl<K> Default for Sums<K> {
    fn default() -> Self {
        Self { sums: HashMap::new(), is_inexact: false }
    }
}

impl<H, A> Default for BalanceLedger<H, A> {
    fn default() -> Self {
        Self { inside: Sums::default(), outside: Sums::default(), supply: Sums::default(), transfers: Vec::new() }
    }
}

impl<K: Eq + Hash> Sums<K> {
    /// Adds to a sum. A zero movement leaves no trace.
    pub(super) fn add(&mut self, key: K, delta: Balance, event: usize) {
        if delta.magnitude().is_zero() {
            return;
        }
        let sum = self.sums.entry(key).or_default();
        self.is_inexact |= !sum.add(delta);
        if sum.events.last() != Some(&event) {
            sum.events.push(event);
        }
    }

    fn add_proof(&mut self, key: &K, event: usize) {
        if let Some(sum) = self.sums.get_mut(key) {
            sum.events.push(event);
        }
    }

    /// Returns the sum of a key, even if it cancelled out to zero.
    pub(super) fn get(&self, key: &K) -> Option<&Sum> {
        self.sums.get(key)
    }

    /// Whether no sum overflowed 256 bits.
    pub(super) fn is_exact(&self) -> bool {
        !self.is_inexact
    }

    pub(super) fn correct(&mut self, key: &K, delta: Balance) {
        if let Some(sum) = self.sums.get_mut(key) {
            self.is_inexact |= !sum.add(delta);
        }
    }

    pub(super) fn absorb(&mut self, other: Self) {
        self.is_inexact |= other.is_inexact;
        for (key, sum) in other.sums {
            self.merge(key, sum);
        }
    }

    /// Returns the non-zero sums, unordered.
    pub(super) fn into_sums(self) -> impl Iterator<Item = (K, Sum)> {
        self.sums.into_iter().filter(|(_, sum)| !sum.delta.magnitude().is_zero()).map(|(key, mut sum)| {
            sum.events.sort_unstable();
            sum.events.dedup();
            (key, sum)
        })
    }

    fn merge(&mut self, key: K, from: Sum) {
        if from.delta.magnitude().is_zero() {
            return;
        }
        self.is_inexact |= !self.sums.entry(key).or_default().merge(from);
    }

    fn renamed<L: Eq + Hash>(self, name: impl Fn(&K) -> L) -> Sums<L> {
        let mut renamed = Sums { sums: HashMap::with_capacity(self.sums.len()), is_inexact: self.is_inexact };
        for (key, sum) in self.sums {
            let key = name(&key);
            renamed.keep(key, sum);
        }
        renamed
    }

    /// Merges like the ledger, but keeps zero sums: they show that a fee moved.
    fn keep(&mut self, key: K, sum: Sum) {
        match self.sums.entry(key) {
            Entry::Vacant(free) => drop(free.insert(sum)),
            Entry::Occupied(mut taken) => self.is_inexact |= !taken.get_mut().merge(sum),
        }
    }
}

impl<H: Eq + Hash, A: Eq + Hash> BalanceLedger<H, A> {
    /// Records a holder's part in a movement.
    pub(super) fn moves(&mut self, place: EventPlace, holder: H, asset: A, delta: Balance) {
        let side = match place.phase {
            EventPhase::Message(_) => &mut self.inside,
            EventPhase::Before | EventPhase::After => &mut self.outside,
        };
        side.add((holder, asset), delta, place.event);
    }

    /// Records a mint, or a burn if negative.
    pub(super) fn supplies(&mut self, place: EventPlace, asset: A, delta: Balance) {
        self.supply.add(asset, delta, place.event);
    }

    /// Adds an event as further evidence of a holder's movement.
    pub(super) fn add_proof(&mut self, place: EventPlace, key: &(H, A)) {
        let side = match place.phase {
            EventPhase::Message(_) => &mut self.inside,
            EventPhase::Before | EventPhase::After => &mut self.outside,
        };
        side.add_proof(key, place.event);
    }

    /// Returns all pairs of holder and asset, once or twice each, unordered.
    pub(super) fn parts(&self) -> impl Iterator<Item = &(H, A)> {
        self.inside.sums.keys().chain(self.outside.sums.keys())
    }

    /// Returns the minted or burned assets.
    pub(super) fn supplied(&self) -> impl Iterator<Item = &A> {
        self.supply.sums.keys()
    }

    pub(super) fn named(
        self,
        holder: impl Fn(&H) -> BalanceHolder,
        denom: impl Fn(&A) -> Denom,
    ) -> BalanceLedger<BalanceHolder, Denom> {
        let transfer = |transfer: LedgerTransfer<H, A>| LedgerTransfer {
            place: transfer.place,
            from: transfer.from.as_ref().map(&holder),
            to: transfer.to.as_ref().map(&holder),
            asset: denom(&transfer.asset),
            amount: transfer.amount,
        };
        BalanceLedger {
            inside: self.inside.renamed(|(who, what)| (holder(who), denom(what))),
            outside: self.outside.renamed(|(who, what)| (holder(who), denom(what))),
            transfers: self.transfers.into_iter().map(transfer).collect(),
            supply: self.supply.renamed(denom),
        }
    }
}

impl BalanceLedger<BalanceHolder, Denom> {
    /// Whether each denom's changes add up to its change of supply (`docs/apis/story.md` §2.5), without overflow.
    pub(super) fn is_conserved(&self) -> bool {
        let mut sides: HashMap<&Denom, [Amount; 2]> = HashMap::new();
        let moved = self.inside.sums.iter().chain(&self.outside.sums);
        let moved = moved.map(|((_, denom), sum)| (denom, sum.delta, false));
        let supplied = self.supply.sums.iter().map(|(denom, sum)| (denom, sum.delta, true));
        for (denom, delta, is_supply) in moved.chain(supplied) {
            let [gained, lost] = sides.entry(denom).or_default();
            let side = if delta.is_negative() == is_supply { gained } else { lost };
            match side.checked_add(delta.magnitude()) {
                Some(sum) => *side = sum,
                None => return false,
            }
        }
        let is_exact = !(self.inside.is_inexact || self.outside.is_inexact || self.supply.is_inexact);
        is_exact && sides.values().all(|[gained, lost]| gained == lost)
    }
}
