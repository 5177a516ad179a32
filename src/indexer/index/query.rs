use crate::indexer::index::dialect::{Connection, OptionalRow as _, StoreRow};
use rusqlite::params;

use super::{
    Bounds, IndexError,
    codec::Codec,
    gaps, integer,
    page::{self, KeyRange, Neighbours, PageRange},
    unsigned, write,
};
use crate::{
    domain::{Address, BlockHash, Height, Timestamp, TxHash},
    indexer::source::{BlockProposer, ProposingValidator},
    wire::Block,
};

#[derive(Clone, Debug)]
pub struct FoundBlocks {
    pub blocks: Vec<Block>,
    pub neighbours: Neighbours,
    /// Range of stored blocks at the time of the read.
    pub bounds: Option<Bounds>,
    /// Lowest indexed height during the backfill; `None` once no older block is missing.
    pub oldest: Option<Height>,
}

const BLOCK_COLUMNS: &str = "SELECT block.height, hash, time, block_time, gas_used, gas_wanted, tx_count, total_fee,
    proposer.address, validator.operator, validator.moniker, validator.height
    FROM block JOIN proposer ON proposer.id = block.proposer LEFT JOIN validator ON validator.proposer = block.proposer
    WHERE block.height = ?1";

/// Returns the range of stored blocks.
pub(super) fn bounds(connection: &Connection) -> Result<Option<Bounds>, IndexError> {
    let edge = |order: &str| {
        connection
            .prepare_cached(&format!(
                "SELECT height, first_sequence, tx_count FROM block ORDER BY height {order} LIMIT 1"
            ))?
            .query_row([], |row| Ok((row.get::<i64>(0)?, row.get::<i64>(1)?, row.get::<i64>(2)?)))
            .optional()
    };
    let (Some(oldest), Some(newest)) = (edge("ASC")?, edge("DESC")?) else { return Ok(None) };
    let height = |value: i64| Height::new(unsigned(value)).unwrap_or(Height::FIRST);
    Ok(Some(Bounds {
        from: height(oldest.0),
        tip: height(newest.0),
        first_sequence: unsigned(oldest.1),
        next_sequence: unsigned(newest.1 + newest.2),
        missing: gaps::load(connection)?.blocks(),
    }))
}

pub(super) fn blocks(connection: &Connection, chain_id: &str, range: &PageRange) -> Result<FoundBlocks, IndexError> {
    let bounds = bounds(connection)?;
    let (keys, neighbours) = page::find(range, |take| match bounds {
        None => Ok(Vec::new()),
        Some(held) if held.missing > 0 => heights(connection, take),
        Some(held) => Ok(page::contiguous(integer(held.from.get()), integer(held.tip.get()), take)),
    })?;
    let mut statement = connection.prepare_cached(BLOCK_COLUMNS)?;
    let blocks = statement.query_keys(&keys, |row| read_block(row, chain_id))?;
    Ok(FoundBlocks { blocks, neighbours, bounds, oldest: None })
}

