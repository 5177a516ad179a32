//! `CometBFT` RPC. Each method is available as `GET /name`, and as JSON-RPC by `POST /`.

mod blocks;
pub(super) mod params;
pub(super) mod query;
mod refusal;
mod status;
mod txs;

use axum::http::StatusCode;
use serde_json::{Value, json};

use self::params::RpcParams;
pub(super) use self::{
    refusal::MethodRefusal,
    status::{COMET_VERSION, node_id},
};
use super::{NodeRequest, brought::BroughtTxs, view::NodeView};
use crate::wire::proto::tx_hash;

/// Maximum number of requests in a batch.
const MOST_AT_ONCE: usize = 100;

/// Method of a node with the view `V`: name, positional parameter names, handler.
pub(super) type RpcMethod<V> = (&'static str, &'static [&'static str], RpcHandler<V>);
type RpcHandler<V> = fn(&V, &RpcParams) -> Result<Value, MethodRefusal>;

pub(super) const BROADCASTS: [&str; 3] = ["broadcast_tx_sync", "broadcast_tx_async", "broadcast_tx_commit"];

fn methods<'a>() -> [RpcMethod<NodeView<'a>>; 17] {
    [
        ("health", &[], |_, _| Ok(json!({}))),
        ("status", &[], status::status),
        ("net_info", &[], status::net_info),
        ("abci_info", &[], status::abci_info),
        ("validators", &["height", "page", "per_page"], status::validators),
        ("blockchain", &["minHeight", "maxHeight"], blocks::blockchain),
        ("header", &["height"], blocks::header),
        ("block", &["height"], blocks::block),
        ("block_by_hash", &["hash"], blocks::block_by_hash),
        ("block_results", &["height"], blocks::block_results),
        ("commit", &["height"], blocks::commit),
        ("tx", &["hash", "prove"], txs::tx),
        ("tx_search", &["query", "prove", "page", "per_page", "order_by"], txs::tx_search),
        ("broadcast_tx_sync", &["tx"], txs::broadcast),
        ("broadcast_tx_async", &["tx"], txs::broadcast),
        ("broadcast_tx_commit", &["tx"], txs::broadcast),
        ("abci_query", &["path", "data", "height", "prove"], query::abci_query),
    ]
}

pub(super) fn answer(view: &NodeView<'_>, request: &NodeRequest) -> (StatusCode, Value) {
    answer_by(&methods(), view, request)
}

pub(super) fn answer_by<V>(methods: &[RpcMethod<V>], view: &V, request: &NodeRequest) -> (StatusCode, Value) {
    if request.is_post {
        return (StatusCode::OK, asked(methods, view, &request.body));
    }
    let method = match request.path()[..] {
        [] => return (StatusCode::OK, endpoints(methods)),
        [method] => method,
        _ => "",
    };
    let Some((_, _, handler)) = methods.iter().find(|(name, ..)| *name == method) else {
        return (StatusCode::NOT_FOUND, refused(&json!(-1), &MethodRefusal::Method));
    };
    match handler(view, &RpcParams::of_query(&request.query)) {
        Ok(result) => (StatusCode::OK, json!({ "jsonrpc": "2.0", "id": -1, "result": result })),
        Err(refusal) => (StatusCode::INTERNAL_SERVER_ERROR, refused(&json!(-1), &refusal)),
    }
}

/// Lists the methods, for a request that names none. A real node returns a page of links.
fn endpoints<V>(methods: &[RpcMethod<V>]) -> Value {
    let names: Vec<&str> = methods.iter().map(|(name, ..)| *name).collect();
    json!({ "endpoints": names })
}

/// Answers one JSON-RPC request or a batch.
fn asked<V>(methods: &[RpcMethod<V>], view: &V, body: &[u8]) -> Value {
    match serde_json::from_slice::<Value>(body) {
        Ok(Value::Array(questions)) if questions.len() <= MOST_AT_ONCE => {
            questions.iter().map(|question| one(methods, view, question)).collect()
        }
        Ok(question @ Value::Object(_)) => one(methods, view, &question),
        Ok(_) => json!({ "jsonrpc": "2.0", "id": -1, "error": { "code": -32_600, "message": "Invalid Request" } }),
        Err(error) => {
            let error = json!({ "code": -32_700, "message": "Parse error. Invalid JSON", "data": error.to_string() });
            json!({ "jsonrpc": "2.0", "id": -1, "error": error })
        }
    }
}

fn one<V>(methods: &[RpcMethod<V>], view: &V, question: &Value) -> Value {
    let id = question.get("id").unwrap_or(&Value::Null);
    let method = question.get("method").and_then(Value::as_str).unwrap_or_default();
    let Some((_, names, handler)) = methods.iter().find(|(name, ..)| *name == method) else {
        return refused(id, &MethodRefusal::Method);
    };
    match RpcParams::of_json(question.get("params"), names).and_then(|params| handler(view, &params)) {
        Ok(result) => json!({ "jsonrpc": "2.0", "id": id, "result": result }),
        Err(refusal) => refused(id, &refusal),
    }
}

fn refused(id: &Value, refusal: &MethodRefusal) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "error": refusal.json() })
}

pub(super) fn brought(request: &NodeRequest) -> Vec<Vec<u8>> {
    if !request.is_post {
        let is_broadcast = matches!(request.path()[..], [method] if BROADCASTS.contains(&method));
        let bytes = RpcParams::of_query(&request.query).bytes("tx");
        return bytes.filter(|_| is_broadcast).into_iter().collect();
    }
    let questions = match serde_json::from_slice::<Value>(&request.body) {
        Ok(Value::Array(questions)) if questions.len() <= MOST_AT_ONCE => questions,
        Ok(question @ Value::Object(_)) => vec![question],
        _ => return Vec::new(),
    };
    let bytes = |question: &Value| {
        BROADCASTS.contains(&question.get("method")?.as_str()?).then_some(())?;
        RpcParams::of_json(question.get("params"), &["tx"]).ok()?.bytes("tx")
    };
    questions.iter().filter_map(bytes).collect()
}

pub(super) fn broadcast(brought: &BroughtTxs, params: &RpcParams) -> Result<Value, MethodRefusal> {
    let bytes = params.bytes("tx").ok_or_else(|| MethodRefusal::Params("tx must be bytes".to_owned()))?;
    let refusal = brought.refusal(&bytes);
    if refusal.is_some_and(|refusal| refusal.code == 19) {
        return Err(MethodRefusal::failed("tx already exists in cache"));
    }
    Ok(json!({
        "code": refusal.map_or(0, |refusal| refusal.code),
        "data": "",
        "log": refusal.map_or("", |refusal| refusal.log.as_str()),
        "codespace": refusal.map_or("", |refusal| refusal.codespace),
        "hash": tx_hash(&bytes).to_string(),
    }))
}
