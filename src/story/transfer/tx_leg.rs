//! One signed transaction of a transfer: what it shall do, what the router says of it, what indexers have found.

use std::sync::Arc;

use super::{
    ArrivalEvidence, Evidence, Names, Phase, RouterAnswers, SourceEvidence,
    answers::StatusAnswer,
    status_part::{StatusPart, TransferDestination, is_received, parts},
};
use crate::{
    domain::{ChainId, Denom, SourceTx, Timestamp, TransferRecord},
    wire::router::{AssetRelease, Hop, HopKind, HopSlot, Operation, OperationKind, Route},
};

/// Transactions of a route that are looked at; servers may claim any number.
const MOST: usize = 16;
/// A bridge that takes this long waits for a finalization, in seconds.
const LONG: u64 = 3600;

/// An optimistic withdrawal that a transaction begins.
#[derive(Clone, Debug)]
pub(super) struct Withdrawal {
    pub(super) from: ChainId,
    pub(super) to: ChainId,
    /// When it should be claimable; `None` where the route does not say how long that takes.
    pub(super) claimable: Option<Timestamp>,
    /// Whether its transaction is known to be on the rollup.
    is_seen: bool,
    /// Whether the claim on the L1 is there.
    is_claimed: bool,
}

/// One signed transaction of a transfer, or a place for one that is not sent yet.
#[derive(Clone, Debug)]
pub(super) struct TxLeg<'a> {
    pub(super) tx: Option<&'a SourceTx>,
    pub(super) operations: Vec<&'a Operation>,
    pub(super) destination: TransferDestination,
    /// What the router says; empty without an answer.
    pub(super) parts: Vec<StatusPart<'a>>,
    /// Which of them decides: the worst, or the least advanced.
    deciding: usize,
    pub(super) withdrawal: Option<Withdrawal>,
    /// By the router's word alone.
    pub(super) router_phase: Phase,
    /// With what indexers have found.
    pub(super) phase: Phase,
    /// Whether the transaction itself failed, so that nothing left the account.
    pub(super) is_failed_at_source: bool,
}

/// The transactions of a transfer, those of the route included that are not sent yet. Never empty.
pub(super) fn legs<'a>(
    record: &'a TransferRecord,
    answers: &'a RouterAnswers,
    evidence: Evidence,
    names: &dyn Names,
) -> Vec<TxLeg<'a>> {
    let route = answers.route().map(Arc::as_ref);
    let planned = route.map_or(1, |route| usize::try_from(route.txs_count()).unwrap_or(MOST)).min(MOST);
    let count = planned.max(record.txs.len()).max(1);
    let newest = record.txs.len().saturating_sub(1);
    (0..count)
        .map(|index| {
            let of_newest = if index == newest { evidence } else { Evidence::default() };
            // What is found on the destination speaks of the last transaction only.
            let arrival = of_newest.arrival.filter(|_| index + 1 == count);
            let mut leg = TxLeg::planned(record.txs.get(index), route, index, index + 1 == count);
            leg.read(answers.status(index), route, Evidence { arrival, ..of_newest }, names);
            leg
        })
        .collect()
}

impl<'a> TxLeg<'a> {
    fn planned(tx: Option<&'a SourceTx>, route: Option<&'a Route>, index: usize, is_last: bool) -> Self {
        let operations: Vec<&Operation> = route
            .iter()
            .flat_map(|route| &route.operations)
            .filter(|operation| usize::try_from(operation.tx_index) == Ok(index))
            .collect();
        let destination = match (route, operations.last()) {
            (Some(route), _) if is_last => TransferDestination {
                chain: Some(route.dest_asset_chain_id.clone()),
                denom: Some(route.dest_asset_denom.clone()),
                amount: Some(route.amount_out),
            },
            (_, Some(last)) => TransferDestination {
                chain: last.to_chain().cloned(),
                denom: last.denom_out().cloned(),
                amount: last.amount_out,
            },
            _ => TransferDestination::default(),
        };
        Self {
            tx,
            operations,
            destination,
            parts: Vec::new(),
            deciding: 0,
            withdrawal: None,
            router_phase: Phase::Waiting,
            phase: Phase::Waiting,
            is_failed_at_source: false,
        }
    }

