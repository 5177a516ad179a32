//! Items that the screen showed without something that a request may bring: one is requested at a time.

use std::{collections::BTreeMap, time::Duration};

use crate::domain::Timestamp;

/// Time before the second request for an item: calls are traced some blocks after their transaction.
const AFTER_FAILURE: Duration = Duration::from_secs(10);
/// Factor of that time for each further request.
const SLOWER: u32 = 4;
/// Maximum items to request in a session.
const MOST_ASKED: usize = 500;

#[derive(Debug)]
pub(super) struct Lookups<T> {
    /// Time of the next request by item, and the wait after it.
    due: BTreeMap<T, (Timestamp, Duration)>,
    is_under_way: bool,
}

impl<T> Default for Lookups<T> {
    fn default() -> Self {
        Self { due: BTreeMap::new(), is_under_way: false }
    }
}

impl<T: Copy + Ord> Lookups<T> {
    pub(super) fn add(&mut self, items: Vec<T>, now: Timestamp) {
        for item in items {
            if self.due.len() < MOST_ASKED {
                self.due.entry(item).or_insert((now, AFTER_FAILURE));
            }
        }
    }

    /// Returns the last due item, which is the newest transaction, for a request that begins.
    pub(super) fn begin(&mut self, now: Timestamp) -> Option<T> {
        let due = self.due.iter().rev().find(|(_, (due, _))| now >= *due);
        let item = due.map(|(item, _)| *item).filter(|_| !self.is_under_way)?;
        self.is_under_way = true;
        Some(item)
    }

    /// Ends the request; without an answer, the next comes later than the last.
    pub(super) fn end(&mut self, item: T, is_answered: bool, now: Timestamp) {
        self.is_under_way = false;
        if is_answered {
            self.due.remove(&item);
        } else if let Some((due, wait)) = self.due.get_mut(&item) {
            (*due, *wait) = (now.after(*wait), wait.saturating_mul(SLOWER));
        }
    }

    /// Makes every item due, for the user's refresh.
    pub(super) fn ask_again(&mut self, now: Timestamp) {
        self.due.values_mut().for_each(|(due, _)| *due = now);
    }
}
