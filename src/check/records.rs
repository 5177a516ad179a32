//! Blocks, transactions, receipts and call frames: what the chain's records are, and what the indexer says.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{CheckedPart, CheckedRecord, Findings, KnownWay, SideDifference, json};
use crate::{
    domain::{EvmTxHash, Height, Timestamp, Vm},
    indexer::{
        index::{block_record, call_records, receipt_records, tx_record},
        source::{CommittedBlock, EvmReceipts, EvmTraces},
    },
};

/// All that a node says of a block.
#[derive(Clone, Debug)]
pub struct NodeSide {
    /// The block with its results.
    pub block: CommittedBlock,
    /// The time of the block before it; `None` where the node does not keep that.
    pub previous: Option<Timestamp>,
    /// Which of the transactions have a NUL character in their texts.
    pub with_nul: Vec<bool>,
    /// Receipts; `None` where there is no Ethereum side, or it is not asked.
    pub receipts: Option<EvmReceipts>,
    /// Call frames; `None` where the node does not trace, or is not asked.
    pub traces: Option<EvmTraces>,
}

/// A list of the indexer, whole and in the chain's order.
#[derive(Clone, Debug, Default)]
pub struct ListedRows {
    /// The rows as they came.
    pub rows: Vec<Value>,
    /// What the indexer says of their number.
    pub total: Option<u64>,
}

/// All that an indexer says of the same block.
#[derive(Clone, Debug, Default)]
pub struct IndexerSide {
    /// Its record; `None` where the indexer does not have the block.
    pub block: Option<Value>,
    /// Its transactions.
    pub txs: ListedRows,
    /// The hashes in the order of the newest first.
    pub newest_first: Vec<String>,
    /// Each transaction asked by its hash; `None` where the indexer does not know it.
    pub by_hash: Vec<(String, Option<Value>)>,
    /// Its receipts, where they were asked.
    pub receipts: Option<ListedRows>,
    /// Its call frames, where they were asked.
    pub calls: Option<ListedRows>,
}

/// Compares all records of a block. `is_oldest` says that the indexer holds none before it.
pub fn compare_records(vm: Vm, chain_id: &str, node: &NodeSide, indexer: &IndexerSide, is_oldest: bool) -> Findings {
    let mut findings = Findings::default();
    compare_block(chain_id, node, indexer.block.as_ref(), is_oldest, &mut findings);
    compare_txs(vm, node, indexer, &mut findings);
    let height = node.block.height;
    if let (Some(receipts), Some(rows)) = (&node.receipts, &indexer.receipts) {
        compare_receipts(height, receipts, rows, &mut findings);
        if let (Some(traces), Some(calls)) = (&node.traces, &indexer.calls) {
            compare_calls(height, receipts, traces, calls, &mut findings);
        }
    }
    findings
}

fn compare_block(chain_id: &str, node: &NodeSide, found: Option<&Value>, is_oldest: bool, findings: &mut Findings) {
    let height = node.block.height;
    let record = CheckedRecord::Block(height);
    let expected = block_record(&node.block, node.previous, chain_id);
    findings.compared(CheckedPart::Blocks, 1);
    let Some(found) = found else {
        let node = Value::from(node.block.hash.to_string());
        return findings.differs(CheckedPart::Blocks, record, SideDifference::Missing { node });
    };
    let mut found = found.clone();
    let cut = Value::from(expected.timestamp.cut_to_seconds().to_string());
    let mut expected = serde_json::to_value(expected).unwrap_or_default();
    if found["timestamp"] == cut && expected["timestamp"] != cut {
        findings.known(KnownWay::BlockTimeCut, record.clone());
        expected["timestamp"] = cut;
    }
    let is_first = is_oldest && found["block_time"] == "0";
    if (is_first || node.previous.is_none() && height != Height::FIRST)
        && let (Some(found), Some(expected)) = (found.as_object_mut(), expected.as_object_mut())
        && let Some(time) = found.get("block_time")
    {
        // Nothing to compare with: the node does not keep the block before it, or the indexer does not.
        expected.insert("block_time".to_owned(), time.clone());
    }
    for difference in json::differences(&expected, &found) {
        findings.differs(CheckedPart::Blocks, record.clone(), difference);
    }
}

