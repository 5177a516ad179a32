//! `find-sent` of a call: what an Ethereum wallet sent is found in the blocks of a node, whatever that node keeps.

use std::sync::{Arc, Mutex};

use rstest::rstest;
use serde_json::{Value, json};

use super::{Chain, Home, json_answer, parse};
use crate::{
    cli::program::Ran,
    harness::replay::{Answer, Seen},
};

const SIGNER: &str = "0x00000000000000000000000000000000000000aa";
const CONTRACT: &str = "0x00000000000000000000000000000000000000cc";
const DATA: &str = "0x6fd3504e00ff";
/// When the call was made, and the first block that is not older.
const MADE: (&str, u64) = ("2026-01-31T12:00:00.5Z", 100);
const FIRST_SECOND: u64 = 1_769_860_800;

/// A chain of which a node tells: a block every twelve seconds.
#[derive(Clone)]
struct World {
    number: u64,
    tip: u64,
    keeps_states: bool,
    /// Height, and the transaction.
    txs: Vec<(u64, Value)>,
    failed: Vec<String>,
}

impl World {
    fn new(txs: Vec<(u64, Value)>) -> Self {
        Self { number: 1, tip: 130, keeps_states: true, txs, failed: Vec::new() }
    }

    fn answer(&self, call: &Value) -> Value {
        let height = |place: usize| {
            let text = call["params"][place].as_str().and_then(|text| text.strip_prefix("0x"));
            text.and_then(|digits| u64::from_str_radix(digits, 16).ok()).unwrap_or_default()
        };
        match call["method"].as_str() {
            Some("eth_chainId") => json!({"result": format!("{:#x}", self.number)}),
            Some("eth_blockNumber") => json!({"result": format!("{:#x}", self.tip)}),
            Some("eth_getTransactionCount") if !self.keeps_states => {
                json!({"error": {"code": -32000, "message": "missing trie node"}})
            }
            Some("eth_getTransactionCount") => {
                let is_sent = |(at, tx): &&(u64, Value)| *at <= height(1) && tx["from"] == call["params"][0];
                json!({"result": format!("{:#x}", self.txs.iter().filter(is_sent).count())})
            }
            Some("eth_getBlockByNumber") if height(0) > self.tip => json!({"result": null}),
            Some("eth_getBlockByNumber") => {
                let of_it = self.txs.iter().filter(|(at, _)| *at == height(0)).map(|(_, tx)| tx);
                let txs: Vec<Value> = if call["params"][1] == true {
                    of_it.cloned().collect()
                } else {
                    of_it.map(|tx| tx["hash"].clone()).collect()
                };
                let seconds = FIRST_SECOND + 12 * height(0) - 12 * MADE.1;
                json!({"result": {"number": call["params"][0], "hash": "0x1", "timestamp": format!("{seconds:#x}"),
                    "transactions": txs}})
            }
            Some("eth_getTransactionReceipt") => {
                let is_failed = self.failed.iter().any(|hash| call["params"][0] == **hash);
                json!({"result": {"status": if is_failed { "0x0" } else { "0x1" }}})
            }
            _ => json!({"error": {"code": -32601, "message": "no such method"}}),
        }
    }
}

fn hash(digits: &str) -> String {
    format!("0x{}", digits.repeat(32))
}

/// The call that was made as somebody's wallet signed it, changed.
fn tx(digits: &str, change: impl Fn(&mut Value)) -> Value {
    let mut tx =
        json!({"hash": hash(digits), "from": SIGNER, "to": CONTRACT, "value": "0x7", "input": DATA, "nonce": "0x1"});
    change(&mut tx);
    tx
}

/// A node, the router that takes what is found, and what was made to be signed.
struct Scene {
    home: Home,
    node: Chain,
    router: Chain,
    asked: Arc<Mutex<Vec<Value>>>,
}

impl Scene {
    fn new(world: World) -> Self {
        let asked: Arc<Mutex<Vec<Value>>> = Arc::default();
        let seen_calls = Arc::clone(&asked);
        let node = Chain::scripted(move |seen: &Seen| {
            let call = parse(&seen.body);
            let mut answer = world.answer(&call);
            answer["id"] = call["id"].clone();
            seen_calls.lock().expect("no handler panics").push(call);
            Answer::json(answer.to_string())
        });
        let url = node.url().to_owned();
        let router = Chain::scripted(move |seen: &Seen| match seen.target.split('?').next() {
            Some("/v2/info/chains") => Answer::json(
                json!({"chains": [{"chain_id": "1", "chain_type": "evm", "json_rpc": url}, {"chain_id": "5"}]})
                    .to_string(),
            ),
            Some("/v2/tx/track") => Answer::json("{}"),
            _ => json_answer(404, "{}"),
        });
        let home = Home::empty();
        let scene = Self { home, node, router, asked };
        scene.make("1");
        scene
    }

