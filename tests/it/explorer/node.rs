//! What the explorer says of the node behind an index, and of the one that could be used instead.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use rollscope::{
    config::{Network, NodeLocation},
    demo::{RollupOptions, ledger::LedgerOptions},
    domain::{Timestamp, Vm},
    wire::{ApiError, ErrorKind, Step},
};
use serde_json::{Value, json};

use super::scripted::{self, Server, path};
use crate::harness::{
    Explorer, chain_of,
    replay::{Answer, forward},
    rollup_due, rollup_of,
};

/// An index of 9,000 blocks whose status has this of its node.
fn following(node: &Arc<Mutex<Value>>) -> Server {
    let node = Arc::clone(node);
    Server::new(move |seen, _| match path(seen) {
        "/status" => {
            let node = node.lock().expect("no test panics with it").clone();
            let status = json!({
                "chain_id": "scripted-1", "height": 9000, "oldest_height": 8000, "is_complete": false, "node": node,
            });
            Answer::json(status.to_string())
        }
        "/indexer/block/v1/blocks" if seen.target.contains("pagination.reverse=false") => {
            let body = "the index is still loading older blocks, now down to block 8000; try again in a second";
            Answer::text(503, body).with("x-oldest-height", "8000")
        }
        _ => scripted::chain(seen, 9000),
    })
}

#[test]
fn what_is_missing_and_what_is_wrong_is_on_the_overview() {
    let node = json!({"height": 9000, "is_catching_up": false, "missing_blocks": 7999, "blocks_per_minute": 6000});
    let node = Arc::new(Mutex::new(node));
    let server = following(&node);
    let explorer = server.explorer().size(140, 36).start();
    explorer.wait_for("holds      from 8,000, 7,999 older missing, 6,000/min, ≈ 1 min").wait_for("node       at 9,000");
    let change = |value: Value| *node.lock().expect("no test panics with it") = value;

    change(json!({"height": 9000, "missing_blocks": 7999, "trouble": "no answer came from the node"}));
    explorer.settle().advance(Duration::from_secs(10)).wait_for("node       no answer came from the node");
    explorer.wait_for("○ node failing").wait_for("7,999 older missing").wait_gone("/min");
    explorer.resize(50, 20).wait_for("no answer came from the node");

    change(json!({"height": 8990, "is_catching_up": true, "missing_blocks": 0, "notes": ["3 blocks were taken back"]}));
    explorer.resize(140, 36).settle().advance(Duration::from_secs(10)).wait_for("behind its chain: catching up");
    explorer.wait_for("◌ node catching up").wait_for("noted      3 blocks were taken back");
    explorer.wait_gone("no answer came").wait_gone("older missing");
    explorer.quit();
}

#[test]
fn a_chain_that_makes_no_blocks_has_the_tip_that_its_node_says() {
    let node = Arc::new(Mutex::new(json!({"height": 9000, "is_catching_up": false, "missing_blocks": 0})));
    let server = following(&node);
    let explorer = server.explorer().size(140, 36).start();
    explorer.wait_for("node       at 9,000").wait_for("tip        9,000");
    explorer.advance(Duration::from_secs(36 * 3600)).settle().advance(Duration::from_secs(10));
    explorer.wait_for("○ the chain made no block for").wait_for("at the tip");
    let screen = explorer.settle().screen();
    assert!(!screen.contains("behind") && !screen.contains("estimated"), "{screen}");
    // A node that fails does not know the tip, and neither does the clock.
    *node.lock().expect("no test panics with it") = json!({"height": 9000, "trouble": "no answer came from the node"});
    explorer.advance(Duration::from_secs(10)).wait_for("○ node failing").wait_for("tip        unknown");
    explorer.quit();

    let alone = Server::new(|seen, _| scripted::chain(seen, 9000));
    let explorer = alone.explorer().size(140, 36).start();
    explorer.wait_for("tip ").advance(Duration::from_secs(3600)).settle().advance(Duration::from_secs(10));
    explorer.wait_for("○ no block for").wait_for("estimated").wait_for(" behind");
    explorer.quit();
}

