//! Kept transfers: registration, polls and status, whatever the screen shows.
//!
//! The session watches a transfer that it began or opened, and an unfinished one of up to a day. It polls watched
//! transfers on every screen, even a frozen one; it polls others only while they are visible.

mod actions;
mod browser_signing;
mod claiming;
mod departure;
mod effect;
mod finding;
mod gone;
mod listing;
mod open_claims;
mod polling;
pub(crate) mod record;
mod signing;
pub(crate) mod signs;
mod state;
#[cfg(test)]
mod tests;
mod tracking;
mod watched;

pub(crate) use actions::NO_LONGER_SERVED;
pub(crate) use browser_signing::{BrowserSigning, BrowserStage};
pub(in crate::app) use effect::{SessionFacts, TakeForTransfers, TransferCx};
pub(crate) use open_claims::OpenClaim;
pub(crate) use state::{MOST, PendingBroadcast, ShownTransfers, Transfers};
pub(crate) use tracking::NO_ROUTER;
pub(crate) use watched::WatchedTransfer;

use std::{sync::Arc, time::Duration};

use super::{
    Effect,
    page::{Destination, PageEffect},
};
use crate::{
    domain::{Timestamp, TransferId, TransferRecord, text},
    msg::{Instruction, Slot, ask},
    transfers::{Milestone, UsualDuration},
};

/// Maximum columns of the terminal's title.
const TITLE: usize = 80;
/// Interval between reads of the transfers that other instances wrote.
const READ_PACE: Duration = Duration::from_secs(5);

impl Transfers {
    /// Registers transfers, sends the polls that are due, and saves changes.
    pub(in crate::app) fn meet_needs(&mut self, cx: &mut TransferCx<'_>) {
        self.follow_others(cx);
        self.announce_names(cx);
        self.rename(cx);
        self.ask_due(cx);
        self.ask_open(cx);
        self.keep_changed(cx);
    }

    /// Sets the order of the board.
    pub(in crate::app) fn list(&mut self, ids: Vec<TransferId>) {
        self.listed = ids;
    }

    /// Reads the transfers of other instances at intervals, while transfers are on screen.
    fn follow_others(&mut self, cx: &mut TransferCx<'_>) {
        if self.next_reading(cx).is_some_and(|at| at <= cx.facts.now) {
            self.read_at = Some(cx.facts.now);
            read_again(cx);
        }
    }

    /// Returns when to read the transfers of other instances next.
    fn next_reading(&self, cx: &TransferCx<'_>) -> Option<Timestamp> {
        let is_shown = cx.facts.shown != ShownTransfers::None && self.loaded.value().is_some();
        is_shown.then(|| self.read_at.map_or(cx.facts.now, |at| at.after(READ_PACE)))
    }

    fn keep_changed(&mut self, cx: &mut TransferCx<'_>) {
        let is_read = self.loaded.value().is_some();
        let mut has_kept = false;
        for transfer in &mut self.all {
            if transfer.follower.take_changed() {
                has_kept = true;
                cx.emit(PageEffect::Instruct(Instruction::Keep(transfer.follower.record.clone().into())));
            }
        }
        // A pending read began before this write.
        if has_kept && is_read && cx.is_waiting(&Slot::Transfers) {
            cx.emit(PageEffect::Cancel(Slot::Transfers));
        }
    }

    /// Keeps a transfer after its first broadcast, or a further transaction of a kept one, and opens its page.
    fn begin(&mut self, record: TransferRecord, cx: &mut TransferCx<'_>) {
        let id = record.id.clone();
        self.keep_new(record, cx);
        cx.open(Destination::Transfer(id));
    }

    /// Keeps and watches a transfer.
    fn keep_new(&mut self, record: TransferRecord, cx: &mut TransferCx<'_>) {
        let id = record.id.clone();
        self.make_room_for(&record, cx);
        self.adopt(record, cx);
        if let Some(transfer) = self.get_mut(&id) {
            transfer.is_watched = true;
            transfer.follower.keep();
        }
        self.review(&id, cx);
    }

