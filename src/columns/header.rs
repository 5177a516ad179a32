//! How a column stands in a list, and which of them fit.

use crate::config::Meaning;

/// The title of a column of ages; lists write `time UTC` there while clock times are shown.
pub(crate) const AGE: &str = "age";

/// Terminal columns that a chosen column which grows has at the least.
const LEAST_OF_GROWING: u16 = 16;

/// A column that a list can show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ColumnInfo {
    /// What settings call it.
    pub id: &'static str,
    /// Its heading.
    pub heading: &'static str,
    /// Whether the list shows it unless somebody chose other columns.
    pub is_default: bool,
}

/// How a column stands in a list.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ColumnHeader {
    pub(crate) title: &'static str,
    /// Terminal columns; the column that grows has these at the least.
    pub(crate) width: u16,
    /// Of the columns that can grow the first of those with the highest number takes the room that is left.
    grows: u8,
    pub(crate) is_right: bool,
    /// Columns with a higher rank vanish first when the list is narrow; 0 stays.
    rank: u8,
    /// What a cell means whose value does not say it itself.
    pub(crate) meaning: Meaning,
    /// Where nobody chose columns it is shown in lists at least so wide…
    from: u16,
    /// …and narrower than this.
    below: u16,
}

impl ColumnHeader {
    /// A column of ordinary text and of this width that stays.
    pub(crate) const fn new(title: &'static str, width: u16) -> Self {
        let meaning = Meaning::Text;
        Self { title, width, grows: 0, is_right: false, rank: 0, meaning, from: 0, below: u16::MAX }
    }

    /// A column of ages or clock times.
    pub(crate) const fn time() -> Self {
        Self::new(AGE, 11).right()
    }

    /// With its cells at the right, as numbers have them.
    pub(crate) const fn right(self) -> Self {
        Self { is_right: true, ..self }
    }

    /// Taking the room that is left, unless one of a higher number is there.
    pub(crate) const fn growing(self, grows: u8) -> Self {
        Self { grows, ..self }
    }

    /// Vanishing when the list is narrow.
    pub(crate) const fn rank(self, rank: u8) -> Self {
        Self { rank, ..self }
    }

    /// With cells of this meaning.
    pub(crate) const fn of(self, meaning: Meaning) -> Self {
        Self { meaning, ..self }
    }

    /// By default only in lists at least so wide.
    pub(crate) const fn from(self, from: u16) -> Self {
        Self { from, ..self }
    }

    /// By default only in lists narrower than this.
    pub(crate) const fn below(self, below: u16) -> Self {
        Self { below, ..self }
    }

    pub(crate) const fn wide(self, width: u16) -> Self {
        Self { width, ..self }
    }

    pub(crate) const fn titled(self, title: &'static str) -> Self {
        Self { title, ..self }
    }

    /// Whether a list of this width has it by default.
    pub(super) const fn is_for_width(&self, width: u16) -> bool {
        self.from <= width && width < self.below
    }
}

/// Columns, and the width that each has; a vanished one has 0.
#[derive(Clone, Debug)]
pub(crate) struct FittedColumns {
    headers: Vec<ColumnHeader>,
    widths: Vec<u16>,
    width: u16,
    /// Whether somebody chose them: then the first one stays, and those without a rank vanish too, the last of them
    /// first, rather than be cut.
    is_chosen: bool,
}

impl FittedColumns {
    /// Columns within this width; a blank stands between them.
    pub(crate) fn new(headers: Vec<ColumnHeader>, width: u16) -> Self {
        Self { widths: fit(&headers, width, false), headers, width, is_chosen: false }
    }

    /// The one that grows makes room for the others first.
    pub(super) fn chosen(mut headers: Vec<ColumnHeader>, width: u16) -> Self {
        if let Some(growing) = growing(&headers, |_| true) {
            headers[growing].width = headers[growing].width.min(LEAST_OF_GROWING);
        }
        Self { widths: fit(&headers, width, true), headers, width, is_chosen: true }
    }

    pub(crate) fn headers(&self) -> &[ColumnHeader] {
        &self.headers
    }

