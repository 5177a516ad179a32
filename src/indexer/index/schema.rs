use rusqlite::{Connection, OptionalExtension, params};

use super::{IndexError, IndexIdentity, balances, evm, externals, holders, nft, stores};

/// Increased when older files can no longer be read.
const FORMAT: &str = "7";

const TABLES: &str = "
    CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS proposer (id INTEGER PRIMARY KEY, operator TEXT NOT NULL UNIQUE, moniker TEXT NOT NULL);
    CREATE TABLE IF NOT EXISTS block (
        height INTEGER PRIMARY KEY, hash BLOB NOT NULL, time INTEGER NOT NULL, block_time INTEGER NOT NULL,
        gas_used INTEGER NOT NULL, gas_wanted INTEGER NOT NULL, tx_count INTEGER NOT NULL,
        first_sequence INTEGER NOT NULL, total_fee TEXT NOT NULL, proposer INTEGER NOT NULL
    );
    CREATE INDEX IF NOT EXISTS block_by_sequence ON block (first_sequence) WHERE tx_count > 0;
    CREATE TABLE IF NOT EXISTS tx (
        sequence INTEGER PRIMARY KEY, hash_key INTEGER NOT NULL, signer INTEGER, body BLOB NOT NULL
    );
    CREATE INDEX IF NOT EXISTS tx_by_hash ON tx (hash_key);
    CREATE INDEX IF NOT EXISTS tx_by_signer ON tx (signer);
    CREATE TABLE IF NOT EXISTS account (
        id INTEGER PRIMARY KEY, address BLOB NOT NULL UNIQUE, txs INTEGER NOT NULL, signed INTEGER NOT NULL,
        real_txs INTEGER NOT NULL
    );
    CREATE TABLE IF NOT EXISTS message_type (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, txs INTEGER NOT NULL);
    CREATE TABLE IF NOT EXISTS tx_account (
        account INTEGER NOT NULL, sequence INTEGER NOT NULL, listing INTEGER NOT NULL, PRIMARY KEY (account, sequence)
    ) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS tx_message (
        message_type INTEGER NOT NULL, sequence INTEGER NOT NULL, PRIMARY KEY (message_type, sequence)
    ) WITHOUT ROWID;";

/// Creates missing tables and checks that the file belongs to this chain.
pub(super) fn open(connection: &Connection, identity: &IndexIdentity) -> Result<(), IndexError> {
    for tables in
        [TABLES, evm::TABLES, nft::TABLES, holders::TABLES, balances::TABLES, externals::TABLES, stores::TABLES]
    {
        connection.execute_batch(tables)?;
    }
    claim(connection, "format", FORMAT)?;
    claim(connection, "source", identity.feed.name())?;
    claim(connection, "virtual machine", &identity.vm.to_string())?;
    for (name, value) in &identity.facts {
        claim(connection, name, value)?;
    }
    Ok(())
}

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

/// Loads a value stored beside the tables.
pub(super) fn load(connection: &Connection, key: &str) -> Result<Option<Vec<u8>>, IndexError> {
    let mut statement = connection.prepare_cached("SELECT value FROM meta WHERE key = ?1")?;
    Ok(statement.query_row([key], |row| row.get::<_, rusqlite::types::Value>(0)).optional()?.map(|value| match value {
        rusqlite::types::Value::Blob(bytes) => bytes,
        rusqlite::types::Value::Text(text) => text.into_bytes(),
        _ => Vec::new(),
    }))
}

/// Deletes a value stored beside the tables.
pub(super) fn remove(connection: &Connection, key: &str) -> Result<(), IndexError> {
    connection.prepare_cached("DELETE FROM meta WHERE key = ?1")?.execute([key])?;
    Ok(())
}

/// Stores a value beside the tables.
pub(super) fn save(connection: &Connection, key: &str, value: &[u8]) -> Result<(), IndexError> {
    connection
        .prepare_cached("INSERT INTO meta (key, value) VALUES (?1, ?2) ON CONFLICT (key) DO UPDATE SET value = ?2")?
        .execute(params![key, value])?;
    Ok(())
}
