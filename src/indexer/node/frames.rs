use alloy_primitives::U256;
use serde_json::value::RawValue;

use super::{
    receipts::{data, fixed, form, number},
    record::error_at,
    record_error::{RecordError, RecordPlace, RecordProblem},
};
use crate::{
    domain::{Amount, Height},
    indexer::source::{EvmFrame, EvmReceipts, EvmTrace, EvmTraces, FrameKind},
    wire::{
        BlockPart, HexText, LackReason, UndecodedPart,
        node::{BlockTrace, CallFrame},
    },
};

/// Converts the call frames of a block, depth first within each transaction. Names the transactions that the node did
/// not trace, and those that lack frames that cannot be decoded.
///
/// Older nodes name no transaction in a trace. Their traces have the order of the receipts, if both are equally many.
pub fn traces(
    height: Height,
    receipts: &EvmReceipts,
    answers: &[BlockTrace],
) -> Result<(EvmTraces, Vec<UndecodedPart>), RecordError> {
    let (mut traces, mut lacking) = (EvmTraces::default(), Vec::new());
    for (place, answer) in answers.iter().enumerate() {
        let at = error_at(height, RecordPlace::Trace(place));
        let found = match &answer.tx_hash {
            Some(text) => {
                let hash: [u8; 32] = fixed(text, "txHash", "32 bytes in hex").map_err(&at)?;
                receipts.receipts.iter().position(|receipt| receipt.hash == hash)
            }
            None => Some(place).filter(|_| answers.len() == receipts.receipts.len()),
        };
        let receipt = found.ok_or_else(|| at(RecordProblem::NoReceipt))? as u64;
        let mut lacks = |reason, cause| {
            lacking.push(UndecodedPart { height, part: BlockPart::CallFrames, index: Some(receipt), cause, reason });
        };
        let Some(outer) = answer.result.as_ref().filter(|_| answer.error.is_empty()) else {
            let silence = || "the node sent no trace of the transaction".into();
            let cause = Some(answer.error.clone()).filter(|error| !error.is_empty()).unwrap_or_else(silence);
            lacks(LackReason::Refused, cause);
            continue;
        };
        let outer: &RawValue = serde_json::from_str(outer.get()).map_err(|error| at(json(&error)))?;
        let (frames, problem) = frames(outer);
        if let Some(problem) = problem {
            lacks(LackReason::Undecoded, problem.to_string().into());
        }
        if !frames.is_empty() {
            traces.traces.push(EvmTrace { receipt, frames });
        }
    }
    Ok((traces, lacking))
}

fn json(error: &serde_json::Error) -> RecordProblem {
    RecordProblem::Json(error.to_string())
}

/// Converts the frames of one transaction, and returns the first problem of those that are left out; their inner calls
/// become those of their callers. Contracts choose the depth of nesting, so this function does not recurse.
fn frames(outer: &RawValue) -> (Vec<EvmFrame>, Option<RecordProblem>) {
    let (mut frames, mut problem): (Vec<EvmFrame>, _) = (Vec::new(), None);
    let mut waiting: Vec<(Option<u32>, &RawValue)> = vec![(None, outer)];
    while let Some((parent, raw)) = waiting.pop() {
        let found: CallFrame<'_> = match serde_json::from_str(raw.get()) {
            Ok(found) => found,
            Err(error) => {
                problem = problem.or(Some(json(&error)));
                continue;
            }
        };
        let caller = parent.and_then(|parent| frames.get(usize::try_from(parent).ok()?)?.to);
        // Without an outermost call, its inner ones would look like calls of the transaction.
        let place = match (frame(parent, caller, &found), u32::try_from(frames.len())) {
            (Ok(frame), Ok(place)) => {
                frames.push(frame);
                Some(place)
            }
            (lost, _) => {
                problem = problem.or(lost.err());
                parent
            }
        };
        if place.is_some() {
            waiting.extend(found.calls.into_iter().flatten().rev().map(|call| (place, call)));
        }
    }
    (frames, problem)
}

/// Converts a frame; `caller` is the account whose code makes the call.
fn frame(parent: Option<u32>, caller: Option<[u8; 20]>, found: &CallFrame<'_>) -> Result<EvmFrame, RecordProblem> {
    const ADDRESS: &str = "20 bytes in hex";
    let to = found.to.as_deref().filter(|to| !to.is_empty());
    let kind = FrameKind::of(&found.kind).ok_or(form("type", "a known EVM call"))?;
    let from = match caller {
        // Some tracers name nothing but the type.
        Some(caller) if kind == FrameKind::SelfDestruct && found.from.is_empty() => caller,
        _ => fixed(&found.from, "from", ADDRESS)?,
    };
    Ok(EvmFrame {
        parent,
        kind,
        from,
        to: to.map(|to| fixed(to, "to", ADDRESS)).transpose()?,
        input: data(&found.input, "input")?,
        output: data(&found.output, "output")?,
        error: Some(found.error.as_received()).filter(|error| !error.is_empty()).map(str::to_owned),
        value: found.value.as_ref().map(value).transpose()?,
        gas: number_or_none(&found.gas, "gas")?,
        gas_used: number_or_none(&found.gas_used, "gasUsed")?,
    })
}

fn value(text: &HexText) -> Result<U256, RecordProblem> {
    text.quantity().map(Amount::get).ok_or(form("value", "a number in hex"))
}

fn number_or_none(text: &HexText, field: &'static str) -> Result<u64, RecordProblem> {
    if text.0.is_empty() { Ok(0) } else { number(text, field) }
}
