//! The page of an account.

use ratatui::layout::Rect;
use strum::IntoEnumIterator as _;
use unicode_width::UnicodeWidthStr as _;

use super::{
    table::{self, AGE, Column, Listing},
    tx,
};
use crate::{
    app::{
        App,
        account::{AccountPage, AccountTab},
    },
    config::Meaning,
    domain::text,
    widgets::{
        Hit,
        canvas::{Canvas, row},
        layout::{Regions, Tier},
    },
};

const TOKENS: [Column; 4] = [
    Column::new("collection", 18).growing(),
    Column::new("id", 24),
    Column::new("uri", 34).rank(2),
    Column::new(AGE, 11).right().rank(1),
];
const COLLECTIONS: [Column; 4] = [
    Column::new("name", 20).growing(),
    Column::new("tokens in all", 14).right(),
    Column::new("creator", 12).rank(2),
    Column::new(AGE, 11).right().rank(1),
];

/// Both forms of the address, the tabs, and what the tab shows.
pub(super) fn draw(canvas: &mut Canvas<'_>, app: &App, page: &AccountPage, regions: &Regions) {
    let (facts, below) = regions.account_page();
    canvas.frame(facts, regions.tier, false, vec![(Meaning::Heading, page.title())], Vec::new());
    draw_facts(canvas, page, regions.inner(facts), regions.tier);
    match page.tab {
        AccountTab::Txs => draw_txs(canvas, app, page, regions, below),
        AccountTab::Tokens => draw_tokens(canvas, app, page, regions, below),
        AccountTab::Collections => draw_collections(canvas, app, page, regions, below),
        AccountTab::Holdings => {
            let title = vec![(Meaning::Heading, "Place in the rich lists".to_owned())];
            canvas.frame(below, regions.tier, true, title, Vec::new());
            crate::widgets::document::draw::draw(canvas, regions.inner(below), &page.holdings_document, true, 0);
        }
    }
}

fn draw_facts(canvas: &mut Canvas<'_>, page: &AccountPage, area: Rect, tier: Tier) {
    let label = |name: &str| (Meaning::Key, format!(" {name:<8} "));
    let forms = [("cosmos", page.address.bech32()), ("hex", page.address.checksummed())];
    let tabs_row = if tier <= Tier::Compact {
        canvas.parts(row(area, 0), vec![(Meaning::Link, format!(" {}", page.address.bech32()))]);
        1
    } else {
        for (place, (name, form)) in (0..).zip(&forms) {
            canvas.parts(row(area, place), vec![label(name), (Meaning::Link, form.clone())]);
        }
        2
    };
    draw_tabs(canvas, row(area, tabs_row), page.tab);
}

fn draw_tabs(canvas: &mut Canvas<'_>, area: Rect, current: AccountTab) {
    let mut x = area.x;
    for (place, tab) in AccountTab::iter().enumerate() {
        let (meaning, label) = if tab == current {
            (Meaning::ActiveTab, format!("[{tab}]"))
        } else {
            (Meaning::Muted, format!(" {tab} "))
        };
        let width = u16::try_from(label.width()).unwrap_or(u16::MAX);
        if x + width > area.right() || area.height == 0 {
            return;
        }
        let cell = Rect::new(x, area.y, width, 1);
        canvas.text(cell, meaning, &label);
        canvas.hit(cell, Hit::PageTab(place));
        x += width;
    }
}

fn draw_txs(canvas: &mut Canvas<'_>, app: &App, page: &AccountPage, regions: &Regions, area: Rect) {
    let view = &page.txs;
    let shape = tx::Shape::of(regions, area, true);
    let listing = Listing {
        pane: area,
        place: 0,
        title: view.title(),
        is_focused: true,
        columns: &shape.columns,
        empty: if page.is_narrowed() {
            "none of this account's transactions fits the filter; Esc takes it back"
        } else {
            "no transactions of this account"
        },
        is_sifted: view.failed_only,
    };
    table::draw(canvas, app, regions, &view.list, &listing, |row| shape.cells(app, row));
}

fn draw_tokens(canvas: &mut Canvas<'_>, app: &App, page: &AccountPage, regions: &Regions, area: Rect) {
    let title = match &page.of_collection {
        Some((_, name)) => format!("NFTs · {} · Esc shows the collections", text::clip(name, 32)),
        None => "NFTs · all".to_owned(),
    };
    let listing =
        Listing { pane: area, place: 0, title, is_focused: true, columns: &TOKENS, empty: "no NFTs", is_sifted: false };
    table::draw(canvas, app, regions, &page.tokens, &listing, |row| {
        let token = &row.0;
        vec![
            (Meaning::Text, text::clip(&token.collection_name, 60)),
            (Meaning::Link, text::clip(&token.nft.token_id, 60)),
            (Meaning::Muted, text::clip(&token.nft.uri, 60)),
            (Meaning::Muted, app.shown_time_form().write(token.timestamp, app.now)),
        ]
    });
}

fn draw_collections(canvas: &mut Canvas<'_>, app: &App, page: &AccountPage, regions: &Regions, area: Rect) {
    let listing = Listing {
        pane: area,
        place: 0,
        title: "Collections of which it owns some · Enter shows these".to_owned(),
        is_focused: true,
        columns: &COLLECTIONS,
        empty: "no collections: it owns no NFTs",
        is_sifted: false,
    };
    table::draw(canvas, app, regions, &page.collections, &listing, |row| {
        let facts = &row.0.collection;
        vec![
            (Meaning::Link, text::clip(&facts.name, 60)),
            (Meaning::Text, text::group(facts.nfts.length)),
            (Meaning::Muted, facts.creator_address().map_or_else(String::new, |creator| creator.short())),
            (Meaning::Muted, app.shown_time_form().write(row.0.timestamp, app.now)),
        ]
    });
}
