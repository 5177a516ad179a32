//! `find-sent`: what another program signed and sent is found by its messages.

use std::{
    fs,
    sync::{Arc, Mutex},
};

use serde_json::{Value, json};

use super::{Chain, Home, file, fixture, parse, signing::own_networks};
use crate::harness::replay::Answer;

const ME: &str = "init19986clfn43f9pka870erxanxx7kp3lmfcrz898";

/// A router and an indexer in one; the indexer has these transactions.
struct World {
    home: Home,
    chain: Chain,
    txs: Arc<Mutex<Vec<Value>>>,
}

impl World {
    /// With a withdrawal from Civitia that was written to be signed elsewhere, and this chain's indexer.
    fn new(indexed: &'static str) -> Self {
        Self::listing(indexed, "")
    }

    /// With a router that lists this REST of Civitia.
    fn listing(indexed: &'static str, rest: &str) -> Self {
        let chains = json!({"chains": [{"chain_id": "civitia-1", "chain_type": "cosmos", "bech32_prefix": "init", "rest": rest}]});
        let chains = chains.to_string();
        let txs: Arc<Mutex<Vec<Value>>> = Arc::default();
        let held = Arc::clone(&txs);
        let msgs = fixture("msgs-op-withdraw-cosmos-tx-composed");
        let chain = Chain::scripted(move |seen| {
            let path = seen.target.split('?').next().unwrap_or_default();
            match path {
                "/v2/fungible/msgs" => Answer::json(&msgs),
                "/v2/info/chains" => Answer::json(&chains),
                "/status" => Answer::json(json!({"chain_id": indexed, "height": 9}).to_string()),
                "/v2/tx/track" => Answer::json(r#"{"tx_hash":"x","explorer_link":""}"#),
                _ if path.starts_with("/indexer/tx/v1/txs/by_account/") => {
                    let txs = held.lock().map(|txs| txs.clone()).unwrap_or_default();
                    let page = json!({"txs": txs, "pagination": {"next_key": null, "total": txs.len().to_string()}});
                    Answer::json(page.to_string())
                }
                _ => Answer::text(404, "404 page not found"),
            }
        });
        // Nothing but the router names the REST of Civitia.
        let home = Home::with_config(&own_networks(""));
        let route = file(&home, "route.json", &fixture("route-op-withdraw-composed"));
        let addresses = format!("--address civitia-1={ME} --address interwoven-1={ME}");
        let folder = home.path().join("out").display().to_string();
        let written =
            home.run(&format!("msgs --route {route} {addresses} --unsigned {folder} --router {}", chain.url()));
        assert_eq!(written.status, 0, "{}", written.err);
        Self { home, chain, txs }
    }

    fn made(&self) -> Value {
        parse(&fs::read_to_string(self.home.path().join("out/made.json")).expect("what was made is kept"))
    }

    /// A record of the indexer: the messages that were made, changed.
    fn record(&self, number: u64, seconds_later: i64, change: impl Fn(&mut Value)) -> Value {
        let made = self.made();
        let mut messages = made["txs"][0]["messages"].clone();
        change(&mut messages[0]);
        let at: jiff::Timestamp = made["made_at"].as_str().and_then(|at| at.parse().ok()).expect("a time");
        let at = at + jiff::SignedDuration::from_secs(seconds_later);
        json!({"txhash": format!("{number:064X}"), "height": "9", "timestamp": at.to_string(), "code": 0,
            "tx": {"body": {"messages": messages}}, "events": []})
    }

    fn hold(&self, txs: &[Value]) {
        txs.clone_into(&mut self.txs.lock().expect("no handler panics"));
    }

    fn find(&self, more: &str) -> crate::cli::program::Ran {
        let url = self.chain.url();
        self.home.run(&format!("find-sent {}/out {more} --indexer {url} --router {url}", self.home.path().display()))
    }
}

#[test]
fn the_very_messages_are_found_and_watched() {
    let world = World::new("civitia-1");
    let sentence = world.find("").bad(3);
    assert!(sentence.contains("not found yet"), "{sentence}");
    let other = |message: &mut Value| message["sender"] = json!("init1dvl455wwqnkjs9gj5hpxqqvt3c8l8jatuqrggy");
    world.hold(&[world.record(1, -5, |_| ()), world.record(2, 5, other), world.record(3, 5, |_| ())]);
    let ran = world.find("--wait 5");
    assert_eq!(ran.status, 0, "{}", ran.err);
    let found = parse(&ran.out);
    assert_eq!((&found["chain_id"], &found["tx_hash"]), (&json!("civitia-1"), &json!(format!("{:064X}", 3))));
    assert!(ran.err.contains("the router tracks the transaction") && ran.err.contains(ME), "{}", ran.err);
    assert!(world.chain.targets().iter().any(|target| target == "/v2/tx/track"));
    assert!(world.chain.targets().iter().any(|target| target.contains("is_signer=true")));
}

#[test]
fn near_ones_and_two_that_are_equal_are_proposed_only() {
    let world = World::new("civitia-1");
    world.hold(&[world.record(4, 5, |message| message["amount"]["amount"] = json!("39"))]);
    let ran = world.find("");
    assert!(ran.err.contains(&format!("{:064X}", 4)) && ran.err.contains("Withdrawal.amount"), "{}", ran.err);
    assert!(ran.status == 3 && ran.err.contains("choose one with rollscope track civitia-1"), "{}", ran.err);
    world.hold(&[world.record(5, 5, |_| ()), world.record(6, 6, |_| ())]);
    let ran = world.find("");
    assert!(ran.err.matches("same messages").count() == 2, "{}", ran.err);
    assert_eq!(ran.status, 3);
    assert!(!world.chain.targets().iter().any(|target| target == "/v2/tx/track"), "nothing is taken");
}

#[test]
fn the_rest_of_the_chain_is_searched_where_the_indexer_serves_another() {
    let found: Arc<Mutex<Vec<Value>>> = Arc::default();
    let held = Arc::clone(&found);
    let rest = Chain::scripted(move |seen| match seen.target.split('?').next().unwrap_or_default() {
        "/cosmos/tx/v1beta1/txs" => {
            let txs = held.lock().map(|txs| txs.clone()).unwrap_or_default();
            Answer::json(json!({"txs": [], "tx_responses": txs, "pagination": null, "total": "1"}).to_string())
        }
        _ => Answer::text(404, "404 page not found"),
    });
    let world = World::listing("yominet-1", rest.url());
    assert!(world.find("").err.contains("not found yet"), "nothing is there");
    let (old, sent) = (world.record(1, -5, |_| ()), world.record(3, 5, |_| ()));
    found.lock().expect("no handler panics").extend([sent, old]);
    let ran = world.find("");
    assert_eq!((ran.status, &parse(&ran.out)["tx_hash"]), (0, &json!(format!("{:064X}", 3))), "{}", ran.err);
    assert!(ran.err.contains("searching civitia-1 by the router's REST URL"), "{}", ran.err);
    let asked = rest.targets();
    let query = format!("query=message.sender%3D%27{ME}%27&order_by=ORDER_BY_DESC");
    assert!(asked.iter().any(|target| target.contains(&query)), "{asked:?}");
}

#[test]
fn what_cannot_be_seen_there_is_said() {
    let world = World::new("yominet-1");
    let sentence = world.find("").bad(2);
    assert!(sentence.contains("is for civitia-1") && sentence.contains("yominet-1"), "{sentence}");
    let sentence = world.find("--tx 7").bad(2);
    assert!(sentence.contains("--tx 7 does not exist"), "{sentence}");
    let nowhere = world.home.run("find-sent /nowhere --router http://127.0.0.1:1").bad(2);
    assert!(nowhere.contains("cannot read "), "{nowhere}");
}