    fn make(&self, chain: &str) {
        let call = json!({"chain_number": chain.parse::<u64>().expect("a number"), "from": SIGNER, "to": CONTRACT,
            "value": "7", "data": DATA});
        let made = json!({"made_at": MADE.0, "txs": [{"chain_id": chain, "messages": [], "call": call}]});
        super::file(&self.home, "made.json", &made.to_string());
    }

    fn find(&self, more: &str) -> Ran {
        let folder = self.home.path().display();
        self.home.run(&format!("find-sent {folder} {more} --router {}", self.router.url()))
    }

    fn asked(&self, method: &str, is_it: impl Fn(&Value) -> bool) -> usize {
        let asked = self.asked.lock().expect("no handler panics");
        asked.iter().filter(|call| call["method"] == method && is_it(&call["params"])).count()
    }

    fn is_tracked(&self) -> bool {
        self.router.targets().iter().any(|target| target == "/v2/tx/track")
    }
}

#[rstest]
fn the_very_call_is_found_whatever_the_node_keeps(#[values(true, false)] keeps_states: bool) {
    let others = [
        (50, tx("01", |_| ())),
        (110, tx("02", |tx| tx["from"] = json!(CONTRACT))),
        (111, tx("03", |tx| (tx["to"], tx["input"]) = (json!(SIGNER), json!("0x")))),
    ];
    let it = (117, tx("ab", |tx| tx["to"] = json!(CONTRACT.to_uppercase().replace("0X", "0x"))));
    let scene = Scene::new(World { keeps_states, ..World::new(others.into_iter().chain([it]).collect()) });
    let ran = scene.find(&format!("--evm-node {}", scene.node.url()));
    assert_eq!(ran.status, 0, "{ran:?}");
    assert_eq!(parse(&ran.out), json!({"chain_id": "1", "tx_hash": hash("ab")}));
    assert!(
        ran.err.contains("the router tracks the transaction: rollscope transfer 1 0xabab") && scene.is_tracked(),
        "{ran:?}"
    );
    let whole = scene.asked("eth_getBlockByNumber", |params| params[1] == true);
    assert_eq!(
        whole,
        if keeps_states { 2 } else { 31 },
        "only blocks in which the signer sent something, where it says"
    );
}

#[test]
fn a_call_in_the_second_in_which_it_was_made_is_found_at_the_routers_node() {
    let scene = Scene::new(World::new(vec![(MADE.1, tx("ab", |_| ()))]));
    let ran = scene.find("--wait 5");
    assert_eq!(parse(&ran.out)["tx_hash"], hash("ab"), "{ran:?}");
    assert!(ran.err.contains(&format!("searching the transactions of {SIGNER} on 1 since 2026-01-31")), "{ran:?}");
}

#[rstest]
#[case::older(vec![(99, tx("ab", |_| ()))], "not found yet")]
#[case::another_signers(vec![(110, tx("ab", |tx| tx["from"] = json!(CONTRACT)))], "not found yet")]
#[case::other_value(vec![(110, tx("ab", |tx| tx["value"] = json!("0x8")))], "UTC: differs in value")]
#[case::other_input(vec![(110, tx("ab", |tx| tx["input"] = json!("0x6fd3504e00fe")))], "UTC: differs in input")]
#[case::other_contract(vec![(110, tx("ab", |tx| tx["to"] = json!(SIGNER)))], "UTC: differs in to")]
#[case::failed(vec![(110, tx("ee", |_| ()))], "UTC: same call, but it failed")]
#[case::twice(vec![(110, tx("ab", |_| ())), (111, tx("cd", |_| ()))], "UTC: same call")]
fn anything_less_is_not_taken(#[case] txs: Vec<(u64, Value)>, #[case] words: &str) {
    let scene = Scene::new(World { failed: vec![hash("ee")], ..World::new(txs) });
    let ran = scene.find("");
    assert!(ran.status == 3 && ran.err.contains(words), "{ran:?}");
    assert!(ran.out.is_empty() && !scene.is_tracked(), "{ran:?}");
}

#[test]
fn what_cannot_be_seen_is_said() {
    let scene = Scene::new(World { keeps_states: false, tip: 701, ..World::new(Vec::new()) });
    let sentence = scene.find("").bad(1);
    assert!(sentence.contains("does not show which of 602 blocks has the signer's transaction"), "{sentence}");
    assert_eq!(scene.asked("eth_getBlockByNumber", |params| params[1] == true), 0);
    scene.make("5");
    let sentence = scene.find("").bad(2);
    assert!(sentence.contains("cannot search EVM chain 5: give a node with --evm-node URL"), "{sentence}");
    let sentence = scene.find(&format!("--evm-node {}", scene.node.url())).bad(2);
    assert!(sentence.contains("the transaction is for EVM chain 5, but the node serves 1"), "{sentence}");
}
