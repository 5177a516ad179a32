//! Queries of analysts over a file: views of its tables, which another process may write meanwhile.
//!
//! ```text
//! tables        the same tables for exports, by ranges of blocks
//! views         tables that queries see, column by column
//! server_views  those of them that a database shows to other programs
//! functions     SQL functions that unpack records and sum amounts
//! guard         limits of a statement: views only, time, memory
//! ```

mod functions;
mod guard;
mod server_views;
mod tables;
mod views;

pub use server_views::server_views;
pub use tables::{RangeEnds, StoreSnapshot, StoreTables};
pub use views::{SQL_VIEWS, SqlColumn, SqlKind, SqlView};

use std::{
    path::Path,
    sync::{Arc, PoisonError},
    time::{Duration, Instant},
};

use alloy_primitives::hex;
use rusqlite::{Connection, ErrorCode, Row, types::ValueRef};

use super::{
    IndexError,
    codec::Codec,
    database::open_reader,
    dialect::Connection as StoreConnection,
    meta,
    model::{FORMAT, refuse_newer},
};
use crate::domain::Vm;
use guard::{LastRefusal, MOST_BYTES, MOST_MEMORY, StatementClock};

/// Reads the effects of a transaction's record as JSON; `None` for an unreadable record.
pub type EffectsOfRecord = fn(Vm, &str) -> Option<String>;

/// Reason why a statement has no result.
#[derive(Debug, thiserror::Error)]
pub enum SqlError {
    #[error(transparent)]
    Index(#[from] IndexError),
    #[error("the statement is not read-only: {0} is not allowed; write one SELECT")]
    NotReadOnly(String),
    #[error("no table {name}; the tables are {}", table_names())]
    NoTable { name: String },
    #[error("{reason}; {columns}")]
    NoColumn { reason: String, columns: String },
    #[error("the function {0} is not allowed")]
    Function(String),
    #[error("there are several statements; write one SELECT")]
    Several,
    #[error("there is no statement; write one SELECT")]
    Empty,
    #[error(
        "the statement took longer than {} s and was ended; restrict it, such as with WHERE height > N, or raise --timeout",
        .0.as_secs()
    )]
    Time(Duration),
    #[error(
        "the statement needs more than {} MiB of memory and was ended; restrict it, such as with WHERE height > N",
        MOST_MEMORY >> 20
    )]
    Memory,
    #[error("a value of the statement has more than {} MiB", MOST_BYTES >> 20)]
    Size,
    #[error("the statement failed: {0}")]
    Statement(String),
}

impl From<rusqlite::Error> for SqlError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Index(error.into())
    }
}

impl SqlError {
    fn no_table(name: &str) -> Self {
        Self::NoTable { name: name.to_owned() }
    }
}

fn table_names() -> String {
    SQL_VIEWS.iter().map(|view| view.name).collect::<Vec<_>>().join(", ")
}

/// Value of a row.
#[derive(Clone, Debug, PartialEq)]
pub enum SqlValue {
    Null,
    Integer(i64),
    Real(f64),
    Text(String),
}

impl From<ValueRef<'_>> for SqlValue {
    /// Converts bytes to hex with `0x`.
    fn from(value: ValueRef<'_>) -> Self {
        match value {
            ValueRef::Null => Self::Null,
            ValueRef::Integer(number) => Self::Integer(number),
            ValueRef::Real(number) => Self::Real(number),
            ValueRef::Text(text) => Self::Text(String::from_utf8_lossy(text).into_owned()),
            ValueRef::Blob(bytes) => Self::Text(hex::encode_prefixed(bytes)),
        }
    }
}

/// Receiver of a statement's rows.
pub trait SqlSink {
    type Error: From<SqlError>;

    /// Takes the names of the columns, before any row.
    fn begin(&mut self, columns: Vec<String>) -> Result<(), Self::Error>;

    fn row(&mut self, values: Vec<SqlValue>) -> Result<(), Self::Error>;
}

/// Limits of a statement.
#[derive(Clone, Copy, Debug)]
pub struct SqlLimits {
    pub time: Duration,
    pub rows: u64,
}

/// File for queries. No statement changes it, and none reads anything else.
#[derive(Debug)]
pub struct SqlReader {
    connection: Connection,
    clock: Arc<StatementClock>,
    refusal: LastRefusal,
}

