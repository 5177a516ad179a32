//! The EVM's side of a transaction's page: its receipt, whether that is proven to be of it, and its calls.

use std::sync::Arc;

use super::{
    App,
    evm_document::{self, Side},
    tx_detail::Reader,
    tx_document::tx_lines,
    view::{TxPage, View},
};
use crate::{
    app::page::{TxName, TxTab},
    domain::{EvmTxHash, Height, Target, Timestamp, TxHash},
    msg::{
        Answer, Cursor, EvmTxScope, InternalTxScope, Order, Page, PageKey, PageNeed, PageRequest, Remote, Request,
        Slot, TxQuery, TxScope,
    },
    story::{self, Explanation, Glossary, ReceiptProof},
    wire::{self, ApiError, InternalTx},
};

/// Rows of each of them at once. A block with more transactions is not compared: they are taken apart in one go.
const PEERS: u16 = 500;
/// Bytes of a word, and of the selector that an error has before its words.
const WORD: usize = 32;
const SELECTOR: usize = 4;
/// Call frames held of one transaction at the most.
const MOST_FRAMES: usize = 2000;

/// How the two records of a transaction belong together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Link {
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
pub(crate) struct EvmSide {
    /// The receipt: the one that was asked for, or the one that is proven to be of the Cosmos transaction.
    pub(crate) receipt: Remote<Arc<wire::EvmTx>>,
    /// All receipts of the block, in order; given back once they are compared.
    pub(crate) receipts: Remote<Page<Arc<wire::EvmTx>>>,
    /// All transactions of the block, in order; given back once they are compared.
    pub(crate) block_txs: Remote<Page<Arc<wire::Tx>>>,
    /// The block's transactions, and which of them succeeded, where none is proven to be the receipt's.
    pub(crate) candidates: Vec<(TxHash, bool)>,
    /// What comparing them gave.
    pub(crate) link: Option<Link>,
    /// The transaction's place among the block's, from 0, and their number.
    pub(crate) place: Option<(usize, usize)>,
    /// The calls, depth first.
    pub(crate) frames: Remote<Vec<Arc<wire::InternalTx>>>,
    /// Where the calls go on.
    more_frames: Option<PageKey>,
    /// What the Cosmos transaction has to do with the EVM, once it was looked at.
    kind: Option<Kind>,
}

/// What a Cosmos transaction has to do with the EVM.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Kind {
    is_ethereum_signed: bool,
    has_logs: bool,
}

impl EvmSide {
    /// Whether the calls held are not all there are.
    pub(crate) fn has_more_frames(&self) -> bool {
        self.more_frames.is_some()
    }
}

impl EvmSide {
    /// The explanation with the reason that the call returned which failed, where it leaves that open.
    fn reason(&self, bare: &Explanation, glossary: &Glossary) -> Option<Explanation> {
        let frames = self.frames.value().filter(|_| bare.lacks_reason())?;
        let reverted = |frame: &InternalTx| frame.output.bytes().filter(|output| output.len() % WORD == SELECTOR);
        // The outer call's own output is never recorded; what it was undone by is the last that it called itself.
        let (own, inner): (Vec<_>, Vec<_>) = frames.iter().rev().partition(|frame| frame.parent_index == 0);
        let outputs = own.into_iter().chain(inner).filter_map(|frame| reverted(frame));
        outputs.map(|output| bare.with_revert_data(&output, glossary)).find(|told| told != bare)
    }
}

impl TxPage {
    /// Whether it succeeded, as soon as one of its records is here.
    pub(crate) fn is_success(&self) -> Option<bool> {
        let by_receipt = || self.evm.receipt.value().map(|receipt| receipt.is_success());
        self.tx.value().map(|tx| tx.is_success()).or_else(by_receipt)
    }

    /// Why there is nothing to show.
    pub(crate) fn error(&self) -> Option<&ApiError> {
        match self.name {
            TxName::Cosmos(_) => self.tx.error(),
            TxName::Evm(_) => self.evm.receipt.error(),
        }
    }

