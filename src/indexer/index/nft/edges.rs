//! Transactions of each NFT.

use std::collections::BTreeMap;

use crate::indexer::index::dialect::{Connection, OptionalRow as _, row_of};
use rusqlite::params;

use crate::{
    domain::Address,
    indexer::index::{IndexError, changes::NftId, integer, page::KeySpan, prepare::PreparedTx},
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NftKey(pub(in crate::indexer::index) i64);

/// Writes the NFTs that these transactions touch, and updates the counters. The sequence numbers of the transactions
/// start at `base`.
pub(in crate::indexer::index) fn insert(
    connection: &Connection,
    txs: &[PreparedTx],
    base: i64,
) -> Result<(), IndexError> {
    let mut touched: BTreeMap<&NftId, Vec<i64>> = BTreeMap::new();
    for tx in txs {
        for nft in &tx.nfts {
            touched.entry(nft).or_default().push(base.saturating_add(integer(tx.sequence)));
        }
    }
    let mut upsert = connection.prepare_cached(
        "INSERT INTO nft_key (collection, token_id, txs) VALUES (?1, ?2, ?3)
         ON CONFLICT (collection, token_id) DO UPDATE SET txs = nft_key.txs + ?3 RETURNING id",
    )?;
    let counts = touched.iter().map(|(nft, sequences)| {
        let count = i64::try_from(sequences.len()).unwrap_or(i64::MAX);
        row_of![nft.collection.bytes(), nft.token_id.as_str(), count]
    });
    let ids: Vec<i64> = upsert.query_each(counts, |row| row.get(0))?;
    let edges = ids.into_iter().zip(touched.into_values());
    let edges = edges.flat_map(|(id, sequences)| sequences.into_iter().map(move |sequence| [id, sequence]));
    connection.insert_all("INSERT INTO tx_nft VALUES (?1, ?2)", edges)
}

/// Returns the id of an NFT; `None` if unknown.
pub(in crate::indexer::index) fn key(
    connection: &Connection,
    collection: &Address,
    token_id: &str,
) -> Result<Option<NftKey>, IndexError> {
    connection
        .prepare_cached("SELECT id FROM nft_key WHERE collection = ?1 AND token_id = ?2")?
        .query_row(params![collection.bytes(), token_id], |row| row.get(0).map(NftKey))
        .optional()
}

/// Returns the number of an NFT's transactions; `None` if all were dropped.
pub(in crate::indexer::index) fn count(connection: &Connection, key: NftKey) -> Result<Option<i64>, IndexError> {
    connection.prepare_cached("SELECT txs FROM nft_key WHERE id = ?1")?.query_row([key.0], |row| row.get(0)).optional()
}

/// Deletes the transactions of these sequence numbers.
pub(in crate::indexer::index) fn forget(connection: &Connection, sequences: KeySpan) -> Result<(), IndexError> {
    connection.execute(
        "UPDATE nft_key SET txs = txs - gone.count
         FROM (SELECT nft, COUNT(*) AS count FROM tx_nft WHERE sequence > ?1 AND sequence < ?2 GROUP BY nft) AS gone
         WHERE nft_key.id = gone.nft",
        [sequences.low, sequences.high],
    )?;
    connection.execute("DELETE FROM tx_nft WHERE sequence > ?1 AND sequence < ?2", [sequences.low, sequences.high])?;
    connection.execute("DELETE FROM nft_key WHERE txs = 0", [])?;
    Ok(())
}
