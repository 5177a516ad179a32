use std::sync::Arc;

use super::{ListPage, Note};
use crate::wire::ApiError;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ListedRow<T> {
    Read(T),
    /// The row does not match the API's schema.
    Unreadable(Arc<UnreadableRow>),
}

/// Row that does not match the API's schema, on a page with readable rows.
#[derive(Debug, PartialEq, Eq)]
pub struct UnreadableRow {
    /// Number of readable rows before this row on its page.
    pub place: usize,
    /// Parse error with its JSON path.
    pub error: ApiError,
    /// JSON of the row as received.
    pub raw: Arc<str>,
}

impl<T> ListedRow<T> {
    pub fn read(&self) -> Option<&T> {
        match self {
            Self::Read(row) => Some(row),
            Self::Unreadable(_) => None,
        }
    }

    pub fn read_mut(&mut self) -> Option<&mut T> {
        match self {
            Self::Read(row) => Some(row),
            Self::Unreadable(_) => None,
        }
    }
}

impl<T> ListPage<T> {
    pub fn of_listed(rows: Vec<ListedRow<T>>, mut page: ListPage<()>) -> Self {
        let mut items = Vec::with_capacity(rows.len());
        for row in rows {
            match row {
                ListedRow::Read(row) => items.push(row),
                ListedRow::Unreadable(row) => {
                    let UnreadableRow { error, raw, .. } = &*row;
                    let row = UnreadableRow { place: items.len(), error: error.clone(), raw: Arc::clone(raw) };
                    page.notes.push(Note::Unreadable(Arc::new(row)));
                }
            }
        }
        ListPage { items, next: page.next, total: page.total, notes: page.notes }
    }

    /// Splits into all rows in list order, and the page without rows and without [`Note::Unreadable`].
    pub fn into_listed(self) -> (Vec<ListedRow<T>>, ListPage<()>) {
        let Self { items, next, total, notes } = self;
        let (unreadable, notes): (Vec<_>, Vec<_>) = notes.into_iter().partition(|note| note.unreadable().is_some());
        let mut unreadable = unreadable.iter().filter_map(Note::unreadable).peekable();
        let mut rows = Vec::with_capacity(items.len());
        for (place, item) in items.into_iter().enumerate() {
            while let Some(row) = unreadable.next_if(|row| row.place <= place) {
                rows.push(ListedRow::Unreadable(Arc::clone(row)));
            }
            rows.push(ListedRow::Read(item));
        }
        rows.extend(unreadable.map(|row| ListedRow::Unreadable(Arc::clone(row))));
        (rows, ListPage { items: Vec::new(), next, total, notes })
    }

    /// Returns the unreadable rows, in list order.
    pub fn unreadable(&self) -> impl Iterator<Item = &Arc<UnreadableRow>> {
        self.notes.iter().filter_map(Note::unreadable)
    }

    /// Returns the page, or the error of its first unreadable row.
    pub fn all_read(self) -> Result<Self, ApiError> {
        let error = self.unreadable().next().map(|row| row.error.clone());
        error.map_or(Ok(self), Err)
    }

    /// Returns the rows of a list with one page; `None` if it has further pages or unreadable rows.
    pub fn whole(self) -> Option<Vec<T>> {
        let Self { items, next, .. } = self.all_read().ok()?;
        next.is_none().then_some(items)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::{ListPage, ListedRow, UnreadableRow};
    use crate::{msg::Total, wire::ApiError};

    fn row(text: &str) -> ListedRow<u8> {
        let unreadable = || UnreadableRow { place: 0, error: ApiError::of_another_kind(), raw: text.into() };
        text.parse().map_or_else(|_| ListedRow::Unreadable(Arc::new(unreadable())), ListedRow::Read)
    }

    #[test]
    fn rows_that_cannot_be_read_keep_their_places() {
        for texts in [&["1", "x", "2"][..], &["x", "y", "1"], &["1", "x", "y"], &["1", "2"], &["x"], &[]] {
            let rows: Vec<_> = texts.iter().map(|text| row(text)).collect();
            let bare = ListPage { items: Vec::new(), next: None, total: Total::Unknown, notes: Vec::new() };
            let page = ListPage::of_listed(rows, bare);
            assert_eq!(page.items.len() + page.unreadable().count(), texts.len());
            assert_eq!(page.scanned(), texts.len(), "all of them came");
            assert_eq!(page.clone().all_read().is_ok(), page.items.len() == texts.len());
            let (rows, rest) = page.into_listed();
            let shown: Vec<String> = rows
                .iter()
                .map(|row| match row {
                    ListedRow::Read(number) => number.to_string(),
                    ListedRow::Unreadable(row) => row.raw.to_string(),
                })
                .collect();
            assert_eq!(shown, texts);
            assert!(rest.notes.is_empty());
        }
    }
}
