//! Local sorting of a list, and rows that the client knows before the server answers.

use std::{cmp::Ordering, ops::Range};

use super::{ListRow, ListWindow};
use crate::{
    domain::{RowSortKey, Timestamp},
    msg::{ListPage, ListedRow},
    widgets::list::bookmark::Bookmarks,
};

/// Column and direction by which a list shows its loaded rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RowSorting {
    pub(crate) column: &'static str,
    pub(crate) is_ascending: bool,
}

impl RowSorting {
    pub(crate) fn arrow(self) -> &'static str {
        if self.is_ascending { "↑" } else { "↓" }
    }

    /// Returns the words that follow `by` in a title; a column of times or ages tells which end comes first.
    pub(crate) fn words(self, name: &str, is_time: bool) -> String {
        match (is_time, self.is_ascending) {
            (true, true) => "time, oldest first".to_owned(),
            (true, false) => "time, newest first".to_owned(),
            (false, _) => format!("{name} {}", self.arrow()),
        }
    }

    /// Returns the order in the other direction, as ages grow while times fall.
    pub(crate) fn reversed(self) -> Self {
        Self { is_ascending: !self.is_ascending, ..self }
    }

    /// Returns the order after another turn of this column: descending, ascending, then the list's own.
    pub(crate) fn after(present: Option<Self>, column: &'static str) -> Option<Self> {
        match present.filter(|present| present.column == column) {
            None => Some(Self { column, is_ascending: false }),
            Some(Self { is_ascending: false, .. }) => Some(Self { column, is_ascending: true }),
            Some(_) => None,
        }
    }
}

/// Order of a sorted window's rows: for each place on screen, the row's index among the rows held.
#[derive(Debug)]
pub(super) struct SortedPlaces {
    sorting: RowSorting,
    held: Vec<usize>,
}

impl<R: ListRow> ListWindow<R> {
    pub(crate) fn sorting(&self) -> Option<RowSorting> {
        self.sorted.as_ref().map(|sorted| sorted.sorting)
    }

    /// Whether a loaded row has a value to sort by in this column.
    pub(crate) fn can_sort(&self, column: &str) -> bool {
        self.rows().iter().any(|row| row.sort_key(column).is_some())
    }

    /// Sorts the loaded rows, or shows the list's own order again. The cursor stays on its row, or on the first.
    ///
    /// A sorted list stands still: it requests nothing more by itself, and counts the rows that arrive above.
    pub(crate) fn sort(&mut self, sorting: Option<RowSorting>) {
        let selected = self.held_cursor();
        let is_first = self.cursor == 0;
        self.sorted = sorting.map(|sorting| SortedPlaces { sorting, held: Vec::new() });
        // A page on its way would change the rows that were sorted.
        (self.fetching, self.owed) = (None, 0);
        self.sort_again();
        let place = if is_first { 0 } else { self.shown_place(selected) };
        (self.cursor, self.top) = (place, place.saturating_sub(self.viewport / 2));
        self.keep_cursor_visible();
        self.follow(false);
    }

    /// Sorts all rows held, after some came or went. Rows without a value come last; equal rows keep their order.
    pub(super) fn sort_again(&mut self) {
        let Some(sorted) = &mut self.sorted else { return };
        let RowSorting { column, is_ascending } = sorted.sorting;
        let keys = self.rows.iter().map(|row| row.read().and_then(|row| row.sort_key(column)));
        let mut rows: Vec<(Option<RowSortKey>, usize)> = keys.zip(0..).collect();
        rows.sort_by(|(one, _), (other, _)| match (one, other) {
            (Some(one), Some(other)) if is_ascending => one.cmp(other),
            (one, other) => other.cmp(one),
        });
        sorted.held = rows.into_iter().map(|(_, place)| place).collect();
    }

    /// Returns the rows at these places of the order shown.
    pub(crate) fn shown(&self, places: Range<usize>) -> impl Iterator<Item = &ListedRow<R>> {
        let places = places.start..places.end.min(self.rows.len());
        places.filter_map(|place| self.rows.get(self.held_place(place)))
    }

    /// Returns the index of the row under the cursor among the rows held.
    pub(crate) fn held_cursor(&self) -> usize {
        self.held_place(self.cursor)
    }

    /// Returns the index, among the rows held, of the row at a place of the order shown.
    pub(super) fn held_place(&self, place: usize) -> usize {
        self.sorted.as_ref().map_or(place, |sorted| sorted.held.get(place).copied().unwrap_or(usize::MAX))
    }

    /// Returns the place, in the order shown, of a row held.
    pub(crate) fn shown_place(&self, held: usize) -> usize {
        let place = |sorted: &SortedPlaces| sorted.held.iter().position(|of| *of == held).unwrap_or_default();
        self.sorted.as_ref().map_or(held, place)
    }

    /// Whether the window holds every row of the list.
    pub(crate) fn is_whole(&self) -> bool {
        self.state.value().is_some() && self.ended && !self.has_rows_above()
    }

    /// Sorts the rows if the window holds the whole list. The cursor stays on its row, or on the first; unreadable rows
    /// come last.
    ///
    /// A sorted list has no pages: the window keeps it whole until it is cleared or replaced.
    pub(crate) fn arrange(&mut self, compare: impl Fn(&R, &R) -> Ordering) {
        if !self.is_whole() {
            return;
        }
        self.bookmarks = Bookmarks::default();
        let compare = |a: &ListedRow<R>, b: &ListedRow<R>| match (a, b) {
            (ListedRow::Read(a), ListedRow::Read(b)) => compare(a, b),
            (ListedRow::Read(_), ListedRow::Unreadable(_)) => Ordering::Less,
            (ListedRow::Unreadable(_), ListedRow::Read(_)) => Ordering::Greater,
            (ListedRow::Unreadable(_), ListedRow::Unreadable(_)) => Ordering::Equal,
        };
        if self.rows.iter().is_sorted_by(|a, b| compare(a, b).is_le()) {
            return;
        }
        let selected = self.selected().map(R::key).filter(|_| self.cursor > 0);
        self.rows.make_contiguous().sort_by(compare);
        self.sort_again();
        if let Some(key) = selected {
            self.select(&key);
        }
    }

    /// Marks the list as complete: the server has no further rows.
    pub(crate) fn end(&mut self) {
        self.ended = true;
    }

    /// Replaces all rows of a local list. The cursor stays on its row. The view starts at the first row, or at the
    /// cursor's row if that would be off screen.
    pub(crate) fn refill(&mut self, page: ListPage<R>, now: Timestamp) {
        let (row, top) = (self.cursor - self.top, self.top);
        self.replace(page, |_| true, now);
        self.top = if top == 0 { 0 } else { self.cursor.saturating_sub(row) };
        self.keep_cursor_visible();
    }

    /// Shows rows that the client knows until the server's first page replaces them.
    pub(crate) fn begin_with(&mut self, rows: Vec<R>) {
        self.clear();
        self.put(rows);
    }

    /// Shows rows of another list, of this time, in a list that never had an answer.
    pub(crate) fn borrow(&mut self, rows: impl Iterator<Item = R>, at: Timestamp) {
        if self.state.value().is_none() && self.rows.is_empty() {
            self.put(rows.collect());
            self.borrowed_at = Some(at);
        }
    }

    fn put(&mut self, rows: Vec<R>) {
        self.rows = rows.into_iter().map(ListedRow::Read).collect();
    }
}