#[test]
fn the_overview_names_the_bridge_of_the_rollup_and_of_no_other() {
    let rollup = || Explorer::builder().size(140, 36);
    let own = rollup().with_node().rollup(chain_of(20)).start();
    own.wait_for(" bridge ").wait_for(", challenge period ");
    own.quit();
    let options = chain_of(20);
    // A chain with the same id is told apart by its blocks.
    for (ledger, found) in [
        (LedgerOptions { vm: Vm::Wasm, ..options.ledger }, "rollscope-wasm-1"),
        (LedgerOptions { seed: 8, ..options.ledger }, "another block "),
    ] {
        let other = rollup_of(RollupOptions { ledger, ..options.clone() });
        let node = Some(NodeLocation { node: other.node_url(), ..NodeLocation::default() });
        let network = Network { node, ..Network::unnamed(String::new()) };
        let explorer = rollup().network(network).rollup(chain_of(20)).start();
        explorer.wait_for(&format!("serves {found}")).wait_gone("challenge period");
        explorer.quit();
    }
}

#[test]
fn the_explorer_goes_on_with_its_next_node_and_names_it() {
    let options = chain_of(20);
    let (now, rollup) = (rollup_due(&options), rollup_of(options));
    let is_away = Arc::new(AtomicBool::new(false));
    // Both nodes answer as the rollup's, the first until it is away.
    let [first, second] = [Some(Arc::clone(&is_away)), None].map(|is_away| {
        let url = rollup.url();
        Server::new(move |seen, _| match &is_away {
            Some(is_away) if is_away.load(Ordering::SeqCst) => Answer::text(502, "away"),
            _ => {
                let (status, kind, body) = forward(&url, seen);
                Answer::typed(status, &kind, String::from_utf8_lossy(&body))
            }
        })
    });
    let path = rollup.node_url().strip_prefix(&rollup.url()).map(str::to_owned).expect("a path of the rollup");
    let [first_url, second_url] = [&first, &second].map(|server| format!("{}{path}", server.url()));
    let node = Some(NodeLocation { node: first_url, others: vec![second_url.clone()], ..NodeLocation::default() });
    let network = Network { node, ..Network::unnamed(String::new()) };
    let explorer = Explorer::builder().size(160, 36).network(network).joining(rollup, now).start();
    explorer.wait_for(", challenge period ").settle();
    assert!(!first.seen().is_empty() && second.seen().is_empty(), "the next node waits for its turn");
    assert!(!explorer.screen().contains("   node "), "{}", explorer.screen());
    is_away.store(true, Ordering::SeqCst);
    let shown = second_url.split_once("://").map(|(_, shown)| shown.to_owned()).expect("a URL with its scheme");
    explorer.press("r").wait_for(&format!("   node {shown}"));
    assert!(!second.seen().is_empty(), "it was asked");
    explorer.wait_gone("RPC 502");
    explorer.quit();
}

#[test]
fn an_index_that_ends_with_the_program_is_no_address_to_copy() {
    let node = NodeLocation {
        node: "http://node.example:26657".to_owned(),
        rest: Some("http://node.example:1317".to_owned()),
        json_rpc: None,
        others: Vec::new(),
    };
    let server = Server::new(|seen, _| scripted::chain(seen, 20));
    let explorer = server.explorer().own_index(node).start();
    explorer.settle().press("2 enter").wait_for("Block 20").press("y c");
    explorer.press("3 y").wait_for("JSON").press("c").settle();
    let tx = scripted::tx(20)["txhash"].as_str().expect("a hash").to_owned();
    assert_eq!(
        explorer.copied(),
        [
            "curl -sS 'http://node.example:26657/block?height=20'".to_owned(),
            format!("curl -sS 'http://node.example:1317/cosmos/tx/v1beta1/txs/{tx}'"),
        ]
    );
    explorer.press("3 y").wait_gone("curl command of this screen");
    explorer.quit();
}

#[test]
fn where_the_indexer_is_away_its_node_is_offered() {
    let refused = || ApiError {
        kind: ErrorKind::Offline { step: Step::Connect, detail: "refused".to_owned() },
        url: "http://127.0.0.1:1/status".into(),
        body: None,
    };
    let node = NodeLocation { node: "http://127.0.0.1:26657".to_owned(), ..NodeLocation::default() };
    let network = Network { node: Some(node), ..Network::unnamed("http://127.0.0.1:1".to_owned()) };
    let explorer = |network: Network| {
        let builder = Explorer::builder().size(100, 30).at(Timestamp::EPOCH).network(network);
        builder.scripted(move |_| Err(refused())).start()
    };
    let offered = explorer(network.clone());
    offered.wait_for("No connection").wait_for("To read the node instead: rollscope --node http://127.0.0.1:26657");
    offered.quit();
    let bare = explorer(Network { node: None, ..network });
    bare.wait_for("No connection").wait_for("retrying").wait_gone("To read the node instead");
    bare.quit();
}
