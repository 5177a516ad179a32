//! Contracts that the user accepted, by the session's chain.

use rusqlite::{Transaction, params};

use super::{Store, StoreError, StoreScope, nanos};
use crate::domain::{AcceptedContract, Address, ChainId, Timestamp};

impl Store {
    /// Maximum accepted contracts per chain of a session; the store drops the oldest.
    const ACCEPTED: u32 = 500;

    /// Returns the contracts that the user accepted, newest first; skips unreadable rows.
    pub fn accepted_contracts(&self, scope: &StoreScope) -> Result<Vec<AcceptedContract>, StoreError> {
        let read = || {
            let mut found = Vec::new();
            for key in scope.keys(&self.connection)?.here {
                let mut select = self
                    .connection
                    .prepare_cached("SELECT chain, address, code, at FROM accepted_contracts WHERE network = ?1")?;
                let rows = select.query_map([key], |row| {
                    let (chain, address, code): (String, String, String) = (row.get(0)?, row.get(1)?, row.get(2)?);
                    let at = Timestamp::from_nanos(row.get::<_, i64>(3)?.into());
                    let read = || {
                        let (address, code) = (address.parse::<Address>().ok()?, serde_json::from_str(&code).ok()?);
                        Some(AcceptedContract { chain_id: ChainId::new(chain), address, code, at })
                    };
                    Ok(read())
                })?;
                found.extend(rows.collect::<rusqlite::Result<Vec<_>>>()?.into_iter().flatten());
            }
            found.sort_unstable_by_key(|accepted: &AcceptedContract| std::cmp::Reverse(accepted.at));
            Ok(found)
        };
        read().map_err(|source| self.failed(source))
    }

    /// Stores the user's yes to a contract, in place of an earlier one.
    pub fn accept_contract(&mut self, scope: &StoreScope, accepted: &AcceptedContract) -> Result<(), StoreError> {
        let AcceptedContract { chain_id, address, code, at } = accepted;
        self.transact(|transaction| {
            let network = scope.write_key(transaction)?;
            let code =
                serde_json::to_string(code).map_err(|error| rusqlite::Error::ToSqlConversionFailure(error.into()))?;
            transaction.execute(
                "REPLACE INTO accepted_contracts (network, chain, address, code, at) VALUES (?1, ?2, ?3, ?4, ?5)",
                params![network, chain_id.as_str(), address.hex(), code, nanos(*at)],
            )?;
            transaction
                .execute(
                    "DELETE FROM accepted_contracts WHERE network = ?1 AND rowid NOT IN
                        (SELECT rowid FROM accepted_contracts WHERE network = ?1 ORDER BY at DESC LIMIT ?2)",
                    params![network, Self::ACCEPTED],
                )
                .map(drop)
        })
    }
}

/// Moves accepted contracts from `since` on to another key; of two, the newer stays.
pub(super) fn move_accepted(transaction: &Transaction<'_>, from: &str, to: &str, since: i64) -> rusqlite::Result<()> {
    transaction.execute(
        "INSERT INTO accepted_contracts (network, chain, address, code, at)
            SELECT ?2, chain, address, code, at FROM accepted_contracts WHERE network = ?1 AND at >= ?3
            ON CONFLICT (network, chain, address) DO UPDATE SET code = excluded.code, at = excluded.at
                WHERE excluded.at > at",
        params![from, to, since],
    )?;
    transaction
        .execute("DELETE FROM accepted_contracts WHERE network = ?1 AND at >= ?2", params![from, since])
        .map(drop)
}
