//! Transfers and their data, stored by chain.

use std::{cmp::Reverse, collections::BTreeSet, sync::Arc};

use rusqlite::{Connection, OptionalExtension, Row, Transaction, TransactionBehavior, params, types::Type};

use super::{Store, StoreError, StoreScope, damage::is_unreadable, nanos, scope::Keys};
use crate::domain::{
    BroadcastHash, ChainId, FormerPlace, SourceTx, TimedText, Timestamp, Tracking, TransferChange, TransferId,
    TransferRecord,
};

impl Store {
    /// Maximum transfers per chain; unfinished transfers stay above this limit.
    pub const TRANSFERS: usize = 500;

    /// Stores a transfer, merged with the version that another instance stored meanwhile.
    ///
    /// The merge unites transactions and changes, and takes the newer status, the more advanced tracking and the last
    /// written label. The newer status decides whether the transfer is over; at equal status, either version may end
    /// it. A transaction that was broadcast again under its old hash starts without its earlier history. Beyond
    /// [`Store::TRANSFERS`], drops the oldest finished transfers.
    ///
    /// A transfer of a gone chain stays with that chain.
    pub fn save(&mut self, scope: &StoreScope, record: &TransferRecord) -> Result<(), StoreError> {
        let write = |connection: &mut Connection| {
            let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let key = match key_of(&transaction, &scope.keys(&transaction)?, record)? {
                Some(key) => key,
                None => scope.write_key(&transaction)?,
            };
            write_transfer(&transaction, &key, record)?;
            trim(&transaction, &key)?;
            transaction.commit()
        };
        write(&mut self.connection).map_err(|source| self.failed(source))
    }

    /// Returns the transfers of the session's chain, newest first, then the transfers of earlier chains at the
    /// network's address, with [`TransferRecord::gone_chain`]. A duplicate appears only under the present chain.
    pub fn transfers(&self, scope: &StoreScope) -> Result<Vec<TransferRecord>, StoreError> {
        let read = || {
            // Read in one transaction, so that no other instance writes between the tables.
            let transaction = self.connection.unchecked_transaction()?;
            let keys = scope.keys(&transaction)?;
            let (mut here, mut gone) = (Vec::new(), Vec::new());
            let mut unreadable = 0;
            for key in &keys.here {
                here.extend(read_counting(&transaction, key, &mut unreadable)?);
            }
            for (key, chain) in keys.gone {
                let records = read_counting(&transaction, &key, &mut unreadable)?.into_iter();
                gone.extend(records.map(|record| TransferRecord { gone_chain: Some(chain.clone()), ..record }));
            }
            self.unreadable.set(unreadable);
            // The stable sort keeps transfers of one time in stored order, last stored first.
            here.sort_by_key(|record| Reverse(record.created));
            gone.sort_by_key(|record| Reverse(record.created));
            let mut known = BTreeSet::new();
            here.append(&mut gone);
            here.retain(|record| known.insert(record.id.clone()));
            Ok(here)
        };
        read().map_err(|source| self.failed(source))
    }

    /// Deletes a transfer of the session's chain or of an earlier chain at its address.
    pub fn forget(&mut self, scope: &StoreScope, id: &TransferId) -> Result<(), StoreError> {
        let write = |connection: &mut Connection| {
            let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let Keys { here, gone } = scope.keys(&transaction)?;
            for key in here.into_iter().chain(gone.into_iter().map(|(key, _)| key)) {
                transaction.execute(
                    "DELETE FROM transfers WHERE network = ?1 AND chain = ?2 AND hash = ?3",
                    params![key, id.chain_id.as_str(), id.hash.as_str()],
                )?;
            }
            transaction.commit()
        };
        write(&mut self.connection).map_err(|source| self.failed(source))
    }

    /// Writes a transfer, and the record of a transaction that leaves it.
    pub fn save_noted(
        &mut self,
        scope: &StoreScope,
        record: &TransferRecord,
        parted: Option<&TransferRecord>,
    ) -> Result<(), StoreError> {
        self.save(scope, record)?;
        let Some(parted) = parted else { return Ok(()) };
        self.save(scope, parted)?;
        self.drop_tx(scope, &record.id, &parted.id.chain_id, &parted.id.hash)
    }

    /// Removes a transaction that its chain never accepted. The first transaction stays, because it identifies the
    /// transfer.
    pub fn drop_tx(
        &mut self,
        scope: &StoreScope,
        id: &TransferId,
        chain: &ChainId,
        hash: &BroadcastHash,
    ) -> Result<(), StoreError> {
        let write = |connection: &mut Connection| {
            let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            for key in scope.keys(&transaction)?.here {
                transaction.execute(
                    "DELETE FROM transfer_txs WHERE place > 0 AND chain = ?4 AND hash = ?5 AND transfer IN
                        (SELECT id FROM transfers WHERE network = ?1 AND chain = ?2 AND hash = ?3)",
                    params![key, id.chain_id.as_str(), id.hash.as_str(), chain.as_str(), hash.as_str()],
                )?;
            }
            transaction.commit()
        };
        write(&mut self.connection).map_err(|source| self.failed(source))
    }
}

