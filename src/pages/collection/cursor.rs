//! Cursor among tokens: by lines of cards in the gallery, by rows in the table.

use super::CollectionPage;
use crate::widgets::{cursor::Cursor, list::RowSorting};

impl Cursor for CollectionPage {
    fn move_by(&mut self, rows: isize) -> bool {
        if self.is_gallery { self.move_lines(rows) } else { self.tokens.move_by(rows) }
    }

    fn move_to(&mut self, place: usize) -> bool {
        self.tokens.move_to(place)
    }

    fn page_by(&mut self, screens: isize) -> bool {
        self.tokens.page_by(screens)
    }

    fn half_page_by(&mut self, sign: isize) -> bool {
        if self.is_gallery { self.move_half(sign) } else { self.tokens.half_page_by(sign) }
    }

    fn move_to_top(&mut self) -> bool {
        Cursor::move_to_top(&mut self.tokens)
    }

    fn is_at(&self, place: usize) -> bool {
        self.tokens.is_at(place)
    }

    fn room(&self) -> (bool, bool) {
        self.tokens.room()
    }

    fn has_row(&self) -> bool {
        self.tokens.has_row()
    }

    fn can_sort(&self, column: &str) -> bool {
        self.tokens.can_sort(column)
    }

    fn sort(&mut self, sorting: Option<RowSorting>) {
        self.tokens.sort(sorting);
    }

    fn sorting(&self) -> Option<RowSorting> {
        self.tokens.sorting()
    }

    fn row_width(&self) -> Option<u16> {
        if self.is_gallery { None } else { Some(self.tokens.row_width()) }
    }
}
