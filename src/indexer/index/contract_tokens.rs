//! Token contracts that the stored transactions report movements of, in the order of the chain: of their first
//! transactions, which is the same in each index of the chain.

use std::collections::BTreeMap;

use crate::indexer::index::dialect::Connection;
use rusqlite::params;

use super::{IndexError, filling::EventTable, integer, page::KeySpan, prepare::PreparedTx, unsigned};
use crate::{
    domain::Denom,
    events::{TxEvent, tokens::contract_tokens},
};

/// `sequence` is the first known transaction of the token. Contracts do not refer to blocks, because an index in memory
/// drops blocks.
pub(super) const TABLES: &str = "
    CREATE TABLE IF NOT EXISTS contract_token (
        id INTEGER PRIMARY KEY, denom TEXT NOT NULL UNIQUE, sequence INTEGER NOT NULL
    );";

pub(super) const FILLED: EventTable =
    EventTable { flag: "contract tokens", marks: &[b"\"evm\"", b"\"wasm\""], insert: insert_stored };

/// Writes the token contracts of these transactions, whose sequence numbers start at `base`.
pub(super) fn insert(connection: &Connection, txs: &[PreparedTx], base: i64) -> Result<(), IndexError> {
    let mut first: BTreeMap<&Denom, i64> = BTreeMap::new();
    for tx in txs {
        let sequence = base.saturating_add(integer(tx.sequence));
        for denom in &tx.tokens {
            let first = first.entry(denom).or_insert(sequence);
            *first = sequence.min(*first);
        }
    }
    first.into_iter().try_for_each(|(denom, sequence)| add(connection, denom, sequence))
}

fn insert_stored(connection: &Connection, events: &[TxEvent], sequence: i64) -> Result<(), IndexError> {
    contract_tokens(events).try_for_each(|denom| add(connection, &denom, sequence))
}

fn add(connection: &Connection, denom: &Denom, sequence: i64) -> Result<(), IndexError> {
    let sql = "INSERT INTO contract_token (denom, sequence) VALUES (?1, ?2)
               ON CONFLICT (denom) DO UPDATE SET sequence = ?2 WHERE ?2 < contract_token.sequence";
    connection.prepare_cached(sql)?.execute(params![denom.as_str(), sequence])?;
    Ok(())
}

/// Deletes the contracts that only reverted transactions reported.
pub(super) fn undo(connection: &Connection, sequences: KeySpan) -> Result<(), IndexError> {
    connection.execute("DELETE FROM contract_token WHERE sequence > ?1", [sequences.low])?;
    Ok(())
}

/// Returns the denoms of a page of the known token contracts, and the number of all.
pub(super) fn page(
    connection: &Connection,
    limit: u16,
    offset: u64,
    descending: bool,
) -> Result<(Vec<Denom>, u64), IndexError> {
    let direction = if descending { "DESC" } else { "ASC" };
    let sql =
        format!("SELECT denom FROM contract_token ORDER BY sequence {direction}, denom {direction} LIMIT ?1 OFFSET ?2");
    let total: i64 = connection.query_row("SELECT COUNT(*) FROM contract_token", [], |row| row.get(0))?;
    let mut statement = connection.prepare_cached(&sql)?;
    let rows = statement.query_map(params![limit, integer(offset)], |row| row.get::<String>(0))?;
    Ok((rows.map(|denom| Ok(Denom::new(denom?))).collect::<Result<_, IndexError>>()?, unsigned(total)))
}
