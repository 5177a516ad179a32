//! A list of hashes: each becomes a kept transfer, those without a chain once the indexer says that they are of its own.

use std::collections::VecDeque;

use super::{TransferCx, TransferEffect, Transfers, tracking::chain_of};
use crate::{
    app::transfers::NO_ROUTER,
    domain::{BroadcastHash, ChainId, ListedTransfer, TransferRecord, text},
    msg::{Answer, Request, Slot},
    wire::ApiError,
};

/// Columns of a chain's id in a sentence.
const NAME: usize = 24;

/// A list that is being gone through.
#[derive(Debug, Default)]
pub(super) struct ListLookUp {
    /// Hashes of which nobody said where they are, the first of them being looked for.
    waiting: VecDeque<BroadcastHash>,
    /// How many are kept now.
    kept: usize,
    /// How many are not on the indexer's chain.
    absent: usize,
    /// How many nobody could say that of.
    unanswered: usize,
    /// Why the first one whose chain was named cannot be tracked, and how many there are.
    refused: Option<(String, usize)>,
}

impl Transfers {
    /// Keeps and watches all of them, and opens the board.
    pub(in crate::app) fn track_list(&mut self, list: Vec<ListedTransfer>, cx: &mut TransferCx<'_>) {
        if !cx.has_router {
            return cx.refuse(NO_ROUTER);
        }
        let mut listing = ListLookUp::default();
        for ListedTransfer { hash, chain } in list {
            match chain.map(|chain| chain_of(cx.directory, cx.own_chain.as_ref(), &chain)) {
                Some(Ok(chain)) => {
                    self.keep_listed(chain, &hash, cx);
                    listing.kept += 1;
                }
                Some(Err(why)) => listing.refused.get_or_insert((why, 0)).1 += 1,
                None if hash.tx_hash().is_some() => listing.waiting.push_back(hash),
                None => listing.absent += 1,
            }
        }
        self.listing = Some(listing);
        cx.effect(TransferEffect::OpenBoard);
        self.look_up_listed(cx);
    }

    /// Keeps the transfer of a transaction unless it is kept already; it is watched either way.
    fn keep_listed(&mut self, chain: ChainId, hash: &BroadcastHash, cx: &mut TransferCx<'_>) {
        let record = TransferRecord::of_hash(chain, hash, cx.now);
        let known = self.of_hash(&record.id.chain_id, &record.id.hash).map(|known| known.record.id.clone());
        let id = known.clone().unwrap_or_else(|| record.id.clone());
        if known.is_none() {
            self.make_room_for(&record, cx);
            self.adopt(record, cx);
        }
        if let Some(transfer) = self.get_mut(&id) {
            transfer.is_watched = true;
            transfer.is_changed |= known.is_none();
            transfer.ask_now();
        }
        self.review(&id, cx);
    }

    /// Asks the indexer for the next hash without a chain; at the end what became of the list is said.
    fn look_up_listed(&mut self, cx: &mut TransferCx<'_>) {
        let Some(listing) = &self.listing else { return };
        if let Some(hash) = listing.waiting.front().and_then(BroadcastHash::tx_hash) {
            let left = text::count_of(listing.waiting.len(), "hash", "hashes");
            cx.inform(format!("looking for the chain of {left}…"));
            return cx.ask(Slot::ListedLookUp, Request::Tx(hash));
        }
        let own = cx.own_chain.as_ref().map_or_else(|| "this chain".to_owned(), |own| text::clip(own.as_str(), NAME));
        let listing = self.listing.take().unwrap_or_default();
        let is_whole = listing.absent + listing.unanswered == 0 && listing.refused.is_none();
        let sentence = listing.sentence(&own);
        if is_whole { cx.done(sentence) } else { cx.refuse(sentence) }
    }

    /// The indexer said whether it has the hash of a list.
    pub(super) fn take_listed(&mut self, result: &Result<Answer, ApiError>, cx: &mut TransferCx<'_>) {
        let Some(listing) = &mut self.listing else { return };
        let Some(hash) = listing.waiting.pop_front() else { return };
        match (result, cx.own_chain.clone()) {
            (Ok(Answer::Tx(_)), Some(own)) => {
                listing.kept += 1;
                self.keep_listed(own, &hash, cx);
            }
            (Err(error), _) if error.is_not_found() => listing.absent += 1,
            _ => listing.unanswered += 1,
        }
        self.look_up_listed(cx);
    }
}

impl ListLookUp {
    /// What became of the list.
    fn sentence(self, own: &str) -> String {
        let mut parts = vec![format!("tracking {}", text::count(self.kept, "transaction"))];
        if self.absent > 0 {
            parts.push(format!("{} not on {own}: put the chain before the hash", self.absent));
        }
        if self.unanswered > 0 {
            parts.push(format!("{own} could not be asked for {}", self.unanswered));
        }
        if let Some((why, count)) = self.refused {
            parts.push(format!("{count} left out: {why}"));
        }
        parts.join("; ")
    }
}
