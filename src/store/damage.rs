//! Damaged state files: tells damage from temporary failures, and moves damaged files aside.

use std::{
    ffi::OsString,
    fs::{self, File},
    io,
    path::{Path, PathBuf},
};

use rusqlite::{Connection, Error, ErrorCode};

use super::StoreError;
use crate::{domain::Timestamp, files};

/// Endings of the extra files that SQLite creates beside a database.
pub(super) const LOGS: [&str; 2] = ["-wal", "-shm"];
/// Maximum damaged files kept per day.
const MOST: u32 = 99;

/// Queries for all columns in use: a file that lacks one of them is not rollscope's state file.
const TABLES: [&str; 7] = [
    "SELECT network, text, at FROM recents",
    "SELECT id, network, chain, hash, created, label, route, addresses, is_over FROM transfers",
    "SELECT transfer, place, chain, hash, at, tracking, status, status_at FROM transfer_txs",
    "SELECT transfer, at, text, times FROM transfer_changes",
    "SELECT id, chain_id FROM chains",
    "SELECT chain, height, hash, at FROM anchors",
    "SELECT network, chain, seen FROM network_chains",
];

/// Checks the file's integrity without reading every value.
pub(super) fn check(connection: &Connection) -> rusqlite::Result<()> {
    let found: String = connection.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?;
    if found != "ok" {
        let code = rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_CORRUPT);
        return Err(Error::SqliteFailure(code, Some(found)));
    }
    TABLES.iter().try_for_each(|table| connection.prepare(table).map(drop))
}

/// Classifies an error as damage, for which a retry is useless, or as another failure.
pub(super) fn classify(path: &Path, source: Error) -> StoreError {
    let is_damage = match source.sqlite_error_code() {
        // SQLite reports `Unknown` and `SqlInputError` for a statement that does not fit the tables.
        Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase | ErrorCode::Unknown) => true,
        Some(_) => false,
        None => is_unreadable(&source) || matches!(source, Error::SqlInputError { .. }),
    };
    if is_damage {
        return StoreError::Damaged { path: path.to_owned(), reason: source.to_string() };
    }
    StoreError::Sqlite { path: path.to_owned(), source }
}

/// Whether a value has an unexpected type.
pub(super) fn is_unreadable(error: &Error) -> bool {
    matches!(
        error,
        Error::InvalidColumnType(..)
            | Error::FromSqlConversionFailure(..)
            | Error::IntegralValueOutOfRange(..)
            | Error::Utf8Error(..)
    )
}

/// Locks out other instances that would move this file aside, until the lock is dropped.
pub(super) fn lock(path: &Path) -> io::Result<File> {
    let file = files::open(&beside(path, ".lock"), File::options().create(true).truncate(false).write(true))?;
    file.lock()?;
    Ok(file)
}

/// Renames the file and SQLite's extra files; returns the new path.
pub(super) fn put_aside(path: &Path, now: Timestamp) -> io::Result<PathBuf> {
    let day: String = now.to_string().chars().take_while(|character| *character != 'T').collect();
    let names = (1..=MOST).map(|number| match number {
        1 => beside(path, &format!(".damaged-{day}")),
        _ => beside(path, &format!(".damaged-{day}-{number}")),
    });
    let taken =
        || io::Error::new(io::ErrorKind::AlreadyExists, "the folder has 99 damaged copies from today; delete some");
    let aside = names.into_iter().find(|name| !name.exists()).ok_or_else(taken)?;
    for ending in LOGS {
        match fs::rename(beside(path, ending), beside(&aside, ending)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    fs::rename(path, &aside)?;
    Ok(aside)
}

/// Appends an extension to the file's name.
pub(super) fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = OsString::from(path.as_os_str());
    name.push(ending);
    PathBuf::from(name)
}
