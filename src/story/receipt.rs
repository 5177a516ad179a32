//! Matching of EVM receipts to Cosmos transactions.
//!
//! A transaction without an Ethereum signature has a receipt whose hash derives from its own: the node's proof. Other
//! records only share the block and the order within it. Such a pair matches if the order allows no other pairing and
//! both sides agree in logs, sender, target and result.

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use super::{
    ContractLog,
    decode::{Decoded, DecodedEvent, EventPhase, decode},
};
use crate::{
    domain::{Address, EvmTxHash},
    wire::{EvmTx, Tx, mirrored_hash},
};

/// Evidence that a receipt belongs to a transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReceiptProof {
    Hash,
    /// This many logs are equal, in order.
    Logs(usize),
    /// No logs on either side; position in the block, sender, target and result agree.
    Place,
}

/// Matches the receipts of a block to its transactions, if proven.
///
/// `txs` and `receipts` are complete and in block order. Returns for each receipt the index of its transaction in
/// `txs`.
pub fn pair(txs: &[impl AsRef<Tx>], receipts: &[impl AsRef<EvmTx>]) -> Vec<Option<(usize, ReceiptProof)>> {
    let hashes: HashMap<EvmTxHash, usize> =
        txs.iter().enumerate().map(|(place, tx)| (mirrored_hash(tx.as_ref().txhash), place)).collect();
    let mut pairs: Vec<Option<(usize, ReceiptProof)>> = receipts
        .iter()
        .map(|receipt| hashes.get(&receipt.as_ref().transaction_hash).map(|place| (*place, ReceiptProof::Hash)))
        .collect();
    let taken: HashSet<usize> = pairs.iter().flatten().map(|(place, _)| *place).collect();
    let left = txs.iter().enumerate().filter(|(place, _)| !taken.contains(place));
    let sides: Vec<(usize, TxFacts)> =
        left.filter_map(|(place, tx)| TxFacts::of(tx.as_ref()).map(|side| (place, side))).collect();
    let open = receipts.iter().zip(&pairs).filter(|(_, pair)| pair.is_none());
    let receipt_facts: Vec<ReceiptFacts> = open.map(|(receipt, _)| ReceiptFacts::of(receipt.as_ref())).collect();
    let mut by_order = pair_by_order(&receipt_facts, &sides).into_iter();
    for pair in pairs.iter_mut().filter(|pair| pair.is_none()) {
        *pair = by_order.next().flatten();
    }
    pairs
}

/// Matches by order the receipts that no hash links.
fn pair_by_order(receipt_facts: &[ReceiptFacts], sides: &[(usize, TxFacts)]) -> Vec<Option<(usize, ReceiptProof)>> {
    let first = walk(receipt_facts.iter(), sides.iter());
    let mut last = walk(receipt_facts.iter().rev(), sides.iter().rev());
    last.reverse();
    let both = first.into_iter().zip(last);
    both.map(|(first, last)| first.filter(|found| last.is_some_and(|other| other.0 == found.0))).collect()
}

/// Assigns each receipt the next transaction that agrees with it. Walks from both ends yield the only possible
/// assignment where they agree.
fn walk<'a>(
    receipts: impl Iterator<Item = &'a ReceiptFacts>,
    mut sides: impl Iterator<Item = &'a (usize, TxFacts)> + Clone,
) -> Vec<Option<(usize, ReceiptProof)>> {
    receipts
        .map(|receipt_facts| {
            let mut ahead = sides.clone();
            let found = ahead.find_map(|(place, side)| side.proof(receipt_facts).map(|proof| (*place, proof)));
            if found.is_some() {
                sides = ahead;
            }
            found
        })
        .collect()
}

/// Facts in a receipt that a Cosmos transaction also has.
struct ReceiptFacts {
    /// `None` for the receipt of a transaction without an Ethereum signature.
    sender: Option<Address>,
    called: Option<Address>,
    is_success: bool,
    logs: Vec<ContractLog>,
}

impl ReceiptFacts {
    fn of(receipt: &EvmTx) -> Self {
        let is_somebody = |address: &Address| address.bytes().iter().any(|&byte| byte != 0);
        Self {
            sender: receipt.sender().filter(is_somebody),
            called: receipt.to.parse().ok(),
            is_success: receipt.is_success(),
            logs: receipt.logs().iter().map(ContractLog::of_receipt).collect(),
        }
    }
}

/// Facts in a Cosmos transaction that a receipt also has.
struct TxFacts {
    is_ethereum_signed: bool,
    sender: Option<Address>,
    target: Option<Address>,
    is_success: bool,
    /// Logs of the messages; then these logs plus the logs after the messages.
    logs: [Vec<ContractLog>; 2],
}

