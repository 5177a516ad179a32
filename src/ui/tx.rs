//! Lists of transactions and the page of one.

use ratatui::layout::Rect;
use unicode_width::UnicodeWidthStr as _;

use super::{
    chrome::hints,
    table::{self, AGE, Column, Listing},
};
use crate::{
    app::{
        App,
        rows::TxRow,
        tx_detail::TxDetail,
        tx_document::TxTab,
        view::{TxName, TxPage, TxsView},
    },
    config::{Command, Meaning},
    domain::{TxHash, text},
    msg::TxScope,
    story::{Direction, Tone},
    widgets::{
        Hit,
        canvas::{Canvas, Part, row},
        layout::{Pane, Regions, Tier},
    },
};

/// Columns of a message's type or a call's name.
const METHOD: u16 = 16;
/// Columns of what a transaction did, at the least.
const WORDS: u16 = 32;
/// The same of what it did to one account, which is shorter.
const EFFECT: u16 = 24;

/// Which columns a list of transactions has in its pane.
pub(super) struct Shape {
    /// The columns.
    pub(super) columns: Vec<Column>,
    /// Room for what a transaction did, where there is some.
    words: Option<usize>,
    has_method: bool,
    is_history: bool,
}

impl Shape {
    /// The columns of a list that fit its pane; the history of an account says what was done to the account.
    ///
    /// Where words and method do not fit beside each other the words stay, which say more.
    pub(super) fn of(regions: &Regions, pane: Rect, is_history: bool) -> Self {
        let width = regions.list_rows(pane).width;
        let (has_words, words) = (regions.has_words(pane), if is_history { EFFECT } else { WORDS });
        let title = if is_history { "net effect" } else { "what happened" };
        let mut columns = vec![Column::new("", 1)];
        columns.extend(is_history.then(|| Column::new("way", 7)));
        columns.extend([Column::new("height", 10).right().rank(2), Column::new("hash", 9)]);
        let age = Column::new(AGE, 11).right();
        if !has_words {
            columns.extend([Column::new("message", METHOD).growing(), age.rank(1)]);
            return Self { columns, words: None, has_method: true, is_history };
        }
        let least = columns.iter().chain([&age]).map(Column::room).sum::<u16>() + METHOD + 1 + words + words / 3;
        let has_method = width >= least;
        columns.extend(has_method.then(|| Column::new("message", METHOD)));
        let place = columns.len();
        columns.extend([Column::new(title, words).growing(), age]);
        let words = table::fit(&columns, width).get(place).copied().map(usize::from);
        Self { columns, words, has_method, is_history }
    }

    /// The cells of a row.
    pub(super) fn cells(&self, app: &App, row: &TxRow) -> Vec<Part> {
        let tx = &row.tx;
        let result = if tx.is_success() { (Meaning::Good, "✓".to_owned()) } else { (Meaning::Bad, "✗".to_owned()) };
        let mut cells = vec![result];
        cells.extend(self.is_history.then(|| way(row)));
        cells.extend([(Meaning::Text, text::group(tx.height.get())), hash(app, tx.txhash)]);
        match self.words {
            None => cells.push((Meaning::Kind, message(row))),
            Some(room) => {
                cells.extend(self.has_method.then(|| (Meaning::Kind, row.headline.method().into_owned())));
                cells.push(words(row, room));
            }
        }
        cells.push((Meaning::Muted, app.shown_time_form().write(tx.timestamp, app.now)));
        cells
    }
}

/// A hash in a list; the marked one has the mark in its middle, where others are cut, so that no column moves.
pub(super) fn hash(app: &App, hash: TxHash) -> Part {
    match app.marked_hash() {
        Some(marked) if marked == hash => (Meaning::Match, hash.short().replace('…', "◆")),
        _ => (Meaning::Link, hash.short()),
    }
}

/// What a row says within so many columns; nothing until it was put into words.
pub(super) fn words(row: &TxRow, room: usize) -> Part {
    let Some(words) = row.words() else { return (Meaning::Muted, String::new()) };
    let meaning = match words.tone {
        Tone::Plain => Meaning::Text,
        Tone::Gain => Meaning::Good,
        Tone::Quiet => Meaning::Muted,
        Tone::Failed => Meaning::Bad,
        Tone::Doubt => Meaning::Warning,
    };
    (meaning, words.within(room).to_owned())
}

/// What the transaction did for the account; the word says what the sign means.
fn way(row: &TxRow) -> Part {
    let (meaning, words) = match row.direction() {
        Some(Direction::In) => (Meaning::Good, "← in"),
        Some(Direction::Out) => (Meaning::Number, "→ out"),
        Some(Direction::Both) => (Meaning::Number, "⇄ both"),
        Some(Direction::Own) => (Meaning::Muted, "↺ self"),
        Some(Direction::Signed) => (Meaning::Muted, "• call"),
        Some(Direction::Mentioned) | None => (Meaning::Muted, ""),
    };
    (meaning, words.to_owned())
}

/// The list, beside the selected transaction where there is room.
pub(super) fn draw_list(canvas: &mut Canvas<'_>, app: &App, view: &TxsView, regions: &Regions) {
    let (pane, preview) = regions.split();
    let empty = match view.query.scope {
        TxScope::Account { .. } => "no transactions of this account (s: signer only, f: message types)",
        _ if !view.is_unfiltered() => "nothing matches the filter; f changes it, Esc takes it back",
        _ => "no transactions yet",
    };
    let is_focused = view.focus == Pane::First;
    let shape = Shape::of(regions, pane, false);
    let listing = Listing {
        pane,
        place: 0,
        title: view.title(),
        is_focused,
        columns: &shape.columns,
        empty,
        is_sifted: view.failed_only,
    };
    table::draw(canvas, app, regions, &view.list, &listing, |row| shape.cells(app, row));
    if let (Some(pane), Some((hash, detail))) = (preview, &view.preview) {
        let title = vec![(Meaning::Heading, hash.short())];
        draw_detail(canvas, regions, pane, title, detail, view.focus == Pane::Second, 1);
    }
}

/// The message's type, with the function where it is a known call.
fn message(row: &TxRow) -> String {
    match &row.headline.call {
        Some(call) => format!("{} {call}", row.headline.kind()),
        None => row.headline.kind(),
    }
}

/// One transaction over the whole screen.
pub(super) fn draw_page(canvas: &mut Canvas<'_>, app: &App, page: &TxPage, regions: &Regions) {
    let mut title = vec![(Meaning::Heading, format!("Tx {}", page.name))];
    if let Some(is_success) = page.is_success() {
        let (meaning, mark) = if is_success { (Meaning::Good, "✓ ") } else { (Meaning::Bad, "✗ ") };
        title.insert(0, (meaning, mark.to_owned()));
        if app.marked_hash().is_some_and(|marked| page.name == TxName::Cosmos(marked)) {
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
        canvas.text(row(area, 3), Meaning::Muted, &format!("   {}", hints(app, &keys)));
    } else {
        let since = page.loading_since().unwrap_or(app.now);
        canvas.text(row(area, 1), Meaning::Muted, &table::loading(app, since));
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
