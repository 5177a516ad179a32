//! What the rows of a list alone do not tell: said on standard error, behind them.

use std::sync::Arc;

use super::super::record::CommandRecord;
use crate::{
    domain::{
        Height,
        text::{clip, count_of, group},
    },
    msg::{Note, UnreadableRow},
};

/// Columns of what is wrong with a row.
const REASON: usize = 160;

/// Why a list ended before its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EarlyEnd {
    RepeatedKey,
    NothingNew,
    EmptyPage,
    /// Servers cannot find the NFT whose list it is.
    Unaddressable,
    /// More follows, though no key for it could be had.
    UnknownKey,
}

/// In which form rows are written that cannot be read, and those that came twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::cli) enum OddRows {
    /// Those that cannot be read are left out, the others are written once.
    LeftOut,
    /// The same, but the first are marked where they stand.
    Marked,
    /// As the server gave them.
    AsReceived,
}

/// What was seen on the way through a list.
#[derive(Debug, Default)]
pub(super) struct WalkReport {
    /// Rows that were given, each once, with those that cannot be read.
    pub(super) given: u64,
    /// Of these, the ones that cannot be read.
    pub(super) unreadable: u64,
    /// What is wrong with the first of them.
    pub(super) first_unreadable: Option<Arc<UnreadableRow>>,
    /// Rows looked through for a filter that the server does not apply.
    pub(super) scanned: usize,
    /// Whether the server knows none of the types and took that for no filter.
    pub(super) ignores_types: bool,
    /// Rows that came again.
    pub(super) repeated: u64,
    /// Rows that should have come before another one.
    pub(super) out_of_order: u64,
    /// Rows that the server cannot show.
    pub(super) left_out: usize,
    /// How many rows the server counted before the first of them.
    pub(super) counted: Option<u64>,
    /// Whether the list was followed to its end.
    pub(super) is_complete: bool,
    pub(super) early_end: Option<EarlyEnd>,
    /// How far down a server that still indexes history had come with its last page.
    pub(super) filled_to: Option<Height>,
}

impl WalkReport {
    /// What a page's notes say of the whole list.
    pub(super) fn take_notes(&mut self, notes: &[Note]) {
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
                Note::Unreadable(_) | Note::Filling { .. } => {}
            }
        }
        let filled_to =
            notes.iter().find_map(|note| if let Note::Filling { oldest } = note { Some(*oldest) } else { None });
        self.filled_to = filled_to;
    }

    /// Says it on standard error.
    pub(super) fn print<T: CommandRecord>(&self, odd_rows: OddRows, types: Option<&str>, all: bool) {
        for sentence in self.sentences::<T>(odd_rows, types, all) {
            eprintln!("note: {sentence}");
        }
    }

    fn sentences<T: CommandRecord>(&self, odd_rows: OddRows, types: Option<&str>, all: bool) -> Vec<String> {
        let filter = self.filter_sentence::<T>(types, all);
        let rows = [self.left_out_sentence(), self.unreadable_sentence(odd_rows), self.repeated_sentence(odd_rows)];
        let rest = [self.order_sentence(), self.count_sentence(), self.end_sentence(), self.filling_sentence()];
        filter.into_iter().chain(rows.into_iter().flatten()).chain(rest.into_iter().flatten()).collect()
    }

    fn filter_sentence<T: CommandRecord>(&self, types: Option<&str>, all: bool) -> Option<String> {
        let shown = self.given - self.unreadable;
        let types = types.unwrap_or_default();
        if self.scanned > 0 {
            let why = if self.ignores_types {
                format!("; servers ignore a filter by types of which they never saw a message: {types}")
            } else {
                String::new()
            };
            let more = if all || !T::SCANS_PAGES { "" } else { "; --all looks through everything" };
            let (scanned, filter) = (group(self.scanned as u64), T::FILTER);
            return Some(format!(
                "the server did not {filter}: {shown} of {scanned} rows looked through here fit{more}{why}"
            ));
        }
        let finds_nothing = !types.is_empty() && shown == 0 && self.is_complete;
        finds_nothing.then(|| format!("no row has a message of type {types}; check how it is written"))
    }

    fn filling_sentence(&self) -> Option<String> {
        let to = self.filled_to?;
        Some(format!("the server is still indexing older blocks, so far down to {}", group(to.get())))
    }

    fn left_out_sentence(&self) -> Option<String> {
        let rows = self.left_out;
        (rows > 0).then(|| format!("the server cannot show {rows} of the rows, which are left out"))
    }

    fn unreadable_sentence(&self, odd_rows: OddRows) -> Option<String> {
        let first = self.first_unreadable.as_ref()?;
        let rows = usize::try_from(self.unreadable).unwrap_or(usize::MAX);
        let what = match odd_rows {
            OddRows::Marked => return None,
            OddRows::LeftOut => {
                count_of(rows, "row cannot be read and is left out", "rows cannot be read and are left out")
            }
            OddRows::AsReceived => count_of(
                rows,
                "row cannot be read and is given as it came",
                "rows cannot be read and are given as they came",
            ),
        };
        let first = clip(&first.error.brief(), REASON);
        Some(format!("{what}; {}{first}", if rows > 1 { "the first: " } else { "" }))
    }

    fn repeated_sentence(&self, odd_rows: OddRows) -> Option<String> {
        let rows = usize::try_from(self.repeated).unwrap_or(usize::MAX);
        let once = if odd_rows == OddRows::AsReceived { "" } else { ", written once" };
        let what = count_of(rows, "row came twice", "rows came twice");
        (rows > 0).then(|| format!("{what}{once}: the list changed while it was read, so others may be missing"))
    }

    fn order_sentence(&self) -> Option<String> {
        let rows = usize::try_from(self.out_of_order).unwrap_or(usize::MAX);
        let what = count_of(rows, "row is out of order", "rows are out of order");
        (rows > 0).then(|| format!("{what}, as the server gave them"))
    }

    fn count_sentence(&self) -> Option<String> {
        let counted = self.counted.filter(|_| self.is_complete || self.early_end.is_some())?;
        let given = self.given + self.left_out as u64;
        (given < counted).then(|| format!("the server counted {} rows, and gave {}", group(counted), group(given)))
    }

    fn end_sentence(&self) -> Option<String> {
        let sentence = match self.early_end? {
            EarlyEnd::RepeatedKey => "the server gave the same key again, so the list ends early",
            EarlyEnd::NothingNew => "the server gave a page with nothing new, so the list ends early",
            EarlyEnd::EmptyPage => "the server gave an empty page as if more followed, so the list may end early",
            EarlyEnd::Unaddressable => {
                "servers cannot find an NFT whose id has such characters, so its list stays empty"
            }
            EarlyEnd::UnknownKey => "more rows follow, but the server gave no key that begins with them",
        };
        Some(sentence.to_owned())
    }
}
