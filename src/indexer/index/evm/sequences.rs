//! Ranges of sequence numbers in the tables of blocks, and the indexed key of a hash.

use crate::indexer::index::dialect::Connection;

use super::super::{IndexError, integer};
use crate::domain::Height;

/// Contiguous sequence numbers: the first, and the end, which is exclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SequenceRun {
    pub(super) first: i64,
    pub(super) next: i64,
}

/// Returns the sequence numbers in a table of blocks, from oldest to newest; `None` if empty.
pub(super) fn held(connection: &Connection, table: &str) -> Result<Option<SequenceRun>, IndexError> {
    let edge = |column: &str, order: &str| -> Result<Option<i64>, IndexError> {
        let sql = format!("SELECT {column} FROM {table} ORDER BY height {order} LIMIT 1");
        let mut statement = connection.prepare_cached(&sql)?;
        let mut rows = statement.query([])?;
        Ok(rows.next()?.map(|row| row.get(0)).transpose()?)
    };
    let run = edge("first_sequence", "ASC")?.zip(edge("first_sequence + count", "DESC")?);
    Ok(run.map(|(first, next)| SequenceRun { first, next }))
}

/// Returns the sequence numbers of a block; `None` if not stored.
pub(super) fn of_block(
    connection: &Connection,
    table: &str,
    height: Height,
) -> Result<Option<SequenceRun>, IndexError> {
    of_height(connection, table, integer(height.get()))
}

/// Returns the sequence numbers of the block at a stored height; `None` if not stored.
pub(super) fn of_height(connection: &Connection, table: &str, height: i64) -> Result<Option<SequenceRun>, IndexError> {
    let sql = format!("SELECT first_sequence, first_sequence + count FROM {table} WHERE height = ?1");
    let mut statement = connection.prepare_cached(&sql)?;
    let mut rows = statement.query([height])?;
    let Some(row) = rows.next()? else { return Ok(None) };
    Ok(Some(SequenceRun { first: row.get(0)?, next: row.get(1)? }))
}

/// Returns the indexed prefix of a hash; lookups compare the rest.
pub(super) fn hash_key(hash: &[u8; 32]) -> i64 {
    hash.first_chunk().map_or(0, |start| i64::from_be_bytes(*start))
}
