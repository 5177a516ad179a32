//! Conversion of a file of an older format, in a copy that replaces the file when it is complete.
//!
//! The copy notes of which file it is, and how far it is: a conversion that was killed resumes.

use std::{
    fs::{self, File},
    path::{Path, PathBuf},
    time::UNIX_EPOCH,
};

use rusqlite::{Connection, params};

use super::{
    IndexError, IndexIdentity, backup,
    codec::Codec,
    dialect::Connection as StoreConnection,
    meta,
    model::{FORMAT, WITH_PACKETS, refuse_newer, refuse_older},
    nft::stored_events,
    packets::{self, PacketHash},
    undecoded, write,
};
use crate::{domain::Address, files};

/// Name of the mark of the file that a copy is of.
const COPY_OF: &str = "migrated from";

/// Name of the flag that the packets of all transactions are listed, which files of format 7 may lack.
const HAS_PACKETS: &str = "packets";

/// Name of the highest transaction in the copy whose packets are listed.
const PACKETS_TO: &str = "packets to";

/// Transactions per step.
const CHUNK: u32 = if cfg!(test) { 20 } else { 10_000 };

/// Attribute of every packet event.
const MARK: &[u8] = b"\"packet_sequence\"";

/// Files that SQLite keeps beside a database.
const BESIDE: [&str; 3] = ["-journal", "-wal", "-shm"];

/// Converts a file of an older format. Does nothing without a file, or if the file has the current format.
pub(super) fn migrate(path: &Path, identity: &IndexIdentity) -> Result<(), IndexError> {
    let Some(mut migration) = FileMigration::begin(path, identity)? else { return Ok(()) };
    while migration.step()? {}
    migration.finish()
}

struct FileMigration {
    path: PathBuf,
    copy: PathBuf,
    connection: Connection,
    codec: Codec,
}

impl FileMigration {
    /// Copies the file, or takes up its copy; `None` if there is nothing to convert. The caller holds the file's lock.
    fn begin(path: &Path, identity: &IndexIdentity) -> Result<Option<Self>, IndexError> {
        if !path.exists() {
            return Ok(None);
        }
        let source = Connection::open(path)?;
        let Some(found) = meta::format_of(&StoreConnection::Sqlite(&source))? else { return Ok(None) };
        refuse_newer(found)?;
        if found == FORMAT {
            return Ok(None);
        }
        refuse_older(found)?;
        meta::refuse_other(&StoreConnection::Sqlite(&source), identity)?;
        // One file: what lies beside it would be taken for the copy's.
        source.execute_batch("PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode=DELETE;")?;
        let (copy, stamp) = (files::beside(path, ".migrating"), stamp(path)?);
        let taken = if copy.exists() { Some(Connection::open(&copy)?) } else { None };
        let resumed = taken.filter(|connection| {
            meta::load(&StoreConnection::Sqlite(connection), COPY_OF)
                .ok()
                .flatten()
                .is_some_and(|noted| noted == stamp.as_bytes())
        });
        let connection = if let Some(connection) = resumed {
            tracing::info!("resuming the conversion of the file to format {FORMAT}");
            connection
        } else {
            remove(&copy)?;
            backup::require_space(path, &copy)?;
            tracing::info!("converting the file from format {found} to {FORMAT}, in a copy beside it");
            let mut connection = Connection::open(&copy)?;
            backup::copy_whole(&source, &mut connection)?;
            meta::save(&StoreConnection::Sqlite(&connection), COPY_OF, stamp.as_bytes())?;
            connection
        };
        let codec = Codec::new(meta::load(&StoreConnection::Sqlite(&connection), "dictionary")?.unwrap_or_default())?;
        Ok(Some(Self { path: path.to_owned(), copy, connection, codec }))
    }

