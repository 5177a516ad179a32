//! Removal of blocks that the chain reverted, after a rollback or on a restored node.

use std::{
    collections::BTreeSet,
    path::PathBuf,
    sync::{PoisonError, atomic::Ordering},
};

use crate::indexer::index::dialect::Connection;

use super::{
    ChainBranch, Index, IndexError, balances, contract_tokens, evm, gaps, integer, nft, page::KeySpan, query, state,
    unsigned, write,
};
use crate::{
    domain::{Address, Height, Timestamp},
    files,
};

impl Index {
    /// Returns the branch, to be read before a node is asked.
    pub fn branch(&self) -> ChainBranch {
        ChainBranch(self.branch.load(Ordering::Acquire))
    }

    /// Writes what a node said while the index held this branch. Does nothing once blocks were removed: the answer may
    /// be about one of them.
    pub(super) fn write_on(
        &self,
        branch: ChainBranch,
        job: impl FnOnce(&Connection) -> Result<(), IndexError>,
    ) -> Result<(), IndexError> {
        self.database.write(|connection| if self.branch() == branch { job(connection) } else { Ok(()) })
    }

    /// Leaves the branch; only within the write that removes the blocks, so that no other write comes between.
    fn leave_branch(&self) {
        self.branch.fetch_add(1, Ordering::AcqRel);
    }

    /// Removes all blocks above this height with their effects: counters, NFTs, and balances, which are requested
    /// again. Does nothing on an empty index; removes all blocks if the index lacks this height.
    pub fn undo_above(&self, height: Height) -> Result<(), IndexError> {
        self.database.write(|connection| {
            let Some(held) = query::bounds(connection)?.filter(|held| held.tip > height) else { return Ok(()) };
            self.leave_branch();
            let height = gaps::undo(connection, height)?;
            let first = if held.from > height { held.first_sequence } else { sequence_above(connection, height)? };
            let sequences = KeySpan::above(integer(first) - 1);
            let touched = touched(connection, sequences)?;
            nft::undo(connection, height)?;
            contract_tokens::undo(connection, sequences)?;
            evm::forget(connection, KeySpan::above(integer(height.get())))?;
            write::forget(connection, KeySpan::above(integer(height.get())), sequences)?;
            nft::restore(connection, self.vm, self.codec())?;
            balances::undo(connection, height)?;
            balances::mark(connection, &touched, height.next())?;
            state::set_height(connection, height)
        })
    }
}

/// Keys of the values that do not depend on the chain, as an SQL list. Emptied tables cover all transactions.
const LASTING: &str = "'format', 'source', 'virtual machine', 'dictionary', 'packets', 'contract tokens'";

impl Index {
    /// Clears the index for another chain. Copies it first, with the date in the name of the copy: a file to its
    /// folder, a schema beside it. Returns the place of the copy.
    pub fn put_aside(&self) -> Result<Option<String>, IndexError> {
        let now = Timestamp::now().cut_to_seconds().to_string().replace(':', "-");
        let aside = match &self.path {
            Some(path) => {
                let aside = files::free_name(path, &format!(".{now}"));
                self.database.write_alone(|connection| {
                    connection.execute("VACUUM INTO ?1", [aside.to_string_lossy()])?;
                    Ok(())
                })?;
                Some(aside.display().to_string())
            }
            None => None,
        };
        #[cfg(feature = "postgres")]
        let aside = aside.or(self.copy_schema(&now)?);
        self.database.write(|connection| {
            self.leave_branch();
            for table in connection.tables()?.iter().filter(|table| *table != "meta") {
                connection.execute(&format!("DELETE FROM {table}"), [])?;
            }
            connection.execute(&format!("DELETE FROM meta WHERE key NOT IN ({LASTING})"), [])?;
            Ok(())
        })?;
        let _change = self.database.changes.begin();
        self.chain_id.lock().unwrap_or_else(PoisonError::into_inner).clear();
        self.was_heavy.store(false, Ordering::Release);
        self.is_heavy.store(false, Ordering::Release);
        self.set_state(false);
        Ok(aside)
    }

    /// Returns the time of a stored block; `None` if not stored.
    pub fn time_of(&self, height: Height) -> Result<Option<Timestamp>, IndexError> {
        self.database.read(|connection| query::time(connection, height))
    }

    /// Whether the index is in memory, so that it drops old blocks.
    pub fn is_in_memory(&self) -> bool {
        self.keep.is_some()
    }

    /// Returns the size of the index's files, or of its tables on a server, in bytes; 0 in memory.
    pub fn file_bytes(&self) -> u64 {
        let size = |path: &std::path::Path| std::fs::metadata(path).map_or(0, |file| file.len());
        let log = |path: &PathBuf| {
            let mut name = path.clone().into_os_string();
            name.push("-wal");
            PathBuf::from(name)
        };
        #[cfg(feature = "postgres")]
        if let Some(server) = self.database.server() {
            return server.bytes();
        }
        self.path.as_ref().map_or(0, |path| size(path) + size(&log(path)))
    }

    pub fn heights_with_receipts(&self, from: Height, to: Height) -> Result<BTreeSet<Height>, IndexError> {
        self.database.read(|connection| {
            let sql = "SELECT height FROM evm_block WHERE height >= ?1 AND height <= ?2 AND count > 0";
            let mut statement = connection.prepare_cached(sql)?;
            let rows = statement.query_map([integer(from.get()), integer(to.get())], |row| row.get::<i64>(0))?;
            rows.map(|height| Height::new(unsigned(height?)).ok_or(IndexError::Body)).collect()
        })
    }
}

/// Returns the sequence number of the first transaction above this height.
fn sequence_above(connection: &Connection, height: Height) -> Result<u64, IndexError> {
    let sql = "SELECT first_sequence + tx_count FROM block WHERE height = ?1";
    let next: i64 = connection.prepare_cached(sql)?.query_row([integer(height.get())], |row| row.get(0))?;
    Ok(unsigned(next))
}

fn touched(connection: &Connection, sequences: KeySpan) -> Result<BTreeSet<Address>, IndexError> {
    let mut statement = connection.prepare_cached(
        "SELECT DISTINCT address FROM tx_account JOIN account ON account.id = tx_account.account
         WHERE sequence > ?1 AND sequence < ?2",
    )?;
    let rows = statement.query_map([sequences.low, sequences.high], |row| row.get::<Vec<u8>>(0))?;
    rows.map(|bytes| nft::address(&bytes?)).collect()
}
