use crate::app::page::Drawing;
use crate::panes::hints::spinner;
use crate::panes::hints::{hints, key_of};
use std::num::NonZeroU64;

use crate::{
    app::{
        chain::extent::FillState,
        format::{TimeForm, age},
    },
    columns::{AGE, ColumnHeader, FittedColumns, List, ListColumns, Resource},
    config::{Command, Meaning},
    domain::{Timestamp, text},
    msg::{ListedRow, Note, Remote, Total},
    widgets::{
        Hit,
        canvas::{Canvas, Part, row},
        layout::Regions,
        list::{ListRow, ListWindow, RowSorting},
    },
};
use ratatui::layout::Rect;

/// Columns of an age. Clock times need more.
const AGE_WIDTH: u16 = 7;

/// Where and how to draw a list.
pub(crate) struct ListFrame<'a> {
    pub(crate) pane: Rect,
    /// Index of the pane, 0 or 1, for mouse clicks.
    pub(crate) place: usize,
    pub(crate) title: String,
    pub(crate) is_focused: bool,
    pub(crate) empty: &'a str,
    pub(crate) origin: RowOrigin,
    /// For each visible row, how many rows the client left out below it; a line says so. May be empty.
    pub(crate) hidden: &'a [u64],
}

/// What the rows of a list come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RowOrigin {
    /// Blocks of the index, of which older ones may come.
    History,
    /// Blocks of the index, filtered by the client: the server's total does not apply.
    FilteredHistory,
    /// One block, the state of the chain, another server or the user: nothing that older blocks add to.
    Elsewhere,
}

impl RowOrigin {
    pub(crate) fn filtered_if(is_filtered: bool) -> Self {
        if is_filtered { Self::FilteredHistory } else { Self::History }
    }

    /// Whether rows may come with older blocks.
    fn may_grow(self, cx: &Drawing<'_>) -> bool {
        self != Self::Elsewhere && cx.context.chain.extent.may_be_filling()
    }
}

pub(crate) fn columns<R: Resource>(cx: &Drawing<'_>, regions: &Regions, list: List, pane: Rect) -> ListColumns<R> {
    let mut columns = cx.context.columns.shown(list, regions.list_rows(pane).width);
    columns.adapt("timestamp", |header| for_times(header, cx));
    columns
}

/// Adapts a time column to the current time format.
pub(crate) fn for_times(header: ColumnHeader, cx: &Drawing<'_>) -> ColumnHeader {
    let is_age = header.title == AGE && cx.context.shown_time_form() == TimeForm::Age;
    if is_age { header.wide(AGE_WIDTH) } else { header }
}

/// Draws a list: frame, column names, visible rows, and the loading state.
pub(crate) fn draw<R: ListRow>(
    canvas: &mut Canvas<'_>,
    cx: &Drawing<'_>,
    regions: &Regions,
    list: &ListWindow<R>,
    listing: &ListFrame<'_>,
    columns: &FittedColumns,
    cells: impl Fn(&R) -> Vec<Part>,
) {
    draw_pane(canvas, cx, regions, list, listing, Some(columns));
    let rows = regions.list_rows(listing.pane);
    if regions.has_column_names(listing.pane) {
        draw_names(canvas, cx, row(regions.list_names(listing.pane), 0), columns, list.sorting(), listing.place);
    }
    if list.rows().is_empty() {
        draw_empty(canvas, cx, rows, list, listing.empty);
        return;
    }
    let (first, visible) = list.visible();
    let mut next = 0;
    for (offset, record) in visible.enumerate() {
        let line = row(rows, next);
        next += 1;
        match record {
            ListedRow::Read(record) => draw_row(canvas, line, columns, cells(record)),
            ListedRow::Unreadable(_) => draw_unreadable(canvas, cx, line),
        }
        if first + offset == list.cursor() {
            canvas.mark_row(line, listing.is_focused);
        }
        canvas.hit(line, Hit::Row(listing.place, first + offset));
        if let Some(hidden) = listing.hidden.get(offset).filter(|hidden| **hidden > 0) {
            canvas.text(row(rows, next), Meaning::Muted, &format!("··· {} empty ···", text::group(*hidden)));
            next += 1;
        }
    }
    draw_end(canvas, cx, row(rows, next), list, listing.origin);
}

