//! Rich list: holders of each token, from a snapshot of the node's state and from later events.

mod encoding;
mod select;

pub(super) use encoding::{decode, encode};
pub use select::TokenKey;
pub(super) use select::{balances, page};

use std::collections::{BTreeMap, BTreeSet};

use crate::indexer::index::dialect::{Connection, OptionalRow as _};
use rusqlite::{params, types::Value};

use super::{
    IndexError,
    changes::{CoinChange, CoinKey},
    integer, meta, unsigned,
};
use crate::{
    domain::{Address, Amount, Balance, Denom, Height},
    indexer::source::FungibleToken,
};

/// Tables of holders. `by_events` marks a token that the bank does not list, so that only transfers reveal its holders.
/// A list is valid at its height; earlier blocks no longer change it. The index updates an incomplete list like the
/// others, but does not serve it.
pub(super) const TABLES: &str = "
    CREATE TABLE IF NOT EXISTS rich_token (
        id INTEGER PRIMARY KEY, denom TEXT NOT NULL UNIQUE, contract BLOB UNIQUE, metadata BLOB UNIQUE,
        holders INTEGER NOT NULL, height INTEGER NOT NULL, is_whole INTEGER NOT NULL,
        by_events INTEGER NOT NULL DEFAULT 0
    );
    CREATE TABLE IF NOT EXISTS holder (
        token INTEGER NOT NULL, account BLOB NOT NULL, amount BLOB NOT NULL, PRIMARY KEY (token, account)
    ) WITHOUT ROWID;
    CREATE INDEX IF NOT EXISTS holder_by_amount ON holder (token, amount, account);
    CREATE TABLE IF NOT EXISTS rich_pending (
        height INTEGER NOT NULL, token INTEGER NOT NULL, account BLOB NOT NULL, amount BLOB NOT NULL,
        PRIMARY KEY (height, token, account)
    ) WITHOUT ROWID;";

const HEIGHT: &str = "rich list height";

/// Key of the flag that the index knows every account of the chain and has queried each once.
pub(super) const WHOLE: &str = "balances are whole";

/// Key of the flag that all blocks from the first on are indexed: transfers then reveal all holders of tokens that the
/// bank does not list.
pub(super) const PARTIES: &str = "token parties are whole";

/// Holders written per batch; readers and new blocks proceed between batches.
const BATCH: usize = 4_000;

/// Balance changes of one block, by token and account.
pub(super) type BlockSums = BTreeMap<(i64, Address), Balance>;

/// Returns the height at which the list is complete; `None` while incomplete.
pub(super) fn height(connection: &Connection) -> Result<Option<Height>, IndexError> {
    let kept = meta::load(connection, HEIGHT)?.and_then(|bytes| String::from_utf8(bytes).ok());
    Ok(kept.and_then(|text| Height::new(text.parse().ok()?)))
}

pub(super) fn set_height(connection: &Connection, height: Height) -> Result<(), IndexError> {
    meta::save(connection, HEIGHT, height.to_string().as_bytes())
}

/// Whether any token has a complete list.
pub(super) fn has_list(connection: &Connection) -> Result<bool, IndexError> {
    let mut statement = connection.prepare_cached("SELECT EXISTS (SELECT 1 FROM rich_token WHERE is_whole = 1)")?;
    statement.query_row([], |row| row.get(0))
}

pub(super) fn listed(connection: &Connection) -> Result<BTreeSet<Denom>, IndexError> {
    let mut statement = connection.prepare_cached("SELECT denom FROM rich_token WHERE is_whole = 1")?;
    let denoms = statement.query_map([], |row| Ok(Denom::new(row.get::<String>(0)?)))?;
    denoms.collect::<Result<_, _>>()
}

