//! Search for the other steps of the transaction's packets, in the index of its chain.

use std::sync::Arc;

use super::TxPage;
use crate::{
    app::{Context, page::PageCx},
    domain::{LocalPacket, TxHash, text::group},
    msg::{ListPage, PageNeed, PageRequest, TxQuery, TxScope, ask},
    panes::tx_document::PacketsShown,
    story::PacketTrail,
    wire::{self, ApiError},
};

/// Maximum packets of a transaction that are looked up.
const MOST_PACKETS: usize = 24;

#[derive(Debug, Default)]
pub(super) struct PacketSearch {
    /// Transaction of the packets; `None` before its story is known.
    of: Option<TxHash>,
    /// Packets still to look up.
    left: Vec<LocalPacket>,
    is_waiting: bool,
    trail: PacketTrail,
    /// Why packets were not looked up.
    problem: Option<String>,
}

impl PacketSearch {
    /// Returns the steps found so far, and why further steps may be missing.
    pub(super) fn shown(&self, cx: &Context) -> Option<PacketsShown<'_>> {
        let is_over = self.of.is_some() && !self.is_waiting && self.left.is_empty();
        let oldest = cx.chain.status.value().and_then(|status| status.oldest_height);
        let note = match (&self.problem, oldest) {
            (Some(problem), _) => Some(format!("not looked up: {problem}")),
            (None, Some(oldest)) => Some(format!("not seen from block {} on", group(oldest))),
            (None, None) => Some("not seen so far".to_owned()),
        };
        is_over.then_some(PacketsShown { trail: &self.trail, note })
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
            left.truncate(MOST_PACKETS);
            let is_listed = status.has_packets == Some(true);
            let problem = (!is_listed).then(|| "this indexer does not list packets".to_owned());
            left.retain(|_| is_listed);
            self.packets = PacketSearch { of: Some(tx.txhash), left, problem, ..PacketSearch::default() };
            self.detail.rebuild();
        }
        if self.packets.is_waiting {
            return;
        }
        let Some(end) = self.packets.left.pop() else { return };
        self.packets.is_waiting = true;
        let query = TxQuery { scope: TxScope::Packet(end), msgs: Vec::new() };
        let page = PageRequest::newest(PacketTrail::MOST_STEPS);
        cx.request_for(PageNeed::Packet, ask::txs(query, page), Self::take_packet);
    }

    fn take_packet(&mut self, result: Result<ListPage<Arc<wire::Tx>>, ApiError>, cx: &mut PageCx<'_>) {
        self.packets.is_waiting = false;
        match result {
            Ok(found) => found.items.iter().for_each(|tx| self.packets.trail.add(tx, &cx.context.glossary)),
            Err(error) => self.packets.problem = Some(error.brief()),
        }
        self.detail.rebuild();
    }
}
