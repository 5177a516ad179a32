use std::{
    path::Path,
    sync::{Condvar, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use rusqlite::OpenFlags;

#[cfg(feature = "postgres")]
use super::postgres::PostgresPool;
use super::{IndexError, dialect::Connection, version::ChangeCounter};

/// Number of concurrent read connections to a file.
const READERS: usize = 4;

/// Time limit for running reads when the database closes.
const PATIENCE: Duration = Duration::from_secs(2);

/// Number of cached statements per connection.
const STATEMENTS: usize = 64;

/// Connections to the database, with one write at a time.
#[derive(Debug)]
pub(super) struct Database {
    store: Engine,
    turns: TurnQueue,
    is_read_only: bool,
    pub(super) changes: ChangeCounter,
    /// Why the latest write failed, while it may succeed later.
    trouble: Mutex<Option<String>>,
}

#[derive(Debug)]
enum Engine {
    Sqlite(Box<Sqlite>),
    #[cfg(feature = "postgres")]
    Postgres(Box<PostgresPool>),
}

/// A file has one writer and several readers that do not block each other (WAL); a database in memory has one
/// connection for both.
#[derive(Debug)]
struct Sqlite {
    /// `None` after closing.
    writer: Mutex<Option<rusqlite::Connection>>,
    readers: Option<Readers>,
}

#[derive(Debug)]
struct Readers {
    /// Idle connections; `None` after closing.
    idle: Mutex<Option<Vec<rusqlite::Connection>>>,
    returned: Condvar,
}

/// Queue of readers and writers, first come, first served.
#[derive(Debug, Default)]
struct TurnQueue {
    numbers: Mutex<QueueNumbers>,
    moved: Condvar,
}

/// Next number to give out, and the number that is being served.
#[derive(Debug, Default)]
struct QueueNumbers {
    next: u64,
    served: u64,
}

struct QueueTurn<'a>(&'a TurnQueue);

impl Database {
    pub(super) fn memory() -> Result<Self, IndexError> {
        let writer = rusqlite::Connection::open_in_memory()?;
        writer.execute_batch("PRAGMA journal_mode=MEMORY; PRAGMA synchronous=OFF; PRAGMA temp_store=MEMORY;")?;
        writer.set_prepared_statement_cache_capacity(STATEMENTS);
        Ok(Self::of(writer, None))
    }

    /// Opens the database in a file; creates the file if missing.
    pub(super) fn file(path: &Path) -> Result<Self, IndexError> {
        let writer = rusqlite::Connection::open(path)?;
        writer.busy_timeout(Duration::from_secs(5))?;
        writer.execute_batch(
            "PRAGMA page_size=8192; PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA temp_store=MEMORY;
             PRAGMA cache_size=-65536; PRAGMA wal_autocheckpoint=4000; PRAGMA journal_size_limit=67108864;",
        )?;
        writer.set_prepared_statement_cache_capacity(STATEMENTS);
        Ok(Self::of(writer, Some(Readers::open(path)?)))
    }

    /// Opens the database in a file that another process may write; nothing here can write it.
    pub(super) fn read_only(path: &Path) -> Result<Self, IndexError> {
        Ok(Self { is_read_only: true, ..Self::of(open_reader(path)?, Some(Readers::open(path)?)) })
    }

    fn of(writer: rusqlite::Connection, readers: Option<Readers>) -> Self {
        Self::over(Engine::Sqlite(Box::new(Sqlite { writer: Mutex::new(Some(writer)), readers })), false)
    }

    fn over(store: Engine, is_read_only: bool) -> Self {
        let (turns, changes) = (TurnQueue::default(), ChangeCounter::default());
        Self { store, turns, is_read_only, changes, trouble: Mutex::default() }
    }

    /// Opens a schema of a server, for writing while the caller is its follower.
    #[cfg(feature = "postgres")]
    pub(super) fn postgres(pool: PostgresPool) -> Self {
        let is_read_only = pool.is_read_only();
        Self::over(Engine::Postgres(Box::new(pool)), is_read_only)
    }

    /// Returns the connections to a server; `None` for a file.
    #[cfg(feature = "postgres")]
    pub(super) fn server(&self) -> Option<&PostgresPool> {
        match &self.store {
            Engine::Postgres(pool) => Some(pool),
            Engine::Sqlite(_) => None,
        }
    }

    /// Whether each statement is a request to a server, which may take its time.
    pub(super) fn is_on_server(&self) -> bool {
        !matches!(self.store, Engine::Sqlite(_))
    }

    /// Runs a read on one consistent state. A server may cancel it, so it may run twice.
    #[cfg_attr(
        not(feature = "postgres"),
        expect(clippy::infallible_destructuring_match, reason = "a server is another engine")
    )]
    pub(super) fn read<T>(&self, job: impl Fn(&Connection) -> Result<T, IndexError>) -> Result<T, IndexError> {
        let sqlite = match &self.store {
            Engine::Sqlite(sqlite) => sqlite,
            #[cfg(feature = "postgres")]
            Engine::Postgres(pool) => return pool.read(|session| job(&Connection::Postgres(session))),
        };
        let Some(readers) = &sqlite.readers else {
            return self.write_alone(job);
        };
        let connection = readers.take()?;
        let snapshot = connection.unchecked_transaction().map_err(IndexError::from);
        let result = snapshot.and_then(|_snapshot| job(&Connection::Sqlite(&connection)));
        readers.give_back(connection);
        result
    }

    /// Merges the write-ahead log into the file, which nothing can write afterwards: a write that its task left
    /// behind would put a journal beside it. Does nothing for a database in memory.
    #[cfg_attr(
        not(feature = "postgres"),
        expect(clippy::infallible_destructuring_match, reason = "a server is another engine")
    )]
    pub(super) fn close(&self) {
        let sqlite = match &self.store {
            Engine::Sqlite(sqlite) => sqlite,
            #[cfg(feature = "postgres")]
            Engine::Postgres(pool) => return pool.close(),
        };
        let Some(readers) = &sqlite.readers else { return };
        readers.close();
        if self.is_read_only {
            return;
        }
        let _turn = self.turns.take();
        let Some(writer) = lock(&sqlite.writer).take() else { return };
        writer.flush_prepared_statement_cache();
        // A reader that did not end in time keeps the log file, which loses no data.
        let closed = writer.execute_batch("PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode=DELETE;");
        if let Err(error) = closed {
            tracing::warn!(%error, "cannot merge the index into one file");
        }
    }

    /// Runs a statement that needs the writer but no transaction, and changes nothing that is read.
    pub(super) fn write_alone<T>(
        &self,
        job: impl FnOnce(&Connection) -> Result<T, IndexError>,
    ) -> Result<T, IndexError> {
        let _turn = self.turns.take();
        match &self.store {
            Engine::Sqlite(sqlite) => {
                job(&Connection::Sqlite(lock(&sqlite.writer).as_ref().ok_or(IndexError::Closed)?))
            }
            #[cfg(feature = "postgres")]
            Engine::Postgres(pool) => pool.write(|session| job(&Connection::Postgres(session)), || ()),
        }
    }

    /// Returns a number that changes with what other processes write.
    pub(super) fn version_of_others(&self) -> Result<i64, IndexError> {
        #[cfg(feature = "postgres")]
        if let Engine::Postgres(pool) = &self.store {
            return pool.changes();
        }
        self.write_alone(|connection| connection.query_row("PRAGMA data_version", [], |row| row.get(0)))
    }

    /// Returns why the latest write failed, if the same may succeed later; from memory.
    pub(super) fn trouble(&self) -> Option<String> {
        lock(&self.trouble).clone()
    }

    /// Runs a transaction.
    pub(super) fn write<T>(&self, job: impl FnOnce(&Connection) -> Result<T, IndexError>) -> Result<T, IndexError> {
        let written = self.transact(job);
        match &written {
            Err(error) if error.may_pass() => *lock(&self.trouble) = Some(error.to_string()),
            Ok(_) => *lock(&self.trouble) = None,
            Err(_) => {}
        }
        written
    }

    fn transact<T>(&self, job: impl FnOnce(&Connection) -> Result<T, IndexError>) -> Result<T, IndexError> {
        let _turn = self.turns.take();
        match &self.store {
            Engine::Sqlite(sqlite) => {
                let mut writer = lock(&sqlite.writer);
                let transaction = writer.as_mut().ok_or(IndexError::Closed)?.transaction()?;
                let value = job(&Connection::Sqlite(&transaction))?;
                // Before the commit no reader sees the change.
                let _change = self.changes.begin();
                transaction.commit()?;
                Ok(value)
            }
            #[cfg(feature = "postgres")]
            Engine::Postgres(pool) => {
                pool.write(|session| job(&Connection::Postgres(session)), || self.changes.begin())
            }
        }
    }
}

