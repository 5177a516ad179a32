//! What the page holds, what it lacks of the EVM's side, and how the two records are compared.

use std::sync::Arc;

use super::{
    evm::{EvmMarks, EvmSide, ReceiptLink},
    lines::{self, TxRecords},
};
use crate::{
    app::page::{TxName, TxTab},
    domain::{EvmTxHash, Height, Timestamp},
    msg::{
        Answer, EvmTxScope, InternalTxScope, ListPage, Order, PageId, PageNeed, PageRequest, PageStart, Remote,
        Request, TxQuery, TxScope,
    },
    panes::{
        tx_detail::{TxDetail, TxReading},
        tx_document::tx_lines,
    },
    story::{self, ReceiptProof},
    wire::{self, ApiError},
};

/// Rows of each of a block's two lists at once. A block with more transactions is not compared: they are taken apart in
/// one go.
const PEERS: u16 = 500;
/// Call frames held of one transaction at the most.
const MOST_FRAMES: usize = 2000;

#[derive(Debug)]
pub(crate) struct TxPage {
    pub(super) name: TxName,
    pub(super) tx: Remote<Arc<wire::Tx>>,
    /// What the EVM says of it.
    pub(super) evm: EvmSide,
    /// Its tabs.
    pub(super) detail: TxDetail,
    /// The list it was opened from: its neighbours are the siblings.
    pub(super) origin: Option<PageId>,
}

impl TxPage {
    pub(super) fn new(name: TxName, origin: Option<PageId>) -> Self {
        Self { name, tx: Remote::Idle, evm: EvmSide::default(), detail: TxDetail::default(), origin }
    }

    /// Whether it succeeded, as soon as one of its records is here.
    pub(super) fn is_success(&self) -> Option<bool> {
        let by_receipt = || self.evm.receipt.value().map(|receipt| receipt.is_success());
        self.tx.value().map(|tx| tx.is_success()).or_else(by_receipt)
    }

    /// Why there is nothing to show.
    pub(super) fn error(&self) -> Option<&ApiError> {
        match self.name {
            TxName::Cosmos(_) => self.tx.error(),
            TxName::Evm(_) => self.evm.receipt.error(),
        }
    }

    /// Since when the record is awaited.
    pub(super) fn loading_since(&self) -> Option<Timestamp> {
        match (&self.tx, &self.evm.receipt) {
            (Remote::Loading { since }, _) | (_, Remote::Loading { since }) => Some(*since),
            _ => None,
        }
    }

    pub(super) fn take_record(&mut self, result: Result<Answer, ApiError>, now: Timestamp) {
        match result {
            Ok(Answer::EvmTx(receipt)) => self.evm.receipt.settle(Ok(receipt), now),
            Ok(Answer::Tx(tx)) => self.tx.settle(Ok(tx), now),
            Ok(_) => {}
            Err(error) if matches!(self.name, TxName::Evm(_)) => self.evm.receipt.settle(Err(error), now),
            Err(error) => self.tx.settle(Err(error), now),
        }
    }

    /// The record that the page begins with, where nobody asked for it yet.
    pub(super) fn first_need(&mut self, now: Timestamp) -> Option<Request> {
        match self.name {
            TxName::Cosmos(hash) if matches!(self.tx, Remote::Idle) => {
                self.tx.ask(now);
                Some(Request::Tx(hash))
            }
            TxName::Evm(hash) if matches!(self.evm.receipt, Remote::Idle) => {
                self.evm.receipt.ask(now);
                Some(Request::EvmTx(hash))
            }
            _ => None,
        }
    }

    fn height(&self) -> Option<Height> {
        let by_receipt = || self.evm.receipt.value().and_then(|receipt| receipt.height());
        self.tx.value().map(|tx| tx.height).or_else(by_receipt)
    }