/// Returns the id of a bank token, whose holders are queried one by one. The token's list is complete after all
/// accounts were queried.
pub(super) fn token(connection: &Connection, denom: &Denom, contract: Option<&Address>) -> Result<i64, IndexError> {
    let known = "SELECT id, by_events FROM rich_token WHERE denom = ?1 OR contract = ?2 ORDER BY by_events LIMIT 1";
    let named = params![denom.as_str(), contract.map(Address::bytes)];
    let known: Option<(i64, bool)> =
        connection.prepare_cached(known)?.query_row(named, |row| Ok((row.get(0)?, row.get(1)?))).optional()?;
    match known {
        Some((known, false)) => return Ok(known),
        Some((known, true)) => {
            // The bank lists the token from now on.
            let is_whole = meta::load(connection, WHOLE)?.is_some();
            let sql = "UPDATE rich_token SET denom = ?2, by_events = 0, is_whole = ?3 WHERE id = ?1";
            connection.execute(sql, params![known, denom.as_str(), is_whole])?;
            return Ok(known);
        }
        None => {}
    }
    let is_whole = meta::load(connection, WHOLE)?.is_some();
    connection.query_row(
        "INSERT INTO rich_token (denom, contract, metadata, holders, height, is_whole) VALUES (?1, ?2, NULL, 0, 0, ?3)
         RETURNING id",
        params![denom.as_str(), contract.map(Address::bytes), is_whole],
        |row| row.get(0),
    )
}

/// Returns the id of a token that the bank does not list, from its ERC-20 contract.
pub(super) fn token_of_contract(connection: &Connection, contract: &Address) -> Result<i64, IndexError> {
    let known = "SELECT id FROM rich_token WHERE contract = ?1";
    let known = connection.prepare_cached(known)?.query_row([contract.bytes()], |row| row.get(0)).optional()?;
    if let Some(known) = known {
        return Ok(known);
    }
    let is_whole = meta::load(connection, PARTIES)?.is_some();
    connection.query_row(
        "INSERT INTO rich_token (denom, contract, metadata, holders, height, is_whole, by_events)
         VALUES (?1, ?2, NULL, 0, 0, ?3, 1) RETURNING id",
        params![Denom::of_erc20(*contract).as_str(), contract.bytes(), is_whole],
        |row| row.get(0),
    )
}

/// Whether a token's list is incomplete.
pub(super) fn is_partial(connection: &Connection, token: &TokenKey) -> Result<bool, IndexError> {
    Ok(select::find(connection, token, false)?.is_some())
}

pub(super) fn set(connection: &Connection, token: i64, account: &[u8], amount: &[u8]) -> Result<(), IndexError> {
    let held = "SELECT EXISTS (SELECT 1 FROM holder WHERE token = ?1 AND account = ?2)";
    let is_held: bool = connection.prepare_cached(held)?.query_row(params![token, account], |row| row.get(0))?;
    connection
        .prepare_cached(
            "INSERT INTO holder VALUES (?1, ?2, ?3) ON CONFLICT (token, account) DO UPDATE SET amount = ?3",
        )?
        .execute(params![token, account, amount])?;
    if !is_held {
        connection.prepare_cached("UPDATE rich_token SET holders = holders + 1 WHERE id = ?1")?.execute([token])?;
    }
    Ok(())
}

/// Removes an account from the lists of all tokens except `kept`.
pub(super) fn leave(connection: &Connection, account: &[u8], kept: &BTreeSet<i64>) -> Result<(), IndexError> {
    let mut statement = connection.prepare_cached("SELECT id FROM rich_token")?;
    let tokens: Vec<i64> = statement.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?;
    for token in tokens.into_iter().filter(|token| !kept.contains(token)) {
        let gone = connection
            .prepare_cached("DELETE FROM holder WHERE token = ?1 AND account = ?2")?
            .execute(params![token, account])?;
        if gone > 0 {
            connection.prepare_cached("UPDATE rich_token SET holders = holders - 1 WHERE id = ?1")?.execute([token])?;
        }
    }
    Ok(())
}

/// Deletes the lists of all tokens.
pub(super) fn clear(connection: &Connection) -> Result<(), IndexError> {
    connection.execute_batch("DELETE FROM rich_pending; DELETE FROM holder; DELETE FROM rich_token;")?;
    connection.execute("DELETE FROM meta WHERE key = ?1", [HEIGHT])?;
    Ok(())
}

