//! Values between SQLite's vocabulary, which the index uses, and PostgreSQL's types.

use std::error::Error as StdError;

use rusqlite::{
    Error,
    types::{Type as Kind, Value, ValueRef},
};
use tokio_postgres::{
    Row,
    types::{FromSql, IsNull, ToSql, Type, private::BytesMut, to_sql_checked},
};

type ConversionError = Box<dyn StdError + Sync + Send>;

/// Parameter of a statement.
#[derive(Debug)]
pub(super) struct Sent<'a>(pub(super) ValueRef<'a>);

impl ToSql for Sent<'_> {
    fn to_sql(&self, kind: &Type, out: &mut BytesMut) -> Result<IsNull, ConversionError> {
        match self.0 {
            ValueRef::Null => Ok(IsNull::Yes),
            ValueRef::Integer(number) => match *kind {
                Type::INT4 => i32::try_from(number)?.to_sql(kind, out),
                Type::INT2 => i16::try_from(number)?.to_sql(kind, out),
                Type::BOOL => (number != 0).to_sql(kind, out),
                _ => number.to_sql(kind, out),
            },
            ValueRef::Real(number) => number.to_sql(kind, out),
            ValueRef::Text(bytes) | ValueRef::Blob(bytes) => bytes.to_sql(kind, out),
        }
    }

    fn accepts(_: &Type) -> bool {
        true
    }

    to_sql_checked!();
}

/// Returns the values of one column of many rows, as an array of the column's type.
pub(super) fn column_of<'a>(rows: &'a [Vec<Value>], at: usize, kind: &Type) -> Box<dyn ToSql + Sync + 'a> {
    let cells = rows.iter().map(|row| row.get(at));
    if *kind == Type::INT8 {
        let number = |cell: Option<&Value>| if let Some(Value::Integer(number)) = cell { Some(*number) } else { None };
        return Box::new(cells.map(number).collect::<Vec<_>>());
    }
    let bytes = |cell: Option<&'a Value>| match cell {
        Some(Value::Blob(bytes)) => Some(bytes.as_slice()),
        Some(Value::Text(text)) => Some(text.as_bytes()),
        _ => None,
    };
    Box::new(cells.map(bytes).collect::<Vec<_>>())
}

struct ColumnValue<'a>(ValueRef<'a>);

impl<'a> FromSql<'a> for ColumnValue<'a> {
    fn from_sql(kind: &Type, raw: &'a [u8]) -> Result<Self, ConversionError> {
        Ok(Self(match *kind {
            Type::INT8 => ValueRef::Integer(i64::from_sql(kind, raw)?),
            Type::INT4 => ValueRef::Integer(i32::from_sql(kind, raw)?.into()),
            Type::INT2 => ValueRef::Integer(i16::from_sql(kind, raw)?.into()),
            Type::BOOL => ValueRef::Integer(bool::from_sql(kind, raw)?.into()),
            Type::FLOAT8 => ValueRef::Real(f64::from_sql(kind, raw)?),
            Type::BYTEA => ValueRef::Blob(raw),
            _ => ValueRef::Text(raw),
        }))
    }

    fn from_sql_null(_: &Type) -> Result<Self, ConversionError> {
        Ok(Self(ValueRef::Null))
    }

    fn accepts(_: &Type) -> bool {
        true
    }
}

/// Returns a value of a row.
pub(in crate::indexer::index) fn value_of(row: &Row, column: usize) -> Result<ValueRef<'_>, Error> {
    let read: Result<ColumnValue<'_>, _> = row.try_get(column);
    read.map(|value| value.0).map_err(|error| Error::FromSqlConversionFailure(column, Kind::Null, Box::new(error)))
}
