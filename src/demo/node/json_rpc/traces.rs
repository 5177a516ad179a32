//! Call traces in the nested format of `callTracer`.

use alloy_primitives::hex;
use serde_json::{Value, json};

use super::{EthAnswer, EthParams, EthRefusal, blocks::EthBlock, quantity};
use crate::demo::{
    ledger::{EvmFrame, EvmReceipt},
    node::view::NodeView,
};

/// Name of the only supported tracer.
const TRACER: &str = "callTracer";

/// Selector of `Error(string)`, a revert with a reason.
const REASON: [u8; 4] = [0x08, 0xc3, 0x79, 0xa0];

fn check_tracer(params: &EthParams<'_>) -> Result<(), EthRefusal> {
    match params.value(1).get("tracer").and_then(Value::as_str) {
        Some(TRACER) => Ok(()),
        _ => Err(EthRefusal::failed("this simulated node has only the callTracer")),
    }
}

/// Returns an entry for each receipt: of a node, an empty list means that it has not traced the block yet.
fn of_block(view: &NodeView<'_>, block: &EthBlock) -> Vec<Value> {
    let traces = view.chain.traces(block.block.height).unwrap_or_default().traces;
    let entry = |(place, receipt): (u64, &EvmReceipt)| {
        let hash = hex::encode_prefixed(receipt.hash);
        let frames = traces.iter().find(|trace| trace.receipt == place).map(|trace| &trace.frames);
        match frames.and_then(|frames| Some((frames, frames.first()?))) {
            Some((frames, outer)) => json!({ "txHash": hash, "result": nested(frames, 0, outer) }),
            None => {
                json!({ "txHash": hash, "error": "this simulated node traces only transactions of Ethereum wallets" })
            }
        }
    };
    (0..).zip(&block.receipts.receipts).map(entry).collect()
}

pub(super) fn block(view: &NodeView<'_>, params: &EthParams<'_>) -> EthAnswer {
    check_tracer(params)?;
    let height = params.height(view, 0)?;
    let block = EthBlock::at(view, height).ok_or_else(|| EthRefusal::failed("block not found"))?;
    Ok(of_block(view, &block).into())
}

pub(super) fn transaction(view: &NodeView<'_>, params: &EthParams<'_>) -> EthAnswer {
    check_tracer(params)?;
    let text = params.text(0)?.to_ascii_lowercase();
    let (block, receipts, _) =
        view.find_ethereum_tx(&params.hash(0)?).ok_or_else(|| EthRefusal::failed("transaction not found"))?;
    let traces = of_block(view, &EthBlock { block, receipts });
    let mut found = traces.into_iter().find(|trace| trace["txHash"] == text.as_str());
    Ok(found.as_mut().map(|trace| trace["result"].take()).unwrap_or_default())
}

/// Nests the inner calls in a frame.
fn nested(frames: &[EvmFrame], place: usize, frame: &EvmFrame) -> Value {
    let mut written = json!({
        "from": hex::encode_prefixed(frame.from),
        "gas": quantity(u128::from(frame.gas)),
        "gasUsed": quantity(u128::from(frame.gas_used)),
        "to": frame.to.map(hex::encode_prefixed),
        "input": hex::encode_prefixed(&frame.input),
    });
    let Some(fields) = written.as_object_mut() else { return written };
    if frame.to.is_none() {
        fields.remove("to");
    }
    if !frame.output.is_empty() {
        fields.insert("output".to_owned(), hex::encode_prefixed(&frame.output).into());
    }
    if let Some(error) = &frame.error {
        fields.insert("error".to_owned(), error.as_str().into());
        if let Some(reason) = reason(&frame.output) {
            fields.insert("revertReason".to_owned(), reason.into());
        }
    }
    let calls: Vec<Value> = (0..)
        .zip(frames)
        .filter(|(_, called)| called.parent.is_some_and(|parent| parent as usize == place))
        .map(|(index, called)| nested(frames, index, called))
        .collect();
    if !calls.is_empty() {
        fields.insert("calls".to_owned(), calls.into());
    }
    if let Some(value) = frame.value {
        fields.insert("value".to_owned(), format!("{value:#x}").into());
    }
    fields.insert("type".to_owned(), frame.kind.as_str().into());
    written
}

fn reason(output: &[u8]) -> Option<String> {
    let rest = output.strip_prefix(&REASON)?;
    let length = rest.get(32..64)?.iter().fold(0_usize, |sum, byte| sum.saturating_mul(256) + usize::from(*byte));
    String::from_utf8(rest.get(64..64_usize.checked_add(length)?)?.to_vec()).ok()
}