/// Token whose list is being written from a snapshot.
#[derive(Debug)]
pub(super) struct HolderSnapshot {
    token: i64,
    rest: std::vec::IntoIter<(Address, Amount)>,
}

impl HolderSnapshot {
    /// Starts a token's list with the holders at this height; deletes an unfinished earlier list.
    pub(super) fn begin(
        connection: &Connection,
        token: &FungibleToken,
        mut holders: Vec<(Address, Amount)>,
        at: Height,
    ) -> Result<Self, IndexError> {
        for table in ["rich_pending", "holder"] {
            let unfinished = "SELECT id FROM rich_token WHERE is_whole = 0";
            connection.execute(&format!("DELETE FROM {table} WHERE token IN ({unfinished})"), [])?;
        }
        connection.execute("DELETE FROM rich_token WHERE is_whole = 0", [])?;
        let contract = token.contract.as_ref().map(Address::bytes);
        let metadata = token.metadata.as_ref().map(Address::bytes);
        let token = connection.query_row(
            "INSERT INTO rich_token (denom, contract, metadata, holders, height, is_whole)
             VALUES (?1, ?2, ?3, 0, ?4, 0) RETURNING id",
            params![token.denom.as_str(), contract, metadata, integer(at.get())],
            |row| row.get(0),
        )?;
        if height(connection)?.is_none() {
            set_height(connection, at)?;
        }
        holders.sort_unstable_by_key(|(account, _)| *account);
        Ok(Self { token, rest: holders.into_iter() })
    }

    /// Writes the next batch; true if it was the last. Changes of blocks since the start are already applied.
    pub(super) fn go_on(&mut self, connection: &Connection) -> Result<bool, IndexError> {
        let mut statement =
            connection.prepare_cached("INSERT INTO holder VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING")?;
        let mut holders = 0;
        for (account, amount) in self.rest.by_ref().take(BATCH) {
            let amount = Balance::from(amount);
            match statement.execute(params![self.token, account.bytes(), encode(amount)])? {
                0 => change(connection, self.token, &account, amount)?,
                _ => holders += 1,
            }
        }
        let is_whole = self.rest.as_slice().is_empty();
        connection
            .prepare_cached("UPDATE rich_token SET holders = holders + ?2, is_whole = ?3 WHERE id = ?1")?
            .execute(params![self.token, holders, is_whole])?;
        Ok(is_whole)
    }
}

/// Applies ascending new blocks: those that are due now, the others later.
pub(super) fn follow<'a>(
    connection: &Connection,
    blocks: impl Iterator<Item = (Height, &'a [CoinChange])>,
    lag: u64,
) -> Result<(), IndexError> {
    let Some(mut listed) = height(connection)? else { return Ok(()) };
    let mut waiting = take_pending(connection)?;
    let mut newest = waiting.keys().next_back().copied().unwrap_or_else(|| listed.get()).max(listed.get());
    let mut tokens = ListedTokens::default();
    for (height, changes) in blocks.filter(|(height, _)| *height > listed) {
        newest = newest.max(height.get());
        waiting.insert(height.get(), tokens.sum(connection, height, changes)?);
    }
    let mut due = BlockSums::new();
    while let Some(first) = waiting.first_entry().filter(|first| first.key() + lag <= newest) {
        add(&mut due, first.remove());
    }
    for ((token, account), by) in due {
        change(connection, token, &account, by)?;
    }
    if let Some(whole) = Height::new(newest.saturating_sub(lag)).filter(|whole| *whole > listed) {
        listed = whole;
        set_height(connection, listed)?;
    }
    keep_pending(connection, &waiting)
}

/// Cached state of token lists: id and height, or `None` without a list.
#[derive(Default)]
struct ListedTokens(BTreeMap<CoinKey, Option<(i64, u64)>>);

