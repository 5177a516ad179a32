//! Comparison of blocks, transactions, receipts and call frames.

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use serde_json::Value;

use super::{
    CheckedPart, CheckedRecord, Findings, KnownWay, SideDifference,
    json::{self, JsonComparison},
};
use crate::{
    domain::{EvmTxHash, Height, Timestamp, Vm},
    indexer::{
        index::{block_record, call_records, receipt_records, tx_record},
        source::{BlockProposer, CommittedBlock, EvmReceipts, EvmTraces},
    },
    wire::Proposer,
};

#[derive(Clone, Debug)]
pub struct NodeSide {
    pub block: CommittedBlock,
    /// Time of the previous block; `None` if the node pruned it.
    pub previous: Option<Timestamp>,
    /// For each transaction, whether its texts contain a NUL character.
    pub with_nul: Vec<bool>,
    /// Receipts; `None` without an EVM, or if not requested.
    pub receipts: Option<EvmReceipts>,
    /// Call frames; `None` if the node cannot trace, or if not requested.
    pub traces: Option<EvmTraces>,
}

/// Whole list of the indexer in the chain's order.
#[derive(Clone, Debug, Default)]
pub struct ListedRows {
    /// Rows as received.
    pub rows: Vec<Value>,
    /// Total that the indexer reports; `None` if the indexer counted no total.
    pub total: Option<u64>,
}

/// Data of a block from the indexer.
#[derive(Clone, Debug, Default)]
pub struct IndexerSide {
    /// Block record; `None` if the indexer lacks the block.
    pub block: Option<Value>,
    pub txs: ListedRows,
    /// Hashes of the transactions, newest first.
    pub newest_first: Vec<String>,
    /// Transactions requested by hash; `None` if the indexer does not know the hash.
    pub by_hash: Vec<(String, Option<Value>)>,
    pub receipts: Option<ListedRows>,
    pub calls: Option<ListedRows>,
}

/// How the records of a block are compared.
#[derive(Clone, Copy, Debug)]
pub struct RecordRules<'a> {
    pub vm: Vm,
    pub chain_id: &'a str,
    /// Whether the block is the indexer's oldest.
    pub is_oldest: bool,
    /// Whether the order of keys counts, which a database may change.
    pub is_order_strict: bool,
}

/// Compares all records of a block.
pub fn compare_records(rules: RecordRules<'_>, node: &NodeSide, indexer: &IndexerSide) -> Findings {
    let mut findings = Findings::default();
    compare_block(rules, node, indexer.block.as_ref(), &mut findings);
    compare_txs(rules, node, indexer, &mut findings);
    let height = node.block.height;
    if let (Some(receipts), Some(rows)) = (&node.receipts, &indexer.receipts) {
        compare_receipts(height, receipts, rows, &mut findings);
        if let (Some(traces), Some(calls)) = (&node.traces, &indexer.calls) {
            compare_calls(height, receipts, traces, calls, &mut findings);
        }
    }
    findings
}

fn compare_block(rules: RecordRules<'_>, node: &NodeSide, found: Option<&Value>, findings: &mut Findings) {
    let height = node.block.height;
    let record = CheckedRecord::Block(height);
    let expected = block_record(&node.block, node.previous, rules.chain_id);
    findings.compared(CheckedPart::Blocks, 1);
    let Some(found) = found else {
        let node = Value::from(node.block.hash.to_string());
        return findings.differs(CheckedPart::Blocks, record, SideDifference::Missing { node });
    };
    let mut found = found.clone();
    let cut = Value::from(expected.timestamp.cut_to_seconds().to_string());
    let mut expected = serde_json::to_value(expected).unwrap_or_default();
    if found.get("timestamp") == Some(&cut)
        && let Some(time) = expected.get_mut("timestamp").filter(|time| **time != cut)
    {
        findings.known(KnownWay::BlockTimeCut, record.clone());
        *time = cut;
    }
    let is_first = rules.is_oldest && found.get("block_time").is_some_and(|time| time == "0");
    if (is_first || node.previous.is_none() && height != Height::FIRST)
        && let (Some(found), Some(expected)) = (found.as_object_mut(), expected.as_object_mut())
        && let Some(time) = found.get("block_time")
    {
        // One side lacks the previous block, so the interval cannot be compared.
        expected.insert("block_time".to_owned(), time.clone());
    } else if let (Some(previous), Some(time), Some(expected)) =
        (node.previous, found.get("block_time"), expected.get_mut("block_time"))
        && *time != *expected
        && is_rounded(time, node.block.time.since(previous))
    {
        findings.known(KnownWay::BlockTimeRounded, record.clone());
        expected.clone_from(time);
    }
    let proposer = &node.block.proposer;
    compare_proposer(proposer, &record, &mut expected, &found, findings);
    for difference in json::differences(&expected, &found) {
        findings.differs(CheckedPart::Blocks, record.clone(), difference);
    }
}