fn draw_pane<R: ListRow>(
    canvas: &mut Canvas<'_>,
    cx: &Drawing<'_>,
    regions: &Regions,
    list: &ListWindow<R>,
    listing: &ListFrame<'_>,
    columns: Option<&FittedColumns>,
) {
    let title = vec![(if listing.is_focused { Meaning::Heading } else { Meaning::Text }, listing.title.clone())];
    let progress = progress(cx, list, listing, columns);
    canvas.frame(listing.pane, regions.tier, listing.is_focused, title, progress);
}

/// Draws the names of the columns. A click on one sorts by it; the sorted one has an arrow.
fn draw_names(
    canvas: &mut Canvas<'_>,
    cx: &Drawing<'_>,
    line: Rect,
    columns: &FittedColumns,
    sorting: Option<RowSorting>,
    place: usize,
) {
    let times = cx.context.shown_time_form();
    let name = |header: &ColumnHeader, room: u16| {
        let name = header.name(times);
        match sorting.filter(|sorting| sorting.column == header.id) {
            Some(sorting) => {
                let is_age = header.is_time() && times == TimeForm::Age;
                let sorting = if is_age { sorting.reversed() } else { sorting };
                let name = text::clip(name, usize::from(room).saturating_sub(1));
                (Meaning::Heading, format!("{name}{}", sorting.arrow()))
            }
            None => (Meaning::Muted, name.to_owned()),
        }
    };
    let names = columns.headers().iter().zip(columns.widths()).map(|(header, width)| name(header, *width)).collect();
    draw_row(canvas, line, columns, names);
    for (header, cell) in cells_of(line, columns).filter(|(header, _)| !header.id.is_empty()) {
        canvas.hit(cell, Hit::ColumnName(place, header.id));
    }
}

/// Returns the visible columns with their cells in a line.
fn cells_of(line: Rect, columns: &FittedColumns) -> impl Iterator<Item = (&ColumnHeader, Rect)> {
    let mut x = line.x;
    columns.headers().iter().zip(columns.widths()).filter(|(_, width)| **width > 0).map(move |(header, width)| {
        let cell = Rect { x, width: *width, ..line }.intersection(line);
        x = x.saturating_add(width + 1);
        (header, cell)
    })
}

/// Draws a row that the client cannot read.
pub(crate) fn draw_unreadable(canvas: &mut Canvas<'_>, cx: &Drawing<'_>, line: Rect) {
    let key = key_of(cx, Command::Inspector);
    canvas.text(line, Meaning::Warning, &format!("unreadable · {key}"));
}

/// Draws frame and state of a list that draws its own rows, or why it is empty. Returns the area of the rows.
pub(crate) fn draw_frame<R: ListRow>(
    canvas: &mut Canvas<'_>,
    cx: &Drawing<'_>,
    regions: &Regions,
    list: &ListWindow<R>,
    listing: &ListFrame<'_>,
) -> Rect {
    draw_pane(canvas, cx, regions, list, listing, None);
    let room = regions.list_names(listing.pane);
    if list.rows().is_empty() {
        draw_empty(canvas, cx, room, list, listing.empty);
    }
    room
}

/// Draws one row: cells or column names.
pub(crate) fn draw_row(canvas: &mut Canvas<'_>, line: Rect, columns: &FittedColumns, cells: Vec<Part>) {
    let shown = cells.into_iter().zip(columns.widths()).filter(|(_, width)| **width > 0).map(|(cell, _)| cell);
    for ((header, room), (meaning, cell)) in cells_of(line, columns).zip(shown).filter(|_| line.height > 0) {
        let cell = text::clip(&cell, usize::from(room.width));
        let used = if header.is_right { u16::try_from(text::columns(&cell)).unwrap_or(room.width) } else { room.width };
        let blank = room.width.saturating_sub(used);
        let rest = Rect { x: room.x + blank, width: room.width - blank, ..room };
        canvas.write(rest, canvas.style(meaning), &cell);
    }
}

