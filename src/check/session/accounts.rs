//! Comparison of the transaction lists of accounts.

use std::collections::{BTreeMap, BTreeSet};

use futures_util::{StreamExt as _, stream};
use sha3::{Digest as _, Sha3_256};

use super::{CheckSession, RECORDS_AT_ONCE, blocks::BlockFacts, listing, totals::AccountList};
use crate::{
    check::{CheckedPart, CheckedRecord, Findings, KnownWay, SideDifference},
    domain::{Address, Height, TxHash},
    indexer::index::AccountRole,
    msg::{Order, PageRequest, PageStart, TxQuery, TxScope},
    wire::{ApiError, Tx},
};

/// Rows of an account's first page; its newest rows usually suffice.
const FIRST_PAGE: u16 = 100;

const PAGE: u16 = 200;

/// Maximum blocks to read through; for a longer distance, the check searches for the next requested block.
const NEAR: u64 = 50;

/// Number of numeric texts to test: the indexer may mistake numbers for accounts.
const NUMBERS: usize = 3;

/// Move stores that transactions used, each with the metadata object of its asset.
type StoresByTx<'a> = BTreeMap<TxHash, &'a BTreeSet<(Address, Address)>>;

/// Scheme byte of a primary store, which an account has for each asset.
const PRIMARY_STORE: u8 = 0xfc;

struct ExpectedAccount {
    address: Address,
    is_signer: bool,
    txs: BTreeMap<TxHash, AccountRole>,
    heights: BTreeSet<Height>,
}

impl CheckSession {
    /// Compares the lists of all accounts named in these blocks, within these blocks. Also returns the expected counts
    /// if all requests succeeded; known losses are not counted.
    pub(super) async fn check_accounts(&self, facts: &[BlockFacts]) -> (Findings, Option<Vec<(AccountList, u64)>>) {
        let expected = expected(facts);
        let stores = facts.iter().flat_map(|block| &block.txs).filter(|tx| !tx.stores.is_empty());
        let stores: StoresByTx<'_> = stores.map(|tx| (tx.hash, &tx.stores)).collect();
        let mut checked = stream::iter(&expected).map(|one| self.check_account(one, &stores)).buffered(RECORDS_AT_ONCE);
        let mut findings = Findings::default();
        let mut lists = Some(Vec::with_capacity(expected.len()));
        let mut of = expected.iter();
        while let (Some((found, count)), Some(of)) = (checked.next().await, of.next()) {
            findings.take(found);
            lists = lists.zip(count).map(|(mut lists, count)| {
                lists.push(((of.address, of.is_signer), count));
                lists
            });
        }
        (findings, lists)
    }

    /// Compares one account; also returns the expected number of transactions, or `None` if a request failed.
    async fn check_account(&self, expected: &ExpectedAccount, stores: &StoresByTx<'_>) -> (Findings, Option<u64>) {
        let mut findings = Findings::default();
        let record = || CheckedRecord::Account { address: expected.address, is_signer: expected.is_signer };
        let scope = TxScope::Account { address: expected.address, signer_only: expected.is_signer };
        let query = TxQuery { scope, msgs: Vec::new() };
        let found = match self.rows_of(&query, &expected.heights).await {
            Ok(found) => found,
            Err(error) => {
                findings.not_asked(CheckedPart::Accounts, record(), format!("the indexer: {error}"));
                return (findings, None);
            }
        };
        findings.compared(CheckedPart::Accounts, 1);
        for (hash, role) in &expected.txs {
            let way = match role {
                AccountRole::Signer | AccountRole::Event => None,
                AccountRole::LaterSigner => Some(KnownWay::LaterSigner),
                AccountRole::Quoted => Some(KnownWay::QuotedAccount),
                AccountRole::Message => Some(KnownWay::MessageAccount),
                AccountRole::Number => {
                    if found.contains(hash) {
                        findings.known(KnownWay::NumberAsAccount, record());
                    }
                    continue;
                }
            };
            match way {
                _ if found.contains(hash) => {}
                // The list of signers contains only first signers.
                Some(_) if expected.is_signer => {}
                Some(way) => findings.known(way, record()),
                None => {
                    let difference = SideDifference::Missing { node: hash.to_string().into() };
                    findings.differs(CheckedPart::Accounts, record(), difference);
                }
            }
        }
        let mut owned = 0;
        for hash in found.iter().filter(|hash| !expected.txs.contains_key(*hash)) {
            // The transaction used the account's own store, but an earlier event named the owner.
            if !expected.is_signer && stores.get(hash).is_some_and(|stores| is_owner(&expected.address, stores)) {
                owned += 1;
                continue;
            }
            let difference = SideDifference::Unfounded { indexer: hash.to_string().into() };
            findings.differs(CheckedPart::Accounts, record(), difference);
        }
        let is_sure = |role: &AccountRole| matches!(role, AccountRole::Signer | AccountRole::Event);
        let counted = expected.txs.iter().filter(|(hash, role)| is_sure(role) || found.contains(*hash)).count();
        (findings, Some((counted + owned) as u64))
    }

