use crate::indexer::index::dialect::Connection;

use super::{
    IndexError, IndexIdentity, balances, contract_tokens, evm, externals, holders,
    meta::{self, claim},
    model::{FORMAT, WITH_PACKETS, refuse_newer},
    nft, packets, stores, undecoded, write,
};

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
    if let Some(found) = meta::format_of(connection)? {
        refuse_newer(found)?;
    }
    convert(connection, identity)?;
    for tables in [
        TABLES,
        write::PROPOSER,
        evm::TABLES,
        nft::TABLES,
        holders::TABLES,
        balances::TABLES,
        externals::TABLES,
        stores::TABLES,
        packets::TABLES,
        contract_tokens::TABLES,
        undecoded::TABLES,
    ] {
        connection.execute_batch(tables)?;
    }
    claim(connection, "format", &FORMAT.to_string())?;
    meta::identity_of(identity).try_for_each(|(name, value)| claim(connection, name, &value))
}

/// Converts a schema on a server, within the caller's transaction; a file has the current format already. Does nothing
/// to a store that needs no conversion.
fn convert(store: &Connection, identity: &IndexIdentity) -> Result<(), IndexError> {
    let Some(found) = meta::format_of(store)?.filter(|found| (WITH_PACKETS..FORMAT).contains(found)) else {
        return Ok(());
    };
    meta::refuse_other(store, identity)?;
    tracing::info!("converting the index from format {found} to {FORMAT}");
    undecoded::from_format_8(store)
}
