//! Named values stored beside the tables: facts about the chain, heights and flags.

use crate::indexer::index::dialect::{Connection, OptionalRow as _};
use rusqlite::params;

use super::{IndexError, IndexIdentity, model::FORMAT};

/// Stores a fact about the chain; fails if the file has another value.
pub(super) fn claim(connection: &Connection, name: &'static str, value: &str) -> Result<(), IndexError> {
    match load(connection, name)? {
        None => save(connection, name, value.as_bytes()),
        Some(kept) if kept == value.as_bytes() => Ok(()),
        Some(kept) => Err(IndexError::Belongs {
            name,
            kept: String::from_utf8_lossy(&kept).into_owned(),
            wanted: value.to_owned(),
        }),
    }
}

/// Loads a named value; `None` if not stored.
pub(super) fn load(connection: &Connection, key: &str) -> Result<Option<Vec<u8>>, IndexError> {
    let mut statement = connection.prepare_cached("SELECT value FROM meta WHERE key = ?1")?;
    Ok(statement.query_row([key], |row| row.get::<rusqlite::types::Value>(0)).optional()?.map(|value| match value {
        rusqlite::types::Value::Blob(bytes) => bytes,
        rusqlite::types::Value::Text(text) => text.into_bytes(),
        _ => Vec::new(),
    }))
}

/// Deletes a named value.
pub(super) fn remove(connection: &Connection, key: &str) -> Result<(), IndexError> {
    connection.prepare_cached("DELETE FROM meta WHERE key = ?1")?.execute([key])?;
    Ok(())
}

/// Stores a named value.
pub(super) fn save(connection: &Connection, key: &str, value: &[u8]) -> Result<(), IndexError> {
    connection
        .prepare_cached("INSERT INTO meta (key, value) VALUES (?1, ?2) ON CONFLICT (key) DO UPDATE SET value = ?2")?
        .execute(params![key, value])?;
    Ok(())
}

/// Returns the values by which a file belongs to an index.
pub(super) fn identity_of(identity: &IndexIdentity) -> impl Iterator<Item = (&'static str, String)> {
    let common = [("source", identity.feed.name().to_owned()), ("virtual machine", identity.vm.to_string())];
    common.into_iter().chain(identity.facts.iter().cloned())
}

/// Fails if a file belongs to another index; changes nothing.
pub(super) fn refuse_other(connection: &Connection, identity: &IndexIdentity) -> Result<(), IndexError> {
    for (name, value) in identity_of(identity) {
        if load(connection, name)?.is_some_and(|kept| kept != value.as_bytes()) {
            claim(connection, name, &value)?;
        }
    }
    Ok(())
}

/// Returns the format of a file; `None` for a new one, 0 for one without a number.
pub(super) fn format_of(connection: &Connection) -> Result<Option<u32>, IndexError> {
    if !connection.tables()?.iter().any(|table| table == "meta") {
        return Ok(None);
    }
    let written = load(connection, "format")?;
    Ok(written.map(|bytes| String::from_utf8(bytes).ok().and_then(|text| text.parse().ok()).unwrap_or(0)))
}

pub(super) fn set_format(connection: &Connection) -> Result<(), IndexError> {
    save(connection, "format", FORMAT.to_string().as_bytes())
}
