//! The number of what crosses the last bridge: asked of the L1 that it leaves, and looked for where it arrives.

use std::sync::Arc;

use super::{
    TransferCx, WatchedTransfer,
    evidence::{EvidenceSearch, Expected},
};
use crate::{
    config::Networks,
    domain::{ChainId, Timestamp, TxHash},
    msg::{Answer, L1Question, Request},
    story::transfer::{ArrivalEvidence, CrossingEnd, CrossingNumber, Names, Phase, RouterStanding},
    wire::{
        ApiError, Tx,
        router::{HopSlot, Operation},
    },
};

/// Where the REST of an L1 is: where the router says it is, or where it is known to be for a network that settles on it.
fn rest_of(l1: &ChainId, cx: &TransferCx<'_>) -> Option<String> {
    let known = || {
        let network = Networks::built_in().find(cx.l1.as_ref().filter(|own| *own == l1)?.as_str()).ok()?;
        let node = network.node.as_ref()?;
        Some(node.rest.clone().unwrap_or_else(|| node.node.clone()))
    };
    cx.directory.host_rest(l1).map(str::to_owned).or_else(known)
}

impl WatchedTransfer {
    /// What is to be asked of the L1 from which the bridge to the destination begins.
    pub(super) fn crossing_question(&self, expected: &Expected, cx: &TransferCx<'_>) -> Option<Request> {
        let is_open = !self.status_view.phase.is_failure() && self.status_view.phase != Phase::Arrived;
        let (l1, tx) = self.crossing_tx(&expected.chain_id).filter(|_| is_open && self.found.numbers.is_empty())?;
        let rest = rest_of(&l1, cx)?;
        Some(Request::L1Tx(Arc::new(L1Question { rest, tx })))
    }

    /// Whether the number is to be heard first: by the amount alone another equal transfer could be taken for this one.
    pub(super) fn awaits_number(&self, expected: &Expected, cx: &TransferCx<'_>) -> bool {
        let named = self.crossing_tx(&expected.chain_id).map(|(l1, _)| l1);
        // What sends on behind other chains is the router's to name, which says so when it is first heard.
        let planned = || {
            let last = self.last_operation(&expected.chain_id).and_then(Operation::from_chain).cloned();
            last.filter(|_| cx.has_router && *self.standing() == RouterStanding::Unasked)
        };
        let l1 = named.or_else(planned).filter(|l1| Names::is_settlement(cx.directory, l1) && self.crossing.is_new());
        l1.is_some_and(|l1| rest_of(&l1, cx).is_some() || (cx.has_router && cx.directory.awaits_chains()))
    }

    /// The operation of the route that ends on the destination.
    fn last_operation(&self, destination: &ChainId) -> Option<&Operation> {
        self.route()?.operations.iter().rev().find(|operation| operation.to_chain() == Some(destination))
    }

    /// The transaction that sends to the destination, and its chain: the router's word, or the current transaction where
    /// the route has no chain between the two.
    fn crossing_tx(&self, destination: &ChainId) -> Option<(ChainId, TxHash)> {
        let to_destination = self.status_view.hops.iter().rev().find(|hop| hop.to.as_ref() == Some(destination));
        let mut sent = to_destination.into_iter().flat_map(|hop| &hop.txs);
        let named = sent.find(|(slot, _)| *slot == HopSlot::SendTx);
        let named = named.and_then(|(_, tx)| Some((tx.chain_id.clone(), tx.tx_hash.parse().ok()?)));
        named.or_else(|| {
            let tx = self.current_tx()?;
            let is_from_here = self.last_operation(destination)?.from_chain() == Some(&tx.chain_id);
            Some((tx.chain_id.clone(), tx.hash.tx_hash().filter(|_| is_from_here)?))
        })
    }

    /// Takes an answer about the transaction that sends to the destination. Says whether there was one.
    pub(super) fn take_crossing(&mut self, result: &Result<Answer, ApiError>, now: Timestamp) -> bool {
        let Ok(Answer::Tx(tx)) = result else {
            self.crossing.ask_on(None, now);
            return false;
        };
        let recipient = self.expected().map(|expected| expected.recipient);
        self.found.numbers = recipient.map(|recipient| CrossingNumber::all_of(tx, &recipient)).unwrap_or_default();
        if !self.found.numbers.is_empty() && self.found.credit.take_if(|credit| credit.number.is_none()).is_some() {
            // Another equal transfer's may have been taken for this one's: now it can be told.
            self.arrival = EvidenceSearch::default();
        }
        self.found.rivals = None;
        self.crossing.settle(Some(()), now);
        self.version += 1;
        true
    }

    /// What these transactions of the destination say of what has one of the transfer's numbers.
    pub(super) fn take_numbered(&mut self, txs: &[Arc<Tx>], expected: Option<&Expected>, now: Timestamp) {
        let ends = expected.into_iter().flat_map(|expected| {
            let end = |number: &CrossingNumber, tx: &Tx| {
                number.end_in(tx, &expected.recipient, &expected.denom, |amount| expected.fitting.contains(&amount))
            };
            let pairs = self.found.numbers.iter().flat_map(|number| txs.iter().map(move |tx| (number, tx)));
            pairs.filter_map(move |(number, tx)| end(number, tx))
        });
        let ends: Vec<CrossingEnd> = ends.collect();
        self.found.is_refused_there = ends.contains(&CrossingEnd::Refused);
        let credit = ends.into_iter().find_map(|end| match end {
            CrossingEnd::Credited(credit) => Some(credit),
            CrossingEnd::Refused => None,
        });
        match credit {
            Some(credit) => {
                self.found.credit = Some(credit);
                self.arrival.settle(Some(ArrivalEvidence::Credited), now);
            }
            None => self.arrival.ask_on(None, now),
        }
    }
}
