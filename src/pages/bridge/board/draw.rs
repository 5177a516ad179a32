use ratatui::layout::Rect;

use super::{Board, WIDE_FROM, rows::TransferRow};
use crate::{
    app::{format::TimeForm, page::Drawing},
    columns::{ColumnHeader, FittedColumns},
    config::{Command, Meaning},
    domain::text,
    panes::{
        hints::hints,
        table::{self, ListFrame},
    },
    widgets::canvas::{Canvas, Part, row},
};

const COLUMNS: [ColumnHeader; 6] = columns(27);
/// The same where there is room for whole names of chains.
const WIDE_COLUMNS: [ColumnHeader; 6] = columns(43);

/// Where the names of transfers stand among them.
const NAMES_AT: usize = 4;

const fn columns(way: u16) -> [ColumnHeader; 6] {
    [
        ColumnHeader::new("state", 12),
        ColumnHeader::new("direction", way),
        ColumnHeader::new("age", 12).right(),
        ColumnHeader::new("amount", 18).right().rank(3),
        ColumnHeader::new("name", 14).rank(2),
        ColumnHeader::new("where the funds are", 20).growing(1).rank(1),
    ]
}

/// The second side of the Bridge tab.
pub(crate) fn draw(canvas: &mut Canvas<'_>, cx: &Drawing<'_>, board: &Board) {
    let regions = cx.regions;
    let empty = empty(cx, board);
    let listing = ListFrame {
        pane: regions.body,
        place: 0,
        title: title(cx, board),
        is_focused: true,
        empty: &empty,
        is_sifted: false,
    };
    let columns = FittedColumns::new(headers(cx, board), regions.list_rows(listing.pane).width);
    let has_names = board.has_names();
    table::draw(canvas, cx, regions, &board.list, &listing, &columns, |row| cells(cx, row, has_names));
}

/// The first ones below the quotes, as many as have room: they are looked at only. This command leads to them.
pub(crate) fn draw_first(canvas: &mut Canvas<'_>, cx: &Drawing<'_>, board: &Board, area: Rect, leads: Command) {
    if area.height == 0 {
        return;
    }
    let regions = cx.regions;
    let title = vec![(Meaning::Text, title(cx, board))];
    let hint = vec![(Meaning::Muted, hints(cx, &[(leads, "goes there")]))];
    canvas.frame(area, regions.tier, false, title, hint);
    let rows = regions.list_rows(area);
    let columns = FittedColumns::new(headers(cx, board), rows.width);
    let names = columns.headers().iter().map(|header| (Meaning::Muted, header.title.to_owned())).collect();
    table::draw_row(canvas, row(regions.list_names(area), 0), &columns, names);
    for (place, transfer) in (0..rows.height).zip(board.list.rows().iter()) {
        table::draw_row(canvas, row(rows, place), &columns, cells(cx, transfer, board.has_names()));
    }
}

/// The columns, with room for whole names of chains where there is much, and none for names that no transfer has.
fn headers(cx: &Drawing<'_>, board: &Board) -> Vec<ColumnHeader> {
    let columns = if cx.size.0 >= WIDE_FROM { WIDE_COLUMNS } else { COLUMNS };
    let mut columns = columns.to_vec();
    if !board.has_names() {
        columns.remove(NAMES_AT);
    }
    columns
}

/// `Transfers · 2 live · 14 · by arrival`.
fn title(cx: &Drawing<'_>, board: &Board) -> String {
    let live = match cx.transfers.live() {
        0 => String::new(),
        live => format!(" · {live} live"),
    };
    let filter = match board.filter() {
        "" => String::new(),
        text => format!(" · “{}”", text::clip(text, 20)),
    };
    format!("Transfers{live} · {} · by {}{filter}", cx.transfers.all().len(), board.order)
}

fn empty(cx: &Drawing<'_>, board: &Board) -> String {
    if !board.filter().is_empty() {
        return "no transfer has this text".to_owned();
    }
    let keys = [(Command::Track, "tracks one by its hash"), (Command::NextPane, "shows the quotes, where one begins")];
    format!("no transfers yet: {}", hints(cx, &keys))
}

fn cells(cx: &Drawing<'_>, row: &TransferRow, has_names: bool) -> Vec<Part> {
    let (meaning, mark, word) = row.sign;
    let mut cells = vec![
        (meaning, format!("{mark} {word}")),
        (Meaning::Text, row.way.clone()),
        when(cx, row),
        (Meaning::Number, row.amount.clone()),
        (Meaning::Kind, row.label.clone()),
        (Meaning::Text, row.headline.clone()),
    ];
    if !has_names {
        cells.remove(NAMES_AT);
    }
    cells
}

/// How long until it should be there, or by how much that is over; else when it was begun.
fn when(cx: &Drawing<'_>, row: &TransferRow) -> Part {
    let is_clock = cx.shown_time_form() == TimeForm::Clock;
    match row.expected {
        Some(at) if is_clock => (Meaning::Number, at.day_and_clock()[5..16].to_owned()),
        Some(at) if at > cx.now => (Meaning::Number, format!("in {}", text::stopwatch(at.since(cx.now)))),
        Some(at) => (Meaning::Warning, format!("late {}", text::age(cx.now.since(at)))),
        None if is_clock => (Meaning::Muted, TimeForm::Clock.write(row.begun, cx.now)),
        None => (Meaning::Muted, format!("{} ago", text::age(cx.now.since(row.begun)))),
    }
}
