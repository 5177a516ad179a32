//! Rows held by a window, readable and unreadable.

use std::{collections::VecDeque, sync::Arc};

use super::ListRow;
use crate::msg::ListedRow;

/// Identity of a row: its key, or its JSON if it is unreadable.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum HeldKey<K> {
    Read(K),
    Unreadable(Arc<str>),
}

pub(super) fn key_of<R: ListRow>(row: &ListedRow<R>) -> HeldKey<R::Key> {
    match row {
        ListedRow::Read(row) => HeldKey::Read(row.key()),
        ListedRow::Unreadable(row) => HeldKey::Unreadable(Arc::clone(&row.raw)),
    }
}

/// Rows that a window holds. Indices and counts include unreadable rows; iteration skips them.
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

    pub(crate) fn iter(self) -> impl DoubleEndedIterator<Item = &'a R> + Clone {
        self.0.iter().filter_map(ListedRow::read)
    }

    pub(crate) fn listed(self) -> impl DoubleEndedIterator<Item = &'a ListedRow<R>> + ExactSizeIterator {
        self.0.iter()
    }

    pub(crate) fn unreadable(self) -> usize {
        self.0.iter().filter(|row| row.read().is_none()).count()
    }
}
