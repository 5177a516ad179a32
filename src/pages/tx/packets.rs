//! Search for the other steps of the transaction's packets, in the index of its chain, else in its node's.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

use super::TxPage;
use crate::{
    app::{Context, page::PageCx},
    domain::{LocalPacket, PacketSide, TxHash, text::group},
    msg::{PageNeed, PageRequest, TxQuery, TxScope, ask},
    panes::tx_document::PacketsShown,
    story::{FactDispute, PacketTrail, packet_queries},
    wire::{ApiError, node::SearchedTxs},
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
    /// Whether the indexer lists packets; else the node is searched.
    is_listed: bool,
    /// What is said of a step that the search does not find.
    unseen: String,
    /// Why other packets were not looked up.
    problem: Option<String>,
    /// Whether the chain still waits for the end of a sent packet; `None` if the node does not say.
    pending: HashMap<LocalPacket, Option<bool>>,
    is_node_asked: bool,
    /// Facts of the transaction that the node's search tells differently than the indexer.
    disputes: Vec<FactDispute>,
}

impl PacketSearch {
    pub(super) fn disputes(&self) -> &[FactDispute] {
        &self.disputes
    }

    /// Returns the steps found, and why further steps may be missing; `None` during the search.
    pub(super) fn shown<'a>(&'a self, cx: &'a Context) -> Option<PacketsShown<'a>> {
        let is_over = self.of.is_some() && !self.is_waiting && self.left.is_empty();
        is_over.then(|| PacketsShown {
            trail: &self.trail,
            complete: &self.complete,
            pending: &self.pending,
            zone: &cx.zone,
            unseen: &self.unseen,
            unknown: match &self.problem {
                Some(problem) => format!("not looked up: {problem}"),
                None => "not looked up: too many packets or transactions".to_owned(),
            },
        })
    }
}

impl TxPage {
    /// Requests what other records, and the node, say of the transaction's transfers over bridges.
    pub(super) fn ask_transfers(&mut self, cx: &mut PageCx<'_>) {
        self.ask_packets(cx);
        self.ask_claim_terms(cx);
    }

    /// Requests the transactions of each packet, one packet after another.
    fn ask_packets(&mut self, cx: &mut PageCx<'_>) {
        let Some(status) = cx.context.chain.status.value() else { return };
        if let (Some(tx), Some(story)) = (self.tx.value(), self.detail.story())
            && self.packets.of != Some(tx.txhash)
        {
            let mut left = PacketTrail::ends(story);
            left.truncate(PacketTrail::MOST_PACKETS);
            let is_listed = status.has_packets == Some(true);
            let is_searched = is_listed || cx.context.network.node.is_some();
            let problem = (!is_searched).then(|| "this indexer does not list packets".to_owned());
            left.retain(|_| is_searched);
            let newest = group(status.height.get());
            let unseen = match status.oldest_height {
                _ if !is_listed => "not found in the node's index".to_owned(),
                Some(oldest) => format!("not seen in blocks {} to {newest}", group(oldest)),
                None => format!("not seen up to block {newest}"),
            };
            let of = Some(tx.txhash);
            self.packets = PacketSearch { of, left, is_listed, unseen, problem, ..PacketSearch::default() };
            self.detail.rebuild();
        }
        if self.packets.is_waiting {
            return;
        }
        let Some(end) = self.packets.left.pop() else { return self.ask_pending(cx) };
        self.packets.is_waiting = true;
        let ask = if self.packets.is_listed {
            let query = TxQuery { scope: TxScope::Packet(end.clone()), msgs: Vec::new() };
            ask::txs(query, PageRequest::newest(PacketTrail::MOST_STEPS)).map(|found| {
                let txs = found.items.clone();
                Arc::new(SearchedTxs { txs, is_whole: found.whole().is_some() })
            })
        } else {
            ask::node_txs(packet_queries(&end), PacketTrail::MOST_STEPS)
        };
        let take = |page: &mut Self, result: Result<_, _>, cx: &mut PageCx<'_>| page.take_packet(end, result, cx);
        cx.request_for(PageNeed::Packet, ask, take);
    }

    fn take_packet(&mut self, end: LocalPacket, result: Result<Arc<SearchedTxs>, ApiError>, cx: &mut PageCx<'_>) {
        self.packets.is_waiting = false;
        match result {
            Ok(found) => {
                found.txs.iter().for_each(|tx| self.packets.trail.add(tx, &cx.context.glossary));
                let own = self.tx.value().filter(|_| !self.packets.is_listed);
                if let Some(own) = own
                    && let Some(of_node) = found.txs.iter().find(|tx| tx.txhash == own.txhash)
                {
                    self.packets.disputes = FactDispute::between(own, of_node);
                }
                if found.is_whole {
                    self.packets.complete.insert(end);
                }
            }
            Err(error) => self.packets.problem = Some(error.brief()),
        }
        self.detail.rebuild();
    }

    /// Asks the node whether a sent packet is pending whose end no transaction shows, one packet after another.
    fn ask_pending(&mut self, cx: &mut PageCx<'_>) {
        let (search, Some(story)) = (&self.packets, self.detail.story()) else { return };
        if search.is_node_asked
            || cx.context.network.node.is_none()
            || search.pending.len() >= PacketTrail::MOST_PACKETS
        {
            return;
        }
        let mut sent = story.bridge.iter().filter_map(|moved| {
            let packet = moved.packet.as_ref().filter(|packet| packet.end.side == PacketSide::Sent)?;
            (!search.trail.is_settled(moved, packet)).then_some(&packet.end)
        });
        let Some(end) = sent.find(|end| !search.pending.contains_key(end)).cloned() else { return };
        self.packets.is_node_asked = true;
        cx.request_for(PageNeed::Packet, ask::pending_packet(end.clone()), |page: &mut Self, result, _| {
            page.packets.is_node_asked = false;
            page.packets.pending.insert(end, result.ok());
            page.detail.rebuild();
        });
    }
}