impl ListedTokens {
    fn find(&mut self, connection: &Connection, name: &CoinKey) -> Result<Option<(i64, u64)>, IndexError> {
        if let Some(known) = self.0.get(name) {
            return Ok(*known);
        }
        let (column, value) = match name {
            CoinKey::Contract(contract) => ("contract", Value::Blob(contract.bytes().to_vec())),
            CoinKey::Metadata(metadata) => ("metadata", Value::Blob(metadata.bytes().to_vec())),
            CoinKey::Denom(denom) => ("denom", Value::Text(denom.clone())),
        };
        let found = connection
            .prepare_cached(&format!("SELECT id, height FROM rich_token WHERE {column} = ?1"))?
            .query_row([value], |row| Ok((row.get(0)?, unsigned(row.get(1)?))))
            .optional()?;
        self.0.insert(name.clone(), found);
        Ok(found)
    }

    /// Adds up a block's changes for tokens whose list is older than the block.
    fn sum(
        &mut self,
        connection: &Connection,
        height: Height,
        changes: &[CoinChange],
    ) -> Result<BlockSums, IndexError> {
        let mut sums = BlockSums::new();
        for change in changes {
            if let Some((token, at)) = self.find(connection, &change.token)?
                && at < height.get()
            {
                add(&mut sums, [((token, change.account), change.by)]);
            }
        }
        Ok(sums)
    }
}

fn add(sums: &mut BlockSums, more: impl IntoIterator<Item = ((i64, Address), Balance)>) {
    for (key, by) in more {
        let sum = sums.entry(key).or_default();
        // A sum above 256 bits means corruption; a real chain never reaches it.
        *sum = sum.checked_add(by).unwrap_or(*sum);
    }
}

fn change(connection: &Connection, token: i64, account: &Address, by: Balance) -> Result<(), IndexError> {
    let held: Option<Vec<u8>> = connection
        .prepare_cached("SELECT amount FROM holder WHERE token = ?1 AND account = ?2")?
        .query_row(params![token, account.bytes()], |row| row.get(0))
        .optional()?;
    let Some(held) = held else {
        connection.prepare_cached("INSERT INTO holder VALUES (?1, ?2, ?3)")?.execute(params![
            token,
            account.bytes(),
            encode(by)
        ])?;
        connection.prepare_cached("UPDATE rich_token SET holders = holders + 1 WHERE id = ?1")?.execute([token])?;
        return Ok(());
    };
    let held = decode(&held)?;
    connection.prepare_cached("UPDATE holder SET amount = ?3 WHERE token = ?1 AND account = ?2")?.execute(params![
        token,
        account.bytes(),
        encode(held.checked_add(by).unwrap_or(held))
    ])?;
    Ok(())
}

fn take_pending(connection: &Connection) -> Result<BTreeMap<u64, BlockSums>, IndexError> {
    let mut waiting: BTreeMap<u64, BlockSums> = BTreeMap::new();
    let mut statement = connection.prepare_cached("SELECT height, token, account, amount FROM rich_pending")?;
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let account = row.get_ref(2)?.as_blob().ok().and_then(Address::from_bytes).ok_or(IndexError::Body)?;
        let amount = decode(row.get_ref(3)?.as_blob().map_err(|_| IndexError::Body)?)?;
        waiting.entry(unsigned(row.get(0)?)).or_default().insert((row.get(1)?, account), amount);
    }
    drop(rows);
    connection.prepare_cached("DELETE FROM rich_pending")?.execute([])?;
    Ok(waiting)
}

fn keep_pending(connection: &Connection, waiting: &BTreeMap<u64, BlockSums>) -> Result<(), IndexError> {
    let mut statement = connection.prepare_cached("INSERT INTO rich_pending VALUES (?1, ?2, ?3, ?4)")?;
    for (height, sums) in waiting {
        for ((token, account), by) in sums {
            statement.execute(params![integer(*height), token, account.bytes(), encode(*by)])?;
        }
    }
    Ok(())
}