/// Makes the expected proposer equal to the found one where the node cannot decide, or the deviation is known.
fn compare_proposer(
    proposer: &BlockProposer,
    record: &CheckedRecord,
    expected: &mut Value,
    found: &Value,
    findings: &mut Findings,
) {
    let reported = serde_json::from_value::<Proposer>(found.get("proposer").cloned().unwrap_or_default());
    let (Ok(reported), Some(expected)) = (reported, expected.get_mut("proposer")) else { return };
    let mut right = proposer.clone().record();
    // The two sides query the validators at different heights, and only this program's index has the other field.
    right.validator_height = reported.validator_height;
    if reported.consensus_address.is_none() {
        right.consensus_address = None;
    }
    let as_consensus = proposer.clone().record().by_real_server();
    if proposer.validator.is_none() && reported.operator_address != right.operator_address {
        let cause = "the node's validators lack the proposer's consensus key";
        findings.not_asked(CheckedPart::Blocks, record.clone(), cause);
        right = Proposer { moniker: reported.moniker, operator_address: reported.operator_address, ..right };
    } else if reported == as_consensus && as_consensus.operator_address != right.operator_address {
        findings.known(KnownWay::ConsensusAsOperator, record.clone());
        right = as_consensus;
    }
    *expected = serde_json::to_value(right).unwrap_or_default();
}

/// Whether a number of milliseconds is less than one millisecond from the exact interval.
fn is_rounded(found: &Value, exact: Duration) -> bool {
    let millis = found.as_str().and_then(|text| text.parse::<u64>().ok());
    millis.is_some_and(|millis| Duration::from_millis(millis).abs_diff(exact) < Duration::from_millis(1))
}

fn compare_txs(rules: RecordRules<'_>, node: &NodeSide, indexer: &IndexerSide, findings: &mut Findings) {
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
    for RowPair { place, node: expected, indexer: found } in pairs {
        let record = named(expected);
        let (told, ways) = compare_tx(rules, expected, found);
        for difference in &told {
            findings.differs(CheckedPart::Txs, record.clone(), difference.clone());
        }
        let has_nul = node.with_nul.get(place) == Some(&true);
        for way in ways.into_iter().chain(has_nul.then_some(KnownWay::NulReplaced)).collect::<BTreeSet<_>>() {
            findings.known(way, record.clone());
        }
        let asked = indexer.by_hash.iter().find(|(asked, _)| *asked == hash(expected));
        match asked {
            // One hash may have several records; by the hash the one that was carried out is served, else the newest.
            Some((_, Some(alone))) if is_other_record(expected, alone) => {}
            Some((_, Some(alone))) => {
                // The comparison of the list has reported the other differences.
                let others = compare_tx(rules, expected, alone).0.into_iter().filter(|other| !told.contains(other));
                others.for_each(|difference| findings.differs(CheckedPart::Txs, record.clone(), difference));
            }
            Some((asked, None)) => {
                findings.differs(CheckedPart::Txs, record, SideDifference::Missing { node: asked.clone().into() });
            }
            None => {}
        }
    }
}

