//! Real rollups, recorded: what their nodes and their indexers answered.
//!
//! Whole under `ROLLSCOPE_SHARED`, and in parts under `tests/fixtures/node`: the blocks up to a height, without what no
//! reader of a node looks at.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use rollscope::{
    domain::Vm,
    wire::node::{
        BlockAnswers, BlockResultsAnswer, BlockTrace, BlockTxsAnswer, EvmReceiptAnswer, RpcAnswer, RpcBlockAnswer,
    },
};
use serde::Deserialize;
use serde_json::{Value, value::RawValue};

/// The recorded rollups: folder and virtual machine.
pub(crate) const CHAINS: [(&str, Vm); 2] = [("minievm-1.1", Vm::Evm), ("miniwasm-0.7", Vm::Wasm)];

/// One of them.
pub(crate) struct Recording {
    pub(crate) vm: Vm,
    pub(crate) is_whole: bool,
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
#[derive(Debug, Deserialize)]
pub(crate) struct IndexerRecord {
    pub(crate) path: String,
    pub(crate) status: u16,
    pub(crate) answer: Value,
}

/// What a node answered about its state as of the last height.
#[derive(Debug, Deserialize)]
pub(crate) struct StateRecord {
    pub(crate) method: String,
    #[serde(default)]
    pub(crate) at: Option<String>,
    pub(crate) path: String,
    #[serde(default)]
    pub(crate) body: Option<Value>,
    pub(crate) status: u16,
    pub(crate) answer: Value,
}

impl Recording {
    /// The part of a recording that lies in the project.
    pub(crate) fn fixture(chain: &str, vm: Vm) -> Self {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/node").join(chain);
        Self::read(vm, false, |name| {
            let packed = fs::read(folder.join(format!("{name}.zst"))).expect("the fixture is there");
            let text = zstd::decode_all(packed.as_slice()).expect("the fixture is whole");
            String::from_utf8(text).expect("the fixture is text")
        })
    }

    /// A whole recording of this folder.
    pub(crate) fn whole(shared: &Path, chain: &str, vm: Vm) -> Self {
        let folder: PathBuf = shared.join("wire/samples/node").join(chain);
        Self::read(vm, true, |name| fs::read_to_string(folder.join(name)).expect("the recording is there"))
    }

    fn read(vm: Vm, is_whole: bool, text: impl Fn(&str) -> String) -> Self {
        let blocks = lines(&text("blocks.jsonl"));
        Self { vm, is_whole, blocks, indexer: lines(&text("indexer.jsonl")), state: lines(&text("state.jsonl")) }
    }

    /// What the node answered to a GET of this path, pagination aside.
    pub(crate) fn state_of(&self, path: &str) -> Option<&StateRecord> {
        let bare = |path: &str| path.split("?pagination").next().unwrap_or_default().to_owned();
        self.state.iter().find(|record| record.method == "GET" && bare(&record.path) == bare(path))
    }

    /// What the node answered to a POST of this JSON.
    pub(crate) fn state_of_post(&self, at: &str, path: &str, body: &Value) -> Option<&StateRecord> {
        self.state.iter().find(|record| {
            let is_there = record.method == "POST" && record.at.as_deref() == Some(at) && record.path == path;
            is_there && record.body.as_ref() == Some(body)
        })
    }

    /// The heights of the transactions by their Cosmos and EVM hashes, as lists write them.
    pub(crate) fn heights(&self) -> BTreeMap<String, u64> {
        let mut heights = BTreeMap::new();
        for block in &self.blocks {
            for raw in block.answers().raw_txs {
                heights.insert(sha256(&raw), block.height);
            }
            heights.extend(block.receipts().into_iter().map(|receipt| (receipt.transaction_hash, block.height)));
        }
        heights
    }
}

fn sha256(bytes: &[u8]) -> String {
    use sha2::Digest as _;
    alloy_primitives::hex::encode_upper(sha2::Sha256::digest(bytes))
}

fn lines<T: for<'de> Deserialize<'de>>(text: &str) -> Vec<T> {
    text.lines().map(|line| serde_json::from_str(line).expect("a line of a recording is JSON")).collect()
}

impl RecordedBlock {
    /// The answers as the client puts them together.
    pub(crate) fn answers(&self) -> BlockAnswers {
        use base64::{Engine as _, prelude::BASE64_STANDARD};
        let block: RpcAnswer<RpcBlockAnswer> = read(&self.block);
        let block = block.result.expect("a recorded block");
        let results: RpcAnswer<BlockResultsAnswer> = read(&self.block_results);
        let txs: Option<BlockTxsAnswer> = self.txs.as_deref().map(read);
        let raw_txs = block.block.data.txs.iter();
        BlockAnswers {
            hash: block.block_id.block_hash().expect("a recorded block has a hash"),
            header: block.block.header,
            raw_txs: raw_txs.map(|text| BASE64_STANDARD.decode(text).expect("base64")).collect(),
            txs: txs.map(|answer| answer.txs).unwrap_or_default(),
            results: results.result.expect("recorded results"),
        }
    }

    pub(crate) fn receipts(&self) -> Vec<EvmReceiptAnswer> {
        self.receipts.as_deref().map(read).unwrap_or_default()
    }

    pub(crate) fn traces(&self) -> Vec<BlockTrace> {
        self.traces.as_deref().map(read).unwrap_or_default()
    }
}

fn read<T: for<'de> Deserialize<'de>>(raw: &RawValue) -> T {
    serde_json::from_str(raw.get()).expect("a recorded answer has its form")
}
