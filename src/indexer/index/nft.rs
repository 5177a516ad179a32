//! NFT collections and NFTs: a snapshot of the node's state, then the events of newer blocks.

mod edges;
mod either_way;
mod select;
mod sought;

pub use edges::NftKey;
pub(super) use edges::{count as count_edges, forget as forget_edges, insert as insert_edges, key as edge_key};
pub use either_way::UnknownNft;
pub(super) use either_way::{
    find_makers, follow_either_way, name, raise_mutated, restore, stored_events, undo, unknown_collections,
    unknown_nfts, unnamed,
};
pub use select::{CollectionSelection, SeenCollection, TokenSelection, TokenSorting};
pub(super) use select::{Existing, collection, collections, existing, recent_collections, tokens};
pub use sought::sought;

use std::collections::BTreeMap;

use crate::indexer::index::dialect::{Connection, OptionalRow as _, StoreRow};
use rusqlite::params;

use super::{
    IndexError,
    changes::{NftEvent, NftId},
    integer, unsigned,
};
use crate::{
    domain::{Address, Height, Timestamp},
    indexer::source::{NftCollection, OwnedNft, Source},
};

/// Tables of NFTs. They do not refer to blocks, because an index in memory drops blocks.
pub(super) const TABLES: &str = "
    CREATE TABLE IF NOT EXISTS collection (
        id INTEGER PRIMARY KEY, address BLOB NOT NULL UNIQUE, creator BLOB NOT NULL, name TEXT NOT NULL,
        origin_name TEXT NOT NULL, sought_name TEXT NOT NULL, sought_origin TEXT NOT NULL,
        tokens INTEGER NOT NULL, length INTEGER NOT NULL, height INTEGER NOT NULL, time INTEGER NOT NULL
    );
    CREATE INDEX IF NOT EXISTS collection_by_height ON collection (height);
    CREATE TABLE IF NOT EXISTS nft (
        id INTEGER PRIMARY KEY, collection INTEGER NOT NULL, token_id TEXT NOT NULL, object BLOB, owner BLOB NOT NULL,
        uri TEXT NOT NULL, height INTEGER NOT NULL, time INTEGER NOT NULL, UNIQUE (collection, token_id)
    );
    CREATE INDEX IF NOT EXISTS nft_by_height ON nft (collection, height, token_id);
    CREATE INDEX IF NOT EXISTS nft_by_owner ON nft (owner, token_id, height);
    CREATE INDEX IF NOT EXISTS nft_by_owner_and_height ON nft (owner, height, token_id);
    CREATE INDEX IF NOT EXISTS nft_by_object ON nft (object) WHERE object IS NOT NULL;
    CREATE TABLE IF NOT EXISTS holding (
        owner BLOB NOT NULL, collection INTEGER NOT NULL, tokens INTEGER NOT NULL, PRIMARY KEY (owner, collection)
    ) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS nft_gone (
        collection INTEGER NOT NULL, token_id TEXT NOT NULL, height INTEGER NOT NULL, object BLOB, uri TEXT NOT NULL,
        PRIMARY KEY (collection, token_id)
    ) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS object_owner (
        object BLOB PRIMARY KEY, owner BLOB NOT NULL, height INTEGER NOT NULL, time INTEGER NOT NULL
    ) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS object_uri (
        object BLOB PRIMARY KEY, uri TEXT NOT NULL, height INTEGER NOT NULL, time INTEGER NOT NULL
    ) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS nft_undone (
        collection INTEGER NOT NULL, token_id TEXT NOT NULL, object BLOB, uri TEXT NOT NULL,
        PRIMARY KEY (collection, token_id)
    ) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS nft_key (
        id INTEGER PRIMARY KEY, collection BLOB NOT NULL, token_id TEXT NOT NULL, txs INTEGER NOT NULL,
        UNIQUE (collection, token_id)
    );
    CREATE TABLE IF NOT EXISTS tx_nft (
        nft INTEGER NOT NULL, sequence INTEGER NOT NULL, PRIMARY KEY (nft, sequence)
    ) WITHOUT ROWID;";

/// Data of NFTs from the node: events lack names, creators and metadata URIs.
#[derive(Debug, Default)]
pub(super) struct NftFacts {
    collections: BTreeMap<Address, (NftCollection, Timestamp)>,
    nfts: BTreeMap<NftId, OwnedNft>,
}

impl NftFacts {
    /// Requests the data that these changes lack; data unknown to the node stays empty.
    pub(super) fn ask<'a>(&mut self, source: &dyn Source, changes: impl IntoIterator<Item = &'a NftEvent>) {
        for change in changes {
            if let Some(address) = change.collection().filter(|address| !self.collections.contains_key(*address))
                && let Some(found) = source.collection(address)
            {
                let time = source.time(found.created);
                self.collections.insert(*address, (found, time));
            }
            if let NftEvent::Moved { nft, .. } = change
                && let Some(found) = source.nft(&nft.collection, &nft.token_id)
            {
                self.nfts.insert(nft.clone(), found);
            }
        }
    }
}

