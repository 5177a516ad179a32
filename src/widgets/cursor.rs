//! Cursor of a list, a document or a form.

use super::{
    document::{Document, LineName},
    list::{ListRow, ListWindow, RowSorting},
};

/// Widget with a movable cursor. Every move returns whether the cursor or the view changed.
pub(crate) trait Cursor {
    fn move_by(&mut self, rows: isize) -> bool;

    /// Moves to an index, clamped to the ends.
    fn move_to(&mut self, place: usize) -> bool;

    fn page_by(&mut self, screens: isize) -> bool;

    /// Moves by half a screen; `sign` is 1 for down, -1 for up.
    fn half_page_by(&mut self, sign: isize) -> bool;

    /// Moves to the first row; requests that row again if the list dropped it.
    fn move_to_top(&mut self) -> bool {
        self.move_to(0)
    }

    /// Returns the index of the row in the middle of the screen, if the rows scroll.
    fn middle(&self) -> Option<usize> {
        None
    }

    fn is_at(&self, place: usize) -> bool;

    /// Whether there are rows above and below the cursor.
    fn room(&self) -> (bool, bool);

    /// Whether the cursor is on a readable row.
    fn has_row(&self) -> bool {
        true
    }

    /// Whether the loaded rows have values to sort by in this column.
    fn can_sort(&self, _column: &str) -> bool {
        false
    }

    /// Sorts the loaded rows; `None` shows the list's own order.
    fn sort(&mut self, _sorting: Option<RowSorting>) {}

    fn sorting(&self) -> Option<RowSorting> {
        None
    }

    /// Columns of the terminal that each row has; `None` without columns of a table.
    fn row_width(&self) -> Option<u16> {
        None
    }
}

impl<R: ListRow> Cursor for ListWindow<R> {
    fn move_by(&mut self, rows: isize) -> bool {
        Self::move_by(self, rows)
    }

    fn move_to(&mut self, place: usize) -> bool {
        Self::move_to(self, place)
    }

    fn page_by(&mut self, screens: isize) -> bool {
        Self::page_by(self, screens)
    }

    fn half_page_by(&mut self, sign: isize) -> bool {
        Self::half_page_by(self, sign)
    }

    fn move_to_top(&mut self) -> bool {
        if self.top_needs_restart() {
            self.clear();
            return true;
        }
        Self::move_to(self, 0)
    }

    fn middle(&self) -> Option<usize> {
        Some(Self::middle(self))
    }

    fn is_at(&self, place: usize) -> bool {
        self.cursor() == place
    }

    fn room(&self) -> (bool, bool) {
        let has_more_above = self.has_rows_above() || self.unseen() > 0;
        (self.cursor() > 0 || has_more_above, self.cursor() + 1 < self.rows().len())
    }

    fn has_row(&self) -> bool {
        self.selected().is_some()
    }

    fn can_sort(&self, column: &str) -> bool {
        Self::can_sort(self, column)
    }

    fn sort(&mut self, sorting: Option<RowSorting>) {
        Self::sort(self, sorting);
    }

    fn sorting(&self) -> Option<RowSorting> {
        Self::sorting(self)
    }

    fn row_width(&self) -> Option<u16> {
        Some(Self::row_width(self))
    }
}

impl<Id: LineName> Cursor for Document<Id> {
    fn move_by(&mut self, rows: isize) -> bool {
        Self::move_by(self, rows)
    }

    fn move_to(&mut self, place: usize) -> bool {
        Self::move_to(self, place)
    }

    fn page_by(&mut self, screens: isize) -> bool {
        Self::page_by(self, screens)
    }

    fn half_page_by(&mut self, sign: isize) -> bool {
        Self::half_page_by(self, sign)
    }

    fn middle(&self) -> Option<usize> {
        Some(Self::middle(self))
    }

    fn is_at(&self, place: usize) -> bool {
        self.is_cursor_at(place)
    }

    fn room(&self) -> (bool, bool) {
        (!self.is_cursor_at(0), !self.is_cursor_at_end())
    }
}
