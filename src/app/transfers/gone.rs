//! Transfers of a chain that is no longer at this address: kept and shown as of then, and not asked about where nobody
//! can know them any more.

use super::{TransferCx, Transfers, WatchedTransfer};
use crate::{
    app::directory::Directory,
    config::Meaning,
    domain::{ChainId, Timestamp, Tracking, TransferId, TransferRecord, text},
    story::transfer::{NextStep, Occasion, TransferStatusView},
};

/// Columns of a chain's id in a sentence.
const NAME: usize = 40;
/// Sign and word of a transfer whose chain is gone.
pub(super) const GONE: (Meaning, &str, &str) = (Meaning::Muted, "∅", "chain gone");

/// Who can still be asked about a transfer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Following {
    #[default]
    Everybody,
    /// Its chain is gone from the indexer; the router is another server, and goes on knowing it.
    Router,
    /// Its chain is gone, and the router with it.
    Nobody,
}

impl WatchedTransfer {
    /// Whether it began, ends or passes on a chain that is no longer here.
    pub(super) fn is_gone(&self) -> bool {
        self.following != Following::Everybody
    }

    /// Whether nobody can say any more how it stands.
    pub(crate) fn is_lost(&self) -> bool {
        self.following == Following::Nobody
    }

    fn touches(&self, chain: &ChainId) -> bool {
        let route = self.route().map(|route| &**route).into_iter().flat_map(|route| {
            let ends = [&route.source_asset_chain_id, &route.dest_asset_chain_id];
            ends.into_iter().chain(&route.required_chain_addresses).chain(&route.chain_ids)
        });
        let hops = self.status_view.hops.iter().flat_map(|hop| [hop.from.as_ref(), hop.to.as_ref()]);
        let txs = self.record.txs.iter().map(|tx| &tx.chain_id);
        txs.chain(route).chain(hops.flatten()).any(|touched| touched == chain)
    }

    fn choose_following(&mut self, is_router_gone: bool) {
        let is_gone = self.record.gone_chain.as_ref().is_some_and(|gone| self.touches(gone));
        self.following = match (is_gone, is_router_gone) {
            (false, _) => Following::Everybody,
            (true, false) => Following::Router,
            (true, true) => Following::Nobody,
        };
    }

    /// How it stands. Of a chain that is gone this is said; where nobody can be asked any more it stands as it did when
    /// somebody last said so.
    pub(crate) fn status_view_at(
        &self,
        directory: &Directory,
        own: Option<&ChainId>,
        now: Timestamp,
    ) -> TransferStatusView {
        let Some(gone) = self.record.gone_chain.as_ref().filter(|_| self.is_gone()) else {
            return self.status_view_by_answers(directory, now);
        };
        if !self.is_lost() {
            let mut status_view = self.status_view_by_answers(directory, now);
            status_view.notes.insert(0, format!("{} The router is still asked.", note(gone, own)));
            return status_view;
        }
        let told = self.record.txs.iter().filter_map(|tx| tx.status.as_ref()).map(|(_, at)| *at).max();
        let then = told.unwrap_or(self.record.created);
        let mut status_view = self.status_view_by_answers(directory, then);
        status_view.headline.text = format!("Of a chain that is gone; last known: {}", status_view.headline.text);
        (status_view.headline.clock, status_view.headline.dated) = (None, None);
        // What witnesses say of it is of another chain.
        status_view.notes = vec![note(gone, own)];
        status_view.next = NextStep::Wait;
        status_view
    }

    /// Its transaction was broadcast again, as far as anybody knows: what was known of it is asked for anew.
    fn begin_again(&mut self, now: Timestamp) {
        self.record.is_over = false;
        if let Some(tx) = self.current_tx_mut() {
            (tx.at, tx.tracking, tx.status) = (now, Tracking::Pending, None);
        }
        let occasion = self.record.txs.last().map_or(Occasion::Later, |tx| Occasion::of(tx, now));
        self.ask_anew(occasion);
    }
}

fn note(gone: &ChainId, own: Option<&ChainId>) -> String {
    let name = |id: &ChainId| text::clip(id.as_str(), NAME);
    match own {
        Some(own) if own == gone => {
            format!("It belongs to another {} than the one that is here now.", name(gone))
        }
        Some(own) => format!("It belongs to {}; {} is here now.", name(gone), name(own)),
        None => format!("It belongs to {}, which is no longer here.", name(gone)),
    }
}

impl Transfers {
    /// The chain is another from now on: what was kept under the one before is marked.
    pub(in crate::app) fn part_with(&mut self, gone: &ChainId, cx: &mut TransferCx<'_>) {
        let (now, is_router_gone) = (cx.now, cx.is_router_gone);
        self.leave_signing(cx);
        let mut marked = Vec::new();
        for transfer in &mut self.all {
            if transfer.record.gone_chain.is_some() {
                continue;
            }
            transfer.record.gone_chain = Some(gone.clone());
            transfer.choose_following(is_router_gone);
            if transfer.is_gone() {
                let name = text::clip(gone.as_str(), NAME);
                transfer.note(&format!("{name} is gone from this address, and this transfer with it."), now);
                marked.push(transfer.record.id.clone());
            }
        }
        for id in marked {
            cx.cancel_questions(&id);
            self.review(&id, cx);
        }
        self.version += 1;
    }

    /// Whom to ask about a transfer that was read from the store or begun.
    pub(super) fn choose_following(&mut self, id: &TransferId, cx: &mut TransferCx<'_>) {
        if let Some(transfer) = self.get_mut(id) {
            transfer.choose_following(cx.is_router_gone);
            if transfer.is_lost() {
                cx.cancel_questions(id);
            }
        }
    }

    /// A transaction was broadcast that has the name of a kept one: of a chain that is gone, in which case it is another
    /// one, or of one that is over, about which everything is asked once more. So no two are kept under one name.
    pub(super) fn make_room_for(&mut self, record: &TransferRecord, cx: &mut TransferCx<'_>) {
        let is_kept = |transfer: &WatchedTransfer| transfer.record.id == record.id;
        let Some(place) = self.all.iter().position(is_kept) else { return };
        let Some(known) = self.all.get_mut(place) else { return };
        if known.record.gone_chain.is_some() {
            self.all.remove(place);
        } else if known.record.is_over && known.record.txs.len() >= record.txs.len() {
            known.begin_again(cx.now);
        } else {
            return;
        }
        cx.cancel_questions(&record.id);
        self.version += 1;
    }
}