/// Returns the key of a stored transfer; for a transfer of a gone chain, that chain's key has priority.
fn key_of(transaction: &Transaction<'_>, keys: &Keys, record: &TransferRecord) -> rusqlite::Result<Option<String>> {
    let gone = record.gone_chain.iter().flat_map(|chain| {
        let (of_it, others): (Vec<_>, Vec<_>) = keys.gone.iter().partition(|(_, gone)| gone == chain);
        of_it.into_iter().chain(others).map(|(key, _)| key)
    });
    let mut select =
        transaction.prepare_cached("SELECT 1 FROM transfers WHERE network = ?1 AND chain = ?2 AND hash = ?3")?;
    for key in gone.chain(&keys.here) {
        if select.exists(params![key, record.id.chain_id.as_str(), record.id.hash.as_str()])? {
            return Ok(Some(key.clone()));
        }
    }
    Ok(None)
}

/// Moves matching transfers to another key and merges duplicates; returns their number.
pub(super) fn move_transfers(
    transaction: &Transaction<'_>,
    from: &str,
    to: &str,
    fits: impl Fn(&TransferRecord) -> bool,
) -> rusqlite::Result<usize> {
    // Oldest first, so that transfers of one time keep their order.
    let moved: Vec<TransferRecord> = read_transfers(transaction, from)?.into_iter().rev().filter(fits).collect();
    for record in &moved {
        write_transfer(transaction, to, record)?;
        transaction.execute(
            "DELETE FROM transfers WHERE network = ?1 AND chain = ?2 AND hash = ?3",
            params![from, record.id.chain_id.as_str(), record.id.hash.as_str()],
        )?;
    }
    if !moved.is_empty() {
        trim(transaction, to)?;
    }
    Ok(moved.len())
}

/// Returns the readable transfers under one key, newest first.
pub(super) fn read_transfers(transaction: &Transaction<'_>, key: &str) -> rusqlite::Result<Vec<TransferRecord>> {
    read_counting(transaction, key, &mut 0)
}

/// Returns the readable rows; counts rows with values of another type.
fn readable<T>(rows: impl Iterator<Item = rusqlite::Result<T>>, unreadable: &mut usize) -> rusqlite::Result<Vec<T>> {
    let mut result = Vec::new();
    for row in rows {
        match row {
            Ok(row) => result.push(row),
            Err(error) if is_unreadable(&error) => {
                tracing::warn!(%error, "unreadable row of a transfer");
                *unreadable += 1;
            }
            Err(error) => return Err(error),
        }
    }
    Ok(result)
}

fn read_counting(
    transaction: &Transaction<'_>,
    key: &str,
    unreadable: &mut usize,
) -> rusqlite::Result<Vec<TransferRecord>> {
    let mut select = transaction.prepare_cached(
        "SELECT id, chain, hash, created, label, route, addresses, is_over, former_chain, former_hash, former_index
                FROM transfers
                WHERE network = ?1 ORDER BY created DESC, id DESC",
    )?;
    let heads = readable(select.query_map([key], read_head)?, unreadable)?;
    let whole = |(id, head)| {
        let (txs, changes) = (txs(transaction, id, unreadable)?, changes(transaction, id, unreadable)?);
        Ok(TransferRecord { txs, changes, ..head })
    };
    heads.into_iter().map(whole).collect()
}

fn write_transfer(transaction: &Transaction<'_>, key: &str, record: &TransferRecord) -> rusqlite::Result<()> {
    if record.is_sent_here() {
        forget_earlier_sending(transaction, key, record)?;
    }
    let id = save_head(transaction, key, record)?;
    for (place, tx) in record.txs.iter().enumerate() {
        save_tx(transaction, id, place, tx)?;
    }
    save_changes(transaction, id, &record.changes)
}

/// Deletes the history of an earlier transaction that was broadcast again under its old hash.
fn forget_earlier_sending(transaction: &Transaction<'_>, key: &str, record: &TransferRecord) -> rusqlite::Result<()> {
    let (chain, hash) = (record.id.chain_id.as_str(), record.id.hash.as_str());
    for tx in &record.txs {
        let forgotten = transaction
            .prepare_cached(
                "UPDATE transfer_txs SET at = ?6, tracking = 0, status = NULL, status_at = NULL
                    WHERE chain = ?4 AND hash = ?5 AND at < ?6 AND coalesce(status_at, 0) < ?6 AND transfer IN
                        (SELECT id FROM transfers WHERE network = ?1 AND chain = ?2 AND hash = ?3 AND addresses <> '[]')",
            )?
            .execute(params![key, chain, hash, tx.chain_id.as_str(), tx.hash.as_str(), nanos(tx.at)])?;
        if forgotten > 0 {
            transaction
                .prepare_cached("UPDATE transfers SET is_over = 0 WHERE network = ?1 AND chain = ?2 AND hash = ?3")?
                .execute(params![key, chain, hash])?;
        }
    }
    Ok(())
}

