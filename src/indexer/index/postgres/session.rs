//! Connection to a server whose queries block the calling thread.
//!
//! tokio-postgres, not the synchronous `postgres`: the index is also read on threads of a runtime, where a second
//! runtime must not block, and statements for many rows are sent without waiting for each answer. The connection itself
//! is served by a thread of its own.

use std::{
    cell::RefCell,
    collections::HashMap,
    num::NonZeroUsize,
    pin::pin,
    sync::{Arc, OnceLock},
    task::{Context, Poll, Wake, Waker},
    thread::{self, Thread},
};

use futures_util::future::try_join_all;
use lru::LruCache;
use rusqlite::{
    ToSql,
    types::{ToSqlOutput, Value, ValueRef},
};
use tokio::runtime::{Builder, Runtime};
use tokio_postgres::{Client, Row, Statement, types::Type};

use super::{
    PostgresError, PostgresUrl,
    text::{self, BulkText},
    values::{Sent, column_of},
};
use crate::indexer::index::{IndexError, dialect::Params};

/// Number of prepared statements of a connection.
const STATEMENTS: NonZeroUsize = NonZeroUsize::new(128).expect("not zero");

/// Rows of one statement: the server answers while the next are sent.
const ROWS: usize = 2_000;

/// Rows that a cursor returns at a time.
const PART: usize = 500;

/// Statements that are sent before the answer of the first.
const AHEAD: usize = 512;

/// Open connection within a schema.
pub(in crate::indexer::index) struct PostgresSession {
    client: Client,
    statements: RefCell<LruCache<String, Statement>>,
    bulks: RefCell<HashMap<String, Bulk>>,
}

/// Statement that writes many rows at once.
#[derive(Clone)]
struct Bulk {
    statement: Statement,
    types: Vec<Type>,
}

impl std::fmt::Debug for PostgresSession {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("PostgresSession").finish_non_exhaustive()
    }
}

impl PostgresSession {
    /// Connects, and sets the schema. `settings` are further statements.
    pub(super) fn open(url: &PostgresUrl, application: &str, schema: &str, settings: &str) -> Result<Self, IndexError> {
        let (url, application) = (url.clone(), application.to_owned());
        let connecting = runtime()?.spawn(async move { url.connect(&application).await });
        let client = wait(connecting).map_err(|_| IndexError::Closed)?.map_err(IndexError::from)?;
        let session = Self { client, statements: RefCell::new(LruCache::new(STATEMENTS)), bulks: RefCell::default() };
        session.run(&format!(
            "SET client_min_messages = warning; SET search_path = {}; {settings}",
            text::quoted(schema)
        ))?;
        Ok(session)
    }

    pub(super) fn is_closed(&self) -> bool {
        self.client.is_closed()
    }

    /// Runs statements of the server's own, without translation.
    pub(in crate::indexer::index) fn run(&self, sql: &str) -> Result<(), IndexError> {
        wait(self.client.batch_execute(sql)).map_err(failed)
    }

    pub(in crate::indexer::index) fn execute_batch(&self, sql: &str) -> Result<(), IndexError> {
        self.run(&text::translated_tables(sql))
    }

    pub(in crate::indexer::index) fn execute(&self, sql: &str, values: &[&dyn ToSql]) -> Result<usize, IndexError> {
        let values = outputs(values)?;
        let statement = self.prepared(sql, &values)?;
        let sent = sent(&values);
        let changed = wait(self.client.execute(&statement, &pointers(&sent))).map_err(failed)?;
        Ok(usize::try_from(changed).unwrap_or(usize::MAX))
    }

    pub(in crate::indexer::index) fn query(&self, sql: &str, values: &[&dyn ToSql]) -> Result<Vec<Row>, IndexError> {
        let values = outputs(values)?;
        let statement = self.prepared(sql, &values)?;
        let sent = sent(&values);
        wait(self.client.query(&statement, &pointers(&sent))).map_err(failed)
    }

