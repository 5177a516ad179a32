//! What can be done with a transfer now, on its page and on the board.

use super::actions::NOBODY;
use crate::{
    app::{commands::Hint, context::Context},
    config::Command,
    domain::{Tracking, TransferId},
    story::transfer::{NextStep, Phase},
};

/// With the transfer that is selected or open.
pub(crate) fn of_transfer(id: Option<&TransferId>, cx: &Context) -> [Hint; 4] {
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
