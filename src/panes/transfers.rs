//! Commands and copies for a transfer, on its page and on the board.

use std::borrow::Cow;

use crate::{
    app::{
        Context,
        hint::Hint,
        prompt::CopyChoice,
        transfers::{NO_LONGER_SERVED, WatchedTransfer, record::raw_status},
    },
    config::Command,
    domain::{Tracking, TransferId},
    transfers::NextStep,
    wire,
};

/// Adapts the hint of a transfer command to the selected or open transfer; returns other hints unchanged.
pub(crate) fn of_transfer(hint: Hint, id: Option<&TransferId>, cx: &Context) -> Hint {
    let transfer = id.and_then(|id| cx.transfers.get(id));
    let selected = |hint: Hint| hint.enabled_if(transfer.is_some(), "select a transfer first");
    let is_gone = transfer.is_some_and(WatchedTransfer::is_lost);
    let has_step = transfer.is_some_and(|known| known.follower.view.next != NextStep::Wait);
    match hint.command {
        Command::NextStep => selected(hint)
            .enabled_if(!is_gone || has_step, NO_LONGER_SERVED)
            .enabled_if(has_step, "no step is due: wait"),
        Command::SignInBrowser => {
            let unsigned = transfer.and_then(|transfer| refusal_to_sign(transfer, cx));
            selected(hint)
                .enabled_if(!is_gone || has_step, NO_LONGER_SERVED)
                .enabled_if(unsigned.is_none(), unsigned.unwrap_or_default())
        }
        Command::TrackAgain => {
            let current = transfer.and_then(|transfer| transfer.follower.current_tx());
            let is_refused = current.is_some_and(|tx| tx.tracking == Tracking::Refused);
            let is_lost = transfer.is_some_and(|known| known.follower.view.phase.is_unwatched());
            selected(hint)
                .enabled_if(!is_gone, NO_LONGER_SERVED)
                .enabled_if(is_refused || is_lost, "transfer already tracked; r refreshes")
        }
        Command::Label | Command::Forget => selected(hint),
        _ => hint,
    }
}

/// Returns why there is nothing to sign with the user's wallet now.
fn refusal_to_sign(transfer: &WatchedTransfer, cx: &Context) -> Option<Cow<'static, str>> {
    if transfer.is_withdrawal() && !transfer.is_lost() {
        return cx.transfers.refusal_to_claim(&transfer.follower.record.id, cx.executor().is_some(), cx.now);
    }
    let is_yours = matches!(transfer.follower.view.next, NextStep::SendNext(_));
    (!is_yours).then_some(Cow::Borrowed("you have no transaction to sign now"))
}

pub(crate) fn choices(transfer: &WatchedTransfer, cx: &Context) -> Vec<CopyChoice> {
    let record = &transfer.follower.record;
    let choice = CopyChoice::value;
    let mut choices = vec![choice('i', "chain and hash", record.id.to_string())];
    if let Some(tx) = transfer.follower.current_tx() {
        choices.push(choice('v', "transaction hash", tx.hash.to_string()));
        if let Some(router) = &cx.network.router {
            let path = format!("{router}/v2/tx/status?tx_hash={}&chain_id={}", tx.hash, tx.chain_id);
            choices.push(choice('c', "curl command of the status", wire::curl(&path)));
        }
    }
    choices.push(choice('h', "funds' location", transfer.follower.view.headline.to_string()));
    choices.extend(raw_status(record).map(|json| CopyChoice::document('j', "status as JSON", json)));
    choices.extend(record.route.as_ref().map(|route| CopyChoice::document('r', "route as JSON", route.to_string())));
    choices
}
