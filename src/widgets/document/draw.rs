use ratatui::layout::Rect;

use crate::{
    config::Meaning,
    widgets::canvas::{Canvas, Part, row},
    widgets::{
        Hit,
        document::{Document, INDENT, LineName, ScreenRow, columns::ColumnRows},
    },
};

/// Sign before a marked line.
const MARK: &str = "→ ";

pub(crate) fn draw<Id: LineName>(
    canvas: &mut Canvas<'_>,
    area: Rect,
    document: &Document<Id>,
    is_focused: bool,
    place: usize,
) {
    draw_columns(canvas, area, document, is_focused, Some(place));
}

/// Draws a document that never has the focus: the mouse cannot reach it.
pub(crate) fn draw_still<Id: LineName>(canvas: &mut Canvas<'_>, area: Rect, document: &Document<Id>) {
    draw_columns(canvas, area, document, false, None);
}

fn draw_columns<Id: LineName>(
    canvas: &mut Canvas<'_>,
    area: Rect,
    document: &Document<Id>,
    is_focused: bool,
    pane: Option<usize>,
) {
    if document.counts().0 == 0 {
        let empty = if document.filter().is_empty() { "empty" } else { "no match" };
        canvas.text(row(area, 0), Meaning::Muted, &format!("  {empty}"));
        return;
    }
    let narrow = |columns: usize| u16::try_from(columns).unwrap_or(u16::MAX).min(area.width);
    for ColumnRows { left, width, rows } in document.columns() {
        let (left, width) = (narrow(left), narrow(width));
        let column = Rect { x: area.x + left, width: width.min(area.width - left), ..area };
        if left > 0 {
            let rule = Rect { x: column.x - 1, width: 1, ..area };
            (0..rule.height).for_each(|place| canvas.text(row(rule, place), Meaning::Frame, "│"));
        }
        draw_rows(canvas, column, rows, is_focused, pane);
    }
}

fn draw_rows<Id>(
    canvas: &mut Canvas<'_>,
    area: Rect,
    rows: Vec<ScreenRow<'_, Id>>,
    is_focused: bool,
    pane: Option<usize>,
) {
    for (offset, slice) in rows.into_iter().enumerate() {
        let line = row(area, u16::try_from(offset).unwrap_or(u16::MAX));
        let fold = match slice.folded {
            Some(true) if slice.is_first => "▸ ",
            Some(false) if slice.is_first => "▾ ",
            _ => "  ",
        };
        let margin = usize::from(slice.line.depth) * INDENT;
        let mut parts: Vec<Part> = match (slice.is_marked, margin) {
            (false, _) => vec![(Meaning::Muted, format!("{}{fold}", " ".repeat(margin)))],
            (true, 0) => vec![(Meaning::Shortcut, MARK.to_owned())],
            (true, _) => vec![
                (Meaning::Shortcut, format!("{}{MARK}", " ".repeat(margin - INDENT))),
                (Meaning::Muted, fold.to_owned()),
            ],
        };
        parts.extend(slice.pieces.into_iter().map(|piece| (piece.meaning, piece.text)));
        let opens = parts.last().is_some_and(|(_, text)| text.ends_with(['{', '[']));
        if slice.folded == Some(true) && slice.is_first && opens {
            parts.push((Meaning::Muted, " …".to_owned()));
        }
        canvas.parts(line, parts.clone());
        if slice.is_cursor && is_focused {
            canvas.mark_row(line, true);
            canvas.mark_chosen(line, &parts);
        }
        if let Some(pane) = pane {
            canvas.hit(line, Hit::Row(pane, slice.place));
        }
    }
}
