//! What the calls of failed transactions returned.

use std::sync::Arc;

use super::Glossary;
use crate::{
    domain::{Height, TxHash},
    story::receipt,
    wire::{EvmTx, InternalTx, Tx},
};

/// Bytes of an ABI word, and of the selector before an error's words.
const WORD: usize = 32;
const SELECTOR: usize = 4;

/// Failed transaction whose reason only the trace of its calls has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RevertedTx {
    pub height: Height,
    pub hash: TxHash,
}

impl RevertedTx {
    /// Returns the transaction's receipt, given all transactions and receipts of its block in order.
    pub fn receipt<'a>(&self, txs: &[Arc<Tx>], receipts: &'a [Arc<EvmTx>]) -> Option<&'a EvmTx> {
        let pairs = receipts.iter().zip(receipt::pair(txs, receipts));
        let is_own = |place: usize| txs.get(place).is_some_and(|tx| tx.txhash == self.hash);
        pairs
            .filter_map(|(receipt, pair)| Some((receipt, pair?.0)))
            .find(|(_, place)| is_own(*place))
            .map(|(own, _)| &**own)
    }
}

/// Returns what a failed transaction returned, given its calls in any order; empty if it returned nothing, `None` if
/// the server does not tell. Some servers drop the outermost call's output: then the call that it made last returned
/// the data, if they have the form of an error.
pub fn returned_by(calls: &[Arc<InternalTx>]) -> Option<Vec<u8>> {
    let outer = calls.iter().find(|call| call.parent_index < 0)?;
    let output = outer.output.bytes()?;
    if !output.is_empty() || outer.error.is_some() {
        return Some(output);
    }
    let last = calls.iter().filter(|call| call.parent_index == outer.index).max_by_key(|call| call.index)?;
    last.output.bytes().filter(|output| output.len() % WORD == SELECTOR)
}

impl Glossary {
    /// Returns what a failed transaction returned. Remembers a transaction that the caller can ask for.
    pub fn returned(&self, tx: RevertedTx) -> Option<&[u8]> {
        let known = self.returned.get(&tx.hash);
        if known.is_none() {
            self.reverted.see(&tx);
        }
        known.map(|data| &**data)
    }

    pub fn add_returned(&mut self, tx: RevertedTx, data: &[u8]) {
        self.returned.insert(tx.hash, data.into());
    }

    /// Returns the failed transactions whose data was looked up for the first time since the last call.
    pub fn take_reverted(&self) -> Vec<RevertedTx> {
        self.reverted.take()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(parent: i64, index: i64, output: &str, error: Option<&str>) -> Arc<InternalTx> {
        let record = serde_json::json!({
            "height": 1, "hash": format!("0x{}", "4".repeat(64)), "parent_index": parent, "index": index,
            "type": "CALL", "output": output, "error": error,
        });
        Arc::new(serde_json::from_value(record).unwrap())
    }

    #[test]
    fn the_outermost_call_tells_else_the_call_that_it_made_last() {
        let caught = call(0, 1, "0xdeadbeef", Some("execution reverted"));
        let outer = |output: &str, error| vec![caught.clone(), call(-1, 0, output, error)];
        assert_eq!(returned_by(&outer("0xd93c0665", Some("execution reverted"))), Some(vec![0xd9, 0x3c, 0x06, 0x65]));
        assert_eq!(
            returned_by(&outer("0x", Some("execution reverted"))),
            Some(Vec::new()),
            "a caught error is no reason"
        );
        assert_eq!(returned_by(&outer("0x", None)), Some(vec![0xde, 0xad, 0xbe, 0xef]), "the real server drops it");
        let later =
            [outer("0x", None), vec![call(0, 2, &format!("0x{:064x}", 1), None), call(2, 3, "0xdeadbeef", None)]];
        assert_eq!(returned_by(&later.concat()), None, "the last call returned a word");
        assert_eq!(returned_by(&[]), None);
    }
}
