//! Positions of records on the chain. Page keys contain them: they stay valid while older records arrive, and in
//! another index of the chain.

use crate::indexer::index::dialect::{Connection, OptionalRow as _, StoreRow};

use super::{Index, IndexError, integer, unsigned};

/// Kind of record, each with its own sequence numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordKind {
    Tx,
    Receipt,
    Frame,
}

impl RecordKind {
    /// Returns the block table with the sequence numbers, and the column that counts records.
    fn table(self) -> (&'static str, &'static str) {
        match self {
            Self::Tx => ("block", "tx_count"),
            Self::Receipt => ("evm_block", "count"),
            Self::Frame => ("evm_trace_block", "count"),
        }
    }
}

/// Position of a record, which need not exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChainPlace {
    pub height: u64,
    /// Index among the block's records of this kind, from 0; -1 is before the first record.
    pub index: i64,
}

impl Index {
    pub fn place(&self, kind: RecordKind, sequence: i64) -> Result<ChainPlace, IndexError> {
        self.database.read(|connection| place(connection, kind, sequence))
    }

    /// Returns the sequence number after which a list continues from this position. A position without a record lies
    /// between its neighbours.
    pub fn sequence(&self, kind: RecordKind, place: ChainPlace, descending: bool) -> Result<i64, IndexError> {
        self.database.read(|connection| sequence(connection, kind, place, descending))
    }

    /// Returns the offset of sequence numbers of this kind; see [`Index::offset`].
    pub fn offset_of(&self, kind: RecordKind) -> Result<Option<i64>, IndexError> {
        self.database.read(|connection| match kind {
            RecordKind::Tx => Ok(super::query::bounds(connection)?.and_then(|held| self.offset(&held)).map(integer)),
            RecordKind::Receipt | RecordKind::Frame => self.evm_offset(connection, kind.table().0),
        })
    }
}

fn place(connection: &Connection, kind: RecordKind, sequence: i64) -> Result<ChainPlace, IndexError> {
    let (table, count) = kind.table();
    let newest = format!("SELECT height, first_sequence + {count} FROM {table} ORDER BY height DESC LIMIT 1");
    let newest: Option<(i64, i64)> =
        connection.prepare_cached(&newest)?.query_row([], |row| Ok((row.get(0)?, row.get(1)?))).optional()?;
    let Some((tip, next)) = newest else { return Ok(ChainPlace { height: 1, index: -1 }) };
    if sequence >= next {
        return Ok(ChainPlace { height: unsigned(tip) + 1, index: sequence - next });
    }
    let held = format!(
        "SELECT height, first_sequence FROM {table} WHERE {count} > 0 AND first_sequence <= ?1
         ORDER BY first_sequence DESC LIMIT 1"
    );
    let oldest = format!("SELECT height, first_sequence FROM {table} ORDER BY height LIMIT 1");
    let read = |row: &StoreRow| Ok((row.get(0)?, row.get(1)?));
    let found: Option<(i64, i64)> = connection.prepare_cached(&held)?.query_row([sequence], read).optional()?;
    let (height, first) = match found {
        Some(found) => found,
        None => connection.prepare_cached(&oldest)?.query_row([], read)?,
    };
    Ok(ChainPlace { height: unsigned(height), index: sequence - first })
}

fn sequence(connection: &Connection, kind: RecordKind, place: ChainPlace, descending: bool) -> Result<i64, IndexError> {
    let (table, count) = kind.table();
    let above = format!("SELECT height, first_sequence FROM {table} WHERE height >= ?1 ORDER BY height LIMIT 1");
    let found: Option<(i64, i64)> = connection
        .prepare_cached(&above)?
        .query_row([integer(place.height)], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()?;
    if let Some((height, first)) = found {
        let beside = if descending { first } else { first.saturating_sub(1) };
        return Ok(if unsigned(height) == place.height { first.saturating_add(place.index) } else { beside });
    }
    let newest = format!("SELECT first_sequence + {count} FROM {table} ORDER BY height DESC LIMIT 1");
    let next: Option<i64> = connection.prepare_cached(&newest)?.query_row([], |row| row.get(0)).optional()?;
    Ok(next.map_or(0, |next| if descending { next.saturating_add(place.index.max(0)) } else { next - 1 }))
}