impl NftFacts {
    /// Stores the node's data on a collection that was created at this time.
    pub(super) fn learn_collection(&mut self, collection: NftCollection, time: Timestamp) {
        self.collections.insert(collection.address, (collection, time));
    }

    /// Stores the node's data on an NFT.
    pub(super) fn learn_nft(&mut self, nft: OwnedNft) {
        self.nfts.insert(NftId { collection: nft.collection, token_id: nft.token_id.clone() }, nft);
    }
}

/// Writes the whole current state from the node.
pub(super) fn snapshot(connection: &Connection, source: &dyn Source) -> Result<(), IndexError> {
    let mut collections = source.collections();
    collections.sort_unstable_by_key(|found| (found.created, found.address));
    for found in &collections {
        insert_collection(connection, found, source.time(found.created))?;
    }
    let mut nfts = source.nfts();
    nfts.sort_by(|a, b| (a.moved, a.collection, &a.token_id).cmp(&(b.moved, b.collection, &b.token_id)));
    for nft in &nfts {
        if let Some(collection) = collection_row(connection, &nft.collection)? {
            mint(connection, collection, nft, nft.moved, source.time(nft.moved))?;
        }
    }
    Ok(())
}

pub(super) fn follow_upwards(
    connection: &Connection,
    changes: &[NftEvent],
    facts: &NftFacts,
    height: Height,
    time: Timestamp,
) -> Result<(), IndexError> {
    for change in changes {
        // Other contracts emit equal events.
        let collection = match change.collection() {
            Some(address) => match known_collection(connection, address, facts)? {
                Some(collection) => Some(collection),
                None => continue,
            },
            None => None,
        };
        let held = match change {
            NftEvent::Created(_) => None,
            NftEvent::Given { object, .. } | NftEvent::Mutated { object, .. } => token_of_object(connection, object)?,
            NftEvent::Moved { nft, .. } | NftEvent::Burned(nft) => match collection {
                Some(collection) => token_row(connection, collection, &nft.token_id)?,
                None => None,
            },
        };
        match (change, held, collection) {
            (NftEvent::Moved { to, .. } | NftEvent::Given { to, .. }, Some(held), _) => {
                held.move_to(connection, to, height, time)?;
            }
            (NftEvent::Moved { nft, to, .. }, None, Some(collection)) => {
                let found = facts.nfts.get(nft);
                let new = OwnedNft {
                    collection: nft.collection,
                    token_id: nft.token_id.clone(),
                    object: found.and_then(|found| found.object),
                    owner: *to,
                    uri: found.map(|found| found.uri.clone()).unwrap_or_default(),
                    moved: height,
                };
                mint(connection, collection, &new, height, time)?;
            }
            (NftEvent::Mutated { uri, .. }, Some(held), _) => held.mutate(connection, uri, height, time)?,
            (NftEvent::Burned(_), Some(held), _) => held.burn(connection)?,
            _ => {}
        }
    }
    Ok(())
}

fn known_collection(connection: &Connection, address: &Address, facts: &NftFacts) -> Result<Option<i64>, IndexError> {
    if let Some(row) = collection_row(connection, address)? {
        return Ok(Some(row));
    }
    let Some((found, time)) = facts.collections.get(address) else { return Ok(None) };
    insert_collection(connection, found, *time).map(Some)
}

fn insert_collection(connection: &Connection, new: &NftCollection, time: Timestamp) -> Result<i64, IndexError> {
    connection
        .prepare_cached(
            "INSERT INTO collection
             (address, creator, name, origin_name, sought_name, sought_origin, tokens, length, height, time)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, 0, 0, ?7, ?8) RETURNING id",
        )?
        .query_row(
            params![
                new.address.bytes(),
                new.creator.bytes(),
                new.name,
                new.origin_name,
                sought(&new.name),
                sought(&new.origin_name),
                integer(new.created.get()),
                nanos(time),
            ],
            |row| row.get(0),
        )
}

fn mint(
    connection: &Connection,
    collection: i64,
    nft: &OwnedNft,
    height: Height,
    time: Timestamp,
) -> Result<(), IndexError> {
    connection
        .prepare_cached(
            "INSERT INTO nft (collection, token_id, object, owner, uri, height, time)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
        )?
        .execute(params![
            collection,
            nft.token_id,
            nft.object.as_ref().map(Address::bytes),
            nft.owner.bytes(),
            nft.uri,
            integer(height.get()),
            nanos(time),
        ])?;
    connection
        .prepare_cached("UPDATE collection SET tokens = tokens + 1, length = tokens + 1 WHERE id = ?1")?
        .execute([collection])?;
    give(connection, &nft.owner, collection)
}

struct NftRow {
    row: i64,
    collection: i64,
    owner: Address,
    height: u64,
}

