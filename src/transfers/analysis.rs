use std::sync::Arc;

use super::{
    ArrivalEvidence, Evidence, HopPhase, HopView, IndexFindings, NextStep, Phase, RouterAnswers, RouterHealth,
    SubstituteEstimate, TransferStatusView,
    hops::{close_hops, hop_views},
    tx_leg::{TxLeg, Withdrawal, legs},
};
use crate::{
    domain::{ChainId, Denom, SourceTx, Timestamp, Tracking, TransferRecord},
    story::Names,
    wire::router::{AssetRelease, Route},
};

/// Maximum columns of a server's error text.
const PROBLEM: usize = 240;

/// Data from which the texts about a transfer are written.
pub(super) struct TransferAnalysis<'a> {
    pub(super) answers: &'a RouterAnswers,
    pub(super) route: Option<&'a Route>,
    pub(super) names: &'a dyn Names,
    pub(super) now: Timestamp,
    pub(super) evidence: Evidence,
    pub(super) findings: IndexFindings,
    /// Whether rollscope broadcast the transaction.
    pub(super) is_ours: bool,
    pub(super) legs: Vec<TxLeg<'a>>,
    /// Index of the transaction that determines the transfer's status.
    pub(super) current: usize,
    /// Index of the next transaction that the user must send.
    pub(super) to_send: Option<usize>,
    pub(super) phase: Phase,
    pub(super) hops: Vec<HopView>,
    /// Source of the estimate, if no route states one.
    pub(super) substitute: Option<SubstituteEstimate>,
}

/// Computes a transfer's status from its record, the router's answers and the indexers' findings.
pub fn status_view(
    record: &TransferRecord,
    answers: &RouterAnswers,
    findings: impl Into<IndexFindings>,
    names: &dyn Names,
    now: Timestamp,
) -> TransferStatusView {
    status_view_knowing(record, answers, findings.into(), names, now, None)
}

/// [`status_view`] with what estimates the duration if no route of the transfer states one.
pub(super) fn status_view_knowing(
    record: &TransferRecord,
    answers: &RouterAnswers,
    findings: IndexFindings,
    names: &dyn Names,
    now: Timestamp,
    substitute: Option<SubstituteEstimate>,
) -> TransferStatusView {
    let mut analysis = TransferAnalysis::of(record, answers, findings, names, now);
    analysis.estimate_by(substitute);
    TransferStatusView {
        headline: analysis.headline(),
        notes: analysis.notes(),
        release: analysis.release(),
        problem: analysis.problem().map(|(words, _)| words),
        is_problem_indexed: analysis.problem().is_some_and(|(_, is_indexed)| is_indexed),
        next: analysis.next(),
        expected: analysis.expected(),
        clocks: analysis.legs.iter().filter(|leg| leg.tx.is_some()).map(|leg| leg.clock).collect(),
        as_of: analysis.as_of(),
        substitute: analysis.substitute,
        phase: analysis.phase,
        hops: analysis.hops,
    }
}

impl<'a> TransferAnalysis<'a> {
    fn of(
        record: &'a TransferRecord,
        answers: &'a RouterAnswers,
        findings: IndexFindings,
        names: &'a dyn Names,
        now: Timestamp,
    ) -> Self {
        let legs = legs(record, answers, &findings, names);
        let route = answers.route().map(Arc::as_ref);
        let current = current(&legs);
        let phase = legs.get(current).map_or(Phase::NotKnown, |leg| leg.phase.clone());
        let to_send = (phase == Phase::Arrived && current + 1 < legs.len()).then_some(current + 1);
        let newest = legs.iter().rposition(|leg| leg.tx.is_some());
        let nothing = IndexFindings::default();
        let found = |index: usize| if Some(index) == newest { &findings } else { &nothing };
        let views = legs.iter().enumerate().flat_map(|(index, leg)| hop_views(leg, index, route, names, found(index)));
        let mut hops: Vec<HopView> = views.collect();
        if let [only] = hops.as_mut_slice() {
            only.planned_seconds = route.and_then(Route::seconds);
        }
        let phase = if to_send.is_some() { Phase::Moving } else { phase };
        close_hops(&mut hops, &phase, current, legs.get(current).is_some_and(|leg| leg.parts.len() > 1));
        let evidence = findings.evidence;
        let is_ours = record.is_sent_here();
        Self {
            answers,
            route,
            names,
            now,
            evidence,
            findings,
            is_ours,
            legs,
            current,
            to_send,
            phase,
            hops,
            substitute: None,
        }
    }

    /// Estimates the only transaction, while in progress, unless its route or a withdrawal's stage does.
    fn estimate_by(&mut self, substitute: Option<SubstituteEstimate>) {
        if let [leg] = self.legs.as_mut_slice()
            && !self.phase.is_over()
            && leg.clock.estimate.is_none()
            && leg.withdrawal.is_none()
        {
            leg.clock.estimate = substitute.map(SubstituteEstimate::duration);
            self.substitute = substitute;
        }
    }

