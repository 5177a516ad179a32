use std::collections::BTreeMap;

use crate::indexer::index::dialect::{Connection, row_of};

use super::{
    super::{IndexError, ORIGIN, page::KeySpan},
    prepare::PreparedReceipts,
    sequences::{SequenceRun, held, of_height},
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
    insert_at(connection, prepared, base)
}

/// Replaces the receipts of a stored block; their number grows or stays. Its call frames, which name them, go.
pub(in super::super) fn replace_receipts(
    connection: &Connection,
    prepared: &PreparedReceipts,
) -> Result<(), IndexError> {
    let [block] = prepared.blocks.as_slice() else { return Ok(()) };
    let Some(run) = of_height(connection, "evm_block", block.height)? else { return Ok(()) };
    if let Some(traced) = of_height(connection, "evm_trace_block", block.height)? {
        forget_frames(connection, traced)?;
        let emptied = "UPDATE evm_trace_block SET count = 0 WHERE height = ?1";
        connection.execute(emptied, [block.height])?;
        let columns = ["evm_trace.first_sequence", "evm_frame_account.sequence"];
        close_up(connection, &columns, "evm_trace_block", block.height, traced)?;
    }
    lower(connection, "sent", "SELECT sender AS account, sequence FROM evm_tx", run.first, run.next)?;
    lower(connection, "txs", "SELECT account, sequence FROM evm_tx_account", run.first, run.next)?;
    let gone = [run.first, run.next];
    connection.execute("DELETE FROM evm_tx_account WHERE sequence >= ?1 AND sequence < ?2", gone)?;
    connection.execute("DELETE FROM evm_tx WHERE sequence >= ?1 AND sequence < ?2", gone)?;
    let columns = ["evm_tx.sequence", "evm_tx_account.sequence", "evm_trace.tx"];
    let first = make_room(connection, &columns, "evm_block", block.height, run, block.count)?;
    connection.execute("DELETE FROM evm_block WHERE height = ?1", [block.height])?;
    insert_at(connection, prepared, first)
}

/// Deletes the call frames with these sequence numbers.
pub(super) fn forget_frames(connection: &Connection, run: SequenceRun) -> Result<(), IndexError> {
    lower(connection, "frames", "SELECT account, sequence FROM evm_frame_account", run.first, run.next)?;
    let gone = [run.first, run.next];
    connection.execute("DELETE FROM evm_frame_account WHERE sequence >= ?1 AND sequence < ?2", gone)?;
    connection.execute("DELETE FROM evm_trace WHERE first_sequence >= ?1 AND first_sequence < ?2", gone).map(drop)
}

/// Moves the records above a block down over its deleted ones.
pub(super) fn close_up(
    connection: &Connection,
    columns: &[&str],
    blocks: &str,
    height: i64,
    run: SequenceRun,
) -> Result<(), IndexError> {
    shift(connection, columns, run.next, i64::MAX, run.first - run.next)?;
    let sql = format!("UPDATE {blocks} SET first_sequence = first_sequence + ?1 WHERE height > ?2");
    connection.execute(&sql, [run.first - run.next, height]).map(drop)
}

/// Makes room for so many records of a block, whose former ones are deleted: moves the records above it up, or those
/// below it down, whichever are fewer. Returns the first number.
pub(super) fn make_room(
    connection: &Connection,
    columns: &[&str],
    blocks: &str,
    height: i64,
    run: SequenceRun,
    count: i64,
) -> Result<i64, IndexError> {
    let by = count - (run.next - run.first);
    let Some(all) = held(connection, blocks)? else { return Ok(run.first) };
    let is_upward = all.next - run.next <= run.first - all.first;
    if is_upward {
        shift(connection, columns, run.next, i64::MAX, by)?;
        let sql = format!("UPDATE {blocks} SET first_sequence = first_sequence + ?1 WHERE height > ?2");
        connection.execute(&sql, [by, height])?;
        return Ok(run.first);
    }
    shift(connection, columns, i64::MIN, run.first, -by)?;
    let sql = format!("UPDATE {blocks} SET first_sequence = first_sequence + ?1 WHERE height <= ?2");
    connection.execute(&sql, [-by, height])?;
    Ok(run.first - by)
}

/// Adds a number to the sequence numbers in a range, which are positive; by way of negative ones, since they are
/// unique at each moment.
fn shift(connection: &Connection, columns: &[&str], from: i64, to: i64, by: i64) -> Result<(), IndexError> {
    if by == 0 {
        return Ok(());
    }
    for (table, column) in columns.iter().filter_map(|column| column.split_once('.')) {
        let away = format!("UPDATE {table} SET {column} = -({column} + ?3) WHERE {column} >= ?1 AND {column} < ?2");
        connection.execute(&away, [from, to, by])?;
        connection.execute(&format!("UPDATE {table} SET {column} = -{column} WHERE {column} < 0"), [])?;
    }
    Ok(())
}

/// Writes receipts whose numbers start at `base`.
fn insert_at(connection: &Connection, prepared: &PreparedReceipts, base: i64) -> Result<(), IndexError> {
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
