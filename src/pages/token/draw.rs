//! Draws a token: facts, picture and ownership history.

use ratatui::layout::Rect;

use super::state::{TokenPage, TokenTab};
use crate::{
    app::page::{Drawing, Page as _},
    columns::{List, TxFields, Txs},
    config::Meaning,
    domain::text,
    panes::{
        nft_facts::draw_absent,
        rows::TxRow,
        table::{self, ListFrame, RowOrigin},
        tx_list,
    },
    widgets::{canvas::Canvas, document, layout::Pane, picture},
};

pub(super) fn draw(canvas: &mut Canvas<'_>, cx: &Drawing<'_>, page: &TokenPage) {
    let places = page.places(cx.regions);
    if !places.facts.is_empty() {
        draw_facts(canvas, cx, page, places.facts);
    }
    if !places.picture.is_empty() {
        draw_picture(canvas, cx, page, places.picture);
    }
    if !places.history.is_empty() {
        draw_history(canvas, cx, page, places.history);
    }
}

fn draw_facts(canvas: &mut Canvas<'_>, cx: &Drawing<'_>, page: &TokenPage, area: Rect) {
    let is_focused = page.focus == Pane::First;
    let tab = match page.tab {
        TokenTab::Facts => "",
        TokenTab::Json => " · metadata",
    };
    let meaning = if is_focused { Meaning::Heading } else { Meaning::Text };
    let (lines, filter) = (&page.document, page.document.filter());
    let right = if filter.is_empty() {
        Vec::new()
    } else {
        let (some, all) = lines.counts();
        vec![(Meaning::Heading, format!("“{}” {some} of {all} lines", text::clip(filter, 24)))]
    };
    canvas.frame(area, cx.regions.tier, is_focused, vec![(meaning, format!("{}{tab}", page.title()))], right);
    let inner = cx.regions.inner(area);
    if page.token.value().is_none() && page.token.is_loading() {
        return draw_absent(canvas, cx, &page.token, inner);
    }
    document::draw::draw(canvas, inner, lines, is_focused, 0);
}

fn draw_picture(canvas: &mut Canvas<'_>, cx: &Drawing<'_>, page: &TokenPage, area: Rect) {
    canvas.frame(area, cx.regions.tier, false, Vec::new(), Vec::new());
    let inner = cx.regions.inner(area);
    match page.art.picture.value() {
        Some(image) => picture::draw(canvas, inner, image),
        None => draw_absent(canvas, cx, &page.art.picture, inner),
    }
}

fn draw_history(canvas: &mut Canvas<'_>, cx: &Drawing<'_>, page: &TokenPage, area: Rect) {
    let empty = match page.token.value() {
        Some(token) => format!("no known transactions: held since block {}", text::group(token.height.get())),
        None => "no known transactions of this token".to_owned(),
    };
    let listing = ListFrame {
        pane: area,
        place: 1,
        title: "History".to_owned(),
        is_focused: page.focus == Pane::Second,
        empty: &empty,
        origin: RowOrigin::History,
        hidden: &[],
    };
    let (mut columns, forms) = (table::columns::<Txs>(cx, cx.regions, List::NftTxs, area), cx.context.forms());
    columns.hug(&page.txs.on_screen().map(|row| fields(cx, page, row)).collect::<Vec<_>>(), &forms);
    table::draw(canvas, cx, cx.regions, &page.txs, &listing, &columns.fitted, |row| {
        columns.cells(&fields(cx, page, row), &forms)
    });
}

fn fields<'a>(cx: &Drawing<'_>, page: &'a TokenPage, row: &'a TxRow) -> TxFields<'a> {
    let mut fields = tx_list::fields(cx, row);
    fields.moves = page.moves(&row.tx.txhash);
    fields
}
