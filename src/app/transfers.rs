//! All transfers that are kept: registered, polled and reviewed here, whichever screen is shown.
//!
//! A transfer is watched when it was begun in this session or opened once, or when it is unfinished and not older than a
//! day. Watched ones are asked for on every screen, also while the screen is frozen; the others only while they are shown.

mod actions;
mod claiming;
mod crossing;
mod departure;
mod effect;
mod evidence;
mod gone;
mod listing;
mod merging;
mod polling;
pub(crate) mod record;
mod signing;
pub(crate) mod signs;
#[cfg(test)]
mod tests;
mod tracking;
mod watched;

pub(crate) use actions::NOBODY;
pub(in crate::app) use effect::{SessionFacts, TransferCx, TransferEffect};
pub(crate) use signing::{BrowserSigning, BrowserStage};
pub(crate) use tracking::NO_ROUTER;
pub(crate) use watched::WatchedTransfer;

use std::{collections::BTreeSet, sync::Arc, time::Duration};

use super::HostEffect;
use crate::{
    config::Announcements,
    domain::{BroadcastHash, ChainId, Timestamp, TransferId, TransferRecord, text},
    msg::{Instruction, PageId, Remote, Request, Slot},
};

/// Columns of a title at the most.
const TITLE: usize = 80;
/// Transfers held at the most; the store keeps as many.
pub(crate) const MOST: usize = 500;
/// Between two looks at what other instances keep.
const READ_PACE: Duration = Duration::from_secs(5);

/// All transfers that are kept, live or over.
#[derive(Debug, Default)]
pub(crate) struct Transfers {
    /// Newest first.
    all: Vec<WatchedTransfer>,
    /// In which order the list of them shows them, where it was on screen.
    listed: Vec<TransferId>,
    /// Whose page was opened last.
    opened: Option<TransferId>,
    /// When what other instances keep was asked for last.
    read_at: Option<Timestamp>,
    /// How reading them from the store fares.
    pub(crate) loaded: Remote<()>,
    /// Counts the changes that the board shows.
    version: u64,
    /// Which one goes at the next press of the same key.
    forgetting: Option<TransferId>,
    /// The typed hash whose chain is being looked for.
    looked_up: Option<BroadcastHash>,
    /// A list of hashes that is being gone through.
    listing: Option<listing::ListLookUp>,
    /// Whether the terminal's title tells of an end.
    has_title: bool,
    /// How an end is told.
    announcements: Announcements,
    /// What is with the demo wallet.
    pub(crate) departing: Option<Departure>,
    /// What is with the wallet in the browser.
    pub(crate) signing: Option<BrowserSigning>,
    /// Pages in the browser so far.
    signings: u64,
    /// Counts what changes of the one that is open.
    signing_version: u64,
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
    /// A person says yes to what they are asked of what is with the wallet in the browser.
    AllowSigning,
    /// What is with the wallet in the browser is wanted no more.
    StopSigning,
    /// The list shows these, in this order.
    Listed(Vec<TransferId>),
    /// This one's page is shown from now on.
    Watch(TransferId),
}

/// Which transfers are on screen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum ShownTransfers {
    #[default]
    None,
    One(TransferId),
    All,
}

impl ShownTransfers {
    fn has(&self, id: &TransferId) -> bool {
        *self == Self::All || self.is_only(id)
    }

    fn is_only(&self, id: &TransferId) -> bool {
        matches!(self, Self::One(shown) if shown == id)
    }
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

    pub(crate) fn get(&self, id: &TransferId) -> Option<&WatchedTransfer> {
        self.all.iter().find(|transfer| transfer.record.id == *id)
    }

    /// Whose page was opened last.
    pub(crate) fn last_opened(&self) -> Option<&TransferId> {
        self.opened.as_ref()
    }

    /// The transfer so many rows below this one in the list of them, or among all from the newest where that does not
    /// have it.
    pub(crate) fn beside(&self, id: &TransferId, step: isize) -> Option<&TransferId> {
        let ids: Vec<&TransferId> = if self.listed.contains(id) {
            self.listed.iter().filter(|listed| self.get(listed).is_some()).collect()
        } else {
            self.all.iter().map(|transfer| &transfer.record.id).collect()
        };
        let place = ids.iter().position(|known| *known == id)?;
        ids.get(place.checked_add_signed(step)?).copied()
    }

    /// Counts what changes their rows in a list.
    pub(crate) fn version(&self) -> u64 {
        self.version
    }