pub(super) fn open_reader(path: &Path) -> Result<rusqlite::Connection, IndexError> {
    if !path.exists() {
        return Err(IndexError::Missing(path.to_owned()));
    }
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let reader = rusqlite::Connection::open_with_flags(path, flags)?;
    reader.busy_timeout(Duration::from_secs(5))?;
    reader.execute_batch("PRAGMA cache_size=-8192; PRAGMA mmap_size=1073741824; PRAGMA temp_store=MEMORY;")?;
    reader.set_prepared_statement_cache_capacity(STATEMENTS);
    Ok(reader)
}

impl Readers {
    fn open(path: &Path) -> Result<Self, IndexError> {
        let idle = (0..READERS).map(|_| open_reader(path)).collect::<Result<Vec<_>, _>>()?;
        Ok(Self { idle: Mutex::new(Some(idle)), returned: Condvar::new() })
    }

    fn take(&self) -> Result<rusqlite::Connection, IndexError> {
        let mut idle = lock(&self.idle);
        loop {
            match idle.as_mut().ok_or(IndexError::Closed)?.pop() {
                Some(connection) => return Ok(connection),
                None => idle = self.returned.wait(idle).unwrap_or_else(PoisonError::into_inner),
            }
        }
    }

    fn give_back(&self, connection: rusqlite::Connection) {
        if let Some(idle) = lock(&self.idle).as_mut() {
            idle.push(connection);
        }
        self.returned.notify_one();
    }

    /// Closes all connections. Waits a limited time for those in use.
    fn close(&self) {
        let is_reading =
            |idle: &mut Option<Vec<rusqlite::Connection>>| idle.as_ref().is_some_and(|idle| idle.len() < READERS);
        let waited = self.returned.wait_timeout_while(lock(&self.idle), PATIENCE, is_reading);
        waited.unwrap_or_else(PoisonError::into_inner).0.take();
        self.returned.notify_all();
    }
}

impl TurnQueue {
    /// Waits for the caller's turn, which lasts as long as the result lives.
    fn take(&self) -> QueueTurn<'_> {
        let mut numbers = lock(&self.numbers);
        let mine = numbers.next;
        numbers.next += 1;
        drop(self.moved.wait_while(numbers, |numbers| numbers.served != mine).unwrap_or_else(PoisonError::into_inner));
        QueueTurn(self)
    }
}

impl Drop for QueueTurn<'_> {
    fn drop(&mut self) {
        lock(&self.0.numbers).served += 1;
        self.0.moved.notify_all();
    }
}

/// Locks a mutex; every change is a transaction, so a poisoned lock holds valid data.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
