//! Version of an index: it rises with each change, so that an answer can be kept until the next one.

use std::sync::atomic::{AtomicU64, Ordering};

/// Counts changes that have begun and that have ended.
#[derive(Debug, Default)]
pub(super) struct ChangeCounter {
    begun: AtomicU64,
    ended: AtomicU64,
}

/// Change that ends when this is dropped.
#[derive(Debug)]
pub(super) struct ChangeInProgress<'a>(&'a ChangeCounter);

impl ChangeCounter {
    /// Begins a change, before any reader can see it.
    pub(super) fn begin(&self) -> ChangeInProgress<'_> {
        self.begun.fetch_add(1, Ordering::SeqCst);
        ChangeInProgress(self)
    }

    /// Returns the number of changes; `None` during a change, which readers may see already or not yet.
    pub(super) fn version(&self) -> Option<u64> {
        // In this order: changes that begin later cannot have ended earlier.
        let ended = self.ended.load(Ordering::SeqCst);
        (self.begun.load(Ordering::SeqCst) == ended).then_some(ended)
    }
}

impl Drop for ChangeInProgress<'_> {
    fn drop(&mut self) {
        self.0.ended.fetch_add(1, Ordering::SeqCst);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_no_version_while_any_change_is_in_progress() {
        let changes = ChangeCounter::default();
        assert_eq!(changes.version(), Some(0));
        let (first, second) = (changes.begin(), changes.begin());
        assert_eq!(changes.version(), None);
        drop(first);
        assert_eq!(changes.version(), None);
        drop(second);
        assert_eq!(changes.version(), Some(2));
    }
}
