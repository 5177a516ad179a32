//! Layout of columns in a list, fitted to the list's width.

use crate::{config::Meaning, domain::TimeForm};

/// Title of a column of ages; a column of clock times has the title `time UTC`.
pub(crate) const AGE: &str = "age";

/// Minimum width of a growing column that the user chose, in terminal columns.
const LEAST_OF_GROWING: u16 = 16;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ColumnInfo {
    pub id: &'static str,
    pub heading: &'static str,
    /// Whether the list shows the column by default.
    pub is_default: bool,
    pub(super) header: ColumnHeader,
}

impl ColumnInfo {
    /// Whether the column shows ages or clock times.
    pub(crate) fn is_time(&self) -> bool {
        self.header.is_time()
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ColumnHeader {
    /// Id of the column, by which a click on the title sorts; empty in tables that cannot be sorted.
    pub(crate) id: &'static str,
    pub(crate) title: &'static str,
    /// Width in terminal columns; for a growing column, the minimum width.
    pub(crate) width: u16,
    /// Width up to which the column is as wide as its visible cells; 0 keeps the width.
    most: u16,
    /// Priority for the remaining width: the first column with the highest number gets it; 0 never grows.
    grows: u8,
    pub(crate) is_right: bool,
    /// Order in which a narrow list drops columns: the highest rank first; 0 stays.
    rank: u8,
    /// Meaning of cells whose value has no meaning of its own.
    pub(crate) meaning: Meaning,
    /// Minimum list width, in terminal columns, at which the column is shown by default.
    from: u16,
    /// List width, in terminal columns, from which on the column is hidden by default.
    below: u16,
}

impl ColumnHeader {
    /// Creates a column of plain text with this width; a narrow list never drops it.
    pub(crate) const fn new(title: &'static str, width: u16) -> Self {
        let meaning = Meaning::Text;
        Self { id: "", title, width, most: 0, grows: 0, is_right: false, rank: 0, meaning, from: 0, below: u16::MAX }
    }

    pub(crate) const fn time() -> Self {
        Self::new(AGE, 11).right().hugging(11)
    }

    /// Makes the column as wide as its visible cells, up to this width.
    pub(crate) const fn hugging(self, most: u16) -> Self {
        Self { most, ..self }
    }

    /// Returns the width up to which the column hugs its cells.
    pub(super) const fn most(&self) -> Option<u16> {
        if self.most > 0 { Some(self.most) } else { None }
    }

    /// Whether the column shows ages or clock times.
    pub(crate) fn is_time(&self) -> bool {
        self.title == AGE
    }

    /// Returns the name above the column.
    pub(crate) fn name(&self, times: TimeForm) -> &'static str {
        match times {
            TimeForm::Clock if self.title == AGE => "time UTC",
            TimeForm::Local if self.title == AGE => "local time",
            _ => self.title,
        }
    }

    pub(super) const fn named(self, id: &'static str) -> Self {
        Self { id, ..self }
    }

    pub(crate) const fn right(self) -> Self {
        Self { is_right: true, ..self }
    }

    /// Takes the remaining width, unless another column has a higher number.
    pub(crate) const fn growing(self, grows: u8) -> Self {
        Self { grows, ..self }
    }

    /// Sets the rank by which a narrow list drops the column.
    pub(crate) const fn rank(self, rank: u8) -> Self {
        Self { rank, ..self }
    }

    pub(crate) const fn of(self, meaning: Meaning) -> Self {
        Self { meaning, ..self }
    }

    /// Shows the column by default only in lists at least this wide.
    pub(crate) const fn from(self, from: u16) -> Self {
        Self { from, ..self }
    }

    /// Shows the column by default only in lists narrower than this.
    pub(crate) const fn below(self, below: u16) -> Self {
        Self { below, ..self }
    }

    pub(crate) const fn wide(self, width: u16) -> Self {
        Self { width, ..self }
    }

    pub(crate) const fn titled(self, title: &'static str) -> Self {
        Self { title, ..self }
    }

    /// Whether a list of this width shows the column by default.
    pub(super) const fn is_for_width(&self, width: u16) -> bool {
        self.from <= width && width < self.below
    }

    /// Whether a list of this width shows another column in its place by default.
    pub(super) const fn is_replaced_at(&self, width: u16) -> bool {
        width >= self.below
    }
}

/// Columns with their widths; a dropped column has width 0.
#[derive(Clone, Debug)]
pub(crate) struct FittedColumns {
    headers: Vec<ColumnHeader>,
    widths: Vec<u16>,
    width: u16,
    /// Whether the user chose the columns. Then the first column stays, and the list drops even columns without a rank,
    /// last first, instead of truncating them.
    is_chosen: bool,
}

impl FittedColumns {
    /// Fits columns into a width; one space separates them.
    pub(crate) fn new(headers: Vec<ColumnHeader>, width: u16) -> Self {
        Self { widths: fit(&headers, width, false), headers, width, is_chosen: false }
    }