    /// How many are not over.
    pub(crate) fn live(&self) -> usize {
        self.all.iter().filter(|transfer| transfer.is_live()).count()
    }

    fn get_mut(&mut self, id: &TransferId) -> Option<&mut WatchedTransfer> {
        self.all.iter_mut().find(|transfer| transfer.record.id == *id)
    }

    /// The one of the chain here whose transaction this is, in whichever place.
    fn of_hash(&self, chain_id: &ChainId, hash: &BroadcastHash) -> Option<&WatchedTransfer> {
        let is_it = |tx: &crate::domain::SourceTx| tx.chain_id == *chain_id && tx.hash == *hash;
        let is_here = |transfer: &&WatchedTransfer| transfer.record.gone_chain.is_none();
        self.all.iter().filter(is_here).find(|transfer| transfer.record.txs.iter().any(is_it))
    }

    /// Whether a transaction is kept already, of the chain that is here now.
    pub(crate) fn is_kept(&self, chain_id: &ChainId, hash: &BroadcastHash) -> bool {
        self.of_hash(chain_id, hash).is_some()
    }

    /// The chains whose assets are named where live transfers are told of.
    pub(in crate::app) fn named_chains(&self) -> BTreeSet<ChainId> {
        let live = self.all.iter().filter(|transfer| transfer.is_live());
        let routes = live.filter_map(WatchedTransfer::route);
        routes.flat_map(|route| [route.source_asset_chain_id.clone(), route.dest_asset_chain_id.clone()]).collect()
    }

    fn add(&mut self, record: TransferRecord, now: Timestamp) {
        let place = self.all.partition_point(|known| known.record.created > record.created);
        self.all.insert(place, WatchedTransfer::new(record, now));
    }

    /// Registers what is not registered, polls what is due, saves what changed.
    pub(in crate::app) fn meet_needs(&mut self, cx: &mut TransferCx<'_>) {
        self.follow_others(cx);
        self.ask_routers(cx);
        self.ask_indexer(cx);
        self.keep_changed(cx);
    }

    pub(in crate::app) fn take_wish(&mut self, wish: TransferWish, cx: &mut TransferCx<'_>) {
        match wish {
            TransferWish::Begin(departure, hash) => self.keep_sent(departure, &hash, "Sent elsewhere, hash given", cx),
            TransferWish::AllowSigning => self.allow_signing(cx),
            TransferWish::StopSigning => self.stop_signing(cx),
            TransferWish::ReadAgain => read_again(cx),
            TransferWish::Listed(ids) => self.listed = ids,
            TransferWish::Watch(id) => {
                self.watch(&id, cx);
            }
        }
    }

    /// What other instances keep is read again and again while transfers are on screen.
    fn follow_others(&mut self, cx: &mut TransferCx<'_>) {
        if self.next_reading(cx).is_some_and(|at| at <= cx.now) {
            self.read_at = Some(cx.now);
            read_again(cx);
        }
    }

    /// When what other instances keep is to be read next.
    fn next_reading(&self, cx: &TransferCx<'_>) -> Option<Timestamp> {
        let is_shown = cx.shown != ShownTransfers::None && self.loaded.value().is_some();
        is_shown.then(|| self.read_at.map_or(cx.now, |at| at.after(READ_PACE)))
    }

    fn keep_changed(&mut self, cx: &mut TransferCx<'_>) {
        let is_read = self.loaded.value().is_some();
        let mut has_kept = false;
        for transfer in self.all.iter_mut().filter(|transfer| transfer.is_changed) {
            (transfer.is_changed, has_kept) = (false, true);
            cx.effect(TransferEffect::Instruct(Instruction::Keep(transfer.record.clone().into())));
        }
        // What is on its way from the store was read before.
        if has_kept && is_read && cx.is_waiting(&Slot::Transfers) {
            cx.effect(TransferEffect::Cancel(Slot::Transfers));
        }
    }

    /// Keeps a transfer whose first transaction was just broadcast, or a further one of a kept transfer, and opens its
    /// page.
    fn begin(&mut self, record: TransferRecord, cx: &mut TransferCx<'_>) {
        let id = record.id.clone();
        self.make_room_for(&record, cx);
        self.adopt(record, cx);
        if let Some(transfer) = self.get_mut(&id) {
            (transfer.is_watched, transfer.is_changed) = (true, true);
        }
        self.review(&id, cx);
        cx.effect(TransferEffect::OpenTransfer(id));
    }

