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
        ledger::{CommittedBlock, CommittedTx, ExternalError, TrialRun, block_id},
        posted::PostedTx,
    },
    domain::{Height, TxHash},
    events::TxEvent,
};

const FORM: BlockForm = BlockForm::Proto;

/// Number of blocks that a search reads.
const SEARCHED: u64 = 20_000;

pub(super) fn answer(view: &NodeView<'_>, request: &NodeRequest, path: &[&str]) -> RestAnswer {
    match (request.is_post, path) {
        (true, ["txs"]) => view.brought.tx_response(request),
        (true, ["simulate"]) => simulate(view, request),
        (false, ["txs"]) => search(view, request),
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
    Ok(json!({ "tx": body(tx), "tx_response": response(&block, tx) }))
}

/// Writes a transaction as the answers of its hash and of a search have it.
fn response(block: &CommittedBlock, tx: &CommittedTx) -> Value {
    let mut typed = json!({ "@type": "/cosmos.tx.v1beta1.Tx" });
    if let (Some(fields), Value::Object(written)) = (typed.as_object_mut(), body(tx)) {
        fields.extend(written);
    }
    json!({
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
    })
}

/// Searches the newest blocks for an event with all attributes of the query; a real node has an index of all blocks.
fn search(view: &NodeView<'_>, request: &NodeRequest) -> RestAnswer {
    let query = request.query.first("query").unwrap_or_default();
    let parts: Option<Vec<(&str, &str, &str)>> = query.split(" AND ").map(condition).collect();
    let parts = parts.ok_or_else(|| RestRefusal::invalid(format!("this simulated node cannot search for {query}")))?;
    let holds = |event: &TxEvent| {
        parts.iter().all(|(kind, key, value)| event.kind == *kind && event.value(key) == Some(*value))
    };
    let lowest = view.tip.get().saturating_sub(SEARCHED).max(1);
    let limit = request.query.first("limit").and_then(|limit| limit.parse().ok()).unwrap_or(100);
    let (mut responses, mut total) = (Vec::new(), 0);
    for height in (lowest..=view.tip.get()).rev().filter_map(Height::new) {
        let Some(block) = view.block(height) else { break };
        for tx in block.txs.iter().rev().filter(|tx| tx.events.iter().any(holds)) {
            total += 1;
            if responses.len() < limit {
                responses.push(response(&block, tx));
            }
        }
    }
    if total == 0 && lowest > 1 {
        return Err(RestRefusal::invalid(format!("this simulated node searches only its newest {SEARCHED} blocks")));
    }
    Ok(json!({ "txs": [], "tx_responses": responses, "pagination": null, "total": total.to_string() }))
}

/// Parses a condition such as `send_packet.packet_sequence='4'`.
fn condition(text: &str) -> Option<(&str, &str, &str)> {
    let (name, value) = text.split_once('=')?;
    let (kind, key) = name.trim().split_once('.')?;
    Some((kind, key, value.trim().strip_prefix('\'')?.strip_suffix('\'')?))
}
