//! Commands of the Bridge tab.

use super::{
    board::Board,
    quote::{FormField, QuoteSide},
};
use crate::{
    app::{
        Context,
        commands::{NO_ROUTER, SIDE_IS_OPEN},
        hint::Hint,
    },
    config::Command,
    panes::transfers::of_transfer,
    widgets::layout::Pane,
};

pub(super) const OF_QUOTE: &[&[Command]] = &[
    &[Command::Open, Command::NextPane, Command::NextTab],
    &[Command::PreviousTab, Command::SwapEnds, Command::ConnectWallet, Command::Track],
    &[Command::PreviousPane, Command::NextSibling, Command::PreviousSibling],
];
pub(super) const OF_BOARD: &[&[Command]] = &[
    &[Command::Open, Command::Track, Command::Filter, Command::TransferOrder],
    &[Command::NextStep, Command::SignInBrowser, Command::Label],
    &[Command::TrackAgain, Command::Forget, Command::NextTab],
    &[Command::PreviousTab, Command::NextPane, Command::PreviousPane],
];

pub(super) fn in_quote(quote: &QuoteSide, hint: Hint, cx: &Context) -> Hint {
    let (has_router, is_form) = (cx.has_router(), quote.focus == Pane::First);
    let fresh = Hint::new(hint.command);
    match hint.command {
        Command::Open => open(quote).enabled_if(has_router, NO_ROUTER),
        Command::NextPane => hint.label(if is_form && has_router { "routes" } else { "transfers" }),
        Command::PreviousPane if has_router => fresh.label(if is_form { "transfers" } else { "form" }),
        Command::NextTab | Command::PreviousTab => {
            let is_alone = is_form && has_router && quote.field == FormField::Amount;
            let column = match (is_form, has_router) {
                (_, false) => "transfers",
                (true, true) => "column",
                (false, true) => "route",
            };
            hint.label(column).enabled_if(!is_alone, "the amount has its own row")
        }
        Command::SwapEnds => hint
            .enabled_if(has_router, NO_ROUTER)
            .enabled_if(quote.form.source != quote.form.destination, "source and destination are the same"),
        Command::ConnectWallet => hint.enabled_if(has_router, NO_ROUTER),
        Command::TabBridge => hint.enabled_if(false, SIDE_IS_OPEN),
        Command::NextSibling => fresh.label("other route").enabled_if(has_router, NO_ROUTER),
        Command::PreviousSibling => fresh.hidden_in_footer().enabled_if(has_router, NO_ROUTER),
        _ => hint,
    }
}

/// Returns the effect of Enter: editing a field, or continuing with the route.
fn open(quote: &QuoteSide) -> Hint {
    if quote.focus == Pane::Second {
        let has_route = quote.offer().route().is_some();
        return Hint::new(Command::Open).label("send").enabled_if(has_route, quote.absence());
    }
    let chain = "choose the chain first";
    let edit = Hint::new(Command::Open).label("edit");
    match quote.field {
        FormField::SourceChain | FormField::DestinationChain => edit,
        FormField::SourceAsset => edit.enabled_if(quote.form.source.chain.is_some(), chain),
        FormField::DestinationAsset => edit.enabled_if(quote.form.destination.chain.is_some(), chain),
        FormField::Amount => {
            edit.enabled_if(quote.form.source.pair().is_some(), "choose the asset first: its decimals scale the amount")
        }
    }
}

pub(super) fn in_board(board: &Board, hint: Hint, cx: &Context) -> Hint {
    match hint.command {
        Command::Filter => Hint::new(Command::Filter),
        Command::TransferOrder => hint.label("order"),
        Command::TabTransfers => hint.enabled_if(false, SIDE_IS_OPEN),
        Command::NextTab => hint.label("quotes"),
        Command::NextPane => hint.hidden_in_footer(),
        Command::SignInBrowser if let Some(account) = board.recipient() => {
            let ready = cx.transfers.open.ready_of(account, cx.now);
            let hint = if ready > 1 { hint.label("claim all") } else { hint.label("claim") };
            hint.enabled_if(ready > 0, "no withdrawal to this account is claimable now")
        }
        _ => of_transfer(hint, board.selected().as_ref(), cx),
    }
}