/// Returns stored heights of a list with gaps.
fn heights(connection: &Connection, take: KeyRange) -> Result<Vec<i64>, IndexError> {
    let order = if take.descending { "DESC" } else { "ASC" };
    let sql = format!(
        "SELECT height FROM block WHERE height > ?1 AND height < ?2 ORDER BY height {order} LIMIT ?3 OFFSET ?4"
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let rows = statement.query_map([take.span.low, take.span.high, take.limit, take.offset], |row| row.get(0))?;
    rows.collect::<Result<_, _>>()
}

pub(super) fn block(connection: &Connection, chain_id: &str, height: Height) -> Result<Option<Block>, IndexError> {
    connection
        .prepare_cached(BLOCK_COLUMNS)?
        .query_row([integer(height.get())], |row| Ok(read_block(row, chain_id)))
        .optional()?
        .transpose()
}

pub(super) fn block_hash(connection: &Connection, height: Height) -> Result<Option<BlockHash>, IndexError> {
    connection
        .prepare_cached("SELECT hash FROM block WHERE height = ?1")?
        .query_row([integer(height.get())], |row| row.get(0).map(BlockHash::new))
        .optional()
}

pub(super) fn time(connection: &Connection, height: Height) -> Result<Option<Timestamp>, IndexError> {
    connection
        .prepare_cached("SELECT time FROM block WHERE height = ?1")?
        .query_row([integer(height.get())], |row| row.get(0).map(|nanos: i64| Timestamp::from_nanos(nanos.into())))
        .optional()
}

/// Returns the times of the oldest and the newest of the newest 100 blocks above the gaps, and the number of intervals
/// between them.
pub(super) fn recent_times(connection: &Connection) -> Result<Option<(Timestamp, Timestamp, i64)>, IndexError> {
    let gap = gaps::load(connection)?.iter().next_back().map_or(0, |gap| integer(gap.to.get()));
    let (oldest, newest, count): (Option<i64>, Option<i64>, i64) = connection
        .prepare_cached(
            "SELECT MIN(time), MAX(time), COUNT(*) FROM
             (SELECT time FROM block WHERE height > ?1 ORDER BY height DESC LIMIT 100) AS recent",
        )?
        .query_row([gap], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
    let time = |nanos: i64| Timestamp::from_nanos(i128::from(nanos));
    Ok(oldest.zip(newest).filter(|_| count > 1).map(|(oldest, newest)| (time(oldest), time(newest), count - 1)))
}

/// Record of a transaction, one of several with its hash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TxOfHash {
    pub height: Height,
    /// Result code; 0 means success.
    pub code: u32,
    pub json: Vec<u8>,
}

/// Returns the records of a hash, oldest first: a transaction that was refused in one block may be carried out in a
/// later one.
pub(super) fn txs_of(connection: &Connection, codec: &Codec, hash: &TxHash) -> Result<Vec<TxOfHash>, IndexError> {
    #[derive(serde::Deserialize)]
    struct Head {
        #[serde(with = "crate::wire::scalar::text")]
        height: u64,
        code: u32,
    }
    let mut statement = connection.prepare_cached("SELECT body FROM tx WHERE hash_key = ?1 ORDER BY sequence")?;
    let mut rows = statement.query(params![write::hash_key(hash)])?;
    let start = format!("{{\"txhash\":\"{hash}\"");
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        let mut json = Vec::new();
        codec.expand(row.get_ref(0)?.as_blob().map_err(|_| IndexError::Body)?, &mut json)?;
        if json.starts_with(start.as_bytes()) {
            let Head { height, code } = serde_json::from_slice(&json).map_err(|_| IndexError::Body)?;
            found.push(TxOfHash { height: Height::new(height).ok_or(IndexError::Body)?, code, json });
        }
    }
    Ok(found)
}

/// Returns the record by which a hash is known: the one that was carried out, else the newest.
pub(super) fn told(records: Vec<TxOfHash>) -> Option<TxOfHash> {
    records.into_iter().max_by_key(|record| (record.code == 0, record.height))
}

fn read_block(row: &StoreRow<'_>, chain_id: &str) -> Result<Block, IndexError> {
    let total_fee: String = row.get(7)?;
    let validator = match row.get(9)? {
        Some(operator_address) => {
            let height: Option<i64> = row.get(11)?;
            let height = height.and_then(|height| Height::new(unsigned(height)));
            Some(ProposingValidator { operator_address, moniker: row.get(10)?, height })
        }
        None => None,
    };
    Ok(Block {
        chain_id: chain_id.to_owned(),
        height: Height::new(unsigned(row.get(0)?)).unwrap_or(Height::FIRST),
        hash: BlockHash::new(row.get(1)?),
        timestamp: Timestamp::from_nanos(i128::from(row.get::<i64>(2)?)).cut_to_seconds(),
        block_time: row.get(3)?,
        gas_used: unsigned(row.get(4)?),
        gas_wanted: unsigned(row.get(5)?),
        tx_count: unsigned(row.get(6)?),
        total_fee: serde_json::from_str(&total_fee).map_err(|_| IndexError::Body)?,
        proposer: BlockProposer { consensus_address: Address::from_bytes(&row.get::<Vec<u8>>(8)?), validator }.record(),
    })
}
