//! What has the cursor of a screen, whatever it is: a list, a document, a form.

use super::{
    document::{Document, LineName},
    list::{ListRow, ListWindow},
};

/// Something that a cursor moves in. What moves says whether it moved.
pub(crate) trait Cursor {
    /// By so many rows or lines.
    fn move_by(&mut self, rows: isize) -> bool;

    /// To a place, or as near as there is one.
    fn move_to(&mut self, place: usize) -> bool;

    /// By screens.
    fn page_by(&mut self, screens: isize) -> bool;

    /// By half a screen.
    fn half_page_by(&mut self, sign: isize) -> bool;

    /// To the very first row; what does not hold it any more is asked for anew.
    fn move_to_top(&mut self) -> bool {
        self.move_to(0)
    }

    fn is_at(&self, place: usize) -> bool;

    /// Whether something lies above the cursor, and something below it.
    fn room(&self) -> (bool, bool);
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

    fn is_at(&self, place: usize) -> bool {
        self.cursor() == place
    }

    fn room(&self) -> (bool, bool) {
        let has_more_above = self.has_rows_above() || self.unseen() > 0;
        (self.cursor() > 0 || has_more_above, self.cursor() + 1 < self.rows().len())
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

    fn is_at(&self, place: usize) -> bool {
        self.is_cursor_at(place)
    }

    fn room(&self) -> (bool, bool) {
        (!self.is_cursor_at(0), !self.is_cursor_at_end())
    }
}
