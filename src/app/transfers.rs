//! All transfers that are kept: registered, polled and reviewed here, whichever screen is shown; the board that lists them
//! and the page of one.
//!
//! A transfer is watched when it was begun in this session or opened once, or when it is unfinished and not older than a
//! day. Watched ones are asked for on every screen, also while the screen is frozen; the others only while they are shown.

mod actions;
pub(crate) mod board;
mod calendar;
mod commands;
mod departure;
mod evidence;
mod gone;
mod merging;
mod polling;
mod tracking;
mod watched;

pub(crate) use board::{Board, TransferRow};
pub(super) use commands::of_transfer;
pub(crate) use watched::WatchedTransfer;

use std::{collections::BTreeSet, sync::Arc, time::Duration};

use super::{
    App, HostEffect,
    page::{Destination, ShownTransfers},
};
use crate::{
    config::Announcements,
    domain::{BroadcastHash, ChainId, Timestamp, TransferId, TransferRecord, text},
    msg::{Instruction, PageId, Remote, Request, Slot},
    story::transfer::Attention,
};

/// Columns of a title at the most.
const TITLE: usize = 80;
/// Transfers held at the most; the store keeps as many.
const MOST: usize = 500;

/// All transfers that are kept, live or over.
#[derive(Debug, Default)]
pub(crate) struct Transfers {
    /// Newest first.
    all: Vec<WatchedTransfer>,
    /// How reading them from the store fares.
    pub(crate) loaded: Remote<()>,
    /// The number of the next one in request slots.
    next_number: u32,
    /// Counts the changes that the board shows.
    version: u64,
    /// Which one goes at the next press of the same key.
    forgetting: Option<TransferId>,
    /// The typed hash whose chain is being looked for.
    looked_up: Option<BroadcastHash>,
    /// Whether the terminal's title tells of an end.
    has_title: bool,
    /// How an end is told.
    announcements: Announcements,
    /// What is with the demo wallet.
    pub(crate) departing: Option<Departure>,
}

/// A transaction that is with the demo wallet. It outlives its page: what may have been sent is never lost.
#[derive(Debug)]
pub(crate) struct Departure {
    /// The page that gave it.
    pub(crate) page: PageId,
    /// The kept transfer that it goes on with.
    pub(crate) further: Option<TransferId>,
    /// The route, verbatim, and the addresses that go with it.
    pub(crate) route: Arc<str>,
    pub(crate) addresses: Vec<String>,
    /// Where it is sent.
    pub(crate) chain: ChainId,
}

/// What a page wishes of the transfers.
#[derive(Debug)]
pub(crate) enum TransferWish {
    /// What was signed elsewhere has this hash: it is kept and watched.
    Begin(Departure, BroadcastHash),
    /// Other instances keep transfers too: they are read again.
    ReadAgain,
}

impl Transfers {
    /// None yet; ends are told in these ways.
    pub(crate) fn new(announcements: Announcements) -> Self {
        Self { announcements, ..Self::default() }
    }

    /// All of them, newest first.
    pub(crate) fn all(&self) -> &[WatchedTransfer] {
        &self.all
    }

    /// One of them.
    pub(crate) fn get(&self, id: &TransferId) -> Option<&WatchedTransfer> {
        self.all.iter().find(|transfer| transfer.record.id == *id)
    }

    /// How many are not over.
    pub(crate) fn live(&self) -> usize {
        self.all.iter().filter(|transfer| transfer.is_live()).count()
    }

    fn get_mut(&mut self, id: &TransferId) -> Option<&mut WatchedTransfer> {
        self.all.iter_mut().find(|transfer| transfer.record.id == *id)
    }

    fn numbered(&mut self, number: u32) -> Option<&mut WatchedTransfer> {
        self.all.iter_mut().find(|transfer| transfer.number == number)
    }

    /// The one of the chain here whose transaction this is, in whichever place.
    fn of_hash(&self, chain_id: &ChainId, hash: &BroadcastHash) -> Option<&WatchedTransfer> {
        let is_it = |tx: &crate::domain::SourceTx| tx.chain_id == *chain_id && tx.hash == *hash;
        let is_here = |transfer: &&WatchedTransfer| transfer.record.gone_chain.is_none();
        self.all.iter().filter(is_here).find(|transfer| transfer.record.txs.iter().any(is_it))
    }

    fn add(&mut self, record: TransferRecord, now: Timestamp) -> u32 {
        let number = self.next_number;
        self.next_number += 1;
        let place = self.all.partition_point(|known| known.record.created > record.created);
        self.all.insert(place, WatchedTransfer::new(number, record, now));
        number
    }
}

impl App {
    /// Registers what is not registered, polls what is due, saves what changed. Runs after every update.
    pub(in crate::app) fn meet_transfer_needs(&mut self) {
        self.learn_names();
        self.ask_routers();
        self.ask_indexer();
        self.keep_changed();
    }

    /// Until a transfer is to be asked about again, or until a clock on its page goes on.
    pub(in crate::app) fn next_transfer_poll(&self, now: Timestamp) -> Option<Duration> {
        // What was due at the last update was asked for then, or waits for an answer to another question.
        let known = self.now;
        let asked = self.transfers.all.iter().filter_map(|transfer| self.next_question(transfer, known));
        asked.filter(|at| *at > known).chain(self.next_clock_step(now)).map(|at| at.since(now)).min()
    }

    /// Does what a page wishes.
    pub(in crate::app) fn take_transfer_wish(&mut self, wish: TransferWish) {
        match wish {
            TransferWish::Begin(departure, hash) => self.begin(departure, &hash, "Sent elsewhere, hash given"),
            TransferWish::ReadAgain if self.is_waiting(&Slot::Transfers) => {}
            TransferWish::ReadAgain => self.fetch(Slot::Transfers, Request::Transfers),
        }
    }

