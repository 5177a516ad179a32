//! What the session's chain said of denoms, so that the next session shows names at once. Signing reads none of it.

use rusqlite::{Transaction, params};

use super::{
    Store, StoreError, StoreScope, nanos,
    scope::{KnownChain, chain_id, key},
};
use crate::{
    domain::{Denom, Timestamp},
    wire::node::{DenomReport, DenomReports},
};

/// Identified chain of a session. It stays this chain's number when another chain answers at the session's address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IdentifiedChain(i64);

impl Store {
    /// Maximum stored denoms; the store drops the oldest.
    const DENOM_REPORTS: u32 = 5_000;

    /// Returns the session's chain, and what the node at this address said of these denoms since then; `None` before
    /// the chain is identified. Reports of other nodes do not count, because settings may no longer name those nodes.
    pub fn denom_reports(
        &self,
        scope: &StoreScope,
        node: &str,
        denoms: &[Denom],
        since: Timestamp,
    ) -> Result<Option<(IdentifiedChain, DenomReports)>, StoreError> {
        let KnownChain::Chain(chain) = scope.chain else { return Ok(None) };
        let read = || {
            let chain_id = chain_id(&self.connection, chain)?.to_string();
            let mut select = self.connection.prepare_cached(
                "SELECT claim, at FROM denom_reports WHERE network = ?1 AND denom = ?2 AND node = ?3 AND at >= ?4",
            )?;
            let mut reports = Vec::new();
            for denom in denoms {
                let mut rows = select.query(params![key(chain), denom.as_str(), node, nanos(since)])?;
                let Some(row) = rows.next()? else { continue };
                let (claim, at): (String, i64) = (row.get(0)?, row.get(1)?);
                // An unreadable row tells nothing: the caller asks the node.
                if let Ok(claim) = serde_json::from_str(&claim) {
                    reports.push(DenomReport { denom: denom.clone(), claim, at: Timestamp::from_nanos(at.into()) });
                }
            }
            Ok(Some((IdentifiedChain(chain), DenomReports { chain_id, reports })))
        };
        read().map_err(|source| self.failed(source))
    }

    /// Stores what a node said of denoms of a chain, in place of earlier reports. Stores nothing if the session has
    /// left the chain since the question.
    pub fn keep_denom_reports(
        &mut self,
        scope: &StoreScope,
        IdentifiedChain(chain): IdentifiedChain,
        node: &str,
        reports: &[DenomReport],
    ) -> Result<(), StoreError> {
        if scope.chain != KnownChain::Chain(chain) {
            return Ok(());
        }
        self.transact(|transaction| {
            let mut insert = transaction.prepare_cached(
                "REPLACE INTO denom_reports (network, denom, node, claim, at) VALUES (?1, ?2, ?3, ?4, ?5)",
            )?;
            for DenomReport { denom, claim, at } in reports {
                let claim = serde_json::to_string(claim)
                    .map_err(|error| rusqlite::Error::ToSqlConversionFailure(error.into()))?;
                insert.execute(params![key(chain), denom.as_str(), node, claim, nanos(*at)])?;
            }
            transaction
                .execute(
                    "DELETE FROM denom_reports WHERE rowid NOT IN
                        (SELECT rowid FROM denom_reports ORDER BY at DESC LIMIT ?1)",
                    [Self::DENOM_REPORTS],
                )
                .map(drop)
        })
    }
}

/// Moves reports from one chain to an equal chain; of two, the newer stays.
pub(super) fn move_denom_reports(transaction: &Transaction<'_>, from: &str, to: &str) -> rusqlite::Result<()> {
    transaction.execute(
        "INSERT INTO denom_reports (network, denom, node, claim, at)
            SELECT ?2, denom, node, claim, at FROM denom_reports WHERE network = ?1
            ON CONFLICT (network, denom) DO UPDATE SET node = excluded.node, claim = excluded.claim, at = excluded.at
                WHERE excluded.at > at",
        params![from, to],
    )?;
    transaction.execute("DELETE FROM denom_reports WHERE network = ?1", [from]).map(drop)
}