/// Opens a file for reading, with the views that queries see; their names end with `mark`.
fn open_views(path: &Path, effects: EffectsOfRecord, mark: &str) -> Result<(Connection, Vm), SqlError> {
    let no_file = || IndexError::NoFile(path.to_owned());
    let connection = open_reader(path).map_err(|error| match error {
        IndexError::Database(error) if error.sqlite_error_code() == Some(ErrorCode::NotADatabase) => no_file(),
        other => other,
    })?;
    let found = meta::format_of(&StoreConnection::Sqlite(&connection))?.ok_or_else(no_file)?;
    refuse_newer(found)?;
    if found != FORMAT {
        return Err(IndexError::Unconverted(found).into());
    }
    let vm = meta::load(&StoreConnection::Sqlite(&connection), "virtual machine")?
        .and_then(|name| String::from_utf8(name).ok()?.parse().ok());
    let vm: Vm = vm.ok_or_else(no_file)?;
    let codec = Codec::new(meta::load(&StoreConnection::Sqlite(&connection), "dictionary")?.unwrap_or_default())?;
    functions::add(&connection, codec, vm, effects)?;
    for view in SQL_VIEWS {
        connection.execute_batch(&format!("CREATE TEMP VIEW \"{}{mark}\" AS {};", view.name, view.select()))?;
    }
    Ok((connection, vm))
}

impl SqlReader {
    /// Opens a file that another process may write.
    pub fn open(path: &Path, effects: EffectsOfRecord) -> Result<Self, SqlError> {
        let mut secret = [0; 16];
        getrandom::fill(&mut secret).map_err(|error| SqlError::Statement(error.to_string()))?;
        let mark = format!("_{}", hex::encode(secret));
        let (connection, _) = open_views(path, effects, &mark)?;
        for SqlView { name, .. } in SQL_VIEWS {
            connection.execute_batch(&format!("CREATE TEMP VIEW {name} AS SELECT * FROM \"{name}{mark}\";"))?;
        }
        let clock = Arc::new(StatementClock::new());
        let refusal = guard::guard(&connection, &mark, &clock)?;
        Ok(Self { connection, clock, refusal })
    }

    /// Runs one SELECT on one state of the file. Returns whether rows beyond the limit were left out.
    pub fn run<S: SqlSink>(&self, sql: &str, limits: SqlLimits, sink: &mut S) -> Result<bool, S::Error> {
        self.clock.set(limits.time);
        let explained = |error: rusqlite::Error| S::Error::from(self.explain(&error, sql, limits));
        let mut statement = self.connection.prepare(sql).map_err(explained)?;
        if !statement.readonly() {
            return Err(SqlError::NotReadOnly("a change".to_owned()).into());
        }
        if statement.column_count() == 0 {
            return Err(SqlError::Empty.into());
        }
        sink.begin(statement.column_names().into_iter().map(ToOwned::to_owned).collect())?;
        let width = statement.column_count();
        let mut rows = statement.query([]).map_err(explained)?;
        let mut count = 0;
        while let Some(row) = rows.next().map_err(explained)? {
            if count == limits.rows {
                return Ok(true);
            }
            count += 1;
            let values = values(row, width).map_err(explained)?;
            let paused = Instant::now();
            sink.row(values)?;
            self.clock.extend(paused.elapsed());
        }
        Ok(false)
    }

    /// Says what to do about a failed statement.
    fn explain(&self, error: &rusqlite::Error, sql: &str, limits: SqlLimits) -> SqlError {
        if let Some(reason) = self.refusal.lock().unwrap_or_else(PoisonError::into_inner).take() {
            return reason;
        }
        let reason = match error {
            rusqlite::Error::MultipleStatement => return SqlError::Several,
            rusqlite::Error::SqliteFailure(_, Some(reason)) => reason.clone(),
            rusqlite::Error::SqlInputError { msg, .. } => msg.clone(),
            other => other.to_string(),
        };
        match error.sqlite_error_code() {
            Some(ErrorCode::OperationInterrupted) => return SqlError::Time(limits.time),
            Some(ErrorCode::OutOfMemory) => return SqlError::Memory,
            Some(ErrorCode::TooBig) => return SqlError::Size,
            Some(ErrorCode::ReadOnly) => return SqlError::NotReadOnly("a change".to_owned()),
            _ => {}
        }
        if let Some(name) = reason.strip_prefix("no such table: ") {
            return SqlError::no_table(name);
        }
        if reason.starts_with("cannot modify") {
            return SqlError::NotReadOnly("a change".to_owned());
        }
        if reason.starts_with("no such column") {
            let named = SQL_VIEWS.iter().filter(|view| sql.to_ascii_lowercase().contains(view.name));
            let columns: Vec<String> = named
                .map(|view| {
                    let columns: Vec<&str> = view.columns.iter().map(|column| column.name).collect();
                    format!("{} has {}", view.name, columns.join(", "))
                })
                .collect();
            return SqlError::NoColumn { reason, columns: columns.join("; ") };
        }
        SqlError::Statement(reason)
    }
}

fn values(row: &Row<'_>, width: usize) -> Result<Vec<SqlValue>, rusqlite::Error> {
    (0..width).map(|place| Ok(row.get_ref(place)?.into())).collect()
}
