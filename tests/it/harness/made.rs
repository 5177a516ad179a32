//! Transactions of the embedded ledger as its indexer gives them. Tests and benchmarks share this.

use std::time::Duration;

use rollscope::{
    demo::ledger::{CommittedBlock, CommittedTx, Ledger, LedgerOptions},
    domain::Vm,
    indexer::source::EventAttribute,
    wire::{RawJson, Tx},
};
use serde_json::{Value, json};

/// The chain that they are of: always the same, so that every byte is.
pub(crate) fn chain(vm: Vm) -> LedgerOptions {
    LedgerOptions {
        vm,
        seed: 7,
        genesis_time: "2026-01-31T12:00:00Z".parse().expect("a fixed time"),
        block_time: Duration::from_secs(1),
        accounts: 300,
    }
}

/// Those of the first blocks of a chain of this machine.
pub(crate) fn made(vm: Vm, blocks: u64) -> Vec<Tx> {
    let mut ledger = Ledger::genesis(chain(vm)).expect("the flavour exists");
    let mut txs = Vec::new();
    for _ in 0..blocks {
        let height = ledger.advance();
        let block = ledger.block(height).expect("the block just made");
        txs.extend(block.txs.iter().map(|committed| on_the_wire(&block, committed)));
    }
    txs
}

/// One of them.
pub(crate) fn on_the_wire(block: &CommittedBlock, committed: &CommittedTx) -> Tx {
    let attribute = |one: &EventAttribute| json!({"key": one.key, "value": one.value, "index": one.is_indexed});
    let events = committed.events.iter().map(|event| {
        let attributes: Vec<Value> = event.attributes.iter().map(attribute).collect();
        json!({"type": event.kind, "attributes": attributes})
    });
    let raw = |text: String| RawJson::parse(text).expect("what the ledger writes is JSON");
    Tx {
        txhash: committed.hash,
        height: block.height,
        codespace: committed.codespace.to_string().into(),
        code: committed.code,
        data: alloy_primitives::hex::encode_upper(&committed.data),
        raw_log: committed.raw_log.clone().into(),
        logs: raw("[]".to_owned()),
        info: String::new().into(),
        gas_wanted: committed.gas_wanted,
        gas_used: committed.gas_used,
        tx: raw(committed.body.clone()),
        timestamp: block.time,
        events: raw(events.collect::<Value>().to_string()),
        heights: Vec::new(),
    }
}
