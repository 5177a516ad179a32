use crate::indexer::index::dialect::Connection;
use rusqlite::types::Value;

use super::decode;
use crate::{
    domain::{Address, Amount, Denom, Vm},
    indexer::index::{
        IndexError,
        keyset::{KeysetList, KeysetPage, KeysetPosition, Seek},
    },
    wire::Holder,
};

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TokenKey {
    /// Token by denom: exactly, else in any case, if that is one token.
    Denom(String),
    /// Token by ERC-20 contract.
    Contract(Address),
    Metadata(Address),
}

/// Reads a page of a token's holders by amount; `None` without a list.
pub(in crate::indexer::index) fn page(
    connection: &Connection,
    vm: Vm,
    token: &TokenKey,
    seek: &Seek,
) -> Result<Option<KeysetPage<Holder>>, IndexError> {
    let Some((id, holders)) = find(connection, token, true)? else { return Ok(None) };
    let list = KeysetList {
        columns: "account, amount",
        source: "FROM holder WHERE token = ?1".to_owned(),
        values: vec![Value::from(id)],
        order: &["amount", "account"],
        rows: Some(holders),
    };
    let page = list.page(connection, seek, |row| {
        let account = row.get_ref(0)?.as_blob().ok().and_then(Address::from_bytes).ok_or(IndexError::Body)?;
        let amount = decode(row.get_ref(1)?.as_blob().map_err(|_| IndexError::Body)?)?;
        let written = if vm == Vm::Evm { account.hex() } else { account.bech32() };
        Ok((Holder { account: written, amount }, KeysetPosition::Holder { amount, account: Some(account) }))
    })?;
    Ok(Some(KeysetPage { total: Some(holders), ..page }))
}

/// Returns an account's balances of all tokens with a list.
pub(in crate::indexer::index) fn balances(
    connection: &Connection,
    account: &Address,
) -> Result<Vec<(Denom, Amount)>, IndexError> {
    let sql = "SELECT denom, amount FROM rich_token JOIN holder ON holder.token = rich_token.id \
               WHERE is_whole = 1 AND account = ?1 ORDER BY rich_token.id";
    let mut statement = connection.prepare_cached(sql)?;
    let mut rows = statement.query([account.bytes()])?;
    let mut held = Vec::new();
    while let Some(row) = rows.next()? {
        let balance = decode(row.get_ref(1)?.as_blob().map_err(|_| IndexError::Body)?)?;
        held.push((Denom::new(row.get::<String>(0)?), balance.amount().unwrap_or_default()));
    }
    Ok(held)
}

/// Returns the id of a token's list, whether the list is complete, and its number of rows; `None` without a list.
pub(super) fn find(
    connection: &Connection,
    token: &TokenKey,
    is_whole: bool,
) -> Result<Option<(i64, i64)>, IndexError> {
    let by = |condition: &str, value: Value| -> Result<Vec<(i64, i64)>, IndexError> {
        // Two rows prove that a condition does not name one token.
        let sql = format!("SELECT id, holders FROM rich_token WHERE is_whole = ?2 AND {condition} LIMIT 2");
        let mut statement = connection.prepare_cached(&sql)?;
        let rows = statement.query_map(rusqlite::params![value, is_whole], |row| Ok((row.get(0)?, row.get(1)?)))?;
        rows.collect::<Result<_, _>>()
    };
    let found = match token {
        TokenKey::Denom(denom) => {
            let exact = by("denom = ?1", Value::Text(denom.clone()))?;
            // The token factory's denoms may differ by case alone; other readers may not know a denom's case.
            if exact.is_empty() { by("denom = ?1 COLLATE NOCASE", Value::Text(denom.clone()))? } else { exact }
        }
        TokenKey::Contract(contract) => by("contract = ?1", Value::Blob(contract.bytes().to_vec()))?,
        TokenKey::Metadata(metadata) => by("metadata = ?1", Value::Blob(metadata.bytes().to_vec()))?,
    };
    Ok(match *found {
        [one] => Some(one),
        _ => None,
    })
}
