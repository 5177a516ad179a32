//! Records made of a real node's answers, put through the index and its API with the real server's quirks, beside what
//! the real indexer answered to the same requests.

mod chain;
mod known;

use std::collections::{BTreeMap, BTreeSet};

use rollscope::{
    demo::{ClockMode, Rollup, RollupOptions},
    domain::Vm,
};
use serde_json::Value;

use self::{chain::RecordedChain, known::KNOWN};
use super::client::{ANYWHERE, Server, stepped};
use crate::harness::{
    recorded_folder,
    recording::{CHAINS, IndexerRecord, Recording},
};

/// A value that the real indexer gave otherwise.
#[derive(Debug)]
pub(super) struct Difference {
    pub(super) path: String,
    /// Where in the answer, without places in lists.
    pub(super) place: String,
    pub(super) real: String,
    pub(super) ours: String,
}

/// A server with the quirks of the real one that has indexed these blocks from the first on, one after another.
fn serve(recording: &Recording) -> Server {
    let chain = RecordedChain::new(recording);
    let blocks = recording.blocks.len() as u64;
    let mut options = RollupOptions { quirks: true, no_rich_list: true, clock: ClockMode::Stepped, ..stepped(1) };
    options.ledger.vm = recording.vm;
    let rollup = Rollup::start_with(options, ANYWHERE, |_| Ok(Box::new(chain))).expect("it starts");
    rollup.wait_until_indexed().expect("the first block is indexed");
    rollup.step(blocks - 1).expect("the others follow");
    rollup.wait_until_indexed().expect("they are traced");
    Server::of(rollup)
}

/// Whether a request is about what the recording holds; else why not.
fn is_answerable(recording: &Recording, path: &str) -> Result<(), &'static str> {
    let route = path.split('?').next().unwrap_or_default();
    if route == "/status" || route.ends_with("/avg_blocktime") || route == "/indexer/block/v1/blocks" {
        return Err("of a later height: the chain went on");
    }
    if route.contains("/richlist/") {
        return Err("made of balances, not of records");
    }
    if !recording.is_whole && path.contains("pagination.key") && !path.contains("!!") {
        return Err("behind what the part of the recording holds");
    }
    Ok(())
}

/// What the real indexer would have answered when it held no more than the recording does.
fn within(recording: &Recording, heights: &BTreeMap<String, u64>, record: &IndexerRecord) -> Value {
    let mut answer = record.answer.clone();
    if recording.is_whole || !record.path.contains("/by_account/") {
        return answer;
    }
    if let Some(rows) = answer.get_mut("txs").and_then(Value::as_array_mut) {
        rows.retain(|row| row.as_str().is_some_and(|hash| heights.contains_key(hash)));
        let count = rows.len();
        answer["pagination"]["total"] = Value::String(count.to_string());
        if count == 0 {
            answer["pagination"]["next_key"] = Value::Null;
        }
    }
    answer
}

/// An answer whose rows are only their hashes, as recordings have them.
fn reduced(mut answer: Value) -> Value {
    if let Some(rows) = answer.get_mut("txs").and_then(Value::as_array_mut) {
        for row in rows {
            let hash = row.get("txhash").or_else(|| row.get("transactionHash")).cloned();
            *row = hash.unwrap_or_default();
        }
    }
    answer
}

fn compare(real: &Value, ours: &Value, place: &str, found: &mut Vec<(String, String, String)>) {
    match (real, ours) {
        (Value::Object(real), Value::Object(ours)) => {
            let names: BTreeSet<&String> = real.keys().chain(ours.keys()).collect();
            for name in names {
                let (real, ours) = (real.get(name), ours.get(name));
                let place = format!("{place}.{name}");
                match (real, ours) {
                    (Some(real), Some(ours)) => compare(real, ours, &place, found),
                    (real, ours) => found.push((place, shown(real), shown(ours))),
                }
            }
        }
        (Value::Array(real), Value::Array(ours)) if real.len() == ours.len() => {
            real.iter().zip(ours).for_each(|(real, ours)| compare(real, ours, &format!("{place}[]"), found));
        }
        (Value::Array(real), Value::Array(ours)) => {
            let missing = real.iter().filter(|row| !ours.contains(row));
            found.extend(missing.map(|row| (format!("{place}[]"), row.to_string(), "nothing".to_owned())));
            let more = ours.iter().filter(|row| !real.contains(row));
            found.extend(more.map(|row| (format!("{place}[]"), "nothing".to_owned(), row.to_string())));
        }
        (real, ours) if real == ours => {}
        (real, ours) => found.push((place.to_owned(), real.to_string(), ours.to_string())),
    }
}

