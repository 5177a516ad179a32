//! Assigns credits on the destination to transfers: by the bridge's sequence number if the L1 reports it, else by
//! account, denom, amount and time.

use std::{ops::RangeInclusive, sync::Arc};

use alloy_primitives::U256;

use super::{Follower, FollowerContext, witnesses::WitnessSearch};
use crate::{
    domain::{Address, Amount, ChainId, Denom, Timestamp, TransferId, TxHash},
    transfers::{
        ArrivalEvidence, CrossingEnd, CrossingNumber, FollowerAnswer, IndexedCredit, Phase, Question, RouterHealth,
        SoughtTxs, WitnessTxs, credit_of_arrival, evidence_of_arrival, is_bridge_arrival,
    },
    wire::{
        ApiError, Tx,
        router::{HopSlot, Operation},
    },
};

/// Claims of other transfers on the credits of a destination.
#[derive(Clone, Debug, Default)]
pub struct CreditRivals {
    /// Transactions whose credit belongs to another transfer.
    taken: Vec<TxHash>,
    /// Number of other transfers that await an equal credit.
    waiting: usize,
}

impl CreditRivals {
    /// Returns the claims against one transfer among `all`. Empty for an answer that is not about the arrival.
    pub fn of<'a>(answer: &FollowerAnswer, id: &TransferId, all: impl Iterator<Item = &'a Follower> + Clone) -> Self {
        if !matches!(answer, FollowerAnswer::Arrival(_)) {
            return Self::default();
        }
        let mine = all.clone().find(|one| one.record.id == *id).and_then(Follower::expected);
        let others = all.filter(|one| one.record.id != *id);
        let taken = others.clone().filter_map(|one| one.findings().credit.as_ref()).map(|credit| credit.tx).collect();
        let is_rival = |other: &&Follower| {
            let is_open = other.findings().credit.is_none() && other.may_arrive();
            is_open && mine.as_ref().is_some_and(|mine| other.expected().is_some_and(|its| its.is_like(mine)))
        };
        Self { taken, waiting: others.filter(is_rival).count() }
    }
}

/// Arrival that the route promises: asset, recipient and amount.
pub(super) struct Expected {
    pub(super) chain_id: ChainId,
    denom: Denom,
    recipient: String,
    at_most: Option<Amount>,
    fitting: RangeInclusive<Amount>,
    /// Amounts in the route. After a failed hook, the credit must equal one of them.
    amounts: Vec<Amount>,
}

impl Expected {
    /// Whether an indexer can be asked for the recipient's transactions.
    pub(super) fn has_account(&self) -> bool {
        self.recipient.parse::<Address>().is_ok()
    }

    /// Whether one credit could belong to both transfers.
    fn is_like(&self, other: &Self) -> bool {
        let overlaps = self.fitting.start() <= other.fitting.end() && other.fitting.start() <= self.fitting.end();
        let is_same_end = (&self.chain_id, &self.denom) == (&other.chain_id, &other.denom);
        let account = |text: &str| text.parse::<Address>().ok();
        overlaps && is_same_end && account(&self.recipient) == account(&other.recipient)
    }

    fn credit_in(&self, tx: &Tx) -> Option<IndexedCredit> {
        credit_of_arrival(tx, &self.recipient, &self.denom, |amount| self.fitting.contains(&amount))
    }

    /// Whether a credit's amount matches the transfer.
    fn is_it(&self, credit: &IndexedCredit) -> bool {
        match credit.hook_problem {
            None => self.fitting.contains(&credit.amount),
            Some(_) => self.amounts.contains(&credit.amount),
        }
    }
}

/// Returns `percent` of an amount, rounded down.
fn share(amount: Amount, percent: u64) -> Amount {
    Amount::new(amount.get() / U256::from(100) * U256::from(percent))
}

impl Follower {
    pub(super) fn expected(&self) -> Option<Expected> {
        let route = self.route()?;
        let recipient = self.record.addresses.last()?.clone();
        let at_most = (!route.does_swap).then_some(route.amount_in);
        let (quoted, operations) = (route.amount_out, route.operations.iter());
        // A swap may yield more or less than its quote; a route without a swap yields the quote.
        let fitting = if route.does_swap { share(quoted, 90)..=share(quoted, 110) } else { quoted..=quoted };
        Some(Expected {
            chain_id: route.dest_asset_chain_id.clone(),
            denom: route.dest_asset_denom.clone(),
            recipient,
            // The way may change the decimals, so only amounts of one denom can be compared.
            at_most: at_most.filter(|_| route.operations.len() == 1 && route.amount_out <= route.amount_in),
            fitting,
            amounts: operations.flat_map(|it| [it.amount_in, it.amount_out]).flatten().collect(),
        })
    }

