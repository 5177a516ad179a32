//! Notes about a list that its rows do not show.

use std::sync::Arc;

use crate::{
    columns::ListRecord,
    domain::{
        Height,
        text::{clip, count_of, group},
    },
    msg::{Note, UnreadableRow},
};

/// Maximum width of the reason for an unreadable row, in terminal columns.
const REASON: usize = 160;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EarlyEnd {
    RepeatedKey,
    NothingNew,
    EmptyPage,
    /// No request can contain the NFT's id.
    Unaddressable,
    /// The list has more rows, but the server sent no key for them.
    UnknownKey,
}

/// Output of unreadable and repeated rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OddRows {
    /// Omits unreadable rows; writes a repeated row once.
    LeftOut,
    /// Writes each row once, and marks unreadable rows in place.
    Marked,
    /// Writes all rows as received.
    AsReceived,
}

/// Observations while reading a list.
#[derive(Debug, Default)]
pub(crate) struct WalkReport {
    /// Number of rows written, each counted once, including unreadable rows.
    pub(crate) given: u64,
    /// Number of unreadable rows among the written rows.
    pub(crate) unreadable: u64,
    pub(crate) first_unreadable: Option<Arc<UnreadableRow>>,
    /// Number of rows scanned for a filter that the server did not apply.
    pub(crate) scanned: usize,
    /// Whether the server ignored the filter because it does not know any of the types.
    pub(crate) ignores_types: bool,
    pub(crate) repeated: u64,
    /// Number of rows that contradict an earlier row of their key, and the words for the first.
    pub(crate) contradicted: u64,
    pub(crate) first_contradicted: Option<String>,
    pub(crate) out_of_order: u64,
    /// Number of rows that the server could not show.
    pub(crate) left_out: usize,
    /// Total that the server reported before the first row; `None` if it reported no total.
    pub(crate) counted: Option<u64>,
    /// Total of a list over the whole chain, which is its newest height or highest sequence.
    pub(crate) highest: Option<u64>,
    /// Whether the list was read to its end.
    pub(crate) is_complete: bool,
    pub(crate) early_end: Option<EarlyEnd>,
    /// Lowest indexed height at the last page, if the server still indexes history; else `None`.
    pub(crate) filled_to: Option<Height>,
}

impl WalkReport {
    pub(crate) fn take_notes(&mut self, notes: &[Note]) {
        for note in notes {
            match note {
                Note::LeftOut { rows } => self.left_out += rows,
                Note::IdNotAddressable => self.early_end = Some(EarlyEnd::Unaddressable),
                Note::RepeatedKey => self.early_end = Some(EarlyEnd::RepeatedKey),
                Note::EmptyPage => self.early_end = Some(EarlyEnd::EmptyPage),
                Note::FilterIgnoredByServer { scanned } => {
                    self.scanned += scanned;
                    self.ignores_types = true;
                }
                Note::FilteredHere { scanned } => self.scanned += scanned,
                Note::Unreadable(_) | Note::Filling { .. } | Note::ShortPage(_) => {}
            }
        }
        let filled_to =
            notes.iter().find_map(|note| if let Note::Filling { oldest } = note { Some(*oldest) } else { None });
        self.filled_to = filled_to;
    }

    /// Returns the notes as sentences, for rows that were shown in this way.
    pub(crate) fn sentences<T: ListRecord>(&self, odd_rows: OddRows, types: Option<&str>, all: bool) -> Vec<String> {
        let filter = self.filter_sentence::<T>(types, all);
        let rows = [
            self.left_out_sentence(),
            self.unreadable_sentence(odd_rows),
            self.contradiction_sentence(odd_rows),
            self.repeated_sentence(odd_rows),
        ];
        let rest = [
            self.order_sentence(),
            self.count_sentence(),
            self.total_sentence(),
            self.end_sentence(),
            self.filling_sentence(),
        ];
        filter.into_iter().chain(rows.into_iter().flatten()).chain(rest.into_iter().flatten()).collect()
    }

