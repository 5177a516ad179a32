//! Tables that earlier programs did not write, filled from the stored transactions.

use crate::indexer::index::dialect::Connection;

use super::{IndexError, codec::Codec, meta, nft::stored_events};
use crate::events::TxEvent;

/// Table that follows from the events of transactions.
#[derive(Clone, Copy)]
pub(super) struct EventTable {
    /// Name of the flag that the table covers all stored transactions.
    pub(super) flag: &'static str,
    /// Texts of which a transaction with rows in the table has one.
    pub(super) marks: &'static [&'static [u8]],
    /// Writes the rows of the transaction with these events and this sequence number.
    pub(super) insert: fn(&Connection, &[TxEvent], i64) -> Result<(), IndexError>,
}

/// Transactions between two lines of progress in the log.
const REPORTED: u64 = 100_000;

impl EventTable {
    fn may_have(&self, body: &[u8]) -> bool {
        self.marks.iter().any(|mark| body.windows(mark.len()).any(|text| text == *mark))
    }
}

/// Fills those of the tables that a file of an earlier program lacks.
pub(super) fn fill(connection: &Connection, codec: &Codec, tables: &[EventTable]) -> Result<(), IndexError> {
    let mut empty = Vec::new();
    for table in tables {
        if meta::load(connection, table.flag)?.is_none() {
            empty.push(table);
        }
    }
    if empty.is_empty() {
        return Ok(());
    }
    let total: i64 = connection.query_row("SELECT COUNT(*) FROM tx", [], |row| row.get(0))?;
    let names = empty.iter().map(|table| table.flag).collect::<Vec<_>>().join(" and ");
    if total > 0 {
        tracing::info!("reading the {names} of {total} stored transactions, once for this index");
    }
    let mut statement = connection.prepare_cached("SELECT sequence, body FROM tx")?;
    let mut rows = statement.query([])?;
    let (mut body, mut done) = (Vec::new(), 0_u64);
    while let Some(row) = rows.next()? {
        done += 1;
        if done.is_multiple_of(REPORTED) {
            tracing::info!("read the {names} of {done} of {total} transactions");
        }
        body.clear();
        codec.expand(row.get_ref(1)?.as_blob().map_err(|_| IndexError::Body)?, &mut body)?;
        let wanted: Vec<_> = empty.iter().filter(|table| table.may_have(&body)).collect();
        if wanted.is_empty() {
            continue;
        }
        let (sequence, events) = (row.get(0)?, stored_events(&body)?);
        wanted.into_iter().try_for_each(|table| (table.insert)(connection, &events, sequence))?;
    }
    empty.iter().try_for_each(|table| meta::save(connection, table.flag, b"1"))
}
