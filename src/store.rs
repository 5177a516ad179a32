//! State between sessions: `state.sqlite` in the state folder.
//!
//! The store keeps the user's names, notes and bookmarks and the last view by network, and recents, transfers and
//! accepted contracts by chain. Blocks identify a chain: two addresses of one chain share its rows, and a chain that
//! restarts at an address does not get its predecessor's rows. Until a session sees a block, it stores rows under the
//! network's name, or under the address of an unnamed network.
//!
//! Every write is a transaction, and two instances may share the file.

mod accepted;
mod chains;
mod damage;
mod denom_reports;
mod migrations;
mod outcomes;
mod personal;
mod scope;
mod transfers;

pub use chains::Identified;
pub use denom_reports::IdentifiedChain;
pub use outcomes::WaitingOutcome;
pub use scope::StoreScope;

use std::{
    cell::Cell,
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

use rusqlite::{Connection, ErrorCode, params};

use crate::{
    domain::{RECENTS, Timestamp},
    files,
};

/// Maximum wait of a write while another instance writes.
const BUSY_TIMEOUT: Duration = Duration::from_secs(2);

/// Interval between attempts to use a locked file.
const BUSY_PAUSE: Duration = Duration::from_millis(5);

#[derive(Debug)]
pub struct Store {
    connection: Connection,
    path: PathBuf,
    unreadable: Cell<usize>,
}

/// Failure of reading or writing the state.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    #[error("cannot create the folder of {path}: {source}")]
    Folder { path: PathBuf, source: std::io::Error },
    /// SQLite error: no permission, no state file, full disk, or another instance holds the lock.
    #[error("cannot use {path}: {source}")]
    Sqlite { path: PathBuf, source: rusqlite::Error },
    /// The file is no database, is incomplete, or has foreign tables: see [`Store::open_or_renew`].
    #[error("{path} is damaged: {reason}")]
    Damaged { path: PathBuf, reason: String },
    #[error("cannot move the damaged {path} aside: {source}")]
    Aside { path: PathBuf, source: std::io::Error },
    #[error("a newer rollscope wrote {path} (table version {found}, known here {known})")]
    Newer {
        path: PathBuf,
        found: u32,
        /// Newest table version that this program knows.
        known: u32,
    },
}

impl Store {
    /// Maximum recents per chain.
    pub const RECENTS: u32 = RECENTS;

    /// Maximum bytes of a recent: hashes, addresses and heights are shorter.
    pub const RECENT_BYTES: usize = 512;

