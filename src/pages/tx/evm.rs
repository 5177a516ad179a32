//! EVM side of a transaction: its receipt, the proof that links them, and its calls.

use std::sync::Arc;

use crate::{
    app::{Context, prompt::CopyChoice},
    domain::{Amount, TxHash},
    msg::{ListPage, PageKey, Remote, Request},
    story::ReceiptProof,
    wire,
};

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

    /// Returns the receipt that is proven to belong to the Cosmos transaction.
    pub(super) fn proven(&self) -> Option<&wire::EvmTx> {
        let is_proven = matches!(self.link, Some(ReceiptLink::Proven(_)));
        self.receipt.value().filter(|_| is_proven).map(AsRef::as_ref)
    }

    /// Returns the copy choices of the receipt.
    pub(super) fn copies(&self, cx: &Context) -> Vec<CopyChoice> {
        let Some(receipt) = self.receipt.value() else { return Vec::new() };
        let (hash, json) = (receipt.transaction_hash, serde_json::to_string_pretty(&**receipt).unwrap_or_default());
        let choices =
            [CopyChoice::value('x', "EVM hash", hash.to_string()), CopyChoice::document('r', "receipt as JSON", json)];
        let curl = cx.curl('g', "curl command of the receipt", &Request::EvmTx(hash));
        choices.into_iter().chain(curl).collect()
    }

    /// Returns the gas price of the proven receipt; `None` where the receipt has none.
    pub(super) fn charged(&self) -> Option<Amount> {
        self.proven()?.effective_gas_price.quantity().filter(|price| !price.is_zero())
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
}
