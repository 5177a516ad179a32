//! Data that a page offers to the session and to other pages: cursor, selection, records.

use std::sync::Arc;

use serde::Serialize;

use super::Destination;
use crate::{
    app::prompt::CopyChoice,
    columns::{ListRecord, PagePosition, RowsText},
    domain::{
        Address, Denom, DenomName, RowsFilter, RowsFormat, Target, Timestamp, TransferId, file_name_of, mask_addresses,
        rows_text,
        text::{count_of, group},
    },
    msg::{PageId, Request, Total},
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
    /// Path of the file; a relative path is in the working directory.
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
    /// Creates an export to a file in the working directory, whatever the name contains.
    pub(crate) fn new(name: impl Into<String>, contents: String) -> Self {
        Self { name: file_name_of(&name.into()), contents, note: None, is_masked: false }
    }

    /// Creates an export of records, as JSON lines.
    pub(crate) fn lines<T: serde::Serialize>(name: impl Into<String>, records: impl Iterator<Item = T>) -> Self {
        let lines = records.filter_map(|record| serde_json::to_string(&record).ok());
        Self::new(name, lines.fold(String::new(), |all, line| all + &line + "\n"))
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

/// Facts about a list whose rows the user can write to a file.
#[derive(Clone, Debug)]
pub(crate) struct ListFacts {
    /// Name of the whole list's file, without its ending.
    pub(crate) stem: String,
    /// Name of the loaded rows' file, without its ending.
    pub(crate) loaded_stem: String,
    /// Number of loaded rows that can be read.
    pub(crate) loaded: usize,
    pub(crate) unreadable: usize,
    /// Whether the loaded rows are the whole list.
    pub(crate) is_loaded_whole: bool,
    pub(crate) total: Total,
    /// `None` if only the loaded rows can be written.
    pub(crate) whole: Option<WholeList>,
    /// Name of the rows' denom; `None` for a list without one denom.
    pub(crate) denom: Option<DenomName>,
}

/// List that can be read to its end.
#[derive(Clone, Debug)]
pub(crate) struct WholeList {
    /// Request for the first page, with the list's filter and order.
    pub(crate) request: Request,
    /// Filter that the server does not apply.
    pub(crate) filter: RowsFilter,
}

impl WholeList {
    pub(crate) fn new(request: Request) -> Self {
        Self { request, filter: RowsFilter::All }
    }
}

impl ListFacts {
    pub(crate) fn new<R: ListRow>(stem: &str, list: &ListWindow<R>, whole: Option<WholeList>) -> Self {
        let stem = file_name_of(stem);
        Self {
            loaded_stem: stem.clone(),
            stem,
            loaded: list.rows().iter().count(),
            unreadable: list.rows().unreadable(),
            is_loaded_whole: list.is_whole(),
            total: list.total,
            whole,
            denom: None,
        }
    }

    /// Returns a note on the number of loaded rows, for the message about their file.
    pub(crate) fn loaded_note(&self) -> String {
        let loaded = self.loaded as u64;
        let lacks = match self.unreadable {
            0 => String::new(),
            rows => format!("; skipped {}: unreadable", count_of(rows, "row", "rows")),
        };
        let rows = match self.total {
            _ if self.is_loaded_whole => format!("all {}", rows_text(loaded)),
            Total::Exact(total) => format!("{} of {}", group(loaded), rows_text(total)),
            Total::About(total) => format!("{} of ≈ {}", group(loaded), rows_text(total)),
            Total::Unknown => rows_text(loaded),
        };
        rows + &lacks
    }
}

type RowsMaker<'a> = Box<dyn FnOnce(RowsFormat) -> String + 'a>;

type Maker<'a, T> = Box<dyn FnOnce() -> Vec<T> + 'a>;

/// Data that the user can copy and export; built on demand.
#[derive(Default)]
pub(crate) struct TakeAway<'a> {
    copies: Option<Maker<'a, CopyChoice>>,
    exports: Option<Maker<'a, Export>>,
    list: Option<(ListFacts, RowsMaker<'a>)>,
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

    /// Offers the rows of a list.
    pub(crate) fn rows<R: ListRow, T: ListRecord + Serialize + 'a>(
        self,
        stem: impl Into<String>,
        list: &'a ListWindow<R>,
        record: impl Fn(&'a R) -> &'a T + 'a,
        whole: Option<WholeList>,
    ) -> Self {
        self.list(ListFacts::new(&stem.into(), list, whole), move |format| {
            let rows: Vec<&T> = list.rows().iter().map(record).collect();
            let mut text = RowsText::new(format, None);
            text.page::<T, _>(&rows, PagePosition::ALONE) + text.end(true)
        })
    }

    /// Offers a list whose rows `make` writes; nothing without loaded rows.
    pub(crate) fn list(self, facts: ListFacts, make: impl FnOnce(RowsFormat) -> String + 'a) -> Self {
        let has_rows = facts.loaded + facts.unreadable > 0;
        Self { list: if has_rows { Some((facts, Box::new(make))) } else { None }, ..self }
    }

    /// Returns the list that the user can write, and the function that makes its loaded rows' text.
    pub(crate) fn into_list(self) -> Option<(ListFacts, RowsMaker<'a>)> {
        self.list
    }

    pub(crate) fn has_copies(&self) -> bool {
        self.copies.is_some()
    }

    pub(crate) fn has_exports(&self) -> bool {
        self.exports.is_some() || self.list.is_some()
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
    /// Time of the newest answer that brought the rows, where another list may borrow them.
    pub(crate) lent_at: Option<Timestamp>,
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