/// Returns the position in the list, as in `7 of ≈ 41,207`, after notes on the filter and failures; in a sorted list as
/// in `7 of 200 loaded, by gas ↓`.
fn progress<R: ListRow>(
    cx: &Drawing<'_>,
    list: &ListWindow<R>,
    listing: &ListFrame<'_>,
    columns: Option<&FittedColumns>,
) -> Vec<Part> {
    let is_filtered = listing.origin == RowOrigin::FilteredHistory;
    let may_grow = listing.origin.may_grow(cx);
    let mut parts = Vec::new();
    let scanned = text::group(list.scanned as u64);
    for note in &list.notes {
        let note = match note {
            Note::FilterIgnoredByServer { .. } => format!("server ignored the filter; rollscope scanned {scanned} · "),
            // The position already shows the number of scanned rows.
            Note::FilteredHere { .. } if is_filtered && !list.rows().is_empty() => continue,
            Note::FilteredHere { .. } => format!("rollscope filters, {scanned} scanned · "),
            Note::IdNotAddressable => "servers cannot look up an id with these characters · ".to_owned(),
            Note::Filling { oldest } => format!("indexed down to {} · ", text::group(oldest.get())),
            Note::LeftOut { rows } => format!("skipped {rows} that the server cannot serve · "),
            Note::RepeatedKey => "server repeats rows; list ends here · ".to_owned(),
            Note::EmptyPage => "server sent an empty page; list ends here · ".to_owned(),
            // An unreadable row is shown in its place, and the last page of real servers is short with a key.
            Note::Unreadable(_) | Note::ShortPage(_) => continue,
        };
        parts.push((Meaning::Warning, note));
    }
    if let Some(error) = list.state.error().filter(|_| list.state.value().is_some()) {
        let since = list.state.at().map(|at| cx.context.now.since(at)).unwrap_or_default();
        parts.push((Meaning::Warning, format!("stale {} ({}) · ", age(since), error.step())));
    }
    if let Some(at) = list.borrowed_at {
        let why = list.state.error().map(|error| format!(" ({})", error.step())).unwrap_or_default();
        parts.push((Meaning::Warning, format!("stale {}{why} · ", age(cx.context.now.since(at)))));
    }
    if list.fetching.is_some() {
        parts.push((Meaning::Muted, "loading… ".to_owned()));
    }
    let held = list.rows().len();
    if held == 0 {
        if let Some((_, last)) = parts.last_mut() {
            *last = last.trim_end_matches(" · ").to_owned();
        }
    } else if let Some(sorting) = list.sorting() {
        let loaded = if list.is_whole() { "" } else { " loaded" };
        let place = text::group(list.cursor() as u64 + 1);
        parts.push((Meaning::Muted, format!("{place} of {}{loaded}, ", text::group(held as u64))));
        let header = columns.and_then(|columns| columns.headers().iter().find(|header| header.id == sorting.column));
        let name = header.map(|header| header.title).filter(|name| !name.is_empty()).unwrap_or(sorting.column);
        let words = sorting.words(name, header.is_some_and(ColumnHeader::is_time));
        parts.push((Meaning::Heading, format!("by {words}")));
    } else {
        let number = list.selected().and_then(ListRow::place);
        let place = text::group(number.map_or(list.cursor() as u64 + 1, NonZeroU64::get));
        let mark = if list.has_rows_above() && number.is_none() { "…" } else { "" };
        // During a backfill, a count is not the total, and the list's end is not the chain's start.
        let is_whole = list.has_ended() && !list.has_rows_above() && !may_grow;
        let of = match list.total {
            _ if is_filtered => format!("{} among {scanned} scanned", text::group(held as u64)),
            _ if is_whole => text::group(held as u64),
            Total::Exact(_) | Total::About(_) if may_grow => {
                format!("{}+", text::group(held as u64))
            }
            Total::Exact(total) => text::group(total),
            Total::About(total) => format!("≈ {}", text::group(total)),
            Total::Unknown => format!("{}+", text::group(held as u64)),
        };
        parts.push((Meaning::Muted, format!("{mark}{place} of {of}")));
    }
    parts
}

