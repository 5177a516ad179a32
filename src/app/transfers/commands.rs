//! What can be done with a transfer now, on its page and on the board.

use super::{TransferPage, actions::NOBODY};
use crate::{
    app::{commands::Hint, context::Context},
    config::Command,
    domain::{Tracking, TransferId},
    story::transfer::{NextStep, Phase},
};

/// With the transfer that is selected or open.
pub(in crate::app) fn of_transfer(id: Option<&TransferId>, cx: &Context) -> [Hint; 4] {
    let transfer = id.and_then(|id| cx.transfers.get(id));
    let selected = |command| Hint::of(command).needs(transfer.is_some(), "no transfer is selected");
    let is_refused =
        transfer.and_then(super::WatchedTransfer::current_tx).is_some_and(|tx| tx.tracking == Tracking::Refused);
    let is_lost = transfer
        .is_some_and(|known| matches!(known.status_view.phase, Phase::Abandoned | Phase::NotKnown | Phase::Strange));
    let is_gone = transfer.is_some_and(super::WatchedTransfer::is_lost);
    let has_step = transfer.is_some_and(|known| known.status_view.next != NextStep::Wait);
    [
        selected(Command::NextStep).needs(!is_gone || has_step, NOBODY).needs(has_step, "nothing is to be done: wait"),
        selected(Command::Label),
        selected(Command::TrackAgain)
            .needs(!is_gone, NOBODY)
            .needs(is_refused || is_lost, "the router watches it already; r asks how it stands"),
        selected(Command::Forget),
    ]
}

impl TransferPage {
    /// What can be done on the page, most useful first.
    pub(in crate::app) fn commands(&self, cx: &Context) -> Vec<Hint> {
        let document = self.shown();
        let line = document.selected();
        let leads = document.can_fold() || line.is_some_and(|line| line.link.is_some());
        let is_elsewhere = line.and_then(|line| line.name).is_some_and(|name| self.urls.contains_key(&name));
        let open = Hint::of(Command::Open)
            .needs(leads || !is_elsewhere, "this transaction is of another chain; its page in the browser may show it")
            .needs(leads, "nothing is behind this line");
        let has_status =
            cx.transfers.get(&self.id).is_some_and(|known| super::page::raw_status(&known.record).is_some());
        let raw = Hint::of(Command::RawJson)
            .called(if self.is_raw() { "page" } else { "JSON" })
            .needs(has_status, "the router has not told its status yet");
        let [next, label, again, forget] = of_transfer(Some(&self.id), cx);
        vec![
            next,
            open,
            Hint::of(Command::Refresh),
            raw,
            label,
            again,
            forget,
            Hint::of(Command::Back),
            Hint::of(Command::Filter).called("find"),
        ]
    }
}