/// Writes the row of the transfer itself; returns its row id.
fn save_head(transaction: &Transaction<'_>, network: &str, record: &TransferRecord) -> rusqlite::Result<i64> {
    let (chain, hash) = (record.id.chain_id.as_str(), record.id.hash.as_str());
    let kept: Option<(i64, bool, Option<i64>)> = transaction
        .prepare_cached(
            "SELECT id, is_over, (SELECT max(status_at) FROM transfer_txs WHERE transfer = transfers.id)
                FROM transfers WHERE network = ?1 AND chain = ?2 AND hash = ?3",
        )?
        .query_row(params![network, chain, hash], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
        .optional()?;
    let addresses = serde_json::Value::from(record.addresses.clone()).to_string();
    let (route, former) = (record.route.as_deref(), record.former_place.as_ref());
    let newest = record.txs.iter().filter_map(|tx| tx.status.as_ref()).map(|(_, at)| nanos(*at)).max();
    let Some((id, was_over, kept_newest)) = kept else {
        transaction
            .prepare_cached(
                "INSERT INTO transfers (network, chain, hash, created, label, route, addresses, is_over, former_chain,
                    former_hash, former_index) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
            )?
            .execute(params![
                network,
                chain,
                hash,
                nanos(record.created),
                record.label,
                route,
                addresses,
                record.is_over,
                former.map(|place| place.transfer.chain_id.as_str()),
                former.map(|place| place.transfer.hash.as_str()),
                former.and_then(|place| u32::try_from(place.index).ok())
            ])?;
        return Ok(transaction.last_insert_rowid());
    };
    let is_over = match newest.cmp(&kept_newest) {
        std::cmp::Ordering::Less => was_over,
        std::cmp::Ordering::Equal => was_over || record.is_over,
        std::cmp::Ordering::Greater => record.is_over,
    };
    transaction
        .prepare_cached(
            "UPDATE transfers SET created = min(created, ?2), label = ?3, route = coalesce(?4, route),
                addresses = iif(?5 = '[]', addresses, ?5), is_over = ?6 WHERE id = ?1",
        )?
        .execute(params![id, nanos(record.created), record.label, route, addresses, is_over])?;
    Ok(id)
}

fn save_tx(transaction: &Transaction<'_>, id: i64, place: usize, tx: &SourceTx) -> rusqlite::Result<()> {
    let place = i64::try_from(place).unwrap_or(i64::MAX);
    let terms = tx.terms.as_ref().and_then(|terms| serde_json::to_string(terms).ok());
    let simulated = tx.simulated.as_ref().and_then(|simulated| serde_json::to_string(simulated).ok());
    let (status, status_at) = tx.status.as_ref().map(|(body, at)| (&**body, nanos(*at))).unzip();
    transaction
        .prepare_cached(
            "INSERT INTO transfer_txs (transfer, place, chain, hash, at, tracking, status, status_at, terms, simulated)
                VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
                ON CONFLICT (transfer, chain, hash) DO UPDATE SET
                    terms = coalesce(excluded.terms, terms),
                    simulated = coalesce(excluded.simulated, simulated),
                    tracking = max(tracking, excluded.tracking),
                    status = iif(excluded.status_at >= coalesce(status_at, -1), excluded.status, status),
                    status_at = iif(excluded.status_at >= coalesce(status_at, -1), excluded.status_at, status_at)",
        )?
        .execute(params![
            id,
            place,
            tx.chain_id.as_str(),
            tx.hash.as_str(),
            nanos(tx.at),
            rank(tx.tracking),
            status,
            status_at,
            terms,
            simulated
        ])
        .map(drop)
}

/// Writes new changes and drops the oldest beyond the maximum.
fn save_changes(transaction: &Transaction<'_>, id: i64, changes: &[TransferChange]) -> rusqlite::Result<()> {
    let mut insert = transaction
        .prepare_cached("INSERT OR IGNORE INTO transfer_changes (transfer, at, text, times) VALUES (?1, ?2, ?3, ?4)")?;
    for change in changes {
        insert.execute(params![id, nanos(change.at), change.text.as_str(), change.text.times()])?;
    }
    let most = i64::try_from(TransferRecord::CHANGES).unwrap_or(i64::MAX);
    transaction
        .prepare_cached(
            "DELETE FROM transfer_changes WHERE transfer = ?1 AND rowid NOT IN
                (SELECT rowid FROM transfer_changes WHERE transfer = ?1 ORDER BY at DESC, rowid DESC LIMIT ?2)",
        )?
        .execute(params![id, most])
        .map(drop)
}

