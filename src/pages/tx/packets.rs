//! Search for the other steps of the transaction's packets, in the index of its chain.

use std::{collections::HashSet, sync::Arc};

use super::TxPage;
use crate::{
    app::page::PageCx,
    domain::{LocalPacket, TxHash, text::group},
    msg::{ListPage, PageNeed, PageRequest, TxQuery, TxScope, ask},
    panes::tx_document::PacketsShown,
    story::PacketTrail,
    wire::{self, ApiError},
};

#[derive(Debug, Default)]
pub(super) struct PacketSearch {
    /// Transaction of the packets; `None` before its story is known.
    of: Option<TxHash>,
    /// Packets still to look up.
    left: Vec<LocalPacket>,
    is_waiting: bool,
    trail: PacketTrail,
    /// Packets whose transactions are all in the trail.
    complete: HashSet<LocalPacket>,
    /// Blocks that the indexer had when the search began, as in "up to block 9".
    blocks: String,
    /// Why other packets were not looked up.
    problem: Option<String>,
}

impl PacketSearch {
    /// Returns the steps found, and why further steps may be missing; `None` during the search.
    pub(super) fn shown(&self) -> Option<PacketsShown<'_>> {
        let is_over = self.of.is_some() && !self.is_waiting && self.left.is_empty();
        is_over.then(|| PacketsShown {
            trail: &self.trail,
            complete: &self.complete,
            unseen: format!("not seen {}", self.blocks),
            unknown: match &self.problem {
                Some(problem) => format!("not looked up: {problem}"),
                None => "not looked up: too many packets or transactions".to_owned(),
            },
        })
    }
}

impl TxPage {
    /// Requests the transactions of each packet, one packet after another.
    pub(super) fn ask_packets(&mut self, cx: &mut PageCx<'_>) {
        let Some(status) = cx.context.chain.status.value() else { return };
        if let (Some(tx), Some(story)) = (self.tx.value(), self.detail.story())
            && self.packets.of != Some(tx.txhash)
        {
            let mut left = PacketTrail::ends(story);
            left.truncate(PacketTrail::MOST_PACKETS);
            let is_listed = status.has_packets == Some(true);
            let problem = (!is_listed).then(|| "this indexer does not list packets".to_owned());
            left.retain(|_| is_listed);
            let newest = group(status.height.get());
            let blocks = match status.oldest_height {
                Some(oldest) => format!("in blocks {} to {newest}", group(oldest)),
                None => format!("up to block {newest}"),
            };
            self.packets = PacketSearch { of: Some(tx.txhash), left, blocks, problem, ..PacketSearch::default() };
            self.detail.rebuild();
        }
        if self.packets.is_waiting {
            return;
        }
        let Some(end) = self.packets.left.pop() else { return };
        self.packets.is_waiting = true;
        let query = TxQuery { scope: TxScope::Packet(end.clone()), msgs: Vec::new() };
        let page = PageRequest::newest(PacketTrail::MOST_STEPS);
        let take = |page: &mut Self, result: Result<_, _>, cx: &mut PageCx<'_>| page.take_packet(end, result, cx);
        cx.request_for(PageNeed::Packet, ask::txs(query, page), take);
    }

    fn take_packet(
        &mut self,
        end: LocalPacket,
        result: Result<ListPage<Arc<wire::Tx>>, ApiError>,
        cx: &mut PageCx<'_>,
    ) {
        self.packets.is_waiting = false;
        match result {
            Ok(found) => {
                found.items.iter().for_each(|tx| self.packets.trail.add(tx, &cx.context.glossary));
                if found.whole().is_some() {
                    self.packets.complete.insert(end);
                }
            }
            Err(error) => self.packets.problem = Some(error.brief()),
        }
        self.detail.rebuild();
    }
}
