//! What a source was given from outside, in its own form, kept so that it can make the same chain again.

use rusqlite::params;
use serde::{Serialize, de::DeserializeOwned};

use super::{Index, IndexError, integer, unsigned};
use crate::domain::Height;

pub(super) const TABLES: &str = "
    CREATE TABLE IF NOT EXISTS external (place INTEGER PRIMARY KEY, height INTEGER NOT NULL, body BLOB NOT NULL);";

impl Index {
    /// Keeps a transaction from outside that the block at this height takes, after those kept before.
    pub fn keep_external(&self, height: Height, external: &impl Serialize) -> Result<(), IndexError> {
        let body = serde_json::to_vec(external).map_err(|_| IndexError::Body)?;
        self.database.write(|connection| {
            let mut statement = connection.prepare_cached("INSERT INTO external (height, body) VALUES (?1, ?2)")?;
            statement.execute(params![integer(height.get()), body])?;
            Ok(())
        })
    }

    /// All that were kept, block by block in the order in which they came.
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

    /// How many transactions from outside are kept.
    pub fn count_externals(&self) -> Result<u64, IndexError> {
        self.database.read(|connection| {
            let count: i64 = connection.query_row("SELECT count(*) FROM external", [], |row| row.get(0))?;
            Ok(unsigned(count))
        })
    }
}