fn compare_txs(vm: Vm, node: &NodeSide, indexer: &IndexerSide, findings: &mut Findings) {
    let height = node.block.height;
    let txs = node.block.txs.iter();
    let read = |text: String| serde_json::from_str::<Value>(&text).unwrap_or_default();
    let expected: Vec<Value> = txs.map(|tx| read(tx_record(&node.block, tx))).collect();
    let hash = |row: &Value| row["txhash"].as_str().unwrap_or_default().to_owned();
    let named = |row: &Value| match row["txhash"].as_str().unwrap_or_default().parse() {
        Ok(hash) => CheckedRecord::Tx(hash),
        Err(_) => CheckedRecord::TxsOf(height),
    };
    let list = CheckedRecord::TxsOf(height);
    let pairs = align(CheckedPart::Order, &list, &expected, &indexer.txs.rows, hash, named, findings);
    findings.compared(CheckedPart::Order, expected.len());
    totals(&list, expected.len(), &indexer.txs, findings);
    let backwards: Vec<String> = expected.iter().rev().map(hash).collect();
    let is_listed = indexer.txs.rows.len() == expected.len();
    if is_listed && indexer.newest_first != backwards {
        let order = SideDifference::Order {
            field: "newest first".to_owned(),
            node: backwards,
            indexer: indexer.newest_first.clone(),
        };
        findings.differs(CheckedPart::Order, list, order);
    }
    findings.compared(CheckedPart::Txs, expected.len());
    for (place, found) in pairs {
        let record = named(&expected[place]);
        let (told, ways) = compare_tx(vm, &expected[place], found);
        for difference in &told {
            findings.differs(CheckedPart::Txs, record.clone(), difference.clone());
        }
        let has_nul = node.with_nul.get(place) == Some(&true);
        for way in ways.into_iter().chain(has_nul.then_some(KnownWay::NulReplaced)) {
            findings.known(way, record.clone());
        }
        let asked = indexer.by_hash.iter().find(|(asked, _)| *asked == hash(&expected[place]));
        match asked {
            Some((_, Some(alone))) => {
                // What the list says of it was told already.
                let others =
                    compare_tx(vm, &expected[place], alone).0.into_iter().filter(|other| !told.contains(other));
                others.for_each(|difference| findings.differs(CheckedPart::Txs, record.clone(), difference));
            }
            Some((asked, None)) => {
                findings.differs(CheckedPart::Txs, record, SideDifference::Missing { node: asked.clone().into() });
            }
            None => {}
        }
    }
}

fn compare_tx(vm: Vm, expected: &Value, found: &Value) -> (Vec<SideDifference>, Vec<KnownWay>) {
    let mut found = found.clone();
    let mut ways = Vec::new();
    if vm == Vm::Wasm && restore_wasm_json(&expected["tx"]["body"]["messages"], &mut found["tx"]["body"]["messages"]) {
        ways.push(KnownWay::WasmJsonRewritten);
    }
    (json::differences(expected, &found), ways)
}

/// Puts the node's way of writing the JSON of Wasm messages in place of the indexer's where it means the same. Whether
/// there was any.
fn restore_wasm_json(node: &Value, indexer: &mut Value) -> bool {
    match (node, indexer) {
        (Value::Array(node), Value::Array(indexer)) => {
            node.iter().zip(indexer).fold(false, |any, (node, indexer)| restore_wasm_json(node, indexer) || any)
        }
        (Value::Object(node), Value::Object(indexer)) => {
            let is_wasm = node.get("@type").and_then(Value::as_str).is_some_and(|kind| kind.starts_with("/cosmwasm."));
            let mut any = false;
            for (key, value) in node {
                let Some(other) = indexer.get_mut(key) else { continue };
                if is_wasm && key == "msg" {
                    // Also where only the order of the keys differs.
                    let (of_node, of_indexer) = (value.to_string(), other.to_string());
                    let is_rewritten = of_node != of_indexer && json::is_same_meaning(value, other);
                    if is_rewritten {
                        other.clone_from(value);
                        any = true;
                    }
                } else {
                    any = restore_wasm_json(value, other) || any;
                }
            }
            any
        }
        _ => false,
    }
}

