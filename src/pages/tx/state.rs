//! State of the transaction page: its data, its requests for the EVM side, and the search for the receipt.

use std::sync::Arc;

use super::{
    claims::ClaimTerms,
    evm::{EvmMarks, EvmSide, ReceiptLink},
    lines::{self, TxRecords},
    packets::PacketSearch,
};
use crate::{
    app::{
        Context,
        page::{PageCx, TxName, TxTab},
    },
    domain::{EvmTxHash, Height, Timestamp},
    events::{EventClass, EventRecord},
    msg::{
        Ask, EvmTxScope, InternalTxScope, ListPage, Order, PageId, PageNeed, PageRequest, PageStart, Remote, TxQuery,
        TxScope, ask,
    },
    panes::{
        tx_detail::{TxDetail, TxReading},
        tx_document::{TxSheet, tx_lines},
    },
    story::{self, ReceiptProof},
    wire::{self, ApiError},
};

/// Maximum transactions, and maximum receipts, of a block that the page compares; the limit bounds the parsing time.
const PEERS: u16 = 500;
/// Maximum calls of a transaction that the page loads.
const MOST_FRAMES: usize = 2000;

#[derive(Debug)]
pub(crate) struct TxPage {
    pub(super) name: TxName,
    pub(super) tx: Remote<Arc<wire::Tx>>,
    pub(super) evm: EvmSide,
    pub(super) detail: TxDetail,
    pub(super) packets: PacketSearch,
    pub(super) claims: ClaimTerms,
    /// List that opened the page; `[` and `]` move in it.
    pub(super) origin: Option<PageId>,
}

impl TxPage {
    pub(super) fn new(name: TxName, origin: Option<PageId>) -> Self {
        Self {
            name,
            tx: Remote::Idle,
            evm: EvmSide::default(),
            detail: TxDetail::default(),
            packets: PacketSearch::default(),
            claims: ClaimTerms::default(),
            origin,
        }
    }

    /// Returns whether the transaction succeeded; `None` before a record is loaded.
    pub(super) fn is_success(&self) -> Option<bool> {
        let by_receipt = || self.evm.receipt.value().map(|receipt| receipt.is_success());
        self.tx.value().map(|tx| tx.is_success()).or_else(by_receipt)
    }

    /// Returns why the page has no record.
    pub(super) fn error(&self) -> Option<&ApiError> {
        match self.name {
            TxName::Cosmos(_) => self.tx.error(),
            TxName::Evm(_) => self.evm.receipt.error(),
        }
    }

    /// Returns when the pending request for the record began.
    pub(super) fn loading_since(&self) -> Option<Timestamp> {
        match (&self.tx, &self.evm.receipt) {
            (Remote::Loading { since }, _) | (_, Remote::Loading { since }) => Some(*since),
            _ => None,
        }
    }

    /// Requests the page's first record once.
    pub(super) fn ask_record(&mut self, cx: &mut PageCx<'_>) {
        match self.name {
            TxName::Cosmos(hash) if matches!(self.tx, Remote::Idle) => {
                self.tx.ask(cx.context.now);
                let take = |page: &mut Self, result, cx: &mut PageCx<'_>| page.tx.settle(result, cx.context.now);
                cx.request_for(PageNeed::Record, ask::tx(hash), take);
            }
            TxName::Evm(hash) if matches!(self.evm.receipt, Remote::Idle) => {
                self.evm.receipt.ask(cx.context.now);
                let take =
                    |page: &mut Self, result, cx: &mut PageCx<'_>| page.evm.receipt.settle(result, cx.context.now);
                cx.request_for(PageNeed::Record, ask::evm_tx(hash), take);
            }
            TxName::Cosmos(_) | TxName::Evm(_) => {}
        }
    }

    fn height(&self) -> Option<Height> {
        let by_receipt = || self.evm.receipt.value().and_then(|receipt| receipt.height());
        self.tx.value().map(|tx| tx.height).or_else(by_receipt)
    }

    /// Examines the Cosmos record once; the result determines which EVM data to request.
    fn look(&mut self) {
        let (Some(tx), None) = (self.tx.value(), self.evm.kind) else { return };
        let decoded = story::decode(tx);
        let has_logs = decoded.events.iter().any(|event| matches!(event.class(), EventClass::Evm(_)));
        self.evm.kind = Some(EvmMarks { is_ethereum_signed: decoded.is_ethereum_signed, has_logs });
        if !decoded.is_ethereum_signed && !has_logs && self.evm.receipt.value().is_none() {
            self.evm.link = Some(ReceiptLink::NoReceipt);
        }
    }

