//! Status of a transfer as JSON for scripts and support tickets, with the facts of the transfer's page.

use serde_json::{Value, json};

use super::{
    ArrivalEvidence, HopView, IndexFindings, NextStep, Phase, ReturnCause, SourceEvidence, SubstituteEstimate,
    TransferStatusView,
};
use crate::{
    domain::{ChainId, TimedText, Timestamp, TransferRecord},
    story::WithdrawalStage,
};

/// Returns a phase's name in files and JSON. Scripts depend on it.
pub fn phase_word(phase: &Phase) -> &'static str {
    match phase {
        Phase::NotKnown => "not_known",
        Phase::Forgotten => "forgotten",
        Phase::Waiting => "waiting",
        Phase::Moving => "moving",
        Phase::Failing => "failing",
        Phase::Finalizing => "finalizing",
        Phase::Arrived => "arrived",
        Phase::EndedUnstated => "completed_unstated",
        Phase::FailedAtSource => "failed_at_source",
        Phase::FailedReleased => "failed_released",
        Phase::FailedHeld => "failed_held",
        Phase::Abandoned => "abandoned",
        Phase::Strange => "strange",
        Phase::Contradictory => "contradictory",
    }
}

/// Returns the status as JSON: the headline with source and age, the phase, where the funds are, findings and times.
pub fn transfer_facts(
    record: &TransferRecord,
    findings: &IndexFindings,
    view: &TransferStatusView,
    now: Timestamp,
) -> Value {
    let source = view.headline.source;
    json!({
        "headline": view.headline.to_string(),
        "source": source.witness.word(),
        "said_at": source.at.map(|at| at.to_string()),
        "age_seconds": source.at.map(|at| now.since(at).as_secs()),
        "as_of": view.as_of.map(|at| at.to_string()),
        "phase": phase_word(&view.phase),
        "chain_id": record.id.chain_id.as_str(),
        "tx_hash": record.id.hash.as_str(),
        "next": (view.next != NextStep::Wait || !view.phase.is_over()).then(|| next_word(&view.next)),
        "notes": view.notes.iter().map(TimedText::as_str).collect::<Vec<&str>>(),
        "problem": view.problem,
        "release": view.release,
        "evidence": evidence(findings),
        "times": times(record, findings, view),
        "hops": view.hops.iter().map(hop).collect::<Vec<Value>>(),
        "at": now.to_string(),
    })
}

/// Returns [`transfer_facts`] with the router's newest status of the first transaction, in one line for scripts,
/// tickets and the `on_end` program. Only line breaks of the status are changed.
pub fn transfer_line(
    record: &TransferRecord,
    findings: &IndexFindings,
    view: &TransferStatusView,
    now: Timestamp,
) -> String {
    let known = transfer_facts(record, findings, view, now).to_string();
    let status = record.txs.first().and_then(|tx| tx.status.as_ref()).map(|(text, _)| text.replace(['\n', '\r'], ""));
    match status.filter(|text| serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok()) {
        // Text insertion keeps the router's answer verbatim.
        Some(status) => format!("{},\"status\":{status}}}", known.strip_suffix('}').unwrap_or(&known)),
        None => known,
    }
}

fn next_word(next: &NextStep) -> &'static str {
    match next {
        NextStep::Wait => "wait",
        NextStep::TrackAgain => "track_again",
        NextStep::RouteFrom(_) => "route_from_release",
        NextStep::SendNext(_) => "send_next",
        NextStep::Claim => "claim",
        NextStep::CheckDestination => "check_destination",
    }
}

fn evidence(findings: &IndexFindings) -> Value {
    let source = findings.evidence.source.map(|source| match source {
        SourceEvidence::Absent => "absent",
        SourceEvidence::Expired => "expired",
        SourceEvidence::Succeeded => "succeeded",
        SourceEvidence::Failed => "failed",
    });
    let arrival = findings.evidence.arrival.map(|arrival| match arrival {
        ArrivalEvidence::Absent => "absent",
        ArrivalEvidence::NotCredited => "not_credited",
        ArrivalEvidence::Credited => "credited",
    });
    let credit = findings.credit.as_ref().map(|credit| {
        json!({
            "denom": credit.denom.as_str(), "amount": credit.amount.to_string(), "at": credit.at.to_string(),
            "tx_hash": credit.tx.to_string(), "hook_problem": credit.hook_problem,
            "number": credit.number.as_ref().map(ToString::to_string),
        })
    });
    let returned = findings.returned.as_ref().map(|returned| {
        let (cause, reason) = match &returned.cause {
            ReturnCause::TimedOut => ("timed_out", None),
            ReturnCause::Refused(reason) => ("refused", Some(reason)),
        };
        json!({
            "denom": returned.denom.as_str(), "amount": returned.amount.to_string(), "at": returned.at.to_string(),
            "cause": cause, "reason": reason,
        })
    });
    json!({
        "source": source, "source_at": findings.source_at.map(|at| at.to_string()), "failure": findings.failure,
        "arrival": arrival, "arrival_at": findings.arrival_at.map(|at| at.to_string()),
        "credit": credit, "returned": returned,
        "numbers": findings.numbers.iter().map(ToString::to_string).collect::<Vec<String>>(),
        "is_refused_there": findings.is_refused_there,
    })
}

fn times(record: &TransferRecord, findings: &IndexFindings, view: &TransferStatusView) -> Value {
    let stage = findings.settlement.as_ref().map(|answers| WithdrawalStage::of(answers));
    let (proposed, claimable) = stage.map(|stage| stage.times()).unwrap_or_default();
    let of_tx = |(place, clock): (usize, &super::LegClock)| {
        let tx = record.txs.get(place);
        json!({
            "chain_id": tx.map(|tx| tx.chain_id.as_str()),
            "tx_hash": tx.map(|tx| tx.hash.as_str()),
            "begun": clock.begun.map(|at| at.to_string()),
            "is_block_time": clock.is_on_chain,
            "ended": clock.ended.map(|at| at.to_string()),
            "estimate_seconds": clock.estimate.map(|span| span.as_secs()),
        })
    };
    let transfers = match view.substitute {
        Some(SubstituteEstimate::Earlier(usual)) => Some(usual.transfers),
        Some(SubstituteEstimate::Route(_)) | None => None,
    };
    json!({
        "first_looked_at": record.created.to_string(),
        "expected": view.expected.map(|at| at.to_string()),
        "estimated_from_transfers": transfers,
        "proposed": proposed.map(|at| at.to_string()),
        "claimable": claimable.map(|at| at.to_string()),
        "transactions": view.clocks.iter().enumerate().map(of_tx).collect::<Vec<Value>>(),
    })
}

fn hop(hop: &HopView) -> Value {
    let txs = hop.txs.iter().map(|(slot, tx)| {
        json!({
            "slot": slot.to_string(), "chain_id": tx.chain_id.as_str(), "tx_hash": tx.tx_hash,
            "on_chain_at": Some(&tx.on_chain_at).filter(|at| !at.is_empty()),
        })
    });
    json!({
        "protocol": hop.protocol.to_string(),
        "from_chain_id": hop.from.as_ref().map(ChainId::as_str),
        "to_chain_id": hop.to.as_ref().map(ChainId::as_str),
        "phase": hop.phase.to_string(),
        "state": hop.state,
        "problem": hop.problem,
        "txs": txs.collect::<Vec<Value>>(),
    })
}
