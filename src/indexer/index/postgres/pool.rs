//! Connections of a store in PostgreSQL: one that writes, and those that read.

use std::{
    fmt,
    sync::{Condvar, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use super::{PostgresUrl, session::PostgresSession, text};
use crate::indexer::index::IndexError;

/// Number of connections that read.
const READERS: usize = 4;

/// Age up to which the number of changes is not read again.
const FRESH: Duration = Duration::from_millis(50);

/// Settings of the connection that writes: whoever finds the lease expired does not wait for a stopped writer.
const WRITER: &str = "SET idle_in_transaction_session_timeout = '2s'; SET lock_timeout = '10s';";

/// Settings of a connection that reads. A plan for certain values may join whole lists, which takes 190 ms for a page
/// of an account and a type; the plan for any values reads them by their indexes, in 1 ms.
const READER: &str = "SET default_transaction_read_only = on; SET statement_timeout = '60s';
    SET plan_cache_mode = force_generic_plan;";

/// Begins a page of one state.
const SNAPSHOT: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";

/// Fails unless this process may write; runs at the beginning of each transaction that writes.
pub(in crate::indexer::index) type EpochCheck = Box<dyn Fn(&PostgresSession) -> Result<(), IndexError> + Send + Sync>;

pub(in crate::indexer::index) struct PostgresPool {
    url: PostgresUrl,
    schema: String,
    application: String,
    /// `None` in a process that only reads, and after closing.
    writer: Mutex<Option<PoolWriter>>,
    readers: Mutex<PoolReaders>,
    returned: Condvar,
    seen: Mutex<Option<(Instant, i64)>>,
}

/// What a process writes with. Its lease goes with the check, after the connection.
struct PoolWriter {
    /// `None` before the first write, and after a lost connection.
    session: Option<PostgresSession>,
    epoch_check: EpochCheck,
}

#[derive(Debug, Default)]
struct PoolReaders {
    idle: Vec<PostgresSession>,
    in_use: usize,
    is_closed: bool,
}

impl fmt::Debug for PostgresPool {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("PostgresPool").field("schema", &self.schema).finish_non_exhaustive()
    }
}

impl PostgresPool {
    /// `epoch_check` is `None` for a process that only reads; the application is the name that the server shows.
    pub(in crate::indexer::index) fn new(
        url: &PostgresUrl,
        schema: &str,
        application: &str,
        epoch_check: Option<EpochCheck>,
    ) -> Self {
        Self {
            url: url.clone(),
            schema: schema.to_owned(),
            application: application.to_owned(),
            writer: Mutex::new(epoch_check.map(|epoch_check| PoolWriter { session: None, epoch_check })),
            readers: Mutex::default(),
            returned: Condvar::new(),
            seen: Mutex::default(),
        }
    }

    pub(in crate::indexer::index) fn is_read_only(&self) -> bool {
        lock(&self.writer).is_none()
    }

    pub(in crate::indexer::index) fn schema(&self) -> &str {
        &self.schema
    }

    /// Makes the functions and the counter that statements need.
    pub(in crate::indexer::index) fn prepare(&self) -> Result<(), IndexError> {
        self.write_with(
            |session| {
                session.run(text::FUNCTIONS)?;
                session.run(text::DROP_FORMER_INDEXES)?;
                session.run(
                    "CREATE TABLE IF NOT EXISTS change (value bigint NOT NULL);
                     INSERT INTO change SELECT 0 WHERE NOT EXISTS (SELECT 1 FROM change);",
                )
            },
            || (),
        )
    }

    /// Runs a read on one state, once more if a replica cancelled it or the connection was lost.
    pub(in crate::indexer::index) fn read<T>(
        &self,
        job: impl Fn(&PostgresSession) -> Result<T, IndexError>,
    ) -> Result<T, IndexError> {
        match self.read_once(&job) {
            Err(error) if error.is_interrupted() => self.read_once(&job),
            other => other,
        }
    }

    fn read_once<T>(&self, job: &impl Fn(&PostgresSession) -> Result<T, IndexError>) -> Result<T, IndexError> {
        let session = match self.take()? {
            Some(session) => Ok(session),
            None => PostgresSession::open(&self.url, &self.application, &self.schema, READER),
        };
        let session = session.inspect_err(|_| self.give_back(None))?;
        let result = session.run(SNAPSHOT).and_then(|()| job(&session));
        let is_usable = session.run(if result.is_ok() { "COMMIT" } else { "ROLLBACK" }).is_ok();
        self.give_back(Some(session).filter(|_| is_usable));
        result
    }

    /// Returns an idle connection, or `None` for the place of a new one.
    fn take(&self) -> Result<Option<PostgresSession>, IndexError> {
        let mut readers = lock(&self.readers);
        loop {
            if readers.is_closed {
                return Err(IndexError::Closed);
            }
            readers.idle.retain(|session| !session.is_closed());
            if readers.in_use + readers.idle.len() < READERS || !readers.idle.is_empty() {
                readers.in_use += 1;
                return Ok(readers.idle.pop());
            }
            readers = self.returned.wait(readers).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn give_back(&self, session: Option<PostgresSession>) {
        let mut readers = lock(&self.readers);
        readers.in_use -= 1;
        if !readers.is_closed {
            readers.idle.extend(session);
        }
        drop(readers);
        self.returned.notify_one();
    }

    /// Runs a write in one transaction. What `begin_change` returns lasts until it is committed or failed.
    pub(in crate::indexer::index) fn write<T, C>(
        &self,
        job: impl FnOnce(&PostgresSession) -> Result<T, IndexError>,
        begin_change: impl FnOnce() -> C,
    ) -> Result<T, IndexError> {
        self.write_with(
            |session| {
                let value = job(session)?;
                session.run("UPDATE change SET value = value + 1")?;
                Ok(value)
            },
            begin_change,
        )
    }

    fn write_with<T, C>(
        &self,
        job: impl FnOnce(&PostgresSession) -> Result<T, IndexError>,
        begin_change: impl FnOnce() -> C,
    ) -> Result<T, IndexError> {
        let mut writer = lock(&self.writer);
        let PoolWriter { session: kept, epoch_check } = writer.as_mut().ok_or(IndexError::Closed)?;
        let session = match kept.take().filter(|session| !session.is_closed()) {
            Some(session) => session,
            None => PostgresSession::open(&self.url, &self.application, &self.schema, WRITER)?,
        };
        let result =
            session.run("BEGIN").and_then(|()| epoch_check(&session)).and_then(|()| job(&session)).and_then(|value| {
                // Before the commit no reader sees the change.
                let _change = begin_change();
                session.run("COMMIT")?;
                Ok(value)
            });
        if result.is_ok() || session.run("ROLLBACK").is_ok() {
            *kept = Some(session);
        }
        result
    }

    /// Returns the number of changes that the follower made, at most [`FRESH`] old.
    pub(in crate::indexer::index) fn changes(&self) -> Result<i64, IndexError> {
        let mut seen = lock(&self.seen);
        if let Some((at, value)) = *seen
            && at.elapsed() < FRESH
        {
            return Ok(value);
        }
        let at = Instant::now();
        let value = self.read(|session| {
            let rows = session.query("SELECT value FROM change", &[])?;
            let row = rows.first().ok_or(IndexError::NoIndex)?;
            Ok(row.try_get::<_, i64>(0).map_err(super::PostgresError::from)?)
        })?;
        *seen = Some((at, value));
        Ok(value)
    }

    /// Returns the size of the tables in bytes; 0 while the server cannot be asked.
    pub(in crate::indexer::index) fn bytes(&self) -> u64 {
        let size = self.read(|session| {
            let rows = session.query(text::SIZE, &[])?;
            Ok(rows.first().and_then(|row| row.try_get::<_, i64>(0).ok()))
        });
        size.ok().flatten().and_then(|size| u64::try_from(size).ok()).unwrap_or(0)
    }

    /// Closes the idle connections, and gives the lease back; connections in use close when they are returned.
    pub(in crate::indexer::index) fn close(&self) {
        let mut readers = lock(&self.readers);
        readers.is_closed = true;
        readers.idle.clear();
        drop(readers);
        self.returned.notify_all();
        lock(&self.writer).take();
    }
}

/// Locks a mutex; every change is a transaction, so a poisoned lock holds valid data.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
