//! What the lists must say, from a ledger of the same options.

use std::collections::{BTreeMap, BTreeSet};

use alloy_primitives::{Bloom, BloomInput, hex};
use rollscope::{
    demo::ledger::{EvmFrame, EvmReceipt, Ledger, LedgerOptions},
    domain::{Height, Vm},
};
use serde_json::Value;

pub(super) const LOG_FIELDS: [&str; 9] = [
    "address",
    "topics",
    "data",
    "blockNumber",
    "transactionHash",
    "transactionIndex",
    "blockHash",
    "logIndex",
    "removed",
];

/// A receipt as the real server wrote it, over invented data.
const RECEIPT: &str = r#"{"blockHash": "0x000000000000000000000000000000000000000000000000000000000000000c", "blockNumber": "0x18",
    "contractAddress": null, "cumulativeGasUsed": "0x5208", "effectiveGasPrice": "0x0",
    "from": "0x0000000000000000000000000000000000000001", "gasUsed": "0x5208", "logs": [], "logsBloom": "0x00",
    "status": "0x1", "to": "", "transactionHash": "0x000000000000000000000000000000000000000000000000000000000000000c",
    "transactionIndex": "0x0", "type": "0x2"}"#;

/// A call frame as the real server wrote it.
const FRAME: &str = r#"{"height": 24, "hash": "0x000000000000000000000000000000000000000000000000000000000000000c",
    "parent_index": 0, "index": 1, "type": "STATICCALL", "from": "0x0000000000000000000000000000000000000002", "to": "",
    "input": "0xdead", "output": "0x01", "value": "0x", "gas": "0x0100", "gasUsed": "0x00"}"#;

pub(super) fn options() -> LedgerOptions {
    LedgerOptions {
        vm: Vm::Evm,
        seed: 11,
        genesis_time: "2026-02-03T04:05:06Z".parse().expect("a time"),
        block_time: std::time::Duration::from_millis(500),
        accounts: 60,
    }
}

pub(super) struct Tx {
    pub(super) height: u64,
    pub(super) receipt: EvmReceipt,
    pub(super) accounts: BTreeSet<[u8; 20]>,
}

pub(super) struct Frame {
    pub(super) height: u64,
    pub(super) hash: String,
    pub(super) index: i64,
    pub(super) call: EvmFrame,
}

impl Frame {
    pub(super) fn names(&self, account: [u8; 20]) -> bool {
        self.call.from == account || self.call.to == Some(account)
    }
}

/// All receipts and frames of the first blocks, the oldest first.
pub(super) struct Expected {
    txs: Vec<Tx>,
    frames: Vec<Frame>,
}

impl Expected {
    pub(super) fn new(blocks: u64) -> Self {
        let mut ledger = Ledger::genesis(options()).expect("the EVM flavour exists");
        let mut expected = Self { txs: Vec::new(), frames: Vec::new() };
        for height in (1..=blocks).filter_map(Height::new) {
            ledger.advance();
            let block = ledger.block(height).expect("just made");
            let receipts = ledger.receipts(&block).expect("the EVM flavour gives receipts").receipts;
            for trace in ledger.traces(height).expect("the EVM flavour is traced").traces {
                let hash = hex::encode_prefixed(receipts[usize::try_from(trace.receipt).expect("small")].hash);
                expected.frames.extend((0..).zip(trace.frames).map(|(index, frame)| Frame {
                    height: height.get(),
                    hash: hash.clone(),
                    index,
                    call: frame,
                }));
            }
            expected.txs.extend(receipts.into_iter().map(|receipt| {
                let accounts = accounts(&receipt);
                Tx { height: height.get(), receipt, accounts }
            }));
        }
        expected
    }

    pub(super) fn txs(&self, passes: impl Fn(&Tx) -> bool) -> Vec<(String, i64)> {
        self.txs.iter().filter(|tx| passes(tx)).map(|tx| (hex::encode_prefixed(tx.receipt.hash), 0)).collect()
    }

    pub(super) fn frames(&self, passes: impl Fn(&Frame) -> bool) -> Vec<(String, i64)> {
        self.frames.iter().filter(|frame| passes(frame)).map(|frame| (frame.hash.clone(), frame.index)).collect()
    }

