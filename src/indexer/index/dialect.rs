//! One SQL text for SQLite and PostgreSQL: statements, their parameters and their rows.
//!
//! Statements are written for SQLite, in what both engines understand; [`super::postgres`] translates the rest. A
//! statement that runs for many rows is one call, because each call is a round trip to a server.

mod rows;

pub(super) use rows::{OptionalRow, Params, RowValue, StoreRow, row_of};

use rusqlite::{CachedStatement, Error};

use self::rows::StoreRows;
use super::IndexError;
#[cfg(feature = "postgres")]
use super::postgres::PostgresSession;

/// Connection of either engine, mostly within a transaction.
#[derive(Debug)]
pub(super) enum Connection<'a> {
    Sqlite(&'a rusqlite::Connection),
    #[cfg(feature = "postgres")]
    Postgres(&'a PostgresSession),
}

/// Statement that is kept for the next use of the same text.
pub(super) enum Statement<'a> {
    Sqlite(CachedStatement<'a>),
    #[cfg(feature = "postgres")]
    Postgres(&'a PostgresSession, String),
}

impl<'a> Connection<'a> {
    pub(super) fn prepare_cached(&self, sql: &str) -> Result<Statement<'a>, IndexError> {
        Ok(match self {
            Self::Sqlite(connection) => Statement::Sqlite(connection.prepare_cached(sql)?),
            #[cfg(feature = "postgres")]
            Self::Postgres(session) => Statement::Postgres(session, sql.to_owned()),
        })
    }

    /// Runs a statement once; returns the number of changed rows.
    pub(super) fn execute(&self, sql: &str, params: impl Params) -> Result<usize, IndexError> {
        self.prepare_cached(sql)?.execute(params)
    }

    pub(super) fn query_row<T>(
        &self,
        sql: &str,
        params: impl Params,
        read: impl FnOnce(&StoreRow) -> Result<T, Error>,
    ) -> Result<T, IndexError> {
        self.prepare_cached(sql)?.query_row(params, read)
    }

    /// Runs several statements without parameters.
    pub(super) fn execute_batch(&self, sql: &str) -> Result<(), IndexError> {
        match self {
            Self::Sqlite(connection) => Ok(connection.execute_batch(sql)?),
            #[cfg(feature = "postgres")]
            Self::Postgres(session) => session.execute_batch(sql),
        }
    }

    /// Runs an `INSERT … VALUES (…)` for all rows. What follows the values names the new ones by `excluded`.
    pub(super) fn insert_all<P: Params>(&self, sql: &str, rows: impl IntoIterator<Item = P>) -> Result<(), IndexError> {
        match self {
            Self::Sqlite(_) => {
                let mut statement = self.prepare_cached(sql)?;
                rows.into_iter().try_for_each(|row| statement.execute(row).map(drop))
            }
            #[cfg(feature = "postgres")]
            Self::Postgres(session) => session.insert_all(sql, rows),
        }
    }

    /// Passes each row of a query to `take`, in order; a server sends them in parts, within a transaction.
    pub(super) fn each_row(
        &self,
        sql: &str,
        mut take: impl FnMut(&StoreRow) -> Result<(), IndexError>,
    ) -> Result<(), IndexError> {
        match self {
            Self::Sqlite(connection) => {
                let mut statement = connection.prepare(sql)?;
                let mut rows = statement.query([])?;
                while let Some(row) = rows.next()? {
                    take(&StoreRow::Sqlite(row))?;
                }
                Ok(())
            }
            #[cfg(feature = "postgres")]
            Self::Postgres(session) => session.each_row(sql, |row| take(&StoreRow::Postgres(row))),
        }
    }

    /// Returns the names of the store's tables.
    pub(super) fn tables(&self) -> Result<Vec<String>, IndexError> {
        let sql = match self {
            Self::Sqlite(_) => "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
            #[cfg(feature = "postgres")]
            Self::Postgres(_) => super::postgres::TABLE_NAMES,
        };
        self.prepare_cached(sql)?.query_map([], |row| row.get(0))?.collect()
    }
}

#[expect(clippy::needless_pass_by_value, reason = "callers write the values in place")]
impl Statement<'_> {
    /// Returns the number of changed rows.
    pub(super) fn execute(&mut self, params: impl Params) -> Result<usize, IndexError> {
        match self {
            Self::Sqlite(statement) => Ok(params.bind(|values| statement.execute(values))?),
            #[cfg(feature = "postgres")]
            Self::Postgres(session, sql) => params.bind(|values| session.execute(sql, values)),
        }
    }

    /// Reads the first row; an error without one, see [`OptionalRow`].
    pub(super) fn query_row<T>(
        &mut self,
        params: impl Params,
        read: impl FnOnce(&StoreRow) -> Result<T, Error>,
    ) -> Result<T, IndexError> {
        match self {
            Self::Sqlite(statement) => {
                Ok(params.bind(|values| statement.query_row(values, |row| read(&StoreRow::Sqlite(row))))?)
            }
            #[cfg(feature = "postgres")]
            Self::Postgres(session, sql) => {
                let found = params.bind(|values| session.query(sql, values))?;
                let first = found.first().ok_or(Error::QueryReturnedNoRows)?;
                Ok(read(&StoreRow::Postgres(first))?)
            }
        }
    }

    /// Reads the rows one by one. A server sends all of them at first.
    pub(super) fn query(&mut self, params: impl Params) -> Result<StoreRows<'_>, IndexError> {
        Ok(match self {
            Self::Sqlite(statement) => StoreRows::Sqlite(params.bind(|values| statement.query(values))?),
            #[cfg(feature = "postgres")]
            Self::Postgres(session, sql) => StoreRows::postgres(params.bind(|values| session.query(sql, values))?),
        })
    }

    pub(super) fn query_map<T>(
        &mut self,
        params: impl Params,
        mut read: impl FnMut(&StoreRow) -> Result<T, Error>,
    ) -> Result<std::vec::IntoIter<Result<T, IndexError>>, IndexError> {
        let mut rows = self.query(params)?;
        let mut found = Vec::new();
        while let Some(row) = rows.next()? {
            found.push(read(&row).map_err(IndexError::from));
        }
        Ok(found.into_iter())
    }

    /// Runs the statement once for each row of values; each run must return one row.
    pub(super) fn query_each<P: Params, T>(
        &mut self,
        rows: impl IntoIterator<Item = P>,
        mut read: impl FnMut(&StoreRow) -> Result<T, Error>,
    ) -> Result<Vec<T>, IndexError> {
        match self {
            Self::Sqlite(_) => rows.into_iter().map(|row| self.query_row(row, &mut read)).collect(),
            #[cfg(feature = "postgres")]
            Self::Postgres(session, sql) => {
                let first = |found: Vec<tokio_postgres::Row>| {
                    let row = found.first().ok_or(Error::QueryReturnedNoRows)?;
                    Ok(read(&StoreRow::Postgres(row))?)
                };
                session.query_each(sql, rows)?.into_iter().map(first).collect()
            }
        }
    }

    /// Runs the statement once for each row of values; returns the numbers of changed rows.
    pub(super) fn execute_each<P: Params>(
        &mut self,
        rows: impl IntoIterator<Item = P>,
    ) -> Result<Vec<usize>, IndexError> {
        match self {
            Self::Sqlite(_) => rows.into_iter().map(|row| self.execute(row)).collect(),
            #[cfg(feature = "postgres")]
            Self::Postgres(session, sql) => session.execute_each(sql, rows),
        }
    }

    /// Reads the row of each key, in the order of the keys, for a statement with the only condition `column = ?1` whose
    /// first column is the key. Fails if a row is missing.
    pub(super) fn query_keys<T>(
        &mut self,
        keys: &[i64],
        mut read: impl FnMut(&StoreRow) -> Result<T, IndexError>,
    ) -> Result<Vec<T>, IndexError> {
        match self {
            Self::Sqlite(statement) => keys
                .iter()
                .map(|key| {
                    let mut rows = statement.query([key])?;
                    read(&StoreRow::Sqlite(rows.next()?.ok_or(IndexError::Body)?))
                })
                .collect(),
            #[cfg(feature = "postgres")]
            Self::Postgres(session, sql) => {
                let found = session.query_keys(sql, keys)?;
                let mut places = std::collections::HashMap::with_capacity(found.len());
                for row in &found {
                    places.insert(StoreRow::Postgres(row).get::<i64>(0)?, row);
                }
                let row = |key| places.get(key).ok_or(IndexError::Body);
                keys.iter().map(|key| read(&StoreRow::Postgres(row(key)?))).collect()
            }
        }
    }
}
