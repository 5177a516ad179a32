//! Lays out a wide document in two columns. The cursor runs down the left one, then down the right one.

use std::ops::Range;

use super::{Document, INDENT, Line, LineName, ScreenRow};

/// Minimum columns of a document with two columns.
const TWO_COLUMNS_FROM: usize = 98;
/// Minimum width of the left column: a field with an address.
const LEFT_LEAST: usize = 58;

/// Column of a line. The lines of the right column follow all lines of the left one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum LineColumn {
    #[default]
    Left,
    Right,
}

/// Lines of a column that are on screen, and the column's place in the document.
#[derive(Debug)]
pub(crate) struct ColumnRows<'a, Id> {
    pub(crate) left: usize,
    pub(crate) width: usize,
    pub(crate) rows: Vec<ScreenRow<'a, Id>>,
}

/// Returns the widths of two columns with a rule between them; `None` where there is room for one only.
pub(crate) fn column_widths(width: usize) -> Option<(usize, usize)> {
    let left = (width * 11 / 20).max(LEFT_LEAST);
    (width >= TWO_COLUMNS_FROM).then(|| (left, width - left - 1))
}

impl<Id> Line<Id> {
    #[must_use]
    pub(crate) fn in_column(self, column: LineColumn) -> Self {
        Self { column, ..self }
    }
}

impl<Id: LineName> Document<Id> {
    /// Returns the index of the right column's first shown line, and both widths; `None` with one column.
    fn split(&self) -> Option<(usize, (usize, usize))> {
        let widths = column_widths(self.width)?;
        let is_left = |place: &usize| self.lines.get(*place).is_some_and(|line| line.column == LineColumn::Left);
        let right_from = self.shown.partition_point(is_left);
        (0 < right_from && right_from < self.shown.len()).then_some((right_from, widths))
    }

    /// Returns the shown lines of the column with this line, and those of the other column.
    fn columns_around(&self, place: usize) -> (Range<usize>, Range<usize>) {
        match self.split() {
            Some((right_from, _)) if place < right_from => (0..right_from, right_from..self.shown.len()),
            Some((right_from, _)) => (right_from..self.shown.len(), 0..right_from),
            None => (0..self.shown.len(), 0..0),
        }
    }

    /// Returns the shown lines of the cursor's column.
    pub(super) fn column(&self) -> Range<usize> {
        self.columns_around(self.cursor).0
    }

    /// Returns the columns left for a line's text after its indent.
    pub(super) fn room_of(&self, line: &Line<Id>) -> usize {
        let width = match (self.split(), line.column) {
            (Some((_, (left, _))), LineColumn::Left) => left,
            (Some((_, (_, right))), LineColumn::Right) => right,
            (None, _) => self.width,
        };
        width.saturating_sub(usize::from(line.depth) * INDENT + 2).max(4)
    }

    /// Scrolls the cursor's column to the cursor. The other column keeps its place.
    pub(super) fn keep_cursor_visible(&mut self) {
        let (column, other) = self.columns_around(self.cursor);
        if !column.contains(&self.top) && !other.is_empty() {
            std::mem::swap(&mut self.top, &mut self.top_beside);
        }
        self.top = self.top.clamp(self.top_above(self.cursor).max(column.start), self.cursor);
        let last = other.end.saturating_sub(1);
        self.top_beside = self.top_beside.clamp(other.start, self.top_above(last).max(other.start));
    }

    /// Returns the rows on screen, those of the left column first.
    #[cfg(test)]
    pub(crate) fn rows(&self) -> Vec<ScreenRow<'_, Id>> {
        self.columns().into_iter().flat_map(|column| column.rows).collect()
    }

    /// Returns the columns with their rows on screen, from left to right.
    pub(crate) fn columns(&self) -> Vec<ColumnRows<'_, Id>> {
        let column = |left, width, places: Range<usize>| {
            let top = if places.contains(&self.top) { self.top } else { self.top_beside };
            ColumnRows { left, width, rows: self.rows_from(top..places.end) }
        };
        let shown = self.shown.len();
        match self.split() {
            Some((right_from, (left, right))) => {
                vec![column(0, left, 0..right_from), column(left + 1, right, right_from..shown)]
            }
            None => vec![ColumnRows { left: 0, width: self.width, rows: self.rows_from(self.top..shown) }],
        }
    }

    fn rows_from(&self, places: Range<usize>) -> Vec<ScreenRow<'_, Id>> {
        let mut rows = Vec::with_capacity(self.height);
        for (place, &index) in self.shown.iter().enumerate().take(places.end).skip(places.start) {
            if rows.len() >= self.height {
                break;
            }
            let Some(line) = self.lines.get(index) else { continue };
            let is_cursor = place == self.cursor;
            let folded = self.has_children(index).then(|| self.is_folded(index));
            let is_marked = line.name.as_ref().is_some_and(|name| self.marked.contains(name));
            for (row, pieces) in self.cut(line, is_cursor).into_iter().enumerate() {
                let is_first = row == 0;
                rows.push(ScreenRow {
                    line,
                    pieces,
                    is_cursor,
                    is_first,
                    folded,
                    is_marked: is_marked && is_first,
                    place,
                });
            }
        }
        rows.truncate(self.height);
        rows
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Meaning;

    fn document(left: u32, right: u32) -> Document<u32> {
        let line = |name: u32| Line::at(0).with(Meaning::Text, name.to_string()).named(name);
        let right = (left..left + right).map(|name| line(name).in_column(LineColumn::Right));
        Document::new((0..left).map(line).chain(right).collect())
    }

    fn on_screen(document: &Document<u32>) -> Vec<Vec<u32>> {
        let names = |column: &ColumnRows<'_, u32>| column.rows.iter().filter_map(|row| row.line.name).collect();
        document.columns().iter().map(names).collect()
    }

    #[test]
    fn each_column_scrolls_by_itself_and_the_cursor_runs_through_both() {
        let mut document = document(6, 5);
        document.set_room(120, 3);
        assert_eq!(on_screen(&document), [vec![0, 1, 2], vec![6, 7, 8]]);
        document.move_to(5);
        assert_eq!(on_screen(&document), [vec![3, 4, 5], vec![6, 7, 8]]);
        document.move_by(1);
        assert_eq!(on_screen(&document), [vec![3, 4, 5], vec![6, 7, 8]], "the cursor is in the right column");
        document.move_to(10);
        assert_eq!(on_screen(&document), [vec![3, 4, 5], vec![8, 9, 10]]);
        document.move_to(0);
        assert_eq!(on_screen(&document), [vec![0, 1, 2], vec![8, 9, 10]]);
        document.page_by(1);
        assert_eq!(on_screen(&document)[0], [3, 4, 5]);
    }

    #[test]
    fn a_narrow_document_and_one_without_left_lines_have_one_column() {
        let mut document = document(2, 2);
        document.set_room(97, 10);
        assert_eq!(on_screen(&document), [[0, 1, 2, 3]]);
        document.set_room(98, 10);
        assert_eq!(on_screen(&document), [[0, 1], [2, 3]]);
        document.set_filter("3");
        assert_eq!(on_screen(&document), [[3]]);
    }
}
