use crate::indexer::index::dialect::{Connection, OptionalRow as _, StoreRow};
use rusqlite::{params, types::Value};

use super::{address, collection_row};
use crate::{
    domain::{Address, Height, Timestamp},
    indexer::index::{
        IndexError,
        keyset::{KeysetList, KeysetPage, KeysetPosition, Seek},
        unsigned,
    },
    wire::{Collection, CollectionFacts, Nft, NftTable, Token},
};

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CollectionSelection {
    All,
    Owned(Address),
    /// Collections whose name or original name contains these letters and digits.
    Named(String),
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TokenSelection {
    pub owner: Option<Address>,
    pub collection: Option<Address>,
    /// Only the NFT with exactly this id.
    pub token_id: Option<String>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TokenSorting {
    /// By token id, compared as text: 1, 10, 2.
    #[default]
    TokenId,
    /// By the height of the mint or last transfer.
    Height,
}

/// Collection as a search last read it; some searches do not read it again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeenCollection {
    pub collection: Collection,
    pub sought_name: String,
    pub sought_origin: String,
}

const COLLECTION: &str = "c.id, c.address, c.creator, c.name, c.origin_name, c.tokens, c.length, c.height, c.time";
const TOKEN: &str = "n.id, c.address, c.name, c.origin_name, n.object, n.owner, n.token_id, n.uri, n.height, n.time";

/// Reads a page of collections by height. With `keeps_length`, a collection reports its length at the last mint, or at
/// the last burn that left a token.
pub(in crate::indexer::index) fn collections(
    connection: &Connection,
    scope: &CollectionSelection,
    seek: &Seek,
    keeps_length: bool,
    count: bool,
) -> Result<KeysetPage<Collection>, IndexError> {
    let (source, values, total) = match scope {
        CollectionSelection::All => ("FROM collection c WHERE TRUE", vec![], "SELECT COUNT(*) FROM collection"),
        CollectionSelection::Owned(account) => (
            "FROM holding h JOIN collection c ON c.id = h.collection WHERE h.owner = ?1",
            vec![Value::Blob(account.bytes().to_vec())],
            "SELECT COUNT(*) FROM holding WHERE owner = ?1",
        ),
        CollectionSelection::Named(name) => (
            "FROM collection c WHERE (instr(c.sought_name, ?1) > 0 OR instr(c.sought_origin, ?1) > 0)",
            vec![Value::Text(name.clone())],
            "SELECT COUNT(*) FROM collection WHERE instr(sought_name, ?1) > 0 OR instr(sought_origin, ?1) > 0",
        ),
    };
    let total = if count { Some(number(connection, total, &values)?) } else { None };
    let list = KeysetList {
        columns: COLLECTION,
        source: source.to_owned(),
        values,
        order: &["c.height", "c.id"],
        rows: total,
    };
    let page = list.page(connection, seek, |row| {
        let place = KeysetPosition::Collection { height: row.get(7)?, row: Some(row.get(0)?) };
        Ok((read_collection(row, keeps_length)?, place))
    })?;
    Ok(KeysetPage { total, ..page })
}

pub(in crate::indexer::index) fn collection(
    connection: &Connection,
    address: &Address,
    keeps_length: bool,
) -> Result<Option<Collection>, IndexError> {
    connection
        .prepare_cached(&format!("SELECT {COLLECTION} FROM collection c WHERE c.address = ?1"))?
        .query_row([address.bytes()], |row| Ok(read_collection(row, keeps_length)))
        .optional()?
        .transpose()
}

/// Returns collections above a height, lowest first, with normalised names.
pub(in crate::indexer::index) fn recent_collections(
    connection: &Connection,
    above: u64,
) -> Result<Vec<SeenCollection>, IndexError> {
    let sql = format!(
        "SELECT {COLLECTION}, c.sought_name, c.sought_origin FROM collection c WHERE c.height > ?1
         ORDER BY c.height, c.id"
    );
    let mut statement = connection.prepare_cached(&sql)?;
    let mut rows = statement.query([i64::try_from(above).unwrap_or(i64::MAX)])?;
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        let collection = read_collection(&row, true)?;
        found.push(SeenCollection { collection, sought_name: row.get(9)?, sought_origin: row.get(10)? });
    }
    Ok(found)
}

pub(in crate::indexer::index) fn tokens(
    connection: &Connection,
    scope: &TokenSelection,
    order: TokenSorting,
    seek: &Seek,
    count: bool,
) -> Result<KeysetPage<Token>, IndexError> {
    let collection = match &scope.collection {
        Some(address) => match collection_row(connection, address)? {
            Some(row) => Some(row),
            None => return Ok(KeysetPage::default()),
        },
        None => None,
    };
    let (mut conditions, mut values) = (Vec::new(), Vec::new());
    let owner = scope.owner.map(|owner| Value::Blob(owner.bytes().to_vec()));
    let given = [
        ("owner", owner),
        ("collection", collection.map(Value::from)),
        ("token_id", scope.token_id.clone().map(Value::from)),
    ];
    for (column, value) in given {
        if let Some(value) = value {
            values.push(value);
            conditions.push(format!("{column} = ?{}", values.len()));
        }
    }
    let total = if count { Some(count_tokens(connection, scope, collection, &conditions, &values)?) } else { None };
    let conditions: Vec<String> = conditions.iter().map(|condition| format!("n.{condition}")).collect();
    let list = KeysetList {
        columns: TOKEN,
        // Follow the index of the sort order; each row then looks up its collection.
        source: format!("FROM nft n CROSS JOIN collection c ON c.id = n.collection WHERE {}", conditions.join(" AND ")),
        values,
        order: match order {
            TokenSorting::TokenId => &["n.token_id", "n.height", "n.id"],
            TokenSorting::Height => &["n.height", "n.token_id", "n.id"],
        },
        rows: total,
    };
    let page = list.page(connection, seek, |row| read_token(row, order))?;
    Ok(KeysetPage { total, ..page })
}

