//! Blocks whose answers are large: one at a time is in memory, and none waits for ever.

use std::{
    io::{BufRead as _, BufReader},
    pin::pin,
    process::{Command, Stdio},
    sync::Arc,
};

use axum::body::Bytes;
use base64::{Engine as _, prelude::BASE64_STANDARD};
use futures_util::future::join_all;
use rollscope::{
    client::{ClientOptions, NodeClient},
    domain::{Height, Vm},
    indexer::{
        ChainMetrics,
        node::{
            ClientFeed, FollowOptions, ServiceOptions,
            feed::{FeedError, NodeBlock, NodeFeed as _, NodeHeader},
        },
    },
};
use serde_json::{Value, json};

use crate::harness::{
    get,
    player::{Fault, NodePlayer, Served},
    recording::Recording,
};

/// So many spaces make any answer large.
const PADDING: usize = 3 << 20;

fn player(blocks: usize) -> NodePlayer {
    NodePlayer::start(&Recording::fixture("minievm-1.1", Vm::Evm).cut(blocks))
}

/// The answer of a node that is not played, with spaces that change nothing.
async fn padded(player: &NodePlayer, path: &str) -> Bytes {
    let url = format!("{}{path}", player.addresses().node);
    let answer = get(url).await.expect("the node answers").text().await.expect("the answer comes whole");
    format!("{answer}{}", " ".repeat(PADDING)).into()
}

async fn feed(player: &NodePlayer, blocks: u64) -> (Arc<ClientFeed>, Vec<NodeHeader>) {
    let client = NodeClient::find(&player.addresses(), ClientOptions::default(), 16).await.expect("the node is found");
    let feed = ClientFeed::new(&client, &ChainMetrics::of_server());
    let mut headers = Vec::new();
    for first in (1..=blocks).step_by(20) {
        let at = |height| Height::new(height).expect("a height");
        headers.extend(feed.headers(at(first), at((first + 19).min(blocks))).await.expect("headers"));
    }
    (feed, headers)
}

async fn block(feed: &ClientFeed, header: &NodeHeader) -> Result<NodeBlock, FeedError> {
    feed.block(header.clone()).await
}

#[tokio::test]
async fn one_block_with_large_answers_is_in_memory_until_it_is_written() {
    let player = player(60);
    let mut answers = Vec::new();
    for height in 1..=30 {
        let path = format!("/block_results?height={height}");
        answers.push((format!("/rpc{path}"), padded(&player, &path).await));
    }
    player.change(|stage| {
        stage.fault = Some(Box::new(move |request, _| {
            let (_, body) = answers.iter().find(|(path, _)| request == path)?;
            Some(Fault::Instead(body.clone()))
        }));
        stage.asked.clear();
    });
    let (feed, headers) = feed(&player, 60).await;
    let first = block(&feed, &headers[0]).await.expect("a block");
    assert!(first.answers.is_large() && first.answers.bytes() > PADDING, "{:?}", first.answers);
    let mut others = pin!(join_all(headers[1..30].iter().map(|header| block(&feed, header))));
    // More of them wait than the host takes requests, and small blocks come beside them.
    for header in headers[30..].iter().cycle().take(150) {
        tokio::select! {
            _ = &mut others => panic!("large blocks came while another was not written"),
            small = block(&feed, header) => assert!(!small.expect("a block").answers.is_large()),
        }
    }
    let asked = || player.stage().asked.keys().filter(|request| request.contains("block_results")).count();
    assert_eq!(asked(), 60, "they wait at their first bytes");
    drop(first);
    // The next is kept by who waits for all of them.
    let mut second = pin!(block(&feed, &headers[0]));
    tokio::select! {
        _ = &mut others => panic!("large blocks came while another was not written"),
        small = block(&feed, &headers[40]) => drop(small.expect("a block")),
        _ = &mut second => panic!("it waits behind the others"),
    }
}

async fn lists(served: &Served) -> Vec<Value> {
    let mut pages = Vec::new();
    for path in ["block/v1/blocks", "tx/v1/txs", "tx/v1/evm-txs", "nft/v1/collections"] {
        pages.push(served.json(&format!("/indexer/{path}?pagination.limit=1000")).await);
    }
    pages
}

