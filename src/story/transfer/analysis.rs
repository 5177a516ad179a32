use std::{sync::Arc, time::Duration};

use super::{
    ArrivalEvidence, Evidence, HopPhase, HopView, Names, NextStep, Phase, RouterAnswers, TransferStatusView,
    hops::hop_views,
    tx_leg::{TxLeg, legs},
};
use crate::{
    domain::{ChainId, Denom, SourceTx, Timestamp, Tracking, TransferRecord, text},
    wire::router::{AssetRelease, Route},
};

/// Columns of a server's words at the most.
const PROBLEM: usize = 240;

/// Everything that the words about a transfer are made of.
pub(super) struct TransferAnalysis<'a> {
    pub(super) answers: &'a RouterAnswers,
    pub(super) route: Option<&'a Route>,
    pub(super) names: &'a dyn Names,
    pub(super) now: Timestamp,
    pub(super) evidence: Evidence,
    pub(super) legs: Vec<TxLeg<'a>>,
    /// The transaction that decides.
    pub(super) current: usize,
    /// Which transaction a person must send now.
    pub(super) to_send: Option<usize>,
    pub(super) phase: Phase,
    pub(super) hops: Vec<HopView>,
}

/// How a transfer stands now, by its kept record, what of it is decoded, and what indexers have found.
pub fn status_view(
    record: &TransferRecord,
    answers: &RouterAnswers,
    evidence: Evidence,
    names: &dyn Names,
    now: Timestamp,
) -> TransferStatusView {
    let analysis = TransferAnalysis::of(record, answers, evidence, names, now);
    let leg = analysis.leg();
    TransferStatusView {
        headline: analysis.headline(),
        notes: analysis.notes(),
        release: leg.and_then(TxLeg::release).cloned(),
        problem: analysis.problem(),
        next: analysis.next(),
        expected: analysis.expected(),
        phase: analysis.phase,
        hops: analysis.hops,
    }
}

impl<'a> TransferAnalysis<'a> {
    fn of(
        record: &'a TransferRecord,
        answers: &'a RouterAnswers,
        evidence: Evidence,
        names: &'a dyn Names,
        now: Timestamp,
    ) -> Self {
        let legs = legs(record, answers, evidence, names);
        let route = answers.route().map(Arc::as_ref);
        let current = current(&legs);
        let phase = legs.get(current).map_or(Phase::NotKnown, |leg| leg.phase.clone());
        let to_send = (phase == Phase::Arrived && current + 1 < legs.len()).then_some(current + 1);
        let mut hops: Vec<HopView> =
            legs.iter().enumerate().flat_map(|(index, leg)| hop_views(leg, index, route, names)).collect();
        if let [only] = hops.as_mut_slice() {
            only.planned_seconds = route.and_then(Route::seconds);
        }
        let phase = if to_send.is_some() { Phase::Moving } else { phase };
        Self { answers, route, names, now, evidence, legs, current, to_send, phase, hops }
    }

    /// The transaction that decides.
    pub(super) fn leg(&self) -> Option<&TxLeg<'a>> {
        self.legs.get(self.current)
    }

    /// That transaction as it was broadcast.
    pub(super) fn tx(&self) -> Option<&'a SourceTx> {
        self.leg().and_then(|leg| leg.tx)
    }

    /// Where that transaction was broadcast.
    pub(super) fn source(&self) -> Option<&'a ChainId> {
        self.tx().map(|tx| &tx.chain_id)
    }

    /// Where the funds shall end, as far as that is known.
    pub(super) fn destination(&self) -> Option<&ChainId> {
        self.leg().and_then(|leg| leg.destination.chain.as_ref())
    }

    /// How long the route takes, as quoted.
    pub(super) fn estimate(&self) -> Option<Duration> {
        self.route.and_then(Route::seconds).map(Duration::from_secs)
    }

    /// How long ago the transaction was broadcast.
    pub(super) fn elapsed(&self) -> Duration {
        self.tx().map(|tx| self.now.since(tx.at)).unwrap_or_default()
    }

    fn expected(&self) -> Option<Timestamp> {
        let withdrawal = self.leg().and_then(|leg| leg.withdrawal.as_ref());
        if let Some(withdrawal) = withdrawal {
            return withdrawal.claimable;
        }
        self.tx().zip(self.estimate()).map(|(tx, span)| tx.at.after(span))
    }

    fn problem(&self) -> Option<String> {
        let leg = self.leg()?;
        let error = leg.part().and_then(|part| part.error);
        let words = error.map(|error| {
            let words = if error.message.is_empty() { &error.kind } else { &error.message };
            text::clip(words, PROBLEM)
        });
        let failed = self.hops.iter().rev().filter(|hop| hop.phase == HopPhase::Failed);
        words.filter(|words| !words.is_empty()).or_else(|| failed.into_iter().find_map(|hop| hop.problem.clone()))
    }

    fn next(&self) -> NextStep {
        if let Some(index) = self.to_send {
            return NextStep::SendNext(index);
        }
        let Some(leg) = self.leg() else { return NextStep::Wait };
        match self.phase {
            Phase::NotKnown if leg.tx.is_some_and(|tx| tx.tracking == Tracking::Refused) => NextStep::TrackAgain,
            Phase::Abandoned => NextStep::TrackAgain,
            Phase::EndedUnstated => NextStep::CheckDestination,
            Phase::Arrived if self.evidence.arrival == Some(ArrivalEvidence::NotCredited) => NextStep::CheckDestination,
            Phase::Finalizing if self.expected().is_some_and(|time| time <= self.now) => NextStep::Claim,
            Phase::FailedReleased => {
                let there = leg.release().cloned().or_else(|| self.left_at_source(leg));
                there.map_or(NextStep::Wait, NextStep::RouteFrom)
            }
            _ => NextStep::Wait,
        }
    }

    /// What never left, as something to route from.
    fn left_at_source(&self, leg: &TxLeg<'_>) -> Option<AssetRelease> {
        if !leg.is_failed_at_source {
            return None;
        }
        let first = leg.operations.first();
        let chain_id = self.source()?.clone();
        let of_route = self.route.filter(|route| self.current == 0 && route.source_asset_chain_id == chain_id);
        let denom: Option<Denom> = of_route
            .map(|route| route.source_asset_denom.clone())
            .or(first.and_then(|first| first.denom_in().cloned()));
        let amount = of_route.map(|route| route.amount_in).or(first.and_then(|first| first.amount_in));
        Some(AssetRelease { chain_id, denom: denom?, amount, released: true })
    }
}

/// The first transaction that still moves or has failed, or else the last one that was sent: whoever sent it knew that
/// those before it had done their part. A last one of the route that is there speaks for all.
fn current(legs: &[TxLeg<'_>]) -> usize {
    let sent = legs.iter().take_while(|leg| leg.tx.is_some()).count();
    let last = sent.saturating_sub(1);
    if sent == legs.len() && legs.last().is_some_and(|leg| leg.phase == Phase::Arrived) {
        return last;
    }
    let is_behind =
        |phase: &Phase| matches!(phase, Phase::Arrived | Phase::NotKnown | Phase::EndedUnstated | Phase::Abandoned);
    legs.iter().take(sent).position(|leg| !is_behind(&leg.phase)).unwrap_or(last)
}