    /// Passes each row of a query to `take`, by a cursor, which needs a transaction.
    pub(in crate::indexer::index) fn each_row(
        &self,
        sql: &str,
        mut take: impl FnMut(&Row) -> Result<(), IndexError>,
    ) -> Result<(), IndexError> {
        self.run(&format!("DECLARE each_row NO SCROLL CURSOR FOR {}", text::translated(sql)))?;
        let fetch = format!("FETCH {PART} FROM each_row");
        loop {
            let rows = wait(self.client.query(&fetch, &[])).map_err(failed)?;
            rows.iter().try_for_each(&mut take)?;
            if rows.len() < PART {
                return self.run("CLOSE each_row");
            }
        }
    }

    /// Reads the rows whose column has one of these values; see [`super::super::dialect::Statement::query_keys`].
    pub(in crate::indexer::index) fn query_keys(&self, sql: &str, keys: &[i64]) -> Result<Vec<Row>, IndexError> {
        let sql = sql.replace("= ?1", "= ANY(?1)");
        let statement = self.cached(&sql, &[Type::INT8_ARRAY])?;
        wait(self.client.query(&statement, &[&keys])).map_err(failed)
    }

    /// Runs a statement for each row of values, without waiting for each answer.
    pub(in crate::indexer::index) fn query_each<P: Params>(
        &self,
        sql: &str,
        rows: impl IntoIterator<Item = P>,
    ) -> Result<Vec<Vec<Row>>, IndexError> {
        let mut found = Vec::new();
        self.each(sql, rows, |statement, rows| {
            let queries = rows.iter().map(|row| async move { self.client.query(statement, &pointers(row)).await });
            found.extend(wait(try_join_all(queries)).map_err(failed)?);
            Ok(())
        })?;
        Ok(found)
    }

    /// Runs a statement for each row of values, without waiting for each answer; returns the numbers of changed rows.
    pub(in crate::indexer::index) fn execute_each<P: Params>(
        &self,
        sql: &str,
        rows: impl IntoIterator<Item = P>,
    ) -> Result<Vec<usize>, IndexError> {
        let mut changed = Vec::new();
        self.each(sql, rows, |statement, rows| {
            let queries = rows.iter().map(|row| async move { self.client.execute(statement, &pointers(row)).await });
            let counts = wait(try_join_all(queries)).map_err(failed)?;
            changed.extend(counts.into_iter().map(|count| usize::try_from(count).unwrap_or(usize::MAX)));
            Ok(())
        })?;
        Ok(changed)
    }

