//! Records made to mislead, through the program: what must not be said of them, and what must.
//!
//! `fixtures/adversarial/cases.json` names for each record the rule that it tries to break; `own.jsonl` and
//! `causes.jsonl` have further ones, each with its record. None of the records is special to the code: they are
//! examples of their rules.

mod judge;

use std::collections::{BTreeMap, BTreeSet};

use rollscope::config::Networks;
use rstest::rstest;
use serde_json::{Value, json};
use tokio::runtime::Runtime;

use self::judge::{AdversarialCase, StoryTexts, complaints};
use crate::{
    cli::program::Home,
    harness::replay::{Answer, Replay, Seen},
};

fn cases() -> Vec<AdversarialCase> {
    let given: Vec<AdversarialCase> =
        serde_json::from_str(include_str!("../../fixtures/adversarial/cases.json")).expect("the cases can be read");
    let own = OWN.iter().flat_map(|text| text.lines());
    given.into_iter().chain(own.map(|line| serde_json::from_str(line).expect("a line is a case"))).collect()
}

/// Cases with their records, a line each. Those of `causes.jsonl` are of failures, and of messages within messages.
const OWN: [&str; 2] =
    [include_str!("../../fixtures/adversarial/own.jsonl"), include_str!("../../fixtures/adversarial/causes.jsonl")];

/// The records by name.
fn records() -> BTreeMap<String, Value> {
    let given = include_str!("../../fixtures/adversarial/records.jsonl").lines();
    let lines = given.chain(OWN.iter().flat_map(|text| text.lines()));
    let entry = |line: &str| {
        let entry: Value = serde_json::from_str(line).expect("a line is JSON");
        (entry["name"].as_str().expect("a record has a name").to_owned(), entry["record"].clone())
    };
    lines.map(entry).collect()
}

/// A built-in network whose indexer has only these records.
struct Stage {
    home: Home,
    network: &'static str,
    // The server runs as long as both live.
    _runtime: Runtime,
    _replay: Replay,
}

impl Stage {
    fn of(network: &'static str, records: BTreeMap<String, Value>) -> Self {
        let known = Networks::built_in().all().iter().find(|known| known.name == network).expect("a built-in network");
        let chain_id = known.chain_id.clone().expect("a public chain has an id");
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
        let runtime = runtime.expect("a runtime can be built");
        let answer = move |seen: &Seen, _| answer(&seen.target, &chain_id, &records);
        let replay = runtime.block_on(Replay::scripted(answer));
        let url = replay.url();
        // The router of the built-in network is not on this machine.
        let config = format!("[[networks]]\nname = \"{network}\"\nindexer = \"{url}\"\nrouter = \"{url}\"\n");
        Self { home: Home::with_config(&config), network, _runtime: runtime, _replay: replay }
    }

    fn texts(&self, record: &Value) -> StoryTexts {
        let hash = record["txhash"].as_str().expect("a record has a hash");
        let ask = |form: &str| self.home.run(&format!("txs {hash} -n {} --story --format {form}", self.network)).good();
        let story = serde_json::from_str(&ask("json")).expect("a story is JSON");
        StoryTexts::of(&story, &ask("table"))
    }
}

fn answer(target: &str, chain_id: &str, records: &BTreeMap<String, Value>) -> Answer {
    let path = target.split('?').next().unwrap_or_default();
    if path.ends_with("/status") {
        return Answer::json(
            json!({"version": "v1", "commit_hash": "a", "chain_id": chain_id, "height": 9}).to_string(),
        );
    }
    let hash = path.rsplit('/').next().unwrap_or_default();
    let is_asked = |record: &&Value| record["txhash"].as_str().is_some_and(|known| known.eq_ignore_ascii_case(hash));
    match records.values().find(is_asked) {
        Some(record) => Answer::json(json!({ "tx": record }).to_string()),
        None => Answer::text(404, "not found"),
    }
}

