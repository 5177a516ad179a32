use std::{
    path::Path,
    sync::{Condvar, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use rusqlite::{Connection, OpenFlags};

use super::IndexError;

/// Connections that read a file at the same time.
const READERS: usize = 4;

/// How long a read that goes on is waited for when the database is closed.
const PATIENCE: Duration = Duration::from_secs(2);

/// Statements kept ready on each connection.
const STATEMENTS: usize = 64;

/// The connections. A file has one writer and some readers that never wait for it (WAL); memory has one for both.
#[derive(Debug)]
pub(super) struct Database {
    writer: Mutex<Connection>,
    readers: Option<Readers>,
    turns: TurnQueue,
}

#[derive(Debug)]
struct Readers {
    /// `None` once it is closed.
    idle: Mutex<Option<Vec<Connection>>>,
    returned: Condvar,
}

/// First come, first served: nobody waits for more than those who were there before, neither reader nor writer.
#[derive(Debug, Default)]
struct TurnQueue {
    numbers: Mutex<QueueNumbers>,
    moved: Condvar,
}

/// The number that the next one draws, and the one whose turn it is.
#[derive(Debug, Default)]
struct QueueNumbers {
    next: u64,
    served: u64,
}

/// One's turn.
struct QueueTurn<'a>(&'a TurnQueue);

impl Database {
    /// An empty database in memory.
    pub(super) fn memory() -> Result<Self, IndexError> {
        let writer = Connection::open_in_memory()?;
        writer.execute_batch("PRAGMA journal_mode=MEMORY; PRAGMA synchronous=OFF; PRAGMA temp_store=MEMORY;")?;
        writer.set_prepared_statement_cache_capacity(STATEMENTS);
        Ok(Self { writer: Mutex::new(writer), readers: None, turns: TurnQueue::default() })
    }

    /// The database in this file, made if it is missing.
    pub(super) fn file(path: &Path) -> Result<Self, IndexError> {
        let writer = Connection::open(path)?;
        writer.busy_timeout(Duration::from_secs(5))?;
        writer.execute_batch(
            "PRAGMA page_size=8192; PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA temp_store=MEMORY;
             PRAGMA cache_size=-65536; PRAGMA wal_autocheckpoint=4000; PRAGMA journal_size_limit=67108864;",
        )?;
        writer.set_prepared_statement_cache_capacity(STATEMENTS);
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let mut idle = Vec::with_capacity(READERS);
        for _ in 0..READERS {
            let reader = Connection::open_with_flags(path, flags)?;
            reader.busy_timeout(Duration::from_secs(5))?;
            reader.execute_batch("PRAGMA cache_size=-8192; PRAGMA mmap_size=1073741824; PRAGMA temp_store=MEMORY;")?;
            reader.set_prepared_statement_cache_capacity(STATEMENTS);
            idle.push(reader);
        }
        let readers = Some(Readers { idle: Mutex::new(Some(idle)), returned: Condvar::new() });
        Ok(Self { writer: Mutex::new(writer), readers, turns: TurnQueue::default() })
    }

    /// Reads one consistent state.
    pub(super) fn read<T>(&self, job: impl FnOnce(&Connection) -> Result<T, IndexError>) -> Result<T, IndexError> {
        let Some(readers) = &self.readers else {
            let _turn = self.turns.take();
            return job(&lock(&self.writer));
        };
        let connection = readers.take()?;
        let result =
            connection.unchecked_transaction().map_err(IndexError::from).and_then(|_snapshot| job(&connection));
        readers.give_back(connection);
        result
    }

    /// Puts all of a file into the file itself, beside which nothing is left; a database in memory stays as it is.
    pub(super) fn close(&self) {
        let Some(readers) = &self.readers else { return };
        readers.close();
        let _turn = self.turns.take();
        let writer = lock(&self.writer);
        writer.flush_prepared_statement_cache();
        // A reader that did not end in time keeps the log of changes alive, which loses nothing.
        let closed = writer.execute_batch("PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode=DELETE;");
        if let Err(error) = closed {
            tracing::warn!(%error, "the index could not be put into one file");
        }
    }

    /// Changes the database outside of any transaction.
    pub(super) fn write_alone<T>(
        &self,
        job: impl FnOnce(&Connection) -> Result<T, IndexError>,
    ) -> Result<T, IndexError> {
        let _turn = self.turns.take();
        job(&lock(&self.writer))
    }

    /// Changes the database: all of it or, on an error, nothing.
    pub(super) fn write<T>(&self, job: impl FnOnce(&Connection) -> Result<T, IndexError>) -> Result<T, IndexError> {
        let _turn = self.turns.take();
        let mut connection = lock(&self.writer);
        let transaction = connection.transaction()?;
        let value = job(&transaction)?;
        transaction.commit()?;
        Ok(value)
    }
}

impl Readers {
    fn take(&self) -> Result<Connection, IndexError> {
        let mut idle = lock(&self.idle);
        loop {
            match idle.as_mut().ok_or(IndexError::Closed)?.pop() {
                Some(connection) => return Ok(connection),
                None => idle = self.returned.wait(idle).unwrap_or_else(PoisonError::into_inner),
            }
        }
    }

    fn give_back(&self, connection: Connection) {
        if let Some(idle) = lock(&self.idle).as_mut() {
            idle.push(connection);
        }
        self.returned.notify_one();
    }

    /// Closes every connection, also those that are given back later. They are waited for, but not for ever.
    fn close(&self) {
        let is_reading = |idle: &mut Option<Vec<Connection>>| idle.as_ref().is_some_and(|idle| idle.len() < READERS);
        let waited = self.returned.wait_timeout_while(lock(&self.idle), PATIENCE, is_reading);
        waited.unwrap_or_else(PoisonError::into_inner).0.take();
        self.returned.notify_all();
    }
}

impl TurnQueue {
    /// Waits for one's turn, which lasts as long as the answer lives.
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

/// A lock whose holder panicked is still good: every change is a transaction.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
