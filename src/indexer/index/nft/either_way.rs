//! NFTs of a chain whose newest blocks are indexed first: the last block of an NFT determines its state.

use std::collections::{BTreeMap, BTreeSet};

use crate::indexer::index::dialect::{Connection, OptionalRow as _};
use rusqlite::params;
use serde::Deserialize;

use super::{NftFacts, NftRow, address, collection_row, known_collection, mint, nanos, token_of_object, token_row};
use crate::{
    domain::{Address, Height, Timestamp, Vm},
    indexer::{
        index::{
            IndexError,
            changes::{BlockChanges, NftEvent, NftId},
            codec::Codec,
            integer,
            prepare::Prepared,
            unsigned,
        },
        source::{OwnedNft, TxEvent},
    },
};

#[derive(Clone, Copy)]
struct Moment {
    height: Height,
    time: Timestamp,
}

/// Applies the changes of one block, which may be older than the stored state.
pub(in crate::indexer::index) fn follow_either_way(
    connection: &Connection,
    changes: &[NftEvent],
    facts: &NftFacts,
    height: Height,
    time: Timestamp,
) -> Result<(), IndexError> {
    let at = Moment { height, time };
    for change in changes {
        match change {
            NftEvent::Given { object, to } => give_object(connection, object, to, at)?,
            NftEvent::Mutated { object, uri } => mutate_object(connection, object, uri, at)?,
            NftEvent::Created(collection) => {
                if let Some(row) = known_collection(connection, collection, facts)? {
                    lower(connection, row, at)?;
                }
            }
            NftEvent::Moved { nft, .. } | NftEvent::Burned(nft) => {
                // Other contracts emit equal events.
                let Some(row) = known_collection(connection, &nft.collection, facts)? else { continue };
                lower(connection, row, at)?;
                match change {
                    NftEvent::Moved { to, .. } => move_nft(connection, row, nft, to, facts, at)?,
                    _ => burn(connection, row, nft, at)?,
                }
            }
        }
    }
    Ok(())
}

/// Moves the creation of a collection down to the first block that mentions it.
fn lower(connection: &Connection, collection: i64, at: Moment) -> Result<(), IndexError> {
    connection
        .prepare_cached("UPDATE collection SET height = ?2, time = ?3 WHERE id = ?1 AND height > ?2")?
        .execute(params![collection, integer(at.height.get()), nanos(at.time)])?;
    Ok(())
}

fn move_nft(
    connection: &Connection,
    collection: i64,
    nft: &NftId,
    to: &Address,
    facts: &NftFacts,
    at: Moment,
) -> Result<(), IndexError> {
    if let Some(held) = token_row(connection, collection, &nft.token_id)? {
        if held.height <= at.height.get() {
            held.move_to(connection, to, at.height, at.time)?;
        }
        return Ok(());
    }
    let gone = "SELECT height FROM nft_gone WHERE collection = ?1 AND token_id = ?2";
    let gone: Option<i64> =
        connection.prepare_cached(gone)?.query_row(params![collection, nft.token_id], |row| row.get(0)).optional()?;
    let found = facts.nfts.get(nft);
    if gone.is_some_and(|gone| unsigned(gone) > at.height.get()) {
        if let Some(found) = found {
            let object = found.object.as_ref().map(Address::bytes);
            connection
                .prepare_cached("UPDATE nft_gone SET object = ?3, uri = ?4 WHERE collection = ?1 AND token_id = ?2")?
                .execute(params![collection, nft.token_id, object, found.uri])?;
        }
        return Ok(());
    }
    let object = found.and_then(|found| found.object);
    // On Move, a newer block may have transferred the NFT when only its object was known.
    let later = match &object {
        Some(object) => later_owner(connection, object, at.height)?,
        None => None,
    };
    let (owner, moved, time) = later.unwrap_or((*to, integer(at.height.get()), nanos(at.time)));
    let mutated = match &object {
        Some(object) => later_uri(connection, object, at.height)?,
        None => None,
    };
    let asked = found.map(|found| found.uri.clone()).unwrap_or_default();
    // The height follows after the whole run is applied, because the run may contain a later transfer.
    let uri = mutated.unwrap_or(asked);
    let new = OwnedNft {
        collection: nft.collection,
        token_id: nft.token_id.clone(),
        object,
        owner,
        uri,
        moved: Height::new(unsigned(moved)).unwrap_or(at.height),
    };
    mint(connection, collection, &new, new.moved, Timestamp::from_nanos(i128::from(time)))?;
    connection
        .prepare_cached("DELETE FROM nft_gone WHERE collection = ?1 AND token_id = ?2")?
        .execute(params![collection, nft.token_id])?;
    Ok(())
}