    /// Adds a record as a new transfer, or merges it into a kept one. Returns whether anything changed.
    fn adopt(&mut self, record: TransferRecord, cx: &mut TransferCx<'_>) -> bool {
        let (id, now) = (record.id.clone(), cx.facts.now);
        match self.get_mut(&id) {
            Some(known) => {
                let (is_news, has_more) = known.follower.merge_record(record, now);
                if !is_news {
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

    /// Adopts a record that was written before the broadcast. The chain may have changed since.
    fn adopt_drawn(&mut self, record: TransferRecord, cx: &mut TransferCx<'_>) -> bool {
        let gone_chain = self.get(&record.id).and_then(|known| known.follower.record.gone_chain.clone());
        self.adopt(TransferRecord { gone_chain, ..record }, cx)
    }

    /// Watches a transfer whose page opens. Returns false if the page is already on screen.
    pub(in crate::app) fn watch(&mut self, id: &TransferId, cx: &TransferCx<'_>) -> bool {
        if let Some(transfer) = self.get_mut(id) {
            transfer.is_watched = true;
            transfer.follower.ask_witnesses_again();
        }
        self.opened = Some(id.clone());
        !cx.facts.shown.is_only(id)
    }

    /// Computes a transfer's status again, records changes, and announces its end.
    fn review(&mut self, id: &TransferId, cx: &mut TransferCx<'_>) {
        let now = cx.facts.now;
        let Some(transfer) = self.all.iter_mut().find(|transfer| transfer.follower.record.id == *id) else { return };
        if !cx.facts.has_router {
            transfer.follower.miss_router();
        }
        let l1s = cx.l1_addresses();
        let is_askable = transfer.follower.is_arrival_askable(&cx.follower_context(transfer, &l1s));
        transfer.follower.know_servers(is_askable);
        let (before, is_first) = (transfer.follower.milestone(), !transfer.follower.has_view());
        let own = cx.facts.own_chain.as_ref();
        let view = transfer.view_at(cx.directory, own, now);
        let others = self.all.iter().filter(|other| other.follower.record.id != *id);
        let usual = UsualDuration::of(&view.hops, others.map(|other| &other.follower.view));
        let Some(transfer) = self.get_mut(id) else { return };
        let is_new = std::mem::replace(&mut transfer.follower.usual, usual) != usual;
        let view = if is_new { transfer.view_at(cx.directory, own, now) } else { view };
        let has_changed = transfer.follower.apply(view, now);
        let after = transfer.follower.milestone();
        if has_changed {
            self.version += 1;
        }
        if before != after && after.is_some() && !is_first {
            self.notify(id, cx);
            self.tell_outcome(id, cx);
        }
        if before != after && matches!(after, Some(Milestone::ToSend(_))) {
            self.go_on_signing(id, cx);
        }
        self.take_back(id, cx);
        cx.redraw();
    }

    /// Moves a transaction that was followed apart back into its transfer, once its chain included it.
    fn take_back(&mut self, id: &TransferId, cx: &mut TransferCx<'_>) {
        let Some(apart) = self.get(id).map(|transfer| &transfer.follower) else { return };
        let Some(former) = apart.record.former_place.as_ref().map(|place| place.transfer.clone()) else { return };
        let Some(transfer) = self.get(&former).map(|transfer| &transfer.follower.record) else { return };
        if transfer
            .txs
            .iter()
            .any(|tx| apart.record.id == TransferId { chain_id: tx.chain_id.clone(), hash: tx.hash.clone() })
        {
            // Another instance moved it.
            self.delete(id, cx);
            return;
        }
        let Some((tx, is_shown)) = apart.tx_back(transfer) else { return };
        let now = cx.facts.now;
        let by = if is_shown { "as the indexer shows" } else { "by the router" };
        let words = format!("transaction {} of {} is on chain, {by}", tx.hash.short(), tx.chain_id);
        let mut record = transfer.clone();
        record.txs.push(tx);
        record.note(now, format!("{words}: the transfer continues from it"));
        let is_open = cx.facts.shown.is_only(id);
        self.keep_new(record, cx);
        // Written before the deletion, so that the transaction is never without a record.
        self.keep_changed(cx);
        self.delete(id, cx);
        if is_open {
            cx.open(Destination::Transfer(former));
        }
        cx.done(format!("{words}: its transfer continues"));
    }

    /// Announces that a transfer finished, or that the user must act.
    fn notify(&mut self, id: &TransferId, cx: &mut TransferCx<'_>) {
        let Some(transfer) = self.get(id).filter(|transfer| transfer.is_watched) else { return };
        let headline = transfer.follower.view.headline.sentence().in_zone(&cx.facts.zone);
        let is_problem =
            transfer.follower.view.phase.is_failure() || transfer.follower.milestone() != Some(Milestone::Ended);
        let (text, title) = (toast_of(transfer, &headline), title_of(transfer, &headline));
        if cx.directory.awaits_names(transfer.named_chains()) {
            self.unnamed.insert(id.clone(), headline);
        }
        if self.announcements.bell {
            cx.emit(PageEffect::Shell(Effect::Bell));
        }
        if self.announcements.title {
            self.has_title = true;
            cx.emit(PageEffect::Shell(Effect::Title(title)));
        }
        if !cx.facts.shown.is_only(id) {
            if is_problem { cx.complain(text) } else { cx.done(text) }
        }
    }

    /// Announces again, without the bell, what was announced before its assets had names.
    fn announce_names(&mut self, cx: &mut TransferCx<'_>) {
        for (id, said) in std::mem::take(&mut self.unnamed) {
            let Some(transfer) = self.all.iter_mut().find(|transfer| transfer.follower.record.id == id) else {
                continue;
            };
            if cx.directory.awaits_names(transfer.named_chains()) {
                self.unnamed.insert(id, said);
                continue;
            }
            let view = transfer.view_at(cx.directory, cx.facts.own_chain.as_ref(), cx.facts.now);
            let headline = view.headline.sentence().in_zone(&cx.facts.zone);
            transfer.follower.rename(view);
            self.version += 1;
            if self.has_title {
                cx.emit(PageEffect::Shell(Effect::Title(title_of(transfer, &headline))));
            }
            cx.emit(PageEffect::Reword(toast_of(transfer, &said), toast_of(transfer, &headline)));
            cx.redraw();
        }
    }

    /// Writes the statuses anew with names that arrived since, so that the board says what the page says.
    fn rename(&mut self, cx: &mut TransferCx<'_>) {
        let edition = cx.directory.edition;
        if std::mem::replace(&mut self.named_edition, edition) == edition {
            return;
        }
        for transfer in self.all.iter_mut().filter(|transfer| transfer.follower.has_view()) {
            let view = transfer.view_at(cx.directory, cx.facts.own_chain.as_ref(), cx.facts.now);
            if view.headline.text != transfer.follower.view.headline.text {
                transfer.follower.rename(view);
                self.version += 1;
                cx.redraw();
            }
        }
    }

    /// Runs the user's program for the outcome of a transfer. Every instance that learns the outcome tries to; the
    /// state file allows only one run.
    fn tell_outcome(&self, id: &TransferId, cx: &mut TransferCx<'_>) {
        let ended = self.get(id).filter(|transfer| transfer.follower.milestone() == Some(Milestone::Ended));
        if let Some(transfer) = ended.filter(|_| self.announcements.on_end.is_some()) {
            let outcome = transfer.outcome(cx.facts.now);
            cx.emit(PageEffect::Instruct(Instruction::TellOutcome(Arc::new(outcome))));
        }
    }

    /// Restores the terminal's title when the user is active again.
    pub(in crate::app) fn take_title_back(&mut self, cx: &mut TransferCx<'_>) {
        if std::mem::take(&mut self.has_title) {
            cx.emit(PageEffect::Shell(Effect::Title(String::new())));
        }
    }
}

/// Returns the message that announces a transfer.
fn toast_of(transfer: &WatchedTransfer, headline: &str) -> String {
    let record = &transfer.follower.record;
    let name = if record.label.is_empty() { record.id.hash.short() } else { text::clip(&record.label, 24) };
    format!("{name}: {headline}")
}

/// Returns the terminal's title that announces a transfer.
fn title_of(transfer: &WatchedTransfer, headline: &str) -> String {
    let (_, mark, _) = signs::sign(transfer, &transfer.follower.view);
    text::clip(&format!("{mark} {headline}"), TITLE)
}

/// Reads the store again, since other instances write transfers too.
pub(in crate::app) fn read_again(cx: &mut TransferCx<'_>) {
    if !cx.is_waiting(&Slot::Transfers) {
        cx.request(Slot::Transfers, ask::transfers(), Transfers::take_stored);
    }
}
