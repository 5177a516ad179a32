use crate::indexer::index::dialect::{Connection, OptionalRow as _};
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
    /// Token by denom; case does not matter.
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
    let (condition, value) = match token {
        TokenKey::Denom(denom) => ("denom = ?1 COLLATE NOCASE", Value::Text(denom.clone())),
        TokenKey::Contract(contract) => ("contract = ?1", Value::Blob(contract.bytes().to_vec())),
        TokenKey::Metadata(metadata) => ("metadata = ?1", Value::Blob(metadata.bytes().to_vec())),
    };
    let sql = format!("SELECT id, holders FROM rich_token WHERE is_whole = ?2 AND {condition}");
    connection
        .prepare_cached(&sql)?
        .query_row(rusqlite::params![value, is_whole], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()
}
