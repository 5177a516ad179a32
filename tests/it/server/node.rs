//! The embedded rollup as a node, held against what its index says of the same chain.

mod blocks;
mod ethereum;
mod state;

use std::time::Duration;

use rollscope::{
    demo::{ClockMode, Rollup, RollupOptions, ledger::LedgerOptions},
    domain::{Address, Vm},
};
use serde_json::{Value, json};

use super::client::{ANYWHERE, Server};

/// Blocks of most tests.
const HISTORY: u64 = 60;

pub(super) fn options(vm: Vm, history: u64) -> RollupOptions {
    let genesis_time = "2026-01-31T12:00:00Z".parse().expect("a fixed time");
    let ledger = LedgerOptions { vm, seed: 7, genesis_time, block_time: Duration::from_secs(1), accounts: 120 };
    RollupOptions { clock: ClockMode::Stepped, history, ..RollupOptions::new(ledger) }
}

/// A rollup whose whole history is indexed.
pub(super) fn start(vm: Vm, history: u64) -> Server {
    let rollup = Rollup::start(options(vm, history), ANYWHERE).expect("it starts");
    rollup.wait_until_indexed().expect("it indexes");
    Server::of(rollup)
}

/// The result of a method of the RPC, asked by its address.
async fn rpc(server: &Server, question: &str) -> Value {
    let mut answer = server.json(&format!("/node/rpc/{question}")).await;
    assert_eq!(answer["jsonrpc"], "2.0", "{answer}");
    answer["result"].take()
}

/// An answer of REST.
async fn rest(server: &Server, path: &str) -> Value {
    server.json(&format!("/node/rest{path}")).await
}

/// The result of a method of the JSON-RPC.
async fn eth(server: &Server, method: &str, params: Value) -> Value {
    let question = json!({ "jsonrpc": "2.0", "id": 7, "method": method, "params": params });
    let mut answer = server.post("/node/json-rpc", &question).await.json();
    assert_eq!((&answer["id"], &answer["error"]), (&json!(7), &Value::Null), "{answer}");
    answer["result"].take()
}

/// Every record of a list of the indexer API, in the chain's order.
async fn all(server: &Server, path: &str, name: &str) -> Vec<Value> {
    let separator = if path.contains('?') { '&' } else { '?' };
    let page = server.json(&format!("{path}{separator}pagination.limit=1000&pagination.reverse=false")).await;
    let records = page[name].as_array().expect("a list").clone();
    assert!(records.len() < 1000, "one page has them all");
    records
}

fn text<'a>(value: &'a Value, name: &str) -> &'a str {
    value[name].as_str().expect("a text")
}

/// The demo wallet on the rollup.
async fn wallet(server: &Server) -> Address {
    let demo = server.json("/demo/v1").await;
    text(&demo["wallet"]["addresses"], text(&demo, "chain_id")).parse().expect("an address")
}