    /// Reads what the router said, then what indexers have found.
    fn read(&mut self, answer: StatusAnswer<'a>, route: Option<&Route>, evidence: Evidence, names: &dyn Names) {
        let Some(tx) = self.tx else { return };
        self.router_phase = match answer {
            StatusAnswer::None => Phase::NotKnown,
            StatusAnswer::Unreadable => Phase::Strange,
            StatusAnswer::Read(status) => {
                self.parts = parts(status);
                self.decide()
            }
        };
        self.withdrawal = self.withdrawal(tx, route, evidence.source, names);
        self.router_phase = self.with_withdrawal(self.router_phase.clone());
        let is_told = self.part().is_some_and(StatusPart::is_failed_at_source);
        self.is_failed_at_source = is_told && self.router_phase.is_failure();
        self.phase = self.with_evidence(evidence);
    }

    /// The worst of the parts decides, but a transfer is not over while one of its parts is not.
    fn decide(&mut self) -> Phase {
        let destinations: Vec<TransferDestination> = self.parts.iter().map(|part| self.destination_of(part)).collect();
        let phases: Vec<Phase> =
            self.parts.iter().zip(&destinations).map(|(part, destination)| part.phase(destination)).collect();
        let worst = phases.iter().enumerate().min_by_key(|(_, phase)| rank(phase));
        let Some((place, phase)) = worst else { return Phase::NotKnown };
        self.deciding = place;
        if let Some(destination) = destinations.into_iter().nth(place) {
            self.destination = destination;
        }
        let is_more_to_come = phases.iter().any(|phase| !phase.is_over());
        if *phase == Phase::FailedReleased && is_more_to_come { Phase::Failing } else { phase.clone() }
    }

    /// Where a part shall end: as planned, else where its last hop ends.
    fn destination_of(&self, part: &StatusPart<'_>) -> TransferDestination {
        let mut destination = self.destination.clone();
        if destination.chain.is_none() {
            destination.chain = part.hops.last().and_then(|hop| hop.to_chain_id.clone());
        }
        destination
    }

