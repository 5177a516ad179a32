//! Parameters and rows of statements.

use rusqlite::{
    Error, ToSql,
    types::{FromSql, FromSqlError, ToSqlOutput, Type, ValueRef},
};

use crate::indexer::index::IndexError;

/// Values of a statement's parameters, in order.
pub(in crate::indexer::index) trait Params {
    fn bind<T>(&self, job: impl FnOnce(&[&dyn ToSql]) -> T) -> T;
}

impl<V: ToSql> Params for &[V] {
    fn bind<T>(&self, job: impl FnOnce(&[&dyn ToSql]) -> T) -> T {
        let values: Vec<&dyn ToSql> = self.iter().map(|value| value as &dyn ToSql).collect();
        job(&values)
    }
}

// One for each length: without values the compiler could not tell the type of an element.
macro_rules! arrays {
    ($($length:literal)*) => {$(
        impl<V: ToSql> Params for [V; $length] {
            fn bind<T>(&self, job: impl FnOnce(&[&dyn ToSql]) -> T) -> T {
                job(&self.each_ref().map(|value| value as &dyn ToSql))
            }
        }
    )*};
}

arrays!(1 2 3 4 5 6 7 8 9 10);

impl Params for [&dyn ToSql; 0] {
    fn bind<T>(&self, job: impl FnOnce(&[&dyn ToSql]) -> T) -> T {
        job(&[])
    }
}

/// Borrowed value of a row to write.
#[derive(Clone, Copy, Debug)]
pub(in crate::indexer::index) struct RowValue<'a>(ValueRef<'a>);

impl ToSql for RowValue<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(self.0))
    }
}

impl From<i64> for RowValue<'_> {
    fn from(number: i64) -> Self {
        Self(ValueRef::Integer(number))
    }
}

impl From<Option<i64>> for RowValue<'_> {
    fn from(number: Option<i64>) -> Self {
        Self(number.map_or(ValueRef::Null, ValueRef::Integer))
    }
}

impl<'a> From<&'a str> for RowValue<'a> {
    fn from(text: &'a str) -> Self {
        Self(ValueRef::Text(text.as_bytes()))
    }
}

impl<'a> From<&'a [u8]> for RowValue<'a> {
    fn from(bytes: &'a [u8]) -> Self {
        Self(ValueRef::Blob(bytes))
    }
}

/// Makes a row of values.
macro_rules! row_of {
    ($($value:expr),+ $(,)?) => {
        [$($crate::indexer::index::dialect::RowValue::from($value)),+]
    };
}
pub(in crate::indexer::index) use row_of;

/// Row of a result.
pub(in crate::indexer::index) enum StoreRow<'a> {
    Sqlite(&'a rusqlite::Row<'a>),
    #[cfg(feature = "postgres")]
    Postgres(&'a tokio_postgres::Row),
}

impl StoreRow<'_> {
    pub(in crate::indexer::index) fn get<T: FromSql>(&self, column: usize) -> Result<T, Error> {
        let value = self.get_ref(column)?;
        let read = T::column_result(value);
        // A server keeps texts as bytes, since a text there cannot hold U+0000.
        #[cfg(feature = "postgres")]
        let read = match (self, value) {
            (Self::Postgres(_), ValueRef::Blob(bytes)) => read.or_else(|_| T::column_result(ValueRef::Text(bytes))),
            _ => read,
        };
        read.map_err(|error| failed(column, value, error))
    }

    /// Returns a value; a text is [`ValueRef::Blob`] if it comes from a server.
    pub(in crate::indexer::index) fn get_ref(&self, column: usize) -> Result<ValueRef<'_>, Error> {
        match self {
            Self::Sqlite(row) => row.get_ref(column),
            #[cfg(feature = "postgres")]
            Self::Postgres(row) => crate::indexer::index::postgres::value_of(row, column),
        }
    }
}

fn failed(column: usize, value: ValueRef<'_>, error: FromSqlError) -> Error {
    let kind = match value {
        ValueRef::Null => Type::Null,
        ValueRef::Integer(_) => Type::Integer,
        ValueRef::Real(_) => Type::Real,
        ValueRef::Text(_) => Type::Text,
        ValueRef::Blob(_) => Type::Blob,
    };
    Error::FromSqlConversionFailure(column, kind, Box::new(error))
}

/// Rows of a result that are read one by one.
pub(in crate::indexer::index) enum StoreRows<'a> {
    Sqlite(rusqlite::Rows<'a>),
    #[cfg(feature = "postgres")]
    Postgres {
        found: Vec<tokio_postgres::Row>,
        next: usize,
    },
}

impl StoreRows<'_> {
    #[cfg(feature = "postgres")]
    pub(super) fn postgres(found: Vec<tokio_postgres::Row>) -> Self {
        Self::Postgres { found, next: 0 }
    }

    pub(in crate::indexer::index) fn next(&mut self) -> Result<Option<StoreRow<'_>>, IndexError> {
        match self {
            Self::Sqlite(rows) => Ok(rows.next()?.map(StoreRow::Sqlite)),
            #[cfg(feature = "postgres")]
            Self::Postgres { found, next } => {
                let row = found.get(*next).map(StoreRow::Postgres);
                *next += 1;
                Ok(row)
            }
        }
    }
}

/// Result of a query for one row that may be missing.
pub(in crate::indexer::index) trait OptionalRow<T> {
    /// `None` if there is no row.
    fn optional(self) -> Result<Option<T>, IndexError>;
}

impl<T> OptionalRow<T> for Result<T, IndexError> {
    fn optional(self) -> Result<Option<T>, IndexError> {
        match self {
            Err(IndexError::Database(Error::QueryReturnedNoRows)) => Ok(None),
            other => other.map(Some),
        }
    }
}
