//! Who gained and lost what: real records against their expected results, the embedded rollup against its own state,
//! and the traps one by one.

mod ledger;
mod limits;
mod traps;

use rollscope::{
    domain::Vm,
    story::{Changes, ChangesRecord, Work, decode},
    wire::Tx,
};
use serde_json::Value;

use super::{event, records, tx};
use crate::harness::more_records;

fn changes(tx: &Tx, vm: Option<Vm>) -> Changes {
    Changes::of(tx, &decode(tx), vm, &Work::default())
}

/// An event of the first message.
fn told(kind: &str, attributes: &[(&str, &str)]) -> Value {
    event(kind, &[attributes, &[("msg_index", "0")]].concat())
}

/// Rows as short lines: account, denom, delta.
fn rows(changes: &Changes) -> Vec<String> {
    let line =
        |change: &rollscope::story::BalanceChange| format!("{} {} {}", change.holder, change.denom, change.delta);
    changes.balances.iter().map(line).collect()
}

fn supply(changes: &Changes) -> Vec<String> {
    changes.supply.iter().map(|change| format!("{} {}", change.denom, change.delta)).collect()
}

#[test]
fn real_records_give_exactly_what_was_computed_of_them() {
    let Some(records) = records() else { return };
    let Some(shared) = more_records() else { return };
    let expected = std::fs::read_to_string(shared.join("wire/samples/txs/expected.json")).expect("the results");
    let expected: Value = serde_json::from_str(&expected).expect("JSON");
    let expected = expected.as_object().expect("results by file name");
    assert_eq!(expected.len(), records.len());
    for (name, tx) in &records {
        let expected = &expected[&format!("{name}.json")];
        let vm: Vm = expected["vm"].as_str().expect("a machine").parse().expect("a machine");
        for hint in [None, Some(vm), Some(Vm::Evm), Some(Vm::Move), Some(Vm::Wasm)] {
            let record = ChangesRecord::of(tx, &changes(tx, hint));
            let mut told = serde_json::to_value(&record).expect("a record is JSON");
            if vm == Vm::Wasm {
                // The results take the sender of a CW-721 event for the owner; it only asked for the move.
                for nft in told["nft"].as_array_mut().into_iter().flatten() {
                    let object = nft.as_object_mut().expect("an object");
                    assert_eq!(object.remove("inferred").is_some(), !object["from"].is_null(), "{name}");
                }
            }
            assert_eq!(&told, expected, "{name}, taken for {hint:?}");
        }
    }
}

#[test]
fn every_row_of_a_real_record_names_events_that_are_there() {
    let Some(records) = records() else { return };
    for (name, tx) in &records {
        let (decoded, changes) = (decode(tx), changes(tx, None));
        let rows = changes.balances.iter().map(|change| &change.events);
        let supply = changes.supply.iter().map(|change| &change.events);
        let nfts = changes.nfts.iter().map(|change| &change.events);
        for events in rows.chain(supply).chain(nfts) {
            assert!(!events.is_empty() && events.is_sorted(), "{name}: {events:?}");
            let is_there = |place: &usize| {
                decoded
                    .events
                    .get(*place)
                    .is_some_and(|event| matches!(event.phase, rollscope::story::EventPhase::Message(_)))
            };
            assert!(events.iter().all(is_there), "{name}: {events:?}");
        }
        let fee = &changes.fee;
        assert_eq!(fee.net_paid.is_empty(), fee.events.len() < 2, "{name}: {fee:?}");
    }
}