/// Returns the number of matches from counters. Counts rows only for a single token id, which few tokens have.
fn count_tokens(
    connection: &Connection,
    scope: &TokenSelection,
    collection: Option<i64>,
    conditions: &[String],
    values: &[Value],
) -> Result<i64, IndexError> {
    let sql = match (scope, collection) {
        (TokenSelection { token_id: Some(_), .. }, _) => {
            format!("SELECT COUNT(*) FROM nft WHERE {}", conditions.join(" AND "))
        }
        (TokenSelection { owner: Some(_), .. }, _) => {
            format!("SELECT CAST(COALESCE(SUM(tokens), 0) AS BIGINT) FROM holding WHERE {}", conditions.join(" AND "))
        }
        _ => "SELECT CAST(COALESCE(SUM(tokens), 0) AS BIGINT) FROM collection WHERE id = ?1".to_owned(),
    };
    number(connection, &sql, values)
}

fn number(connection: &Connection, sql: &str, values: &[Value]) -> Result<i64, IndexError> {
    connection.prepare_cached(sql)?.query_row(values, |row| row.get(0))
}

fn read_collection(row: &StoreRow<'_>, keeps_length: bool) -> Result<Collection, IndexError> {
    let length: i64 = row.get(if keeps_length { 6 } else { 5 })?;
    Ok(Collection {
        object_addr: address(row.get_ref(1)?.as_blob().map_err(|_| IndexError::Body)?)?.hex(),
        collection: CollectionFacts {
            creator: address(row.get_ref(2)?.as_blob().map_err(|_| IndexError::Body)?)?.bech32(),
            name: row.get::<String>(3)?.into(),
            origin_name: row.get::<String>(4)?.into(),
            nfts: NftTable { handle: String::new(), length: unsigned(length) },
        },
        height: height(row.get(7)?),
        timestamp: microseconds(row.get(8)?),
    })
}

fn read_token(row: &StoreRow<'_>, order: TokenSorting) -> Result<(Token, KeysetPosition), IndexError> {
    let object: Option<Vec<u8>> = row.get(4)?;
    let (id, at): (String, i64) = (row.get(6)?, row.get(8)?);
    let place = match order {
        TokenSorting::TokenId => KeysetPosition::TokenById { token_id: id.clone(), height: at, row: row.get(0)? },
        TokenSorting::Height => {
            KeysetPosition::TokenByHeight { height: at, token_id: Some(id.clone()), row: row.get(0)? }
        }
    };
    let token = Token {
        collection_addr: address(row.get_ref(1)?.as_blob().map_err(|_| IndexError::Body)?)?.hex(),
        collection_name: row.get::<String>(2)?.into(),
        collection_origin_name: row.get::<String>(3)?.into(),
        object_addr: object.map(|bytes| address(&bytes)).transpose()?.map(|object| object.hex()).unwrap_or_default(),
        owner: address(row.get_ref(5)?.as_blob().map_err(|_| IndexError::Body)?)?.bech32(),
        nft: Nft { token_id: id.into(), uri: row.get::<String>(7)?.into() },
        height: height(at),
        timestamp: microseconds(row.get(9)?),
    };
    Ok((token, place))
}

#[derive(Clone, Copy, Debug)]
pub(in crate::indexer::index) struct Existing {
    /// Address of the token's object; `None` except on Move.
    pub(in crate::indexer::index) object: Option<Address>,
}

/// Returns the token; `None` if it does not exist now.
pub(in crate::indexer::index) fn existing(
    connection: &Connection,
    collection: &Address,
    token_id: &str,
) -> Result<Option<Existing>, IndexError> {
    let found = connection
        .prepare_cached(
            "SELECT n.object FROM collection c JOIN nft n ON n.collection = c.id
             WHERE c.address = ?1 AND n.token_id = ?2",
        )?
        .query_row(params![collection.bytes(), token_id], |row| row.get(0))
        .optional()?;
    let read = |object: Option<Vec<u8>>| object.map(|bytes| address(&bytes)).transpose();
    found.map(|object| Ok(Existing { object: read(object)? })).transpose()
}

fn height(value: i64) -> Height {
    Height::new(unsigned(value)).unwrap_or(Height::FIRST)
}

/// Formats a time as the real server's NFT times, truncated to microseconds.
fn microseconds(nanos: i64) -> Timestamp {
    Timestamp::from_nanos(i128::from(nanos - nanos.rem_euclid(1_000)))
}
