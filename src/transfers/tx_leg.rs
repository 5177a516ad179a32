//! Leg of a transfer: a signed transaction with its plan, the router's statements and the indexers' findings.

use std::{sync::Arc, time::Duration};

use super::{
    ArrivalEvidence, Evidence, IndexFindings, LegClock, Phase, RouterAnswers, RouterHealth, SourceEvidence,
    answers::StatusAnswer,
    contradiction::{Contradiction, is_departure, other_tx},
    status_part::{StatusPart, TransferDestination, is_received, parts},
};
use crate::{
    domain::{ChainId, Denom, SourceTx, Timestamp, Tracking, TransferRecord},
    story::Names,
    story::WithdrawalStage,
    wire::router::{AssetRelease, Hop, HopKind, HopSlot, Operation, OperationKind, Route},
};

/// Maximum transactions of a route, since a server may claim any number.
const MOST: usize = 16;
/// Duration in seconds from which a bridge must include a wait for finality.
const LONG: u64 = 3600;

#[derive(Clone, Debug)]
pub(super) struct Withdrawal {
    pub(super) from: ChainId,
    pub(super) to: ChainId,
    /// Expected time of the claim; `None` if the route states none.
    pub(super) claimable: Option<Timestamp>,
    /// Whether `claimable` is an upper bound: the total duration of several transactions.
    pub(super) is_latest: bool,
    /// Whether the rollup is known to have the transaction.
    is_seen: bool,
    /// Whether the withdrawal is claimed on the L1.
    is_claimed: bool,
    /// Stage of the withdrawal, once executor and L1 have answered.
    pub(super) stage: Option<WithdrawalStage>,
}

/// Transaction of a transfer, which the user has sent or will send.
#[derive(Clone, Debug)]
pub(super) struct TxLeg<'a> {
    pub(super) tx: Option<&'a SourceTx>,
    pub(super) operations: Vec<&'a Operation>,
    pub(super) destination: TransferDestination,
    /// Router's statements about the transaction; empty before an answer.
    pub(super) parts: Vec<StatusPart<'a>>,
    /// Index of the part that decides the status: the worst, or the least advanced.
    deciding: usize,
    /// Contradiction to the router's statement, if any.
    pub(super) contradiction: Option<Contradiction>,
    pub(super) withdrawal: Option<Withdrawal>,
    pub(super) router_phase: Phase,
    /// Phase with the indexers' findings.
    pub(super) phase: Phase,
    /// Whether the router says arrived, and a server of the user's that could show it does not yet.
    pub(super) is_unconfirmed: bool,
    /// Where the funds are, according to an index.
    index_release: Option<AssetRelease>,
    pub(super) clock: LegClock,
}

/// Returns the legs of a transfer, including those that the route has and the user has not sent. Never empty.
pub(super) fn legs<'a>(
    record: &'a TransferRecord,
    answers: &'a RouterAnswers,
    findings: &IndexFindings,
    names: &dyn Names,
) -> Vec<TxLeg<'a>> {
    let route = answers.route().map(Arc::as_ref);
    let planned = route.map_or(1, |route| usize::try_from(route.txs_count()).unwrap_or(MOST)).min(MOST);
    let count = planned.max(record.txs.len()).max(1);
    let newest = record.txs.len().saturating_sub(1);
    let seconds = route.and_then(Route::seconds).map(Duration::from_secs);
    (0..count)
        .map(|index| {
            let is_last = index + 1 == count;
            let mut found = if index == newest { findings.clone() } else { IndexFindings::default() };
            if !is_last {
                // What the destination's indexer found concerns only the last transaction.
                (found.evidence.arrival, found.credit) = (None, None);
            }
            let mut leg = TxLeg::planned(record.txs.get(index), route, index, is_last);
            let answer = LegAnswer {
                status: answers.status(index),
                standing: if index == newest { &answers.standing } else { &RouterHealth::Unasked },
            };
            let given = LegContext { route, found: &found, names, is_ours: record.is_sent_here() };
            leg.read(answer, &given);
            if let Some(withdrawal) = &mut leg.withdrawal {
                withdrawal.is_latest = count > 1;
            }
            leg.clock = leg.measure(&found, record.is_sent_here(), seconds.filter(|_| count == 1));
            leg
        })
        .collect()
}

