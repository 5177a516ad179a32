//! The Bridge tab: the form with its routes, and the list of transfers.

use super::{
    board::Board,
    quote::{FormField, QuoteSide},
};
use crate::{
    app::{Context, commands::NO_ROUTER, hint::Hint},
    config::Command,
    panes::{commands::open_row, transfers::of_transfer},
    widgets::layout::Pane,
};

pub(super) fn of_quote(quote: &QuoteSide, cx: &Context) -> Vec<Hint> {
    let has_router = cx.has_router();
    let route = |hint: Hint| hint.needs(has_router, NO_ROUTER);
    let track = route(Hint::of(Command::Track));
    let is_form = quote.focus == Pane::First;
    let pane = Hint::of(Command::NextPane).called(if is_form && has_router { "routes" } else { "transfers" });
    let back = Hint::of(Command::PreviousPane).called(if is_form { "transfers" } else { "form" });
    let column = match (is_form, has_router) {
        (_, false) => "transfers",
        (true, true) => "column",
        (false, true) => "route",
    };
    let is_alone = is_form && has_router && quote.field == FormField::Amount;
    let turn = [Hint::of(Command::NextTab).called(column), Hint::of(Command::PreviousTab).spare()];
    let turn = turn.map(|hint| hint.needs(!is_alone, "the amount has its row alone"));
    let swap =
        route(Hint::of(Command::SwapEnds)).needs(quote.form.source != quote.form.destination, "both ends are the same");
    let routes = [Hint::of(Command::NextSibling).called("other route"), Hint::of(Command::PreviousSibling).spare()];
    let open = route(open(quote));
    let mut hints = vec![open, pane];
    hints.extend(turn);
    hints.extend([swap, track, if has_router { back } else { back.spare() }]);
    hints.extend(routes.map(route));
    hints
}

/// Enter edits a field of the form, or goes on with the route.
fn open(quote: &QuoteSide) -> Hint {
    if quote.focus == Pane::Second {
        let has_route = quote.offer().route().is_some();
        return Hint::of(Command::Open)
            .called("send")
            .needs(has_route, "there is no such route; ← and → show the others");
    }
    let chain = "choose the chain first";
    let edit = Hint::of(Command::Open).called("edit");
    match quote.field {
        FormField::SourceChain | FormField::DestinationChain => edit,
        FormField::SourceAsset => edit.needs(quote.form.source.chain.is_some(), chain),
        FormField::DestinationAsset => edit.needs(quote.form.destination.chain.is_some(), chain),
        FormField::Amount => edit.needs(
            quote.form.source.pair().is_some(),
            "choose what to send first: its decimals say what an amount means",
        ),
    }
}

pub(super) fn of_board(board: &Board, cx: &Context) -> Vec<Hint> {
    let turn = [Hint::of(Command::NextTab).called("quotes"), Hint::of(Command::PreviousTab).spare()];
    let mut hints = vec![
        open_row(&board.list),
        Hint::of(Command::Track).needs(cx.has_router(), NO_ROUTER),
        Hint::of(Command::Filter),
        Hint::of(Command::TransferOrder).called("order"),
    ];
    let selected = board.list.selected().map(|row| &row.id);
    hints.extend(of_transfer(selected, cx));
    hints.extend(turn);
    hints.extend([Hint::of(Command::NextPane), Hint::of(Command::PreviousPane)].map(Hint::spare));
    hints
}
