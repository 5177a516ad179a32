//! What words looked up and the glossary lacks.

use std::{
    collections::BTreeSet,
    mem,
    sync::{Arc, Mutex, PoisonError},
};

/// Maximum items to remember, since anyone can make denoms and transactions.
const MOST: usize = 1_000;

/// Items that were looked up although the chain may know more, for the caller to ask the chain. Copies of a glossary
/// share them.
#[derive(Clone, Debug)]
pub(super) struct LookedUp<T>(Arc<Mutex<LookedUpItems<T>>>);

#[derive(Debug)]
struct LookedUpItems<T> {
    seen: BTreeSet<T>,
    /// Items that the caller has not taken yet.
    fresh: Vec<T>,
}

impl<T> Default for LookedUp<T> {
    fn default() -> Self {
        Self(Arc::new(Mutex::new(LookedUpItems { seen: BTreeSet::new(), fresh: Vec::new() })))
    }
}

impl<T: Clone + Ord> LookedUp<T> {
    fn with<R>(&self, read: impl FnOnce(&mut LookedUpItems<T>) -> R) -> R {
        read(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    pub(super) fn see(&self, item: &T) {
        self.with(|items| {
            if items.seen.len() < MOST && !items.seen.contains(item) {
                items.seen.insert(item.clone());
                items.fresh.push(item.clone());
            }
        });
    }

    /// Returns the items that were looked up for the first time since the last call.
    pub(super) fn take(&self) -> Vec<T> {
        self.with(|items| mem::take(&mut items.fresh))
    }

    pub(super) fn has_fresh(&self) -> bool {
        self.with(|items| !items.fresh.is_empty())
    }
}
