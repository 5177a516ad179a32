//! Comparison of the transaction lists of accounts.

use std::collections::{BTreeMap, BTreeSet};

use futures_util::{StreamExt as _, stream};
use sha3::{Digest as _, Sha3_256};

use super::{CheckSession, RECORDS_AT_ONCE, blocks::BlockFacts, totals::AccountList};
use crate::{
    check::{CheckedPart, CheckedRecord, Findings, KnownWay, SideDifference},
    domain::{Address, EvmTxHash, Height, TxHash},
    indexer::index::AccountRole,
    msg::{EvmTxScope, TxQuery, TxScope},
};

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
                lists.extend((count > 0).then_some(((of.address, of.is_signer), count)));
                lists
            });
        }
        (findings, lists)
    }

    /// Compares the lists of receipts of all accounts in these blocks, within these blocks.
    pub(super) async fn check_receipt_lists(&self, facts: &[BlockFacts]) -> Findings {
        let blocks: Vec<_> = facts.iter().filter_map(|block| Some((block.height, block.receipts.as_ref()?))).collect();
        let heights: BTreeSet<Height> = blocks.iter().map(|(height, _)| *height).collect();
        let mut expected: BTreeMap<Address, BTreeSet<EvmTxHash>> = BTreeMap::new();
        for (hash, accounts) in blocks.iter().flat_map(|(_, receipts)| *receipts) {
            for account in accounts {
                expected.entry(*account).or_default().insert(*hash);
            }
        }
        let mut checked = stream::iter(&expected)
            .map(|(account, receipts)| self.check_receipt_list(*account, receipts, &heights))
            .buffered(RECORDS_AT_ONCE);
        let mut findings = Findings::default();
        while let Some(found) = checked.next().await {
            findings.take(found);
        }
        findings
    }

    async fn check_receipt_list(
        &self,
        address: Address,
        expected: &BTreeSet<EvmTxHash>,
        heights: &BTreeSet<Height>,
    ) -> Findings {
        let mut findings = Findings::default();
        let record = || CheckedRecord::Account { address, is_signer: false };
        let scope = EvmTxScope::Account { address, signer_only: false };
        match self.rows_of(&scope, heights).await {
            Ok(found) => {
                findings.compared(CheckedPart::Receipts, 1);
                for hash in expected.difference(&found) {
                    let difference = SideDifference::Missing { node: hash.to_string().into() };
                    findings.differs(CheckedPart::Receipts, record(), difference);
                }
                for hash in found.difference(expected) {
                    let difference = SideDifference::Unfounded { indexer: hash.to_string().into() };
                    findings.differs(CheckedPart::Receipts, record(), difference);
                }
            }
            Err(error) => findings.not_asked(CheckedPart::Receipts, record(), format!("the indexer: {error}")),
        }
        findings
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
}

/// Whether one of these stores is the account's primary store: its address derives from account and metadata object.
fn is_owner(account: &Address, stores: &BTreeSet<(Address, Address)>) -> bool {
    let own = |metadata: &Address| -> [u8; 32] {
        let made_of = [account.word().as_slice(), metadata.word().as_slice(), &[PRIMARY_STORE]].concat();
        Sha3_256::digest(made_of).into()
    };
    stores.iter().any(|(store, metadata)| own(metadata) == store.word())
}

/// Returns the expected lists of each account in these blocks.
fn expected(facts: &[BlockFacts]) -> Vec<ExpectedAccount> {
    let heights: BTreeSet<Height> = facts.iter().map(|block| block.height).collect();
    let mut lists: BTreeMap<(Address, bool), BTreeMap<TxHash, AccountRole>> = BTreeMap::new();
    for tx in facts.iter().flat_map(|block| &block.txs) {
        for (address, role) in &tx.accounts {
            lists.entry((*address, false)).or_default().insert(tx.hash, *role);
            // The list of who signed nothing must be empty there.
            if *role != AccountRole::Number {
                lists.entry((*address, true)).or_default();
            }
            if matches!(role, AccountRole::Signer | AccountRole::LaterSigner) {
                lists.entry((*address, true)).or_default().insert(tx.hash, *role);
            }
        }
    }
    let mut numbers = 0;
    let mut expected = Vec::with_capacity(lists.len());
    for ((address, is_signer), txs) in lists {
        if !is_signer && txs.values().all(|role| *role == AccountRole::Number) {
            numbers += 1;
            if numbers > NUMBERS {
                continue;
            }
        }
        expected.push(ExpectedAccount { address, is_signer, txs, heights: heights.clone() });
    }
    expected
}
