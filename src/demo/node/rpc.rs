//! The `CometBFT` RPC: each method as a `GET` of its name, and as JSON-RPC by `POST` to the interface's own path.

mod blocks;
mod params;
mod query;
mod status;
mod txs;

use axum::http::StatusCode;
use serde_json::{Value, json};

use self::params::RpcParams;
pub(super) use self::status::{COMET_VERSION, node_id};
use super::{NodeRequest, raw::UnwritableTx, view::NodeView};

/// Questions that one request may hold.
const MOST_AT_ONCE: usize = 100;

/// Why a method gives no result.
#[derive(Debug)]
pub(super) enum MethodRefusal {
    /// There is no such method.
    Method,
    /// A parameter cannot be read.
    Params(String),
    /// What was asked for is not there.
    Failed(String),
}

impl From<UnwritableTx> for MethodRefusal {
    fn from(error: UnwritableTx) -> Self {
        Self::Failed(error.to_string())
    }
}

impl MethodRefusal {
    fn failed(why: impl Into<String>) -> Self {
        Self::Failed(why.into())
    }

    fn json(&self) -> Value {
        let (code, message, data) = match self {
            Self::Method => (-32_601, "Method not found", ""),
            Self::Params(why) => (-32_602, "Invalid params", why.as_str()),
            Self::Failed(why) => (-32_603, "Internal error", why.as_str()),
        };
        let mut error = json!({ "code": code, "message": message });
        if let (false, Some(fields)) = (data.is_empty(), error.as_object_mut()) {
            fields.insert("data".to_owned(), data.into());
        }
        error
    }
}

type RpcHandler = fn(&NodeView<'_>, &RpcParams) -> Result<Value, MethodRefusal>;

/// Every method with its parameters in the order in which a list of them has them.
const METHODS: &[(&str, &[&str], RpcHandler)] = &[
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
];

/// Answers a request.
pub(super) fn answer(view: &NodeView<'_>, request: &NodeRequest) -> (StatusCode, Value) {
    if request.is_post {
        return (StatusCode::OK, posted(view, &request.body));
    }
    let method = match request.path()[..] {
        [] => return (StatusCode::OK, endpoints()),
        [method] => method,
        _ => "",
    };
    let Some((_, _, handler)) = METHODS.iter().find(|(name, ..)| *name == method) else {
        return (StatusCode::NOT_FOUND, refused(&json!(-1), &MethodRefusal::Method));
    };
    match handler(view, &RpcParams::of_query(&request.query)) {
        Ok(result) => (StatusCode::OK, json!({ "jsonrpc": "2.0", "id": -1, "result": result })),
        Err(refusal) => (StatusCode::INTERNAL_SERVER_ERROR, refused(&json!(-1), &refusal)),
    }
}

/// What can be asked, for whoever comes without a question; a real node writes a page of links.
fn endpoints() -> Value {
    let names: Vec<&str> = METHODS.iter().map(|(name, ..)| *name).collect();
    json!({ "endpoints": names })
}

/// Answers one question, or several at once.
fn posted(view: &NodeView<'_>, body: &[u8]) -> Value {
    match serde_json::from_slice::<Value>(body) {
        Ok(Value::Array(questions)) if questions.len() <= MOST_AT_ONCE => {
            questions.iter().map(|question| one(view, question)).collect()
        }
        Ok(question @ Value::Object(_)) => one(view, &question),
        Ok(_) => json!({ "jsonrpc": "2.0", "id": -1, "error": { "code": -32_600, "message": "Invalid Request" } }),
        Err(error) => {
            let error = json!({ "code": -32_700, "message": "Parse error. Invalid JSON", "data": error.to_string() });
            json!({ "jsonrpc": "2.0", "id": -1, "error": error })
        }
    }
}

fn one(view: &NodeView<'_>, question: &Value) -> Value {
    let id = question.get("id").unwrap_or(&Value::Null);
    let method = question.get("method").and_then(Value::as_str).unwrap_or_default();
    let Some((_, names, handler)) = METHODS.iter().find(|(name, ..)| *name == method) else {
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
