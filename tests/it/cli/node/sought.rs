//! One record of a node is asked of its block alone; a node without an index of transactions is read until it is found.

use rollscope::demo::Rollup;
use serde_json::{Value, json};

use super::{rollup, tried};
use crate::{
    cli::{
        chain::Chain,
        parse,
        program::{Ran, run},
    },
    harness::replay::{Answer, Seen, forward},
};

/// First topic of the transfers of tokens and NFTs.
const TRANSFER: &str = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";

/// The rollup's node, with or without its indexes of transactions. `hashes` are those of a transaction's bytes and of
/// the simulation, whose index knows only the second.
fn node(rollup: &Rollup, hashes: Option<(String, String)>) -> Chain {
    let server = rollup.url();
    Chain::scripted(move |seen| {
        let is_lookup = seen.target.starts_with("/node/rpc/tx?") || seen.body.contains("eth_getTransactionByHash");
        let mut seen = seen.clone();
        match &hashes {
            Some((of_bytes, own)) => seen.target = seen.target.replace(of_bytes, own),
            None if is_lookup => return disabled(),
            None => {}
        }
        let (status, kind, body) = forward(&server, &seen);
        Answer::Full(status, vec![("content-type", kind)], body)
    })
}

fn disabled() -> Answer {
    let error = json!({"code": -32603, "message": "Internal error", "data": "transaction indexing is disabled"});
    Answer::typed(500, "application/json", json!({"jsonrpc": "2.0", "id": 1, "error": error}).to_string())
}

/// The first block takes longer than everything else, and no record of it is asked for.
fn asked(node: &Chain, command: &str) -> Ran {
    let url = node.url();
    run(&format!(
        "--from 5 {command} --node {url}/node/rpc --rest {url}/node/rest --json-rpc {url}/node/json-rpc --timeout 60s"
    ))
}

/// The heights whose blocks were read.
fn heights(node: &Chain) -> Vec<String> {
    let read =
        node.targets().into_iter().filter_map(|path| Some(path.split_once("/block_results?height=")?.1.to_owned()));
    read.collect()
}

/// The output of a program that ended well, whatever it noted.
fn out(ran: Ran) -> Value {
    let Ran { status, out, err } = ran;
    assert_eq!(status, 0, "{err}");
    parse(&out)
}

#[test]
fn a_record_is_read_from_its_block_alone() {
    let rollup = rollup(60);
    let bare = node(&rollup, None);
    let of_indexer = format!("--indexer {}", rollup.url());
    // A transfer far below the newest twenty blocks, which are read first.
    let receipts = out(run(&format!("evm-txs --limit 400 --ascending {of_indexer}")))["txs"].clone();
    let is_old = |receipt: &Value| {
        let digits = receipt["blockNumber"].as_str().unwrap_or_default().trim_start_matches("0x");
        u64::from_str_radix(digits, 16).is_ok_and(|height| (6..36).contains(&height))
    };
    let has_transfer = |receipt: &&Value| is_old(receipt) && receipt["logs"][0]["topics"][0] == TRANSFER;
    let (receipt, found) = receipts
        .as_array()
        .expect("a list")
        .iter()
        .filter(has_transfer)
        .take(5)
        .find_map(|receipt| {
            let ran = asked(&bare, &format!("txs {}", receipt["transactionHash"].as_str()?));
            (ran.status == 0).then(|| (receipt, parse(&ran.out)))
        })
        .expect("one of them is proven to match its transaction");
    let evm_hash = receipt["transactionHash"].as_str().expect("a hash");
    let hash = found["txhash"].as_str().expect("a hash");
    let height = found["height"].as_str().expect("a height");
    let of_bytes = tried(|| {
        let ran = asked(&bare, &format!("txs --height {height}"));
        (ran.status == 0).then(|| parse(&ran.out)["txs"].clone())
    });
    let place =
        of_bytes.as_array().and_then(|txs| txs.iter().position(|tx| tx["txhash"] == hash)).expect("it is there");
    let own = out(run(&format!("txs --height {height} {of_indexer}")))["txs"][place]["txhash"].clone();
    let own = own.as_str().expect("a hash").to_owned();

    let indexed = node(&rollup, Some((hash.to_owned(), own)));
    assert_eq!(out(asked(&indexed, &format!("txs {evm_hash}"))), found);
    assert_eq!(out(asked(&indexed, &format!("txs {hash}"))), found);
    let by_cosmos = asked(&indexed, &format!("evm-txs {hash}"));
    assert!(by_cosmos.err.contains(&format!("{hash} is the Cosmos hash of {evm_hash}")), "{}", by_cosmos.err);
    assert_eq!(out(by_cosmos)["transactionHash"], receipt["transactionHash"]);
    assert_eq!(out(asked(&indexed, &format!("evm-txs {evm_hash}")))["logs"], receipt["logs"]);
    let shown = asked(&indexed, &format!("txs {hash} --format table")).out;
    assert!(shown.lines().any(|line| line.starts_with("EVM hash") && line.ends_with(evm_hash)), "{shown}");
    let shown = asked(&indexed, &format!("evm-txs {hash} --format table")).out;
    assert!(shown.contains("Transfer("), "{shown}");
    let block = out(asked(&indexed, &format!("blocks {height}")));
    assert_eq!(block, out(run(&format!("blocks {height} {of_indexer}"))));
    let read = heights(&indexed);
    assert!(!read.is_empty() && read.iter().all(|read| read == height), "{read:?}");
    let unknown = asked(&indexed, &format!("txs {}", "0".repeat(64))).bad(3);
    assert!(unknown.contains("is neither in the node's index nor in its newest blocks"), "{unknown}");

    let ran = asked(&bare, &format!("txs {hash}"));
    assert!(ran.err.contains("the node has no index of transactions; reading its blocks"), "{}", ran.err);
    assert_eq!(out(ran), found);
    packets_are_searched(&rollup);
}

