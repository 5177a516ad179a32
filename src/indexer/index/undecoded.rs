//! Parts of stored blocks that could not be decoded.

use crate::indexer::index::dialect::Connection;
use rusqlite::params;

use super::{IndexError, integer, page::KeySpan, unsigned};
use crate::wire::UndecodedPart;

/// Table of the parts, as JSON.
pub(super) const TABLES: &str = "
    CREATE TABLE IF NOT EXISTS undecoded (
        height INTEGER NOT NULL, part TEXT NOT NULL, PRIMARY KEY (height, part)
    ) WITHOUT ROWID;";

pub(super) fn insert<'a>(
    connection: &Connection,
    parts: impl IntoIterator<Item = &'a UndecodedPart>,
) -> Result<(), IndexError> {
    let sql = "INSERT INTO undecoded VALUES (?1, ?2) ON CONFLICT DO NOTHING";
    let mut statement = connection.prepare_cached(sql)?;
    for part in parts {
        let json = serde_json::to_string(part).map_err(|_| IndexError::Body)?;
        statement.execute(params![integer(part.height.get()), json])?;
    }
    Ok(())
}

/// Whether any part of a stored block could not be decoded.
pub(super) fn has_any(connection: &Connection) -> Result<bool, IndexError> {
    let sql = "SELECT EXISTS (SELECT 1 FROM undecoded)";
    connection.prepare_cached(sql)?.query_row([], |row| row.get(0))
}

/// Returns the number of all parts, and the newest, newest first.
pub(super) fn newest(connection: &Connection, limit: u32) -> Result<(u64, Vec<UndecodedPart>), IndexError> {
    let count = connection.prepare_cached("SELECT COUNT(*) FROM undecoded")?.query_row([], |row| row.get(0))?;
    let sql = "SELECT part FROM undecoded ORDER BY height DESC, part LIMIT ?1";
    let mut statement = connection.prepare_cached(sql)?;
    let rows = statement.query_map([limit], |row| row.get::<String>(0))?;
    let parts = rows.map(|json| serde_json::from_str(&json?).map_err(|_| IndexError::Body));
    Ok((unsigned(count), parts.collect::<Result<_, _>>()?))
}

pub(super) fn forget(connection: &Connection, heights: KeySpan) -> Result<(), IndexError> {
    let sql = "DELETE FROM undecoded WHERE height > ?1 AND height < ?2";
    connection.prepare_cached(sql)?.execute([heights.low, heights.high])?;
    Ok(())
}

pub(super) fn of_block(connection: &Connection, height: i64) -> Result<Vec<UndecodedPart>, IndexError> {
    let mut statement = connection.prepare_cached("SELECT part FROM undecoded WHERE height = ?1")?;
    let rows = statement.query_map([height], |row| row.get::<String>(0))?;
    rows.map(|json| serde_json::from_str(&json?).map_err(|_| IndexError::Body)).collect()
}
