use std::{
    path::Path,
    sync::{Condvar, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use rusqlite::{Connection, OpenFlags};

use super::IndexError;

/// Connections that read a file at the same time.
const READERS: usize = 4;

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
    idle: Mutex<Vec<Connection>>,
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
        let readers = Some(Readers { idle: Mutex::new(idle), returned: Condvar::new() });
        Ok(Self { writer: Mutex::new(writer), readers, turns: TurnQueue::default() })
    }

    /// Reads one consistent state.
    pub(super) fn read<T>(&self, job: impl FnOnce(&Connection) -> Result<T, IndexError>) -> Result<T, IndexError> {
        let Some(readers) = &self.readers else {
            let _turn = self.turns.take();
            return job(&lock(&self.writer));
        };
        let connection = readers.take();
        let result =
            connection.unchecked_transaction().map_err(IndexError::from).and_then(|_snapshot| job(&connection));
        readers.give_back(connection);
        result
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
    fn take(&self) -> Connection {
        let mut idle = lock(&self.idle);
        loop {
            match idle.pop() {
                Some(connection) => return connection,
                None => idle = self.returned.wait(idle).unwrap_or_else(PoisonError::into_inner),
            }
        }
    }

    fn give_back(&self, connection: Connection) {
        lock(&self.idle).push(connection);
        self.returned.notify_one();
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
