//! The simulation against real chains: what both do has the same form, but for a written list of differences.

mod form;
mod known;

use std::{collections::BTreeSet, fs, path::Path};

use rollscope::{
    demo::ledger::{CommittedTx, Ledger, LedgerOptions, TxEvent},
    domain::Vm,
};
use serde_json::{Value, value::RawValue};

use self::{
    form::{Forms, SeenEvent, SeenTx},
    known::KNOWN,
};
use super::{blocks, options};
use crate::harness::{
    recorded_folder,
    recording::{CHAINS, RecordedBlock, Recording},
};

/// Blocks that are simulated: in fewer not everything happens.
const BLOCKS: u64 = 1_000;

fn simulated(vm: Vm) -> Forms {
    let mut ledger = Ledger::genesis(LedgerOptions { vm, ..options(7) }).expect("every virtual machine has a flavour");
    for _ in 0..BLOCKS {
        ledger.advance();
    }
    let mut forms = Forms::default();
    for tx in blocks(&ledger).flat_map(|block| block.txs) {
        forms.add(&seen(&tx));
    }
    forms
}

fn seen(tx: &CommittedTx) -> SeenTx {
    let pairs = |event: &TxEvent| event.pairs().map(|(key, value)| (key.to_owned(), value.to_owned())).collect();
    SeenTx {
        tx: serde_json::from_str(&tx.body).expect("a body is JSON"),
        is_ordered: true,
        code: tx.code.into(),
        codespace: tx.codespace.clone().into_owned(),
        log: tx.raw_log.clone(),
        events: tx.events.iter().map(|event| SeenEvent { kind: event.kind.to_string(), pairs: pairs(event) }).collect(),
    }
}

/// A result as nodes and indexers give it.
fn result(tx: Value, is_ordered: bool, result: &Value) -> SeenTx {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let pair = |attribute: &Value| (text(&attribute["key"]), text(&attribute["value"]));
    let pairs = |event: &Value| event["attributes"].as_array().into_iter().flatten().map(pair).collect();
    let events = result["events"].as_array().into_iter().flatten();
    SeenTx {
        tx,
        is_ordered,
        code: result["code"].as_u64().unwrap_or_default(),
        codespace: text(&result["codespace"]),
        log: text(if result["log"].is_null() { &result["raw_log"] } else { &result["log"] }),
        events: events.map(|event| SeenEvent { kind: text(&event["type"]), pairs: pairs(event) }).collect(),
    }
}

fn add_chain(forms: &mut Forms, blocks: &[RecordedBlock]) {
    let read = |raw: &RawValue| serde_json::from_str::<Value>(raw.get()).expect("a recorded answer is JSON");
    for block in blocks {
        let Some(txs) = &block.txs else { continue };
        let (txs, results) = (read(txs), read(&block.block_results));
        let results = results["result"]["txs_results"].as_array().expect("as many results as transactions");
        for (tx, one) in txs["txs"].as_array().expect("a list").iter().zip(results) {
            forms.add(&result(tx.clone(), true, one));
        }
    }
}

/// The records of public chains, whose indexers keep the fields of objects in the order of their names.
fn add_samples(forms: &mut Forms, shared: &Path, prefix: &str) {
    for file in fs::read_dir(shared.join("wire/samples/txs")).expect("the samples are there") {
        let path = file.expect("a file").path();
        if path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(prefix)) {
            let text = fs::read_to_string(&path).expect("a sample can be read");
            let sample: Value = serde_json::from_str(&text).expect("a sample is JSON");
            forms.add(&result(sample["tx"].clone(), false, &sample));
        }
    }
}

/// Compares, and gives how many kinds were; `is_whole` where all that was ever recorded is here.
fn compare(vm: Vm, real: &Forms, is_whole: bool) -> usize {
    let (differences, compared) = simulated(vm).unlike(real);
    let mut needed = BTreeSet::new();
    let unknown: Vec<String> = differences
        .iter()
        .filter(|difference| {
            let known = KNOWN.iter().position(|known| known.explains(vm, difference));
            needed.extend(known);
            known.is_none()
        })
        .map(ToString::to_string)
        .collect();
    assert!(unknown.is_empty(), "{vm}: {} of {compared} kinds differ:\n{}", unknown.len(), unknown.join("\n"));
    if is_whole {
        let idle: Vec<_> =
            (0..).zip(KNOWN).filter(|(place, known)| known.vm == vm && !needed.contains(place)).collect();
        assert!(idle.is_empty(), "{vm}: no longer different: {idle:?}");
    }
    compared
}

#[test]
fn what_the_fixtures_do_has_the_form_of_real_chains() {
    for ((chain, vm), least) in CHAINS.into_iter().zip([90, 130]) {
        let mut real = Forms::default();
        add_chain(&mut real, &Recording::fixture(chain, vm).blocks);
        let compared = compare(vm, &real, false);
        assert!(compared >= least, "{vm}: only {compared} kinds were compared");
    }
}

#[test]
fn what_all_records_do_has_the_form_of_real_chains() {
    let Some(shared) = recorded_folder() else { return };
    for (vm, prefix, least) in [(Vm::Evm, "evm-", 120), (Vm::Wasm, "wasm-", 170), (Vm::Move, "move-", 60)] {
        let mut real = Forms::default();
        if let Some((chain, _)) = CHAINS.into_iter().find(|(_, one)| *one == vm) {
            add_chain(&mut real, &Recording::fixture(chain, vm).blocks);
        }
        add_samples(&mut real, &shared, prefix);
        let compared = compare(vm, &real, true);
        assert!(compared >= least, "{vm}: only {compared} kinds were compared");
    }
}
