//! What the explorer keeps between sessions: `state.sqlite` in the state folder.
//!
//! A person's own names of accounts and the last view are kept by network, recents and transfers by chain, which is
//! known by its blocks: two addresses of one chain share them, and a chain that began anew at an address has none of those
//! of the one before. Until a session has seen a block they go by the network's name, or by its address where it has none.
//!
//! Every write is a transaction, and two instances may share the file.

mod chains;
mod damage;
mod migrations;
mod outcomes;
mod personal;
mod scope;
mod transfers;

pub use chains::Identified;
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

/// How long a write waits for another instance's.
const BUSY_TIMEOUT: Duration = Duration::from_secs(2);

/// Between two looks at a file that another instance holds.
const BUSY_PAUSE: Duration = Duration::from_millis(5);

/// The open state file.
#[derive(Debug)]
pub struct Store {
    connection: Connection,
    path: PathBuf,
    unreadable: Cell<usize>,
}

/// Why the state could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The folder of the file could not be made.
    #[error("the folder of {path} cannot be made: {source}")]
    Folder {
        /// The state file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// SQLite refused: no permission, no state file, a full disk, another instance that does not let go.
    #[error("{path} cannot be used: {source}")]
    Sqlite {
        /// The state file.
        path: PathBuf,
        /// Why.
        source: rusqlite::Error,
    },
    /// The file is no database, or not whole, or not of our tables: see [`Store::open_or_renew`].
    #[error("{path} is damaged: {reason}")]
    Damaged {
        /// The state file.
        path: PathBuf,
        /// What SQLite says.
        reason: String,
    },
    /// A damaged file could not be put aside.
    #[error("{path} is damaged and cannot be put aside: {source}")]
    Aside {
        /// The state file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A newer rollscope wrote the file.
    #[error("{path} was written by a newer rollscope (version {found} of its tables, {known} known here)")]
    Newer {
        /// The state file.
        path: PathBuf,
        /// The version in the file.
        found: u32,
        /// The newest version known.
        known: u32,
    },
}

impl Store {
    /// Recents kept for each chain.
    pub const RECENTS: u32 = RECENTS;

    /// The longest text kept as a recent, in bytes; a longer one is no hash, address or height.
    pub const RECENT_BYTES: usize = 512;

    /// Opens the file, with its folder made and its tables brought up to date where needed; both are closed to others.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let closed = files::make_own_folder_of(path).and_then(|()| {
            // What SQLite makes beside the file has the file's mode; what a crash left may be older.
            files::make(path)?;
            damage::LOGS.iter().try_for_each(|ending| files::close(&damage::beside(path, ending)))
        });
        // A folder or a loop of links in its place is for SQLite to refuse.
        if let Err(source) = closed.or_else(|error| if path.exists() { Ok(()) } else { Err(error) }) {
            return Err(StoreError::Folder { path: path.to_owned(), source });
        }
        let store = Self::prepare(path, Connection::open(path))?;
        damage::check(&store.connection).map_err(|error| store.failed(error))?;
        Ok(store)
    }

    /// Opens the file; a damaged one is put aside, with the day in its name, and begun anew. Says where it lies then.
    ///
    /// Of several instances that find it damaged at once one does so, and the others open the new file.
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

    /// A store that is forgotten when it is dropped.
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

    /// The recents of the session's chain, newest first.
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

    /// Keeps a text as a recent of the session's chain, once; the oldest beyond [`Store::RECENTS`] go. Blank texts and
    /// those over [`Store::RECENT_BYTES`] are not kept.
    pub fn remember(&mut self, scope: &StoreScope, text: &str, at: Timestamp) -> Result<(), StoreError> {
        let text = text.trim();
        if text.is_empty() || text.len() > Self::RECENT_BYTES {
            return Ok(());
        }
        replace(&mut self.connection, scope, text, nanos(at)).map_err(|source| self.failed(source))
    }

    /// How many rows the last [`Store::transfers`] left out because they cannot be read.
    pub fn unreadable(&self) -> usize {
        self.unreadable.get()
    }

    fn failed(&self, source: rusqlite::Error) -> StoreError {
        damage::classify(&self.path, source)
    }
}

/// Chooses the journal and brings the tables up to date; returns the version that they then have.
fn set_up(connection: &mut Connection) -> rusqlite::Result<u32> {
    // The pragma answers with the mode that is now in use: "memory" for a store without a file.
    connection.query_row("PRAGMA journal_mode = WAL", [], |_| Ok(()))?;
    connection.pragma_update(None, "synchronous", "NORMAL")?;
    connection.pragma_update(None, "foreign_keys", true)?;
    migrations::apply(connection)
}

/// Tries again while another instance holds the file: a change of journal does not heed `busy_timeout`.
fn wait_while_busy<T>(mut attempt: impl FnMut() -> rusqlite::Result<T>) -> rusqlite::Result<T> {
    let started = Instant::now();
    loop {
        match attempt() {
            Err(error) if is_busy(&error) && started.elapsed() < BUSY_TIMEOUT => thread::sleep(BUSY_PAUSE),
            result => return result,
        }
    }
}

/// A moment as the file has it.
fn nanos(at: Timestamp) -> i64 {
    i64::try_from(at.as_nanos()).unwrap_or(i64::MAX)
}

fn is_busy(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked))
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
