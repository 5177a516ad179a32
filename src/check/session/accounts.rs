//! Whose lists have which transactions.

use std::collections::{BTreeMap, BTreeSet};

use futures_util::{StreamExt as _, stream};

use super::{CheckSession, RECORDS_AT_ONCE, blocks::BlockFacts, listing};
use crate::{
    check::{AccountRole, CheckedPart, CheckedRecord, Findings, KnownWay, SideDifference},
    domain::{Address, Height, TxHash},
    msg::{Order, PageRequest, PageStart, TxQuery, TxScope},
    wire::{ApiError, Tx},
};

/// Rows of the first page of an account: the newest ones are there more often than not.
const FIRST_PAGE: u16 = 100;

/// Rows of the further pages.
const PAGE: u16 = 200;

/// Blocks that are read over on the way to the next one that is wanted, rather than sought anew.
const NEAR: u64 = 50;

/// Accounts that are only numbers of which it is asked whether the indexer takes them for accounts.
const NUMBERS: usize = 3;

/// What an account's lists must have.
struct ExpectedAccount {
    address: Address,
    is_signer: bool,
    txs: BTreeMap<TxHash, AccountRole>,
    heights: BTreeSet<Height>,
}

impl CheckSession {
    /// Compares the lists of all accounts that these blocks name, as far as these blocks go.
    pub(super) async fn check_accounts(&self, facts: &[BlockFacts]) -> Findings {
        let expected = expected(facts);
        let mut checked = stream::iter(&expected).map(|one| self.check_account(one)).buffered(RECORDS_AT_ONCE);
        let mut findings = Findings::default();
        while let Some(found) = checked.next().await {
            findings.take(found);
        }
        findings
    }

    async fn check_account(&self, expected: &ExpectedAccount) -> Findings {
        let mut findings = Findings::default();
        let record = || CheckedRecord::Account { address: expected.address, is_signer: expected.is_signer };
        let scope = TxScope::Account { address: expected.address, signer_only: expected.is_signer };
        let query = TxQuery { scope, msgs: Vec::new() };
        let found = match self.rows_of(&query, &expected.heights).await {
            Ok(found) => found,
            Err(error) => {
                findings.not_asked(CheckedPart::Accounts, record(), format!("the indexer: {error}"));
                return findings;
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
                // Whoever signed later is in no list of signers, nor need be.
                Some(_) if expected.is_signer => {}
                Some(way) => findings.known(way, record()),
                None => {
                    let difference = SideDifference::Missing { node: hash.to_string().into() };
                    findings.differs(CheckedPart::Accounts, record(), difference);
                }
            }
        }
        for hash in found.iter().filter(|hash| !expected.txs.contains_key(*hash)) {
            let difference = SideDifference::Unfounded { indexer: hash.to_string().into() };
            findings.differs(CheckedPart::Accounts, record(), difference);
        }
        findings
    }

    /// The hashes that a list has at these heights.
    async fn rows_of(&self, query: &TxQuery, heights: &BTreeSet<Height>) -> Result<BTreeSet<TxHash>, ApiError> {
        let mut found = BTreeSet::new();
        let first = PageRequest { count_total: false, ..PageRequest::newest(FIRST_PAGE) };
        let page = self.indexer.list(query, &first).await?;
        let is_whole = page.next.is_none();
        let edge = page.items.last().map(|tx| tx.height);
        keep(&page.items, heights, &mut found);
        // The block at the edge may go on behind the page.
        let mut left: BTreeSet<Height> =
            heights.iter().copied().filter(|height| !is_whole && edge.is_some_and(|edge| *height <= edge)).collect();
        while let Some(lowest) = left.first().copied() {
            let read = self.read_from(query, lowest, &left, &mut found).await?;
            left.retain(|height| read.is_some_and(|read| *height > read));
        }
        Ok(found)
    }

    /// Reads upwards from a height as long as wanted ones are near; the last height that was read to its end, `None` at the
    /// list's end. Upwards since places in a list that grows at its other end stay what they are.
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

    /// How many rows of a list lie below a height, by halves.
    async fn place_of(&self, query: &TxQuery, height: Height) -> Result<u64, ApiError> {
        let one = |place| PageRequest {
            cursor: PageStart::Offset(place),
            limit: 1,
            order: Order::Ascending,
            count_total: false,
        };
        let counted = PageRequest { count_total: true, ..one(0) };
        let (_, body) = self.indexer.list_and_body(query, &counted).await?;
        // Where it gave up counting, the end is sought as well.
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

fn keep(rows: &[std::sync::Arc<Tx>], heights: &BTreeSet<Height>, found: &mut BTreeSet<TxHash>) {
    found.extend(rows.iter().filter(|tx| heights.contains(&tx.height)).map(|tx| tx.txhash));
}

/// What each account's lists must have of these blocks.
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