    /// Looks at the record once: what it has to do with the EVM decides what else is asked for.
    fn look(&mut self) {
        let (Some(tx), None) = (self.tx.value(), self.evm.kind) else { return };
        let decoded = story::decode(tx);
        let has_logs = decoded.events.iter().any(|event| event.kind == "evm");
        self.evm.kind = Some(EvmMarks { is_ethereum_signed: decoded.is_ethereum_signed, has_logs });
        if !decoded.is_ethereum_signed && !has_logs && self.evm.receipt.value().is_none() {
            self.evm.link = Some(ReceiptLink::NoReceipt);
        }
    }

    /// What else the page needs by now.
    pub(super) fn evm_needs(&mut self, now: Timestamp) -> Vec<(PageNeed, Request)> {
        self.look();
        let mut needs = Vec::new();
        if let (Some(height), None) = (self.height(), self.evm.link) {
            let page =
                PageRequest { cursor: PageStart::Start, limit: PEERS, order: Order::Ascending, count_total: false };
            if matches!(self.evm.receipts, Remote::Idle) {
                self.evm.receipts.ask(now);
                needs.push((PageNeed::Receipts, Request::EvmTxs(EvmTxScope::Height(height), page.clone())));
            }
            if matches!(self.evm.block_txs, Remote::Idle) {
                self.evm.block_txs.ask(now);
                let query = TxQuery { scope: TxScope::Height(height), msgs: Vec::new() };
                needs.push((PageNeed::BlockTxs, Request::Txs(query, page)));
            }
        }
        // The record of a call that reverted may keep no reason, which its frames tell.
        let wants_frames = self.detail.tab == TxTab::Calls || self.detail.lacks_reason();
        if wants_frames
            && let Some(receipt) = self.evm.receipt.value()
            && matches!(self.evm.frames, Remote::Idle)
        {
            let request = frames(receipt.transaction_hash, PageStart::Start);
            self.evm.frames.ask(now);
            needs.push((PageNeed::Frames, request));
        }
        needs
    }

    /// A second thing came. Returns what is to be asked for next.
    pub(super) fn take_extra(
        &mut self,
        what: PageNeed,
        result: Result<Answer, ApiError>,
        now: Timestamp,
    ) -> Option<Request> {
        let mut further = None;
        match (what, result) {
            (PageNeed::Receipts, Ok(Answer::EvmTxs(page))) => self.evm.receipts.settle(page.all_read(), now),
            (PageNeed::Receipts, Err(error)) => self.evm.receipts.settle(Err(error), now),
            (PageNeed::BlockTxs, Ok(Answer::Txs(page))) => self.evm.block_txs.settle(page.all_read(), now),
            (PageNeed::BlockTxs, Err(error)) => self.evm.block_txs.settle(Err(error), now),
            (PageNeed::Frames, Ok(Answer::InternalTxs(page))) => match page.all_read() {
                Ok(page) => further = self.take_frames(page, now),
                Err(error) => self.evm.frames.settle(Err(error), now),
            },
            (PageNeed::Frames, Err(error)) => self.evm.frames.settle(Err(error), now),
            _ => {}
        }
        self.decide(now);
        self.detail.rebuild();
        further
    }

    fn take_frames(&mut self, page: ListPage<Arc<wire::InternalTx>>, now: Timestamp) -> Option<Request> {
        let hash = self.evm.receipt.value()?.transaction_hash;
        let mut all = self.evm.more_frames.take().and_then(|_| self.evm.frames.value().cloned()).unwrap_or_default();
        all.extend(page.items);
        all.truncate(MOST_FRAMES);
        let next = page.next.filter(|_| all.len() < MOST_FRAMES);
        self.evm.more_frames.clone_from(&next);
        self.evm.frames.settle(Ok(all), now);
        next.map(|key| frames(hash, PageStart::Key(key)))
    }