    /// What is told of live transfers on other screens names chains and assets too.
    fn learn_names(&mut self) {
        if !self.has_router() || self.transfers.live() == 0 {
            return;
        }
        let now = self.now;
        if matches!(self.directory.chains, Remote::Idle) {
            self.directory.chains.ask(now);
            self.fetch(Slot::Chains, Request::Chains);
        }
        let chains = self.directory.chains.value().map(Arc::clone).unwrap_or_default();
        let routes =
            self.transfers.all.iter().filter(|transfer| transfer.is_live()).filter_map(|live| live.route().cloned());
        let named = routes.flat_map(|route| [route.source_asset_chain_id.clone(), route.dest_asset_chain_id.clone()]);
        for chain in named.collect::<BTreeSet<_>>() {
            if !chains.iter().any(|known| known.chain_id == chain) {
                continue;
            }
            let assets = self.directory.assets.entry(chain.clone()).or_default();
            if matches!(assets, Remote::Idle) {
                assets.ask(now);
                self.fetch(Slot::Assets(chain.clone()), Request::Assets(chain));
            }
        }
    }

    /// The transfer on the page, or under the board's cursor.
    fn selected_transfer(&self) -> Option<TransferId> {
        self.navigation.current().selected_transfer()
    }

    /// Who cares for a transfer.
    fn attention(&self, transfer: &WatchedTransfer) -> Attention {
        if self.navigation.current().shown_transfers().has(&transfer.record.id) {
            Attention::Shown
        } else if transfer.is_watched {
            Attention::Watched
        } else {
            Attention::Hidden
        }
    }

    fn keep_changed(&mut self) {
        for transfer in self.context.transfers.all.iter_mut().filter(|transfer| transfer.is_changed) {
            transfer.is_changed = false;
            self.requests.instruct(Instruction::Keep(transfer.record.clone().into()));
        }
    }

    /// Keeps a transfer whose first transaction was just broadcast, or a further one of a kept transfer, and opens its
    /// page.
    pub(in crate::app) fn begin_transfer(&mut self, record: TransferRecord) {
        let id = record.id.clone();
        self.make_room_for(&record);
        let number = self.adopt(record);
        if let Some(transfer) = self.transfers.numbered(number) {
            (transfer.is_watched, transfer.is_changed) = (true, true);
        }
        self.review_transfer(number);
        self.open_page(Destination::Transfer(id));
    }

    /// Takes a record over: a new transfer, or what it adds to a kept one. Gives its number.
    fn adopt(&mut self, record: TransferRecord) -> u32 {
        let now = self.now;
        self.transfers.version += 1;
        let number = match self.transfers.get_mut(&record.id) {
            Some(known) => {
                let number = known.number;
                if known.absorb(record, now) {
                    self.cancel_questions(number);
                }
                number
            }
            None => self.transfers.add(record, now),
        };
        self.choose_following(number);
        number
    }

    /// A kept transfer's page is opened: from now on it is watched. False where the page is on screen already.
    pub(in crate::app) fn watch_transfer(&mut self, id: &TransferId) -> bool {
        if let Some(transfer) = self.transfers.get_mut(id) {
            transfer.is_watched = true;
            transfer.search_evidence_again();
        }
        self.navigation.current().shown_transfers() != ShownTransfers::One(id.clone())
    }

    /// Says anew how a transfer stands, notes what changed, and tells when it ended.
    fn review_transfer(&mut self, number: u32) {
        let now = self.now;
        let own = self.own_chain();
        let directory = &self.context.directory;
        let Some(transfer) = self.context.transfers.all.iter_mut().find(|transfer| transfer.number == number) else {
            return;
        };
        let (before, is_first) = (transfer.milestone(), !transfer.has_status());
        let status_view = transfer.status_view_at(directory, own.as_ref(), now);
        let has_changed = transfer.apply(status_view, now);
        let after = transfer.milestone();
        if has_changed {
            self.transfers.version += 1;
        }
        if before != after && after.is_some() && !is_first {
            self.notify(number);
        }
        self.effects.redraw = true;
    }

    /// A transfer ended, or needs somebody: this is told wherever one is.
    pub(super) fn notify(&mut self, number: u32) {
        let Some(transfer) = self.transfers.all.iter().find(|transfer| transfer.number == number) else { return };
        if !transfer.is_watched {
            return;
        }
        let name = match transfer.record.label.as_str() {
            "" => transfer.record.id.hash.short(),
            label => text::clip(label, 24),
        };
        let (mark, _) = board::sign(transfer, &transfer.status_view);
        let headline = transfer.status_view.headline.to_string();
        let is_problem =
            transfer.status_view.phase.is_failure() || transfer.milestone() != Some(watched::Milestone::Ended);
        let is_here = self.navigation.current().shown_transfers() == ShownTransfers::One(transfer.record.id.clone());
        if self.transfers.announcements.bell {
            self.effects.host.push(HostEffect::Bell);
        }
        if self.transfers.announcements.title {
            self.transfers.has_title = true;
            self.effects.host.push(HostEffect::Title(text::clip(&format!("{mark} {headline}"), TITLE)));
        }
        if !is_here {
            let text = format!("{name}: {headline}");
            if is_problem { self.complain(text) } else { self.done(text) }
        }
    }

    /// Somebody is here: the title is what it was.
    pub(in crate::app) fn take_title_back(&mut self) {
        if std::mem::take(&mut self.transfers.has_title) {
            self.effects.host.push(HostEffect::Title(String::new()));
        }
    }
}