    /// Takes a record over: a new transfer, or what it adds to a kept one. Says whether anything is new.
    fn adopt(&mut self, record: TransferRecord, cx: &mut TransferCx<'_>) -> bool {
        let (id, now) = (record.id.clone(), cx.now);
        match self.get_mut(&id) {
            Some(known) => {
                let version = known.version;
                let has_more = known.absorb(record, now);
                if known.version == version {
                    return false;
                }
                if has_more {
                    cx.cancel_questions(&id);
                }
            }
            None => self.add(record, now),
        }
        self.version += 1;
        self.choose_following(&id, cx);
        true
    }

    /// The same of a record that was drawn up when it was given to the wallet: its chain may have gone since.
    fn adopt_drawn(&mut self, record: TransferRecord, cx: &mut TransferCx<'_>) -> bool {
        let gone_chain = self.get(&record.id).and_then(|known| known.record.gone_chain.clone());
        self.adopt(TransferRecord { gone_chain, ..record }, cx)
    }

    /// A kept transfer's page is opened: from now on it is watched. False where the page is on screen already.
    pub(in crate::app) fn watch(&mut self, id: &TransferId, cx: &TransferCx<'_>) -> bool {
        if let Some(transfer) = self.get_mut(id) {
            transfer.is_watched = true;
            transfer.search_evidence_again();
        }
        self.opened = Some(id.clone());
        !cx.shown.is_only(id)
    }

    /// Says anew how a transfer stands, notes what changed, and tells when it ended.
    fn review(&mut self, id: &TransferId, cx: &mut TransferCx<'_>) {
        let now = cx.now;
        let Some(transfer) = self.all.iter_mut().find(|transfer| transfer.record.id == *id) else { return };
        let (before, is_first) = (transfer.milestone(), !transfer.has_status());
        if !cx.has_router {
            transfer.miss_router();
        }
        let status_view = transfer.status_view_at(cx.directory, cx.own_chain.as_ref(), now);
        let has_changed = transfer.apply(status_view, now);
        let after = transfer.milestone();
        if has_changed {
            self.version += 1;
        }
        if before != after && after.is_some() && !is_first {
            self.notify(id, cx);
            self.tell_outcome(id, cx);
        }
        if before != after && matches!(after, Some(watched::Milestone::ToSend(_))) {
            self.go_on_signing(id, cx);
        }
        cx.redraw();
    }

    /// A transfer ended, or needs somebody: this is told wherever one is.
    fn notify(&mut self, id: &TransferId, cx: &mut TransferCx<'_>) {
        let Some(transfer) = self.get(id).filter(|transfer| transfer.is_watched) else { return };
        let name = match transfer.record.label.as_str() {
            "" => id.hash.short(),
            label => text::clip(label, 24),
        };
        let (mark, _) = signs::sign(transfer, &transfer.status_view);
        let headline = cx.zone.in_words(&transfer.status_view.headline.to_string());
        let is_problem =
            transfer.status_view.phase.is_failure() || transfer.milestone() != Some(watched::Milestone::Ended);
        if self.announcements.bell {
            cx.host(HostEffect::Bell);
        }
        if self.announcements.title {
            self.has_title = true;
            cx.host(HostEffect::Title(text::clip(&format!("{mark} {headline}"), TITLE)));
        }
        if !cx.shown.is_only(id) {
            let text = format!("{name}: {headline}");
            if is_problem { cx.complain(text) } else { cx.done(text) }
        }
    }

    /// The person's program is told how it ended. It is asked for with each end that is learnt; who runs it, and whether it
    /// was told already, the state file knows.
    fn tell_outcome(&self, id: &TransferId, cx: &mut TransferCx<'_>) {
        let ended = self.get(id).filter(|transfer| transfer.milestone() == Some(watched::Milestone::Ended));
        if let Some(transfer) = ended.filter(|_| self.announcements.on_end.is_some()) {
            let outcome = transfer.outcome(cx.now);
            cx.effect(TransferEffect::Instruct(Instruction::TellOutcome(Arc::new(outcome))));
        }
    }

    /// Somebody is here: the title is what it was.
    pub(in crate::app) fn take_title_back(&mut self, cx: &mut TransferCx<'_>) {
        if std::mem::take(&mut self.has_title) {
            cx.host(HostEffect::Title(String::new()));
        }
    }
}

/// Other instances keep transfers too: what is kept is read again.
fn read_again(cx: &mut TransferCx<'_>) {
    if !cx.is_waiting(&Slot::Transfers) {
        cx.ask(Slot::Transfers, Request::Transfers);
    }
}