/// Drops the oldest finished transfers beyond the maximum.
fn trim(transaction: &Transaction<'_>, network: &str) -> rusqlite::Result<()> {
    let most = i64::try_from(Store::TRANSFERS).unwrap_or(i64::MAX);
    transaction
        .prepare_cached(
            "DELETE FROM transfers WHERE id IN
                (SELECT id FROM transfers WHERE network = ?1 AND is_over ORDER BY created, id LIMIT
                    max(0, (SELECT count(*) FROM transfers WHERE network = ?1) - ?2))",
        )?
        .execute(params![network, most])
        .map(drop)
}

fn read_head(row: &Row<'_>) -> rusqlite::Result<(i64, TransferRecord)> {
    let addresses: String = row.get(6)?;
    let record = TransferRecord {
        id: TransferId { chain_id: chain(row, 1)?, hash: hash(row, 2)? },
        created: time(row.get(3)?),
        label: row.get(4)?,
        route: row.get::<_, Option<String>>(5)?.map(Arc::from),
        addresses: serde_json::from_str(&addresses).map_err(|error| unreadable(6, error))?,
        txs: Vec::new(),
        changes: Vec::new(),
        is_over: row.get(7)?,
        gone_chain: None,
        former_place: former_place(row)?,
    };
    Ok((row.get(0)?, record))
}

fn former_place(row: &Row<'_>) -> rusqlite::Result<Option<FormerPlace>> {
    let Some(index) = row.get::<_, Option<u32>>(10)? else { return Ok(None) };
    let transfer = TransferId { chain_id: chain(row, 8)?, hash: hash(row, 9)? };
    Ok(Some(FormerPlace { transfer, index: index as usize }))
}

fn txs(transaction: &Transaction<'_>, id: i64, unreadable: &mut usize) -> rusqlite::Result<Vec<SourceTx>> {
    let mut select = transaction.prepare_cached(
        "SELECT chain, hash, at, tracking, status, status_at, terms, simulated FROM transfer_txs
            WHERE transfer = ?1 ORDER BY place, at, rowid",
    )?;
    let rows = select.query_map([id], |row| {
        let status: Option<String> = row.get(4)?;
        let status_at: Option<i64> = row.get(5)?;
        let (terms, simulated): (Option<String>, Option<String>) = (row.get(6)?, row.get(7)?);
        Ok(SourceTx {
            chain_id: chain(row, 0)?,
            hash: hash(row, 1)?,
            at: time(row.get(2)?),
            tracking: tracking(row.get(3)?),
            status: status.map(Arc::from).zip(status_at.map(time)),
            terms: terms.and_then(|text| serde_json::from_str(&text).ok()),
            simulated: simulated.and_then(|text| serde_json::from_str(&text).ok()),
        })
    })?;
    readable(rows, unreadable)
}

fn changes(transaction: &Transaction<'_>, id: i64, unreadable: &mut usize) -> rusqlite::Result<Vec<TransferChange>> {
    let mut select = transaction
        .prepare_cached("SELECT at, text, times FROM transfer_changes WHERE transfer = ?1 ORDER BY at, rowid")?;
    let rows = select.query_map([id], |row| {
        let times: Option<String> = row.get(2)?;
        let text = TimedText::kept(row.get(1)?, times.as_deref().unwrap_or_default());
        Ok(TransferChange { at: time(row.get(0)?), text })
    })?;
    readable(rows, unreadable)
}

fn chain(row: &Row<'_>, column: usize) -> rusqlite::Result<ChainId> {
    row.get::<_, String>(column).map(ChainId::new)
}

fn hash(row: &Row<'_>, column: usize) -> rusqlite::Result<BroadcastHash> {
    row.get::<_, String>(column)?.parse().map_err(|error| unreadable(column, error))
}

fn time(nanos: i64) -> Timestamp {
    Timestamp::from_nanos(nanos.into())
}

fn rank(tracking: Tracking) -> i64 {
    match tracking {
        Tracking::Pending => 0,
        Tracking::Refused => 1,
        Tracking::Accepted => 2,
    }
}

fn tracking(rank: i64) -> Tracking {
    match rank {
        2 => Tracking::Accepted,
        1 => Tracking::Refused,
        _ => Tracking::Pending,
    }
}

fn unreadable(column: usize, error: impl std::error::Error + Send + Sync + 'static) -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(column, Type::Text, Box::new(error))
}
