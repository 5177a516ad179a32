//! The Bridge tab: the form with its routes, and the list of transfers.

use super::{Hint, cursor::open_row};
use crate::{
    app::{
        bridge::{BridgeSide, BridgeView, quote::Field, quote::QuoteSide},
        context::Context,
    },
    config::Command,
    widgets::layout::Pane,
};

/// Why nothing can be asked of a router.
pub(super) const NO_ROUTER: &str = "no routing API is known for this network; --router names one";

pub(super) fn tab(view: &BridgeView, cx: &Context) -> Vec<Hint> {
    match view.side {
        BridgeSide::Quote => quote(&view.quote, cx),
        BridgeSide::Transfers => transfers(view, cx),
    }
}

fn quote(quote: &QuoteSide, cx: &Context) -> Vec<Hint> {
    let has_router = cx.network.router.is_some();
    let route = |hint: Hint| hint.needs(has_router, NO_ROUTER);
    let track = route(Hint::of(Command::Track));
    let turn = [Hint::of(Command::NextTab).called("transfers"), Hint::of(Command::PreviousTab).spare()];
    let pane = Hint::of(Command::NextPane).called(if quote.focus == Pane::First { "routes" } else { "form" });
    let swap =
        route(Hint::of(Command::SwapEnds)).needs(quote.form.source != quote.form.destination, "both ends are the same");
    let routes = [Hint::of(Command::NextSibling).called("other route"), Hint::of(Command::PreviousSibling).spare()];
    let open = route(open(quote));
    let mut hints = vec![open, pane];
    hints.extend(routes.map(route));
    hints.extend([swap, track]);
    hints.extend(turn);
    hints
}

/// Enter edits a field of the form, or goes on with the route.
fn open(quote: &QuoteSide) -> Hint {
    if quote.focus == Pane::Second {
        let has_route = quote.offer().route().is_some();
        return Hint::of(Command::Open)
            .called("send")
            .needs(has_route, "there is no such route; [ and ] show the others");
    }
    let chain = "choose the chain first";
    let edit = Hint::of(Command::Open).called("edit");
    match quote.field {
        Field::SourceChain | Field::DestinationChain => edit,
        Field::SourceAsset => edit.needs(quote.form.source.chain.is_some(), chain),
        Field::DestinationAsset => edit.needs(quote.form.destination.chain.is_some(), chain),
        Field::Amount => edit.needs(
            quote.form.source.pair().is_some(),
            "choose what to send first: its decimals say what an amount means",
        ),
    }
}

fn transfers(view: &BridgeView, cx: &Context) -> Vec<Hint> {
    let turn = [Hint::of(Command::NextTab).called("quotes"), Hint::of(Command::PreviousTab).spare()];
    let mut hints = vec![
        open_row(&view.board.list),
        Hint::of(Command::Track).needs(cx.network.router.is_some(), NO_ROUTER),
        Hint::of(Command::Filter),
        Hint::of(Command::TransferOrder).called("order"),
    ];
    let selected = view.board.list.selected().map(|row| &row.id);
    hints.extend(crate::app::transfers::of_transfer(selected, cx));
    hints.extend(turn);
    hints.push(Hint::of(Command::NextPane).spare());
    hints
}