    fn each<P: Params>(
        &self,
        sql: &str,
        rows: impl IntoIterator<Item = P>,
        mut run: impl FnMut(&Statement, &[Vec<Sent<'_>>]) -> Result<(), IndexError>,
    ) -> Result<(), IndexError> {
        let mut rows = rows.into_iter();
        loop {
            let part = rows.by_ref().take(AHEAD).map(|row| row.bind(owned)).collect::<Result<Vec<_>, _>>()?;
            let Some(first) = part.first() else { return Ok(()) };
            let statement = self.prepared(sql, &outputs(&pointers_of(first))?)?;
            let sent: Vec<Vec<Sent<'_>>> =
                part.iter().map(|row| row.iter().map(|value| Sent(value.into())).collect()).collect();
            run(&statement, &sent)?;
        }
    }

    /// Writes all rows by one statement for thousands of them.
    pub(in crate::indexer::index) fn insert_all<P: Params>(
        &self,
        sql: &str,
        rows: impl IntoIterator<Item = P>,
    ) -> Result<(), IndexError> {
        let mut rows = rows.into_iter();
        loop {
            let part = rows.by_ref().take(ROWS).map(|row| row.bind(owned)).collect::<Result<Vec<_>, _>>()?;
            if part.is_empty() {
                return Ok(());
            }
            let Bulk { statement, types } = self.bulk(sql)?;
            let columns: Vec<_> = types.iter().enumerate().map(|(at, kind)| column_of(&part, at, kind)).collect();
            let columns: Vec<_> = columns.iter().map(|column| &**column).collect();
            wait(self.client.execute(&statement, &columns)).map_err(failed)?;
        }
    }

    fn bulk(&self, sql: &str) -> Result<Bulk, IndexError> {
        if let Some(known) = self.bulks.borrow().get(sql) {
            return Ok(known.clone());
        }
        let single = wait(self.client.prepare(&text::translated(sql))).map_err(failed)?;
        let types = single.params().to_vec();
        let statement = BulkText::new(sql, &types).ok_or(IndexError::Body)?;
        let statement = wait(self.client.prepare(&statement.0)).map_err(failed)?;
        let bulk = Bulk { statement, types };
        self.bulks.borrow_mut().insert(sql.to_owned(), bulk.clone());
        Ok(bulk)
    }

    /// Prepares a statement whose parameters have the types of these values.
    fn prepared(&self, sql: &str, values: &[ToSqlOutput<'_>]) -> Result<Statement, IndexError> {
        let kind = |value: &ToSqlOutput<'_>| match reference(value) {
            ValueRef::Integer(_) => Type::INT8,
            ValueRef::Text(_) | ValueRef::Blob(_) => Type::BYTEA,
            ValueRef::Real(_) | ValueRef::Null => Type::UNKNOWN,
        };
        let types: Vec<Type> = values.iter().map(kind).collect();
        self.cached(sql, &types)
    }

    fn cached(&self, sql: &str, types: &[Type]) -> Result<Statement, IndexError> {
        if let Some(known) = self.statements.borrow_mut().get(sql) {
            return Ok(known.clone());
        }
        let statement = wait(self.client.prepare_typed(&text::translated(sql), types)).map_err(failed)?;
        self.statements.borrow_mut().put(sql.to_owned(), statement.clone());
        Ok(statement)
    }
}

fn failed(error: tokio_postgres::Error) -> IndexError {
    IndexError::Postgres(PostgresError::from(error))
}

fn outputs<'a>(values: &'a [&dyn ToSql]) -> Result<Vec<ToSqlOutput<'a>>, IndexError> {
    Ok(values.iter().map(ToSql::to_sql).collect::<Result<_, _>>()?)
}

fn reference<'a>(value: &'a ToSqlOutput<'_>) -> ValueRef<'a> {
    match value {
        ToSqlOutput::Borrowed(value) => *value,
        ToSqlOutput::Owned(value) => value.into(),
        _ => ValueRef::Null,
    }
}

fn sent<'a>(values: &'a [ToSqlOutput<'_>]) -> Vec<Sent<'a>> {
    values.iter().map(|value| Sent(reference(value))).collect()
}

fn pointers<'a>(values: &'a [Sent<'_>]) -> Vec<&'a (dyn tokio_postgres::types::ToSql + Sync)> {
    values.iter().map(|value| value as &(dyn tokio_postgres::types::ToSql + Sync)).collect()
}

fn pointers_of(values: &[Value]) -> Vec<&dyn ToSql> {
    values.iter().map(|value| value as &dyn ToSql).collect()
}

fn owned(values: &[&dyn ToSql]) -> Result<Vec<Value>, IndexError> {
    let owned = |value: ToSqlOutput<'_>| Value::try_from(reference(&value)).map_err(|_| IndexError::Body);
    outputs(values)?.into_iter().map(owned).collect()
}

/// Runtime that serves all connections of the process, on one thread.
fn runtime() -> Result<&'static Runtime, IndexError> {
    static RUNTIME: OnceLock<Option<Runtime>> = OnceLock::new();
    let start = || Builder::new_multi_thread().worker_threads(1).thread_name("postgres").enable_all().build().ok();
    RUNTIME.get_or_init(start).as_ref().ok_or(IndexError::Closed)
}

struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

/// Waits for a future that another thread drives. Unlike a runtime's own function it may run within a runtime.
fn wait<F: Future>(future: F) -> F::Output {
    let waker = Waker::from(Arc::new(Unpark(thread::current())));
    let mut context = Context::from_waker(&waker);
    let mut future = pin!(future);
    loop {
        match future.as_mut().poll(&mut context) {
            Poll::Ready(value) => return value,
            Poll::Pending => thread::park(),
        }
    }
}