/// Whether this is another record of the hash than the expected one, which it may stand for.
fn is_other_record(expected: &Value, alone: &Value) -> bool {
    let is_success = |record: &Value| record.get("code").and_then(Value::as_u64) == Some(0);
    let (is_done, was_done) = (is_success(alone), is_success(expected));
    let height =
        |record: &Value| record.get("height").and_then(Value::as_str).and_then(|height| height.parse::<u64>().ok());
    alone.get("txhash") == expected.get("txhash")
        && match (is_done, was_done) {
            (true, false) => height(alone) != height(expected),
            (false, true) => false,
            _ => height(alone) > height(expected),
        }
}

fn compare_tx(rules: RecordRules<'_>, expected: &Value, found: &Value) -> (Vec<SideDifference>, Vec<KnownWay>) {
    let mut found = found.clone();
    let mut ways = Vec::new();
    let messages = "/tx/body/messages";
    if rules.vm == Vm::Wasm
        && let (Some(node), Some(indexer)) = (expected.pointer(messages), found.pointer_mut(messages))
        && restore_wasm_json(node, indexer)
    {
        ways.push(KnownWay::WasmJsonRewritten);
    }
    let JsonComparison { mut values, key_order } = json::compared(expected, &found);
    let count = values.len();
    values.retain(|difference| !is_nul_replaced(difference));
    if values.len() < count {
        ways.push(KnownWay::NulReplaced);
    }
    match key_order {
        Some(order) if rules.is_order_strict => values.push(order),
        Some(_) => ways.push(KnownWay::KeyOrder),
        None => {}
    }
    (values, ways)
}

/// Whether the six characters of an escaped NUL, which a text may contain, became those of U+FFFD.
fn is_nul_replaced(difference: &SideDifference) -> bool {
    let SideDifference::Value { node: Some(Value::String(node)), indexer: Some(Value::String(indexer)), .. } =
        difference
    else {
        return false;
    };
    node.contains(r"\u0000") && node.replace(r"\u0000", r"\ufffd") == indexer.replace(r"\uFFFD", r"\ufffd")
}

/// Replaces the JSON of Wasm messages in the indexer's record by the node's equivalent JSON. Returns whether it
/// replaced any.
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
                    // Compare as text: even a different order of keys counts as rewritten.
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
    for RowPair { place, node: expected, indexer } in pairs {
        let record = named(expected);
        let mut found = indexer.clone();
        if let (Some(found), Some(expected)) = (found.as_object_mut(), expected.as_object()) {
            if receipts.receipts.get(place).is_some_and(|receipt| receipt.to.is_none()) {
                match found.get("to") {
                    Some(to) if to == "" => findings.known(KnownWay::ReceiptWithoutCallee, record.clone()),
                    None | Some(Value::Null) => drop(found.insert("to".to_owned(), "".into())),
                    Some(_) => {}
                }
            }
            if found.get("logs").is_none_or(Value::is_null) {
                found.insert("logs".to_owned(), Value::Array(Vec::new()));
            }
            // The indexer may keep additional fields of a node's receipt.
            found.retain(|key, _| expected.contains_key(key));
        }
        for difference in json::differences(expected, &found) {
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
    let mut drops_outer = false;
    for RowPair { node, indexer, .. } in pairs {
        let mut node = node.clone();
        if let Some(fields) = node.as_object_mut() {
            let is_outer = fields.get("parent_index").is_some_and(|parent| *parent == -1);
            let is_empty = |row: Option<&Value>| row.is_some_and(|output| *output == "0x");
            if is_outer && is_empty(indexer.get("output")) && !is_empty(fields.get("output")) {
                drops_outer = true;
                fields.insert("output".to_owned(), "0x".into());
            }
            // Only our own server has errors of calls, and tells what is undone.
            fields.retain(|name, _| !["error", "undone"].contains(&name.as_str()) || indexer.get(name).is_some());
        }
        for difference in json::differences(&node, indexer) {
            findings.differs(CheckedPart::Calls, named(&node), difference);
        }
    }
    if drops_outer {
        findings.known(KnownWay::OuterOutput, list);
    }
}

struct RowPair<'a> {
    /// Index among the node's rows.
    place: usize,
    node: &'a Value,
    indexer: &'a Value,
}

