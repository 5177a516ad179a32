//! Local sorting of a list, and rows that the client knows before the server answers.

use std::cmp::Ordering;

use super::{ListRow, ListWindow};
use crate::{
    domain::Timestamp,
    msg::{ListPage, ListedRow},
    widgets::list::bookmark::Bookmarks,
};

impl<R: ListRow> ListWindow<R> {
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
        self.rows = rows.into_iter().map(ListedRow::Read).collect();
    }
}