    /// Compares the block's two lists once both are here.
    fn decide(&mut self, now: Timestamp) {
        let (Some(receipts), Some(txs), None) = (self.evm.receipts.value(), self.evm.block_txs.value(), self.evm.link)
        else {
            return;
        };
        // Of a part of the block the order proves nothing, and a hash all the same.
        let is_part = receipts.next.is_some() || txs.next.is_some();
        let pairs = story::pair(&txs.items, &receipts.items);
        let mut proven = receipts.items.iter().zip(pairs).filter_map(|(receipt, pair)| {
            let (place, proof) = pair.filter(|(_, proof)| !is_part || *proof == ReceiptProof::Hash)?;
            Some((receipt, txs.items.get(place)?, proof))
        });
        let found = match self.name {
            TxName::Cosmos(hash) => proven.find(|(_, tx, _)| tx.txhash == hash),
            TxName::Evm(hash) => proven.find(|(receipt, ..)| receipt.transaction_hash == hash),
        };
        if let TxName::Cosmos(hash) = self.name {
            let place = txs.items.iter().position(|tx| tx.txhash == hash);
            self.evm.place = place.zip(Some(txs.items.len())).filter(|_| !is_part);
        }
        let Some((receipt, tx, proof)) = found.map(|(receipt, tx, proof)| (Arc::clone(receipt), Arc::clone(tx), proof))
        else {
            if is_part {
                return self.settle_link(ReceiptLink::TooMany);
            }
            self.evm.candidates = txs.items.iter().map(|tx| (tx.txhash, tx.is_success())).collect();
            return self.settle_link(ReceiptLink::Unproven);
        };
        let place = txs.items.iter().position(|other| other.txhash == tx.txhash);
        self.evm.place = place.zip(Some(txs.items.len())).filter(|_| !is_part);
        self.settle_link(ReceiptLink::Proven(proof));
        self.name = TxName::Cosmos(tx.txhash);
        self.evm.receipt = Remote::Ready { value: receipt, at: now };
        if self.tx.value().is_none() {
            self.tx = Remote::Ready { value: tx, at: now };
        }
    }

    /// The lists are compared: dozens of pages in history must not keep whole blocks.
    fn settle_link(&mut self, link: ReceiptLink) {
        (self.evm.link, self.evm.receipts, self.evm.block_txs) = (Some(link), Remote::Idle, Remote::Idle);
    }

    /// Makes the lines of the tab that is shown. `traced` is how far the server's index of calls is, `place` the
    /// transaction's among its block's from 0 and their number, where the list that it was opened from tells.
    pub(super) fn make_lines(&mut self, reading: &TxReading<'_>, traced: Option<u64>, place: Option<(usize, usize)>) {
        self.look();
        if self.tx.value().is_none() && self.evm.receipt.value().is_none() {
            return;
        }
        let has_evm = match self.evm.kind {
            Some(kind) => kind.is_ethereum_signed || kind.has_logs,
            None => self.evm.receipt.value().is_some(),
        };
        self.detail.set_has_evm(has_evm);
        let tx = self.tx.value().map(Arc::as_ref);
        let side = TxRecords { tx, evm: &self.evm, style: reading.style.clone(), glossary: reading.glossary, traced };
        let place = place.or(self.evm.place);
        self.detail.make_lines(side.tx, reading, |tab, story| match (tab, side.tx, story) {
            (TxTab::Logs, ..) => lines::log_lines(&side),
            (TxTab::Calls, ..) => lines::call_lines(&side),
            (tab, Some(tx), Some(story)) => {
                let reason = story.explanation.as_ref().and_then(|bare| side.evm.reason(bare, reading.glossary));
                let beside = lines::beside(&side);
                tx_lines(&reading.sheet(tx, story, reason.as_ref(), beside, place), tab)
            }
            (tab, ..) => lines::receipt_lines(&side, tab),
        });
    }
}

fn frames(hash: EvmTxHash, cursor: PageStart) -> Request {
    let page = PageRequest { cursor, limit: PEERS, order: Order::Ascending, count_total: false };
    Request::InternalTxs(InternalTxScope::Tx(hash), page)
}