    /// Since when the record is awaited.
    pub(crate) fn loading_since(&self) -> Option<Timestamp> {
        match (&self.tx, &self.evm.receipt) {
            (Remote::Loading { since }, _) | (_, Remote::Loading { since }) => Some(*since),
            _ => None,
        }
    }

    /// Whether something that is on screen is awaited.
    pub(super) fn is_loading(&self) -> bool {
        self.loading_since().is_some() || (self.detail.tab == TxTab::Calls && self.evm.frames.is_loading())
    }

    /// What is not here is to be asked for again, and what could not be proven compared again.
    pub(super) fn ask_again(&mut self) {
        self.tx.forget_failure();
        self.evm.receipt.forget_failure();
        // A trace that was not there yet may be by now.
        self.evm.frames = Remote::Idle;
        if !matches!(self.evm.link, Some(Link::Proven(_) | Link::NoReceipt)) {
            (self.evm.link, self.evm.receipts, self.evm.block_txs) = (None, Remote::Idle, Remote::Idle);
        }
        self.detail.rebuild();
    }

    /// What a failing server kept back is to be asked for once more, as it answers again.
    pub(super) fn retry(&mut self) {
        self.tx.forget_passing();
        self.evm.receipt.forget_passing();
        self.evm.receipts.forget_passing();
        self.evm.block_txs.forget_passing();
        self.evm.frames.forget_passing();
    }

    /// Gives back what can be asked for again while the page is covered.
    pub(super) fn shrink(&mut self) {
        // The place in the calls is kept where one looked at them.
        if self.detail.tab != TxTab::Calls {
            (self.evm.frames, self.evm.more_frames) = (Remote::Idle, None);
        }
        self.detail.shrink();
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
        self.evm.kind = Some(Kind { is_ethereum_signed: decoded.is_ethereum_signed, has_logs });
        if !decoded.is_ethereum_signed && !has_logs && self.evm.receipt.value().is_none() {
            self.evm.link = Some(Link::NoReceipt);
        }
    }

    /// What else the page needs by now.
    fn evm_needs(&mut self, now: Timestamp) -> Vec<(PageNeed, Request)> {
        self.look();
        let mut needs = Vec::new();
        if let (Some(height), None) = (self.height(), self.evm.link) {
            let page = PageRequest { cursor: Cursor::Start, limit: PEERS, order: Order::Ascending, count_total: false };
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
            let request = frames(receipt.transaction_hash, Cursor::Start);
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
            (PageNeed::Receipts, Ok(Answer::EvmTxs(page))) => self.evm.receipts.settle(Ok(page), now),
            (PageNeed::Receipts, Err(error)) => self.evm.receipts.settle(Err(error), now),
            (PageNeed::BlockTxs, Ok(Answer::Txs(page))) => self.evm.block_txs.settle(Ok(page), now),
            (PageNeed::BlockTxs, Err(error)) => self.evm.block_txs.settle(Err(error), now),
            (PageNeed::Frames, Ok(Answer::InternalTxs(page))) => further = self.take_frames(page, now),
            (PageNeed::Frames, Err(error)) => self.evm.frames.settle(Err(error), now),
            _ => {}
        }
        self.decide(now);
        self.detail.rebuild();
        further
    }

    fn take_frames(&mut self, page: Page<Arc<wire::InternalTx>>, now: Timestamp) -> Option<Request> {
        let hash = self.evm.receipt.value()?.transaction_hash;
        let mut all = self.evm.more_frames.take().and_then(|_| self.evm.frames.value().cloned()).unwrap_or_default();
        all.extend(page.items);
        all.truncate(MOST_FRAMES);
        let next = page.next.filter(|_| all.len() < MOST_FRAMES);
        self.evm.more_frames.clone_from(&next);
        self.evm.frames.settle(Ok(all), now);
        next.map(|key| frames(hash, Cursor::Key(key)))
    }

