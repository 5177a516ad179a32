use std::collections::BTreeMap;

use rusqlite::{Connection, params};

use super::{
    IndexError, contract_tokens, integer,
    members::AccountRules,
    nft, packets,
    page::KeySpan,
    prepare::{Prepared, PreparedBlock, PreparedTx},
    stores, undecoded,
};
use crate::{
    domain::{Address, MsgType, TxHash},
    indexer::source::ProposingValidator,
};

/// Consensus addresses of proposers; no bytes for an unknown one.
pub(super) const PROPOSER: &str =
    "CREATE TABLE IF NOT EXISTS proposer (id INTEGER PRIMARY KEY, address BLOB NOT NULL UNIQUE);";

/// Numbers of occurrences by account and message type.
#[derive(Clone, Copy, Debug, Default)]
struct TxCounts {
    txs: i64,
    signed: i64,
    real_txs: i64,
}

/// Writes blocks with their transactions, whose sequence numbers start at `base`, and updates the counters.
pub(super) fn insert(connection: &Connection, prepared: &Prepared, base: i64) -> Result<(), IndexError> {
    for block in &prepared.blocks {
        insert_block(connection, block, base)?;
    }
    let accounts = count_accounts(connection, &prepared.txs)?;
    let message_types = count_message_types(connection, &prepared.txs)?;
    insert_txs(connection, &prepared.txs, &accounts, base)?;
    insert_edges(connection, &prepared.txs, &accounts, &message_types, base)?;
    stores::follow(connection, prepared, base)?;
    undecoded::insert(connection, &prepared.undecoded)?;
    packets::insert(connection, &prepared.txs, base)?;
    contract_tokens::insert(connection, &prepared.txs, base)?;
    nft::insert_edges(connection, &prepared.txs, base)
}

/// Returns the indexed prefix of a hash; lookups compare the rest.
pub(super) fn hash_key(hash: &TxHash) -> i64 {
    hash.bytes().first_chunk().map_or(0, |start| i64::from_be_bytes(*start))
}

fn insert_block(connection: &Connection, block: &PreparedBlock, base: i64) -> Result<(), IndexError> {
    let proposer: i64 = connection
        .prepare_cached(
            "INSERT INTO proposer (address) VALUES (?1) ON CONFLICT (address) DO UPDATE SET address = ?1 RETURNING id",
        )?
        .query_row([block.proposer.consensus_address.as_ref().map_or(&[][..], Address::bytes)], |row| row.get(0))?;
    if let Some(ProposingValidator { moniker, operator_address, height }) = &block.proposer.validator {
        let height = height.map(|height| integer(height.get()));
        connection
            .prepare_cached(
                "INSERT INTO validator (proposer, operator, moniker, height) VALUES (?1, ?2, ?3, ?4)
                 ON CONFLICT (proposer) DO UPDATE SET operator = ?2, moniker = ?3, height = ?4
                 WHERE COALESCE(?4, 0) >= COALESCE(validator.height, 0)",
            )?
            .execute(params![proposer, operator_address, moniker, height])?;
    }
    connection.prepare_cached("INSERT INTO block VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)")?.execute(
        params![
            integer(block.height.get()),
            block.hash.bytes(),
            i64::try_from(block.time.as_nanos()).unwrap_or(i64::MAX),
            block.block_time_ms,
            integer(block.gas_used),
            integer(block.gas_wanted),
            integer(block.tx_count),
            base.saturating_add(integer(block.first_sequence)),
            block.total_fee,
            proposer,
        ],
    )?;
    Ok(())
}

fn count_accounts(connection: &Connection, txs: &[PreparedTx]) -> Result<BTreeMap<Address, i64>, IndexError> {
    let mut counts: BTreeMap<Address, TxCounts> = BTreeMap::new();
    for tx in txs {
        for (account, listing) in &tx.accounts {
            let counts = counts.entry(*account).or_default();
            counts.txs += i64::from(*listing != AccountRules::Chain.other());
            counts.real_txs += i64::from(*listing != AccountRules::RealServer.other());
        }
        if let Some(signer) = tx.signer {
            counts.entry(signer).or_default().signed += 1;
        }
    }
    let mut upsert = connection.prepare_cached(
        "INSERT INTO account (address, txs, signed, real_txs) VALUES (?1, ?2, ?3, ?4)
         ON CONFLICT (address) DO UPDATE SET txs = txs + ?2, signed = signed + ?3, real_txs = real_txs + ?4
         RETURNING id",
    )?;
    counts
        .into_iter()
        .map(|(account, count)| {
            let values = params![account.bytes(), count.txs, count.signed, count.real_txs];
            Ok((account, upsert.query_row(values, |row| row.get(0))?))
        })
        .collect()
}

