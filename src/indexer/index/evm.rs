//! The Ethereum side of an EVM rollup: receipts, which come with their blocks, and call frames, which follow later and
//! have a height of their own.

mod pack;
mod prepare;
mod record;
mod select;
mod traces;
mod write;

pub(super) use prepare::PreparedReceipts;
pub(crate) use record::{bloom_of, internal_tx, receipt_on_the_wire};
pub use select::{FoundInternalTxs, FoundReceipts, InternalTxSelection, ReceiptSelection};
pub use traces::TracedBlocks;
pub(super) use write::{forget, insert};

use rusqlite::{Connection, OptionalExtension};

use super::{Index, IndexError, IndexFeed, PageRange, query};
use crate::{
    domain::{EvmTxHash, Height},
    indexer::source::EvmTraces,
    wire::EvmTx,
};

/// The tables. A trace is one row for all frames of a transaction, found by the sequence of its first one.
pub(super) const TABLES: &str = "
    CREATE TABLE IF NOT EXISTS evm_block (
        height INTEGER PRIMARY KEY, hash BLOB NOT NULL, first_sequence INTEGER NOT NULL, count INTEGER NOT NULL
    );
    CREATE INDEX IF NOT EXISTS evm_block_by_sequence ON evm_block (first_sequence) WHERE count > 0;
    CREATE TABLE IF NOT EXISTS evm_tx (
        sequence INTEGER PRIMARY KEY, height INTEGER NOT NULL, hash_key INTEGER NOT NULL, sender INTEGER NOT NULL,
        body BLOB NOT NULL
    );
    CREATE INDEX IF NOT EXISTS evm_tx_by_hash ON evm_tx (hash_key);
    CREATE INDEX IF NOT EXISTS evm_tx_by_sender ON evm_tx (sender);
    CREATE TABLE IF NOT EXISTS evm_account (
        id INTEGER PRIMARY KEY, address BLOB NOT NULL UNIQUE, txs INTEGER NOT NULL, sent INTEGER NOT NULL,
        frames INTEGER NOT NULL
    );
    CREATE TABLE IF NOT EXISTS evm_tx_account (
        account INTEGER NOT NULL, sequence INTEGER NOT NULL, PRIMARY KEY (account, sequence)
    ) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS evm_trace_block (
        height INTEGER PRIMARY KEY, first_sequence INTEGER NOT NULL, count INTEGER NOT NULL
    );
    CREATE INDEX IF NOT EXISTS evm_trace_block_by_sequence ON evm_trace_block (first_sequence) WHERE count > 0;
    CREATE TABLE IF NOT EXISTS evm_trace (
        first_sequence INTEGER PRIMARY KEY, count INTEGER NOT NULL, tx INTEGER NOT NULL UNIQUE, body BLOB NOT NULL
    );
    CREATE TABLE IF NOT EXISTS evm_frame_account (
        account INTEGER NOT NULL, sequence INTEGER NOT NULL, PRIMARY KEY (account, sequence)
    ) WITHOUT ROWID;";

impl Index {
    /// Writes the call frames of blocks, ascending and without a gap: above the newest that were written, below the
    /// oldest, or the first ones. Their blocks must be held.
    pub fn write_traces(&self, blocks: &[(Height, EvmTraces)]) -> Result<(), IndexError> {
        self.database.write(|connection| traces::insert(connection, blocks))
    }

    /// Which blocks' call frames are held; `None` before the first ones.
    pub fn traced(&self) -> Result<Option<TracedBlocks>, IndexError> {
        self.database.read(traces::traced)
    }

    /// The receipt with this hash; `None` where it is not held.
    pub fn evm_tx(&self, hash: &EvmTxHash) -> Result<Option<EvmTx>, IndexError> {
        self.database.read(|connection| select::receipt(connection, hash))
    }

    /// A page of receipts, counted if asked.
    pub fn evm_txs(
        &self,
        scope: ReceiptSelection,
        range: &PageRange,
        count: bool,
    ) -> Result<FoundReceipts, IndexError> {
        self.database.read(|connection| {
            let found = select::receipts(connection, scope, range, count)?;
            let oldest = self.oldest_so_far(query::bounds(connection)?).filter(|oldest| match scope {
                ReceiptSelection::Height(height) => height < *oldest,
                ReceiptSelection::Chain | ReceiptSelection::Account(_) | ReceiptSelection::Signer(_) => true,
            });
            let offset = self.evm_offset(connection, "evm_block")?;
            Ok(FoundReceipts { offset, oldest, ..found })
        })
    }

