use std::collections::{BTreeMap, BTreeSet};

use crate::indexer::index::dialect::{Connection, row_of};
use rusqlite::params;

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
    insert_blocks(connection, &prepared.blocks, base)?;
    let accounts = count_accounts(connection, &prepared.txs)?;
    let message_types = count_message_types(connection, &prepared.txs)?;
    insert_txs(connection, &prepared.txs, &accounts, base)?;
    insert_edges(connection, &prepared.txs, &accounts, &message_types, base)?;
    stores::follow(connection, prepared, base)?;
    undecoded::insert_bare(connection, &prepared.bare)?;
    undecoded::insert(connection, &prepared.undecoded)?;
    packets::insert(connection, &prepared.txs, base)?;
    contract_tokens::insert(connection, &prepared.txs, base)?;
    nft::insert_edges(connection, &prepared.txs, base)
}

/// Returns the indexed prefix of a hash; lookups compare the rest.
pub(super) fn hash_key(hash: &TxHash) -> i64 {
    hash.bytes().first_chunk().map_or(0, |start| i64::from_be_bytes(*start))
}

fn insert_blocks(connection: &Connection, blocks: &[PreparedBlock], base: i64) -> Result<(), IndexError> {
    let consensus = |block: &PreparedBlock| block.proposer.consensus_address;
    let bytes = |address: &Option<Address>| address.as_ref().map_or_else(Vec::new, |address| address.bytes().to_vec());
    let addresses: BTreeSet<Option<Address>> = blocks.iter().map(consensus).collect();
    let ids: Vec<i64> = connection
        .prepare_cached(
            "INSERT INTO proposer (address) VALUES (?1) ON CONFLICT (address) DO UPDATE SET address = ?1 RETURNING id",
        )?
        .query_each(addresses.iter().map(|address| [bytes(address)]), |row| row.get(0))?;
    let ids: BTreeMap<Option<Address>, i64> = addresses.into_iter().zip(ids).collect();
    let proposer = |block| ids.get(&consensus(block)).copied().ok_or(IndexError::Body);
    let mut validators: BTreeMap<i64, &ProposingValidator> = BTreeMap::new();
    for block in blocks {
        let (id, Some(validator)) = (proposer(block)?, &block.proposer.validator) else { continue };
        let newest = validators.entry(id).or_insert(validator);
        if validator.height >= newest.height {
            *newest = validator;
        }
    }
    let validators = validators.iter().map(|(id, ProposingValidator { moniker, operator_address, height })| {
        let height = height.map(|height| integer(height.get()));
        row_of![*id, operator_address.as_str(), moniker.as_str(), height]
    });
    connection.insert_all(
        "INSERT INTO validator (proposer, operator, moniker, height) VALUES (?1, ?2, ?3, ?4)
         ON CONFLICT (proposer) DO UPDATE
         SET operator = excluded.operator, moniker = excluded.moniker, height = excluded.height
         WHERE COALESCE(excluded.height, 0) >= COALESCE(validator.height, 0)",
        validators,
    )?;
    let proposers = blocks.iter().map(proposer).collect::<Result<Vec<_>, _>>()?;
    let rows = blocks.iter().zip(proposers).map(|(block, proposer)| {
        row_of![
            integer(block.height.get()),
            &block.hash.bytes()[..],
            i64::try_from(block.time.as_nanos()).unwrap_or(i64::MAX),
            block.block_time_ms,
            integer(block.gas_used),
            integer(block.gas_wanted),
            integer(block.tx_count),
            base.saturating_add(integer(block.first_sequence)),
            block.total_fee.as_str(),
            proposer,
        ]
    });
    connection.insert_all("INSERT INTO block VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)", rows)
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
         ON CONFLICT (address) DO UPDATE
         SET txs = account.txs + ?2, signed = account.signed + ?3, real_txs = account.real_txs + ?4
         RETURNING id",
    )?;
    let rows = counts.iter().map(|(account, count)| row_of![account.bytes(), count.txs, count.signed, count.real_txs]);
    let ids: Vec<i64> = upsert.query_each(rows, |row| row.get(0))?;
    Ok(counts.into_keys().zip(ids).collect())
}

fn count_message_types(connection: &Connection, txs: &[PreparedTx]) -> Result<BTreeMap<MsgType, i64>, IndexError> {
    let mut counts: BTreeMap<&MsgType, i64> = BTreeMap::new();
    for name in txs.iter().flat_map(|tx| &tx.message_types) {
        *counts.entry(name).or_default() += 1;
    }
    let mut upsert = connection.prepare_cached(
        "INSERT INTO message_type (name, txs) VALUES (?1, ?2)
         ON CONFLICT (name) DO UPDATE SET txs = message_type.txs + ?2 RETURNING id",
    )?;
    let rows = counts.iter().map(|(name, count)| row_of![name.as_str(), *count]);
    let ids: Vec<i64> = upsert.query_each(rows, |row| row.get(0))?;
    Ok(counts.into_keys().cloned().zip(ids).collect())
}

fn insert_txs(
    connection: &Connection,
    txs: &[PreparedTx],
    accounts: &BTreeMap<Address, i64>,
    base: i64,
) -> Result<(), IndexError> {
    let rows = txs.iter().map(|tx| {
        let signer = tx.signer.and_then(|signer| accounts.get(&signer));
        row_of![base.saturating_add(integer(tx.sequence)), hash_key(&tx.hash), signer.copied(), tx.body.as_slice()]
    });
    connection.insert_all("INSERT INTO tx VALUES (?1, ?2, ?3, ?4)", rows)
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
    let touched = touched.into_iter().map(<[i64; 3]>::from);
    connection.insert_all("INSERT INTO tx_account VALUES (?1, ?2, ?3)", touched)?;
    connection.insert_all("INSERT INTO tx_message VALUES (?1, ?2)", used.into_iter().map(<[i64; 2]>::from))
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
