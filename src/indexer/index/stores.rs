//! Owners of Move stores. Movements name only the store; only the store's creation names its owner. An owner found
//! later also gets the earlier transactions.

use std::collections::{BTreeMap, BTreeSet};

use crate::indexer::index::dialect::Connection;
use rusqlite::params;

use super::{IndexError, integer, members::AccountListing, nft, prepare::Prepared};
use crate::{
    domain::{Address, move_address::account},
    events::movevm::ModuleEvent,
    indexer::source::CommittedTx,
};

/// Table of owners, kept as long as the file: a store's owner never changes.
pub(super) const TABLES: &str = "
    CREATE TABLE IF NOT EXISTS move_store (store BLOB PRIMARY KEY, owner BLOB NOT NULL) WITHOUT ROWID;";

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct MadeStore {
    pub(super) store: Address,
    pub(super) owner: Address,
}

#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct StoresOfTx {
    pub(super) made: Vec<MadeStore>,
    pub(super) used: BTreeSet<(Address, Address)>,
}

pub(super) fn stores_of(tx: &CommittedTx) -> StoresOfTx {
    let mut stores = StoresOfTx::default();
    for event in tx.events.iter().filter_map(ModuleEvent::of) {
        let Some(kind) = event.standard() else { continue };
        let is_made = kind == "primary_fungible_store::PrimaryStoreCreatedEvent";
        let data = if is_made || kind.starts_with("fungible_asset::") { event.read() } else { None };
        let Some(data) = data else { continue };
        let Some(store) = account(&data.store_addr) else { continue };
        if is_made {
            stores.made.extend(account(&data.owner_addr).map(|owner| MadeStore { store, owner }));
        } else {
            stores.used.extend(account(&data.metadata_addr).map(|metadata| (store, metadata)));
        }
    }
    stores
}

/// Adds the transactions of these written blocks to the lists of the owners of the used stores, and earlier
/// transactions to the lists of the owners of new stores.
pub(super) fn follow(connection: &Connection, prepared: &Prepared, base: i64) -> Result<(), IndexError> {
    for MadeStore { store, owner } in &prepared.stores_made {
        let is_new = connection
            .prepare_cached("INSERT INTO move_store VALUES (?1, ?2) ON CONFLICT DO NOTHING")?
            .execute(params![store.bytes(), owner.bytes()])?;
        if is_new == 0 {
            continue;
        }
        let sql = "SELECT tx_account.sequence FROM account JOIN tx_account ON tx_account.account = account.id
                   WHERE account.address = ?1";
        let mut statement = connection.prepare_cached(sql)?;
        let rows = statement.query_map([store.bytes()], |row| row.get(0))?;
        let sequences: Vec<i64> = rows.collect::<Result<_, _>>()?;
        for sequence in sequences {
            add(connection, owner, sequence)?;
        }
    }
    let used: BTreeSet<&Address> = prepared.txs.iter().flat_map(|tx| &tx.stores).collect();
    let sql = "SELECT (SELECT owner FROM move_store WHERE store = ?1)";
    let rows = used.iter().map(|store| [store.bytes()]);
    let owners: Vec<Option<Vec<u8>>> = connection.prepare_cached(sql)?.query_each(rows, |row| row.get(0))?;
    let owners: BTreeMap<&Address, Option<Vec<u8>>> = used.into_iter().zip(owners).collect();
    for tx in &prepared.txs {
        for store in &tx.stores {
            let owner = owners.get(store).and_then(Option::as_deref).map(nft::address).transpose()?;
            let Some(owner) = owner else { continue };
            if tx.accounts.get(&owner) != Some(&AccountListing::Both) {
                add(connection, &owner, base.saturating_add(integer(tx.sequence)))?;
            }
        }
    }
    Ok(())
}

/// Adds a transaction to an account's list under both rules, unless it is already there.
fn add(connection: &Connection, account: &Address, sequence: i64) -> Result<(), IndexError> {
    let id: i64 = connection
        .prepare_cached(
            "INSERT INTO account (address, txs, signed, real_txs) VALUES (?1, 0, 0, 0)
             ON CONFLICT (address) DO UPDATE SET txs = account.txs RETURNING id",
        )?
        .query_row([account.bytes()], |row| row.get(0))?;
    let is_new = connection
        .prepare_cached("INSERT INTO tx_account VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING")?
        .execute(params![id, sequence, AccountListing::Both as i64])?;
    if is_new > 0 {
        connection
            .prepare_cached("UPDATE account SET txs = txs + 1, real_txs = real_txs + 1 WHERE id = ?1")?
            .execute([id])?;
        return Ok(());
    }
    // Only the messages named the account; Move has no numbers in topics.
    let is_changed = connection
        .prepare_cached("UPDATE tx_account SET listing = ?3 WHERE account = ?1 AND sequence = ?2 AND listing <> ?3")?
        .execute(params![id, sequence, AccountListing::Both as i64])?;
    if is_changed > 0 {
        connection.prepare_cached("UPDATE account SET real_txs = real_txs + 1 WHERE id = ?1")?.execute([id])?;
    }
    Ok(())
}
