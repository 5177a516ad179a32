//! Which outcomes of transfers were given away, so that none is given twice.

use rusqlite::params;

use super::{Store, StoreError, nanos};
use crate::domain::{Timestamp, TransferId};

/// Outcomes remembered at the most; the oldest go first.
const MOST: u32 = 5000;

impl Store {
    /// Takes an outcome of a transfer for oneself. True for one of all that ever ask, in whatever program, and never again.
    pub fn claim_outcome(&mut self, id: &TransferId, outcome: &str, at: Timestamp) -> Result<bool, StoreError> {
        let claim = || {
            let added = self.connection.execute(
                "INSERT OR IGNORE INTO outcomes (chain, hash, outcome, at) VALUES (?1, ?2, ?3, ?4)",
                params![id.chain_id.as_str(), id.hash.as_str(), outcome, nanos(at)],
            )?;
            if added > 0 {
                self.connection.execute(
                    "DELETE FROM outcomes WHERE (chain, hash, outcome) IN
                        (SELECT chain, hash, outcome FROM outcomes ORDER BY at DESC LIMIT -1 OFFSET ?1)",
                    [MOST],
                )?;
            }
            Ok(added > 0)
        };
        claim().map_err(|source| self.failed(source))
    }
}
