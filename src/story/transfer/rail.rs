//! The steps of a transaction in order: operations of the route, each with the hops of the status that do it.

use super::{
    HopPhase, HopProtocol, HopStanding, Names, Phase,
    leg::{Leg, is_withdrawal},
    state::State,
};
use crate::{
    domain::{ChainId, Timestamp, text},
    wire::router::{Hop, HopKind, Operation, Route},
};

/// Columns of a hop's state and problem at the most.
const STATE: usize = 60;
const PROBLEM: usize = 240;
/// Steps of one transaction that are shown; servers may send any number.
const MOST: usize = 64;

/// One step: an operation, a hop, or both.
struct Row<'a> {
    operation: Option<&'a Operation>,
    /// Which part it is of, its place there, and itself.
    hop: Option<(usize, usize, &'a Hop)>,
}

/// Where among the hops an operation is done.
enum Found {
    /// The hop at this place ends it.
    Whole(usize),
    /// The hop at this place is on the way; the rest is not known to the router yet.
    Begun(usize),
}

/// The steps of a transaction of a transfer. Swaps and sends never appear as hops, and hops beyond the route are shown.
pub(super) fn rail(leg: &Leg<'_>, index: usize, route: Option<&Route>, names: &dyn Names) -> Vec<HopStanding> {
    let rows = rows(leg);
    let mut standings: Vec<HopStanding> = Vec::new();
    for (place, row) in rows.iter().enumerate().take(MOST) {
        let before = standings.last();
        let is_followed = rows.iter().skip(place + 1).any(|row| row.hop.is_some_and(|(_, _, hop)| !hop.txs.is_empty()));
        let is_long = row.operation.map_or_else(
            || leg.withdrawal.is_some() && row.hop.is_some_and(|(_, _, hop)| hop.kind == HopKind::OpInitTransfer),
            |operation| is_withdrawal(operation, route, names),
        );
        let phase = match leg.phase {
            _ if leg.is_failed_at_source => {
                if place == 0 {
                    HopPhase::Failed
                } else {
                    HopPhase::Waiting
                }
            }
            Phase::Finalizing if is_long => HopPhase::Active,
            _ => phase(leg, row, before.map(|standing| standing.phase), is_followed),
        };
        standings.push(standing(row, phase, index));
    }
    standings
}

fn phase(leg: &Leg<'_>, row: &Row<'_>, before: Option<HopPhase>, is_followed: bool) -> HopPhase {
    if let Some((part, place, _)) = row.hop {
        let phase = leg.parts.get(part).map_or(HopPhase::Unknown, |part| part.hop_phase(place));
        let is_there = leg.phase == Phase::Arrived && phase != HopPhase::Failed;
        return if is_there { HopPhase::Done } else { phase };
    }
    let is_success = !leg.parts.is_empty() && leg.parts.iter().all(|part| part.state == State::CompletedSuccess);
    let is_there = leg.phase == Phase::Arrived || (is_success && leg.phase != Phase::Finalizing);
    let is_local = row.operation.is_some_and(|operation| operation.kind.is_local());
    match before {
        _ if is_there => HopPhase::Done,
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

fn rows<'a>(leg: &'a Leg<'_>) -> Vec<Row<'a>> {
    let hops: Vec<(usize, usize, &Hop)> = leg
        .parts
        .iter()
        .enumerate()
        .flat_map(|(part, of)| of.hops.iter().enumerate().map(move |(place, hop)| (part, place, hop)))
        .collect();
    let mut rows = Vec::new();
    let mut next = 0;
    let bare = |hop: &(usize, usize, &'a Hop)| Row { operation: None, hop: Some(*hop) };
    for operation in &leg.operations {
        let operation: &'a Operation = operation;
        let rest = hops.get(next..).unwrap_or_default();
        match if operation.kind.is_local() { None } else { find(operation, rest) } {
            Some(Found::Whole(end)) => {
                rows.extend(rest.iter().take(end).map(bare));
                rows.extend(rest.get(end).map(|hop| Row { operation: Some(operation), hop: Some(*hop) }));
                next += end + 1;
            }
            Some(Found::Begun(end)) => {
                rows.extend(rest.iter().take(end + 1).map(bare));
                rows.push(Row { operation: Some(operation), hop: None });
                next += end + 1;
            }
            None => rows.push(Row { operation: Some(operation), hop: None }),
        }
    }
    rows.extend(hops.get(next..).unwrap_or_default().iter().map(bare));
    rows
}

/// The first hops that lead from where the operation starts to where it ends; where chains are not said, order decides.
fn find(operation: &Operation, hops: &[(usize, usize, &Hop)]) -> Option<Found> {
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
                return Some(Found::Whole(end));
            }
            match hops.get(end + 1) {
                Some((other, _, following)) if other == part && following.from_chain_id == hop.to_chain_id => end += 1,
                Some(_) => break,
                None => {
                    begun = begun.or(Some(Found::Begun(end)));
                    break;
                }
            }
        }
    }
    begun
}

fn standing(row: &Row<'_>, phase: HopPhase, tx_index: usize) -> HopStanding {
    let hop = row.hop.map(|(_, _, hop)| hop);
    let operation = row.operation;
    let times =
        || hop.into_iter().flat_map(|hop| &hop.txs).filter_map(|(_, tx)| tx.on_chain_at.parse::<Timestamp>().ok());
    let from = hop.and_then(|hop| hop.from_chain_id.clone());
    let to = hop.and_then(|hop| hop.to_chain_id.clone());
    let is_ended = matches!(phase, HopPhase::Done | HopPhase::Failed);
    HopStanding {
        protocol: hop.map(HopProtocol::of_hop).or(operation.map(HopProtocol::of_operation)).unwrap_or_default(),
        from: from.or_else(|| operation.and_then(|operation| operation.from_chain().cloned())),
        to: to.or_else(|| operation.and_then(|operation| operation.to_chain().cloned())),
        planned: operation.and_then(|operation| operation.denom_out().cloned().zip(operation.amount_out)),
        phase,
        state: hop.map(|hop| text::clip(&hop.state, STATE)).unwrap_or_default(),
        txs: hop.map(|hop| hop.txs.clone()).unwrap_or_default(),
        problem: hop.and_then(problem),
        began: times().min(),
        ended: times().max().filter(|_| is_ended),
        planned_seconds: None,
        tx_index,
    }
}

fn problem(hop: &Hop) -> Option<String> {
    let error = hop.error.as_ref()?;
    let words = if error.message.is_empty() { &error.kind } else { &error.message };
    Some(text::clip(words, PROBLEM)).filter(|words| !words.is_empty())
}
