//! List of the parts of stored blocks that could not be decoded, and replacement of such blocks.

use crate::indexer::index::dialect::OptionalRow as _;
use rusqlite::params;

use super::{Index, IndexError, integer, page::KeySpan, prepare::Prepared, state, undecoded, unsigned, write};
use crate::{
    domain::Height,
    wire::{BlockPart, UndecodedPart},
};

impl Index {
    /// Returns the number of parts that could not be decoded, and the newest of them, newest first.
    pub fn undecoded(&self, limit: u32) -> Result<(u64, Vec<UndecodedPart>), IndexError> {
        self.database.read(|connection| undecoded::newest(connection, limit))
    }

    /// Returns the stored blocks of which parts could not be decoded, newest first.
    pub fn undecoded_heights(&self) -> Result<Vec<Height>, IndexError> {
        self.database.read(|connection| {
            let mut statement =
                connection.prepare_cached("SELECT DISTINCT height FROM undecoded ORDER BY height DESC")?;
            let rows = statement.query_map([], |row| row.get::<i64>(0))?;
            rows.map(|height| Height::new(unsigned(height?)).ok_or(IndexError::Body)).collect()
        })
    }

    /// Replaces a stored block, whose transactions the node decodes better now. Receipts and call frames stay. Does
    /// nothing if the index holds another block at this height, or as many undecoded parts of the block.
    pub fn replace(&self, prepared: &Prepared) -> Result<(), IndexError> {
        let [block] = prepared.blocks.as_slice() else { return Ok(()) };
        let height = integer(block.height.get());
        self.database.write(|connection| {
            let sql = "SELECT first_sequence FROM block WHERE height = ?1 AND hash = ?2 AND tx_count = ?3";
            let values = params![height, block.hash.bytes(), integer(block.tx_count)];
            let first: Option<i64> = connection.prepare_cached(sql)?.query_row(values, |row| row.get(0)).optional()?;
            let (own, beside): (Vec<_>, Vec<_>) =
                undecoded::of_block(connection, height)?.into_iter().partition(|part| part.part.is_of_txs());
            let Some(first) = first.filter(|_| prepared.undecoded.len() < own.len()) else { return Ok(()) };
            let sequences = KeySpan { low: first - 1, high: first.saturating_add(integer(block.tx_count)) };
            write::forget(connection, KeySpan { low: height - 1, high: height + 1 }, sequences)?;
            write::insert(connection, prepared, first)?;
            undecoded::insert(connection, &beside)?;
            // The events of a block without results were unknown.
            if own.iter().any(|part| part.part == BlockPart::Results) {
                state::follow_either_way(connection, prepared, self.vm)?;
            }
            Ok(())
        })
    }
}