fn count_message_types(connection: &Connection, txs: &[PreparedTx]) -> Result<BTreeMap<MsgType, i64>, IndexError> {
    let mut counts: BTreeMap<&MsgType, i64> = BTreeMap::new();
    for name in txs.iter().flat_map(|tx| &tx.message_types) {
        *counts.entry(name).or_default() += 1;
    }
    let mut upsert = connection.prepare_cached(
        "INSERT INTO message_type (name, txs) VALUES (?1, ?2)
         ON CONFLICT (name) DO UPDATE SET txs = txs + ?2 RETURNING id",
    )?;
    counts
        .into_iter()
        .map(|(name, count)| Ok((name.clone(), upsert.query_row(params![name.as_str(), count], |row| row.get(0))?)))
        .collect()
}

fn insert_txs(
    connection: &Connection,
    txs: &[PreparedTx],
    accounts: &BTreeMap<Address, i64>,
    base: i64,
) -> Result<(), IndexError> {
    let mut statement = connection.prepare_cached("INSERT INTO tx VALUES (?1, ?2, ?3, ?4)")?;
    for tx in txs {
        let signer = tx.signer.and_then(|signer| accounts.get(&signer));
        statement.execute(params![base.saturating_add(integer(tx.sequence)), hash_key(&tx.hash), signer, tx.body])?;
    }
    Ok(())
}

/// Writes accounts and types of transactions, sorted like the tables, so that neighbouring rows share a database page.
fn insert_edges(
    connection: &Connection,
    txs: &[PreparedTx],
    accounts: &BTreeMap<Address, i64>,
    message_types: &BTreeMap<MsgType, i64>,
    base: i64,
) -> Result<(), IndexError> {
    let mut touched: Vec<(i64, i64, i64)> = Vec::new();
    let mut used: Vec<(i64, i64)> = Vec::new();
    for tx in txs {
        let sequence = base.saturating_add(integer(tx.sequence));
        let listed =
            tx.accounts.iter().filter_map(|(account, listing)| Some((accounts.get(account)?, *listing as i64)));
        touched.extend(listed.map(|(&id, listing)| (id, sequence, listing)));
        used.extend(tx.message_types.iter().filter_map(|name| message_types.get(name)).map(|&id| (id, sequence)));
    }
    touched.sort_unstable();
    used.sort_unstable();
    let mut statement = connection.prepare_cached("INSERT INTO tx_account VALUES (?1, ?2, ?3)")?;
    for edge in touched {
        statement.execute(edge)?;
    }
    let mut statement = connection.prepare_cached("INSERT INTO tx_message VALUES (?1, ?2)")?;
    for edge in used {
        statement.execute(edge)?;
    }
    Ok(())
}

/// Deletes the blocks of these heights, and the transactions of these sequence numbers.
pub(super) fn forget(connection: &Connection, heights: KeySpan, sequences: KeySpan) -> Result<(), IndexError> {
    let gone = params![sequences.low, sequences.high];
    for (table, counter, source, column, counted) in [
        ("account", "txs", "tx_account", "account", "listing <> 1"),
        ("account", "real_txs", "tx_account", "account", "listing <> 2"),
        ("account", "signed", "tx", "signer", "TRUE"),
        ("message_type", "txs", "tx_message", "message_type", "TRUE"),
    ] {
        connection.execute(
            &format!(
                "UPDATE {table} SET {counter} = {counter} - gone.count
                 FROM (SELECT {column} AS id, COUNT(*) AS count FROM {source}
                       WHERE sequence > ?1 AND sequence < ?2 AND {counted} GROUP BY {column}) AS gone
                 WHERE {table}.id = gone.id"
            ),
            gone,
        )?;
    }
    connection.execute("DELETE FROM tx_account WHERE sequence > ?1 AND sequence < ?2", gone)?;
    connection.execute("DELETE FROM tx_message WHERE sequence > ?1 AND sequence < ?2", gone)?;
    nft::forget_edges(connection, sequences)?;
    packets::forget(connection, sequences)?;
    undecoded::forget(connection, heights)?;
    connection.execute("DELETE FROM tx WHERE sequence > ?1 AND sequence < ?2", gone)?;
    connection.execute("DELETE FROM account WHERE txs = 0 AND real_txs = 0", [])?;
    connection.execute("DELETE FROM message_type WHERE txs = 0", [])?;
    connection.execute("DELETE FROM block WHERE height > ?1 AND height < ?2", params![heights.low, heights.high])?;
    Ok(())
}
