//! One token: facts, picture, and how it changed hands.

use ratatui::layout::Rect;

use super::draw_absent;
use crate::{
    app::{
        App,
        nfts::{TokenPage, TokenTab},
        rows::TxRow,
    },
    config::Meaning,
    domain::{Address, text},
    story::NftMove,
    ui::{
        table::{self, AGE, Column, Listing},
        tx,
    },
    widgets::{
        canvas::{Canvas, Part},
        layout::{Pane, Regions},
    },
};

const HISTORY: [Column; 6] = [
    Column::new("", 1),
    Column::new(AGE, 11).right(),
    Column::new("message", 16).rank(3),
    Column::new("what happened", 26).growing(),
    Column::new("hash", 9).rank(1),
    Column::new("block", 11).right().rank(2),
];

/// Which of them says what happened.
const WHAT: usize = 3;

/// The token.
pub(in crate::ui) fn draw(canvas: &mut Canvas<'_>, app: &App, page: &TokenPage, regions: &Regions) {
    let places = page.places(regions);
    if !places.facts.is_empty() {
        draw_facts(canvas, app, page, regions, places.facts);
    }
    if !places.picture.is_empty() {
        draw_picture(canvas, app, page, regions, places.picture);
    }
    if !places.history.is_empty() {
        draw_history(canvas, app, page, regions, places.history);
    }
}

fn draw_facts(canvas: &mut Canvas<'_>, app: &App, page: &TokenPage, regions: &Regions, area: Rect) {
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
        return draw_absent(canvas, app, &page.token, inner);
    }
    crate::widgets::document::draw::draw(canvas, inner, lines, is_focused, 0);
}

fn draw_picture(canvas: &mut Canvas<'_>, app: &App, page: &TokenPage, regions: &Regions, area: Rect) {
    canvas.frame(area, regions.tier, false, Vec::new(), Vec::new());
    let inner = regions.inner(area);
    match page.art.picture.value() {
        Some(image) => crate::widgets::picture::draw(canvas, inner, image),
        None => draw_absent(canvas, app, &page.art.picture, inner),
    }
}

fn draw_history(canvas: &mut Canvas<'_>, app: &App, page: &TokenPage, regions: &Regions, area: Rect) {
    let empty = match page.token.value() {
        Some(token) => format!("no transactions are known: held since block {}", text::group(token.height.get())),
        None => "no transactions of this token are known".to_owned(),
    };
    let listing = Listing {
        pane: area,
        place: 1,
        title: "History".to_owned(),
        is_focused: page.focus == Pane::Second,
        columns: &HISTORY,
        empty: &empty,
        is_sifted: false,
    };
    let room = table::fit(&HISTORY, regions.list_rows(area).width).get(WHAT).copied().map_or(0, usize::from);
    table::draw(canvas, app, regions, &page.txs, &listing, |row| cells(app, page, row, room));
}

fn cells(app: &App, page: &TokenPage, row: &TxRow, room: usize) -> Vec<Part> {
    let tx = &row.tx;
    let (mark, what) = match page.moves(&tx.txhash) {
        _ if !tx.is_success() => ((Meaning::Bad, "✗".to_owned()), tx::words(row, room)),
        [] => ((Meaning::Muted, "·".to_owned()), (Meaning::Muted, tx::words(row, room).1)),
        [moves @ .., last] => told(app, last, moves.len()),
    };
    vec![
        mark,
        (Meaning::Muted, app.shown_time_form().write(tx.timestamp, app.now)),
        (Meaning::Kind, row.headline.method().into_owned()),
        what,
        tx::hash(app, tx.txhash),
        (Meaning::Muted, text::group(tx.height.get())),
    ]
}

/// The last move of a transaction, and how many went before it there.
fn told(app: &App, last: &NftMove, before: usize) -> (Part, Part) {
    let name = |address: &Option<Address>| address.map_or_else(|| "?".to_owned(), |one| app.address_form.short(one));
    let (meaning, mark, sentence) = match last {
        NftMove::Minted { to } => (Meaning::Good, "+", format!("minted to {}", name(to))),
        NftMove::Moved { from, to } => (Meaning::Link, "→", format!("{} → {}", name(from), name(to))),
        NftMove::Burned { from: None } => (Meaning::Bad, "×", "burned".to_owned()),
        NftMove::Burned { from } => (Meaning::Bad, "×", format!("burned by {}", name(from))),
    };
    let more = if before == 0 { String::new() } else { format!(", after {before} more") };
    ((meaning, mark.to_owned()), (Meaning::Text, format!("{sentence}{more}")))
}
