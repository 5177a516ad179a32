//! What can be done with a transfer and copied of it, on its page and on the board.

use crate::{
    app::{
        Context,
        hint::Hint,
        prompt::CopyChoice,
        transfers::{NOBODY, WatchedTransfer, record::raw_status},
    },
    config::Command,
    domain::{Tracking, TransferId},
    story::transfer::NextStep,
    wire,
};

/// With the transfer that is selected or open.
pub(crate) fn of_transfer(id: Option<&TransferId>, cx: &Context) -> [Hint; 5] {
    let transfer = id.and_then(|id| cx.transfers.get(id));
    let selected = |command| Hint::of(command).needs(transfer.is_some(), "no transfer is selected");
    let is_refused = transfer.and_then(WatchedTransfer::current_tx).is_some_and(|tx| tx.tracking == Tracking::Refused);
    let is_lost = transfer.is_some_and(|known| known.status_view.phase.is_unwatched());
    let is_gone = transfer.is_some_and(WatchedTransfer::is_lost);
    let has_step = transfer.is_some_and(|known| known.status_view.next != NextStep::Wait);
    let is_yours = transfer.is_some_and(|known| matches!(known.status_view.next, NextStep::SendNext(_)));
    [
        selected(Command::NextStep).needs(!is_gone || has_step, NOBODY).needs(has_step, "nothing is to be done: wait"),
        selected(Command::SignInBrowser)
            .needs(!is_gone || has_step, NOBODY)
            .needs(is_yours, "no transaction of it is yours to sign now"),
        selected(Command::Label),
        selected(Command::TrackAgain)
            .needs(!is_gone, NOBODY)
            .needs(is_refused || is_lost, "the router watches it already; r asks how it stands"),
        selected(Command::Forget),
    ]
}

/// What can be copied of it.
pub(crate) fn choices(transfer: &WatchedTransfer, cx: &Context) -> Vec<CopyChoice> {
    let record = &transfer.record;
    let choice = CopyChoice::value;
    let mut choices = vec![choice('i', "chain and hash", record.id.to_string())];
    if let Some(tx) = transfer.current_tx() {
        choices.push(choice('v', "transaction hash", tx.hash.to_string()));
        if let Some(router) = &cx.network.router {
            let path = format!("{router}/v2/tx/status?tx_hash={}&chain_id={}", tx.hash, tx.chain_id);
            choices.push(choice('c', "curl command of the status", wire::curl(&path)));
        }
    }
    choices.push(choice('h', "where the funds are", transfer.status_view.headline.to_string()));
    choices.extend(raw_status(record).map(|json| CopyChoice::document('j', "status as JSON", json)));
    choices.extend(record.route.as_ref().map(|route| CopyChoice::document('r', "route as JSON", route.to_string())));
    choices
}
