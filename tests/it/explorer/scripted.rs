//! A server that a test scripts, on a thread of its own, and small records for it to give.

use rollscope::domain::Timestamp;
use serde_json::{Value, json};
use tokio::runtime::Runtime;

use crate::harness::{
    Builder, Explorer,
    replay::{Answer, Replay, Seen},
};

/// Ends when dropped.
pub(crate) struct Server {
    replay: Replay,
    /// Dropped last: the server runs on it.
    _runtime: Runtime,
}

impl Server {
    pub(crate) fn new(handler: impl Fn(&Seen, usize) -> Answer + Send + Sync + 'static) -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
        let runtime = runtime.expect("a runtime for the scripted server");
        let replay = runtime.block_on(Replay::scripted(handler));
        Self { replay, _runtime: runtime }
    }

    pub(crate) fn url(&self) -> &str {
        self.replay.url()
    }

    /// What was asked so far.
    pub(crate) fn seen(&self) -> Vec<Seen> {
        self.replay.seen()
    }

    /// An explorer of this server, an hour after the chain began.
    pub(super) fn explorer(&self) -> Builder {
        Explorer::builder().size(100, 30).at(start()).server(self.url())
    }
}

/// When explorers of these servers start, and when all of their blocks were made.
fn start() -> Timestamp {
    genesis().after(std::time::Duration::from_secs(3600))
}

pub(super) fn genesis() -> Timestamp {
    "2026-01-31T12:00:00Z".parse().expect("a fixed time")
}

/// The path of a request.
pub(super) fn path(seen: &Seen) -> &str {
    seen.target.split('?').next().unwrap_or_default()
}

/// A parameter of a request; keys of these servers need no decoding.
pub(super) fn parameter<'a>(seen: &'a Seen, name: &str) -> Option<&'a str> {
    let query = seen.target.split_once('?')?.1;
    query.split('&').find_map(|part| part.strip_prefix(name)?.strip_prefix('='))
}

pub(super) fn status(height: u64) -> Answer {
    Answer::json(json!({"chain_id": "scripted-1", "height": height}).to_string())
}

pub(super) fn block(height: u64) -> Value {
    json!({
        "chain_id": "scripted-1", "height": height.to_string(), "hash": format!("{height:064X}"),
        "block_time": "1000", "timestamp": start().to_string(), "gas_used": "50", "gas_wanted": "100",
        "tx_count": "1", "total_fee": [], "proposer": {"moniker": "m", "identity": "", "operator_address": "o"},
    })
}

/// A transaction whose hash begins with its number.
pub(super) fn tx(number: u64) -> Value {
    json!({
        "txhash": format!("{number:04X}{:060X}", number * 7 + 1), "height": number.to_string(), "codespace": "",
        "code": 0, "data": "", "raw_log": "", "logs": [], "info": "", "gas_wanted": "2", "gas_used": "1",
        "tx": {"body": {"messages": [{"@type": "/cosmos.bank.v1beta1.MsgSend", "amount": []}], "memo": ""},
               "auth_info": {"fee": {"amount": []}}, "signatures": []},
        "timestamp": genesis().to_string(), "events": [],
    })
}

/// How a scripted list shows the transaction with this number.
pub(super) fn short_hash(number: u64) -> String {
    format!("{number:04X}…{:04X}", (number * 7 + 1) % 0x1_0000)
}

/// A page as the real server gives it: rows below the key, the greatest number first, a key on the last page too.
pub(super) fn page(seen: &Seen, name: &str, newest: u64, make: impl Fn(u64) -> Value) -> Answer {
    let limit: u64 = parameter(seen, "pagination.limit").and_then(|text| text.parse().ok()).expect("a limit");
    if parameter(seen, "pagination.reverse") == Some("false") {
        let rows: Vec<Value> = (1..=newest.min(limit)).map(make).collect();
        return Answer::json(json!({name: rows, "pagination": {"next_key": null, "total": "0"}}).to_string());
    }
    let key = parameter(seen, "pagination.key").map_or(newest + 1, |text| text.parse().expect("a key of this server"));
    let last = key.saturating_sub(limit).max(1);
    let rows: Vec<Value> = (last..key).rev().map(make).collect();
    let next = (!rows.is_empty()).then(|| last.to_string());
    Answer::json(json!({name: rows, "pagination": {"previous_key": null, "next_key": next, "total": "0"}}).to_string())
}

/// A chain with as many transactions as blocks.
pub(crate) fn chain(seen: &Seen, height: u64) -> Answer {
    // Whatever network of the server it is.
    let path = path(seen);
    let path = ["/a", "/b", "/c"]
        .iter()
        .find_map(|name| path.strip_prefix(name))
        .filter(|path| path.starts_with('/'))
        .unwrap_or(path);
    match path {
        "/status" => status(height),
        "/indexer/block/v1/avg_blocktime" => Answer::json(r#"{"avg_block_time": 1.0}"#),
        "/indexer/block/v1/blocks" => page(seen, "blocks", height, block),
        "/indexer/tx/v1/txs" => page(seen, "txs", height, tx),
        _ => Answer::text(404, "[NOT_FOUND] not found"),
    }
}