    pub(super) fn all_frames(&self) -> &[Frame] {
        &self.frames
    }

    fn tx(&self, hash: &str) -> &Tx {
        let is_it = |tx: &&Tx| hex::encode_prefixed(tx.receipt.hash) == hash;
        self.txs.iter().find(is_it).expect("the ledger has it, too")
    }

    pub(super) fn receipt(&self, hash: &str) -> &EvmReceipt {
        &self.tx(hash).receipt
    }

    pub(super) fn receipt_height(&self, hash: &str) -> u64 {
        self.tx(hash).height
    }

    /// Accounts by how often they occur, the rarest first.
    fn by_frequency(&self) -> Vec<[u8; 20]> {
        let mut counts: BTreeMap<[u8; 20], usize> = BTreeMap::new();
        for account in self.txs.iter().flat_map(|tx| &tx.accounts) {
            *counts.entry(*account).or_default() += 1;
        }
        let mut accounts: Vec<_> = counts.into_iter().map(|(account, count)| (count, account)).collect();
        accounts.sort_unstable();
        accounts.into_iter().map(|(_, account)| account).collect()
    }

    pub(super) fn busiest(&self) -> [u8; 20] {
        *self.by_frequency().last().expect("somebody did something")
    }

    /// A rare, a busy and some other accounts, and the one that stands for nobody.
    pub(super) fn some_accounts(&self) -> Vec<[u8; 20]> {
        let all = self.by_frequency();
        let step = all.len() / 3;
        all.iter().step_by(step).chain(all.last()).copied().chain([[0; 20]]).collect()
    }
}

/// Sender, callee, deployed contract, emitters, and topics after the first that are 20 bytes.
fn accounts(receipt: &EvmReceipt) -> BTreeSet<[u8; 20]> {
    let mut accounts: BTreeSet<[u8; 20]> =
        [receipt.from].into_iter().chain(receipt.to).chain(receipt.created).collect();
    for log in &receipt.logs {
        accounts.insert(log.address);
        let padded = log.topics.iter().skip(1).filter(|topic| topic[..12] == [0; 12]);
        accounts.extend(padded.map(|topic| <[u8; 20]>::try_from(&topic[12..]).expect("20 bytes")));
    }
    accounts
}

pub(super) fn bloom(receipt: &EvmReceipt) -> String {
    let mut bloom = Bloom::ZERO;
    for log in &receipt.logs {
        bloom.accrue(BloomInput::Raw(&log.address));
        log.topics.iter().for_each(|topic| bloom.accrue(BloomInput::Raw(topic)));
    }
    hex::encode_prefixed(bloom)
}

fn text(row: &Value, name: &str) -> String {
    row[name].as_str().expect("a text").to_owned()
}

/// The hashes of a page of receipts.
pub(super) fn hashes(page: &Value) -> Vec<(String, i64)> {
    page["txs"].as_array().expect("a list").iter().map(|tx| (text(tx, "transactionHash"), 0)).collect()
}

/// The hashes and places of a page of frames.
pub(super) fn indexes(page: &Value) -> Vec<(String, i64)> {
    let rows = page["internal_txs"].as_array().expect("a list");
    rows.iter().map(|tx| (text(tx, "hash"), tx["index"].as_i64().expect("a number"))).collect()
}

/// The real server's receipt and call frame.
pub(super) fn recorded() -> [Value; 2] {
    [RECEIPT, FRAME].map(|text| serde_json::from_str(text).expect("a record is JSON"))
}

/// Equal names in equal order with values of one kind, but for those that may be null.
pub(super) fn same_form(sample: &Value, row: &Value, nullable: &[&str]) {
    let (sample, row) = (sample.as_object().expect("an object"), row.as_object().expect("an object"));
    assert_eq!(row.keys().collect::<Vec<_>>(), sample.keys().collect::<Vec<_>>());
    for (name, value) in row {
        let same = std::mem::discriminant(value) == std::mem::discriminant(&sample[name]);
        assert!(same || nullable.contains(&name.as_str()), "{name}: {value}");
    }
}