#[tokio::test]
async fn large_answers_here_and_there_stop_neither_history_nor_tip_nor_call_frames() {
    let player = player(60);
    let options = || {
        let follow = FollowOptions { has_rich_list: false, ..FollowOptions::default() };
        ServiceOptions { follow, is_public: true, ..ServiceOptions::default() }
    };
    let whole = |status: &Value| status["is_complete"].is_null() && status["internal_tx_height"] == 60;
    let expected = {
        let served = player.served(options()).await;
        served.until("/status", whole).await;
        lists(&served).await
    };
    // Results, call frames and receipts of every fifth block; some answers fail once, and a block comes later.
    player.change(|stage| {
        stage.lie = Some(Box::new(|request, answer| {
            let is_fifth = (1..=60).step_by(5).any(|height| {
                request == format!("/rpc/block_results?height={height}")
                    || request.contains("debug_trace") && request.contains(&format!("\"{height:#x}\""))
                    || request.contains("getBlockReceipts") && request.contains(&format!("\"{height:#x}\""))
            });
            // Batches are lists.
            if is_fifth && answer.is_object() {
                answer["padding"] = "x".repeat(PADDING).into();
            }
        }));
        stage.fault = Some(Box::new(|request, before| {
            (before == 0 && request.contains("height=") && request.ends_with('7')).then_some(Fault::Cut)
        }));
        stage.tip = 50;
    });
    let served = player.served(options()).await;
    served.progress("the tip", |progress| progress.is_at_tip).await;
    player.change(|stage| stage.tip = 60);
    served.until("/status", whole).await;
    assert_eq!(lists(&served).await, expected);
}

/// A block of this many transactions with 50 MB of results, and five of 20 MB after it.
const LARGE_BLOCKS: [(u64, usize, usize); 6] = [
    (95, 10_000, 50 << 20),
    (96, 500, 20 << 20),
    (97, 500, 20 << 20),
    (98, 500, 20 << 20),
    (99, 500, 20 << 20),
    (100, 500, 20 << 20),
];