impl TxFacts {
    /// Extracts the facts; `None` for a transaction without a receipt: no Ethereum signature and no logs.
    fn of(tx: &Tx) -> Option<Self> {
        // A text search rules out most transactions without parsing them.
        if !tx.events.get().contains("\"evm\"") && !tx.tx.get().contains("9999") {
            return None;
        }
        let decoded = decode(tx);
        let (of_messages, of_all) = (logs(&decoded, false), logs(&decoded, true));
        (decoded.is_ethereum_signed || !of_all.is_empty()).then(|| {
            let fields = decoded.messages.first().map(|message| &message.fields);
            let field = |name: &str| fields?.get(name).and_then(Value::as_str)?.parse::<Address>().ok();
            Self {
                is_ethereum_signed: decoded.is_ethereum_signed,
                sender: decoded.signer.or_else(|| field("sender")),
                target: field("contract_addr"),
                is_success: tx.is_success(),
                logs: [of_messages, of_all],
            }
        })
    }

    /// Whether the receipt may belong to the transaction, and by which evidence.
    fn proof(&self, receipt_facts: &ReceiptFacts) -> Option<ReceiptProof> {
        if self.is_success != receipt_facts.is_success || self.is_ethereum_signed != receipt_facts.sender.is_some() {
            return None;
        }
        let differs = |mine: Option<Address>, theirs: Option<Address>| {
            mine.zip(theirs).is_some_and(|(mine, theirs)| mine.bytes() != theirs.bytes())
        };
        if self.is_ethereum_signed
            && (differs(self.sender, receipt_facts.sender) || differs(self.target, receipt_facts.called))
        {
            return None;
        }
        if !self.logs.contains(&receipt_facts.logs) {
            return None;
        }
        match receipt_facts.logs.len() {
            0 => self.is_ethereum_signed.then_some(ReceiptProof::Place),
            count => Some(ReceiptProof::Logs(count)),
        }
    }
}

