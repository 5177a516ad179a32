//! Addresses that are not what they were named as: one sentence each, with what to do.

use rollscope::demo::Rollup;
use rstest::rstest;
use serde_json::json;

use super::rollup;
use crate::{
    cli::{
        chain::Chain,
        parse,
        program::{Home, run},
    },
    harness::replay::{Answer, Seen},
};

/// The sentence with which a command on this node ends.
fn refused(url: &str, command: &str) -> String {
    run(&format!("{command} --node {url} --timeout 2s")).bad(1)
}

#[rstest]
fn what_is_no_node_is_said(#[values("status", "serve --listen 127.0.0.1:0")] command: &str) {
    for answer in [
        Answer::typed(404, "text/html", "<html>nothing here</html>"),
        Answer::typed(200, "text/html", "<html>welcome</html>"),
        Answer::json("{\"hello\": 1}"),
    ] {
        let server = Chain::scripted(move |_| answer.clone());
        let sentence = refused(server.url(), command);
        assert!(sentence.contains("is not a rollup node: give an RPC URL"), "{sentence}");
    }
    let sentence = refused("http://127.0.0.1:1", command);
    assert!(sentence.starts_with("no node answers at http://127.0.0.1:1: "), "{sentence}");
    assert!(sentence.contains("start the node or correct its URL"), "{sentence}");
}

#[test]
fn an_indexer_given_as_a_node_is_used_as_one_and_that_is_said() {
    let indexer = Chain::start(30);
    let ran = run(&format!("status --node {}", indexer.url()));
    let note = format!("{} is an indexer of test-1, not a node: rollscope uses its indexer API\n", indexer.url());
    assert_eq!((ran.status, ran.err.as_str()), (0, note.as_str()));
    assert_eq!(parse(&ran.out)["height"], 30);
    let sentence = refused(indexer.url(), "serve --listen 127.0.0.1:0");
    assert!(
        sentence.contains("is an indexer of test-1") && sentence.contains("serve needs the node; give --node URL"),
        "{sentence}"
    );
}

/// The RPC of a chain that rollups settle on.
fn layer_one(seen: &Seen) -> Answer {
    let result = match seen.target.split('?').next() {
        Some("/status") => json!({
            "node_info": {"network": "interwoven-1"},
            "sync_info": {
                "latest_block_height": "7", "latest_block_time": "2026-01-31T12:00:07Z", "earliest_block_height": "1",
                "catching_up": false,
            },
        }),
        Some("/abci_query") if seen.target.contains("opinit.ophost") => json!({"response": {"code": 0, "value": ""}}),
        Some("/abci_query") => json!({"response": {"code": 6, "codespace": "sdk", "log": "unknown query path"}}),
        _ => return Answer::text(404, "404 page not found"),
    };
    Answer::json(json!({"jsonrpc": "2.0", "id": -1, "result": result}).to_string())
}

#[test]
fn an_l1_is_no_rollup() {
    let server = Chain::scripted(layer_one);
    let sentence = refused(server.url(), "status");
    assert!(sentence.contains("interwoven-1 is an L1, not a rollup: give the URL of a rollup's node"), "{sentence}");
}

/// Settings with a network of this node, and what else is stated of it.
fn network(rollup: &Rollup, stated: &str) -> String {
    let url = rollup.url();
    let interfaces =
        format!("node = \"{url}/node/rpc\"\nrest = \"{url}/node/rest\"\njson_rpc = \"{url}/node/json-rpc\"\n");
    format!("[[networks]]\nname = \"mine\"\n{stated}{interfaces}")
}

#[test]
fn a_node_of_another_chain_than_its_network_names_is_refused() {
    let rollup = rollup(40);
    let home = Home::with_config(&network(&rollup, "chain_id = \"mine-1\"\n"));
    for command in ["status -n mine", "serve --listen 127.0.0.1:0 -n mine"] {
        let sentence = home.run(&format!("{command} --timeout 60s")).bad(1);
        let said = "serves rollscope-evm-1, and mine is mine-1; check the network's node and chain_id";
        assert!(sentence.contains(said), "{sentence}");
    }
    let other = Chain::scripted(layer_one);
    let sentence = run(&format!("status --node {}/node/rpc --rest {} --timeout 60s", rollup.url(), other.url())).bad(1);
    assert!(sentence.contains("is not the REST of a node: correct the URL or omit it"), "{sentence}");
}

#[test]
fn a_network_whose_indexer_is_absent_is_asked_of_its_node_and_one_whose_indexer_is_down_is_offered_it() {
    let rollup = rollup(40);
    let home = |indexer: &str| Home::with_config(&network(&rollup, indexer));
    let status = parse(&home("").run("status -n mine --timeout 60s").good());
    assert_eq!((&status["height"], &status["node"]["height"]), (&json!(40), &json!(40)));
    let listed = parse(&home("").run("networks --check -n mine --timeout 60s --format json").good());
    assert_eq!((&listed[0]["ok"], &listed[0]["height"]), (&json!(true), &json!(40)), "{listed}");
    let sentence = home("indexer = \"http://127.0.0.1:1\"\n").run("status -n mine --timeout 1s").bad(1);
    let offer = format!("to read the node instead: --node {}/node/rpc", rollup.url());
    assert!(sentence.contains(&offer), "{sentence}");
    let sentence = home("").run("serve --listen 127.0.0.1:0 --history 5 -n mine --from 0").bad(2);
    assert!(sentence.contains("--from"), "{sentence}");
}