impl NftRow {
    fn read(row: &StoreRow) -> rusqlite::Result<(i64, i64, Vec<u8>, i64)> {
        Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?))
    }

    fn new((row, collection, owner, height): (i64, i64, Vec<u8>, i64)) -> Result<Self, IndexError> {
        Ok(Self { row, collection, owner: address(&owner)?, height: unsigned(height) })
    }

    fn move_to(
        &self,
        connection: &Connection,
        to: &Address,
        height: Height,
        time: Timestamp,
    ) -> Result<(), IndexError> {
        connection
            .prepare_cached("UPDATE nft SET owner = ?2, height = ?3, time = ?4 WHERE id = ?1")?
            .execute(params![self.row, to.bytes(), integer(height.get()), nanos(time)])?;
        take(connection, &self.owner, self.collection)?;
        give(connection, to, self.collection)
    }

    fn mutate(&self, connection: &Connection, uri: &str, height: Height, time: Timestamp) -> Result<(), IndexError> {
        connection
            .prepare_cached("UPDATE nft SET uri = ?2, height = ?3, time = ?4 WHERE id = ?1")?
            .execute(params![self.row, uri, integer(height.get()), nanos(time)])?;
        Ok(())
    }

    /// Removes an NFT. The collection's length stays 1 after its last NFT, as on the real server
    /// (`docs/apis/indexer.md` §6.1).
    fn burn(&self, connection: &Connection) -> Result<(), IndexError> {
        connection.prepare_cached("DELETE FROM nft WHERE id = ?1")?.execute([self.row])?;
        connection
            .prepare_cached("UPDATE collection SET tokens = tokens - 1, length = MAX(tokens - 1, 1) WHERE id = ?1")?
            .execute([self.collection])?;
        take(connection, &self.owner, self.collection)
    }
}

fn give(connection: &Connection, owner: &Address, collection: i64) -> Result<(), IndexError> {
    connection
        .prepare_cached(
            "INSERT INTO holding VALUES (?1, ?2, 1) ON CONFLICT (owner, collection) DO UPDATE
             SET tokens = holding.tokens + 1",
        )?
        .execute(params![owner.bytes(), collection])?;
    Ok(())
}

fn take(connection: &Connection, owner: &Address, collection: i64) -> Result<(), IndexError> {
    connection
        .prepare_cached("UPDATE holding SET tokens = tokens - 1 WHERE owner = ?1 AND collection = ?2")?
        .execute(params![owner.bytes(), collection])?;
    connection
        .prepare_cached("DELETE FROM holding WHERE owner = ?1 AND collection = ?2 AND tokens <= 0")?
        .execute(params![owner.bytes(), collection])?;
    Ok(())
}

pub(super) fn collection_row(connection: &Connection, address: &Address) -> Result<Option<i64>, IndexError> {
    connection
        .prepare_cached("SELECT id FROM collection WHERE address = ?1")?
        .query_row([address.bytes()], |row| row.get(0))
        .optional()
}

fn token_row(connection: &Connection, collection: i64, token_id: &str) -> Result<Option<NftRow>, IndexError> {
    connection
        .prepare_cached("SELECT id, collection, owner, height FROM nft WHERE collection = ?1 AND token_id = ?2")?
        .query_row(params![collection, token_id], NftRow::read)
        .optional()?
        .map(NftRow::new)
        .transpose()
}

fn token_of_object(connection: &Connection, object: &Address) -> Result<Option<NftRow>, IndexError> {
    connection
        .prepare_cached("SELECT id, collection, owner, height FROM nft WHERE object = ?1")?
        .query_row([object.bytes()], NftRow::read)
        .optional()?
        .map(NftRow::new)
        .transpose()
}

pub(super) fn address(bytes: &[u8]) -> Result<Address, IndexError> {
    Address::from_bytes(bytes).ok_or(IndexError::Body)
}

fn nanos(time: Timestamp) -> i64 {
    i64::try_from(time.as_nanos()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_emptied_collection_keeps_its_last_length_beside_its_tokens() {
        let file = rusqlite::Connection::open_in_memory().unwrap();
        let connection = Connection::Sqlite(&file);
        connection.execute_batch(TABLES).unwrap();
        let address = Address::Short([7; 20]);
        connection
            .execute(
                "INSERT INTO collection
                 (id, address, creator, name, origin_name, sought_name, sought_origin, tokens, length, height, time)
                 VALUES (1, ?1, ?1, '', '', '', '', 2, 2, 1, 0)",
                [address.bytes()],
            )
            .unwrap();
        for (tokens, length) in [(1, 1), (0, 1)] {
            NftRow { row: 1, collection: 1, owner: address, height: 1 }.burn(&connection).unwrap();
            let found = super::collection(&connection, &address, false).unwrap().unwrap();
            assert_eq!(found.collection.nfts.length, tokens);
            let kept = super::collection(&connection, &address, true).unwrap().unwrap();
            assert_eq!(kept.collection.nfts.length, length);
        }
    }
}
