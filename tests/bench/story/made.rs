//! Transactions of the embedded rollup as the wire has them. Tests and benchmarks share this.

use std::time::Duration;

use rollscope::{
    domain::{Height, Timestamp, Vm},
    rollup::ledger::{CommittedTx, Ledger, LedgerOptions},
    wire::{RawJson, Tx},
};
use serde_json::{Value, json};

/// Those of the first blocks of a chain of this machine.
pub(super) fn made(vm: Vm, blocks: u64) -> Vec<Tx> {
    let options = LedgerOptions {
        vm,
        seed: 7,
        genesis_time: Timestamp::EPOCH,
        block_time: Duration::from_secs(1),
        accounts: 300,
    };
    let mut ledger = Ledger::genesis(options).expect("the flavour exists");
    let mut txs = Vec::new();
    for _ in 0..blocks {
        let height = ledger.advance();
        let block = ledger.block(height).expect("the block just made");
        txs.extend(block.txs.iter().map(|committed| as_wire(committed, height, block.time)));
    }
    txs
}

fn as_wire(committed: &CommittedTx, height: Height, timestamp: Timestamp) -> Tx {
    let attribute = |(key, value): &(_, _)| json!({"key": key, "value": value, "index": true});
    let events = committed.events.iter().map(|event| {
        let attributes: Vec<Value> = event.attributes.iter().map(attribute).collect();
        json!({"type": event.kind, "attributes": attributes})
    });
    let raw = |text: String| RawJson::parse(text).expect("what the ledger writes is JSON");
    Tx {
        txhash: committed.hash,
        height,
        codespace: committed.codespace.to_owned(),
        code: committed.code,
        data: String::new(),
        raw_log: committed.raw_log.clone(),
        logs: raw("[]".to_owned()),
        info: String::new(),
        gas_wanted: committed.gas_wanted,
        gas_used: committed.gas_used,
        tx: raw(committed.body.clone()),
        timestamp,
        events: raw(events.collect::<Value>().to_string()),
    }
}
