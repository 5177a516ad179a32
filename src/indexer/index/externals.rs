//! External transactions in the source's own format, stored so that the source can rebuild the chain.

use rusqlite::params;
use serde::{Serialize, de::DeserializeOwned};

use super::{Index, IndexError, integer, unsigned};
use crate::domain::Height;

pub(super) const TABLES: &str = "
    CREATE TABLE IF NOT EXISTS external (place INTEGER PRIMARY KEY, height INTEGER NOT NULL, body BLOB NOT NULL);";

impl Index {
    /// Stores an external transaction of the block at this height, after earlier transactions.
    pub fn keep_external(&self, height: Height, external: &impl Serialize) -> Result<(), IndexError> {
        let body = serde_json::to_vec(external).map_err(|_| IndexError::Body)?;
        self.database.write(|connection| {
            let mut statement = connection.prepare_cached("INSERT INTO external (height, body) VALUES (?1, ?2)")?;
            statement.execute(params![integer(height.get()), body])?;
            Ok(())
        })
    }

    /// Returns all stored external transactions, ordered by block and then by arrival.
    pub fn externals<T: DeserializeOwned>(&self) -> Result<Vec<(Height, T)>, IndexError> {
        self.database.read(|connection| {
            let mut statement =
                connection.prepare_cached("SELECT height, body FROM external ORDER BY height, place")?;
            let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
            rows.map(|row| {
                let (height, body): (i64, Vec<u8>) = row?;
                let external = serde_json::from_slice(&body).map_err(|_| IndexError::Body)?;
                Ok((Height::new(unsigned(height)).ok_or(IndexError::Body)?, external))
            })
            .collect()
        })
    }

    pub fn count_externals(&self) -> Result<u64, IndexError> {
        self.database.read(|connection| {
            let count: i64 = connection.query_row("SELECT count(*) FROM external", [], |row| row.get(0))?;
            Ok(unsigned(count))
        })
    }
}
