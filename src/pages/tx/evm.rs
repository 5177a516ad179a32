//! EVM side of a transaction: its receipt, the proof that links them, and its calls.

use std::sync::Arc;

use crate::{
    domain::TxHash,
    msg::{ListPage, PageKey, Remote},
    story::{Explanation, Glossary, ReceiptProof},
    wire::{self, InternalTx},
};

/// Bytes of an ABI word. A revert's data is a selector of [`SELECTOR`] bytes and whole words.
const WORD: usize = 32;
const SELECTOR: usize = 4;

/// Link between the Cosmos transaction and an EVM receipt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ReceiptLink {
    Proven(ReceiptProof),
    /// No evidence links the transaction to a receipt of its block.
    Unproven,
    /// The block has more transactions than the page compares.
    TooMany,
    /// The transaction has no receipt: no Ethereum wallet signed it, and it emitted no log.
    NoReceipt,
}

#[derive(Debug, Default)]
pub(super) struct EvmSide {
    /// Receipt that the user opened, or that belongs to the Cosmos transaction.
    pub(super) receipt: Remote<Arc<wire::EvmTx>>,
    /// All receipts of the block in order; dropped after the comparison.
    pub(super) receipts: Remote<ListPage<Arc<wire::EvmTx>>>,
    /// All transactions of the block in order; dropped after the comparison.
    pub(super) block_txs: Remote<ListPage<Arc<wire::Tx>>>,
    /// Transactions of the block that may belong to the receipt, each with its success.
    pub(super) candidates: Vec<(TxHash, bool)>,
    /// Result of the comparison.
    pub(super) link: Option<ReceiptLink>,
    /// Index among the block's transactions, from 0, and the number of transactions.
    pub(super) place: Option<(usize, usize)>,
    /// Calls, depth first.
    pub(super) frames: Remote<Vec<Arc<wire::InternalTx>>>,
    pub(super) more_frames: Option<PageKey>,
    /// Traces of the EVM in the Cosmos transaction, once examined.
    pub(super) kind: Option<EvmMarks>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct EvmMarks {
    pub(super) is_ethereum_signed: bool,
    pub(super) has_logs: bool,
}

impl EvmSide {
    /// Whether the server has more calls than the page loaded.
    pub(super) fn has_more_frames(&self) -> bool {
        self.more_frames.is_some()
    }

    /// Allows new requests for missing data, and a new comparison of unproven records.
    pub(super) fn ask_again(&mut self) {
        self.receipt.forget_failure();
        // The server may have traced the calls since.
        self.frames = Remote::Idle;
        if !matches!(self.link, Some(ReceiptLink::Proven(_) | ReceiptLink::NoReceipt)) {
            (self.link, self.receipts, self.block_txs) = (None, Remote::Idle, Remote::Idle);
        }
    }

    /// Allows failed requests to repeat after the server recovered.
    pub(super) fn forget_passing(&mut self) {
        self.receipt.forget_passing();
        self.receipts.forget_passing();
        self.block_txs.forget_passing();
        self.frames.forget_passing();
    }

    /// Drops the calls; the page can load them again.
    pub(super) fn drop_frames(&mut self) {
        (self.frames, self.more_frames) = (Remote::Idle, None);
    }

    /// Completes an explanation that lacks the reason with the reason that the failed call returned.
    pub(super) fn reason(&self, bare: &Explanation, glossary: &Glossary) -> Option<Explanation> {
        let frames = self.frames.value().filter(|_| bare.lacks_reason())?;
        let reverted = |frame: &InternalTx| frame.output.bytes().filter(|output| output.len() % WORD == SELECTOR);
        // The index never records the outermost call's output; the last call that it made caused the revert.
        let (own, inner): (Vec<_>, Vec<_>) = frames.iter().rev().partition(|frame| frame.parent_index == 0);
        let outputs = own.into_iter().chain(inner).filter_map(|frame| reverted(frame));
        outputs.map(|output| bare.with_revert_data(&output, glossary)).find(|told| told != bare)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{domain::Timestamp, story};

    fn frame(parent: i64, output: &str) -> Arc<InternalTx> {
        let record = serde_json::json!({
            "height": 1, "hash": format!("0x{}", "4".repeat(64)), "parent_index": parent, "index": parent + 1,
            "type": "CALL", "output": output,
        });
        Arc::new(serde_json::from_value(record).unwrap())
    }

    #[test]
    fn a_bare_revert_gets_its_reason_from_the_call_that_was_made_last() {
        let record = serde_json::json!({
            "txhash": "0".repeat(64), "height": "1", "timestamp": "2026-01-01T00:00:00Z", "code": 23, "codespace": "evm",
            "raw_log": "failed to execute message; message index: 0: Reverted",
            "tx": {"body": {"messages": [{"@type": "/minievm.evm.v1.MsgCall"}]}},
        });
        let glossary = Glossary::default();
        let story = story::Story::of(&serde_json::from_value(record).unwrap(), &glossary);
        let bare = story.explanation.unwrap();
        assert!(bare.lacks_reason(), "{}", bare.text);
        let error = |text: &str| {
            let hex = alloy_primitives::hex::encode(text);
            format!("0x08c379a0{:064x}{:064x}{hex:0<64}", 32, text.len())
        };
        let returned = format!("0x{:064x}", 1);
        let frames =
            vec![frame(-1, "0x"), frame(0, &error("too poor")), frame(1, &error("caught")), frame(0, &returned)];
        let side = EvmSide { frames: Remote::Ready { value: frames, at: Timestamp::EPOCH }, ..EvmSide::default() };
        let told = side.reason(&bare, &glossary).unwrap();
        assert!(told.text.contains("too poor") && !told.text.contains("caught"), "{}", told.text);
        assert_eq!(EvmSide::default().reason(&bare, &glossary), None);
    }
}