struct LegContext<'r> {
    route: Option<&'r Route>,
    found: &'r IndexFindings,
    names: &'r dyn Names,
    /// Whether rollscope broadcast the transaction.
    is_ours: bool,
}

/// Router's statements about one transaction.
#[derive(Clone, Copy)]
struct LegAnswer<'a, 'b> {
    status: StatusAnswer<'a>,
    standing: &'b RouterHealth,
}

impl Withdrawal {
    /// Whether the claim time is from the L1, not an estimate.
    pub(super) fn is_dated(&self) -> bool {
        self.stage.as_ref().is_some_and(|stage| stage.claimable().is_some())
    }

    /// Returns the stage of the withdrawal, if the L1 confirmed it.
    pub(super) fn known_stage(&self) -> Option<&WithdrawalStage> {
        self.stage.as_ref().filter(|stage| !matches!(stage, WithdrawalStage::Unconfirmed { .. }))
    }
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
            contradiction: None,
            withdrawal: None,
            router_phase: Phase::Waiting,
            phase: Phase::Waiting,
            is_unconfirmed: false,
            index_release: None,
            clock: LegClock::default(),
        }
    }

    /// Evaluates the router's statements, then the indexers' findings.
    fn read(&mut self, answer: LegAnswer<'a, '_>, given: &LegContext<'_>) {
        let Some(tx) = self.tx else { return };
        let is_known = tx.tracking == Tracking::Accepted || !matches!(answer.status, StatusAnswer::None);
        let by_status = match answer.status {
            StatusAnswer::None => Phase::NotKnown,
            StatusAnswer::Unreadable => Phase::Strange,
            StatusAnswer::Read(status) => {
                if let Some(other) = other_tx(status, tx) {
                    self.contradiction = Some(Contradiction::OtherTx(other));
                    Phase::Contradictory
                } else {
                    self.parts = parts(status);
                    self.decide()
                }
            }
        };
        self.router_phase = match answer.standing {
            RouterHealth::Unknowing(_) if is_known && !by_status.is_over() && !by_status.is_failure() => {
                Phase::Forgotten
            }
            RouterHealth::Refusing { is_invalid: true, .. } if by_status == Phase::NotKnown => Phase::FailedAtSource,
            _ => by_status,
        };
        let is_refused = self.parts.is_empty() && self.router_phase == Phase::FailedAtSource;
        let evidence = given.found.evidence;
        if is_refused && evidence.source == Some(SourceEvidence::Succeeded) {
            self.router_phase = Phase::NotKnown;
        }
        self.withdrawal = self.withdrawal(tx, given);
        self.router_phase = self.with_withdrawal(self.router_phase.clone());
        self.phase = self.with_evidence(evidence);
        if self.is_claimed_by_l1() {
            self.phase = Phase::Arrived;
        }
        self.take_release(tx, given.found);
        self.hold_against(tx, given);
    }

    /// Holds the router's end against the route and the user's own servers.
    fn hold_against(&mut self, tx: &SourceTx, given: &LegContext<'_>) {
        let evidence = given.found.evidence;
        let is_told = self.router_phase == Phase::Arrived;
        let is_shown = evidence.arrival == Some(ArrivalEvidence::Credited) || self.is_claimed_by_l1();
        let stage = self.withdrawal.as_ref().and_then(Withdrawal::known_stage);
        let contradiction = match self.phase {
            Phase::EndedUnstated if self.router_phase != Phase::EndedUnstated => Some(Contradiction::Excluded),
            Phase::FailedHeld if self.router_phase == Phase::FailedAtSource => Some(Contradiction::SourceSucceeded),
            Phase::Arrived if is_told && is_shown => {
                // The arrival is proven, the router's account of it is not.
                self.contradiction = self.other_funds(given);
                if self.contradiction.is_some() {
                    self.router_phase = Phase::Contradictory;
                }
                return;
            }
            Phase::Arrived if !is_told => None,
            Phase::Arrived if evidence.arrival == Some(ArrivalEvidence::NotCredited) => {
                Some(Contradiction::NotCredited)
            }
            Phase::Arrived if stage.is_some() => Some(Contradiction::Unclaimed),
            Phase::Arrived => self.other_start(tx).or_else(|| self.other_funds(given)),
            _ => None,
        };
        if contradiction.is_some() {
            (self.contradiction, self.phase) = (contradiction, Phase::Contradictory);
        } else if self.phase == Phase::Arrived && is_told && !is_shown && given.found.is_arrival_askable {
            self.is_unconfirmed = true;
            self.phase = if self.withdrawal.is_some() { Phase::Finalizing } else { Phase::Moving };
        }
    }

    /// Returns the chain of the transaction with which the first hop begins, if it is another chain than this one's.
    fn other_start(&self, tx: &SourceTx) -> Option<Contradiction> {
        let (_, sent) = self.part()?.hops.first()?.txs.iter().find(|(slot, _)| is_departure(slot))?;
        (sent.chain_id != tx.chain_id).then(|| Contradiction::OtherStart(sent.chain_id.clone()))
    }

    /// Returns what the route or the source transaction brings, if the router reports other funds as arrived.
    fn other_funds(&self, given: &LegContext<'_>) -> Option<Contradiction> {
        let release = self.router_release().filter(|release| release.released && self.parts.len() == 1)?;
        // What the source transaction begins, the last withdrawal brings: to any L1, where the router names no hop.
        let ends_at = match &self.withdrawal {
            Some(withdrawal) => Some(&withdrawal.to).filter(|to| self.destination.chain.as_ref() == Some(*to)),
            None => Some(&release.chain_id).filter(|to| self.operations.is_empty() && given.names.is_settlement(to)),
        };
        let planned = match (given.found.begun.as_ref().zip(ends_at), &self.destination) {
            (Some((coin, ends_at)), _) => AssetRelease {
                chain_id: ends_at.clone(),
                denom: coin.denom.clone(),
                amount: Some(coin.amount),
                released: true,
            },
            (None, TransferDestination { chain: Some(chain_id), denom: Some(denom), amount }) => {
                let (chain_id, denom, amount) = (chain_id.clone(), denom.clone(), *amount);
                AssetRelease { chain_id, denom, amount, released: true }
            }
            _ => return None,
        };
        let is_swap = |step: &&Operation| step.kind.is_swap();
        let may_vary = given.route.is_some_and(|route| route.required_op_hook) || self.operations.iter().any(is_swap);
        let is_more = release.amount.zip(planned.amount).is_some_and(|(told, planned)| told > planned);
        let is_other = !may_vary && (is_more || !release.denom.is_same(&planned.denom));
        (is_other || release.chain_id != planned.chain_id).then_some(Contradiction::OtherFunds(planned))
    }

    /// Whether the L1 says that the last withdrawal is claimed, and no source reports a failure.
    pub(super) fn is_claimed_by_l1(&self) -> bool {
        self.has_claim() && !self.phase.is_failure() && self.phase != Phase::Failing
    }

    /// Whether the L1 says that the last withdrawal is claimed.
    fn has_claim(&self) -> bool {
        let is_last = |withdrawal: &&Withdrawal| self.destination.chain.as_ref() == Some(&withdrawal.to);
        let stage = self.withdrawal.as_ref().filter(is_last).and_then(|withdrawal| withdrawal.stage.as_ref());
        matches!(stage, Some(WithdrawalStage::Claimed { .. }))
    }

    /// Whether the router reports the funds as released on another chain than the destination.
    fn is_released_elsewhere(&self) -> bool {
        let release = self.router_release().filter(|release| release.released);
        release.zip(self.destination.chain.as_ref()).is_some_and(|(release, chain)| release.chain_id != *chain)
    }

    /// Sets where the funds are, according to an index. This overrides the router.
    fn take_release(&mut self, tx: &SourceTx, found: &IndexFindings) {
        let at = |chain: &ChainId, denom: &Denom, amount| {
            let (chain_id, denom) = (chain.clone(), denom.clone());
            Some(AssetRelease { chain_id, denom, amount: Some(amount), released: true })
        };
        match (&found.returned, &found.credit, &self.destination.chain) {
            (Some(returned), ..) => {
                self.index_release = at(&tx.chain_id, &returned.denom, returned.amount);
                let is_credited = found.evidence.arrival == Some(ArrivalEvidence::Credited);
                let is_disputed = is_credited || self.router_phase == Phase::Arrived;
                self.phase = if is_disputed { Phase::EndedUnstated } else { Phase::FailedReleased };
            }
            // The router's arrival stays, unless the index shows another asset there.
            (None, Some(credit), Some(chain))
                if self.phase == Phase::Arrived
                    && (self.router_phase != Phase::Arrived || credit.hook_problem.is_some()) =>
            {
                self.index_release = at(chain, &credit.denom, credit.amount);
            }
            _ => {}
        }
    }

    /// Whether the transaction itself failed, so that nothing left the account.
    pub(super) fn is_failed_at_source(&self) -> bool {
        self.phase == Phase::FailedAtSource
    }

    /// Chooses the worst part as the deciding one. The transfer is in progress while any part is.
    fn decide(&mut self) -> Phase {
        let destinations: Vec<TransferDestination> = self.parts.iter().map(|part| self.destination_of(part)).collect();
        let assessed = self.parts.iter().zip(&destinations).map(|(part, destination)| part.assess(destination));
        let (phases, mut contradictions): (Vec<Phase>, Vec<Option<Contradiction>>) = assessed.unzip();
        let worst = phases.iter().enumerate().min_by_key(|(_, phase)| rank(phase));
        let Some((place, phase)) = worst else { return Phase::NotKnown };
        self.deciding = place;
        self.contradiction = contradictions.get_mut(place).and_then(Option::take);
        if let Some(destination) = destinations.into_iter().nth(place) {
            self.destination = destination;
        }
        // A failed transaction carries no transfer.
        let has_failed = self.tx.is_some_and(|tx| self.parts.iter().any(|part| part.carries_failure_of(tx)));
        let is_more_to_come = !has_failed && phases.iter().any(|phase| !phase.is_over());
        if matches!(phase, Phase::FailedReleased | Phase::FailedAtSource) && is_more_to_come {
            Phase::Failing
        } else {
            phase.clone()
        }
    }

    /// Returns where a part's funds should arrive: the planned destination, else the last hop's.
    fn destination_of(&self, part: &StatusPart<'_>) -> TransferDestination {
        let mut destination = self.destination.clone();
        if destination.chain.is_none() {
            destination.chain = part.hops.last().and_then(|hop| hop.to_chain_id.clone());
        }
        destination
    }

    /// Returns the index of the part that decides the status, from 0.
    pub(super) fn deciding(&self) -> usize {
        self.deciding
    }

    pub(super) fn part(&self) -> Option<&StatusPart<'a>> {
        self.parts.get(self.deciding)
    }

    /// Returns where the funds are, or will be: according to an index, else to the router, whose account counts no more
    /// once an arrival is proven against its word.
    pub(super) fn release(&self) -> Option<&AssetRelease> {
        let is_overruled = self.phase == Phase::Arrived && self.router_phase != Phase::Arrived;
        self.index_release.as_ref().or_else(|| self.router_release().filter(|_| !is_overruled))
    }

    /// Returns where the funds are, or will be, according to the router.
    pub(super) fn router_release(&self) -> Option<&'a AssetRelease> {
        self.part().and_then(|part| part.release)
    }

    /// Whether an index shows where the funds are.
    pub(super) fn is_release_indexed(&self) -> bool {
        self.index_release.is_some()
    }

    /// Returns the funds that the router reports as released on the destination.
    pub(super) fn release_at_destination(&self) -> Option<&'a AssetRelease> {
        self.router_release().filter(|release| self.destination.holds(release))
    }

    /// Whether the router says that the transaction is on its chain.
    pub(super) fn is_on_chain(&self) -> bool {
        self.parts.iter().any(StatusPart::is_on_chain)
    }

    fn withdrawal(&self, tx: &SourceTx, given: &LegContext<'_>) -> Option<Withdrawal> {
        let LegContext { route, found, names, is_ours } = *given;
        let source = found.evidence.source;
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
        let included = found.included_at.or_else(|| is_ours.then_some(tx.at)).filter(|_| is_first);
        let begun = sent.and_then(|tx| tx.on_chain_at.parse().ok()).or(included);
        let seconds = route.and_then(Route::seconds).map(Duration::from_secs);
        let stage = found.settlement.as_ref().filter(|_| is_first).map(|answers| WithdrawalStage::of(answers));
        let estimate = begun.zip(seconds).map(|(begun, span): (Timestamp, _)| begun.after(span));
        Some(Withdrawal {
            from,
            to,
            claimable: stage.as_ref().and_then(WithdrawalStage::claimable).or(estimate),
            stage,
            is_latest: false,
            is_seen: sent.is_some() || is_first && (self.is_on_chain() || source == Some(SourceEvidence::Succeeded)),
            is_claimed: hop.is_some_and(is_received),
        })
    }

    /// Adapts the phase to a withdrawal. The router does not follow it to the claim, so only a release on the L1, or
    /// the claim itself, proves the arrival.
    fn with_withdrawal(&self, phase: Phase) -> Phase {
        let Some(withdrawal) = self.withdrawal.as_ref().filter(|withdrawal| !withdrawal.is_claimed) else {
            return phase;
        };
        // Routers do not follow a withdrawal to its claim: its hop stays pending, and its release open.
        let is_usual = match self.contradiction {
            Some(Contradiction::Unreleased) => true,
            Some(Contradiction::PendingHop(place)) => {
                let hop = self.part().and_then(|part| part.hops.get(place));
                hop.is_some_and(|hop| hop.kind == HopKind::OpInitTransfer)
            }
            _ => false,
        };
        let is_of_other = matches!(self.contradiction, Some(Contradiction::OtherTx(_)));
        match if is_usual { Phase::Arrived } else { phase } {
            phase if self.release_at_destination().is_some() => phase,
            Phase::Arrived | Phase::EndedUnstated => Phase::Finalizing,
            Phase::NotKnown | Phase::Forgotten | Phase::Waiting | Phase::Moving | Phase::Abandoned | Phase::Strange
                if withdrawal.is_seen =>
            {
                Phase::Finalizing
            }
            Phase::Contradictory if withdrawal.is_seen && is_of_other => Phase::Finalizing,
            other => other,
        }
    }

    /// Adapts the phase to the evidence. A failure on the source, or a credit, overrides a router that lags. If router
    /// and evidence contradict each other about the end, the transfer stays open.
    fn with_evidence(&self, evidence: Evidence) -> Phase {
        let router = self.router_phase.clone();
        let is_credited = evidence.arrival == Some(ArrivalEvidence::Credited);
        match (evidence.source, &router) {
            (Some(SourceEvidence::Failed), Phase::Arrived) => Phase::EndedUnstated,
            (Some(SourceEvidence::Failed), _) if is_credited => Phase::EndedUnstated,
            (Some(SourceEvidence::Failed), Phase::EndedUnstated | Phase::FailedReleased) => router,
            (Some(SourceEvidence::Failed), _)
            | (Some(SourceEvidence::Expired), Phase::NotKnown | Phase::FailedAtSource) => Phase::FailedAtSource,
            (_, Phase::FailedReleased) if (is_credited || self.has_claim()) && self.is_released_elsewhere() => {
                Phase::EndedUnstated
            }
            (Some(SourceEvidence::Succeeded), Phase::FailedAtSource) => Phase::FailedHeld,
            _ if is_credited && !router.is_failure() && router != Phase::Failing => Phase::Arrived,
            _ => router,
        }
    }
}

fn ends(hop: &Hop) -> Option<(ChainId, ChainId)> {
    hop.from_chain_id.clone().zip(hop.to_chain_id.clone())
}

/// Ranks a phase among several transfers: failures first, then the least advanced.
fn rank(phase: &Phase) -> u8 {
    match phase {
        Phase::FailedHeld => 0,
        Phase::Failing => 1,
        Phase::FailedReleased => 2,
        Phase::FailedAtSource => 3,
        Phase::Strange | Phase::Contradictory => 4,
        Phase::NotKnown | Phase::Forgotten => 5,
        Phase::Waiting => 6,
        Phase::Moving => 7,
        Phase::Finalizing => 8,
        Phase::Abandoned => 9,
        Phase::EndedUnstated => 10,
        Phase::Arrived => 11,
    }
}

/// Whether an operation leaves a rollup over the OPinit bridge: it ends on a chain that hosts such bridges, its input
/// is an `l2/` denom, which only rollups have, or it takes long.
pub fn is_withdrawal(operation: &Operation, route: Option<&Route>, names: &dyn Names) -> bool {
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
