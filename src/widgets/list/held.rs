//! Rows that a window holds, those included that cannot be read.

use std::{collections::VecDeque, sync::Arc};

use super::ListRow;
use crate::msg::ListedRow;

/// What tells rows apart, also where one cannot be read: then it is known by its JSON.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum HeldKey<K> {
    Read(K),
    Unreadable(Arc<str>),
}

/// The key of a row.
pub(super) fn key_of<R: ListRow>(row: &ListedRow<R>) -> HeldKey<R::Key> {
    match row {
        ListedRow::Read(row) => HeldKey::Read(row.key()),
        ListedRow::Unreadable(row) => HeldKey::Unreadable(Arc::clone(&row.raw)),
    }
}

/// The rows held. Places and numbers count all of them; what goes through them passes over those that cannot be read.
#[derive(Debug)]
pub(crate) struct HeldRows<'a, R>(pub(super) &'a VecDeque<ListedRow<R>>);

impl<R> Clone for HeldRows<'_, R> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<R> Copy for HeldRows<'_, R> {}

impl<'a, R> HeldRows<'a, R> {
    pub(crate) fn len(self) -> usize {
        self.0.len()
    }

    pub(crate) fn is_empty(self) -> bool {
        self.0.is_empty()
    }

    /// Those that can be read.
    pub(crate) fn iter(self) -> impl DoubleEndedIterator<Item = &'a R> + Clone {
        self.0.iter().filter_map(ListedRow::read)
    }

    /// Those that can be read, each with its place.
    pub(crate) fn places(self) -> impl DoubleEndedIterator<Item = (usize, &'a R)> {
        let places = 0..self.0.len();
        places.zip(self.0).filter_map(|(place, row)| Some((place, row.read()?)))
    }

    /// All of them.
    pub(crate) fn listed(self) -> impl DoubleEndedIterator<Item = &'a ListedRow<R>> + ExactSizeIterator {
        self.0.iter()
    }

    /// How many cannot be read.
    pub(crate) fn unreadable(self) -> usize {
        self.0.iter().filter(|row| row.read().is_none()).count()
    }
}
