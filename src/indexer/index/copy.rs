//! Copies of an index between stores of any engine: each table is copied, read again, and compared.

use std::path::Path;

use rusqlite::types::{Value, ValueRef};
use sha2::{Digest as _, Sha256};

use super::{
    BackupError, Bounds, Index, IndexError, IndexIdentity,
    backup::{finish, unfinished_copy},
    dialect::{Connection, StoreRow},
    schema,
};

/// Rows that are written at a time.
const PART: usize = 500;

/// Progress of a copy.
#[derive(Clone, Copy, Debug)]
pub struct CopyStep<'a> {
    pub table: &'a str,
    /// Number of the table, from 1, and of all tables.
    pub number: usize,
    pub tables: usize,
    /// Rows of the table so far, copied or compared.
    pub rows: u64,
    /// Whether the copied rows are read again.
    pub is_comparison: bool,
}

impl Index {
    /// Copies all tables to a new file, compares them, and returns the blocks. `tell` is told of the progress.
    pub fn copy_to_file(&self, to: &Path, tell: impl Fn(CopyStep)) -> Result<Option<Bounds>, BackupError> {
        let unfinished = unfinished_copy(to)?;
        let file = rusqlite::Connection::open(&unfinished)?;
        // Nobody else sees the file before it is whole.
        file.execute_batch("PRAGMA page_size=8192; PRAGMA journal_mode=MEMORY; PRAGMA synchronous=OFF;")?;
        let identity = self.identity();
        self.database.read(|source| {
            let writing = file.unchecked_transaction()?;
            let target = Connection::Sqlite(&writing);
            schema::open(&target, &identity)?;
            copy_tables(source, &target, &identity, &tell)?;
            Ok(writing.commit()?)
        })?;
        finish(file, &unfinished, to)
    }

    /// Returns what a copy must have been made for.
    pub(super) fn identity(&self) -> IndexIdentity {
        IndexIdentity { vm: self.vm, feed: self.feed, facts: Vec::new() }
    }
}

/// Replaces the rows of all tables by those of the source, and compares them.
pub(super) fn copy_tables(
    source: &Connection,
    target: &Connection,
    identity: &IndexIdentity,
    tell: &impl Fn(CopyStep),
) -> Result<(), IndexError> {
    let memory = rusqlite::Connection::open_in_memory()?;
    schema::open(&Connection::Sqlite(&memory), identity)?;
    let tables = Connection::Sqlite(&memory).tables()?;
    let found = source.tables()?;
    if let Some(unknown) = found.iter().find(|name| !tables.contains(name)) {
        return Err(IndexError::UnknownTable(unknown.clone()));
    }
    for (place, name) in tables.iter().enumerate().filter(|(_, name)| found.contains(name)) {
        let table = CopiedTable::of(&memory, name)?;
        let step = CopyStep { table: name, number: place + 1, tables: tables.len(), rows: 0, is_comparison: false };
        let copied = table.copy(source, target, |rows| tell(CopyStep { rows, ..step }))?;
        let compared = table.sum(target, |rows| tell(CopyStep { rows, is_comparison: true, ..step }))?;
        if compared != copied {
            return Err(IndexError::Differs(name.clone()));
        }
    }
    Ok(())
}

/// Table as this version of the program creates it.
struct CopiedTable<'a> {
    name: &'a str,
    /// Names, and whether the values are texts; a server keeps texts as bytes.
    columns: Vec<(String, bool)>,
    key: Vec<String>,
}

impl<'a> CopiedTable<'a> {
    fn of(memory: &rusqlite::Connection, name: &'a str) -> Result<Self, IndexError> {
        let mut statement = memory.prepare("SELECT name, type, pk FROM pragma_table_info(?1) ORDER BY cid")?;
        let (mut columns, mut key) = (Vec::new(), Vec::new());
        let mut rows = statement.query([name])?;
        while let Some(row) = rows.next()? {
            let (column, kind, place): (String, String, u32) = (row.get(0)?, row.get(1)?, row.get(2)?);
            if place > 0 {
                key.push((place, column.clone()));
            }
            columns.push((column, kind == "TEXT"));
        }
        key.sort_unstable();
        Ok(Self { name, columns, key: key.into_iter().map(|(_, column)| column).collect() })
    }

    fn names(&self) -> String {
        self.columns.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>().join(", ")
    }

    /// Returns a query of all rows in an order that both engines have.
    fn select(&self) -> String {
        format!("SELECT {} FROM {} ORDER BY {}", self.names(), self.name, self.key.join(", "))
    }

    /// Copies all rows; returns their sum.
    fn copy(&self, source: &Connection, target: &Connection, tell: impl Fn(u64)) -> Result<RowsSum, IndexError> {
        target.execute(&format!("DELETE FROM {}", self.name), [])?;
        let values = (1..=self.columns.len()).map(|place| format!("?{place}")).collect::<Vec<_>>().join(", ");
        let insert = format!("INSERT INTO {} ({}) VALUES ({values})", self.name, self.names());
        self.read(source, tell, |part| target.insert_all(&insert, part.iter().map(Vec::as_slice)))
    }

    fn sum(&self, store: &Connection, tell: impl Fn(u64)) -> Result<RowsSum, IndexError> {
        self.read(store, tell, |_| Ok(()))
    }

    /// Passes all rows to `take`, some at a time; returns their sum.
    fn read(
        &self,
        store: &Connection,
        tell: impl Fn(u64),
        take: impl Fn(&[Vec<Value>]) -> Result<(), IndexError>,
    ) -> Result<RowsSum, IndexError> {
        let (mut rows, mut digest, mut part) = (0, Sha256::new(), Vec::with_capacity(PART));
        store.each_row(&self.select(), |row| {
            let values = self.values(row)?;
            add(&mut digest, &values);
            rows += 1;
            part.push(values);
            if part.len() == PART {
                take(&part)?;
                part.clear();
                tell(rows);
            }
            Ok(())
        })?;
        take(&part)?;
        tell(rows);
        Ok(RowsSum { rows, digest: digest.finalize().into() })
    }

    fn values(&self, row: &StoreRow) -> Result<Vec<Value>, IndexError> {
        let value = |(place, (_, is_text)): (usize, &(String, bool))| {
            Ok(match row.get_ref(place)? {
                ValueRef::Text(bytes) | ValueRef::Blob(bytes) if *is_text => {
                    Value::Text(String::from_utf8(bytes.to_vec()).map_err(|_| IndexError::Body)?)
                }
                ValueRef::Text(bytes) | ValueRef::Blob(bytes) => Value::Blob(bytes.to_vec()),
                other => Value::try_from(other).map_err(|_| IndexError::Body)?,
            })
        };
        self.columns.iter().enumerate().map(value).collect()
    }
}

/// Number and digest of rows.
#[derive(PartialEq, Eq)]
struct RowsSum {
    rows: u64,
    digest: [u8; 32],
}

fn add(digest: &mut Sha256, values: &[Value]) {
    for value in values {
        let number: [u8; 8];
        let (kind, bytes) = match value {
            Value::Null => (0, [].as_slice()),
            Value::Integer(value) => {
                number = value.to_be_bytes();
                (1, number.as_slice())
            }
            Value::Real(value) => {
                number = value.to_be_bytes();
                (2, number.as_slice())
            }
            Value::Text(text) => (3, text.as_bytes()),
            Value::Blob(bytes) => (4, bytes.as_slice()),
        };
        digest.update([kind]);
        digest.update((bytes.len() as u64).to_be_bytes());
        digest.update(bytes);
    }
}