fn draw_empty<R: ListRow>(canvas: &mut Canvas<'_>, cx: &Drawing<'_>, rows: Rect, list: &ListWindow<R>, empty: &str) {
    let second = row(rows, u16::from(rows.height > 3));
    if let Some(error) = list.state.error() {
        canvas.text(second, Meaning::Bad, &format!(" ✗ {}", error.brief()));
        canvas.text(row(rows, 2), Meaning::Text, &format!("   {}", error.advice()));
        let keys = [(Command::Refresh, "retry"), (Command::Inspector, "show the answer")];
        let hint = format!("   retrying automatically · {}", hints(cx, &keys));
        canvas.text(row(rows, 3), Meaning::Muted, &hint);
    } else if let Remote::Loading { since } = list.state {
        canvas.text(second, Meaning::Muted, &loading(cx, since));
    } else if list.state.value().is_none() {
        canvas.text(second, Meaning::Muted, " waiting…");
    } else if list.has_ended() {
        canvas.text(second, Meaning::Muted, &format!(" {empty}"));
    } else if list.has_paused() {
        canvas.text(second, Meaning::Warning, &format!(" {}", paused(list)));
    } else {
        let scanned = text::group(list.scanned as u64);
        canvas.text(second, Meaning::Muted, &format!(" {} no match yet in {scanned} rows…", spinner(cx.context)));
    }
}

/// Returns the loading text, with the elapsed time if loading is slow.
pub(crate) fn loading(cx: &Drawing<'_>, since: Timestamp) -> String {
    let waited = cx.context.now.since(since);
    let patience = if waited.as_secs() >= 2 { format!(" {}", age(waited)) } else { String::new() };
    let again = match cx.next_try {
        Some((number, wait)) => format!(" · try {number} in {:.1} s", wait.as_secs_f64()),
        None => String::new(),
    };
    format!(" {} loading…{patience}{again}", spinner(cx.context))
}

/// Draws, below the last row, why the list ends.
fn draw_end<R: ListRow>(
    canvas: &mut Canvas<'_>,
    cx: &Drawing<'_>,
    line: Rect,
    list: &ListWindow<R>,
    origin: RowOrigin,
) {
    let (first, visible) = list.visible();
    if first + visible.count() < list.rows().len() {
        return;
    }
    if let Some(error) = &list.page_error {
        canvas.text(line, Meaning::Bad, &format!("✗ {}; {}", error.brief(), hints(cx, &[(Command::Refresh, "retry")])));
    } else if list.has_paused() {
        canvas.text(line, Meaning::Warning, &paused(list));
    } else if list.has_ended() && origin.may_grow(cx) {
        let is_moving = matches!(cx.context.chain.extent.filling(), FillState::Moving { .. });
        let why = if is_moving { ": the index is still loading older blocks" } else { "" };
        canvas.text(line, Meaning::Warning, &format!("— end for now{why} —"));
    } else if list.has_ended() {
        canvas.text(line, Meaning::Muted, "— the end —");
    } else if list.sorting().is_some() {
        canvas.text(line, Meaning::Muted, "— the loaded rows end here; more load in the server's order —");
    }
}

/// Returns the text for a paused scan. A scan pauses so that one key press never loads a whole chain.
fn paused<R: ListRow>(list: &ListWindow<R>) -> String {
    format!("no more matches in {} rows; ↓ continues", text::group(list.scanned as u64))
}