    /// Requests the calls, and the block's receipts and transactions to find the receipt.
    pub(super) fn ask_evm(&mut self, cx: &mut PageCx<'_>) {
        self.look();
        let now = cx.context.now;
        if let (Some(height), None) = (self.height(), self.evm.link) {
            let page =
                PageRequest { cursor: PageStart::Start, limit: PEERS, order: Order::Ascending, count_total: false };
            if matches!(self.evm.receipts, Remote::Idle) {
                self.evm.receipts.ask(now);
                cx.request(ask::evm_txs(EvmTxScope::Height(height), page.clone()), |page: &mut Self, result, cx| {
                    page.evm.receipts.settle(result.and_then(ListPage::all_read), cx.context.now);
                    page.take_extra(cx.context.now);
                });
            }
            if matches!(self.evm.block_txs, Remote::Idle) {
                self.evm.block_txs.ask(now);
                let query = TxQuery { scope: TxScope::Height(height), msgs: Vec::new() };
                cx.request(ask::txs(query, page), |page: &mut Self, result, cx| {
                    page.evm.block_txs.settle(result.and_then(ListPage::all_read), cx.context.now);
                    page.take_extra(cx.context.now);
                });
            }
        }
        if self.detail.tab == TxTab::Calls
            && let Some(receipt) = self.evm.receipt.value()
            && matches!(self.evm.frames, Remote::Idle)
        {
            let ask = frames(receipt.transaction_hash, PageStart::Start);
            self.evm.frames.ask(now);
            cx.request(ask, Self::take_frame_page);
        }
    }

    fn take_extra(&mut self, now: Timestamp) {
        self.decide(now);
        self.detail.rebuild();
    }

    fn take_frame_page(&mut self, result: Result<ListPage<Arc<wire::InternalTx>>, ApiError>, cx: &mut PageCx<'_>) {
        match result.and_then(ListPage::all_read) {
            Ok(page) => {
                if let Some(further) = self.take_frames(page, cx.context.now) {
                    cx.request(further, Self::take_frame_page);
                }
            }
            Err(error) => self.evm.frames.settle(Err(error), cx.context.now),
        }
        self.take_extra(cx.context.now);
    }

    fn take_frames(&mut self, page: ListPage<Arc<wire::InternalTx>>, now: Timestamp) -> Option<FramesAsk> {
        let hash = self.evm.receipt.value()?.transaction_hash;
        let mut all = self.evm.more_frames.take().and_then(|_| self.evm.frames.value().cloned()).unwrap_or_default();
        all.extend(page.items);
        all.truncate(MOST_FRAMES);
        let next = page.next.filter(|_| all.len() < MOST_FRAMES);
        self.evm.more_frames.clone_from(&next);
        self.evm.frames.settle(Ok(all), now);
        next.map(|key| frames(hash, PageStart::Key(key)))
    }

    /// Links transaction and receipt once both lists of the block are loaded.
    fn decide(&mut self, now: Timestamp) {
        let (Some(receipts), Some(txs), None) = (self.evm.receipts.value(), self.evm.block_txs.value(), self.evm.link)
        else {
            return;
        };
        // With only part of a block, order proves nothing, but a hash does.
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

    /// Stores the result and drops the lists: pages in the history must not keep whole blocks.
    fn settle_link(&mut self, link: ReceiptLink) {
        (self.evm.link, self.evm.receipts, self.evm.block_txs) = (Some(link), Remote::Idle, Remote::Idle);
    }

    /// Forgets what may have changed: the EVM side's failures and the steps of packets.
    pub(super) fn ask_again(&mut self) {
        self.evm.ask_again();
        (self.packets, self.claims) = (PacketSearch::default(), ClaimTerms::default());
    }

    /// Builds the current tab's lines. `place` is the transaction's index in
    /// its block, from 0, and the number of transactions.
    pub(super) fn make_lines(&mut self, cx: &Context, reading: &TxReading<'_>, place: Option<(usize, usize)>) {
        self.look();
        if self.tx.value().is_none() && self.evm.receipt.value().is_none() {
            return;
        }
        let traced = cx.chain.status.value().and_then(|status| status.internal_tx_height);
        let has_evm = match self.evm.kind {
            Some(kind) => kind.is_ethereum_signed || kind.has_logs,
            None => self.evm.receipt.value().is_some(),
        };
        self.detail.set_has_evm(has_evm);
        let tx = self.tx.value().map(Arc::as_ref);
        let side = TxRecords { tx, evm: &self.evm, style: reading.style.clone(), glossary: reading.glossary, traced };
        let place = place.or(self.evm.place);
        let (packets, claims) = (self.packets.shown(cx), self.claims.shown(cx));
        self.detail.make_lines(side.tx, reading, |tab, story| match (tab, side.tx, story) {
            (TxTab::Logs, ..) => lines::log_lines(&side),
            (TxTab::Calls, ..) => lines::call_lines(&side),
            (tab, Some(tx), Some(story)) => {
                let beside = lines::beside(&side);
                let sheet = reading.sheet(tx, story, beside, place);
                let (packets, claims, charged) = (packets.as_ref(), claims.as_ref(), self.evm.charged());
                let disputes = self.packets.disputes();
                tx_lines(&TxSheet { charged, packets, disputes, claims, ..sheet }, tab)
            }
            (tab, ..) => lines::receipt_lines(&side, tab),
        });
    }
}

type FramesAsk = Ask<ListPage<Arc<wire::InternalTx>>>;

fn frames(hash: EvmTxHash, cursor: PageStart) -> FramesAsk {
    let page = PageRequest { cursor, limit: PEERS, order: Order::Ascending, count_total: false };
    ask::internal_txs(InternalTxScope::Tx(hash), page)
}