    /// A page of call frames, counted if asked; `None` where a transaction is asked for that is not held.
    pub fn internal_txs(
        &self,
        scope: InternalTxSelection,
        range: &PageRange,
        count: bool,
    ) -> Result<Option<FoundInternalTxs>, IndexError> {
        self.database.read(|connection| {
            let Some(found) = select::frames(connection, scope, range, count)? else { return Ok(None) };
            let mut oldest = self.oldest_traced(connection)?;
            if let Some(lowest) = oldest {
                let height = match scope {
                    InternalTxSelection::Height(height) => Some(height),
                    InternalTxSelection::Tx(hash) => select::receipt(connection, &hash)?.and_then(|tx| tx.height()),
                    InternalTxSelection::Chain | InternalTxSelection::Account(_) => None,
                };
                oldest = oldest.filter(|_| height.is_none_or(|height| height < lowest));
            }
            let offset = self.evm_offset(connection, "evm_trace_block")?;
            Ok(Some(FoundInternalTxs { offset, oldest, ..found }))
        })
    }

    /// What is to be taken off the sequences of a table of blocks; `None` while it does not reach back to the first one.
    pub(super) fn evm_offset(&self, connection: &Connection, table: &str) -> Result<Option<i64>, IndexError> {
        if self.feed() == IndexFeed::Simulation {
            return Ok(Some(0));
        }
        let sql = format!("SELECT first_sequence FROM {table} WHERE height = 1");
        let first: Option<i64> = connection.prepare_cached(&sql)?.query_row([], |row| row.get(0)).optional()?;
        Ok(first.map(|first| first - 1))
    }

    /// The lowest block whose call frames are held, while those of older ones are still to come.
    fn oldest_traced(&self, connection: &Connection) -> Result<Option<Height>, IndexError> {
        let Some(held) = query::bounds(connection)? else { return Ok(None) };
        let is_filling = self.oldest_so_far(Some(held)).is_some();
        let traced = traces::traced(connection)?.map(|traced| traced.from);
        Ok(match traced {
            Some(from) => Some(from).filter(|from| is_filling || *from > held.from),
            None => is_filling.then(|| held.tip.next()),
        })
    }
}

/// A run of sequences without a gap: the first one and the one after the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct SequenceRun {
    first: i64,
    next: i64,
}

/// The sequences that a table of blocks holds, from its oldest to its newest; `None` while it is empty.
fn held(connection: &Connection, table: &str) -> Result<Option<SequenceRun>, IndexError> {
    let edge = |column: &str, order: &str| -> Result<Option<i64>, IndexError> {
        let sql = format!("SELECT {column} FROM {table} ORDER BY height {order} LIMIT 1");
        let mut statement = connection.prepare_cached(&sql)?;
        let mut rows = statement.query([])?;
        Ok(rows.next()?.map(|row| row.get(0)).transpose()?)
    };
    let run = edge("first_sequence", "ASC")?.zip(edge("first_sequence + count", "DESC")?);
    Ok(run.map(|(first, next)| SequenceRun { first, next }))
}

/// The sequences of one block; `None` where it is not held.
fn of_block(connection: &Connection, table: &str, height: Height) -> Result<Option<SequenceRun>, IndexError> {
    let sql = format!("SELECT first_sequence, first_sequence + count FROM {table} WHERE height = ?1");
    let mut statement = connection.prepare_cached(&sql)?;
    let mut rows = statement.query([super::integer(height.get())])?;
    let Some(row) = rows.next()? else { return Ok(None) };
    Ok(Some(SequenceRun { first: row.get(0)?, next: row.get(1)? }))
}

/// The start of a hash as the database's index has it; the rest is compared after the look-up.
fn hash_key(hash: &[u8; 32]) -> i64 {
    hash.first_chunk().map_or(0, |start| i64::from_be_bytes(*start))
}
