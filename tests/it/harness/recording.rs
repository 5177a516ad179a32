//! Real rollups, recorded: what their nodes and their indexers answered.
//!
//! A line of `blocks.jsonl` is a block as the node gave it, of `indexer.jsonl` a request with the real indexer's
//! answer, of `state.jsonl` a query of the state as of the last height, of `ledger.jsonl` what a transaction was made
//! to do, with balances before and after its block.

use std::{collections::BTreeSet, fs, path::PathBuf};

use base64::{Engine as _, prelude::BASE64_STANDARD};
use rollscope::domain::Vm;
use serde::Deserialize;
use serde_json::{Value, value::RawValue};
use sha2::{Digest as _, Sha256};

/// The recorded rollups: folder and virtual machine.
pub(crate) const CHAINS: [(&str, Vm); 2] = [("minievm-1.1", Vm::Evm), ("miniwasm-0.7", Vm::Wasm)];

/// One of them.
#[derive(Clone)]
pub(crate) struct Recording {
    pub(crate) vm: Vm,
    /// Ascending from the first.
    pub(crate) blocks: Vec<RecordedBlock>,
    pub(crate) indexer: Vec<IndexerRecord>,
    pub(crate) state: Vec<StateRecord>,
}

/// What a node answered about one block, each answer as it came.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct RecordedBlock {
    pub(crate) height: u64,
    pub(crate) block: Box<RawValue>,
    pub(crate) block_results: Box<RawValue>,
    #[serde(default)]
    pub(crate) txs: Option<Box<RawValue>>,
    #[serde(default)]
    pub(crate) receipts: Option<Box<RawValue>>,
    #[serde(default)]
    pub(crate) eth_block: Option<Box<RawValue>>,
    #[serde(default)]
    pub(crate) traces: Option<Box<RawValue>>,
}

/// What the real indexer answered. In lists of transactions and receipts a row is only its hash.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct IndexerRecord {
    pub(crate) path: String,
    pub(crate) status: u16,
    pub(crate) answer: Value,
}

/// What a node answered about its state as of the last height.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct StateRecord {
    #[serde(default)]
    pub(crate) at: Option<String>,
    pub(crate) path: String,
    #[serde(default)]
    pub(crate) body: Option<Value>,
    pub(crate) status: u16,
    pub(crate) answer: Value,
}

impl Recording {
    pub(crate) fn fixture(chain: &str, vm: Vm) -> Self {
        let blocks: Vec<RecordedBlock> = lines(&recorded_text(chain, "blocks"));
        assert!(blocks.iter().zip(1..).all(|(block, height)| block.height == height), "every block from the first");
        let (indexer, state) = (lines(&recorded_text(chain, "indexer")), lines(&recorded_text(chain, "state")));
        Self { vm, blocks, indexer, state }
    }

    /// Only its first blocks, and what the indexer answered about one of them or one of their transactions.
    pub(crate) fn cut(mut self, blocks: usize) -> Self {
        self.blocks.truncate(blocks);
        let hashes: BTreeSet<String> = self.blocks.iter().flat_map(RecordedBlock::hashes).collect();
        self.indexer.retain(|record| {
            let last = record.path.rsplit('/').next().unwrap_or_default();
            let of_block = record.path.contains("/blocks/") || record.path.contains("/by_height/");
            hashes.contains(last) || of_block && last.parse().is_ok_and(|height: usize| height <= blocks)
        });
        self
    }
}

impl RecordedBlock {
    /// Its transactions, in order.
    pub(crate) fn raw_txs(&self) -> Vec<Vec<u8>> {
        let block: Value = serde_json::from_str(self.block.get()).expect("a recorded block is JSON");
        let txs = block["result"]["block"]["data"]["txs"].as_array().cloned().unwrap_or_default();
        let raw = |tx: &Value| BASE64_STANDARD.decode(tx.as_str().expect("raw transactions are text")).expect("base64");
        txs.iter().map(raw).collect()
    }

    /// Their hashes.
    pub(crate) fn hashes(&self) -> Vec<String> {
        self.raw_txs().iter().map(|raw| alloy_primitives::hex::encode_upper(Sha256::digest(raw))).collect()
    }
}

/// A file of a recording: `blocks`, `indexer`, `state` or `ledger`, with a JSON object on each line.
pub(crate) fn recorded_text(chain: &str, name: &str) -> String {
    let folder: PathBuf = [env!("CARGO_MANIFEST_DIR"), "tests/fixtures/node", chain].iter().collect();
    let packed = fs::read(folder.join(format!("{name}.jsonl.zst"))).expect("the fixture is there");
    let text = zstd::decode_all(packed.as_slice()).expect("the fixture is whole");
    String::from_utf8(text).expect("the fixture is text")
}

fn lines<T: for<'de> Deserialize<'de>>(text: &str) -> Vec<T> {
    text.lines().map(|line| serde_json::from_str(line).expect("a line of a recording is JSON")).collect()
}
