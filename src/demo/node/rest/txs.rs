//! Queries for transactions, by block and by hash.

use alloy_primitives::hex;
use serde_json::{Value, json};

use super::{
    super::{
        NodeRequest,
        block::{BlockForm, events},
        brought::tx_to_simulate,
        paging::PageAsked,
        view::NodeView,
    },
    RestAnswer, RestRefusal, base,
};
use crate::{
    demo::{
        ledger::{CommittedTx, ExternalError, TrialRun, block_id},
        posted::PostedTx,
    },
    domain::{Height, TxHash},
};

const FORM: BlockForm = BlockForm::Proto;

pub(super) fn answer(view: &NodeView<'_>, request: &NodeRequest, path: &[&str]) -> RestAnswer {
    match (request.is_post, path) {
        (true, ["txs"]) => view.brought.tx_response(request),
        (true, ["simulate"]) => simulate(view, request),
        (false, ["txs", "block", height]) => of_block(view, request, height),
        (false, ["txs", hash]) => by_hash(view, hash),
        _ => Err(RestRefusal::not_implemented()),
    }
}

/// Simulates a transaction in the next block and writes its gas and its events.
fn simulate(view: &NodeView<'_>, request: &NodeRequest) -> RestAnswer {
    let raw = tx_to_simulate(request)?;
    let tried = PostedTx::read(&raw).map_err(ExternalError::from).and_then(|posted| view.state.simulate(&posted));
    match tried {
        Ok(Ok(TrialRun { gas, events: ran })) => Ok(simulated(gas, &events(&ran))),
        Ok(Err(failure)) => Err(RestRefusal::tried(&failure.log)),
        Err(error) => Err(RestRefusal::tried(&error)),
    }
}

pub(in crate::demo::node) fn simulated(gas: u64, events: &[Value]) -> Value {
    json!({
        "gas_info": { "gas_wanted": "0", "gas_used": gas.to_string() },
        "result": { "data": null, "log": "", "events": events, "msg_responses": [] },
    })
}

fn body(tx: &CommittedTx) -> Value {
    serde_json::from_str(&tx.body).unwrap_or_default()
}

/// Writes a page of a block's transactions, and the block. As on real nodes there is no next key, so clients page by
/// offset.
fn of_block(view: &NodeView<'_>, request: &NodeRequest, height: &str) -> RestAnswer {
    let (tip, number) = (view.tip, height.parse::<i64>());
    let number = number.map_err(|_| {
        RestRefusal::invalid(format!(
            "type mismatch, parameter: height, error: strconv.ParseInt: parsing \"{height}\": invalid syntax"
        ))
    })?;
    let height = u64::try_from(number).ok().and_then(Height::new).filter(|height| *height <= tip);
    let height = height.ok_or_else(|| {
        let why = format!(
            "requested height {number} but height must not be less than 1 or greater than the current height {tip}"
        );
        RestRefusal::sdk(26, "invalid height", &why)
    })?;
    let block = base::found(view, height)?;
    let PageAsked { offset, limit, .. } = PageAsked::read(&request.query)?;
    let count = block.txs.len();
    if count > 0 && offset >= count {
        let why = format!("out of range: cannot paginate {count} txs with offset {offset} and limit {limit}");
        return Err(RestRefusal::sdk(18, "invalid request", &why));
    }
    let txs: Vec<Value> = block.txs.iter().skip(offset).take(limit).map(body).collect();
    Ok(json!({
        "txs": txs,
        "block_id": FORM.id(&block_id(block.hash.bytes())),
        "block": FORM.block(view, &block)?,
        "pagination": { "next_key": null, "total": count.to_string() },
    }))
}

fn by_hash(view: &NodeView<'_>, text: &str) -> RestAnswer {
    let hash: TxHash = text.parse().map_err(|_| RestRefusal::not_found(format!("tx not found: {text}")))?;
    let found = view.find_tx(&hash);
    let (block, place) = found.ok_or_else(|| RestRefusal::not_found(format!("tx not found: {text}")))?;
    let tx = block.txs.get(place).ok_or_else(RestRefusal::not_implemented)?;
    let mut typed = json!({ "@type": "/cosmos.tx.v1beta1.Tx" });
    if let (Some(fields), Value::Object(written)) = (typed.as_object_mut(), body(tx)) {
        fields.extend(written);
    }
    Ok(json!({
        "tx": body(tx),
        "tx_response": {
            "height": block.height.to_string(),
            "txhash": hex::encode_upper(tx.hash.bytes()),
            "codespace": tx.codespace,
            "code": tx.code,
            "data": hex::encode_upper(&tx.data),
            "raw_log": tx.raw_log,
            "logs": [],
            "info": tx.info,
            "gas_wanted": tx.gas_wanted.to_string(),
            "gas_used": tx.gas_used.to_string(),
            "tx": typed,
            "timestamp": block.time.cut_to_seconds().to_string(),
            "events": events(&tx.events),
        },
    }))
}