    fn filter_sentence<T: ListRecord>(&self, types: Option<&str>, all: bool) -> Option<String> {
        let shown = self.given - self.unreadable;
        let types = types.unwrap_or_default();
        if self.scanned > 0 {
            let why = if self.ignores_types {
                format!("; servers ignore a filter for unknown types: {types}")
            } else {
                String::new()
            };
            let more = if all || !T::SCANS_PAGES { "" } else { "; --all scans all rows" };
            let (scanned, filter) = (group(self.scanned as u64), T::FILTER);
            return Some(format!("the server did not {filter}: {shown} of {scanned} scanned rows match{more}{why}"));
        }
        let finds_nothing = !types.is_empty() && shown == 0 && self.is_complete;
        finds_nothing.then(|| format!("no row has a message of type {types}; check the spelling"))
    }

    fn filling_sentence(&self) -> Option<String> {
        let to = self.filled_to?;
        Some(format!("the server is still indexing older blocks, down to {}", group(to.get())))
    }

    fn left_out_sentence(&self) -> Option<String> {
        let rows = self.left_out;
        (rows > 0).then(|| format!("skipped {} that the server cannot serve", count_of(rows, "row", "rows")))
    }

    fn unreadable_sentence(&self, odd_rows: OddRows) -> Option<String> {
        let first = self.first_unreadable.as_ref()?;
        let rows = usize::try_from(self.unreadable).unwrap_or(usize::MAX);
        let what = match odd_rows {
            OddRows::Marked => return None,
            OddRows::LeftOut => count_of(rows, "unreadable row skipped", "unreadable rows skipped"),
            OddRows::AsReceived => {
                count_of(rows, "unreadable row kept as raw JSON", "unreadable rows kept as raw JSON")
            }
        };
        let first = clip(&first.error.brief(), REASON);
        Some(format!("{what}; {}{first}", if rows > 1 { "the first: " } else { "" }))
    }

    fn contradiction_sentence(&self, odd_rows: OddRows) -> Option<String> {
        let first = self.first_contradicted.as_ref()?;
        let others = usize::try_from(self.contradicted - 1).unwrap_or(usize::MAX);
        let more = if others > 0 { format!(" and for {}", count_of(others, "other", "others")) } else { String::new() };
        let once = if odd_rows == OddRows::AsReceived { "" } else { "; only the first row is written" };
        Some(format!("the server contradicts itself: different rows for {first}{more}{once}"))
    }

    fn repeated_sentence(&self, odd_rows: OddRows) -> Option<String> {
        let rows = usize::try_from(self.repeated).unwrap_or(usize::MAX);
        let once = if odd_rows == OddRows::AsReceived { "" } else { ", written once" };
        let what = count_of(rows, "duplicate row", "duplicate rows");
        (rows > 0).then(|| format!("{what}{once}: the list changed meanwhile, so other rows may be missing"))
    }

    fn order_sentence(&self) -> Option<String> {
        let rows = usize::try_from(self.out_of_order).unwrap_or(usize::MAX);
        let what = count_of(rows, "row is out of order", "rows are out of order");
        (rows > 0).then(|| format!("{what}, in the server's order"))
    }

    fn count_sentence(&self) -> Option<String> {
        let counted = self.counted.filter(|_| self.is_complete || self.early_end.is_some())?;
        let given = self.given + self.left_out as u64;
        (given < counted).then(|| format!("the server counted {} rows but sent {}", group(counted), group(given)))
    }

    fn total_sentence(&self) -> Option<String> {
        let total = self.highest.filter(|_| self.is_complete && self.filled_to.is_none())?;
        let given = self.given + self.left_out as u64;
        let rows = count_of(usize::try_from(given).unwrap_or(usize::MAX), "row", "rows");
        (given < total).then(|| format!("the server's total is {}, but its list ended after {rows}", group(total)))
    }

    fn end_sentence(&self) -> Option<String> {
        let sentence = match self.early_end? {
            EarlyEnd::RepeatedKey => "the server repeated a key, so the list ends early",
            EarlyEnd::NothingNew => "the server sent a page without new rows, so the list ends early",
            EarlyEnd::EmptyPage => "the server sent an empty page with a next key, so the list may end early",
            EarlyEnd::Unaddressable => "servers cannot look up this NFT id, so the list is empty",
            EarlyEnd::UnknownKey => "more rows follow, but the server sent no key for them",
        };
        Some(sentence.to_owned())
    }
}
