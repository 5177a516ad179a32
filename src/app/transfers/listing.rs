//! List of hashes. Each becomes a kept transfer. A hash without a chain must be on the indexer's chain.

use super::{TransferCx, Transfers, state::ListLookUp, tracking::chain_of};
use crate::{
    app::{page::Destination, transfers::NO_ROUTER},
    domain::{BroadcastHash, ChainId, ListedTransfer, TransferRecord, text},
    msg::{Slot, ask},
    wire::ApiError,
};

impl Transfers {
    /// Keeps and watches the transfers of a list, and opens the board.
    pub(in crate::app) fn track_list(&mut self, list: Vec<ListedTransfer>, cx: &mut TransferCx<'_>) {
        if !cx.facts.has_router {
            return cx.refuse(NO_ROUTER);
        }
        let mut listing = ListLookUp::default();
        for ListedTransfer { hash, chain } in list {
            match chain.map(|chain| chain_of(cx.directory, cx.facts.own_chain.as_ref(), &chain)) {
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
        cx.open(Destination::Transfers);
        self.look_up_listed(cx);
    }

    /// Keeps the transfer of a transaction, unless it is already kept, and watches it.
    fn keep_listed(&mut self, chain: ChainId, hash: &BroadcastHash, cx: &mut TransferCx<'_>) {
        let record = TransferRecord::of_hash(chain, hash, cx.facts.now);
        let known = self.of_hash(&record.id.chain_id, &record.id.hash).map(|known| known.follower.record.id.clone());
        let id = known.clone().unwrap_or_else(|| record.id.clone());
        if known.is_none() {
            self.make_room_for(&record, cx);
            self.adopt(record, cx);
        }
        if let Some(transfer) = self.get_mut(&id) {
            transfer.is_watched = true;
            if known.is_none() {
                transfer.follower.keep();
            }
            transfer.follower.ask_now();
        }
        self.review(&id, cx);
    }

    /// Looks up the next hash without a chain. After the last, reports the result.
    fn look_up_listed(&mut self, cx: &mut TransferCx<'_>) {
        let Some(listing) = &self.listing else { return };
        if let Some(hash) = listing.waiting.front().and_then(BroadcastHash::tx_hash) {
            let left = text::count_of(listing.waiting.len(), "hash", "hashes");
            cx.inform(format!("looking for the chain of {left}…"));
            return cx.request(Slot::ListedLookUp, ask::tx(hash), |transfers, result, cx| {
                transfers.take_listed(result.map(drop), cx);
            });
        }
        let own = cx.own_name();
        let listing = self.listing.take().unwrap_or_default();
        let is_whole = listing.absent + listing.unanswered == 0 && listing.refused.is_none();
        let sentence = listing.sentence(&own);
        if is_whole { cx.done(sentence) } else { cx.refuse(sentence) }
    }

    /// Takes the indexer's answer about a hash of the list.
    fn take_listed(&mut self, result: Result<(), ApiError>, cx: &mut TransferCx<'_>) {
        let Some(listing) = &mut self.listing else { return };
        let Some(hash) = listing.waiting.pop_front() else { return };
        match (result, cx.facts.own_chain.clone()) {
            (Ok(()), Some(own)) => {
                listing.kept += 1;
                self.keep_listed(own, &hash, cx);
            }
            (Err(error), _) if error.is_not_found() => listing.absent += 1,
            _ => listing.unanswered += 1,
        }
        self.look_up_listed(cx);
    }
}