    /// Fits columns that the user chose; the flexible column shrinks first.
    pub(super) fn chosen(mut headers: Vec<ColumnHeader>, width: u16) -> Self {
        let growing = growing(headers.iter().enumerate());
        if let Some(header) = growing.and_then(|place| headers.get_mut(place)) {
            header.width = header.width.min(LEAST_OF_GROWING);
        }
        Self { widths: fit(&headers, width, true), headers, width, is_chosen: true }
    }

    /// Fits the first column, and as many of the last ones as have room.
    pub(super) fn last(mut headers: Vec<ColumnHeader>, width: u16) -> Self {
        for (header, rank) in headers.iter_mut().skip(1).rev().zip(1..) {
            header.rank = rank;
        }
        if let Some(first) = headers.first_mut() {
            first.rank = 0;
        }
        Self::chosen(headers, width)
    }

    /// Whether all columns have room in rows of this width.
    pub(super) fn have_room<'a>(headers: impl Iterator<Item = &'a ColumnHeader> + Clone, width: u16) -> bool {
        total(headers) <= u32::from(width) + 1
    }

    pub(crate) fn headers(&self) -> &[ColumnHeader] {
        &self.headers
    }

    pub(crate) fn widths(&self) -> &[u16] {
        &self.widths
    }

    /// Returns the place and the width of the column that takes the remaining width.
    pub(super) fn growing(&self) -> Option<(usize, u16)> {
        let shown = self.headers.iter().enumerate().filter(|(place, _)| self.widths.get(*place) > Some(&0));
        let place = growing(shown)?;
        Some((place, *self.widths.get(place)?))
    }

    pub(super) fn change(&mut self, place: usize, change: impl FnOnce(ColumnHeader) -> ColumnHeader) {
        if let Some(header) = self.headers.get_mut(place) {
            *header = change(*header);
        }
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

/// Returns the index of the column that takes the remaining width.
fn growing<'a>(shown: impl DoubleEndedIterator<Item = (usize, &'a ColumnHeader)>) -> Option<usize> {
    let can_grow = shown.filter(|(_, header)| header.grows > 0);
    can_grow.rev().max_by_key(|(_, header)| header.grows).map(|(place, _)| place)
}

/// Returns the columns of the terminal that these take, each with a space after it.
fn total<'a>(shown: impl Iterator<Item = &'a ColumnHeader>) -> u32 {
    shown.map(|header| u32::from(header.width) + 1).sum()
}

fn fit(headers: &[ColumnHeader], width: u16, is_chosen: bool) -> Vec<u16> {
    let mut shown: Vec<(usize, &ColumnHeader)> = headers.iter().enumerate().collect();
    let total = |shown: &[(usize, &ColumnHeader)]| total(shown.iter().map(|(_, header)| *header));
    let room = u32::from(width) + 1;
    while total(&shown) > room {
        let may_vanish = || shown.iter().skip(usize::from(is_chosen));
        let ranked = may_vanish().filter(|(_, header)| header.rank > 0).max_by_key(|(_, header)| header.rank);
        let Some(&(vanishing, _)) = ranked.or_else(|| may_vanish().next_back().filter(|_| is_chosen)) else { break };
        shown.retain(|(place, _)| *place != vanishing);
    }
    let spare = u16::try_from(room.saturating_sub(total(&shown))).unwrap_or(u16::MAX);
    let growing = growing(shown.iter().copied());
    let mut widths = vec![0; headers.len()];
    for (place, header) in shown {
        if let Some(width) = widths.get_mut(place) {
            *width = header.width.saturating_add(if growing == Some(place) { spare } else { 0 });
        }
    }
    // Columns that may not vanish share what there is: the widest give way.
    let is_over = |widths: &[u16]| {
        widths.iter().filter(|width| **width > 0).map(|width| u32::from(*width) + 1).sum::<u32>() > room
    };
    while is_over(&widths)
        && let Some(widest) = widths.iter_mut().max().filter(|widest| **widest > 1)
    {
        *widest -= 1;
    }
    widths
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
        assert_eq!(fit(&HEADERS, 5, false), [0, 2, 2, 0], "what has no rank stays, and shrinks");
        assert_eq!(fit(&HEADERS, 18, false), [0, 8, 9, 0], "the widest gives way");
        assert_eq!(fit(&HEADERS[..2], 30, false), [10, 19], "the lower one grows where the higher one is not");
    }

    #[test]
    fn chosen_columns_vanish_from_the_last_on_and_the_first_never_does() {
        assert_eq!(fit(&HEADERS, 20, true), [10, 9, 0, 0]);
        assert_eq!(fit(&HEADERS[1..3], 5, true), [5, 0]);
        assert_eq!(fit(&HEADERS[..1], 5, true), [5]);
        assert_eq!(fit(&[], 5, true), Vec::<u16>::new());
        let wide = [ColumnHeader::new("words", 40).growing(1), ColumnHeader::new("hash", 9)];
        assert_eq!(FittedColumns::chosen(wide.to_vec(), 30).widths(), [20, 9], "words make room");
    }
}
