//! Parts of stored blocks that the index lacks: they could not be decoded, or the node refuses them.

use std::collections::BTreeSet;

use crate::indexer::index::dialect::{Connection, OptionalRow as _, row_of};
use rusqlite::params;

use super::{IndexError, integer, meta, page::KeySpan, unsigned};
use crate::{
    domain::{Height, TxHash},
    wire::{BlockPart, LackReason, PartFloor, UndecodedPart},
};

/// Tables of the parts, as JSON; of the blocks without results; of the hashes of their transactions; and of the blocks
/// that were replaced, with the number of times.
pub(super) const TABLES: &str = "
    CREATE TABLE IF NOT EXISTS undecoded (
        height INTEGER NOT NULL, part TEXT NOT NULL, PRIMARY KEY (height, part)
    ) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS bare_block (height INTEGER PRIMARY KEY, txs INTEGER NOT NULL);
    CREATE TABLE IF NOT EXISTS bare_tx (
        height INTEGER NOT NULL, place INTEGER NOT NULL, hash BLOB NOT NULL, PRIMARY KEY (height, place)
    ) WITHOUT ROWID;
    CREATE INDEX IF NOT EXISTS bare_tx_by_hash ON bare_tx (hash);
    CREATE TABLE IF NOT EXISTS mended (height INTEGER PRIMARY KEY, times INTEGER NOT NULL);";

/// Lists the blocks without results of a store of format 8.
const FROM_FORMAT_8: &str = "
    INSERT INTO bare_block SELECT height, tx_count FROM block
    WHERE height IN (SELECT height FROM undecoded WHERE part LIKE '%\"part\":\"results\"%');";

/// Converts a store of format 8: adds these tables.
pub(super) fn from_format_8(store: &Connection) -> Result<(), IndexError> {
    store.execute_batch(TABLES)?;
    store.execute_batch(FROM_FORMAT_8)?;
    meta::set_format(store)
}

/// Name of the stored floors.
const FLOORS: &str = "floors";

/// Blocks in a row that refuse a part alike and then make a floor.
const ALIKE: usize = 3;

/// Blocks that one look for a floor reads.
const LOOK: i64 = 1_000;

/// Block that is made of its header alone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BareBlock {
    pub height: Height,
    /// Number of its transactions.
    pub txs: u64,
    /// Their hashes; empty if unknown.
    pub hashes: Vec<TxHash>,
}

pub(super) fn insert<'a>(
    connection: &Connection,
    parts: impl IntoIterator<Item = &'a UndecodedPart>,
) -> Result<(), IndexError> {
    let floors = floors(connection)?;
    let is_listed = |part: &UndecodedPart| {
        let floor = floors.iter().find(|floor| floor.part == part.part);
        part.reason != LackReason::Injected && floor.is_none_or(|floor| part.height >= floor.height)
    };
    let sql = "INSERT INTO undecoded VALUES (?1, ?2) ON CONFLICT DO NOTHING";
    let mut statement = connection.prepare_cached(sql)?;
    for part in parts.into_iter().filter(|part| is_listed(part)) {
        let json = serde_json::to_string(part).map_err(|_| IndexError::Body)?;
        statement.execute(params![integer(part.height.get()), json])?;
    }
    Ok(())
}

/// Writes blocks without results.
pub(super) fn insert_bare(connection: &Connection, blocks: &[BareBlock]) -> Result<(), IndexError> {
    let rows = blocks.iter().map(|block| row_of![integer(block.height.get()), integer(block.txs)]);
    connection.insert_all("INSERT INTO bare_block VALUES (?1, ?2)", rows)?;
    let hashes = blocks.iter().flat_map(|block| {
        let height = integer(block.height.get());
        (0_i64..).zip(&block.hashes).map(move |(place, hash)| row_of![height, place, &hash.bytes()[..]])
    });
    connection.insert_all("INSERT INTO bare_tx VALUES (?1, ?2, ?3)", hashes)
}

/// Returns the number of transactions with these sequence numbers of which the index has no results.
pub(super) fn bare_txs(connection: &Connection, first: i64, last: i64) -> Result<i64, IndexError> {
    let sql =
        "SELECT CAST(COALESCE(SUM(txs), 0) AS BIGINT) FROM bare_block JOIN block ON block.height = bare_block.height
               WHERE first_sequence >= ?1 AND first_sequence <= ?2";
    connection.prepare_cached(sql)?.query_row([first, last], |row| row.get(0))
}

/// Whether any stored block has no results.
pub(super) fn has_bare(connection: &Connection) -> Result<bool, IndexError> {
    connection.prepare_cached("SELECT EXISTS (SELECT 1 FROM bare_block)")?.query_row([], |row| row.get(0))
}

/// Returns the block with this transaction, of which the index has no results.
pub(super) fn block_of(connection: &Connection, hash: &TxHash) -> Result<Option<Height>, IndexError> {
    let sql = "SELECT MAX(height) FROM bare_tx WHERE hash = ?1";
    let height: Option<i64> =
        connection.prepare_cached(sql)?.query_row([&hash.bytes()[..]], |row| row.get(0)).optional()?.flatten();
    Ok(height.and_then(|height| Height::new(unsigned(height))))
}

/// Whether a stored block has no results.
pub(super) fn is_bare(connection: &Connection, height: Height) -> Result<bool, IndexError> {
    let sql = "SELECT EXISTS (SELECT 1 FROM bare_block WHERE height = ?1)";
    connection.prepare_cached(sql)?.query_row([integer(height.get())], |row| row.get(0))
}

