//! Failed transactions that the screen showed without a reason.

use std::{collections::BTreeMap, time::Duration};

use crate::{domain::Timestamp, story::RevertedTx};

/// Time before the second request for a transaction, whose calls are traced some blocks later.
const AFTER_FAILURE: Duration = Duration::from_secs(10);
/// Factor of that time for each further request.
const SLOWER: u32 = 4;
/// Maximum transactions to request in a session.
const MOST_ASKED: usize = 500;

/// One transaction is requested at a time.
#[derive(Debug, Default)]
pub(super) struct RevertQuestions {
    /// Time of the next request by transaction, and the wait after it.
    due: BTreeMap<RevertedTx, (Timestamp, Duration)>,
    is_under_way: bool,
}

impl RevertQuestions {
    pub(super) fn add(&mut self, txs: Vec<RevertedTx>, now: Timestamp) {
        for tx in txs {
            if self.due.len() < MOST_ASKED {
                self.due.entry(tx).or_insert((now, AFTER_FAILURE));
            }
        }
    }

    /// Returns the newest due transaction, for a request that begins.
    pub(super) fn begin(&mut self, now: Timestamp) -> Option<RevertedTx> {
        let due = self.due.iter().rev().find(|(_, (due, _))| now >= *due);
        let tx = due.map(|(tx, _)| *tx).filter(|_| !self.is_under_way)?;
        self.is_under_way = true;
        Some(tx)
    }

    /// Ends the request; without an answer, the next comes later than the last.
    pub(super) fn end(&mut self, tx: RevertedTx, is_answered: bool, now: Timestamp) {
        self.is_under_way = false;
        if is_answered {
            self.due.remove(&tx);
        } else if let Some((due, wait)) = self.due.get_mut(&tx) {
            (*due, *wait) = (now.after(*wait), wait.saturating_mul(SLOWER));
        }
    }

    /// Makes every transaction due, for the user's refresh.
    pub(super) fn ask_again(&mut self, now: Timestamp) {
        self.due.values_mut().for_each(|(due, _)| *due = now);
    }
}
