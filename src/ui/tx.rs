//! Lists of transactions and the page of one.

use crate::app::page::Drawing;
use crate::panes::hints::hints;
use std::borrow::Cow;

use ratatui::layout::Rect;
use unicode_width::UnicodeWidthStr as _;

use crate::{
    app::{
        App,
        page::{TxName, TxTab},
        tx_detail::TxDetail,
        view::{TxPage, TxsView},
    },
    columns::{List, TxFields, Txs},
    config::{Command, Meaning},
    domain::text,
    msg::TxScope,
    panes::{
        rows::TxRow,
        table::{self, Listing},
    },
    widgets::{
        Hit,
        canvas::{Canvas, Part, row},
        layout::{Pane, Regions, Tier},
        list::ListWindow,
    },
};

/// A list of transactions, wherever it is.
pub(super) fn draw_rows(
    canvas: &mut Canvas<'_>,
    cx: &Drawing<'_>,
    regions: &Regions,
    list: &ListWindow<TxRow>,
    kind: List,
    listing: &Listing<'_>,
) {
    let (columns, forms) = (table::columns::<Txs>(cx, regions, kind, listing.pane), cx.forms());
    table::draw(canvas, cx, regions, list, listing, &columns.fitted, |row| columns.cells(&fields(cx, row), &forms));
}

/// What the columns of a row are made from.
pub(super) fn fields<'a>(cx: &Drawing<'_>, row: &'a TxRow) -> TxFields<'a> {
    let mut fields = TxFields::new(&row.tx).with_headline(&row.headline);
    fields.words = row.words().map(Cow::Borrowed);
    fields.direction = row.direction();
    fields.is_marked = cx.marked_hash() == Some(row.tx.txhash);
    fields
}

/// The list, beside the selected transaction where there is room.
pub(super) fn draw_list(canvas: &mut Canvas<'_>, cx: &Drawing<'_>, view: &TxsView, regions: &Regions) {
    let (pane, preview) = regions.split();
    let empty = match view.query.scope {
        TxScope::Account { .. } => "no transactions of this account (s: signer only, f: message types)",
        _ if !view.is_unfiltered() => "nothing matches the filter; f changes it, Esc takes it back",
        _ => "no transactions yet",
    };
    let is_focused = view.focus == Pane::First;
    let listing = Listing { pane, place: 0, title: view.title(), is_focused, empty, is_sifted: view.failed_only };
    draw_rows(canvas, cx, regions, &view.list, List::Txs, &listing);
    if let (Some(pane), Some((hash, detail))) = (preview, &view.preview) {
        let title = vec![(Meaning::Heading, hash.short())];
        draw_detail(canvas, regions, pane, title, detail, view.focus == Pane::Second, 1);
    }
}

/// One transaction over the whole screen.
pub(super) fn draw_page(canvas: &mut Canvas<'_>, cx: &Drawing<'_>, page: &TxPage, regions: &Regions) {
    let mut title = vec![(Meaning::Heading, format!("Tx {}", page.name))];
    if let Some(is_success) = page.is_success() {
        let (meaning, mark) = if is_success { (Meaning::Good, "✓ ") } else { (Meaning::Bad, "✗ ") };
        title.insert(0, (meaning, mark.to_owned()));
        if cx.marked_hash().is_some_and(|marked| page.name == TxName::Cosmos(marked)) {
            title.insert(0, (Meaning::Match, "◆ ".to_owned()));
        }
        draw_detail(canvas, regions, regions.body, title, &page.detail, true, 0);
        return;
    }
    canvas.frame(regions.body, regions.tier, true, title, Vec::new());
    let area = regions.inner(regions.body);
    if let Some(error) = page.error() {
        canvas.text(row(area, 1), Meaning::Bad, &format!(" ✗ {}", error.brief()));
        canvas.text(row(area, 2), Meaning::Text, &format!("   {}", error.advice()));
        let keys =
            [(Command::Refresh, "asks again"), (Command::Back, "back"), (Command::Inspector, "shows the answer")];
        canvas.text(row(area, 3), Meaning::Muted, &format!("   {}", hints(cx, &keys)));
    } else {
        let since = page.loading_since().unwrap_or(cx.now);
        canvas.text(row(area, 1), Meaning::Muted, &table::loading(cx, since));
    }
}

fn draw_detail(
    canvas: &mut Canvas<'_>,
    regions: &Regions,
    pane: Rect,
    title: Vec<Part>,
    detail: &TxDetail,
    is_focused: bool,
    place: usize,
) {
    let filtered = detail.document.as_ref().filter(|document| !document.filter().is_empty());
    let right = match filtered {
        Some(document) => {
            let counts = document.unit_counts().map(|counts| (counts, "events"));
            let ((shown, all), noun) = counts.unwrap_or((document.counts(), "lines"));
            vec![(Meaning::Match, format!("“{}” {shown} of {all} {noun}", text::clip(document.filter(), 24)))]
        }
        None => word(detail),
    };
    canvas.frame(pane, regions.tier, is_focused, title, right);
    let inner = regions.inner(pane);
    draw_tabs(canvas, row(inner, 0), detail);
    if filtered.is_some() && regions.tier <= Tier::Compact {
        canvas.parts_right(row(inner, 0), vec![(Meaning::Match, "filtered ".to_owned())]);
    }
    if let Some(lines) = &detail.document {
        crate::widgets::document::draw::draw(canvas, regions.document_rows(pane), lines, is_focused, place);
    }
}

/// The chosen word and what is behind it, or whose events are looked at.
fn word(detail: &TxDetail) -> Vec<Part> {
    let Some(document) = &detail.document else { return Vec::new() };
    let events = |count: usize| if count == 1 { "1 event".to_owned() } else { format!("{count} events") };
    if let Some(word) = detail.traced_word() {
        let count = events(document.marked().len());
        return vec![(Meaning::Match, format!("→ {count} behind “{}”", text::clip(word, 24)))];
    }
    let (Some(spot), Some(word)) = (document.chosen(), document.meant_text()) else { return Vec::new() };
    let behind = if spot.events.is_empty() { "opens".to_owned() } else { events(spot.events.len()) };
    vec![(Meaning::Match, format!("“{}” ↵ {behind}", text::clip(&word, 24)))]
}

fn draw_tabs(canvas: &mut Canvas<'_>, area: Rect, detail: &TxDetail) {
    let mut x = area.x;
    for (place, &tab) in TxTab::all(detail.has_evm).iter().enumerate() {
        let (meaning, label) = if tab == detail.tab {
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