/// Pairs the rows of both sides by name; reports missing, unfounded, doubled and reordered rows.
fn align<'a>(
    part: CheckedPart,
    list: &CheckedRecord,
    node: &'a [Value],
    indexer: &'a [Value],
    name: impl Fn(&Value) -> String,
    record: impl Fn(&Value) -> CheckedRecord,
    findings: &mut Findings,
) -> Vec<RowPair<'a>> {
    let mut unpaired: BTreeMap<String, (usize, &Value)> = node.iter().map(&name).zip(node.iter().enumerate()).collect();
    let mut pairs = Vec::with_capacity(indexer.len());
    for row in indexer {
        match unpaired.remove(&name(row)) {
            Some((place, node)) => pairs.push(RowPair { place, node, indexer: row }),
            None => findings.differs(part, record(row), SideDifference::Unfounded { indexer: row.clone() }),
        }
    }
    let mut missing: Vec<(usize, &Value)> = unpaired.into_values().collect();
    missing.sort_unstable_by_key(|(place, _)| *place);
    for (_, row) in missing {
        findings.differs(part, record(row), SideDifference::Missing { node: row.clone() });
    }
    if !pairs.is_sorted_by_key(|pair| pair.place) {
        let indexer = pairs.iter().map(|pair| name(pair.indexer)).collect();
        let mut sorted: Vec<&RowPair<'_>> = pairs.iter().collect();
        sorted.sort_unstable_by_key(|pair| pair.place);
        let node = sorted.into_iter().map(|pair| name(pair.node)).collect();
        findings.differs(part, list.clone(), SideDifference::Order { field: String::new(), node, indexer });
    }
    pairs
}

fn totals(list: &CheckedRecord, expected: usize, rows: &ListedRows, findings: &mut Findings) {
    let Some(total) = rows.total else { return };
    findings.compared(CheckedPart::Totals, 1);
    if total != expected as u64 {
        let difference = SideDifference::Total { node: expected as u64, indexer: total };
        findings.differs(CheckedPart::Totals, list.clone(), difference);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{domain::Address, indexer::source::ProposingValidator};

    #[test]
    fn a_proposer_differs_is_known_or_cannot_be_decided() {
        let consensus: Address = "0xD1145BCADF88D1E17C84CF305BC578CB0FE4428E".parse().unwrap();
        let as_operator = consensus.bech32_as("initvaloper");
        let validator = |operator: &str, moniker: &str| ProposingValidator {
            moniker: moniker.to_owned(),
            operator_address: operator.to_owned(),
            height: Height::new(9),
        };
        let proposer = |validator| BlockProposer { consensus_address: Some(consensus), validator };
        let named = proposer(Some(validator("initvaloper1live", "live")));
        let unnamed = proposer(None);
        for (node, indexer, different, known, not_asked) in [
            (&named, named.clone().record(), false, 0, 0),
            (&named, named.clone().record().by_real_server(), false, 1, 0),
            (&named, proposer(Some(validator("initvaloper1live", "other"))).record(), true, 0, 0),
            (&named, unnamed.clone().record(), true, 0, 0),
            (&named, Proposer { moniker: "live".into(), ..named.clone().record().by_real_server() }, true, 0, 0),
            (&unnamed, unnamed.clone().record(), false, 0, 0),
            (&unnamed, named.clone().record(), false, 0, 1),
            (&proposer(Some(validator(&as_operator, "live"))), named.clone().record(), true, 0, 0),
        ] {
            let mut findings = Findings::default();
            let mut expected = serde_json::json!({ "proposer": node.clone().record() });
            let found = serde_json::json!({ "proposer": indexer });
            let record = CheckedRecord::Block(Height::FIRST);
            compare_proposer(node, &record, &mut expected, &found, &mut findings);
            assert_eq!(expected != found, different, "{node:?} {indexer:?}");
            assert_eq!((findings.known.len(), findings.not_asked.len()), (known, not_asked), "{node:?} {indexer:?}");
        }
    }
}
