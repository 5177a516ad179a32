use std::collections::BTreeMap;

use crate::indexer::index::dialect::{Connection, row_of};

use super::{
    super::{IndexError, ORIGIN, page::KeySpan},
    prepare::PreparedReceipts,
    sequences::held,
};

/// Numbers of occurrences of an account.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct EvmCounts {
    pub(super) txs: i64,
    pub(super) sent: i64,
    pub(super) frames: i64,
}

pub(super) type Ids = BTreeMap<[u8; 20], i64>;

pub(in super::super) fn insert(connection: &Connection, prepared: &PreparedReceipts) -> Result<(), IndexError> {
    let base = if prepared.is_unnumbered {
        let first = prepared.blocks.first().map_or(0, |block| block.height);
        base_of(connection, "evm_block", first, prepared.receipts.len())?
    } else {
        0
    };
    let blocks = prepared
        .blocks
        .iter()
        .map(|block| row_of![block.height, &block.hash[..], base.saturating_add(block.first_sequence), block.count]);
    connection.insert_all("INSERT INTO evm_block VALUES (?1, ?2, ?3, ?4)", blocks)?;
    let mut counts: BTreeMap<[u8; 20], EvmCounts> = BTreeMap::new();
    for receipt in &prepared.receipts {
        for account in &receipt.accounts {
            counts.entry(*account).or_default().txs += 1;
        }
        counts.entry(receipt.sender).or_default().sent += 1;
    }
    let ids = count_accounts(connection, counts)?;
    let receipts = prepared.receipts.iter().map(|receipt| {
        let (sequence, sender) = (base.saturating_add(receipt.sequence), ids.get(&receipt.sender));
        row_of![sequence, receipt.height, receipt.hash_key, sender.copied(), receipt.body.as_slice()]
    });
    connection.insert_all("INSERT INTO evm_tx VALUES (?1, ?2, ?3, ?4, ?5)", receipts)?;
    let mut touched = Vec::new();
    for receipt in &prepared.receipts {
        let sequence = base.saturating_add(receipt.sequence);
        let accounts = receipt.accounts.iter().filter_map(|account| ids.get(account));
        touched.extend(accounts.map(|id| (*id, sequence)));
    }
    insert_edges(connection, "evm_tx_account", touched)
}

/// Updates the counters of accounts and returns their database ids.
pub(super) fn count_accounts(
    connection: &Connection,
    counts: BTreeMap<[u8; 20], EvmCounts>,
) -> Result<Ids, IndexError> {
    let mut upsert = connection.prepare_cached(
        "INSERT INTO evm_account (address, txs, sent, frames) VALUES (?1, ?2, ?3, ?4)
         ON CONFLICT (address) DO UPDATE SET txs = evm_account.txs + ?2,
             sent = evm_account.sent + ?3, frames = evm_account.frames + ?4 RETURNING id",
    )?;
    let rows = counts.iter().map(|(account, count)| row_of![&account[..], count.txs, count.sent, count.frames]);
    let ids: Vec<i64> = upsert.query_each(rows, |row| row.get(0))?;
    Ok(counts.into_keys().zip(ids).collect())
}

/// Inserts pairs of account and record, sorted like the table, so that neighbouring rows share a database page.
pub(super) fn insert_edges(connection: &Connection, table: &str, mut edges: Vec<(i64, i64)>) -> Result<(), IndexError> {
    edges.sort_unstable();
    let rows = edges.into_iter().map(<[i64; 2]>::from);
    connection.insert_all(&format!("INSERT INTO {table} VALUES (?1, ?2)"), rows)
}

/// Returns the first sequence number for `count` new rows above or below the existing blocks.
pub(super) fn base_of(connection: &Connection, table: &str, first: i64, count: usize) -> Result<i64, IndexError> {
    let Some(run) = held(connection, table)? else { return Ok(ORIGIN) };
    let tip: i64 = connection.query_row(&format!("SELECT MAX(height) FROM {table}"), [], |row| row.get(0))?;
    let count = i64::try_from(count).unwrap_or(i64::MAX);
    Ok(if first > tip { run.next } else { run.first.saturating_sub(count) })
}

/// Deletes receipts and call frames of the oldest or the newest stored blocks.
pub(in super::super) fn forget(connection: &Connection, heights: KeySpan) -> Result<(), IndexError> {
    for (blocks, rows, edges, sequence, count) in [
        ("evm_block", "evm_tx", "evm_tx_account", "sequence", "txs"),
        ("evm_trace_block", "evm_trace", "evm_frame_account", "first_sequence", "frames"),
    ] {
        let edge: Option<(i64, i64)> = connection.query_row(
            &format!(
                "SELECT MIN(first_sequence), MAX(first_sequence + count) FROM {blocks} WHERE height > ?1 AND height < ?2"
            ),
            [heights.low, heights.high],
            |row| Ok(row.get::<Option<i64>>(0)?.zip(row.get::<Option<i64>>(1)?)),
        )?;
        let Some((first, next)) = edge else { continue };
        if blocks == "evm_block" {
            lower(connection, "sent", "SELECT sender AS account, sequence FROM evm_tx", first, next)?;
        }
        lower(connection, count, &format!("SELECT account, sequence FROM {edges}"), first, next)?;
        connection.execute(&format!("DELETE FROM {edges} WHERE sequence >= ?1 AND sequence < ?2"), [first, next])?;
        connection.execute(&format!("DELETE FROM {rows} WHERE {sequence} >= ?1 AND {sequence} < ?2"), [first, next])?;
        connection
            .execute(&format!("DELETE FROM {blocks} WHERE height > ?1 AND height < ?2"), [heights.low, heights.high])?;
    }
    connection.execute("DELETE FROM evm_account WHERE txs = 0 AND frames = 0", [])?;
    Ok(())
}

/// Reduces a counter by the rows that will be deleted.
fn lower(connection: &Connection, counter: &str, rows: &str, first: i64, next: i64) -> Result<(), IndexError> {
    connection.execute(
        &format!(
            "UPDATE evm_account SET {counter} = {counter} - gone.count
             FROM (SELECT account, COUNT(*) AS count FROM ({rows}) AS listed
                   WHERE sequence >= ?1 AND sequence < ?2 GROUP BY account) AS gone
             WHERE evm_account.id = gone.account"
        ),
        [first, next],
    )?;
    Ok(())
}
