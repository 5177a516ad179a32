//! One token: facts, picture, and how it changed hands.

use crate::app::page::Drawing;
use ratatui::layout::Rect;

use super::draw_absent;
use crate::{
    app::{
        App,
        nfts::{TokenPage, TokenTab},
    },
    columns::{List, Txs},
    config::Meaning,
    domain::text,
    panes::table::{self, Listing},
    ui::tx,
    widgets::{
        canvas::Canvas,
        layout::{Pane, Regions},
    },
};

/// The token.
pub(in crate::ui) fn draw(canvas: &mut Canvas<'_>, cx: &Drawing<'_>, page: &TokenPage, regions: &Regions) {
    let places = page.places(regions);
    if !places.facts.is_empty() {
        draw_facts(canvas, cx, page, regions, places.facts);
    }
    if !places.picture.is_empty() {
        draw_picture(canvas, cx, page, regions, places.picture);
    }
    if !places.history.is_empty() {
        draw_history(canvas, cx, page, regions, places.history);
    }
}

fn draw_facts(canvas: &mut Canvas<'_>, cx: &Drawing<'_>, page: &TokenPage, regions: &Regions, area: Rect) {
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
        vec![(Meaning::Match, format!("“{}” {some} of {all} lines", text::clip(filter, 24)))]
    };
    canvas.frame(area, regions.tier, is_focused, vec![(meaning, format!("{}{tab}", page.title()))], right);
    let inner = regions.inner(area);
    if page.token.value().is_none() && page.token.is_loading() {
        return draw_absent(canvas, cx, &page.token, inner);
    }
    crate::widgets::document::draw::draw(canvas, inner, lines, is_focused, 0);
}

fn draw_picture(canvas: &mut Canvas<'_>, cx: &Drawing<'_>, page: &TokenPage, regions: &Regions, area: Rect) {
    canvas.frame(area, regions.tier, false, Vec::new(), Vec::new());
    let inner = regions.inner(area);
    match page.art.picture.value() {
        Some(image) => crate::widgets::picture::draw(canvas, inner, image),
        None => draw_absent(canvas, cx, &page.art.picture, inner),
    }
}

fn draw_history(canvas: &mut Canvas<'_>, cx: &Drawing<'_>, page: &TokenPage, regions: &Regions, area: Rect) {
    let empty = match page.token.value() {
        Some(token) => format!("no transactions are known: held since block {}", text::group(token.height.get())),
        None => "no transactions of this token are known".to_owned(),
    };
    let listing = Listing {
        pane: area,
        place: 1,
        title: "History".to_owned(),
        is_focused: page.focus == Pane::Second,
        empty: &empty,
        is_sifted: false,
    };
    let (columns, forms) = (table::columns::<Txs>(cx, regions, List::NftTxs, area), cx.forms());
    table::draw(canvas, cx, regions, &page.txs, &listing, &columns.fitted, |row| {
        let mut fields = tx::fields(cx, row);
        fields.moves = page.moves(&row.tx.txhash);
        columns.cells(&fields, &forms)
    });
}