    /// Converts a part; false once the copy has the current format.
    fn step(&mut self) -> Result<bool, IndexError> {
        let found = meta::format_of(&StoreConnection::Sqlite(&self.connection))?;
        if found == Some(FORMAT) {
            return Ok(false);
        }
        let is_old = found.is_none_or(|found| found < WITH_PACKETS);
        let transaction = self.connection.transaction()?;
        let store = StoreConnection::Sqlite(&transaction);
        if is_old && meta::load(&store, HAS_PACKETS)?.is_none() {
            list_packets(&store, &self.codec)?;
        } else if is_old {
            shorten_proposers(&store)?;
            meta::remove(&store, PACKETS_TO)?;
            undecoded::from_format_8(&store)?;
        } else {
            undecoded::from_format_8(&store)?;
        }
        transaction.commit()?;
        Ok(true)
    }

    /// Replaces the file by the copy.
    fn finish(self) -> Result<(), IndexError> {
        self.connection.close().map_err(|(_, error)| error)?;
        let moved = fs::rename(&self.copy, &self.path).and_then(|()| {
            let folder = self.path.parent().filter(|folder| !folder.as_os_str().is_empty());
            File::open(folder.unwrap_or_else(|| Path::new(".")))?.sync_all()
        });
        moved.map_err(IndexError::Replace)
    }
}

/// Returns what changes with every write of a file.
fn stamp(path: &Path) -> Result<String, IndexError> {
    let found = fs::metadata(path).map_err(IndexError::Replace)?;
    let changed = found.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok()).unwrap_or_default();
    Ok(format!("{} bytes of {}", found.len(), changed.as_nanos()))
}

/// Removes an unusable copy.
fn remove(copy: &Path) -> Result<(), IndexError> {
    for path in BESIDE.iter().map(|ending| files::beside(copy, ending)).chain([copy.to_owned()]) {
        if path.exists() {
            fs::remove_file(path).map_err(IndexError::Replace)?;
        }
    }
    Ok(())
}

/// Lists the packets of the next transactions, which programs of format 7 did only at first.
fn list_packets(connection: &StoreConnection, codec: &Codec) -> Result<(), IndexError> {
    connection.execute_batch(packets::TABLES)?;
    let from = meta::load(connection, PACKETS_TO)?.and_then(|bytes| String::from_utf8(bytes).ok()?.parse().ok());
    let from: i64 = from.unwrap_or(i64::MIN);
    let mut insert = connection.prepare_cached("INSERT INTO tx_packet VALUES (?1, ?2) ON CONFLICT DO NOTHING")?;
    let sql = "SELECT sequence, body FROM tx WHERE sequence > ?1 ORDER BY sequence LIMIT ?2";
    let mut statement = connection.prepare_cached(sql)?;
    let mut rows = statement.query(params![from, CHUNK])?;
    let (mut body, mut last) = (Vec::new(), None);
    while let Some(row) = rows.next()? {
        let sequence: i64 = row.get(0)?;
        last = Some(sequence);
        body.clear();
        codec.expand(row.get_ref(1)?.as_blob().map_err(|_| IndexError::Body)?, &mut body)?;
        if body.windows(MARK.len()).any(|text| text == MARK) {
            for packet in PacketHash::all_in(&stored_events(&body)?) {
                insert.execute(params![packet.0, sequence])?;
            }
        }
    }
    match last {
        Some(last) => meta::save(connection, PACKETS_TO, last.to_string().as_bytes()),
        None => meta::save(connection, HAS_PACKETS, b"1"),
    }
}

/// Replaces the proposers, which format 7 wrote as texts with another prefix, by the bytes of their addresses.
fn shorten_proposers(connection: &StoreConnection) -> Result<(), IndexError> {
    connection.execute_batch("ALTER TABLE proposer RENAME TO old_proposer;")?;
    connection.execute_batch(write::PROPOSER)?;
    let mut statement = connection.prepare_cached("SELECT id, operator FROM old_proposer")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let (id, text): (i64, String) = (row.get(0)?, row.get(1)?);
        let address = bech32::decode(&text).ok().and_then(|(_, bytes)| Address::from_bytes(&bytes));
        let bytes = address.as_ref().map_or(&[][..], Address::bytes);
        connection.prepare_cached("INSERT INTO proposer VALUES (?1, ?2)")?.execute(params![id, bytes])?;
    }
    drop(rows);
    drop(statement);
    connection.execute_batch("DROP TABLE old_proposer;")?;
    Ok(())
}

#[cfg(test)]
mod tests;
