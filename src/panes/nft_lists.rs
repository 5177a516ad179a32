//! Lists of NFTs and of collections: their rows, and what can be done with these.

use std::sync::Arc;

use crate::{
    app::page::{Cx, Destination, Drawing},
    columns::{CollectionFields, Collections, List, Tokens},
    domain::Target,
    msg::PageId,
    panes::{
        rows::{CollectionRow, TokenRow},
        table::{self, ListFrame},
    },
    widgets::{
        canvas::Canvas,
        list::{ListRow, ListWindow},
    },
};

const CUT: &str = "this token's collection is cut: the server cannot find it by that";

/// Opens the token under the cursor, as one of this page's list.
pub(crate) fn open_selected_token(list: &ListWindow<TokenRow>, cx: &mut Cx<'_>) {
    let Some(row) = list.selected() else { return };
    match Destination::loaded_token(Arc::clone(&row.0), Some(cx.id)) {
        Some(destination) => cx.open(destination),
        None => cx.refuse(CUT),
    }
}

/// What lies `step` rows from a token, for its page to show instead; `origin` is the page with the list.
pub(crate) fn neighbour_token(
    list: &ListWindow<TokenRow>,
    of: &Target,
    step: isize,
    origin: PageId,
) -> Option<Result<Destination, &'static str>> {
    let row = list.neighbour(&key_of_token(list, of)?, step)?;
    Some(Destination::loaded_token(Arc::clone(&row.0), Some(origin)).ok_or(CUT))
}

pub(crate) fn select_token(list: &mut ListWindow<TokenRow>, target: &Target) {
    if let Some(key) = key_of_token(list, target) {
        list.select(&key);
    }
}

fn key_of_token(list: &ListWindow<TokenRow>, of: &Target) -> Option<<TokenRow as ListRow>::Key> {
    let Target::Token { collection, token_id } = of else { return None };
    let is_it = |row: &&TokenRow| *row.0.nft.token_id == **token_id && row.0.collection() == Some(*collection);
    list.rows().iter().find(is_it).map(ListRow::key)
}

/// Draws a list of NFTs, wherever it is.
pub(crate) fn draw_tokens(
    canvas: &mut Canvas<'_>,
    cx: &Drawing<'_>,
    list: &ListWindow<TokenRow>,
    kind: List,
    listing: &ListFrame<'_>,
) {
    let (columns, forms) = (table::columns::<Tokens>(cx, cx.regions, kind, listing.pane), cx.forms());
    table::draw(canvas, cx, cx.regions, list, listing, &columns.fitted, |row| columns.cells(&&*row.0, &forms));
}

/// Draws a list of collections, wherever it is.
pub(crate) fn draw_collection_rows(
    canvas: &mut Canvas<'_>,
    cx: &Drawing<'_>,
    list: &ListWindow<CollectionRow>,
    kind: List,
    listing: &ListFrame<'_>,
) {
    let (columns, forms) = (table::columns::<Collections>(cx, cx.regions, kind, listing.pane), cx.forms());
    let most = list.rows().iter().map(|row| row.0.collection.nfts.length).max();
    table::draw(canvas, cx, cx.regions, list, listing, &columns.fitted, |row| {
        columns.cells(&CollectionFields { collection: &row.0, most }, &forms)
    });
}