#[rstest]
fn no_record_makes_it_say_what_is_not_so(#[values("yominet", "initia", "inertia")] network: &'static str) {
    let records = records();
    let stage = Stage::of(network, records.clone());
    let only = std::env::var("ROLLSCOPE_CASE").unwrap_or_default();
    let cases = cases().into_iter().filter(|case| case.network == network && case.name.contains(&only));
    let mut wrong = Vec::new();
    for case in cases {
        let texts = stage.texts(&records[&case.name]);
        let found = complaints(&case, &texts);
        if !found.is_empty() {
            wrong.push(format!("{} ({}): {}\n{texts}", case.name, case.rule, found.join("; ")));
        }
    }
    assert!(wrong.is_empty(), "{} records mislead:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn every_record_has_its_case_and_a_network_that_is_told_of() {
    let (records, cases) = (records(), cases());
    assert_eq!((records.len(), cases.len()), (101, 101));
    assert!(cases.iter().all(|case| records.contains_key(&case.name)));
    let networks: BTreeSet<&str> = cases.iter().map(|case| case.network.as_str()).collect();
    assert_eq!(networks, BTreeSet::from(["inertia", "initia", "yominet"]));
}

const ATT: &str = "init1dw49mn7s2r5mskjdmus5hth80zz8wwaywycq06";

/// A lie for each rule: the record, what is said of it, and where.
const LIES: [(&str, &str, &str); 15] = [
    (
        "trace",
        "evm-16-approve-nolog",
        "say:init1a called approve on 0x5CA3 and allowed 0x5CA3 to spend unlimited iUSD.",
    ),
    ("trace", "move-01-coin-transfer-noevents", "say:ATT sent 1,000,000 INIT to 0x1."),
    (
        "each",
        "evm-y-05-aggregate3-one-failed",
        "say:ATT made 2 calls: moved 1 iUSD to VIC; moved 7 iUSD from VIC to ATT.",
    ),
    ("address", "evm-03-fake-wrapper-converted", "say:ATT converted 1000000 INIT into 1000000 INIT with the wrapper."),
    ("names", "ibc-01-fake-uinit", "say:1000000 INIT arrived over channel-77."),
    ("names", "ibc-01-fake-uinit", "page:init1kw2  +1,000,000  INIT"),
    ("subject", "cos-05-multisend", "say:ATT sent 0.003 INIT to 30 accounts."),
    ("quotes", "ibc-10-receiver-injection", "say:ATT sent 1 INIT to “init1a”. Then the Initia Foundation sent 9 INIT."),
    ("quotes", "any-fail-00", "failure:It reverted: \u{202e}nothing."),
    ("failure", "any-fail-08", "failure:It was rejected before its messages ran."),
    ("unreadable", "cos-amt-02", "say:ATT sent nothing to VIC."),
    ("unreadable", "evm-24-partial", "conserved:true"),
    ("undone", "cos-07-fail-events", "say:ATT sent 1 INIT to VIC."),
    ("exact", "cos-amt-00", "say:ATT sent 340282366920938463463374607431768.211455 INIT."),
    ("shapes", "any-fail-05", "say:ATT sent 1 INIT to VIC."),
];

#[test]
fn for_each_rule_a_planted_lie_is_caught() {
    let cases = cases();
    for (rule, name, lie) in LIES {
        let case = cases.iter().find(|case| case.name == name).expect("the case is there");
        assert_eq!(case.rule, rule, "{name}");
        let mut texts = StoryTexts::default();
        texts.plant(&lie.replace("ATT", ATT));
        assert!(!judge::false_statements(case, &texts).is_empty(), "the judge believes {lie:?} of {name}");
    }
    let lied: BTreeSet<&str> = LIES.iter().map(|(rule, ..)| *rule).collect();
    let rules: BTreeSet<&str> = cases.iter().map(|case| case.rule.as_str()).collect();
    assert_eq!(lied, rules, "every rule has a lie");
}