fn shown(value: Option<&Value>) -> String {
    value.map_or_else(|| "nothing".to_owned(), Value::to_string)
}

/// Every difference, and how many requests were compared.
async fn differences(recording: &Recording, server: &Server) -> (Vec<Difference>, usize) {
    let heights = recording.heights();
    let (mut found, mut compared) = (Vec::new(), 0);
    for record in &recording.indexer {
        if is_answerable(recording, &record.path).is_err() {
            continue;
        }
        compared += 1;
        let ours = server.get(&record.path).await;
        let path = || record.path.clone();
        let answer = match serde_json::from_str(&ours.text) {
            Ok(answer) => reduced(answer),
            Err(_) => Value::String(ours.text.clone()),
        };
        let mut places = Vec::new();
        if ours.status != record.status {
            places.push(("status".to_owned(), record.status.to_string(), ours.status.to_string()));
        }
        compare(&within(recording, &heights, record), &answer, "", &mut places);
        let difference = |(place, real, ours)| Difference { path: path(), place, real, ours };
        found.extend(places.into_iter().map(difference));
    }
    (found, compared)
}

/// Fails on what is not known, and on what is known no longer.
async fn holds(recording: &Recording, chain: &str) {
    let server = serve(recording);
    let (found, compared) = differences(recording, &server).await;
    let is_known = |difference: &&Difference| KNOWN.iter().any(|known| (known.is_it)(difference));
    let unknown: Vec<_> = found.iter().filter(|difference| !is_known(difference)).collect();
    let mut by_place: BTreeMap<(String, &str), (usize, &Difference)> = BTreeMap::new();
    for difference in &unknown {
        let route: Vec<&str> = difference.path.split(['/', '?']).take(6).collect();
        by_place.entry((route.join("/"), &difference.place)).or_insert((0, difference)).0 += 1;
    }
    let told: Vec<String> = by_place
        .iter()
        .map(|((route, place), (count, first))| {
            let short = |text: &str| text.chars().take(300).collect::<String>();
            format!("{count} × {route} {place}: {} not {} ({})", short(&first.ours), short(&first.real), first.path)
        })
        .collect();
    assert!(unknown.is_empty(), "{chain}: {} unknown differences\n{}", unknown.len(), told.join("\n"));
    if recording.is_whole {
        for known in KNOWN.iter().filter(|known| known.vm == recording.vm) {
            assert!(found.iter().any(|one| (known.is_it)(one)), "{chain}: no longer a difference: {}", known.reason);
        }
    }
    assert!(compared > 200, "{chain}: {compared} requests");
    receipts_are_the_nodes(recording, &server).await;
}

/// Every receipt, field by field, as the node gave it; `to` is never null.
async fn receipts_are_the_nodes(recording: &Recording, server: &Server) {
    let mut count = 0;
    for raw in recording.blocks.iter().filter_map(|block| block.receipts.as_ref()) {
        let receipts: Vec<Value> = serde_json::from_str(raw.get()).expect("receipts are JSON");
        for mut receipt in receipts {
            if receipt["to"].is_null() {
                receipt["to"] = Value::String(String::new());
            }
            let hash = receipt["transactionHash"].as_str().expect("a hash").to_owned();
            let ours = server.json(&format!("/indexer/tx/v1/evm-txs/{hash}")).await;
            assert_eq!(ours["tx"], receipt);
            count += 1;
        }
    }
    assert!(recording.vm != Vm::Evm || count > 150, "{count} receipts");
}

#[tokio::test]
async fn the_part_of_the_recordings_that_lies_here_is_served_as_the_real_indexer_did() {
    for (chain, vm) in CHAINS {
        holds(&Recording::fixture(chain, vm), chain).await;
    }
}

#[tokio::test]
async fn whole_recordings_are_served_as_the_real_indexer_did() {
    let Some(folder) = recorded_folder() else { return };
    for (chain, vm) in CHAINS {
        holds(&Recording::whole(&folder, chain, vm), chain).await;
    }
}
