//! Copies of an index file, also of one that is in use.

use std::{
    collections::BTreeMap,
    fs, io,
    path::{Path, PathBuf},
};

use rusqlite::{Connection, OpenFlags, backup};

use super::{Bounds, IndexError, dialect::Connection as StoreConnection, meta, model::refuse_newer, query};
use crate::files;

/// Reason why an index cannot be copied.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    #[error("{} is there already; choose another name", .0.display())]
    Exists(PathBuf),
    #[error("{} is no index of rollscope", .0.display())]
    NoIndex(PathBuf),
    #[error("the copy is damaged: {0}; check the disk")]
    Damaged(String),
    #[error("cannot write the copy: {0}")]
    Write(#[from] io::Error),
    #[error(transparent)]
    Index(#[from] IndexError),
}

impl From<rusqlite::Error> for BackupError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Index(error.into())
    }
}

/// Copies an index file to a new file, and compares the two. Another process may write the file meanwhile: the copy has
/// its state at the beginning. Returns the blocks of the copy.
pub fn back_up(file: &Path, to: &Path) -> Result<Option<Bounds>, BackupError> {
    let unfinished = unfinished_copy(to)?;
    let no_index = || BackupError::NoIndex(file.to_owned());
    if !file.exists() {
        return Err(IndexError::Missing(file.to_owned()).into());
    }
    if !file.is_file() {
        return Err(no_index());
    }
    let source = Connection::open_with_flags(file, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
    let found = meta::format_of(&StoreConnection::Sqlite(&source)).map_err(|_| no_index())?.ok_or_else(no_index)?;
    refuse_newer(found)?;
    require_space(file, to)?;
    // Copy and count within one snapshot.
    let snapshot = source.unchecked_transaction()?;
    let rows = count_rows(&snapshot)?;
    let mut copy = Connection::open(&unfinished)?;
    copy_whole(&snapshot, &mut copy)?;
    drop(snapshot);
    let copied = count_rows(&copy)?;
    if let Some((table, _)) = rows.iter().find(|(table, count)| copied.get(*table) != Some(count)) {
        return Err(IndexError::Differs(table.clone()).into());
    }
    finish(copy, &unfinished, to)
}

/// Returns the path of an unfinished copy, where no file is; fails if the copy is there already.
pub(super) fn unfinished_copy(to: &Path) -> Result<PathBuf, BackupError> {
    if to.exists() {
        return Err(BackupError::Exists(to.to_owned()));
    }
    let unfinished = files::beside(to, ".unfinished");
    match fs::remove_file(&unfinished) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error.into()),
        _ => Ok(unfinished),
    }
}

/// Checks an unfinished copy and puts it in its place. Returns its blocks.
pub(super) fn finish(copy: Connection, unfinished: &Path, to: &Path) -> Result<Option<Bounds>, BackupError> {
    copy.execute_batch("PRAGMA journal_mode=DELETE;")?;
    let verdict: String = copy.query_row("PRAGMA integrity_check(1)", [], |row| row.get(0))?;
    if verdict != "ok" {
        return Err(BackupError::Damaged(verdict));
    }
    let bounds = query::bounds(&StoreConnection::Sqlite(&copy))?;
    copy.close().map_err(|(_, error)| error)?;
    // Before its name: a power cut must not leave a name without the rows.
    fs::File::open(unfinished)?.sync_all()?;
    fs::rename(unfinished, to)?;
    Ok(bounds)
}

/// Copies a database at once: a copy in parts would begin anew with each block that is written meanwhile.
pub(super) fn copy_whole(source: &Connection, copy: &mut Connection) -> Result<(), IndexError> {
    match backup::Backup::new(source, copy)?.step(-1)? {
        backup::StepResult::Done => Ok(()),
        _ => Err(IndexError::Busy),
    }
}

/// Fails if there is no space for a copy of a file at another place.
pub(super) fn require_space(file: &Path, to: &Path) -> Result<(), IndexError> {
    let size = |path: &Path| fs::metadata(path).map_or(0, |found| found.len());
    let needed = size(file) + size(&files::beside(file, "-wal"));
    match files::free_space(to) {
        Some(free) if free < needed => Err(IndexError::Space { needed, free }),
        _ => Ok(()),
    }
}

fn count_rows(connection: &Connection) -> Result<BTreeMap<String, i64>, rusqlite::Error> {
    let sql = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'";
    let mut statement = connection.prepare(sql)?;
    let tables: Vec<String> = statement.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?;
    let count = |table: String| {
        let rows = connection.query_row(&format!("SELECT COUNT(*) FROM \"{table}\""), [], |row| row.get(0))?;
        Ok((table, rows))
    };
    tables.into_iter().map(count).collect()
}
