//! What can be done with a transfer and copied of it, on its page and on the board.

use std::borrow::Cow;

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
    let unsigned = transfer.and_then(|transfer| refusal_to_sign(transfer, cx));
    [
        selected(Command::NextStep).needs(!is_gone || has_step, NOBODY).needs(has_step, "nothing is to be done: wait"),
        selected(Command::SignInBrowser)
            .needs(!is_gone || has_step, NOBODY)
            .needs(unsigned.is_none(), unsigned.unwrap_or_default()),
        selected(Command::Label),
        selected(Command::TrackAgain)
            .needs(!is_gone, NOBODY)
            .needs(is_refused || is_lost, "the router watches it already; r asks how it stands"),
        selected(Command::Forget),
    ]
}

/// Why the person's own wallet has nothing to sign of it now, in words.
fn refusal_to_sign(transfer: &WatchedTransfer, cx: &Context) -> Option<Cow<'static, str>> {
    if transfer.is_withdrawal() && !transfer.is_lost() {
        return cx.transfers.refusal_to_claim(&transfer.record.id, cx.executor().is_some(), cx.now);
    }
    let is_yours = matches!(transfer.status_view.next, NextStep::SendNext(_));
    (!is_yours).then_some(Cow::Borrowed("no transaction of it is yours to sign now"))
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
