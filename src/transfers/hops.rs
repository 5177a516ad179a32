//! Hops of a transaction in order: the route's operations with the status hops that belong to each. Protocol and state
//! come from the hops' own fields.

use super::{
    HopPhase, HopProtocol, HopView, IndexFindings, Phase, ReturnCause, SourceEvidence,
    tx_leg::{TxLeg, is_withdrawal},
};
use crate::{
    domain::{ChainId, Timestamp},
    story::Names,
    wire::router::{ChainTx, Hop, HopKind, HopSlot, Operation, Route},
};

/// Maximum columns of a hop's state, and of its error.
const STATE: usize = 60;
const PROBLEM: usize = 240;
/// Maximum hops of a transaction that the page shows, since a server may send any number.
const MOST: usize = 64;

/// Row of a hop: an operation, a hop of the status, or both.
struct HopRow<'a> {
    operation: Option<&'a Operation>,
    /// Index of the hop's part, index within that part, and the hop.
    hop: Option<(usize, usize, &'a Hop)>,
}

/// How an operation matches the hops of a status.
enum HopMatch {
    /// The hop at this index completes the operation.
    Complete(usize),
    /// The hop at this index begins the operation. The router does not list its later hops yet.
    Begun(usize),
}

/// Returns the hops of a transaction. The status never lists swaps and sends; it may list hops that the route lacks.
pub(super) fn hop_views(
    leg: &TxLeg<'_>,
    index: usize,
    route: Option<&Route>,
    names: &dyn Names,
    findings: &IndexFindings,
) -> Vec<HopView> {
    let rows = rows(leg);
    let mut views: Vec<HopView> = Vec::new();
    for (place, row) in rows.iter().enumerate().take(MOST) {
        let before = views.last();
        let is_followed = rows.iter().skip(place + 1).any(|row| row.hop.is_some_and(|(_, _, hop)| !hop.txs.is_empty()));
        let is_long = row.operation.map_or_else(
            || leg.withdrawal.is_some() && row.hop.is_some_and(|(_, _, hop)| hop.kind == HopKind::OpInitTransfer),
            |operation| is_withdrawal(operation, route, names),
        );
        let phase = match leg.phase {
            Phase::FailedAtSource if place == 0 => HopPhase::Failed,
            Phase::FailedAtSource => HopPhase::Unreached,
            Phase::Finalizing if is_long => HopPhase::Active,
            _ => phase(leg, row, before.map(|hop| hop.phase), is_followed),
        };
        let mut view = hop_view(row, phase, index);
        view.claimable =
            leg.withdrawal.as_ref().filter(|_| is_long && phase != HopPhase::Done).and_then(|it| it.claimable);
        view.stage = leg.withdrawal.as_ref().filter(|_| is_long).and_then(|it| it.stage.clone());
        views.push(view);
    }
    add_indexed(&mut views, leg, findings);
    views
}

/// Adds the indexer's findings to the first hop of the newest transaction: departure and refund.
fn add_indexed(views: &mut [HopView], leg: &TxLeg<'_>, findings: &IndexFindings) {
    let Some(tx) = leg.tx else { return };
    let starts_here = |view: &&mut HopView| view.from.as_ref() == Some(&tx.chain_id) && view.from != view.to;
    let Some(first) = views.iter_mut().find(starts_here) else { return };
    let is_seen = findings.evidence.source == Some(SourceEvidence::Succeeded);
    if is_seen && first.txs.is_empty() {
        let on_chain_at = findings.included_at.map(|at| at.to_string()).unwrap_or_default();
        let (chain_id, tx_hash) = (tx.chain_id.clone(), tx.hash.to_string());
        let sent = ChainTx { chain_id, tx_hash, explorer_link: String::new().into(), on_chain_at };
        first.txs.push((HopSlot::SendTx, sent));
        first.began = first.began.or(findings.included_at);
    }
    if let Some(returned) = &findings.returned {
        first.phase = HopPhase::Failed;
        first.ended = Some(returned.at);
        first.problem = first.problem.take().or(match &returned.cause {
            ReturnCause::TimedOut => Some("timed out and refunded".to_owned()),
            ReturnCause::Refused(words) if words.is_empty() => Some("rejected and refunded".to_owned()),
            ReturnCause::Refused(words) => Some(words.clone()),
        });
    }
}

/// Closes the open hops of a finished transfer: after a failure they are unreachable, otherwise unknown. If one of
/// several transfers failed, hops of the others stay open.
pub(super) fn close_hops(hops: &mut [HopView], phase: &Phase, current: usize, are_several: bool) {
    for hop in hops {
        let is_of_failed = hop.tx_index > current || (hop.tx_index == current && !are_several);
        match (hop.phase, phase) {
            (HopPhase::Waiting, _) if phase.is_failure() && is_of_failed => hop.phase = HopPhase::Unreached,
            (HopPhase::Active, _) if phase.is_failure() && is_of_failed => hop.phase = HopPhase::Unknown,
            (HopPhase::Active, Phase::Abandoned | Phase::EndedUnstated) => hop.phase = HopPhase::Unknown,
            // The transaction's end is told, but not by which hops.
            (HopPhase::Waiting, Phase::EndedUnstated) if hop.tx_index <= current => hop.phase = HopPhase::Unknown,
            _ => {}
        }
    }
}

