//! Whose balances are known, from when, and whose must be asked again: the rich list of a rollup's node. Its figures are
//! the chain's own answers; blocks only say who was touched.

use std::collections::BTreeSet;

use rusqlite::{Connection, OptionalExtension, params};

use super::{
    Index, IndexError,
    changes::CoinKey,
    holders::{self, encode},
    integer, nft,
    prepare::Prepared,
    schema, state, unsigned,
};
use crate::domain::{Address, Amount, Balance, Denom, Height};

/// Accounts with the height at which their balances were read; `due` is the lowest block that touched them since, and
/// may have changed what they hold. `height` 0: never read. `token_party` has who ever gave or got tokens of a contract.
pub(super) const TABLES: &str = "
    CREATE TABLE IF NOT EXISTS balance_account (
        account BLOB PRIMARY KEY, height INTEGER NOT NULL, due INTEGER
    ) WITHOUT ROWID;
    CREATE INDEX IF NOT EXISTS balance_due ON balance_account (due) WHERE due IS NOT NULL;
    CREATE TABLE IF NOT EXISTS token_party (
        account BLOB NOT NULL, contract BLOB NOT NULL, PRIMARY KEY (account, contract)
    ) WITHOUT ROWID;";

/// Under this is kept that the blocks were read from the first one on: who has a token that the bank does not list is then
/// known by its transfers.
pub(super) const PARTIES: &str = "token parties are whole";

/// What the bank says that an account holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AccountBalances {
    /// Who.
    pub account: Address,
    /// At which height.
    pub height: Height,
    /// Each denom once, with its ERC-20 contract where that is known.
    pub coins: Vec<(Denom, Option<Address>, Amount)>,
    /// What ERC-20 contracts that the bank does not list say of it, each once.
    pub tokens: Vec<(Address, Amount)>,
}

/// An account that must be asked anew.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DueBalances {
    /// Who.
    pub account: Address,
    /// The ERC-20 contracts whose tokens it ever gave or got.
    pub contracts: Vec<Address>,
}

impl Index {
    /// Takes note of accounts that exist; those that are new are to be asked for what they hold, as of this height.
    pub fn add_accounts(&self, accounts: &[Address], at: Height) -> Result<(), IndexError> {
        self.database.write(|connection| {
            let mut statement = connection
                .prepare_cached("INSERT INTO balance_account VALUES (?1, 0, ?2) ON CONFLICT (account) DO NOTHING")?;
            for account in accounts {
                statement.execute(params![account.bytes(), integer(at.get())])?;
            }
            Ok(())
        })
    }

    /// Accounts whose balances must be asked, those that wait for longest first.
    pub fn due_balances(&self, limit: u16) -> Result<Vec<DueBalances>, IndexError> {
        self.database.read(|connection| {
            let sql = "SELECT account FROM balance_account WHERE due IS NOT NULL ORDER BY due LIMIT ?1";
            let mut statement = connection.prepare_cached(sql)?;
            let due: Vec<Vec<u8>> =
                statement.query_map([limit], |row| row.get(0))?.collect::<Result<_, rusqlite::Error>>()?;
            let mut statement = connection.prepare_cached("SELECT contract FROM token_party WHERE account = ?1")?;
            due.into_iter()
                .map(|account| {
                    let contracts: Vec<Vec<u8>> =
                        statement.query_map([&account], |row| row.get(0))?.collect::<Result<_, rusqlite::Error>>()?;
                    let contracts = contracts.iter().map(|bytes| nft::address(bytes)).collect::<Result<_, _>>()?;
                    Ok(DueBalances { account: nft::address(&account)?, contracts })
                })
                .collect()
        })
    }

    /// Puts what accounts hold in the place of what was known of them.
    pub fn write_balances(&self, answers: &[AccountBalances]) -> Result<(), IndexError> {
        self.database.write(|connection| answers.iter().try_for_each(|answer| write(connection, answer)))
    }

    /// Says that every account of the chain was seen: from here on the list is whole but for those that are due.
    pub fn set_balances_whole(&self) -> Result<(), IndexError> {
        self.database.write(|connection| {
            connection.execute("UPDATE rich_token SET is_whole = TRUE WHERE NOT by_events", [])?;
            schema::save(connection, holders::WHOLE, b"1")
        })
    }

    /// Says that the blocks were read from the first one on, and everybody in them asked: from here on the lists of tokens
    /// that the bank does not know are whole as well.
    pub fn set_parties_whole(&self) -> Result<(), IndexError> {
        self.database.write(|connection| {
            connection.execute("UPDATE rich_token SET is_whole = TRUE WHERE by_events", [])?;
            schema::save(connection, PARTIES, b"1")
        })
    }

    /// Whether [`Self::set_parties_whole`] was said.
    pub fn has_parties(&self) -> Result<bool, IndexError> {
        self.database.read(|connection| Ok(schema::load(connection, PARTIES)?.is_some()))
    }

