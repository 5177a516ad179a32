//! Outcomes of transfers for the user's program, pending and delivered, so that two sessions never deliver one outcome
//! twice.

use std::time::Duration;

use rusqlite::{Connection, OptionalExtension as _, Transaction, TransactionBehavior, params};

use super::{Store, StoreError, StoreScope, nanos};
use crate::domain::{BroadcastHash, ChainId, Timestamp, TransferId};

/// Maximum stored delivered outcomes; the store drops the oldest.
const MOST: u32 = 5000;
/// Maximum duration of a program's start. After it, a start without a result counts as lost.
const START: Duration = Duration::from_secs(60);

const WAITING: u8 = 0;
const STARTING: u8 = 1;
const TOLD: u8 = 2;

/// Outcome that this session took for delivery.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WaitingOutcome {
    row: i64,
    pub id: TransferId,
    /// One line of JSON for the program.
    pub facts: String,
}

impl Store {
    /// Queues an outcome, unless it is already pending or delivered for the session's chain.
    pub fn queue_outcome(
        &mut self,
        scope: &StoreScope,
        id: &TransferId,
        outcome: &str,
        facts: &str,
        at: Timestamp,
    ) -> Result<(), StoreError> {
        let work = |transaction: &Transaction<'_>| match find(transaction, scope, id, outcome)? {
            Some(_) => Ok(()),
            None => insert(transaction, scope, id, outcome, facts, at).map(drop),
        };
        self.transact(work)
    }

    /// Takes this outcome for delivery, also if it is not queued; `None` if it is delivered or in delivery.
    pub fn take_outcome(
        &mut self,
        scope: &StoreScope,
        id: &TransferId,
        outcome: &str,
        facts: &str,
        at: Timestamp,
    ) -> Result<Option<WaitingOutcome>, StoreError> {
        self.transact(|transaction| {
            let row = match find(transaction, scope, id, outcome)? {
                Some((row, WAITING)) => row,
                Some(_) => return Ok(None),
                None => insert(transaction, scope, id, outcome, facts, at)?,
            };
            set(transaction, row, STARTING, at)?;
            Ok(Some(WaitingOutcome { row, id: id.clone(), facts: facts.to_owned() }))
        })
    }

    /// Takes the oldest pending outcome of any network.
    pub fn next_outcome(&mut self, at: Timestamp) -> Result<Option<WaitingOutcome>, StoreError> {
        self.transact(|transaction| {
            let oldest = transaction
                .prepare_cached("SELECT id, chain, hash, facts FROM outcomes WHERE state = ?1 ORDER BY id LIMIT 1")?
                .query_row([WAITING], |row| {
                    let (chain, hash): (String, String) = (row.get(1)?, row.get(2)?);
                    Ok((row.get(0)?, chain, hash, row.get::<_, Option<String>>(3)?.unwrap_or_default()))
                })
                .optional()?;
            let Some((row, chain, hash, facts)) = oldest else { return Ok(None) };
            let Ok(hash) = hash.parse::<BroadcastHash>() else {
                // A row that rollscope did not write must not block the other rows.
                set(transaction, row, TOLD, at)?;
                return Ok(None);
            };
            set(transaction, row, STARTING, at)?;
            Ok(Some(WaitingOutcome { row, id: TransferId { chain_id: ChainId::new(chain), hash }, facts }))
        })
    }

    /// Settles a taken outcome: marks it delivered, or pending again if the program could not start.
    pub fn settle_outcome(&mut self, taken: &WaitingOutcome, is_told: bool, at: Timestamp) -> Result<(), StoreError> {
        self.transact(|transaction| {
            set(transaction, taken.row, if is_told { TOLD } else { WAITING }, at)?;
            transaction.execute(
                "DELETE FROM outcomes WHERE state = ?1 AND id NOT IN
                    (SELECT id FROM outcomes WHERE state = ?1 ORDER BY at DESC LIMIT ?2)",
                params![TOLD, MOST],
            )?;
            Ok(())
        })
    }

    pub fn waiting_outcomes(&mut self) -> Result<usize, StoreError> {
        self.transact(|transaction| {
            transaction.query_row("SELECT count(*) FROM outcomes WHERE state = ?1", [WAITING], |row| {
                row.get::<_, i64>(0).map(|count| usize::try_from(count).unwrap_or_default())
            })
        })
    }

    /// Returns outcomes whose session ended during delivery, each once. The program may have received these outcomes.
    pub fn lost_outcomes(&mut self, now: Timestamp) -> Result<Vec<TransferId>, StoreError> {
        self.transact(|transaction| {
            let until = nanos(now) - i64::try_from(START.as_nanos()).unwrap_or(i64::MAX);
            let lost: Vec<(i64, String, String)> = transaction
                .prepare_cached("SELECT id, chain, hash FROM outcomes WHERE state = ?1 AND at < ?2 ORDER BY id")?
                .query_map(params![STARTING, until], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?
                .collect::<rusqlite::Result<_>>()?;
            for (row, ..) in &lost {
                set(transaction, *row, TOLD, now)?;
            }
            let id = |(_, chain, hash): (i64, String, String)| {
                Some(TransferId { chain_id: ChainId::new(chain), hash: hash.parse().ok()? })
            };
            Ok(lost.into_iter().filter_map(id).collect())
        })
    }

    pub(super) fn transact<T>(
        &mut self,
        work: impl FnOnce(&Transaction<'_>) -> rusqlite::Result<T>,
    ) -> Result<T, StoreError> {
        let run = || {
            let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let done = work(&transaction)?;
            transaction.commit()?;
            Ok(done)
        };
        run().map_err(|source| self.failed(source))
    }
}

/// Finds the row of an outcome of the session's chain, with its state. Rows without a network match all networks.
fn find(
    connection: &Connection,
    scope: &StoreScope,
    id: &TransferId,
    outcome: &str,
) -> rusqlite::Result<Option<(i64, u8)>> {
    let mut select = connection.prepare_cached(
        "SELECT id, state FROM outcomes WHERE network = ?1 AND chain = ?2 AND hash = ?3 AND outcome = ?4",
    )?;
    for key in scope.keys(connection)?.here.iter().map(String::as_str).chain([""]) {
        let found = select
            .query_row(params![key, id.chain_id.as_str(), id.hash.as_str(), outcome], |row| {
                Ok((row.get(0)?, row.get(1)?))
            })
            .optional()?;
        if found.is_some() {
            return Ok(found);
        }
    }
    Ok(None)
}

fn insert(
    connection: &Connection,
    scope: &StoreScope,
    id: &TransferId,
    outcome: &str,
    facts: &str,
    at: Timestamp,
) -> rusqlite::Result<i64> {
    // A session that has not identified its chain writes to the last chain at this address, where other sessions look.
    let network = scope.outcome_key(connection)?;
    connection.execute(
        "INSERT INTO outcomes (network, chain, hash, outcome, at, state, facts) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        params![network, id.chain_id.as_str(), id.hash.as_str(), outcome, nanos(at), WAITING, facts],
    )?;
    Ok(connection.last_insert_rowid())
}

/// Sets state and time of an outcome; drops the facts of a delivered outcome.
fn set(connection: &Connection, row: i64, state: u8, at: Timestamp) -> rusqlite::Result<()> {
    let sql =
        "UPDATE outcomes SET state = ?2, at = ?3, facts = CASE WHEN ?2 = 2 THEN NULL ELSE facts END WHERE id = ?1";
    connection.execute(sql, params![row, state, nanos(at)]).map(drop)
}

/// Moves rows to another key; of two duplicates, the row with the later state stays.
pub(super) fn move_outcomes(transaction: &Transaction<'_>, from: &str, to: &str, since: i64) -> rusqlite::Result<()> {
    transaction.execute(
        "UPDATE outcomes SET state = max(state, (SELECT max(other.state) FROM outcomes AS other
                WHERE other.network = ?1 AND other.at >= ?3 AND other.chain = outcomes.chain
                    AND other.hash = outcomes.hash AND other.outcome = outcomes.outcome))
            WHERE network = ?2 AND EXISTS (SELECT 1 FROM outcomes AS other
                WHERE other.network = ?1 AND other.at >= ?3 AND other.chain = outcomes.chain
                    AND other.hash = outcomes.hash AND other.outcome = outcomes.outcome)",
        params![from, to, since],
    )?;
    transaction.execute(
        "UPDATE OR IGNORE outcomes SET network = ?2 WHERE network = ?1 AND at >= ?3",
        params![from, to, since],
    )?;
    transaction.execute("DELETE FROM outcomes WHERE network = ?1 AND at >= ?2", params![from, since]).map(drop)
}
