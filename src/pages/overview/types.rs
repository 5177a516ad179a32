//! Cursor among the message types in recent transactions.

use crate::widgets::cursor::Cursor;

#[derive(Debug, Default)]
pub(super) struct TypeCursor {
    pub(super) has_focus: bool,
    /// Index of the selected type.
    pub(super) place: usize,
    pub(super) count: usize,
}

impl TypeCursor {
    /// Sets the number of visible types. At zero the cursor loses the focus.
    pub(super) fn fit(&mut self, count: usize) {
        self.count = count;
        self.place = self.place.min(count.saturating_sub(1));
        self.has_focus &= count > 0;
    }
}

impl Cursor for TypeCursor {
    fn move_by(&mut self, rows: isize) -> bool {
        self.move_to(self.place.saturating_add_signed(rows))
    }

    fn move_to(&mut self, place: usize) -> bool {
        let place = place.min(self.count.saturating_sub(1));
        std::mem::replace(&mut self.place, place) != place
    }

    fn page_by(&mut self, screens: isize) -> bool {
        self.move_to(if screens < 0 { 0 } else { usize::MAX })
    }

    fn half_page_by(&mut self, sign: isize) -> bool {
        self.page_by(sign)
    }

    fn is_at(&self, place: usize) -> bool {
        self.place == place
    }

    fn room(&self) -> (bool, bool) {
        (self.place > 0, self.place + 1 < self.count)
    }
}