    /// Returns the hashes of a list at these heights.
    async fn rows_of(&self, query: &TxQuery, heights: &BTreeSet<Height>) -> Result<BTreeSet<TxHash>, ApiError> {
        let mut found = BTreeSet::new();
        let first = PageRequest { count_total: false, ..PageRequest::newest(FIRST_PAGE) };
        let page = self.indexer.list(query, &first).await?;
        let is_whole = page.next.is_none();
        let edge = page.items.last().map(|tx| tx.height);
        keep(&page.items, heights, &mut found);
        // The block at the edge of the page may continue on the next page.
        let mut left: BTreeSet<Height> =
            heights.iter().copied().filter(|height| !is_whole && edge.is_some_and(|edge| *height <= edge)).collect();
        while let Some(lowest) = left.first().copied() {
            let read = self.read_from(query, lowest, &left, &mut found).await?;
            left.retain(|height| read.is_some_and(|read| *height > read));
        }
        Ok(found)
    }

    /// Reads upwards from a height while requested heights are near. Returns the last complete height; `None` at the
    /// list's end. Offsets stay valid, because the list grows at the other end.
    async fn read_from(
        &self,
        query: &TxQuery,
        lowest: Height,
        wanted: &BTreeSet<Height>,
        found: &mut BTreeSet<TxHash>,
    ) -> Result<Option<Height>, ApiError> {
        let place = self.place_of(query, lowest).await?;
        let mut page =
            PageRequest { cursor: PageStart::Offset(place), limit: PAGE, order: Order::Ascending, count_total: false };
        loop {
            let answer = self.indexer.list(query, &page).await?;
            keep(&answer.items, wanted, found);
            let (Some(next), Some(last)) = (answer.next, answer.items.last().map(|tx| tx.height)) else {
                return Ok(None);
            };
            let further = wanted.range(last..).next();
            if further.is_none_or(|further| further.get() - last.get() > NEAR) {
                return Ok(Some(last.max(lowest)));
            }
            page = PageRequest { cursor: PageStart::Key(next), ..page };
        }
    }

    /// Counts the rows of a list below a height, by bisection.
    async fn place_of(&self, query: &TxQuery, height: Height) -> Result<u64, ApiError> {
        let one = |place| PageRequest {
            cursor: PageStart::Offset(place),
            limit: 1,
            order: Order::Ascending,
            count_total: false,
        };
        let counted = PageRequest { count_total: true, ..one(0) };
        let (_, body) = self.indexer.list_and_body(query, &counted).await?;
        // If the indexer stopped counting, bisection finds the end too.
        let (mut low, mut high) = (0, body.as_deref().and_then(listing::total_of).unwrap_or(u64::from(u32::MAX)));
        while low < high {
            let middle = low + (high - low) / 2;
            let row = self.indexer.list(query, &one(middle)).await?;
            match row.items.first() {
                Some(tx) if tx.height < height => low = middle + 1,
                _ => high = middle,
            }
        }
        Ok(low)
    }
}

/// Whether one of these stores is the account's primary store, whose address derives from account and metadata object.
fn is_owner(account: &Address, stores: &BTreeSet<(Address, Address)>) -> bool {
    let own = |metadata: &Address| -> [u8; 32] {
        let made_of = [account.word().as_slice(), metadata.word().as_slice(), &[PRIMARY_STORE]].concat();
        Sha3_256::digest(made_of).into()
    };
    stores.iter().any(|(store, metadata)| own(metadata) == store.word())
}

fn keep(rows: &[std::sync::Arc<Tx>], heights: &BTreeSet<Height>, found: &mut BTreeSet<TxHash>) {
    found.extend(rows.iter().filter(|tx| heights.contains(&tx.height)).map(|tx| tx.txhash));
}

/// Returns the expected lists of each account in these blocks.
fn expected(facts: &[BlockFacts]) -> Vec<ExpectedAccount> {
    let heights: BTreeSet<Height> = facts.iter().map(|block| block.height).collect();
    let mut lists: BTreeMap<(Address, bool), BTreeMap<TxHash, AccountRole>> = BTreeMap::new();
    for tx in facts.iter().flat_map(|block| &block.txs) {
        for (address, role) in &tx.accounts {
            lists.entry((*address, false)).or_default().insert(tx.hash, *role);
            if matches!(role, AccountRole::Signer | AccountRole::LaterSigner) {
                lists.entry((*address, true)).or_default().insert(tx.hash, *role);
            }
        }
    }
    let mut numbers = 0;
    let mut expected = Vec::with_capacity(lists.len());
    for ((address, is_signer), txs) in lists {
        if txs.values().all(|role| *role == AccountRole::Number) {
            numbers += 1;
            if numbers > NUMBERS {
                continue;
            }
        }
        expected.push(ExpectedAccount { address, is_signer, txs, heights: heights.clone() });
    }
    expected
}