fn phase(leg: &TxLeg<'_>, row: &HopRow<'_>, before: Option<HopPhase>, is_followed: bool) -> HopPhase {
    if let Some((part, place, _)) = row.hop {
        let phase = leg.parts.get(part).map_or(HopPhase::Unknown, |part| part.hop_phase(place));
        let is_there = leg.phase == Phase::Arrived && phase != HopPhase::Failed;
        return if is_there { HopPhase::Done } else { phase };
    }
    let is_local = row.operation.is_some_and(|operation| operation.kind.is_local());
    match before {
        _ if leg.phase == Phase::Arrived => HopPhase::Done,
        _ if !is_local || !leg.is_on_chain() => HopPhase::Waiting,
        Some(HopPhase::Failed) => {
            if is_followed {
                HopPhase::Unknown
            } else {
                HopPhase::Waiting
            }
        }
        _ if is_followed => HopPhase::Done,
        Some(HopPhase::Waiting | HopPhase::Active) => HopPhase::Waiting,
        Some(HopPhase::Done) | None if leg.phase == Phase::Moving => HopPhase::Active,
        _ => HopPhase::Unknown,
    }
}

fn rows<'a>(leg: &'a TxLeg<'_>) -> Vec<HopRow<'a>> {
    let hops: Vec<(usize, usize, &Hop)> = leg
        .parts
        .iter()
        .enumerate()
        .flat_map(|(part, of)| of.hops.iter().enumerate().map(move |(place, hop)| (part, place, hop)))
        .collect();
    let mut rows = Vec::new();
    let mut next = 0;
    let bare = |hop: &(usize, usize, &'a Hop)| HopRow { operation: None, hop: Some(*hop) };
    for operation in &leg.operations {
        let operation: &'a Operation = operation;
        let rest = hops.get(next..).unwrap_or_default();
        match if operation.kind.is_local() { None } else { find(operation, rest) } {
            Some(HopMatch::Complete(end)) => {
                rows.extend(rest.iter().take(end).map(bare));
                rows.extend(rest.get(end).map(|hop| HopRow { operation: Some(operation), hop: Some(*hop) }));
                next += end + 1;
            }
            Some(HopMatch::Begun(end)) => {
                rows.extend(rest.iter().take(end + 1).map(bare));
                rows.push(HopRow { operation: Some(operation), hop: None });
                next += end + 1;
            }
            None => rows.push(HopRow { operation: Some(operation), hop: None }),
        }
    }
    rows.extend(hops.get(next..).unwrap_or_default().iter().map(bare));
    rows
}

/// Returns the first hops from the operation's start to its end. If the chains are unknown, the order decides.
fn find(operation: &Operation, hops: &[(usize, usize, &Hop)]) -> Option<HopMatch> {
    let is_same =
        |one: Option<&ChainId>, other: Option<&ChainId>| one.zip(other).is_none_or(|(one, other)| one == other);
    let mut begun = None;
    for (start, (part, _, first)) in hops.iter().enumerate() {
        if !is_same(operation.from_chain(), first.from_chain_id.as_ref()) {
            continue;
        }
        let mut end = start;
        while let Some((_, _, hop)) = hops.get(end) {
            if is_same(operation.to_chain(), hop.to_chain_id.as_ref()) {
                return Some(HopMatch::Complete(end));
            }
            match hops.get(end + 1) {
                Some((other, _, following)) if other == part && following.from_chain_id == hop.to_chain_id => end += 1,
                Some(_) => break,
                None => {
                    begun = begun.or(Some(HopMatch::Begun(end)));
                    break;
                }
            }
        }
    }
    begun
}

fn hop_view(row: &HopRow<'_>, phase: HopPhase, tx_index: usize) -> HopView {
    let hop = row.hop.map(|(_, _, hop)| hop);
    let operation = row.operation;
    let times =
        || hop.into_iter().flat_map(|hop| &hop.txs).filter_map(|(_, tx)| tx.on_chain_at.parse::<Timestamp>().ok());
    let from = hop.and_then(|hop| hop.from_chain_id.clone());
    let to = hop.and_then(|hop| hop.to_chain_id.clone());
    let is_ended = matches!(phase, HopPhase::Done | HopPhase::Failed);
    HopView {
        protocol: hop.map(HopProtocol::of_hop).or(operation.map(HopProtocol::of_operation)).unwrap_or_default(),
        from: from.or_else(|| operation.and_then(|operation| operation.from_chain().cloned())),
        to: to.or_else(|| operation.and_then(|operation| operation.to_chain().cloned())),
        planned: operation.and_then(|operation| operation.denom_out().cloned().zip(operation.amount_out)),
        phase,
        state: hop.map(|hop| hop.state.clipped(STATE)).unwrap_or_default(),
        txs: hop.map(|hop| hop.txs.clone()).unwrap_or_default(),
        problem: hop.and_then(problem),
        began: times().min(),
        ended: times().max().filter(|_| is_ended),
        planned_seconds: None,
        stage: None,
        claimable: None,
        part: row.hop.map(|(part, place, _)| (part, place)),
        tx_index,
    }
}

fn problem(hop: &Hop) -> Option<String> {
    let error = hop.error.as_ref()?;
    let words = if error.message.is_empty() { error.kind.clipped(PROBLEM) } else { error.message.clipped(PROBLEM) };
    Some(words).filter(|words| !words.is_empty())
}
