//! A gateway before several nodes of the JSON-RPC, one of which does not have the block yet: what it says of that block
//! is not believed.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
};

use rollscope::{
    domain::Vm,
    indexer::node::{FollowOptions, ServiceOptions},
};
use rstest::rstest;
use serde_json::{Value, json};

use crate::harness::{
    player::{NodePlayer, Served},
    recording::Recording,
};

/// How often the node that lags is the one to answer about each block.
const LIES: usize = 4;

fn recording() -> Recording {
    Recording::fixture("minievm-1.1", Vm::Evm).cut(160)
}

async fn served(player: &NodePlayer) -> Served {
    let follow = FollowOptions { has_rich_list: false, ..FollowOptions::default() };
    player.served(ServiceOptions { follow, ..ServiceOptions::default() }).await
}

/// Every receipt, and the calls of every block that has some.
async fn everything(served: &Served, recording: &Recording) -> Vec<Value> {
    served.filled().await;
    let mut pages = vec![served.json("/indexer/tx/v1/evm-txs?pagination.limit=1000").await];
    for block in recording.blocks.iter().filter(|block| has_some(block.traces.as_deref())) {
        let path = format!("/indexer/tx/v1/evm-internal-txs/by_height/{}?pagination.limit=1000", block.height);
        let has_calls = |page: &Value| page["internal_txs"].as_array().is_some_and(|rows| !rows.is_empty());
        pages.push(served.until(&path, has_calls).await);
    }
    pages
}

fn has_some(list: Option<&serde_json::value::RawValue>) -> bool {
    list.is_some_and(|list| list.get().len() > 2)
}

/// How often each block was lied about.
type Told = Arc<Mutex<BTreeMap<String, usize>>>;

/// The first answers about each block that has some lack what this method gives: it is this instead.
fn lag(player: &NodePlayer, method: &'static str, instead: Value, most: usize) -> Told {
    let told = Told::default();
    let count = Arc::clone(&told);
    player.change(move |stage| {
        stage.lie = Some(Box::new(move |request, answer| {
            let Some(place) = place_of(request, method) else { return };
            let Some(result) = answer.pointer_mut(&place) else { return };
            if result.as_array().is_none_or(Vec::is_empty) {
                return;
            }
            let height = request.split("0x").nth(1).and_then(|rest| rest.split('"').next()).unwrap_or_default();
            let mut told = count.lock().expect("no test panics with it");
            let told = told.entry(height.to_owned()).or_default();
            if *told < most {
                *told += 1;
                *result = instead.clone();
            }
        }));
    });
    told
}

/// Where the answer to a request has the result of this method, if it calls it.
fn place_of(request: &str, method: &str) -> Option<String> {
    let posted = request.strip_prefix("/json-rpc")?.trim_start_matches('/').trim_start();
    if let Ok(Value::Array(calls)) = serde_json::from_str(posted) {
        let place = calls.iter().position(|call| call["method"] == method)?;
        return Some(format!("/{place}/result"));
    }
    posted.starts_with(method).then(|| "/result".to_owned())
}

#[rstest]
#[case("eth_getBlockReceipts", json!([]))]
#[case("eth_getBlockReceipts", json!(null))]
#[case("debug_traceBlockByNumber", json!([]))]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_node_that_does_not_have_the_block_yet_is_asked_again(#[case] method: &'static str, #[case] instead: Value) {
    let recording = recording();
    let player = NodePlayer::start(&recording);
    let expected = everything(&served(&player).await, &recording).await;
    let told = lag(&player, method, instead, LIES);
    assert_eq!(everything(&served(&player).await, &recording).await, expected);
    let told = told.lock().expect("no test panics with it");
    let with_some = recording.blocks.iter().filter(|block| has_some(block.receipts.as_deref())).count();
    assert!(with_some > 20 && told.len() == with_some, "{with_some} blocks have receipts: {told:?}");
    assert!(told.values().all(|times| *times == LIES), "every lie was told: {told:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_block_whose_receipts_never_come_is_not_shown_without_them_and_it_is_said() {
    let recording = recording();
    let player = NodePlayer::start(&recording);
    let newest = recording.blocks.iter().rfind(|block| has_some(block.receipts.as_deref())).expect("one has");
    // The chain's newest block is one with receipts.
    player.change(|stage| stage.tip = newest.height - 1);
    let served = served(&player).await;
    served.filled().await;
    lag(&player, "eth_getBlockReceipts", json!([]), usize::MAX);
    player.change(|stage| stage.tip = newest.height);
    let progress = served.progress("a sentence", |progress| progress.trouble.is_some()).await;
    let trouble = progress.trouble.unwrap_or_default();
    assert!(trouble.contains(&format!("of block {}, but sends no receipts", newest.height)), "{trouble}");
    assert_eq!(served.json("/status").await["height"], newest.height - 1);
    player.change(|stage| stage.lie = None);
    served.until("/status", |status| status["height"] == newest.height).await;
    let page = served.json(&format!("/indexer/tx/v1/evm-txs/by_height/{}", newest.height)).await;
    assert!(page["txs"].as_array().is_some_and(|rows| !rows.is_empty()), "{page}");
}

/// An older node: its call frames are absent, and nobody waits for them.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_node_that_cannot_trace_leaves_no_call_frames_to_wait_for() {
    let recording = recording();
    let player = NodePlayer::start(&recording);
    player.change(|stage| {
        stage.lie = Some(Box::new(|request, answer| {
            if request.contains("debug_traceBlockByNumber") {
                *answer = json!({"jsonrpc": "2.0", "id": 1, "error": {"code": -32601, "message":
                    "the method debug_traceBlockByNumber does not exist/is not available"}});
            }
        }));
    });
    let served = served(&player).await;
    served.filled().await;
    let says_so = |status: &Value| {
        let notes = status["node"]["notes"].as_array().cloned().unwrap_or_default();
        notes.iter().filter(|note| note.as_str().is_some_and(|note| note.contains("cannot trace"))).count() == 1
    };
    let status = served.until("/status", says_so).await;
    assert_ne!(status["is_complete"], false, "{status}");
    assert_eq!(status.get("internal_tx_height"), None, "{status}");
    let account = recording.blocks.iter().find_map(|block| {
        let receipts: Value = serde_json::from_str(block.receipts.as_deref()?.get()).ok()?;
        Some(receipts.get(0)?["from"].as_str()?.to_owned())
    });
    let of_account = format!("/indexer/tx/v1/evm-internal-txs/by_account/{}", account.expect("one has receipts"));
    for path in ["/indexer/tx/v1/evm-internal-txs", &of_account] {
        assert_eq!(served.json(path).await["internal_txs"], json!([]), "{path}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn heads_without_transactions_are_believed_at_once() {
    let mut recording = recording();
    for block in &mut recording.blocks {
        // The player makes heads of its own then: without transactions.
        (block.receipts, block.traces, block.eth_block) = (None, None, None);
    }
    let player = NodePlayer::start(&recording);
    let served = served(&player).await;
    served.filled().await;
    assert_eq!(served.json("/indexer/tx/v1/evm-txs").await["txs"], json!([]));
    let stage = player.stage();
    let asked: Vec<_> = stage.asked.iter().filter(|(request, _)| request.contains("eth_getBlockReceipts")).collect();
    assert!(asked.len() > 40 && asked.iter().all(|(_, times)| **times == 1), "{asked:#?}");
}
