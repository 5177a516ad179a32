//! Interpretation of a page's cursor and total (`docs/apis/indexer.md` §2.4, §2.5, §12).

use std::sync::Arc;

use base64::{Engine as _, prelude::BASE64_STANDARD};

use super::rows::RowForm;
use crate::{
    domain::MsgType,
    msg::{ListPage, ListedRow, Note, PageKey, PageRequest, PageStart, Total},
    wire::{Pagination, Tx},
};

/// Meaning of a server's total.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counting {
    /// The total is the newest height, the highest sequence number or an estimate.
    Rough,
    /// The total is the number of rows of this list.
    Exact,
}

pub(super) fn value<T, R: RowForm<T>>(row: &Arc<R>) -> &T {
    R::borrow(row)
}

/// Cleans a page: keeps a next key only if more rows may follow, and a total only if it is meaningful.
pub(super) fn clean<T>(
    mut rows: Vec<ListedRow<T>>,
    pagination: Pagination,
    asked: &PageRequest,
    counting: Counting,
) -> ListPage<Arc<T>> {
    let total = worth_of(pagination.total, rows.len(), asked, counting);
    let mut notes = Vec::new();
    notes.extend(pagination.oldest_height.map(|oldest| Note::Filling { oldest }));
    // The real server sends a key with every non-empty page, so only a short page is the last. While the server still
    // indexes older rows, no page is the last.
    let is_last = rows.len() < usize::from(asked.limit) && pagination.oldest_height.is_none();
    // Drop rows beyond the requested limit.
    rows.truncate(usize::from(asked.limit));
    let key = pagination.next_key.filter(|key| !key.is_empty());
    if rows.is_empty() && key.is_some() {
        notes.push(Note::EmptyPage);
    }
    let mut next = key.map(|key| PageKey(key.into()));
    if is_last && let Some(key) = next.take().filter(|_| !rows.is_empty()) {
        notes.push(Note::ShortPage(key));
    }
    if next.is_some() && key_of(&asked.cursor) == next.as_ref() {
        next = None;
        notes.push(Note::RepeatedKey);
    }
    let rows = rows.into_iter().map(|row| match row {
        ListedRow::Read(row) => ListedRow::Read(Arc::new(row)),
        ListedRow::Unreadable(row) => ListedRow::Unreadable(row),
    });
    ListPage::of_listed(rows.collect(), ListPage { items: Vec::new(), next, total, notes })
}

fn key_of(cursor: &PageStart) -> Option<&PageKey> {
    match cursor {
        PageStart::Key(key) => Some(key),
        PageStart::Start | PageStart::Offset(_) => None,
    }
}

fn worth_of(total: i64, rows: usize, asked: &PageRequest, counting: Counting) -> Total {
    let Ok(total) = u64::try_from(total) else { return Total::Unknown };
    if total == 0 {
        // The server sends 0 if it did not count; an empty first page of a counted list proves a total of 0.
        return if rows == 0 && asked.count_total { Total::Exact(0) } else { Total::Unknown };
    }
    match counting {
        _ if total < rows as u64 => Total::Unknown,
        Counting::Rough => Total::About(total),
        Counting::Exact => Total::Exact(total),
    }
}

/// Keeps transactions with a message of one of the types, and unreadable transactions; drops the total, which counts
/// the unfiltered list.
pub(super) fn filter<R: RowForm<Tx>>(
    page: ListPage<Arc<R>>,
    msgs: &[MsgType],
    note: impl FnOnce(usize) -> Note,
) -> ListPage<Arc<R>> {
    let (mut rows, mut rest) = page.into_listed();
    rest.total = Total::Unknown;
    rest.notes.push(note(rows.len()));
    rows.retain(|row| row.read().is_none_or(|tx| value(tx).holds_any(msgs)));
    ListPage::of_listed(rows, rest)
}

/// Whether every row passes the filter. A server that knows the filter sends only such rows.
pub(super) fn is_filtered<R: RowForm<Tx>>(page: &ListPage<Arc<R>>, msgs: &[MsgType]) -> bool {
    msgs.is_empty() || page.items.iter().all(|tx| value(tx).holds_any(msgs))
}

/// Returns the key that the real server uses for an offset, on lists without cursors (`docs/apis/indexer.md` §2.3).
pub(super) fn offset_key(rows: u64) -> PageKey {
    PageKey(BASE64_STANDARD.encode(rows.to_string()).into())
}

/// Returns the offset where a page starts, if known.
pub(super) fn offset_of(cursor: &PageStart) -> Option<u64> {
    match cursor {
        PageStart::Start => Some(0),
        PageStart::Offset(rows) => Some(*rows),
        PageStart::Key(key) => {
            let digits = BASE64_STANDARD.decode(key.0.as_bytes()).ok()?;
            std::str::from_utf8(&digits).ok()?.parse().ok()
        }
    }
}
