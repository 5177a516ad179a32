//! Balances of the rich list, queried from a rollup's node: known accounts, the heights of their balances, and the
//! accounts to query again. All amounts come from the chain; blocks only mark the accounts that they touch.

use std::collections::BTreeSet;

use crate::indexer::index::dialect::{Connection, OptionalRow as _, row_of};
use rusqlite::params;

use super::{
    ChainBranch, Index, IndexError,
    changes::CoinKey,
    holders::{self, encode},
    integer, meta, nft,
    prepare::Prepared,
    state, unsigned,
};
use crate::domain::{Address, Amount, Balance, Denom, Height};

/// Accounts with the height of their balances. `due` is the lowest later block that touched the account; `height` 0
/// means never queried. `token_party` contains all senders and receivers of contract tokens.
pub(super) const TABLES: &str = "
    CREATE TABLE IF NOT EXISTS balance_account (
        account BLOB PRIMARY KEY, height INTEGER NOT NULL, due INTEGER
    ) WITHOUT ROWID;
    CREATE INDEX IF NOT EXISTS balance_due ON balance_account (due) WHERE due IS NOT NULL;
    CREATE TABLE IF NOT EXISTS token_party (
        account BLOB NOT NULL, contract BLOB NOT NULL, PRIMARY KEY (account, contract)
    ) WITHOUT ROWID;";

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AccountBalances {
    pub account: Address,
    pub height: Height,
    /// Bank coins, each denom once, with its ERC-20 contract if known.
    pub coins: Vec<(Denom, Option<Address>, Amount)>,
    /// Balances from ERC-20 contracts that the bank does not list, each contract once.
    pub tokens: Vec<(Address, Amount)>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DueBalances {
    pub account: Address,
    /// ERC-20 contracts whose tokens the account has sent or received.
    pub contracts: Vec<Address>,
}

impl Index {
    /// Adds existing accounts; new accounts become due at this height.
    pub fn add_accounts(&self, branch: ChainBranch, accounts: &[Address], at: Height) -> Result<(), IndexError> {
        self.write_on(branch, |connection| {
            let sql = "INSERT INTO balance_account VALUES (?1, 0, ?2) ON CONFLICT (account) DO NOTHING";
            connection.insert_all(sql, accounts.iter().map(|account| row_of![account.bytes(), integer(at.get())]))
        })
    }

    /// Returns accounts whose balances are due, longest due first.
    pub fn due_balances(&self, limit: u16) -> Result<Vec<DueBalances>, IndexError> {
        self.database.read(|connection| {
            let sql = "SELECT account FROM balance_account WHERE due IS NOT NULL ORDER BY due LIMIT ?1";
            let mut statement = connection.prepare_cached(sql)?;
            let due: Vec<Vec<u8>> = statement.query_map([limit], |row| row.get(0))?.collect::<Result<_, _>>()?;
            let mut statement = connection.prepare_cached("SELECT contract FROM token_party WHERE account = ?1")?;
            due.into_iter()
                .map(|account| {
                    let contracts: Vec<Vec<u8>> =
                        statement.query_map([&account], |row| row.get(0))?.collect::<Result<_, _>>()?;
                    let contracts = contracts.iter().map(|bytes| nft::address(bytes)).collect::<Result<_, _>>()?;
                    Ok(DueBalances { account: nft::address(&account)?, contracts })
                })
                .collect()
        })
    }

    pub fn write_balances(&self, branch: ChainBranch, answers: &[AccountBalances]) -> Result<(), IndexError> {
        self.write_on(branch, |connection| answers.iter().try_for_each(|answer| write(connection, answer)))
    }

    /// Records that the index knows every account of the chain: the list is then complete except for due accounts.
    pub fn set_balances_whole(&self, branch: ChainBranch) -> Result<(), IndexError> {
        self.write_on(branch, |connection| {
            connection.execute("UPDATE rich_token SET is_whole = 1 WHERE by_events = 0", [])?;
            meta::save(connection, holders::WHOLE, b"1")
        })
    }

    /// Records that all blocks are indexed and all their accounts were queried: the lists of tokens outside of the bank
    /// are then complete too.
    pub fn set_parties_whole(&self, branch: ChainBranch) -> Result<(), IndexError> {
        self.write_on(branch, |connection| {
            connection.execute("UPDATE rich_token SET is_whole = 1 WHERE by_events = 1", [])?;
            meta::save(connection, holders::PARTIES, b"1")
        })
    }

    /// Whether [`Self::set_parties_whole`] was called.
    pub fn has_parties(&self) -> Result<bool, IndexError> {
        self.database.read(|connection| Ok(meta::load(connection, holders::PARTIES)?.is_some()))
    }

    /// Whether the index knows every account of the chain and has queried each at least once.
    pub fn has_balances(&self) -> Result<bool, IndexError> {
        self.database.read(|connection| Ok(meta::load(connection, holders::WHOLE)?.is_some()))
    }
}

/// Returns the height at which the whole list is correct: the newest block, or the block below the first block that
/// touched a due account.
pub(super) fn height(connection: &Connection) -> Result<Option<Height>, IndexError> {
    if meta::load(connection, holders::WHOLE)?.is_none() {
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

/// Marks the accounts that new blocks touched as due.
pub(super) fn touch(connection: &Connection, prepared: &Prepared) -> Result<(), IndexError> {
    for block in &prepared.blocks {
        mark(connection, &block.touched, block.height)?;
    }
    Ok(())
}

/// Records senders and receivers of contract tokens in any blocks. The balances of new ones become due, even if their
/// bank balances were queried after the block: at the newest block, since an older one changes no listed balance.
pub(super) fn add_parties(connection: &Connection, prepared: &Prepared) -> Result<(), IndexError> {
    let parties = prepared.blocks.iter().flat_map(|block| {
        block.changes.coins.iter().filter_map(|change| match &change.token {
            CoinKey::Contract(contract) => Some((&change.account, contract, block.height)),
            CoinKey::Denom(_) | CoinKey::Metadata(_) => None,
        })
    });
    add(connection, &parties.collect::<Vec<_>>())
}

fn add(connection: &Connection, parties: &[(&Address, &Address, Height)]) -> Result<(), IndexError> {
    let rows = parties.iter().map(|(account, contract, _)| row_of![account.bytes(), contract.bytes()]);
    let sql = "INSERT INTO token_party VALUES (?1, ?2) ON CONFLICT DO NOTHING";
    let new = connection.prepare_cached(sql)?.execute_each(rows)?;
    let newest = state::height(connection)?;
    let new = parties.iter().zip(new).filter(|(_, inserted)| *inserted > 0).map(|((account, _, at), _)| {
        row_of![account.bytes(), integer(newest.map_or(*at, |newest| newest.max(*at)).get())]
    });
    connection
        .prepare_cached(
            "INSERT INTO balance_account VALUES (?1, 0, ?2) ON CONFLICT (account) DO UPDATE SET due = MIN(
                 COALESCE(balance_account.due, MAX(?2, balance_account.height)), MAX(?2, balance_account.height))",
        )?
        .execute_each(new)?;
    Ok(())
}

/// Marks accounts as due because a block was added or removed.
pub(super) fn mark(connection: &Connection, accounts: &BTreeSet<Address>, at: Height) -> Result<(), IndexError> {
    connection.insert_all(
        "INSERT INTO balance_account VALUES (?1, 0, ?2)
         ON CONFLICT (account) DO UPDATE SET due = MIN(COALESCE(balance_account.due, excluded.due), excluded.due)
         WHERE balance_account.height < excluded.due OR balance_account.due IS NOT NULL",
        accounts.iter().map(|account| row_of![account.bytes(), integer(at.get())]),
    )
}

/// After a rollback, marks balances from above this height as due; what was due above is due at once.
pub(super) fn undo(connection: &Connection, above: Height) -> Result<(), IndexError> {
    connection.execute(
        "UPDATE balance_account SET due = MIN(COALESCE(due, ?1 + 1), ?1 + 1), height = MIN(height, ?1)
         WHERE height > ?1 OR due > ?1 + 1",
        [integer(above.get())],
    )?;
    Ok(())
}

fn write(connection: &Connection, answer: &AccountBalances) -> Result<(), IndexError> {
    let account = answer.account.bytes();
    let known = "SELECT height FROM balance_account WHERE account = ?1";
    let known: Option<i64> = connection.prepare_cached(known)?.query_row([account], |row| row.get(0)).optional()?;
    // A response older than the stored balances is useless.
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
             ON CONFLICT (account) DO UPDATE SET height = ?2,
                 due = CASE WHEN balance_account.due > ?2 THEN balance_account.due END",
        )?
        .execute(params![account, integer(answer.height.get())])?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{
        super::{IndexFeed, IndexIdentity},
        *,
    };
    use crate::domain::Vm;

    fn at(height: u64) -> Height {
        Height::new(height).unwrap()
    }

    /// Adds a party of an old block, as the backfill does.
    fn add_old(index: &Index, account: Address) {
        let contract = Address::Short([9; 20]);
        index.database.write(|connection| add(connection, &[(&account, &contract, at(40))])).unwrap();
    }

    fn index() -> Index {
        let identity = IndexIdentity { vm: Vm::Evm, feed: IndexFeed::Node, facts: Vec::new() };
        Index::in_memory(&identity, 100).unwrap()
    }

    fn answer(account: Address, height: u64) -> AccountBalances {
        AccountBalances { account, height: at(height), coins: Vec::new(), tokens: Vec::new() }
    }

    #[test]
    fn balances_of_a_chain_that_was_left_meanwhile_are_not_written() {
        let (index, account) = (index(), Address::Short([1; 20]));
        let (branch, due) = (index.branch(), [DueBalances { account, contracts: Vec::new() }]);
        index.put_aside().unwrap();
        index.add_accounts(branch, &[Address::Short([2; 20])], at(10)).unwrap();
        index.add_accounts(index.branch(), &[account], at(10)).unwrap();
        index.write_balances(branch, &[answer(account, 20)]).unwrap();
        index.set_balances_whole(branch).unwrap();
        index.set_parties_whole(branch).unwrap();
        assert_eq!(index.due_balances(9).unwrap(), due);
        assert_eq!((index.has_balances().unwrap(), index.has_parties().unwrap()), (false, false));
        index.write_balances(index.branch(), &[answer(account, 20)]).unwrap();
        assert_eq!(index.due_balances(9).unwrap(), []);
    }

    #[test]
    fn accounts_of_old_blocks_do_not_age_the_list() {
        let index = index();
        index.set_balances_whole(index.branch()).unwrap();
        index.database.write(|connection| state::set_height(connection, at(500))).unwrap();
        let [known, other] = [Address::Short([1; 20]), Address::Short([2; 20])];
        add_old(&index, known);
        assert_eq!(index.rich_list_height().unwrap(), Some(at(499)), "whoever is due may have changed since");
        index.write_balances(index.branch(), &[answer(known, 500)]).unwrap();
        assert_eq!(index.rich_list_height().unwrap(), Some(at(500)));
        add_old(&index, other);
        index
            .database
            .write(|connection| {
                undo(connection, at(480))?;
                state::set_height(connection, at(480))
            })
            .unwrap();
        let answers = [known, other].map(|account| answer(account, 481));
        index.write_balances(index.branch(), &answers).unwrap();
        assert_eq!(index.due_balances(9).unwrap(), [], "nothing waits for the blocks that were taken back");
    }
}
