//! What the EVM says of a transaction: its receipt, whether that is proven to be of it, and its calls.

use std::sync::Arc;

use crate::{
    domain::TxHash,
    msg::{ListPage, PageKey, Remote},
    story::{Explanation, Glossary, ReceiptProof},
    wire::{self, InternalTx},
};

/// Bytes of a word, and of the selector that an error has before its words.
const WORD: usize = 32;
const SELECTOR: usize = 4;

/// How the two records of a transaction belong together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ReceiptLink {
    /// They are of the same event.
    Proven(ReceiptProof),
    /// Nothing proves that any of the block's receipts is of it, or the reverse.
    Unproven,
    /// The block holds more transactions than were compared.
    TooMany,
    /// No Ethereum wallet signed it and no contract logged anything, so that it has no receipt.
    NoReceipt,
}

/// What the EVM says of a transaction.
#[derive(Debug, Default)]
pub(super) struct EvmSide {
    /// The receipt: the one that was asked for, or the one that is proven to be of the Cosmos transaction.
    pub(super) receipt: Remote<Arc<wire::EvmTx>>,
    /// All receipts of the block, in order; given back once they are compared.
    pub(super) receipts: Remote<ListPage<Arc<wire::EvmTx>>>,
    /// All transactions of the block, in order; given back once they are compared.
    pub(super) block_txs: Remote<ListPage<Arc<wire::Tx>>>,
    /// The block's transactions, and which of them succeeded, where none is proven to be the receipt's.
    pub(super) candidates: Vec<(TxHash, bool)>,
    /// What comparing them gave.
    pub(super) link: Option<ReceiptLink>,
    /// The transaction's place among the block's, from 0, and their number.
    pub(super) place: Option<(usize, usize)>,
    /// The calls, depth first.
    pub(super) frames: Remote<Vec<Arc<wire::InternalTx>>>,
    /// Where the calls go on.
    pub(super) more_frames: Option<PageKey>,
    /// What the Cosmos transaction has to do with the EVM, once it was looked at.
    pub(super) kind: Option<EvmMarks>,
}

/// What a Cosmos transaction has to do with the EVM.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct EvmMarks {
    pub(super) is_ethereum_signed: bool,
    pub(super) has_logs: bool,
}

impl EvmSide {
    /// Whether the calls held are not all there are.
    pub(super) fn has_more_frames(&self) -> bool {
        self.more_frames.is_some()
    }

    /// What is not here is to be asked for again, and what could not be proven compared again.
    pub(super) fn ask_again(&mut self) {
        self.receipt.forget_failure();
        // A trace that was not there yet may be by now.
        self.frames = Remote::Idle;
        if !matches!(self.link, Some(ReceiptLink::Proven(_) | ReceiptLink::NoReceipt)) {
            (self.link, self.receipts, self.block_txs) = (None, Remote::Idle, Remote::Idle);
        }
    }

    /// What a failing server kept back is to be asked for once more, as it answers again.
    pub(super) fn forget_passing(&mut self) {
        self.receipt.forget_passing();
        self.receipts.forget_passing();
        self.block_txs.forget_passing();
        self.frames.forget_passing();
    }

    /// Gives the calls back, which can be asked for again.
    pub(super) fn drop_frames(&mut self) {
        (self.frames, self.more_frames) = (Remote::Idle, None);
    }

    /// The explanation with the reason that the call returned which failed, where it leaves that open.
    pub(super) fn reason(&self, bare: &Explanation, glossary: &Glossary) -> Option<Explanation> {
        let frames = self.frames.value().filter(|_| bare.lacks_reason())?;
        let reverted = |frame: &InternalTx| frame.output.bytes().filter(|output| output.len() % WORD == SELECTOR);
        // The outer call's own output is never recorded; what it was undone by is the last that it called itself.
        let (own, inner): (Vec<_>, Vec<_>) = frames.iter().rev().partition(|frame| frame.parent_index == 0);
        let outputs = own.into_iter().chain(inner).filter_map(|frame| reverted(frame));
        outputs.map(|output| bare.with_revert_data(&output, glossary)).find(|told| told != bare)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{domain::Timestamp, story};

    /// A call with this output, made by the call with this number.
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