fn burn(connection: &Connection, collection: i64, nft: &NftId, at: Moment) -> Result<(), IndexError> {
    if let Some(held) = token_row(connection, collection, &nft.token_id)? {
        if held.height > at.height.get() {
            return Ok(());
        }
        connection
            .prepare_cached(
                "INSERT INTO nft_gone SELECT collection, token_id, ?2, object, uri FROM nft WHERE id = ?1
                 ON CONFLICT (collection, token_id) DO UPDATE SET height = MAX(nft_gone.height, ?2)",
            )?
            .execute([held.row, integer(at.height.get())])?;
        return held.burn(connection);
    }
    connection
        .prepare_cached(
            "INSERT INTO nft_gone VALUES (?1, ?2, ?3, NULL, '')
             ON CONFLICT (collection, token_id) DO UPDATE SET height = MAX(nft_gone.height, ?3)",
        )?
        .execute(params![collection, nft.token_id, integer(at.height.get())])?;
    Ok(())
}

/// Gives an object to a new owner: a known NFT, an NFT whose mint is in an older block, or another object.
fn give_object(connection: &Connection, object: &Address, to: &Address, at: Moment) -> Result<(), IndexError> {
    if let Some(held) = token_of_object(connection, object)? {
        if held.height <= at.height.get() {
            held.move_to(connection, to, at.height, at.time)?;
        }
        return Ok(());
    }
    connection
        .prepare_cached(
            "INSERT INTO object_owner VALUES (?1, ?2, ?3, ?4)
             ON CONFLICT (object) DO UPDATE SET owner = ?2, height = ?3, time = ?4 WHERE object_owner.height <= ?3",
        )?
        .execute(params![object.bytes(), to.bytes(), integer(at.height.get()), nanos(at.time)])?;
    Ok(())
}

/// Changes the URI of an object: a known NFT, or an NFT whose mint is in an older block.
fn mutate_object(connection: &Connection, object: &Address, uri: &str, at: Moment) -> Result<(), IndexError> {
    if let Some(held) = token_of_object(connection, object)?.filter(|held| held.height <= at.height.get()) {
        held.mutate(connection, uri, at.height, at.time)?;
    }
    connection
        .prepare_cached(
            "INSERT INTO object_uri VALUES (?1, ?2, ?3, ?4)
             ON CONFLICT (object) DO UPDATE SET uri = ?2, height = ?3, time = ?4 WHERE object_uri.height <= ?3",
        )?
        .execute(params![object.bytes(), uri, integer(at.height.get()), nanos(at.time)])?;
    Ok(())
}

/// Returns the URI that an object received after this height; `None` without a change.
fn later_uri(connection: &Connection, object: &Address, height: Height) -> Result<Option<String>, IndexError> {
    connection
        .prepare_cached("SELECT uri FROM object_uri WHERE object = ?1 AND height >= ?2")?
        .query_row(params![object.bytes(), integer(height.get())], |row| row.get(0))
        .optional()
}

/// Raises the height of NFTs whose mint was indexed after a change of their URI.
pub(in crate::indexer::index) fn raise_mutated(connection: &Connection) -> Result<(), IndexError> {
    connection.execute(
        "UPDATE nft SET height = changed.height, time = changed.time FROM object_uri AS changed
         WHERE nft.object = changed.object AND nft.height < changed.height",
        [],
    )?;
    Ok(())
}