/// Answers of a block with many transactions, whose events have this size together.
fn many(height: u64, txs: usize, bytes: usize, block: &Value, results: &Value) -> Vec<(String, Bytes)> {
    let raw = BASE64_STANDARD.decode(block["result"]["block"]["data"]["txs"][0].as_str().expect("a transaction"));
    let raw = raw.expect("base64");
    let mut block = block.clone();
    // An unknown field makes each transaction another one.
    block["result"]["block"]["data"]["txs"] = (0..txs)
        .map(|number| {
            let number = u32::try_from(number).expect("few").to_be_bytes();
            BASE64_STANDARD.encode([raw.as_slice(), &[0x7a, 4], &number].concat())
        })
        .collect();
    let mut result = results["result"]["txs_results"][0].clone();
    let one = |place: usize| {
        // Short texts take several times as much memory as on the wire.
        let attributes: Vec<Value> = ["to", "by", "of", "at"]
            .map(|key| json!({"key": key, "value": format!("{place:08}"), "index": true}))
            .into();
        json!({"type": "paid", "attributes": attributes})
    };
    let event = one(0).to_string().len() + 1;
    result["events"] = (0..bytes / txs / event).map(one).collect();
    let one = result.to_string();
    let list = vec![one.as_str(); txs].join(",");
    let results = format!(r#"{{"jsonrpc":"2.0","id":-1,"result":{{"height":"{height}","txs_results":[{list}]}}}}"#);
    vec![
        (format!("/rpc/block?height={height}"), block.to_string().into()),
        (format!("/rpc/block_results?height={height}"), results.into()),
    ]
}

/// What the program takes at most of memory: `cargo test --test it large::memory -- --ignored --nocapture`, and of
/// another build with `ROLLSCOPE=PROGRAM`.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "measures: it needs a machine that does nothing else"]
async fn memory_of_large_blocks() {
    let player = player(100);
    player.change(|stage| stage.has_json_rpc = false);
    let mut answers = Vec::new();
    let with_txs = player_block_with_txs(&player).await;
    for (height, txs, bytes) in LARGE_BLOCKS {
        answers.extend(many_at(&player, height, with_txs, txs, bytes).await);
    }
    let rest_tx = fetch(&player, &format!("/rest/cosmos/tx/v1beta1/txs/block/{with_txs}")).await["txs"][0].clone();
    let page: Bytes = json!({"txs": vec![rest_tx; 100]}).to_string().into();
    player.change(|stage| {
        stage.lie = Some(Box::new(|request, answer| {
            for meta in answer["result"]["block_metas"].as_array_mut().into_iter().flatten() {
                let height = meta["header"]["height"].as_str().and_then(|height| height.parse().ok());
                let large = LARGE_BLOCKS.iter().find(|(large, ..)| Some(*large) == height);
                if let Some((_, txs, _)) = large.filter(|_| request.contains("/blockchain")) {
                    meta["num_txs"] = txs.to_string().into();
                    meta["block_size"] = (txs * 400).to_string().into();
                }
            }
        }));
        stage.fault = Some(Box::new(move |request, _| {
            let is_page = |(height, ..): &(u64, usize, usize)| request.contains(&format!("/txs/block/{height}?"));
            if LARGE_BLOCKS.iter().any(is_page) {
                return Some(Fault::Instead(page.clone()));
            }
            let (_, body) = answers.iter().find(|(path, _)| request == path)?;
            Some(Fault::Instead(body.clone()))
        }));
    });
    let folder = tempfile::tempdir().expect("a folder");
    let program = std::env::var("ROLLSCOPE").unwrap_or_else(|_| env!("CARGO_BIN_EXE_rollscope").to_owned());
    let (addresses, file) = (player.addresses(), folder.path().join("chain.sqlite"));
    let mut serve = Command::new(program);
    serve.args(["serve", "--listen", "127.0.0.1:0", "--no-rich-list", "--answer-size", "128", "--timeout", "60s"]);
    serve.args(["--node", &addresses.node, "--rest", &addresses.rest.expect("REST")]).arg("--data").arg(&file);
    let mut child = serve.env("HOME", folder.path()).stdout(Stdio::piped()).spawn().expect("the program starts");
    let mut url = String::new();
    BufReader::new(child.stdout.take().expect("its output")).read_line(&mut url).expect("its address");
    let status = loop {
        let answer = get(format!("{}/status", url.trim())).await.expect("it answers");
        let status: Value = serde_json::from_str(&answer.text().await.expect("a body")).unwrap_or_default();
        if status["height"] == 100 && status["oldest_height"].is_null() {
            break status;
        }
        tokio::time::sleep(std::time::Duration::from_millis(200)).await;
    };
    let process = std::fs::read_to_string(format!("/proc/{}/status", child.id())).expect("the process is there");
    child.kill().and_then(|()| child.wait()).expect("it ends");
    let peak = process.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("a peak").trim().to_owned();
    println!("peak resident memory: {peak}");
    assert_eq!(status["node"]["undecoded"], 0, "{status}");
    let kilobytes: u64 = peak.trim_end_matches(" kB").parse().expect("a number");
    assert!(kilobytes < 400_000, "{peak}");
}

async fn fetch(player: &NodePlayer, path: &str) -> Value {
    let url = player.addresses().node.replace("/rpc", path);
    let answer = get(url).await.expect("the node answers").text().await.expect("the answer comes whole");
    serde_json::from_str(&answer).expect("JSON")
}

/// The first block with a transaction.
async fn player_block_with_txs(player: &NodePlayer) -> u64 {
    for height in 1..100 {
        let block = fetch(player, &format!("/rpc/block?height={height}")).await;
        if block["result"]["block"]["data"]["txs"][0].is_string() {
            return height;
        }
    }
    panic!("the recording has transactions");
}

/// Answers of a large block at a height, made of another block's first transaction.
async fn many_at(player: &NodePlayer, height: u64, with_txs: u64, txs: usize, bytes: usize) -> Vec<(String, Bytes)> {
    let mut block = fetch(player, &format!("/rpc/block?height={height}")).await;
    let other = fetch(player, &format!("/rpc/block?height={with_txs}")).await;
    block["result"]["block"]["data"]["txs"] = other["result"]["block"]["data"]["txs"].clone();
    let results = fetch(player, &format!("/rpc/block_results?height={with_txs}")).await;
    many(height, txs, bytes, &block, &results)
}