    /// The transfer that decides.
    pub(super) fn part(&self) -> Option<&StatusPart<'a>> {
        self.parts.get(self.deciding)
    }

    /// Where the money is or will be, by the router.
    pub(super) fn release(&self) -> Option<&'a AssetRelease> {
        self.part().and_then(|part| part.release)
    }

    /// The funds where they shall end, by the router.
    pub(super) fn release_at_destination(&self) -> Option<&'a AssetRelease> {
        self.release().filter(|release| self.destination.holds(release))
    }

    /// Whether the transaction is on its chain, by the router's word.
    pub(super) fn is_on_chain(&self) -> bool {
        self.parts.iter().any(StatusPart::is_on_chain)
    }

    fn withdrawal(
        &self,
        tx: &SourceTx,
        route: Option<&Route>,
        source: Option<SourceEvidence>,
        names: &dyn Names,
    ) -> Option<Withdrawal> {
        let hops = || self.parts.iter().flat_map(|part| part.hops).filter(|hop| hop.kind == HopKind::OpInitTransfer);
        let planned = self.operations.iter().position(|operation| is_withdrawal(operation, route, names));
        let (from, to) = if self.operations.is_empty() {
            let is_withdrawal = |from: &ChainId, to: &ChainId| names.is_settlement(to) && !names.is_settlement(from);
            hops().filter_map(ends).find(|(from, to)| is_withdrawal(from, to))?
        } else {
            let operation = self.operations.get(planned?)?;
            (operation.from_chain()?.clone(), operation.to_chain()?.clone())
        };
        let hop = hops().find(|hop| ends(hop) == Some((from.clone(), to.clone())));
        let sent = hop.and_then(|hop| hop.tx(&HopSlot::SendTx));
        let is_first = planned.unwrap_or(0) == 0;
        let begun = sent.and_then(|tx| tx.on_chain_at.parse().ok()).or(is_first.then_some(tx.at));
        let seconds = route.and_then(Route::seconds).map(std::time::Duration::from_secs);
        Some(Withdrawal {
            from,
            to,
            claimable: begun.zip(seconds).map(|(begun, span): (Timestamp, _)| begun.after(span)),
            is_seen: sent.is_some() || is_first && (self.is_on_chain() || source == Some(SourceEvidence::Succeeded)),
            is_claimed: hop.is_some_and(is_received),
        })
    }

    /// No router follows a withdrawal to its claim: only a release on the L1, or the claim itself, says that it is there.
    fn with_withdrawal(&self, phase: Phase) -> Phase {
        let Some(withdrawal) = self.withdrawal.as_ref().filter(|withdrawal| !withdrawal.is_claimed) else {
            return phase;
        };
        match phase {
            _ if self.release_at_destination().is_some() => phase,
            Phase::Arrived | Phase::EndedUnstated => Phase::Finalizing,
            Phase::NotKnown | Phase::Waiting | Phase::Moving | Phase::Abandoned | Phase::Strange
                if withdrawal.is_seen =>
            {
                Phase::Finalizing
            }
            other => other,
        }
    }

    /// A failure at the source beats a router that lags, and so does a credit; where they contradict what the router says
    /// of the end, nothing is claimed.
    fn with_evidence(&mut self, evidence: Evidence) -> Phase {
        let router = self.router_phase.clone();
        let is_credited = evidence.arrival == Some(ArrivalEvidence::Credited);
        match evidence.source {
            Some(SourceEvidence::Failed) if is_credited || router == Phase::Arrived => return Phase::EndedUnstated,
            Some(SourceEvidence::Failed) if router == Phase::EndedUnstated => return router,
            Some(SourceEvidence::Failed) if router == Phase::FailedReleased && !self.is_failed_at_source => {
                return router;
            }
            Some(SourceEvidence::Failed) => {
                self.is_failed_at_source = true;
                return Phase::FailedReleased;
            }
            Some(SourceEvidence::Succeeded) if self.is_failed_at_source => {
                self.is_failed_at_source = false;
                return Phase::FailedHeld;
            }
            _ => {}
        }
        let is_open = !router.is_failure() && router != Phase::Failing;
        if is_credited && is_open { Phase::Arrived } else { router }
    }
}

fn ends(hop: &Hop) -> Option<(ChainId, ChainId)> {
    hop.from_chain_id.clone().zip(hop.to_chain_id.clone())
}

/// Which of several transfers is told of first: what went wrong, then what is least advanced.
fn rank(phase: &Phase) -> u8 {
    match phase {
        Phase::FailedHeld => 0,
        Phase::Failing => 1,
        Phase::FailedReleased => 2,
        Phase::Strange => 3,
        Phase::NotKnown => 4,
        Phase::Waiting => 5,
        Phase::Moving => 6,
        Phase::Finalizing => 7,
        Phase::Abandoned => 8,
        Phase::EndedUnstated => 9,
        Phase::Arrived => 10,
    }
}

/// Whether an operation leaves a rollup over the optimistic bridge: it ends where such bridges are hosted, or else it
/// takes an `l2/` denom, which only rollups have, or else it takes long.
pub(super) fn is_withdrawal(operation: &Operation, route: Option<&Route>, names: &dyn Names) -> bool {
    let (from, to) = (operation.facts.from_chain_id.as_ref(), operation.facts.to_chain_id.as_ref());
    if operation.kind != OperationKind::OpInitTransfer || from.is_some_and(|chain| names.is_settlement(chain)) {
        return false;
    }
    let of_rollup = |denom: Option<&Denom>| denom.is_some_and(|denom| denom.as_str().starts_with("l2/"));
    match (of_rollup(operation.denom_in()), of_rollup(operation.denom_out())) {
        _ if to.is_some_and(|chain| names.is_settlement(chain)) => true,
        (true, false) => true,
        (false, true) => false,
        _ => route.and_then(Route::seconds).is_some_and(|seconds| seconds >= LONG),
    }
}