    /// Compares the block's two lists once both are here.
    fn decide(&mut self, now: Timestamp) {
        let (Some(receipts), Some(txs), None) = (self.evm.receipts.value(), self.evm.block_txs.value(), self.evm.link)
        else {
            return;
        };
        if receipts.next.is_some() || txs.next.is_some() {
            return self.settle_link(Link::TooMany);
        }
        let pairs = story::pair(&txs.items, &receipts.items);
        let mut proven = receipts.items.iter().zip(pairs).filter_map(|(receipt, pair)| {
            let (place, proof) = pair?;
            Some((receipt, txs.items.get(place)?, proof))
        });
        let found = match self.name {
            TxName::Cosmos(hash) => proven.find(|(_, tx, _)| tx.txhash == hash),
            TxName::Evm(hash) => proven.find(|(receipt, ..)| receipt.transaction_hash == hash),
        };
        if let TxName::Cosmos(hash) = self.name {
            self.evm.place = txs.items.iter().position(|tx| tx.txhash == hash).zip(Some(txs.items.len()));
        }
        let Some((receipt, tx, proof)) = found.map(|(receipt, tx, proof)| (Arc::clone(receipt), Arc::clone(tx), proof))
        else {
            self.evm.candidates = txs.items.iter().map(|tx| (tx.txhash, tx.is_success())).collect();
            return self.settle_link(Link::Unproven);
        };
        self.evm.place = txs.items.iter().position(|other| other.txhash == tx.txhash).zip(Some(txs.items.len()));
        self.settle_link(Link::Proven(proof));
        self.name = TxName::Cosmos(tx.txhash);
        self.evm.receipt = Remote::Ready { value: receipt, at: now };
        if self.tx.value().is_none() {
            self.tx = Remote::Ready { value: tx, at: now };
        }
    }

    /// The lists are compared: dozens of pages in history must not keep whole blocks.
    fn settle_link(&mut self, link: Link) {
        (self.evm.link, self.evm.receipts, self.evm.block_txs) = (Some(link), Remote::Idle, Remote::Idle);
    }

    /// Makes the lines of the tab that is shown. `traced` is how far the server's index of calls is.
    pub(super) fn make_lines(&mut self, reader: &Reader<'_>, traced: Option<u64>) {
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
        let side = Side { tx, evm: &self.evm, form: reader.form, glossary: reader.glossary, traced };
        let place = reader.place.or(self.evm.place);
        self.detail.make_lines(side.tx, reader, |tab, story| match (tab, side.tx, story) {
            (TxTab::Logs, ..) => evm_document::log_lines(&side),
            (TxTab::Calls, ..) => evm_document::call_lines(&side),
            (tab, Some(tx), Some(story)) => {
                let reason = story.explanation.as_ref().and_then(|bare| side.evm.reason(bare, reader.glossary));
                let beside = evm_document::beside(&side);
                tx_lines(&reader.sheet(tx, story, reason.as_ref(), beside, place), tab)
            }
            (tab, ..) => evm_document::receipt_lines(&side, tab),
        });
    }
}

fn frames(hash: EvmTxHash, cursor: Cursor) -> Request {
    let page = PageRequest { cursor, limit: PEERS, order: Order::Ascending, count_total: false };
    Request::InternalTxs(InternalTxScope::Tx(hash), page)
}

impl App {
    /// Asks for what the EVM says of the transaction on screen.
    pub(super) fn meet_evm_needs(&mut self) {
        let (id, now) = (self.navigation.current_id(), self.now);
        let View::Tx(page) = self.navigation.current_mut() else { return };
        for (what, request) in page.evm_needs(now) {
            self.fetch(Slot::Page(id, what), request);
        }
    }

    /// Opens the transaction of a receipt that is here.
    pub(super) fn open_receipt(&mut self, receipt: Arc<wire::EvmTx>) {
        let now = self.now;
        self.open_evm_tx(receipt.transaction_hash);
        if let View::Tx(page) = self.navigation.current_mut() {
            page.evm.receipt = Remote::Ready { value: receipt, at: now };
        }
    }

    /// Opens a transaction by the hash that the EVM gave it.
    pub(super) fn open_evm_tx(&mut self, hash: EvmTxHash) {
        self.remember_target(&Target::EvmTx(hash));
        self.navigation.open(|_| View::tx(TxName::Evm(hash), None));
        self.effects.redraw = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