    pub(crate) fn widths(&self) -> &[u16] {
        &self.widths
    }

    pub(super) fn change(&mut self, place: usize, change: impl FnOnce(ColumnHeader) -> ColumnHeader) {
        self.headers[place] = change(self.headers[place]);
        self.widths = fit(&self.headers, self.width, self.is_chosen);
    }

    pub(super) fn remove(&mut self, place: usize) -> ColumnHeader {
        let header = self.headers.remove(place);
        self.widths = fit(&self.headers, self.width, self.is_chosen);
        header
    }

    pub(super) fn insert(&mut self, place: usize, header: ColumnHeader) {
        self.headers.insert(place, header);
        self.widths = fit(&self.headers, self.width, self.is_chosen);
    }
}

/// The place of the column that takes the room that is left.
fn growing(headers: &[ColumnHeader], is_shown: impl Fn(usize) -> bool) -> Option<usize> {
    let can_grow = (0..headers.len()).filter(|&place| is_shown(place) && headers[place].grows > 0);
    can_grow.rev().max_by_key(|&place| headers[place].grows)
}

fn fit(headers: &[ColumnHeader], width: u16, is_chosen: bool) -> Vec<u16> {
    let mut shown = vec![true; headers.len()];
    let total = |shown: &[bool]| -> u32 {
        headers.iter().zip(shown).filter(|(_, shown)| **shown).map(|(header, _)| u32::from(header.width) + 1).sum()
    };
    let room = u32::from(width) + 1;
    while total(&shown) > room {
        let first = usize::from(is_chosen);
        let ranked = (first..headers.len()).filter(|&place| shown[place] && headers[place].rank > 0);
        let unranked = || (first..headers.len()).rev().find(|&place| is_chosen && shown[place]);
        match ranked.max_by_key(|&place| headers[place].rank).or_else(unranked) {
            Some(place) => shown[place] = false,
            None => break,
        }
    }
    let spare = u16::try_from(room.saturating_sub(total(&shown))).unwrap_or(u16::MAX);
    let growing = growing(headers, |place| shown[place]);
    let width_of = |place: usize| match (shown[place], growing == Some(place)) {
        (false, _) => 0,
        (true, true) => headers[place].width.saturating_add(spare),
        (true, false) => headers[place].width,
    };
    (0..headers.len()).map(width_of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADERS: [ColumnHeader; 4] = [
        ColumnHeader::new("height", 10).rank(2),
        ColumnHeader::new("message", 8).growing(1),
        ColumnHeader::new("words", 12).growing(2),
        ColumnHeader::new("age", 5).rank(1),
    ];

    #[test]
    fn the_highest_rank_vanishes_first_and_one_column_takes_what_is_left() {
        assert_eq!(fit(&HEADERS, 50, false), [10, 8, 24, 5]);
        assert_eq!(fit(&HEADERS, 38, false), [10, 8, 12, 5]);
        assert_eq!(fit(&HEADERS, 37, false), [0, 8, 22, 5]);
        assert_eq!(fit(&HEADERS, 26, false), [0, 8, 17, 0]);
        assert_eq!(fit(&HEADERS, 5, false), [0, 8, 12, 0], "what has no rank stays, and is cut");
        assert_eq!(fit(&HEADERS[..2], 30, false), [10, 19], "the lower one grows where the higher one is not");
    }

    #[test]
    fn chosen_columns_vanish_from_the_last_on_and_the_first_never_does() {
        assert_eq!(fit(&HEADERS, 20, true), [10, 9, 0, 0]);
        assert_eq!(fit(&HEADERS[1..3], 5, true), [8, 0]);
        assert_eq!(fit(&HEADERS[..1], 5, true), [10]);
        assert_eq!(fit(&[], 5, true), Vec::<u16>::new());
        let wide = [ColumnHeader::new("words", 40).growing(1), ColumnHeader::new("hash", 9)];
        assert_eq!(FittedColumns::chosen(wide.to_vec(), 30).widths(), [20, 9], "words make room");
    }
}