/// Returns the owner that an object received after this height; `None` without a transfer.
fn later_owner(
    connection: &Connection,
    object: &Address,
    height: Height,
) -> Result<Option<(Address, i64, i64)>, IndexError> {
    let sql = "SELECT owner, height, time FROM object_owner WHERE object = ?1 AND height >= ?2";
    let found: Option<(Vec<u8>, i64, i64)> = connection
        .prepare_cached(sql)?
        .query_row(params![object.bytes(), integer(height.get())], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
        .optional()?;
    found.map(|(owner, height, time)| Ok((address(&owner)?, height, time))).transpose()
}

/// Computes the creators of the collections in these blocks again: on the EVM, the creator is the signer of the first
/// transaction that touches the contract, which may be among the new blocks.
pub(in crate::indexer::index) fn find_makers(
    connection: &Connection,
    prepared: &Prepared,
    vm: Vm,
) -> Result<(), IndexError> {
    if vm != Vm::Evm {
        return Ok(());
    }
    let touched: BTreeSet<&Address> = prepared.txs.iter().flat_map(|tx| tx.accounts.keys()).collect();
    for account in touched {
        if let Some(row) = collection_row(connection, account)? {
            find_maker(connection, row, account)?;
        }
    }
    Ok(())
}

fn find_maker(connection: &Connection, collection: i64, contract: &Address) -> Result<(), IndexError> {
    let first = "SELECT MIN(tx_account.sequence) FROM account JOIN tx_account ON tx_account.account = account.id
                 WHERE account.address = ?1 AND tx_account.listing <> 2";
    let first: Option<i64> = connection.prepare_cached(first)?.query_row([contract.bytes()], |row| row.get(0))?;
    let Some(first) = first else { return Ok(()) };
    connection
        .prepare_cached(
            "UPDATE collection SET
                 creator = COALESCE((SELECT signer.address FROM tx JOIN account signer ON signer.id = tx.signer
                                     WHERE tx.sequence = ?2), creator),
                 (height, time) = (SELECT block.height, block.time FROM block
                                   WHERE block.tx_count > 0 AND block.first_sequence <= ?2
                                   ORDER BY block.first_sequence DESC LIMIT 1)
             WHERE id = ?1",
        )?
        .execute(params![collection, first])?;
    Ok(())
}

/// Removes the state that blocks above this height made, and remembers the affected NFTs.
pub(in crate::indexer::index) fn undo(connection: &Connection, height: Height) -> Result<(), IndexError> {
    let above = integer(height.get());
    connection.execute("DELETE FROM nft_undone", [])?;
    connection.execute(
        // A URI from removed blocks must be requested again.
        "INSERT INTO nft_undone SELECT collection, token_id, object, CASE WHEN EXISTS (
             SELECT 1 FROM object_uri WHERE object_uri.object = nft.object AND object_uri.height > ?1
         ) THEN '' ELSE uri END FROM nft WHERE height > ?1",
        [above],
    )?;
    connection.execute(
        "INSERT INTO nft_undone SELECT collection, token_id, object, uri FROM nft_gone WHERE height > ?1
         ON CONFLICT DO NOTHING",
        [above],
    )?;
    let mut statement = connection.prepare_cached("SELECT id, collection, owner, height FROM nft WHERE height > ?1")?;
    let rows: Vec<_> = statement.query_map([above], NftRow::read)?.collect::<Result<_, _>>()?;
    for row in rows {
        NftRow::new(row)?.burn(connection)?;
    }
    connection.execute("DELETE FROM nft_gone WHERE height > ?1", [above])?;
    connection.execute("DELETE FROM object_owner WHERE height > ?1", [above])?;
    connection.execute("DELETE FROM object_uri WHERE height > ?1", [above])?;
    connection
        .execute("DELETE FROM nft_undone WHERE collection IN (SELECT id FROM collection WHERE height > ?1)", [above])?;
    connection.execute("DELETE FROM collection WHERE height > ?1", [above])?;
    Ok(())
}

/// Restores the NFTs that [`undo`] removed, from the newest remaining block.
pub(in crate::indexer::index) fn restore(connection: &Connection, vm: Vm, codec: &Codec) -> Result<(), IndexError> {
    let mut statement = connection.prepare_cached(
        "SELECT collection.address, nft_undone.token_id, nft_undone.object, nft_undone.uri, collection.id
         FROM nft_undone JOIN collection ON collection.id = nft_undone.collection",
    )?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let object: Option<Vec<u8>> = row.get(2)?;
        let lost = OwnedNft {
            collection: address(&row.get::<Vec<u8>>(0)?)?,
            token_id: row.get(1)?,
            object: object.as_deref().map(address).transpose()?,
            owner: Address::Short([0; 20]),
            uri: row.get(3)?,
            moved: Height::FIRST,
        };
        restore_one(connection, vm, codec, &lost, row.get(4)?)?;
    }
    // NFTs that were minted and burned at once were never requested from the node: leave them to [`unnamed`].
    connection.execute(
        "DELETE FROM nft_undone WHERE uri <> '' OR NOT EXISTS (
             SELECT 1 FROM nft WHERE nft.collection = nft_undone.collection AND nft.token_id = nft_undone.token_id)",
        [],
    )?;
    Ok(())
}