/// An indexer that lists no packets and is wrong about gas: a node beside it, with or without REST, tells what became
/// of packets and what gas was used.
fn packets_are_searched(rollup: &Rollup) {
    let server = rollup.url();
    let lying = Chain::scripted(move |seen: &Seen| {
        let (status, kind, body) = forward(&server, seen);
        let body = String::from_utf8(body).expect("text").replace("\"has_packets\":true", "\"has_packets\":false");
        Answer::Full(status, vec![("content-type", kind)], body.replace("\"gas_used\":\"", "\"gas_used\":\"9").into())
    });
    let told = |arguments: &str| {
        let ran = run(&format!("txs --limit 55 --ascending --story {arguments}"));
        assert_eq!(ran.status, 0, "{ran:?}");
        let stories = ran.out.lines().map(parse).collect::<Vec<_>>();
        let moves = stories.iter().flat_map(|story| story["bridge"].as_array().cloned().unwrap_or_default());
        let outcomes: Vec<Value> = moves.map(|moved| moved["outcome"].clone()).collect();
        let steps = outcomes.iter().map(|outcome| (outcome["way"].clone(), outcome["height"].clone()));
        (steps.collect::<Vec<_>>(), ran.err)
    };
    let (listed, _) = told(&format!("--indexer {}", rollup.url()));
    assert!(listed.iter().any(|(way, _)| !way.is_null()), "{listed:?}");
    let (unasked, err) = told(&format!("--indexer {}", lying.url()));
    assert!(unasked.iter().all(|(way, _)| way.is_null()) && !err.contains("by the node"), "{unasked:?}: {err}");
    for node in ["/node/rpc", "/node/rest"].map(|path| format!("{}{path}", rollup.url())) {
        let err = tried(|| {
            let (searched, err) = told(&format!("--indexer {} --node {node}", lying.url()));
            (searched == listed).then_some(err)
        });
        assert!(err.contains(" by the indexer, "), "the node contradicts the indexer: {err}");
    }
}

#[test]
fn a_search_that_ends_names_the_index_to_keep() {
    let rollup = rollup(60);
    let server = rollup.url();
    // The blocks below the first run do not come.
    let stalled = Chain::scripted(move |seen: &Seen| {
        let height = seen.target.split_once("height=").and_then(|(_, digits)| digits.parse::<u64>().ok());
        if height.is_some_and(|height| height < 40) || seen.target.starts_with("/node/rpc/tx?") {
            return disabled();
        }
        let (status, kind, body) = forward(&server, seen);
        Answer::Full(status, vec![("content-type", kind)], body)
    });
    let url = stalled.url();
    // A busy machine may take longer than the timeout.
    let ran = tried(|| {
        let ran = run(&format!("txs {} --node {url}/node/rpc --timeout 2s", "0".repeat(64)));
        ran.err.contains("is not in the blocks read so far, down to ").then_some(ran)
    });
    assert_eq!(ran.status, 1, "{ran:?}");
    assert!(ran.err.contains(&format!("rollscope serve --node {url}/node/rpc --data FILE")), "{}", ran.err);
}
