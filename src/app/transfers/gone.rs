//! Transfers whose chain is no longer at this address. They keep their last status, and are polled only if the router
//! is another server.

use super::{TransferCx, Transfers, WatchedTransfer, open_claims::OpenClaims, watched::Following};
use crate::{
    app::directory::Directory,
    domain::{ChainId, TimedText, Timestamp, TransferId, TransferRecord, text},
    transfers::{Follower, NextStep, TransferStatusView},
};

/// Maximum columns of a chain ID in a sentence.
const NAME: usize = 40;

impl WatchedTransfer {
    fn touches(&self, chain: &ChainId) -> bool {
        let Follower { record, view, .. } = &self.follower;
        let route = self.follower.route().map(|route| &**route).into_iter().flat_map(|route| {
            let ends = [&route.source_asset_chain_id, &route.dest_asset_chain_id];
            ends.into_iter().chain(&route.required_chain_addresses).chain(&route.chain_ids)
        });
        let hops = view.hops.iter().flat_map(|hop| [hop.from.as_ref(), hop.to.as_ref()]);
        let txs = record.txs.iter().map(|tx| &tx.chain_id);
        txs.chain(route).chain(hops.flatten()).any(|touched| touched == chain)
    }

    fn choose_following(&mut self, is_router_gone: bool) {
        let is_gone = self.follower.record.gone_chain.as_ref().is_some_and(|gone| self.touches(gone));
        self.following = match (is_gone, is_router_gone) {
            (false, _) => Following::All,
            (true, false) => Following::Router,
            (true, true) => Following::None,
        };
    }

    /// Returns the status. If the chain is gone, a note says so. If no server can report, the last known status stays.
    pub(crate) fn view_at(&self, directory: &Directory, own: Option<&ChainId>, now: Timestamp) -> TransferStatusView {
        let record = &self.follower.record;
        let Some(gone) = record.gone_chain.as_ref().filter(|_| self.is_gone()) else {
            return self.follower.view(directory, now);
        };
        if !self.is_lost() {
            let mut view = self.follower.view(directory, now);
            view.notes.insert(0, format!("{} rollscope still polls the router.", note(gone, own)).into());
            return view;
        }
        let statuses = record.txs.iter().filter_map(|tx| tx.status.as_ref());
        let then = statuses.map(|(_, at)| *at).max().unwrap_or(record.created);
        let mut view = self.follower.view(directory, then);
        view.headline.text = TimedText::from("Chain gone; last known: ").then(&view.headline.text);
        (view.headline.clock, view.headline.dated) = (None, None);
        // Witnesses now report about another chain.
        view.notes = vec![note(gone, own).into()];
        view.next = NextStep::Wait;
        view
    }
}

fn note(gone: &ChainId, own: Option<&ChainId>) -> String {
    let name = |id: &ChainId| text::clip(id.as_str(), NAME);
    match own {
        Some(own) if own == gone => {
            format!(
                "The transfer belongs to the old {}; this address now serves a new chain with the same id.",
                name(gone)
            )
        }
        Some(own) => format!("The transfer belongs to {}; this address now serves {}.", name(gone), name(own)),
        None => format!("This address no longer serves {}, the transfer's chain.", name(gone)),
    }
}

impl Transfers {
    pub(in crate::app) fn mark_chain_gone(&mut self, gone: &ChainId, cx: &mut TransferCx<'_>) {
        let (now, is_router_gone) = (cx.facts.now, cx.facts.is_router_gone);
        self.leave_signing(cx);
        self.open = OpenClaims::default();
        let mut marked = Vec::new();
        for transfer in &mut self.all {
            if transfer.follower.record.gone_chain.is_some() {
                continue;
            }
            transfer.follower.record.gone_chain = Some(gone.clone());
            transfer.choose_following(is_router_gone);
            if transfer.is_gone() {
                let name = text::clip(gone.as_str(), NAME);
                transfer.follower.note(format!("This address no longer serves {name}, the transfer's chain."), now);
                marked.push(transfer.follower.record.id.clone());
            }
        }
        for id in marked {
            cx.cancel_questions(&id);
            self.review(&id, cx);
        }
        self.version += 1;
    }

    /// Decides which servers know a transfer that was loaded or has begun.
    pub(super) fn choose_following(&mut self, id: &TransferId, cx: &mut TransferCx<'_>) {
        if let Some(transfer) = self.get_mut(id) {
            transfer.choose_following(cx.facts.is_router_gone);
            if transfer.is_lost() {
                cx.cancel_questions(id);
            }
        }
    }

    /// Frees a transaction's hash for a new transfer: renames a transfer whose chain is gone, or resets a finished one.
    pub(super) fn make_room_for(&mut self, record: &TransferRecord, cx: &mut TransferCx<'_>) {
        let is_kept = |transfer: &WatchedTransfer| transfer.follower.record.id == record.id;
        let Some(place) = self.all.iter().position(is_kept) else { return };
        let Some(known) = self.all.get_mut(place) else { return };
        if known.follower.record.gone_chain.is_some() {
            self.all.remove(place);
        } else if known.follower.record.is_over && known.follower.record.txs.len() >= record.txs.len() {
            known.follower.begin_again(cx.facts.now);
        } else {
            return;
        }
        cx.cancel_questions(&record.id);
        self.version += 1;
    }
}
