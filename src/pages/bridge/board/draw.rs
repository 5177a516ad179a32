use ratatui::layout::Rect;

use super::{Board, WIDE_FROM, rows::TransferRow};
use crate::{
    app::{format::TimeForm, page::Drawing},
    columns::{ColumnHeader, FittedColumns},
    config::{Command, Meaning},
    domain::text,
    panes::{
        hints::hints,
        table::{self, ListFrame, RowOrigin},
    },
    widgets::canvas::{Canvas, Part, row},
};

/// Columns of a direction: minimum, maximum, and maximum on a wide screen.
const WAY: (usize, usize, usize) = (12, 27, 43);

/// Columns of a time with its zone: `01-31 14:03 +05:45`.
const ZONED: u16 = 18;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BoardColumn {
    State,
    Direction,
    Age,
    Amount,
    Name,
    Headline,
}

impl BoardColumn {
    /// Returns the columns that have a value in at least one row.
    fn shown(board: &Board) -> Vec<Self> {
        let mut columns = vec![Self::State, Self::Direction, Self::Age];
        columns.extend(board.has_amounts().then_some(Self::Amount));
        columns.extend(board.has_names().then_some(Self::Name));
        columns.push(Self::Headline);
        columns
    }

    /// Returns the column's header. With `is_zoned`, times include the UTC offset.
    fn header(self, way: u16, is_zoned: bool) -> ColumnHeader {
        match self {
            Self::State => ColumnHeader::new("state", 12),
            Self::Direction => ColumnHeader::new("direction", way),
            Self::Age if is_zoned => ColumnHeader::new("time", ZONED).right(),
            Self::Age => ColumnHeader::new("age", 12).right(),
            Self::Amount => ColumnHeader::new("amount", 18).right().rank(3),
            Self::Name => ColumnHeader::new("name", 14).rank(2),
            Self::Headline => ColumnHeader::new("funds' location", 20).growing(1).rank(1),
        }
    }

    fn cell(self, cx: &Drawing<'_>, row: &TransferRow) -> Part {
        match self {
            Self::State => (row.sign.0, format!("{} {}", row.sign.1, row.sign.2)),
            Self::Direction => (Meaning::Text, row.way.clone()),
            Self::Age => when(cx, row),
            Self::Amount => (Meaning::Number, row.amount.clone()),
            Self::Name => (if row.is_named { Meaning::Kind } else { Meaning::Muted }, row.name.clone()),
            Self::Headline => (Meaning::Text, row.headline.clone()),
        }
    }
}

pub(crate) fn draw(canvas: &mut Canvas<'_>, cx: &Drawing<'_>, board: &Board) {
    let regions = cx.regions;
    let empty = empty(cx, board);
    let listing = ListFrame {
        pane: regions.body,
        place: 0,
        title: title(cx, board),
        is_focused: true,
        empty: &empty,
        origin: RowOrigin::Elsewhere,
        hidden: &[],
    };
    let columns = FittedColumns::new(headers(cx, board), regions.list_rows(listing.pane).width);
    let shown = BoardColumn::shown(board);
    table::draw(canvas, cx, regions, &board.list, &listing, &columns, |row| cells(cx, row, &shown));
}

/// Draws the first transfers below the quotes, without a cursor. The title names `leads`, the command that opens the
/// board.
pub(crate) fn draw_first(canvas: &mut Canvas<'_>, cx: &Drawing<'_>, board: &Board, area: Rect, leads: Command) {
    if area.height == 0 {
        return;
    }
    let regions = cx.regions;
    let title = vec![(Meaning::Text, title(cx, board))];
    let hint = vec![(Meaning::Muted, hints(cx, &[(leads, "opens the chain")]))];
    canvas.frame(area, regions.tier, false, title, hint);
    let rows = regions.list_rows(area);
    let columns = FittedColumns::new(headers(cx, board), rows.width);
    let names = columns.headers().iter().map(|header| (Meaning::Muted, header.title.to_owned())).collect();
    table::draw_row(canvas, row(regions.list_names(area), 0), &columns, names);
    let shown = BoardColumn::shown(board);
    for (place, transfer) in (0..rows.height).zip(board.list.rows().iter()) {
        table::draw_row(canvas, row(rows, place), &columns, cells(cx, transfer, &shown));
    }
}

/// Returns the headers of all columns. The direction's column fits its longest value.
fn headers(cx: &Drawing<'_>, board: &Board) -> Vec<ColumnHeader> {
    let (least, most, wide) = WAY;
    let way = board.way_width().clamp(least, if cx.context.size.0 >= WIDE_FROM { wide } else { most });
    let way = u16::try_from(way).unwrap_or(u16::MAX);
    let is_zoned = cx.context.shown_time_form() != TimeForm::Age && board.is_elsewhere(&cx.context.zone);
    BoardColumn::shown(board).into_iter().map(|column| column.header(way, is_zoned)).collect()
}

/// Returns the title, as in `Transfers · 2 live · 14 · by arrival`.
fn title(cx: &Drawing<'_>, board: &Board) -> String {
    let live = match cx.context.transfers.live() {
        0 => String::new(),
        live => format!(" · {live} live"),
    };
    let filter = match board.filter() {
        "" => String::new(),
        text => format!(" · “{}”", text::clip(text, 20)),
    };
    let open = cx.context.transfers.open.summary(cx.context.now).map(|open| format!(" · {}", open.words().1));
    let open = open.unwrap_or_default();
    format!("Transfers{live} · {} · by {}{filter}{open}", cx.context.transfers.all().len(), board.order)
}

fn empty(cx: &Drawing<'_>, board: &Board) -> String {
    if !board.filter().is_empty() {
        return "no transfer matches this text".to_owned();
    }
    let keys = [(Command::Track, "tracks a transfer by hash"), (Command::NextPane, "quotes a new transfer")];
    format!("no transfers yet: {}", hints(cx, &keys))
}

fn cells(cx: &Drawing<'_>, row: &TransferRow, shown: &[BoardColumn]) -> Vec<Part> {
    shown.iter().map(|column| column.cell(cx, row)).collect()
}

/// Returns how soon the transfer arrives, or how late it is; for a transfer without an estimate, when it began.
fn when(cx: &Drawing<'_>, row: &TransferRow) -> Part {
    let is_clock = cx.context.shown_time_form() != TimeForm::Age;
    let zone = row.shown_time().map(|at| (at, &cx.context.zone)).filter(|(at, zone)| is_clock && zone.differs(*at));
    match (row.expected, zone) {
        (Some(at), Some((_, zone))) => return (Meaning::Number, zone.minute(at)),
        (None, Some((at, zone))) => return (Meaning::Muted, zone.recent(at, cx.context.now)),
        _ => {}
    }
    let Some(shown) = row.shown_time() else { return (Meaning::Muted, String::new()) };
    match row.expected {
        Some(at) if is_clock => (Meaning::Number, at.day_and_clock()[5..16].to_owned()),
        Some(at) if at > cx.context.now => {
            (Meaning::Number, format!("in {}", text::stopwatch(at.since(cx.context.now))))
        }
        Some(at) => (Meaning::Warning, format!("late {}", text::age(cx.context.now.since(at)))),
        None if is_clock => (Meaning::Muted, TimeForm::Clock.write(shown, cx.context.now, &cx.context.zone)),
        None => (Meaning::Muted, format!("{} ago", text::age(cx.context.now.since(shown)))),
    }
}