    /// Whether the funds may still arrive.
    fn may_arrive(&self) -> bool {
        !self.view.phase.is_failure() && self.view.phase != Phase::Arrived
    }

    /// Returns the question to the destination's indexer: for the arrival transaction that the router names, else for
    /// any transaction that credits the recipient.
    pub(super) fn arrival_question(&self, expected: &Expected, cx: &FollowerContext<'_>) -> Option<Question> {
        let is_arrival =
            |slot: &HopSlot| !matches!(slot, HopSlot::SendTx | HopSlot::AcknowledgeTx | HopSlot::TimeoutTx);
        let txs = self.view.hops.iter().rev().flat_map(|hop| hop.txs.iter().rev());
        let mut arrivals = txs.filter(|(slot, tx)| is_arrival(slot) && tx.chain_id == expected.chain_id);
        if let Some(hash) = arrivals.find_map(|(_, tx)| tx.tx_hash.parse::<TxHash>().ok()) {
            return Some(Question::Arrival(SoughtTxs::One(hash)));
        }
        // The indexer is an independent witness. The follower asks it whatever the router says, until the transfer
        // ends.
        let account = expected.recipient.parse().ok().filter(|_| self.may_arrive())?;
        (!self.awaits_number(expected, cx)).then_some(Question::Arrival(SoughtTxs::NewestOf(account)))
    }

    /// Returns the question to the L1 on which the bridge to the destination begins.
    pub(super) fn crossing_question(&self, expected: &Expected, cx: &FollowerContext<'_>) -> Option<Question> {
        let is_open = self.may_arrive() && self.findings().numbers.is_empty();
        let (l1, tx) = self.crossing_tx(&expected.chain_id).filter(|_| is_open)?;
        Some(Question::Crossing { rest: cx.l1s.rest(&l1)?.to_owned(), tx })
    }

    /// Whether to wait for the sequence number, since the amount alone may match another transfer.
    fn awaits_number(&self, expected: &Expected, cx: &FollowerContext<'_>) -> bool {
        let named = self.crossing_tx(&expected.chain_id).map(|(l1, _)| l1);
        // If the bridge begins on another chain, only the router can name its transaction, which the first status does.
        let planned = || {
            let last = self.last_operation(&expected.chain_id).and_then(Operation::from_chain).cloned();
            last.filter(|_| cx.has_router && *self.health() == RouterHealth::Unasked)
        };
        let is_first = self.witnesses.crossing.is_new();
        let l1 = named.or_else(planned).filter(|l1| cx.names.is_settlement(l1) && is_first);
        l1.is_some_and(|l1| cx.l1s.rest(&l1).is_some() || (cx.has_router && cx.l1s.is_awaited))
    }

    /// Returns the route's operation that ends on the destination.
    fn last_operation(&self, destination: &ChainId) -> Option<&Operation> {
        self.route()?.operations.iter().rev().find(|operation| operation.to_chain() == Some(destination))
    }

    /// Returns the transaction that sends the funds to the destination, and its chain: the one that the router names
    /// or, on a route without chains in between, the current transaction.
    fn crossing_tx(&self, destination: &ChainId) -> Option<(ChainId, TxHash)> {
        let to_destination = self.view.hops.iter().rev().find(|hop| hop.to.as_ref() == Some(destination));
        let mut sent = to_destination.into_iter().flat_map(|hop| &hop.txs);
        let named = sent.find(|(slot, _)| *slot == HopSlot::SendTx);
        let named = named.and_then(|(_, tx)| Some((tx.chain_id.clone(), tx.tx_hash.parse().ok()?)));
        named.or_else(|| {
            let tx = self.current_tx()?;
            let is_from_here = self.last_operation(destination)?.from_chain() == Some(&tx.chain_id);
            Some((tx.chain_id.clone(), tx.hash.tx_hash().filter(|_| is_from_here)?))
        })
    }

    /// Returns when a credit can be earliest, in whole seconds.
    fn since(&self) -> Timestamp {
        let begun = self.view.clocks.first().and_then(|clock| clock.begun);
        begun.map_or(self.record.created, |begun| begun.min(self.record.created)).cut_to_seconds()
    }

    /// Takes the transaction that sends the funds to the destination. Returns whether the L1 answered.
    pub(super) fn take_crossing(&mut self, result: &Result<Arc<Tx>, ApiError>, now: Timestamp) -> bool {
        let recipient = self.expected().map(|expected| expected.recipient);
        let witnesses = &mut self.witnesses;
        let Ok(tx) = result else {
            witnesses.crossing.ask_on(now);
            return false;
        };
        let found = &mut witnesses.found;
        found.numbers = recipient.map(|recipient| CrossingNumber::all_of(tx, &recipient)).unwrap_or_default();
        if !found.numbers.is_empty() && found.credit.take_if(|credit| credit.number.is_none()).is_some() {
            // The credit found so far may belong to an equal transfer. The sequence number now decides.
            (witnesses.arrival, found.evidence.arrival) = (WitnessSearch::default(), None);
        }
        found.rivals = None;
        witnesses.crossing.settle(now);
        true
    }