/// Returns the logs in `evm` events, in order; those of the gas refund follow the messages.
fn logs(decoded: &Decoded, with_refund: bool) -> Vec<ContractLog> {
    let is_wanted = |phase: EventPhase| with_refund || matches!(phase, EventPhase::Message(_));
    decoded.events.iter().filter(|event| is_wanted(event.phase)).flat_map(DecodedEvent::logs).cloned().collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const SENDER: &str = "0x1111111111111111111111111111111111111111";
    const TARGET: &str = "0x2222222222222222222222222222222222222222";

    fn log(data: u8) -> Value {
        json!({"address": "0xAbCdef0000000000000000000000000000000001", "topics": ["0x01"], "data": format!("0x{data:02x}")})
    }

    fn tx(number: u64, code: u32, data: Option<u8>) -> Box<Tx> {
        let mut attributes: Vec<Value> =
            data.iter().map(|&data| json!({"key": "log", "value": log(data).to_string()})).collect();
        attributes.push(json!({"key": "msg_index", "value": "0"}));
        let record = json!({
            "txhash": format!("{number:064X}"), "height": "7", "code": code, "timestamp": "2026-01-01T00:00:00Z",
            "tx": {
                "body": {"messages": [{"@type": "/minievm.evm.v1.MsgCall", "sender": SENDER, "contract_addr": TARGET}]},
                "auth_info": {"signer_infos": [{"mode_info": {"single": {"mode": 9999}}}]}, "signatures": [],
            },
            "events": [{"type": "evm", "attributes": attributes}],
        });
        serde_json::from_str(&record.to_string()).unwrap()
    }

    fn receipt(number: u64, status: u8, data: Option<u8>) -> Box<EvmTx> {
        let hash = format!("0x{number:064x}");
        let logs: Vec<Value> = data
            .iter()
            .map(|&data| {
                let mut log = log(data);
                let place = json!({"blockNumber": "0x7", "transactionHash": hash, "transactionIndex": "0x0",
                    "blockHash": "0x", "logIndex": "0x0", "removed": false});
                log.as_object_mut().unwrap().extend(place.as_object().unwrap().clone());
                log
            })
            .collect();
        let record = json!({
            "blockHash": "0x", "blockNumber": "0x7", "contractAddress": null, "cumulativeGasUsed": "0x1",
            "effectiveGasPrice": "0x1", "from": SENDER, "gasUsed": "0x1", "logs": logs, "logsBloom": "0x",
            "status": format!("0x{status}"), "to": TARGET, "transactionHash": hash, "transactionIndex": "0x0",
            "type": "0x2",
        });
        serde_json::from_str(&record.to_string()).unwrap()
    }

    #[test]
    fn the_same_logs_in_the_same_order_are_a_proof() {
        let txs = [tx(1, 0, Some(1)), tx(2, 5, None), tx(3, 0, Some(3))];
        let receipts = [receipt(1, 1, Some(1)), receipt(2, 0, None), receipt(3, 1, Some(3))];
        assert_eq!(
            pair(&txs, &receipts),
            [Some((0, ReceiptProof::Logs(1))), Some((1, ReceiptProof::Place)), Some((2, ReceiptProof::Logs(1)))]
        );
    }

    #[test]
    fn another_log_or_result_is_no_proof_and_leaves_the_others_theirs() {
        let txs = [tx(1, 0, Some(1)), tx(2, 0, Some(2)), tx(3, 0, Some(3))];
        let receipts = [receipt(1, 1, Some(1)), receipt(2, 1, Some(9)), receipt(3, 1, Some(3))];
        assert_eq!(pair(&txs, &receipts), [Some((0, ReceiptProof::Logs(1))), None, Some((2, ReceiptProof::Logs(1)))]);
        assert_eq!(pair(&[tx(1, 5, None)], &[receipt(1, 1, None)]), [None]);
    }

    #[test]
    fn a_receipt_whose_hash_is_made_of_a_transactions_is_of_it_and_of_no_other() {
        // Recorded from a MiniEVM node for a transaction without an Ethereum signature.
        let cosmos = "389DC0CE06FA2B2A98B58399FDE3F8A86EDCD8E841DE1B7BAB55686265868541";
        let of_evm = "0x06131238e68ca02b08fbc06ae9cdee460d4aae419cea50058c38035d797feb2a";
        assert_eq!(mirrored_hash(cosmos.parse().unwrap()).to_string(), of_evm);
        // The hash decides between two otherwise equal transactions; the other receipt gets the remaining one.
        let twins = [tx(1, 0, Some(1)), tx(2, 0, Some(1))];
        let mut mirrored = receipt(1, 1, Some(1));
        mirrored.transaction_hash = mirrored_hash(twins[1].txhash);
        mirrored.from = format!("0x{}", "0".repeat(40));
        assert_eq!(pair(&twins, std::slice::from_ref(&mirrored)), [Some((1, ReceiptProof::Hash))]);
        let pairs = pair(&twins, &[receipt(1, 1, Some(1)), mirrored]);
        assert_eq!(pairs, [Some((0, ReceiptProof::Logs(1))), Some((1, ReceiptProof::Hash))]);
    }

    #[test]
    fn where_two_ways_are_open_neither_is_proven() {
        let twins = [tx(1, 0, Some(1)), tx(2, 0, Some(1))];
        assert_eq!(pair(&twins, &[receipt(1, 1, Some(1))]), [None]);
        let both = pair(&twins, &[receipt(1, 1, Some(1)), receipt(2, 1, Some(1))]);
        assert_eq!(both, [Some((0, ReceiptProof::Logs(1))), Some((1, ReceiptProof::Logs(1)))]);
    }

    #[test]
    fn what_no_ethereum_wallet_signed_has_a_receipt_that_names_nobody() {
        let mut record: Value = serde_json::to_value(&*tx(1, 0, Some(1))).unwrap();
        record["tx"]["auth_info"]["signer_infos"][0]["mode_info"]["single"]["mode"] = json!("SIGN_MODE_DIRECT");
        let direct: Box<Tx> = serde_json::from_str(&record.to_string()).unwrap();
        let mut nameless = receipt(2, 1, Some(1));
        nameless.from = format!("0x{}", "0".repeat(40));
        let pairs = pair(&[direct, tx(2, 0, Some(1))], &[receipt(1, 1, Some(1)), nameless]);
        assert_eq!(pairs, [None, None], "in this order neither can be of the other's transaction");
        let mut record: Value = serde_json::to_value(&*tx(1, 0, Some(1))).unwrap();
        record["tx"]["auth_info"]["signer_infos"][0]["mode_info"]["single"]["mode"] = json!("SIGN_MODE_DIRECT");
        let direct: Box<Tx> = serde_json::from_str(&record.to_string()).unwrap();
        let mut nameless = receipt(2, 1, Some(1));
        nameless.from = format!("0x{}", "0".repeat(40));
        assert_eq!(pair(&[direct], &[nameless]), [Some((0, ReceiptProof::Logs(1)))]);
    }
}