fn compare_receipts(height: Height, receipts: &EvmReceipts, rows: &ListedRows, findings: &mut Findings) {
    let expected: Vec<Value> = receipt_records(height, receipts)
        .iter()
        .map(|receipt| serde_json::to_value(receipt).unwrap_or_default())
        .collect();
    let hash = |row: &Value| row["transactionHash"].as_str().unwrap_or_default().to_owned();
    let named = |row: &Value| match hash(row).parse::<EvmTxHash>() {
        Ok(hash) => CheckedRecord::Receipt(hash),
        Err(_) => CheckedRecord::ReceiptsOf(height),
    };
    let list = CheckedRecord::ReceiptsOf(height);
    let pairs = align(CheckedPart::Receipts, &list, &expected, &rows.rows, hash, named, findings);
    findings.compared(CheckedPart::Receipts, expected.len());
    totals(&list, expected.len(), rows, findings);
    for (place, found) in pairs {
        let record = named(&expected[place]);
        let mut found = found.clone();
        let is_nobody = receipts.receipts.get(place).is_some_and(|receipt| receipt.to.is_none());
        if is_nobody && found["to"] == "" {
            findings.known(KnownWay::ReceiptWithoutCallee, record.clone());
        }
        if is_nobody && found["to"].is_null() {
            found["to"] = "".into();
        }
        if found["logs"].is_null() {
            found["logs"] = Value::Array(Vec::new());
        }
        // A node may say more of a receipt than records need, and the indexer keeps what it says.
        if let (Some(found), Some(expected)) = (found.as_object_mut(), expected[place].as_object()) {
            found.retain(|key, _| expected.contains_key(key));
        }
        for difference in json::differences(&expected[place], &found) {
            findings.differs(CheckedPart::Receipts, record.clone(), difference);
        }
    }
}

fn compare_calls(
    height: Height,
    receipts: &EvmReceipts,
    traces: &EvmTraces,
    rows: &ListedRows,
    findings: &mut Findings,
) {
    let expected: Vec<Value> = call_records(height, receipts, traces)
        .iter()
        .map(|call| serde_json::to_value(call).unwrap_or_default())
        .collect();
    let name = |row: &Value| format!("{}#{}", row["hash"].as_str().unwrap_or_default(), row["index"]);
    let named = |row: &Value| CheckedRecord::Call(name(row));
    let list = CheckedRecord::CallsOf(height);
    let pairs = align(CheckedPart::Calls, &list, &expected, &rows.rows, name, named, findings);
    findings.compared(CheckedPart::Calls, expected.len());
    totals(&list, expected.len(), rows, findings);
    let outer = traces.traces.iter().filter_map(|trace| trace.frames.first());
    if rows.rows.len() == expected.len() && outer.into_iter().any(|frame| !frame.output.is_empty()) {
        findings.known(KnownWay::OuterOutput, list);
    }
    for (place, found) in pairs {
        for difference in json::differences(&expected[place], found) {
            findings.differs(CheckedPart::Calls, named(&expected[place]), difference);
        }
    }
}

/// Pairs the rows of both sides by their names; what only one side has, or has twice, or in another order, is told.
fn align<'a>(
    part: CheckedPart,
    list: &CheckedRecord,
    node: &[Value],
    indexer: &'a [Value],
    name: impl Fn(&Value) -> String,
    record: impl Fn(&Value) -> CheckedRecord,
    findings: &mut Findings,
) -> Vec<(usize, &'a Value)> {
    let mut places: BTreeMap<String, usize> = node.iter().map(&name).zip(0..).collect();
    let mut pairs = Vec::with_capacity(indexer.len());
    for row in indexer {
        match places.remove(&name(row)) {
            Some(place) => pairs.push((place, row)),
            None => findings.differs(part, record(row), SideDifference::Unfounded { indexer: row.clone() }),
        }
    }
    let mut missing: Vec<usize> = places.into_values().collect();
    missing.sort_unstable();
    for place in missing {
        findings.differs(part, record(&node[place]), SideDifference::Missing { node: node[place].clone() });
    }
    if !pairs.is_sorted_by_key(|(place, _)| *place) {
        let indexer = pairs.iter().map(|(_, row)| name(row)).collect();
        let mut sorted: Vec<usize> = pairs.iter().map(|(place, _)| *place).collect();
        sorted.sort_unstable();
        let node = sorted.into_iter().map(|place| name(&node[place])).collect();
        findings.differs(part, list.clone(), SideDifference::Order { field: String::new(), node, indexer });
    }
    pairs
}

/// Compares what a list says of its length.
fn totals(list: &CheckedRecord, expected: usize, rows: &ListedRows, findings: &mut Findings) {
    let Some(total) = rows.total else { return };
    findings.compared(CheckedPart::Totals, 1);
    if total != expected as u64 {
        let difference = SideDifference::Total { node: expected as u64, indexer: total };
        findings.differs(CheckedPart::Totals, list.clone(), difference);
    }
}
