//! Data that a page offers to the session and to other pages: cursor, selection, records.

use std::sync::Arc;

use serde::Serialize;

use super::Destination;
use crate::{
    app::prompt::CopyChoice,
    domain::{Address, Denom, Target, TransferId, mask_addresses, text::count_of},
    msg::PageId,
    widgets::{
        cursor::Cursor,
        document::Lines,
        list::{ListRow, ListWindow},
        picker::{Pickable, SearchText},
    },
    wire,
};

/// Element with the cursor.
#[derive(Clone, Copy)]
pub(crate) enum Focus<'a> {
    Cursor(&'a dyn Cursor),
    Lines(&'a dyn Lines),
}

impl<'a> Focus<'a> {
    pub(crate) fn cursor(self) -> &'a dyn Cursor {
        match self {
            Self::Cursor(cursor) => cursor,
            Self::Lines(lines) => lines,
        }
    }

    pub(crate) fn lines(self) -> Option<&'a dyn Lines> {
        if let Self::Lines(lines) = self { Some(lines) } else { None }
    }
}

/// Element with the cursor, mutable.
pub(crate) enum FocusMut<'a> {
    Cursor(&'a mut dyn Cursor),
    Lines(&'a mut dyn Lines),
}

impl<'a> FocusMut<'a> {
    pub(crate) fn cursor(self) -> &'a mut dyn Cursor {
        match self {
            Self::Cursor(cursor) => cursor,
            Self::Lines(lines) => lines,
        }
    }

    pub(crate) fn lines(self) -> Option<&'a mut dyn Lines> {
        if let Self::Lines(lines) = self { Some(lines) } else { None }
    }
}

#[derive(Debug, Default)]
pub(crate) struct Selection {
    pub(crate) tx: Option<Arc<wire::Tx>>,
    pub(crate) block: Option<Arc<wire::Block>>,
    pub(crate) transfer: Option<TransferId>,
    /// Account of the selection. If unset, the account in the line under the cursor counts.
    pub(crate) account: Option<Address>,
    /// What a web explorer should show. Transactions and blocks need not be set here.
    pub(crate) web: Option<WebSubject>,
}

/// File to write, and a note for the message about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Export {
    /// Name of the file, without a directory.
    pub(crate) name: String,
    pub(crate) contents: String,
    pub(crate) note: Option<String>,
    /// Whether the addresses in the contents are masked.
    pub(crate) is_masked: bool,
}

impl Pickable for Export {
    fn texts(&self) -> Vec<SearchText<'_>> {
        Vec::new()
    }
}

impl Export {
    pub(crate) fn new(name: impl Into<String>, contents: String) -> Self {
        Self { name: name.into(), contents, note: None, is_masked: false }
    }

    /// Creates an export of records, as JSON lines.
    pub(crate) fn lines<T: serde::Serialize>(name: impl Into<String>, records: impl Iterator<Item = T>) -> Self {
        let lines = records.filter_map(|record| serde_json::to_string(&record).ok());
        Self::new(name, lines.fold(String::new(), |all, line| all + &line + "\n"))
    }

    /// Notes how many rows of the list were unreadable.
    pub(crate) fn lacking(mut self, rows: usize) -> Self {
        if rows > 0 {
            let rows = count_of(rows, "row", "rows");
            self.note = Some(format!("skipped {rows}: unreadable"));
        }
        self
    }

    /// Masks the addresses in the contents, and says so in the name.
    #[must_use]
    pub(crate) fn masked(&self) -> Self {
        let (stem, ending) = self.name.split_once('.').unwrap_or((&self.name, ""));
        let name = format!("{stem}-masked.{ending}");
        Self { name, contents: mask_addresses(&self.contents), note: self.note.clone(), is_masked: true }
    }

    /// Creates an export of one record, as JSON.
    pub(crate) fn record(name: impl Into<String>, record: &impl serde::Serialize) -> Self {
        Self::new(name, serde_json::to_string_pretty(record).unwrap_or_default())
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum WebSubject {
    Account(Address),
    Url(String),
}

type Maker<'a, T> = Box<dyn FnOnce() -> Vec<T> + 'a>;

/// Data that the user can copy and export; built on demand.
#[derive(Default)]
pub(crate) struct TakeAway<'a> {
    copies: Option<Maker<'a, CopyChoice>>,
    exports: Option<Maker<'a, Export>>,
}

impl<'a> TakeAway<'a> {
    /// Creates an offer of only the line, transaction or block under the cursor.
    pub(crate) fn new() -> Self {
        Self::default()
    }

    pub(crate) fn copies(self, make: impl FnOnce() -> Vec<CopyChoice> + 'a) -> Self {
        self.copies_if(true, make)
    }

    pub(crate) fn copies_if(self, has_any: bool, make: impl FnOnce() -> Vec<CopyChoice> + 'a) -> Self {
        Self { copies: if has_any { Some(Box::new(make)) } else { None }, ..self }
    }

    pub(crate) fn exports_if(self, has_any: bool, make: impl FnOnce() -> Vec<Export> + 'a) -> Self {
        Self { exports: if has_any { Some(Box::new(make)) } else { None }, ..self }
    }

    /// Offers the rows of a list, as JSON lines.
    pub(crate) fn rows<R: ListRow, T: Serialize + 'a>(
        self,
        name: impl Into<String>,
        list: &'a ListWindow<R>,
        record: impl Fn(&'a R) -> &'a T + 'a,
    ) -> Self {
        let (name, rows) = (name.into(), list.rows());
        self.exports_if(!rows.is_empty(), move || {
            vec![Export::lines(name, rows.iter().map(record)).lacking(rows.unreadable())]
        })
    }

    pub(crate) fn has_copies(&self) -> bool {
        self.copies.is_some()
    }

    pub(crate) fn has_exports(&self) -> bool {
        self.exports.is_some()
    }

    pub(crate) fn make_copies(self) -> Vec<CopyChoice> {
        self.copies.map_or_else(Vec::new, |make| make())
    }

    pub(crate) fn make_exports(self) -> Vec<Export> {
        self.exports.map_or_else(Vec::new, |make| make())
    }
}

/// Records of a page, which go-to suggests and the denom search reads.
#[derive(Debug, Default)]
pub(crate) struct Held<'a> {
    pub(crate) blocks: Vec<&'a Arc<wire::Block>>,
    pub(crate) txs: Vec<&'a Arc<wire::Tx>>,
    /// Further targets that go-to may suggest, with their names; untrusted text.
    pub(crate) targets: Vec<(Target, Option<String>)>,
    /// Accounts on the page that are not in rows of its lists.
    pub(crate) accounts: Vec<Address>,
    pub(crate) typed_denoms: &'a [Denom],
}

#[derive(Debug)]
pub(crate) enum Neighbour {
    /// The page has no list of such records.
    NoList,
    /// The neighbouring row is not loaded.
    End,
    /// The neighbour has no page, for this reason.
    Cut(&'static str),
    Page(Destination),
}

impl Neighbour {
    /// Returns the transaction `step` rows away from `of`. `id` is the page with the list.
    pub(crate) fn among_txs(txs: &[&Arc<wire::Tx>], of: &Target, step: isize, id: PageId) -> Self {
        let Target::Tx(hash) = of else { return Self::NoList };
        let place = txs.iter().position(|tx| tx.txhash == *hash).and_then(|place| place.checked_add_signed(step));
        match place.and_then(|place| txs.get(place)) {
            _ if txs.is_empty() => Self::NoList,
            Some(tx) => Self::Page(Destination::loaded_tx(Arc::clone(tx), Some(id))),
            None => Self::End,
        }
    }
}
