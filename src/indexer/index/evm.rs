//! Ethereum side of an EVM rollup: receipts, indexed with their blocks, and call frames, indexed later with a height of
//! their own.

mod pack;
mod prepare;
mod record;
mod select;
mod sequences;
mod traces;
mod write;

pub(super) use prepare::PreparedReceipts;
pub(super) use prepare::accounts_of as accounts_of_receipt;
pub(crate) use record::{bloom_of, internal_tx, receipt_on_the_wire};
pub use select::{FoundInternalTxs, FoundReceipts, InternalTxSelection, ReceiptSelection};
pub use traces::TracedBlocks;
pub(super) use traces::{replace as replace_traces, traced, traced_sequences};
pub(super) use write::{forget, insert, replace_receipts};

use std::sync::atomic::Ordering;

use crate::indexer::index::dialect::{Connection, OptionalRow as _};

use super::{ChainBranch, Index, IndexError, IndexFeed, PageRange, gaps, query, undecoded};
use crate::{
    domain::{EvmTxHash, Height},
    indexer::source::EvmTraces,
    wire::{EvmTx, UndecodedPart},
};

/// Tables. A trace is one row with all frames of a transaction; its first sequence number finds it.
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
    /// Writes the call frames of ascending, contiguous blocks, and their parts that could not be decoded: above the
    /// newest traced block, below the oldest, or as the first. Skips blocks that the index has dropped since.
    pub fn write_traces(
        &self,
        branch: ChainBranch,
        blocks: &[(Height, EvmTraces)],
        undecoded: &[UndecodedPart],
    ) -> Result<(), IndexError> {
        self.write_on(branch, |connection| {
            let Some(held) = query::bounds(connection)? else { return Ok(()) };
            let dropped = blocks.partition_point(|(height, _)| *height < held.from);
            traces::insert(connection, blocks.get(dropped..).unwrap_or_default())?;
            undecoded::insert(connection, undecoded.iter().filter(|part| part.height >= held.from))
        })
    }

    /// Returns the blocks with stored call frames; `None` without call frames.
    pub fn traced(&self) -> Result<Option<TracedBlocks>, IndexError> {
        self.database.read(traces::traced)
    }

    /// Returns the receipt with this hash; `None` if not stored.
    pub fn evm_tx(&self, hash: &EvmTxHash) -> Result<Option<EvmTx>, IndexError> {
        self.database.read(|connection| select::receipt(connection, hash))
    }

    /// Returns the block of a receipt and its place there; `None` if not stored.
    pub fn receipt_place(&self, hash: &EvmTxHash) -> Result<Option<(Height, u64)>, IndexError> {
        self.database.read(|connection| select::receipt_place(connection, hash))
    }

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

    /// Returns a page of call frames, counted on request; `None` for an unknown transaction.
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

    /// Returns the offset of a table's sequence numbers; `None` until the table reaches the first block.
    pub(super) fn evm_offset(&self, connection: &Connection, table: &str) -> Result<Option<i64>, IndexError> {
        if self.feed() == IndexFeed::Simulation {
            return Ok(Some(0));
        }
        // Above a gap the chain's own numbers are unknown.
        if !gaps::load(connection)?.is_empty() {
            return Ok(None);
        }
        let sql = format!("SELECT first_sequence FROM {table} WHERE height = 1");
        let first: Option<i64> = connection.prepare_cached(&sql)?.query_row([], |row| row.get(0)).optional()?;
        Ok(first.map(|first| first - 1))
    }

    /// Records that no call frames will follow, until the index is opened again: the node cannot trace.
    pub(crate) fn end_traces(&self) {
        self.set_flag(&self.is_untraced, true);
    }

    /// Returns the lowest block with call frames, while call frames of older blocks are still to come; else `None`.
    fn oldest_traced(&self, connection: &Connection) -> Result<Option<Height>, IndexError> {
        if self.is_untraced.load(Ordering::Acquire) {
            return Ok(None);
        }
        let Some(held) = query::bounds(connection)? else { return Ok(None) };
        let is_filling = self.oldest_so_far(Some(held)).is_some();
        let traced = traces::traced(connection)?.map(|traced| traced.from);
        Ok(match traced {
            Some(from) => Some(from).filter(|from| is_filling || *from > held.from),
            None => is_filling.then(|| held.tip.next()),
        })
    }
}
