//! Reading transactions: those of the embedded rollup and records of real chains go through the same code.
//!
//! The real records may not be copied into the project. They are read from the folder that `ROLLSCOPE_SHARED` names;
//! without it these tests are skipped, or fail where `ROLLSCOPE_REQUIRE` names `shared`.

mod adversarial;
mod bridge;
mod changes;
mod diff;
pub(crate) mod evidence;
mod evm;
mod examples;
mod failures;
mod fuzz;
mod generated;
mod movewasm;
mod nft_moves;
mod packets;
mod recorded;
mod rollups;
mod upkeep;

use std::{collections::BTreeSet, fs};

use rollscope::{
    domain::Vm,
    story::{Decoded, EventPhase, MessageSummary, decode},
    wire::Tx,
};
use serde_json::{Value, json};

use crate::harness::{made::made, recorded_folder};

/// The real records by file name, or nothing where they are not at hand.
fn records() -> Option<Vec<(String, Tx)>> {
    let folder = recorded_folder()?.join("wire/samples/txs");
    let mut records = Vec::new();
    for entry in fs::read_dir(&folder).expect("the folder of records") {
        let path = entry.expect("an entry of the folder").path();
        let name = path.file_stem().expect("a file name").to_string_lossy().into_owned();
        if path.extension().is_some_and(|extension| extension == "json") && name != "expected" {
            let text = fs::read_to_string(&path).expect("a record");
            records.push((name, serde_json::from_str(&text).expect("a record decodes as the wire's transaction")));
        }
    }
    Some(records)
}

/// A record with these events, of a transaction that succeeded.
fn tx(events: &[Value]) -> Tx {
    let record = json!({
        "txhash": "0".repeat(64), "height": "1", "timestamp": "2026-01-01T00:00:00Z",
        "tx": {"body": {"messages": []}}, "events": events,
    });
    serde_json::from_value(record).expect("a transaction")
}

/// An event with these attributes.
fn event(kind: &str, attributes: &[(&str, &str)]) -> Value {
    let attributes: Vec<Value> = attributes.iter().map(|(key, value)| json!({"key": key, "value": value})).collect();
    json!({"type": kind, "attributes": attributes})
}

/// What must hold of every transaction that was taken apart.
fn check(name: &str, tx: &Tx, decoded: &Decoded) {
    assert_eq!(decoded.problem, None, "{name}");
    assert!(!decoded.messages.is_empty(), "{name}: no messages");
    let headline = MessageSummary::of(tx);
    let kinds: Vec<_> = decoded.messages.iter().map(|message| message.kind.clone()).collect();
    assert_eq!(headline.types, kinds, "{name}: the row and the page name the same messages");
    assert_eq!(tx.message_types(), kinds, "{name}");
    assert_eq!(decoded.failure.is_some(), tx.code != 0, "{name}");
    let phases: Vec<EventPhase> = decoded.events.iter().map(|event| event.phase).collect();
    assert!(phases.is_sorted(), "{name}: before, then message by message, then after: {phases:?}");
    let beyond = phases.iter().any(|phase| matches!(phase, EventPhase::Message(index) if *index >= kinds.len()));
    assert!(!beyond, "{name}: an event of a message that is not there");
}

#[test]
fn records_of_real_chains_are_read_whole() {
    let Some(records) = records() else { return };
    assert!(records.len() > 20, "the folder holds {} records", records.len());
    for (name, tx) in &records {
        let decoded = decode(tx);
        check(name, tx, &decoded);
        let signed = decoded.signer.is_some() || !tx.is_success();
        assert!(signed, "{name}: the events name the signer");
    }
    let ethereum: Vec<_> =
        records.iter().filter(|(_, tx)| decode(tx).is_ethereum_signed).map(|(name, _)| name).collect();
    assert!(!ethereum.is_empty(), "some records were signed by an Ethereum wallet");
}

#[test]
fn a_real_failure_names_its_message_and_reason() {
    let Some(records) = records() else { return };
    let (_, tx) = records.iter().find(|(name, _)| name == "move-l1-fail-1").expect("the failed record");
    let failure = decode(tx).failure.expect("it failed");
    assert_eq!((failure.message_index, failure.code.as_str()), (Some(0), "undefined 1"));
    assert!(failure.detail.contains("ARITHMETIC_ERROR"), "{}", failure.detail);
}

#[test]
fn transactions_of_the_embedded_rollup_are_read_by_the_same_code() {
    let mut kinds = BTreeSet::new();
    for tx in made(Vm::Evm, 150) {
        let decoded = decode(&tx);
        check(&tx.txhash.to_string(), &tx, &decoded);
        kinds.extend(decoded.messages.into_iter().map(|message| message.kind));
    }
    assert!(kinds.len() > 15, "many kinds of messages: {kinds:?}");
}