    pub(super) fn leg(&self) -> Option<&TxLeg<'a>> {
        self.legs.get(self.current)
    }

    /// Returns the current transaction if the user has broadcast it.
    pub(super) fn tx(&self) -> Option<&'a SourceTx> {
        self.leg().and_then(|leg| leg.tx)
    }

    /// Returns the chain of the current transaction.
    pub(super) fn source(&self) -> Option<&'a ChainId> {
        self.tx().map(|tx| &tx.chain_id)
    }

    /// Returns the chain on which the funds should arrive, if known.
    pub(super) fn destination(&self) -> Option<&ChainId> {
        self.leg().and_then(|leg| leg.destination.chain.as_ref())
    }

    /// Returns how the router has answered recently.
    pub(super) fn standing(&self) -> &'a RouterHealth {
        &self.answers.standing
    }

    /// Returns when the router last reported on the current transaction.
    pub(super) fn router_at(&self) -> Option<Timestamp> {
        self.tx().and_then(|tx| tx.status.as_ref()).map(|(_, at)| *at)
    }

    /// Returns since when the status is unconfirmed: only the router could confirm it, and the router does not answer.
    /// `None` for a finished transfer.
    pub(super) fn as_of(&self) -> Option<Timestamp> {
        let is_routers = matches!(
            self.phase,
            Phase::Waiting
                | Phase::Moving
                | Phase::Failing
                | Phase::FailedHeld
                | Phase::Strange
                | Phase::Contradictory
                | Phase::Forgotten
        );
        self.standing().doubt()?;
        self.router_at().filter(|_| is_routers && self.to_send.is_none())
    }

    fn expected(&self) -> Option<Timestamp> {
        // The next transaction has no start yet, so earlier estimates do not apply.
        let leg = self.leg().filter(|_| self.to_send.is_none())?;
        if let Some(withdrawal) = &leg.withdrawal {
            return withdrawal.claimable;
        }
        leg.clock.begun.zip(leg.clock.estimate).map(|(begun, span)| begun.after(span))
    }

    /// Returns where the funds are released. `None` if the transaction failed, whatever the router reports: the funds
    /// never left.
    fn release(&self) -> Option<AssetRelease> {
        let is_failed = self.phase == Phase::FailedAtSource && !self.is_refused_as_invalid();
        self.leg().filter(|_| !is_failed).and_then(TxLeg::release).cloned()
    }

    /// Returns why the transfer failed, and whether the index tells it.
    fn problem(&self) -> Option<(String, bool)> {
        let leg = self.leg()?;
        let error = leg.part().and_then(|part| part.error);
        let words = error.map(|error| {
            if error.message.is_empty() { error.kind.clipped(PROBLEM) } else { error.message.clipped(PROBLEM) }
        });
        let failed = self.hops.iter().rev().filter(|hop| hop.phase == HopPhase::Failed);
        let of_index = self.findings.failure.clone().filter(|_| leg.is_failed_at_source());
        let told = words.filter(|words| !words.is_empty()).map(|words| (words, false));
        told.or_else(|| of_index.map(|words| (words, true)))
            .or_else(|| failed.into_iter().find_map(|hop| hop.problem.clone()).map(|words| (words, false)))
    }

    fn next(&self) -> NextStep {
        if let Some(index) = self.to_send {
            return NextStep::SendNext(index);
        }
        let Some(leg) = self.leg() else { return NextStep::Wait };
        match self.phase {
            Phase::NotKnown if leg.tx.is_some_and(|tx| tx.tracking == Tracking::Refused) => NextStep::TrackAgain,
            Phase::Abandoned | Phase::Forgotten => NextStep::TrackAgain,
            Phase::Contradictory if self.is_of_other_tx() => NextStep::TrackAgain,
            Phase::EndedUnstated | Phase::Contradictory => NextStep::CheckDestination,
            Phase::Arrived if self.is_unconverted() => {
                leg.release().cloned().map_or(NextStep::Wait, NextStep::RouteFrom)
            }
            Phase::Arrived if self.evidence.arrival == Some(ArrivalEvidence::NotCredited) => NextStep::CheckDestination,
            Phase::Finalizing if leg.withdrawal.as_ref().and_then(Withdrawal::known_stage).is_some() => {
                let stage = leg.withdrawal.as_ref().and_then(Withdrawal::known_stage);
                if stage.is_some_and(|stage| stage.is_ready(self.now)) { NextStep::Claim } else { NextStep::Wait }
            }
            Phase::Finalizing if self.expected().is_some_and(|time| time <= self.now) => NextStep::Claim,
            // Only the router's refusal suggests the failure, which proves nothing.
            Phase::FailedAtSource if self.is_refused_as_invalid() => NextStep::TrackAgain,
            Phase::FailedAtSource => self.left_at_source(leg).map_or(NextStep::Wait, NextStep::RouteFrom),
            Phase::FailedReleased => leg.release().cloned().map_or(NextStep::Wait, NextStep::RouteFrom),
            _ => NextStep::Wait,
        }
    }

    /// Whether the router's refusal to track is the only evidence of a failure.
    pub(super) fn is_refused_as_invalid(&self) -> bool {
        let is_refused = matches!(self.standing(), RouterHealth::Refusing { is_invalid: true, .. });
        let is_proven =
            matches!(self.evidence.source, Some(super::SourceEvidence::Failed | super::SourceEvidence::Expired));
        is_refused && !is_proven && self.leg().is_some_and(|leg| leg.parts.is_empty())
    }

    /// Whether the funds arrived but their conversion on arrival failed.
    pub(super) fn is_unconverted(&self) -> bool {
        let is_failed = self.findings.credit.as_ref().is_some_and(|credit| credit.hook_problem.is_some());
        is_failed && self.leg().is_some_and(TxLeg::is_release_indexed)
    }

    /// Returns the funds that never left the source, from which a new route can start.
    fn left_at_source(&self, leg: &TxLeg<'_>) -> Option<AssetRelease> {
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

/// Returns the first transaction that is in progress or failed, else the last one sent, since its sender knew that the
/// earlier ones were done. If the route's last transaction has arrived, it decides for all.
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