    /// Takes an answer about the arrival. Returns whether the indexer answered.
    pub(super) fn take_arrival(
        &mut self,
        result: &Result<WitnessTxs, ApiError>,
        rivals: &CreditRivals,
        now: Timestamp,
    ) -> bool {
        let (expected, since) = (self.expected(), self.since());
        let has_numbers = !self.findings().numbers.is_empty();
        match result {
            Ok(found) if has_numbers => {
                self.take_numbered(found.all(), expected.as_ref(), now);
                let is_credited = self.findings().evidence.arrival == Some(ArrivalEvidence::Credited);
                if matches!(found, WitnessTxs::One(_)) && !is_credited {
                    self.settle_arrival(Some(ArrivalEvidence::NotCredited), now);
                }
            }
            Ok(WitnessTxs::One(tx)) => {
                let found = expected.as_ref().and_then(|expected| {
                    evidence_of_arrival(tx, &expected.recipient, &expected.denom, expected.at_most)
                });
                self.witnesses.found.credit = expected.as_ref().and_then(|expected| expected.credit_in(tx));
                let is_credited = self.findings().credit.is_some();
                self.settle_arrival(if is_credited { Some(ArrivalEvidence::Credited) } else { found }, now);
            }
            Ok(WitnessTxs::Newest(txs)) => self.take_unnumbered(txs, expected.as_ref(), (since, rivals), now),
            Err(error) => {
                self.witnesses.arrival.ask_on(now);
                if !error.is_not_found() {
                    return false;
                }
                self.witnesses.found.evidence.arrival = Some(ArrivalEvidence::Absent);
            }
        }
        self.witnesses.found.arrival_at = Some(now);
        true
    }

    fn settle_arrival(&mut self, evidence: Option<ArrivalEvidence>, now: Timestamp) {
        self.witnesses.found.evidence.arrival = evidence;
        self.witnesses.arrival.settle(now);
    }

    /// Takes transactions without sequence numbers. An ambiguous credit is assigned only when there are as many credits
    /// as candidate transfers.
    fn take_unnumbered(
        &mut self,
        txs: &[Arc<Tx>],
        expected: Option<&Expected>,
        (since, rivals): (Timestamp, &CreditRivals),
        now: Timestamp,
    ) {
        let is_new = |tx: &&Tx| tx.timestamp >= since && !rivals.taken.contains(&tx.txhash) && is_bridge_arrival(tx);
        let credit = |tx: &Tx| {
            let expected = expected?;
            expected.credit_in(tx).filter(|credit| expected.is_it(credit))
        };
        let mut credits: Vec<IndexedCredit> = txs.iter().map(|tx| &**tx).filter(is_new).filter_map(credit).collect();
        let count = credits.len();
        let found = &mut self.witnesses.found;
        found.rivals = Some((count, rivals.waiting + 1)).filter(|_| (1..=rivals.waiting).contains(&count));
        match credits.pop().filter(|_| found.rivals.is_none()) {
            Some(oldest) => {
                found.credit = Some(oldest);
                self.settle_arrival(Some(ArrivalEvidence::Credited), now);
            }
            None => self.witnesses.arrival.ask_on(now),
        }
    }

    /// Searches transactions of the destination for the outcome of one of the transfer's sequence numbers.
    fn take_numbered(&mut self, txs: &[Arc<Tx>], expected: Option<&Expected>, now: Timestamp) {
        let found = &mut self.witnesses.found;
        let ends = expected.into_iter().flat_map(|expected| {
            let end = |number: &CrossingNumber, tx: &Tx| {
                number.end_in(tx, &expected.recipient, &expected.denom, |amount| expected.fitting.contains(&amount))
            };
            let pairs = found.numbers.iter().flat_map(|number| txs.iter().map(move |tx| (number, tx)));
            pairs.filter_map(move |(number, tx)| end(number, tx))
        });
        let ends: Vec<CrossingEnd> = ends.collect();
        found.is_refused_there = ends.contains(&CrossingEnd::Refused);
        let credit = ends.into_iter().find_map(|end| match end {
            CrossingEnd::Credited(credit) => Some(credit),
            CrossingEnd::Refused => None,
        });
        if credit.is_some() {
            found.credit = credit;
            self.settle_arrival(Some(ArrivalEvidence::Credited), now);
        } else {
            self.witnesses.arrival.ask_on(now);
        }
    }
}
