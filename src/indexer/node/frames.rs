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
        HexText,
        node::{BlockTrace, CallFrame},
    },
};

/// Converts the call frames of a block, depth first within each transaction. Skips transactions without a trace.
///
/// Older nodes name no transaction in a trace. Their traces have the order of the receipts, if both are equally many.
pub fn traces(height: Height, receipts: &EvmReceipts, answers: &[BlockTrace]) -> Result<EvmTraces, RecordError> {
    let mut traces = EvmTraces::default();
    for (place, answer) in answers.iter().enumerate() {
        let at = error_at(height, RecordPlace::Trace(place));
        let Some(outer) = answer.result.as_ref().filter(|_| answer.error.is_empty()) else { continue };
        let found = match &answer.tx_hash {
            Some(text) => {
                let hash: [u8; 32] = fixed(text, "txHash", "32 bytes in hex").map_err(&at)?;
                receipts.receipts.iter().position(|receipt| receipt.hash == hash)
            }
            None => Some(place).filter(|_| answers.len() == receipts.receipts.len()),
        };
        let receipt = found.ok_or_else(|| at(RecordProblem::NoReceipt))? as u64;
        let outer: &RawValue = serde_json::from_str(outer.get()).map_err(|error| at(json(&error)))?;
        traces.traces.push(EvmTrace { receipt, frames: frames(outer).map_err(&at)? });
    }
    Ok(traces)
}

fn json(error: &serde_json::Error) -> RecordProblem {
    RecordProblem::Json(error.to_string())
}

/// Converts the frames of one transaction. Contracts choose the depth of nesting, so this function does not recurse.
fn frames(outer: &RawValue) -> Result<Vec<EvmFrame>, RecordProblem> {
    let mut frames = Vec::new();
    let mut waiting: Vec<(Option<u32>, &RawValue)> = vec![(None, outer)];
    while let Some((parent, raw)) = waiting.pop() {
        let found: CallFrame<'_> = serde_json::from_str(raw.get()).map_err(|error| json(&error))?;
        let place = u32::try_from(frames.len()).map_err(|_| form("calls", "a list of at most 2^32 frames"))?;
        frames.push(frame(parent, &found)?);
        waiting.extend(found.calls.into_iter().flatten().rev().map(|call| (Some(place), call)));
    }
    Ok(frames)
}

fn frame(parent: Option<u32>, found: &CallFrame<'_>) -> Result<EvmFrame, RecordProblem> {
    const ADDRESS: &str = "20 bytes in hex";
    let to = found.to.as_deref().filter(|to| !to.is_empty());
    Ok(EvmFrame {
        parent,
        kind: FrameKind::of(&found.kind).ok_or(form("type", "a known EVM call"))?,
        from: fixed(&found.from, "from", ADDRESS)?,
        to: to.map(|to| fixed(to, "to", ADDRESS)).transpose()?,
        input: data(&found.input, "input")?,
        output: data(&found.output, "output")?,
        error: Some(&found.error).filter(|error| !error.is_empty()).cloned(),
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
