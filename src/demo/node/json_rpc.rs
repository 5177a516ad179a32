//! Ethereum's JSON-RPC as a MiniEVM node serves it, with single and batch requests.

mod blocks;
mod filter;
mod joined;
mod params;
pub(super) mod payload;
mod state;
mod traces;

use alloy_primitives::{hex, keccak256};
use axum::http::StatusCode;
use serde_json::{Value, json};

use self::params::{read_hash, read_height};
pub(super) use self::{
    params::{EthAnswer, EthParams, EthRefusal, quantity, read_account, read_number},
    state::{code_of, storage_of},
};
use super::{NodeRequest, brought::BroughtTxs, view::NodeView};
/// SDK code for a transaction that the mempool already has.
const ALREADY_WAITING: u32 = 19;

/// Maximum number of requests in a batch.
const MOST_AT_ONCE: usize = 1_000;

/// Method of a chain with the view `V`: name and handler.
pub(super) type EthMethod<V> = (&'static str, fn(&V, &EthParams<'_>) -> EthAnswer);

fn methods<'a>() -> [EthMethod<NodeView<'a>>; 27] {
    [
        ("web3_clientVersion", |_, _| Ok(concat!("rollscope/", env!("CARGO_PKG_VERSION")).into())),
        ("net_version", |_, _| Ok(state::chain_id().to_string().into())),
        ("net_listening", |_, _| Ok(true.into())),
        ("eth_chainId", |_, _| Ok(quantity(u128::from(state::chain_id())))),
        ("eth_syncing", |_, _| Ok(false.into())),
        ("eth_accounts", |_, _| Ok(json!([]))),
        ("eth_blockNumber", |view, _| Ok(quantity(u128::from(view.tip.get())))),
        ("eth_getBlockByNumber", blocks::block_by_number),
        ("eth_getBlockByHash", blocks::block_by_hash),
        ("eth_getBlockReceipts", blocks::block_receipts),
        ("eth_getTransactionByHash", blocks::transaction),
        ("eth_getTransactionReceipt", blocks::receipt),
        ("eth_getTransactionCount", state::transaction_count),
        ("eth_getBalance", state::balance),
        ("eth_getCode", state::code),
        ("eth_getStorageAt", state::storage),
        ("eth_call", state::call),
        ("eth_estimateGas", state::estimate_gas),
        ("eth_gasPrice", |view, _| Ok(quantity(state::gas_price(view)))),
        ("eth_maxPriorityFeePerGas", |_, _| Ok(quantity(0))),
        ("eth_feeHistory", state::fee_history),
        ("eth_getLogs", filter::logs),
        ("debug_traceBlockByNumber", traces::block),
        ("debug_traceTransaction", traces::transaction),
        ("eth_sendRawTransaction", |view, params| sent(&view.brought, params)),
        ("cosmos_cosmosTxHashByTxHash", joined::cosmos_hash),
        ("cosmos_txHashByCosmosTxHash", joined::ethereum_hash),
    ]
}

pub(super) fn sent(brought: &BroughtTxs, params: &EthParams<'_>) -> EthAnswer {
    let raw = hex::decode(params.text(0)?).map_err(|error| EthRefusal::params(format!("invalid argument: {error}")))?;
    match brought.refusal(&raw) {
        None => Ok(hex::encode_prefixed(keccak256(&raw)).into()),
        Some(refusal) if refusal.code == ALREADY_WAITING => Err(EthRefusal::failed("already known")),
        Some(refusal) => Err(EthRefusal::failed(refusal.log.as_str())),
    }
}

pub(super) fn brought(request: &NodeRequest) -> Vec<Vec<u8>> {
    let questions = match serde_json::from_slice::<Value>(&request.body) {
        Ok(Value::Array(questions)) if questions.len() <= MOST_AT_ONCE => questions,
        Ok(question @ Value::Object(_)) => vec![question],
        _ => return Vec::new(),
    };
    let is_it = |question: &&Value| question["method"] == "eth_sendRawTransaction";
    let raw = |question: &Value| hex::decode(question["params"].get(0)?.as_str()?).ok();
    questions.iter().filter(is_it).filter_map(raw).collect()
}

/// Answers a request about the rollup.
pub(super) fn answer(view: &NodeView<'_>, request: &NodeRequest) -> (StatusCode, Value) {
    answer_by(&methods(), view, request)
}

pub(super) fn answer_by<V>(methods: &[EthMethod<V>], view: &V, request: &NodeRequest) -> (StatusCode, Value) {
    if !request.is_post || !request.parts.is_empty() {
        let error = json!({ "code": -32_600, "message": "send requests as JSON with POST to this interface's path" });
        return (StatusCode::METHOD_NOT_ALLOWED, json!({ "jsonrpc": "2.0", "id": null, "error": error }));
    }
    let json = match serde_json::from_slice::<Value>(&request.body) {
        Ok(Value::Array(questions)) if questions.is_empty() => refused(&Value::Null, -32_600, "empty batch"),
        Ok(Value::Array(questions)) if questions.len() > MOST_AT_ONCE => {
            refused(&Value::Null, -32_600, "batch too large")
        }
        Ok(Value::Array(questions)) => questions.iter().map(|question| one(methods, view, question)).collect(),
        Ok(question) => one(methods, view, &question),
        Err(_) => refused(&Value::Null, -32_700, "parse error"),
    };
    (StatusCode::OK, json)
}

fn refused(id: &Value, code: i32, message: &str) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": message } })
}

fn one<V>(methods: &[EthMethod<V>], view: &V, question: &Value) -> Value {
    let id = question.get("id").unwrap_or(&Value::Null);
    let Some(method) = question.get("method").and_then(Value::as_str) else {
        return refused(id, -32_600, "invalid request");
    };
    let Some((_, handler)) = methods.iter().find(|(name, _)| *name == method) else {
        let message = format!("the method {method} does not exist/is not available");
        return refused(id, -32_601, &message);
    };
    let params = question.get("params").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    match handler(view, &EthParams(params)) {
        Ok(result) => json!({ "jsonrpc": "2.0", "id": id, "result": result }),
        Err(EthRefusal { code, message, data: None }) => refused(id, code, &message),
        Err(EthRefusal { code, message, data: Some(data) }) => {
            json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": message, "data": data } })
        }
    }
}
