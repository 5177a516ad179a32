//! A recorded node, followed by the real source over HTTP, indexed and served, beside what the real indexer answered to
//! the same requests.

mod compare;
mod known;
mod specified;

use std::collections::BTreeMap;

use base64::{Engine as _, prelude::BASE64_STANDARD};
use rollscope::{
    domain::Vm,
    indexer::node::{FollowOptions, ServiceOptions},
};
use serde_json::Value;

use self::{
    compare::{compare, reduced},
    known::KNOWN,
    specified::Expected,
};
use super::client::{Mode, escape};
use crate::harness::{
    player::{NodePlayer, Served},
    recording::{CHAINS, IndexerRecord, RecordedBlock, Recording},
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

/// The index of a played node, once everything of it is in.
async fn serve(recording: &Recording, player: &NodePlayer, mode: Mode) -> Served {
    // The Wasm recording says nothing of balances at its own heights.
    let has_rich_list = recording.vm == Vm::Evm;
    let follow = FollowOptions { has_rich_list, ..FollowOptions::default() };
    let served =
        player.served(ServiceOptions { quirks: mode == Mode::Quirks, follow, ..ServiceOptions::default() }).await;
    served.filled().await;
    let traced = |raw: &Option<Box<serde_json::value::RawValue>>| raw.as_ref().is_some_and(|raw| raw.get().len() > 2);
    if let Some(lowest) = recording.blocks.iter().find(|block| traced(&block.traces)) {
        let path = format!("/indexer/tx/v1/evm-internal-txs/by_height/{}", lowest.height);
        served.until(&path, |answer| answer["internal_txs"].as_array().is_some_and(|rows| !rows.is_empty())).await;
        served.until("/status", |status| status["rich_list_height"].is_u64()).await;
    }
    served
}

/// Whether a request is about what the recording holds.
fn is_answerable(record: &IndexerRecord) -> bool {
    let route = record.path.split('?').next().unwrap_or_default();
    // Of a later height: the chain went on before it was asked.
    !(route == "/status" || route.ends_with("/avg_blocktime") || route == "/indexer/block/v1/blocks")
}

/// Every difference, and how many requests were compared.
async fn differences(recording: &Recording, served: &Served, mode: Mode) -> (Vec<Difference>, usize) {
    let (mut found, mut compared) = (Vec::new(), 0);
    for record in recording.indexer.iter().filter(|record| is_answerable(record)) {
        let mut expected = match mode {
            Mode::Quirks => Expected::same(record),
            Mode::Specified => match Expected::specified(record) {
                Some(expected) => expected,
                None => continue,
            },
        };
        compared += 1;
        let (status, text) = served.get(&record.path).await;
        let answer = serde_json::from_str(&text).unwrap_or_else(|_| Value::String(text.clone()));
        let mut places = Vec::new();
        if status != expected.status {
            places.push(("status".to_owned(), expected.status.to_string(), status.to_string()));
        }
        let answer = expected.reconciled(reduced(answer.clone()), &answer, &mut places);
        compare(&expected.answer, &answer, "", &mut places);
        let difference = |(place, real, ours)| Difference { path: record.path.clone(), place, real, ours };
        found.extend(places.into_iter().map(difference));
    }
    (found, compared)
}

/// What is neither equal nor known, one line for each kind; and what is known and was not seen.
fn report(found: &[Difference], vm: Vm, mode: Mode) -> Vec<String> {
    let known: Vec<_> = KNOWN.iter().filter(|known| known.vm == vm && known.modes.contains(&mode)).collect();
    let mut by_place: BTreeMap<(String, &str), (usize, &Difference)> = BTreeMap::new();
    for difference in found.iter().filter(|difference| !known.iter().any(|known| (known.is_it)(difference))) {
        let route: Vec<&str> = difference.path.split(['/', '?']).take(6).collect();
        by_place.entry((route.join("/"), &difference.place)).or_insert((0, difference)).0 += 1;
    }
    let unknown = by_place.iter().map(|((route, place), (count, first))| {
        let short = |text: &str| text.chars().take(300).collect::<String>();
        format!("{count} × {route} {place}: {} not {} ({})", short(&first.ours), short(&first.real), first.path)
    });
    let unseen = known.iter().filter(|known| !found.iter().any(|one| (known.is_it)(one)));
    unknown.chain(unseen.map(|known| format!("no longer a difference: {}", known.reason))).collect()
}

/// What is not known, and what is known no longer, in both modes.
async fn check(recording: &Recording, chain: &str) -> Vec<String> {
    let player = NodePlayer::start(recording);
    let mut lines = Vec::new();
    for mode in [Mode::Quirks, Mode::Specified] {
        let served = serve(recording, &player, mode).await;
        let (mut found, compared) = differences(recording, &served, mode).await;
        assert!(compared > 200, "{chain}: {compared} requests");
        found.retain(|one| !is_taken_out(recording, one));
        lines.extend(report(&found, recording.vm, mode).into_iter().map(|line| format!("{chain}, {mode:?}: {line}")));
        receipts_are_the_nodes(recording, &served).await;
        lines.extend(walk(recording, &served, mode).await);
    }
    // What contracts say was recorded of those on the EVM.
    let unanswered = player.stage().unanswered.clone();
    let unanswered = unanswered.iter().filter(|path| !path.contains("/smart/"));
    lines.extend(unanswered.map(|path| format!("{chain}: the recording has no answer to {path}")));
    lines
}

/// Whether the real indexer's answer was recorded without the bytes of a stored contract, and ours are in a
/// transaction.
fn is_taken_out(recording: &Recording, one: &Difference) -> bool {
    let bytes = BASE64_STANDARD.decode(one.ours.trim_matches('"')).unwrap_or_default();
    let is_sent = || recording.blocks.iter().flat_map(RecordedBlock::raw_txs).any(|raw| is_within(&raw, &bytes));
    one.place.ends_with(".wasm_byte_code") && one.real == "\"\"" && !bytes.is_empty() && is_sent()
}

/// Whether these bytes are somewhere in the others.
fn is_within(all: &[u8], part: &[u8]) -> bool {
    all.windows(part.len()).any(|window| window == part)
}

/// The list of all transactions, walked by its own keys, has every recorded one in the chain's order.
async fn walk(recording: &Recording, served: &Served, mode: Mode) -> Option<String> {
    let mut expected: Vec<String> = recording.blocks.iter().flat_map(RecordedBlock::hashes).collect();
    expected.reverse();
    let mut walked: Vec<String> = Vec::new();
    let mut path = "/indexer/tx/v1/txs?pagination.limit=60".to_owned();
    while walked.len() <= expected.len() {
        let page = served.json(&path).await;
        let rows = page["txs"].as_array().expect("a list");
        walked.extend(rows.iter().filter_map(|row| Some(row["txhash"].as_str()?.to_owned())));
        let Some(next) = page["pagination"]["next_key"].as_str().filter(|_| !rows.is_empty()) else { break };
        path = format!("/indexer/tx/v1/txs?pagination.limit=60&pagination.key={}", escape(next));
    }
    (walked != expected).then(|| format!("{mode:?}: the list of transactions is not the chain's"))
}

/// Every receipt, field by field, as the node gave it; `to` is never null.
async fn receipts_are_the_nodes(recording: &Recording, served: &Served) {
    let mut count = 0;
    for raw in recording.blocks.iter().filter_map(|block| block.receipts.as_ref()) {
        let receipts: Vec<Value> = serde_json::from_str(raw.get()).expect("receipts are JSON");
        for mut receipt in receipts {
            if receipt["to"].is_null() {
                receipt["to"] = Value::String(String::new());
            }
            let hash = receipt["transactionHash"].as_str().expect("a hash").to_owned();
            let ours = served.json(&format!("/indexer/tx/v1/evm-txs/{hash}")).await;
            assert_eq!(ours["tx"], receipt);
            count += 1;
        }
    }
    assert!(recording.vm != Vm::Evm || count > 150, "{count} receipts");
}

fn assert_none(lines: &[String]) {
    assert!(lines.is_empty(), "{}", lines.join("\n"));
}

#[tokio::test]
pub(crate) async fn an_evm_rollup_is_served_as_the_real_indexer_did() {
    assert_none(&check(&Recording::fixture("minievm-1.1", Vm::Evm), "minievm-1.1").await);
}

#[tokio::test]
pub(crate) async fn a_wasm_rollup_is_served_as_the_real_indexer_did() {
    assert_none(&check(&Recording::fixture("miniwasm-0.7", Vm::Wasm), "miniwasm-0.7").await);
}

/// What is not equal where the node tells this lie.
async fn caught(recording: &Recording, lie: fn(&str, &mut Value)) -> Vec<(String, String)> {
    let player = NodePlayer::start(recording);
    player.change(|stage| stage.lie = Some(Box::new(lie)));
    let follow = FollowOptions { has_rich_list: false, ..FollowOptions::default() };
    let served = player.served(ServiceOptions { quirks: true, follow, ..ServiceOptions::default() }).await;
    served.filled().await;
    let (mut found, _) = differences(recording, &served, Mode::Quirks).await;
    found.retain(|one| !KNOWN.iter().any(|known| (known.is_it)(one)));
    found.into_iter().map(|one| (one.path, one.place)).collect()
}

#[tokio::test]
pub(crate) async fn a_planted_lie_is_seen() {
    let recording = Recording::fixture("minievm-1.1", Vm::Evm).cut(110);
    assert_eq!(caught(&recording, |_, _| {}).await, [], "the node's truth is what the indexer said");
    let lie = |request: &str, answer: &mut Value| match request {
        "/rpc/block_results?height=53" => answer["result"]["txs_results"][0]["gas_used"] = "1".into(),
        "/rpc/block_results?height=74" => {
            answer["result"]["txs_results"][0]["events"][0]["attributes"][0]["value"] = "another".into();
        }
        "/rest/cosmos/tx/v1beta1/txs/block/92?pagination.limit=100&pagination.offset=0" => {
            answer["txs"][0]["body"]["memo"] = "another".into();
        }
        _ if request.starts_with("/rest/opinit/opchild/v1/validators") => {
            answer["validators"][0]["moniker"] = "another".into();
        }
        _ => {}
    };
    let caught = caught(&recording, lie).await;
    let places: Vec<&str> = caught.iter().map(|(_, place)| place.as_str()).collect();
    // Gas that the next header contradicts is not served.
    for place in
        ["status", ".block.gas_used", ".tx.events[].attributes[].value", ".tx.tx.body.memo", ".block.proposer.moniker"]
    {
        assert!(places.contains(&place), "{place} is not among {caught:?}");
    }
}

#[tokio::test]
pub(crate) async fn transactions_are_the_same_where_rest_is_absent_or_cannot_decode_them() {
    for (chain, vm) in CHAINS {
        let recording = Recording::fixture(chain, vm);
        let whole = recording.blocks.len();
        let recording = recording.cut(whole);
        for is_alone in [true, false] {
            let player = NodePlayer::start(&recording);
            let most = recording.blocks.iter().max_by_key(|block| block.hashes().len());
            player.change(|stage| {
                (stage.has_rest, stage.has_json_rpc) = (!is_alone, !is_alone);
                stage.undecodable = most.map(|block| block.height).filter(|_| !is_alone);
            });
            let follow = FollowOptions { has_rich_list: false, ..FollowOptions::default() };
            let served = player.served(ServiceOptions { quirks: true, follow, ..ServiceOptions::default() }).await;
            served.filled().await;
            let (mut found, compared) = differences(&recording, &served, Mode::Quirks).await;
            assert!(compared > 200, "{chain}: {compared} requests");
            // The names of validators, receipts and calls are what these interfaces are there for.
            found.retain(|one| !is_alone || one.place != ".block.proposer.moniker" && !one.path.contains("/evm-"));
            // The bytes of stored contracts were taken out of the recording: REST has an empty text for what is absent.
            found.retain(|one| !(one.place.ends_with(".wasm_byte_code") && one.real == "\"\"" && one.ours == "null"));
            found.retain(|one| !is_taken_out(&recording, one));
            let lines = report(&found, vm, Mode::Quirks);
            let lines: Vec<_> = lines.iter().filter(|line| !line.starts_with("no longer")).collect();
            assert!(lines.is_empty(), "{chain}, alone: {is_alone}: {lines:#?}");
        }
    }
}