/// Returns restored NFTs whose data was never requested from the node, up to a limit.
pub(in crate::indexer::index) fn unnamed(connection: &Connection) -> Result<Vec<UnknownNft>, IndexError> {
    let mut statement = connection.prepare_cached(
        "SELECT collection.address, nft.token_id, nft.object, nft.height
         FROM nft_undone JOIN nft ON nft.collection = nft_undone.collection AND nft.token_id = nft_undone.token_id
         JOIN collection ON collection.id = nft.collection LIMIT 200",
    )?;
    let mut rows = statement.query([])?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        let object: Option<Vec<u8>> = row.get(2)?;
        found.push(UnknownNft {
            collection: address(&row.get::<Vec<u8>>(0)?)?,
            token_id: row.get(1)?,
            object: object.as_deref().map(address).transpose()?,
            height: Height::new(unsigned(row.get(3)?)).ok_or(IndexError::Body)?,
        });
    }
    Ok(found)
}

/// Stores the node's data on NFTs from [`unnamed`], which are then not requested again.
pub(in crate::indexer::index) fn name(
    connection: &Connection,
    asked: &[UnknownNft],
    found: &[OwnedNft],
) -> Result<(), IndexError> {
    let of_collection = "collection = (SELECT id FROM collection WHERE address = ?1) AND token_id = ?2";
    for nft in found {
        let object = nft.object.as_ref().map(Address::bytes);
        connection
            .prepare_cached(&format!("UPDATE nft SET uri = ?3, object = COALESCE(object, ?4) WHERE {of_collection}"))?
            .execute(params![nft.collection.bytes(), nft.token_id, nft.uri, object])?;
    }
    for nft in asked {
        connection
            .prepare_cached(&format!("DELETE FROM nft_undone WHERE {of_collection}"))?
            .execute(params![nft.collection.bytes(), nft.token_id])?;
    }
    Ok(())
}

fn restore_one(
    connection: &Connection,
    vm: Vm,
    codec: &Codec,
    lost: &OwnedNft,
    collection: i64,
) -> Result<(), IndexError> {
    let by_edge = "SELECT tx_nft.sequence FROM nft_key JOIN tx_nft ON tx_nft.nft = nft_key.id
                   WHERE nft_key.collection = ?1 AND nft_key.token_id = ?2 ORDER BY tx_nft.sequence DESC";
    let by_account = "SELECT tx_account.sequence FROM account JOIN tx_account ON tx_account.account = account.id
                      WHERE account.address = ?1 ORDER BY tx_account.sequence DESC";
    let mut statement = connection.prepare_cached(if lost.object.is_some() { by_account } else { by_edge })?;
    let mut rows = match lost.object {
        Some(object) => statement.query([object.bytes()])?,
        None => statement.query(params![lost.collection.bytes(), lost.token_id])?,
    };
    let mut mutated: Option<(String, Moment)> = None;
    while let Some(row) = rows.next()? {
        let sequence: i64 = row.get(0)?;
        let changes = stored_changes(connection, vm, codec, sequence)?;
        let outcome = changes.nfts.iter().rev().find_map(|change| match change {
            NftEvent::Moved { nft, to, .. } if is_same(nft, lost) => Some(Some(*to)),
            NftEvent::Burned(nft) if is_same(nft, lost) => Some(None),
            NftEvent::Given { object, to } if lost.object == Some(*object) => Some(Some(*to)),
            _ => None,
        });
        if mutated.is_none() {
            let uri = changes.nfts.iter().rev().find_map(|change| match change {
                NftEvent::Mutated { object, uri } if lost.object == Some(*object) => Some(uri.clone()),
                _ => None,
            });
            mutated = uri.map(|uri| Ok::<_, IndexError>((uri, moment(connection, sequence)?))).transpose()?;
        }
        let Some(owner) = outcome else { continue };
        let at = moment(connection, sequence)?;
        let nft = NftId { collection: lost.collection, token_id: lost.token_id.clone() };
        return match owner {
            Some(owner) => {
                let again = OwnedNft { owner, moved: at.height, ..lost.clone() };
                mint(connection, collection, &again, at.height, at.time)?;
                match (lost.object, mutated) {
                    (Some(object), Some((uri, at))) => mutate_object(connection, &object, &uri, at),
                    _ => Ok(()),
                }
            }
            None => burn(connection, collection, &nft, at),
        };
    }
    Ok(())
}

