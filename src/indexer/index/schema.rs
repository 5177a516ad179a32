use rusqlite::Connection;

use super::{
    IndexError, IndexIdentity, balances, evm, externals, holders,
    meta::{self, claim},
    nft, packets, stores, undecoded,
};

/// Version of the format; increased when the index can no longer read older files, which [`super::migrate`] converts.
pub(super) const FORMAT: u32 = 8;

/// Oldest format that can be converted.
pub(super) const OLDEST: u32 = 7;

/// Consensus addresses of proposers; no bytes for an unknown one.
pub(super) const PROPOSER: &str =
    "CREATE TABLE IF NOT EXISTS proposer (id INTEGER PRIMARY KEY, address BLOB NOT NULL UNIQUE);";

/// `validator` has the operators by consensus key.
const TABLES: &str = "
    CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS validator (
        proposer INTEGER PRIMARY KEY, operator TEXT NOT NULL, moniker TEXT NOT NULL, height INTEGER
    );
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
    // Before any change: a newer program may have other tables of these names.
    if let Some(found) = format_of(connection)? {
        refuse_newer(found)?;
    }
    for tables in [
        TABLES,
        PROPOSER,
        evm::TABLES,
        nft::TABLES,
        holders::TABLES,
        balances::TABLES,
        externals::TABLES,
        stores::TABLES,
        packets::TABLES,
        undecoded::TABLES,
    ] {
        connection.execute_batch(tables)?;
    }
    claim(connection, "format", &FORMAT.to_string())?;
    identity_of(identity).try_for_each(|(name, value)| claim(connection, name, &value))
}

/// Returns the values by which a file belongs to an index.
fn identity_of(identity: &IndexIdentity) -> impl Iterator<Item = (&'static str, String)> {
    let common = [("source", identity.feed.name().to_owned()), ("virtual machine", identity.vm.to_string())];
    common.into_iter().chain(identity.facts.iter().cloned())
}

/// Fails if a file belongs to another index; changes nothing.
pub(super) fn refuse_other(connection: &Connection, identity: &IndexIdentity) -> Result<(), IndexError> {
    for (name, value) in identity_of(identity) {
        if meta::load(connection, name)?.is_some_and(|kept| kept != value.as_bytes()) {
            claim(connection, name, &value)?;
        }
    }
    Ok(())
}

/// Returns the format of a file; `None` for a new one, 0 for one without a number.
pub(super) fn format_of(connection: &Connection) -> Result<Option<u32>, IndexError> {
    let sql = "SELECT EXISTS (SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'meta')";
    if !connection.query_row(sql, [], |row| row.get(0))? {
        return Ok(None);
    }
    let written = meta::load(connection, "format")?;
    Ok(written.map(|bytes| String::from_utf8(bytes).ok().and_then(|text| text.parse().ok()).unwrap_or(0)))
}

pub(super) fn refuse_newer(found: u32) -> Result<(), IndexError> {
    if found > FORMAT { Err(IndexError::Newer(found)) } else { Ok(()) }
}

pub(super) fn refuse_older(found: u32) -> Result<(), IndexError> {
    if found < OLDEST { Err(IndexError::Older(found)) } else { Ok(()) }
}

pub(super) fn set_format(connection: &Connection) -> Result<(), IndexError> {
    meta::save(connection, "format", FORMAT.to_string().as_bytes())
}
