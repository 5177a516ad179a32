//! The NFTs tab and its pages.

use ratatui::layout::Rect;

use super::{
    pane::Canvas,
    table::{self, AGE, Column, Listing},
    tx,
};
use crate::{
    app::{
        App,
        layout::Regions,
        nfts::{CollectionPage, NftsView, TokenPage},
    },
    config::Meaning,
    domain::text,
};

const COLLECTIONS: [Column; 3] =
    [Column::new("name", 24).growing(), Column::new("tokens", 10).right(), Column::new(AGE, 11).right().rank(1)];
const TOKENS: [Column; 3] =
    [Column::new("id", 24).growing(), Column::new("owner", 12), Column::new(AGE, 11).right().rank(1)];

fn listing(pane: Rect, title: String, columns: &'static [Column], empty: &'static str) -> Listing<'static> {
    Listing { pane, place: 0, title, is_focused: true, columns, empty, is_sifted: false }
}

/// The collections.
pub(super) fn draw_collections(canvas: &mut Canvas<'_>, app: &App, view: &NftsView, regions: &Regions) {
    let listing = listing(regions.body, view.title(), &COLLECTIONS, "no collections");
    table::draw(canvas, app, regions, &view.list, &listing, |row| {
        let facts = &row.0.collection;
        vec![
            (Meaning::Link, text::clip(&facts.name, 60)),
            (Meaning::Text, text::group(facts.nfts.length)),
            (Meaning::Muted, app.shown_time_form().write(row.0.timestamp, app.now)),
        ]
    });
}

/// One collection.
pub(super) fn draw_collection(canvas: &mut Canvas<'_>, app: &App, page: &CollectionPage, regions: &Regions) {
    let listing = listing(regions.body, page.title(), &TOKENS, "no tokens");
    table::draw(canvas, app, regions, &page.tokens, &listing, |row| {
        vec![
            (Meaning::Link, text::clip(&row.0.nft.token_id, 60)),
            (Meaning::Text, row.0.owner_address().map_or_else(String::new, |owner| owner.short())),
            (Meaning::Muted, app.shown_time_form().write(row.0.timestamp, app.now)),
        ]
    });
}

/// One token.
pub(super) fn draw_token(canvas: &mut Canvas<'_>, app: &App, page: &TokenPage, regions: &Regions) {
    let listing = listing(regions.body, page.title(), &tx::COLUMNS, "no transactions of this token");
    tx::draw_table(canvas, app, regions, &page.txs, &listing);
}