/// Returns all parts, newest first.
pub(super) fn all(connection: &Connection) -> Result<Vec<UndecodedPart>, IndexError> {
    let mut statement = connection.prepare_cached("SELECT part FROM undecoded ORDER BY height DESC, part")?;
    let rows = statement.query_map([], |row| row.get::<String>(0))?;
    rows.map(|json| serde_json::from_str(&json?).map_err(|_| IndexError::Body)).collect()
}

pub(super) fn forget(connection: &Connection, heights: KeySpan) -> Result<(), IndexError> {
    for table in ["undecoded", "bare_block", "bare_tx"] {
        let sql = format!("DELETE FROM {table} WHERE height > ?1 AND height < ?2");
        connection.prepare_cached(&sql)?.execute([heights.low, heights.high])?;
    }
    Ok(())
}

/// Takes a block from the list, without changing what it has.
pub(super) fn forget_list(connection: &Connection, height: i64) -> Result<(), IndexError> {
    connection.prepare_cached("DELETE FROM undecoded WHERE height = ?1")?.execute([height]).map(drop)
}

pub(super) fn of_block(connection: &Connection, height: i64) -> Result<Vec<UndecodedPart>, IndexError> {
    let mut statement = connection.prepare_cached("SELECT part FROM undecoded WHERE height = ?1")?;
    let rows = statement.query_map([height], |row| row.get::<String>(0))?;
    rows.map(|json| serde_json::from_str(&json?).map_err(|_| IndexError::Body)).collect()
}

/// Counts a replacement of a block.
pub(super) fn count_mended(connection: &Connection, height: i64) -> Result<(), IndexError> {
    let sql = "INSERT INTO mended VALUES (?1, 1) ON CONFLICT (height) DO UPDATE SET times = mended.times + 1";
    connection.prepare_cached(sql)?.execute([height]).map(drop)
}

/// Returns the number of replacements of blocks in a range.
pub(super) fn mended(connection: &Connection, from: u64, to: u64) -> Result<u64, IndexError> {
    let sql = "SELECT CAST(COALESCE(SUM(times), 0) AS BIGINT) FROM mended WHERE height >= ?1 AND height <= ?2";
    let times = connection.prepare_cached(sql)?.query_row([integer(from), integer(to)], |row| row.get::<i64>(0))?;
    Ok(unsigned(times))
}

pub(super) fn floors(connection: &Connection) -> Result<Vec<PartFloor>, IndexError> {
    let Some(json) = meta::load(connection, FLOORS)? else { return Ok(Vec::new()) };
    serde_json::from_slice(&json).map_err(|_| IndexError::Body)
}

/// Sets the floor of a part, or removes it.
pub(super) fn set_floor(connection: &Connection, part: BlockPart, floor: Option<PartFloor>) -> Result<(), IndexError> {
    let mut floors = floors(connection)?;
    floors.retain(|floor| floor.part != part);
    floors.extend(floor);
    meta::save(connection, FLOORS, &serde_json::to_vec(&floors).map_err(|_| IndexError::Body)?)
}

/// Finds out whether the node refuses a part of all blocks from the oldest ones on that should have it, and takes these
/// blocks from the list.
pub(super) fn find_floor(connection: &Connection, part: BlockPart) -> Result<Option<PartFloor>, IndexError> {
    let candidates = match part {
        BlockPart::Results => "SELECT height FROM block ORDER BY height LIMIT ?1",
        BlockPart::Receipts => "SELECT height FROM block WHERE tx_count > 0 ORDER BY height LIMIT ?1",
        BlockPart::CallFrames => {
            "SELECT height FROM evm_block WHERE count > 0 AND height IN (SELECT height FROM evm_trace_block)
             ORDER BY height LIMIT ?1"
        }
        BlockPart::Header | BlockPart::Tx => return Ok(None),
    };
    let mut statement = connection.prepare_cached(candidates)?;
    let heights: Vec<i64> = statement.query_map([LOOK], |row| row.get(0))?.collect::<Result<_, _>>()?;
    let mut alike: Vec<UndecodedPart> = Vec::new();
    for height in heights {
        let is_such = |found: &UndecodedPart| {
            let is_alike =
                alike.first().is_none_or(|first| shape(first.cause.as_received()) == shape(found.cause.as_received()));
            found.part == part && found.index.is_none() && found.reason == LackReason::Refused && is_alike
        };
        match of_block(connection, height)?.into_iter().find(is_such) {
            Some(found) => alike.push(found),
            None => break,
        }
    }
    let Some(top) = alike.last().filter(|_| alike.len() >= ALIKE) else { return Ok(None) };
    let floor = PartFloor { part, height: top.height.next(), cause: top.cause.clone() };
    set_floor(connection, part, Some(floor.clone()))?;
    for lost in &alike {
        let json = serde_json::to_string(lost).map_err(|_| IndexError::Body)?;
        let values = params![integer(lost.height.get()), json];
        connection.prepare_cached("DELETE FROM undecoded WHERE height = ?1 AND part = ?2")?.execute(values)?;
    }
    Ok(Some(floor))
}

/// Returns a node's words without the numbers in them, which differ between blocks.
fn shape(words: &str) -> String {
    words.chars().filter(|letter| !letter.is_ascii_digit()).collect()
}

/// Returns the heights of the listed parts, newest first.
pub(super) fn heights(connection: &Connection) -> Result<BTreeSet<Height>, IndexError> {
    let mut statement = connection.prepare_cached("SELECT DISTINCT height FROM undecoded")?;
    let rows = statement.query_map([], |row| row.get::<i64>(0))?;
    rows.map(|height| Height::new(unsigned(height?)).ok_or(IndexError::Body)).collect()
}