    /// Opens the file: creates its folder, migrates its tables, and makes both private to the user.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let closed = files::make_own_folder_of(path).and_then(|()| {
            // SQLite's extra files inherit the mode; files that a crash left may have an older mode.
            files::make(path)?;
            damage::LOGS.iter().try_for_each(|ending| files::close(&damage::beside(path, ending)))
        });
        // SQLite reports a folder or a loop of links at this path.
        if let Err(source) = closed.or_else(|error| if path.exists() { Ok(()) } else { Err(error) }) {
            return Err(StoreError::Folder { path: path.to_owned(), source });
        }
        let store = Self::prepare(path, Connection::open(path))?;
        damage::check(&store.connection).map_err(|error| store.failed(error))?;
        Ok(store)
    }

    /// Opens the file. Moves a damaged file aside, with the date in its name, and returns its new path.
    ///
    /// If several instances find the damage at once, one instance moves the file and the others open the new file.
    pub fn open_or_renew(path: &Path, now: Timestamp) -> Result<(Self, Option<PathBuf>), StoreError> {
        match Self::open(path) {
            Err(StoreError::Damaged { .. }) => {}
            opened => return opened.map(|store| (store, None)),
        }
        let fail = |source| StoreError::Aside { path: path.to_owned(), source };
        let _lock = damage::lock(path).map_err(fail)?;
        match Self::open(path) {
            Err(StoreError::Damaged { .. }) => {
                let aside = damage::put_aside(path, now).map_err(fail)?;
                Ok((Self::open(path)?, Some(aside)))
            }
            opened => opened.map(|store| (store, None)),
        }
    }

    /// Merges the file's log into the file, so that a copy of the file is whole. Another connection may still be open.
    pub fn merge_log(path: &Path) -> Result<(), StoreError> {
        let merge = |connection: Connection| {
            connection.busy_timeout(BUSY_TIMEOUT)?;
            connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))
        };
        let merged = Connection::open(path).and_then(merge);
        merged.map_err(|source| StoreError::Sqlite { path: path.to_owned(), source })
    }

    /// Fails if the file cannot be written now: begins a write and takes it back.
    pub fn check_writable(&self) -> Result<(), StoreError> {
        let written = wait_while_busy(|| self.connection.execute_batch("BEGIN IMMEDIATE; ROLLBACK"));
        written.map_err(|error| self.failed(error))
    }

    pub fn in_memory() -> Result<Self, StoreError> {
        Self::prepare(Path::new(":memory:"), Connection::open_in_memory())
    }

    fn prepare(path: &Path, opened: rusqlite::Result<Connection>) -> Result<Self, StoreError> {
        let fail = |source| StoreError::Sqlite { path: path.to_owned(), source };
        let mut connection = opened.map_err(fail)?;
        connection.busy_timeout(BUSY_TIMEOUT).map_err(fail)?;
        let found = wait_while_busy(|| set_up(&mut connection)).map_err(|error| damage::classify(path, error))?;
        if found > migrations::VERSION {
            return Err(StoreError::Newer { path: path.to_owned(), found, known: migrations::VERSION });
        }
        Ok(Self { connection, path: path.to_owned(), unreadable: Cell::new(0) })
    }

    /// Returns the recents of the session's chain, newest first.
    pub fn recents(&self, scope: &StoreScope) -> Result<Vec<String>, StoreError> {
        let read = || {
            let mut recents: Vec<(i64, i64, String)> = Vec::new();
            for key in scope.keys(&self.connection)?.here {
                let mut select =
                    self.connection.prepare_cached("SELECT at, rowid, text FROM recents WHERE network = ?1")?;
                let rows = select.query_map([key], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
                recents.extend(rows.collect::<rusqlite::Result<Vec<_>>>()?);
            }
            recents.sort_unstable_by(|a, b| b.cmp(a));
            let mut texts: Vec<String> = Vec::new();
            for (_, _, text) in recents {
                if !texts.contains(&text) {
                    texts.push(text);
                }
            }
            texts.truncate(Self::RECENTS as usize);
            Ok(texts)
        };
        read().map_err(|source| self.failed(source))
    }

    /// Stores a text as a recent of the session's chain, without duplicates; drops the oldest recents beyond
    /// [`Store::RECENTS`]. Ignores blank texts, and texts over [`Store::RECENT_BYTES`].
    pub fn remember(&mut self, scope: &StoreScope, text: &str, at: Timestamp) -> Result<(), StoreError> {
        let text = text.trim();
        if text.is_empty() || text.len() > Self::RECENT_BYTES {
            return Ok(());
        }
        replace(&mut self.connection, scope, text, nanos(at)).map_err(|source| self.failed(source))
    }

    /// Returns the number of unreadable rows that the last [`Store::transfers`] skipped.
    pub fn unreadable(&self) -> usize {
        self.unreadable.get()
    }

    fn failed(&self, source: rusqlite::Error) -> StoreError {
        damage::classify(&self.path, source)
    }
}

/// Sets the journal mode and migrates the tables; returns their version.
fn set_up(connection: &mut Connection) -> rusqlite::Result<u32> {
    // The pragma returns the mode that is now in use: "memory" for a store without a file.
    connection.query_row("PRAGMA journal_mode = WAL", [], |_| Ok(()))?;
    connection.pragma_update(None, "synchronous", "NORMAL")?;
    connection.pragma_update(None, "foreign_keys", true)?;
    let version = migrations::apply(connection)?;
    connection.execute_batch(migrations::ADDED)?;
    Ok(version)
}

/// Repeats an attempt while another instance locks the file: a change of the journal mode ignores `busy_timeout`.
fn wait_while_busy<T>(mut attempt: impl FnMut() -> rusqlite::Result<T>) -> rusqlite::Result<T> {
    let started = Instant::now();
    loop {
        match attempt() {
            Err(error) if is_busy(&error) && started.elapsed() < BUSY_TIMEOUT => thread::sleep(BUSY_PAUSE),
            result => return result,
        }
    }
}

/// Converts a time to nanoseconds since 1970 for the file.
fn nanos(at: Timestamp) -> i64 {
    i64::try_from(at.as_nanos()).unwrap_or(i64::MAX)
}

/// Whether another connection is at work. Two that recover a file at once delete its journal twice.
fn is_busy(error: &rusqlite::Error) -> bool {
    let deleted = |error: &rusqlite::ffi::Error| error.extended_code == rusqlite::ffi::SQLITE_IOERR_DELETE_NOENT;
    matches!(error.sqlite_error_code(), Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked))
        || error.sqlite_error().is_some_and(deleted)
}

fn replace(connection: &mut Connection, scope: &StoreScope, text: &str, at: i64) -> rusqlite::Result<()> {
    let transaction = connection.transaction_with_behavior(rusqlite::TransactionBehavior::Immediate)?;
    let network = scope.write_key(&transaction)?;
    transaction.execute("REPLACE INTO recents (network, text, at) VALUES (?1, ?2, ?3)", params![network, text, at])?;
    transaction.execute(
        "DELETE FROM recents WHERE network = ?1 AND rowid NOT IN
            (SELECT rowid FROM recents WHERE network = ?1 ORDER BY at DESC, rowid DESC LIMIT ?2)",
        params![network, Store::RECENTS],
    )?;
    transaction.commit()
}
