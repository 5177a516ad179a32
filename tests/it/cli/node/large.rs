//! Blocks that are larger than any that a rollup makes today.

use std::fs;

use base64::{Engine as _, prelude::BASE64_STANDARD};
use rollscope::{client::NodeAddresses, domain::Vm};
use serde_json::{Value, json, value::to_raw_value};

use super::{parse, run};
use crate::{
    cli::embedded::Served,
    harness::{
        player::NodePlayer,
        recording::{RecordedBlock, Recording},
    },
};

/// Size of one transaction's results in bytes.
const RESULTS: usize = 5_000;

/// Gives the block as many transactions as `count`: copies of the sample with signatures of their own.
fn enlarge(block: &mut RecordedBlock, sample: &RecordedBlock, count: u32) {
    let read = |raw: &str| serde_json::from_str::<Value>(raw).expect("what was recorded is JSON");
    let raw = sample.raw_txs().swap_remove(0);
    let signed = |number: u32| {
        let mut raw = raw.clone();
        let end = raw.len() - 8;
        raw[end..].copy_from_slice(&(block.height << 32 | u64::from(number)).to_be_bytes());
        BASE64_STANDARD.encode(raw)
    };
    let mut whole = read(block.block.get());
    whole["result"]["block"]["data"]["txs"] = (0..count).map(signed).collect();
    let of_sample = read(sample.block_results.get())["result"]["txs_results"][0].clone();
    let result = |number: u32| {
        let mut result = of_sample.clone();
        let value = format!("{number:08x}").repeat(RESULTS / 8);
        let event = json!({"type": "large", "attributes": [{"key": "value", "value": value, "index": true}]});
        result["events"].as_array_mut().expect("a transaction has events").push(event);
        result
    };
    let mut results = read(block.block_results.get());
    results["result"]["txs_results"] = (0..count).map(result).collect();
    let tx = read(sample.txs.as_ref().expect("it was recorded").get())["txs"][0].clone();
    let txs = json!({"txs": (0..count).map(|_| &tx).collect::<Vec<_>>()});
    let raw = |value: &Value| to_raw_value(value).expect("JSON can be written");
    (block.block, block.block_results, block.txs) = (raw(&whole), raw(&results), Some(raw(&txs)));
}

#[test]
#[ignore = "takes minutes: .ci/long runs it"]
fn ten_thousand_transactions_and_fifty_megabytes_in_a_block_take_under_400_mb() {
    let mut recording = Recording::fixture("miniwasm-0.7", Vm::Wasm).cut(180);
    let sample = recording.blocks.iter().find(|block| !block.raw_txs().is_empty()).expect("transactions").clone();
    let counts = [10_000, 4_000, 4_000, 4_000, 4_000, 4_000];
    for (block, count) in recording.blocks[130..].iter_mut().zip(counts) {
        enlarge(block, &sample, count);
    }
    assert!(recording.blocks[130].block_results.get().len() > 50_000_000);
    let player = NodePlayer::start(&recording);
    let NodeAddresses { node, rest, .. } = player.addresses();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("large.sqlite").display().to_string();
    let rest = rest.expect("it has REST");
    let served = Served::start(&format!("--node {node} --rest {rest} --timeout 60s --data {file}"));
    let ask = |command: &str| parse(&run(&format!("{command} --indexer {}", served.url)).good());
    while ask("status")["is_complete"] != true {
        std::thread::park_timeout(std::time::Duration::from_millis(200));
    }
    for (block, count) in recording.blocks[130..].iter().zip(counts) {
        assert_eq!(ask(&format!("blocks {}", block.height))["tx_count"], count.to_string());
    }
    assert_eq!(ask("status").get("undecoded"), None, "all of it is decoded");
    let status = fs::read_to_string(format!("/proc/{}/status", served.process())).unwrap();
    let peak =
        status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.split_whitespace().next()?.parse::<u64>().ok());
    eprintln!("peak {} MiB", peak.unwrap() / 1024);
    assert!(peak.unwrap() < 400_000, "{peak:?} kB");
}