/// Returns block and time of a transaction.
fn moment(connection: &Connection, sequence: i64) -> Result<Moment, IndexError> {
    let (height, time): (i64, i64) = connection
        .prepare_cached(
            "SELECT height, time FROM block WHERE tx_count > 0 AND first_sequence <= ?1
             ORDER BY first_sequence DESC LIMIT 1",
        )?
        .query_row([sequence], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let height = Height::new(unsigned(height)).ok_or(IndexError::Body)?;
    Ok(Moment { height, time: Timestamp::from_nanos(i128::from(time)) })
}

fn is_same(nft: &NftId, lost: &OwnedNft) -> bool {
    nft.collection == lost.collection && nft.token_id == lost.token_id
}

/// Returns collections in these changes that the index does not know, each with its block.
pub(in crate::indexer::index) fn unknown_collections(
    connection: &Connection,
    prepared: &Prepared,
) -> Result<Vec<(Address, Height)>, IndexError> {
    let mut unknown: BTreeMap<Address, Height> = BTreeMap::new();
    for block in &prepared.blocks {
        for address in block.changes.nfts.iter().filter_map(NftEvent::collection) {
            if !unknown.contains_key(address) && collection_row(connection, address)?.is_none() {
                unknown.insert(*address, block.height);
            }
        }
    }
    Ok(unknown.into_iter().collect())
}

/// NFT in blocks that the index does not know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownNft {
    pub collection: Address,
    pub token_id: String,
    /// Object of the token; only on Move.
    pub object: Option<Address>,
    /// Block of the NFT's last change.
    pub height: Height,
}

/// Returns NFTs in these changes that the index does not know, each with the block of its last change.
pub(in crate::indexer::index) fn unknown_nfts(
    connection: &Connection,
    prepared: &Prepared,
) -> Result<Vec<UnknownNft>, IndexError> {
    let mut unknown: BTreeMap<NftId, UnknownNft> = BTreeMap::new();
    // What these blocks burn is gone from the index before they mint it again.
    let mut burned: BTreeSet<&NftId> = BTreeSet::new();
    for block in &prepared.blocks {
        for change in &block.changes.nfts {
            match change {
                NftEvent::Moved { nft, object, .. } => {
                    let known = match collection_row(connection, &nft.collection)? {
                        Some(row) => !burned.contains(nft) && token_row(connection, row, &nft.token_id)?.is_some(),
                        // The contract is no collection, so it has no NFTs.
                        None => !prepared.facts.collections.contains_key(&nft.collection),
                    };
                    if !known {
                        let before = unknown.remove(nft).and_then(|before| before.object);
                        let NftId { collection, token_id } = nft.clone();
                        let object = object.or(before);
                        unknown.insert(nft.clone(), UnknownNft { collection, token_id, object, height: block.height });
                    }
                }
                NftEvent::Burned(nft) => {
                    unknown.remove(nft);
                    burned.insert(nft);
                }
                NftEvent::Created(_) | NftEvent::Given { .. } | NftEvent::Mutated { .. } => {}
            }
        }
    }
    Ok(unknown.into_values().collect())
}

/// Reads the changes that a stored transaction made, from its body.
fn stored_changes(connection: &Connection, vm: Vm, codec: &Codec, sequence: i64) -> Result<BlockChanges, IndexError> {
    let mut body = Vec::new();
    let mut statement = connection.prepare_cached("SELECT body FROM tx WHERE sequence = ?1")?;
    let mut rows = statement.query([sequence])?;
    let row = rows.next()?.ok_or(IndexError::Body)?;
    codec.expand(row.get_ref(0)?.as_blob().map_err(|_| IndexError::Body)?, &mut body)?;
    let mut changes = BlockChanges::default();
    changes.follow(vm, &stored_events(&body)?);
    Ok(changes)
}

/// Reads the events in the JSON of a stored transaction.
pub(in crate::indexer::index) fn stored_events(body: &[u8]) -> Result<Vec<TxEvent>, IndexError> {
    let stored: StoredEvents = serde_json::from_slice(body).map_err(|_| IndexError::Body)?;
    let event = |event: StoredEvent| {
        TxEvent::new(event.kind, event.attributes.into_iter().map(|attribute| (attribute.key, attribute.value)))
    };
    Ok(stored.events.into_iter().map(event).collect())
}

#[derive(Deserialize)]
struct StoredEvents {
    events: Vec<StoredEvent>,
}

#[derive(Deserialize)]
struct StoredEvent {
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    attributes: Vec<StoredAttribute>,
}

#[derive(Deserialize)]
struct StoredAttribute {
    key: String,
    value: String,
}