    /// Whether every account of the chain was seen and asked once.
    pub fn has_balances(&self) -> Result<bool, IndexError> {
        self.database.read(|connection| Ok(schema::load(connection, holders::WHOLE)?.is_some()))
    }
}

/// The lowest height at which all that the list shows is the chain's: that of the newest block, or the one below the
/// first that touched an account which was not asked since.
pub(super) fn height(connection: &Connection) -> Result<Option<Height>, IndexError> {
    if schema::load(connection, holders::WHOLE)?.is_none() {
        return Ok(None);
    }
    let due: Option<i64> =
        connection.prepare_cached("SELECT MIN(due) FROM balance_account")?.query_row([], |row| row.get(0))?;
    let tip = state::height(connection)?;
    Ok(match due {
        Some(due) => Height::new(unsigned(due).saturating_sub(1)).min(tip),
        None => tip,
    })
}

/// Marks whom new blocks touched as to be asked anew.
pub(super) fn touch(connection: &Connection, prepared: &Prepared) -> Result<(), IndexError> {
    for block in &prepared.blocks {
        mark(connection, &block.touched, block.height)?;
    }
    Ok(())
}

/// Takes note of who gave or got tokens of contracts in blocks, older ones as well: which tokens somebody has may be in any
/// of them.
pub(super) fn add_parties(connection: &Connection, prepared: &Prepared) -> Result<(), IndexError> {
    for block in &prepared.blocks {
        for change in &block.changes.coins {
            if let CoinKey::Contract(contract) = &change.token {
                add_party(connection, &change.account, contract, block.height)?;
            }
        }
    }
    Ok(())
}

/// Takes note of who gave or got tokens of a contract. Whoever is new is to be asked for them, even where the bank was asked
/// later than this block came.
fn add_party(connection: &Connection, account: &Address, contract: &Address, at: Height) -> Result<(), IndexError> {
    let sql = "INSERT INTO token_party VALUES (?1, ?2) ON CONFLICT DO NOTHING";
    if connection.prepare_cached(sql)?.execute(params![account.bytes(), contract.bytes()])? == 0 {
        return Ok(());
    }
    connection
        .prepare_cached(
            "INSERT INTO balance_account VALUES (?1, 0, ?2) ON CONFLICT (account) DO UPDATE
             SET due = MIN(COALESCE(due, MAX(?2, height)), MAX(?2, height))",
        )?
        .execute(params![account.bytes(), integer(at.get())])?;
    Ok(())
}

/// Marks accounts as to be asked anew because of what the block at this height did, or did not do after all.
pub(super) fn mark(connection: &Connection, accounts: &BTreeSet<Address>, at: Height) -> Result<(), IndexError> {
    let mut statement = connection.prepare_cached(
        "INSERT INTO balance_account VALUES (?1, 0, ?2)
         ON CONFLICT (account) DO UPDATE SET due = MIN(COALESCE(due, ?2), ?2)
         WHERE height < ?2 OR due IS NOT NULL",
    )?;
    for account in accounts {
        statement.execute(params![account.bytes(), integer(at.get())])?;
    }
    Ok(())
}

/// Forgets that balances above this height were read: the chain goes on otherwise from there.
pub(super) fn undo(connection: &Connection, above: Height) -> Result<(), IndexError> {
    connection.execute(
        "UPDATE balance_account SET due = MIN(COALESCE(due, ?1 + 1), ?1 + 1), height = ?1 WHERE height > ?1",
        [integer(above.get())],
    )?;
    Ok(())
}

fn write(connection: &Connection, answer: &AccountBalances) -> Result<(), IndexError> {
    let account = answer.account.bytes();
    let known = "SELECT height FROM balance_account WHERE account = ?1";
    let known: Option<i64> = connection.prepare_cached(known)?.query_row([account], |row| row.get(0)).optional()?;
    // An older answer than the one that is known says nothing new.
    if known.is_some_and(|known| unsigned(known) > answer.height.get()) {
        return Ok(());
    }
    let mut kept = BTreeSet::new();
    for (denom, contract, amount) in answer.coins.iter().filter(|(_, _, amount)| !amount.is_zero()) {
        let token = holders::token(connection, denom, contract.as_ref())?;
        holders::set(connection, token, account, &encode(Balance::from(*amount)))?;
        kept.insert(token);
    }
    for (contract, amount) in answer.tokens.iter().filter(|(_, amount)| !amount.is_zero()) {
        let token = holders::token_of_contract(connection, contract)?;
        holders::set(connection, token, account, &encode(Balance::from(*amount)))?;
        kept.insert(token);
    }
    holders::leave(connection, account, &kept)?;
    connection
        .prepare_cached(
            "INSERT INTO balance_account VALUES (?1, ?2, NULL)
             ON CONFLICT (account) DO UPDATE SET height = ?2, due = CASE WHEN due > ?2 THEN due END",
        )?
        .execute(params![account, integer(answer.height.get())])?;
    Ok(())
}
