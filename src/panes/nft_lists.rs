//! Rows and commands of NFT and collection lists.

use std::sync::Arc;

use crate::{
    app::page::{Destination, Drawing, Neighbour, PageCx},
    columns::{CollectionFields, Collections, List, Tokens},
    domain::Target,
    msg::PageId,
    panes::{
        commands::CUT_TOKEN,
        rows::{CollectionRow, TokenRow},
        table::{self, ListFrame},
    },
    widgets::{
        canvas::Canvas,
        list::{ListRow, ListWindow},
    },
};

/// Opens the selected token. `[` and `]` on its page move in this page's list.
pub(crate) fn open_selected_token(list: &ListWindow<TokenRow>, cx: &mut PageCx<'_>) {
    let Some(row) = list.selected() else { return };
    match Destination::loaded_token(Arc::clone(&row.0), Some(cx.id)) {
        Some(destination) => cx.open(destination),
        None => cx.refuse(CUT_TOKEN),
    }
}

/// Returns the token `step` rows away from `of`. `origin` is the page with the list.
pub(crate) fn neighbour_token(list: &ListWindow<TokenRow>, of: &Target, step: isize, origin: PageId) -> Neighbour {
    if !matches!(of, Target::Token { .. }) {
        return Neighbour::NoList;
    }
    let key = list.rows().iter().find(|row| row.is_of(of)).map(ListRow::key);
    match key.and_then(|key| list.neighbour(&key, step)) {
        None => Neighbour::End,
        Some(row) => Destination::loaded_token(Arc::clone(&row.0), Some(origin))
            .map_or(Neighbour::Cut(CUT_TOKEN), Neighbour::Page),
    }
}

pub(crate) fn draw_tokens(
    canvas: &mut Canvas<'_>,
    cx: &Drawing<'_>,
    list: &ListWindow<TokenRow>,
    kind: List,
    listing: &ListFrame<'_>,
) {
    let (mut columns, forms) = (table::columns::<Tokens>(cx, cx.regions, kind, listing.pane), cx.context.forms());
    columns.hug(&list.on_screen().map(|row| &*row.0).collect::<Vec<_>>(), &forms);
    table::draw(canvas, cx, cx.regions, list, listing, &columns.fitted, |row| columns.cells(&&*row.0, &forms));
}

pub(crate) fn draw_collection_rows(
    canvas: &mut Canvas<'_>,
    cx: &Drawing<'_>,
    list: &ListWindow<CollectionRow>,
    kind: List,
    listing: &ListFrame<'_>,
) {
    let (mut columns, forms) = (table::columns::<Collections>(cx, cx.regions, kind, listing.pane), cx.context.forms());
    let most = list.rows().iter().map(|row| row.0.collection.nfts.length).max();
    let is_age_known = cx.context.chain.extent.begins_with_chain();
    let shown = list.on_screen().map(|row| CollectionFields { collection: &row.0, most, is_age_known });
    columns.hug(&shown.collect::<Vec<_>>(), &forms);
    table::draw(canvas, cx, cx.regions, list, listing, &columns.fitted, |row| {
        columns.cells(&CollectionFields { collection: &row.0, most, is_age_known }, &forms)
    });
}
