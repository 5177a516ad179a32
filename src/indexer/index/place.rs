//! Where records stand on the chain: what a key of a list says that must hold while older records come, and in another
//! index of the same chain.

use rusqlite::{Connection, OptionalExtension};

use super::{Index, IndexError, integer, unsigned};

/// A kind of record that is listed by sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordKind {
    /// Transactions.
    Tx,
    /// EVM receipts.
    Receipt,
    /// Call frames.
    Frame,
}

impl RecordKind {
    /// The table of blocks that has its sequences, and the column that counts them.
    fn table(self) -> (&'static str, &'static str) {
        match self {
            Self::Tx => ("block", "tx_count"),
            Self::Receipt => ("evm_block", "count"),
            Self::Frame => ("evm_trace_block", "count"),
        }
    }
}

/// Where a record stands, or would stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChainPlace {
    /// Its block.
    pub height: u64,
    /// Its place among the records of its kind in that block, from 0; -1 is just before the first.
    pub index: i64,
}

impl Index {
    /// The place of the record with this sequence.
    pub fn place(&self, kind: RecordKind, sequence: i64) -> Result<ChainPlace, IndexError> {
        self.database.read(|connection| place(connection, kind, sequence))
    }

    /// The sequence that a list starts after which goes on from this place. A place that is not held stands for the gap
    /// between its neighbours.
    pub fn sequence(&self, kind: RecordKind, place: ChainPlace, descending: bool) -> Result<i64, IndexError> {
        self.database.read(|connection| sequence(connection, kind, place, descending))
    }

    /// What is to be taken off the sequences of this kind; see [`Index::offset`].
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
    let read = |row: &rusqlite::Row<'_>| Ok((row.get(0)?, row.get(1)?));
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
