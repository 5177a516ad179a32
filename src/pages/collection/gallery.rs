//! Layout of a gallery's cards.

use ratatui::layout::Rect;

/// Columns between two cards.
const GAP: u16 = 2;
/// Lines of text below a card's picture: ID and owner.
const TEXT: u16 = 2;
/// Preferred rows of a picture; pictures are square, and a cell is twice as high as wide.
const PICTURE: u16 = 8;
/// Minimum columns of a card with readable text.
const NARROWEST: u16 = 12;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct GalleryGrid {
    room: Rect,
    picture: u16,
    width: u16,
    /// Cards per line, at least one.
    pub(crate) columns: u16,
    /// Lines of cards, at least one.
    pub(crate) rows: u16,
}

impl GalleryGrid {
    pub(crate) fn of(room: Rect) -> Self {
        let picture = PICTURE.min(room.height.saturating_sub(TEXT));
        let width = (2 * picture).max(NARROWEST).min(room.width.max(1));
        let (columns, rows) = ((room.width + GAP) / (width + GAP), (room.height + 1) / (picture + TEXT + 1));
        Self { room, picture, width, columns: columns.max(1), rows: rows.max(1) }
    }

    pub(crate) fn count(&self) -> usize {
        usize::from(self.columns) * usize::from(self.rows)
    }

    /// Returns the areas of picture and text of card `place` on screen.
    pub(crate) fn card(&self, place: usize) -> (Rect, Rect) {
        let place = u16::try_from(place).unwrap_or(u16::MAX);
        let (column, row) = (place % self.columns, place / self.columns);
        let x = self.room.x + column.saturating_mul(self.width + GAP);
        let y = self.room.y.saturating_add(row.saturating_mul(self.picture + TEXT + 1));
        let clip = |y: u16, height: u16| Rect::new(x, y, self.width, height).intersection(self.room);
        (clip(y, self.picture), clip(y.saturating_add(self.picture), TEXT))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cards_lie_within_their_room_and_apart() {
        for (width, height) in [(76, 12), (116, 24), (196, 38), (58, 7), (10, 3), (1, 1), (40, 8)] {
            let room = Rect::new(2, 3, width, height);
            let gallery = GalleryGrid::of(room);
            let cards: Vec<Rect> =
                (0..gallery.count()).map(|place| gallery.card(place)).map(|(a, b)| a.union(b)).collect();
            for (place, card) in cards.iter().enumerate() {
                assert_eq!(card.intersection(room), *card, "{width}×{height} card {place}");
                assert!(cards[..place].iter().all(|other| !other.intersects(*card)), "{width}×{height} card {place}");
            }
        }
        assert_eq!(GalleryGrid::of(Rect::new(0, 0, 76, 12)).count(), 4);
    }
}
