//! Comparison of the transaction lists of accounts.

use std::collections::{BTreeMap, BTreeSet};

use futures_util::{StreamExt as _, stream};
use sha3::{Digest as _, Sha3_256};

use super::{CheckSession, RECORDS_AT_ONCE, blocks::BlockFacts, placed::PlacedRow, totals::AccountList};
use crate::{
    check::{CheckedPart, CheckedRecord, Findings, KnownWay, SideDifference},
    client::ListEndpoint,
    domain::{Address, Height, TxHash},
    indexer::index::AccountRole,
    msg::{EvmTxScope, InternalTxScope, TxQuery, TxScope},
};

/// Number of numeric texts to test: the indexer may mistake numbers for accounts.
const NUMBERS: usize = 3;

/// Move stores that transactions used, each with the metadata object of its asset.
type StoresByTx<'a> = BTreeMap<TxHash, &'a BTreeSet<(Address, Address)>>;

/// Names of records with the accounts whose lists contain them, by block; `None` if they were not compared.
type MembersByBlock<'a, N> = Vec<(Height, Option<&'a BTreeSet<(N, Address)>>)>;

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

    /// Compares the lists of receipts and of call frames of all accounts in these blocks, within these blocks.
    pub(super) async fn check_evm_lists(&self, facts: &[BlockFacts]) -> Findings {
        let receipts: MembersByBlock<_> = facts.iter().map(|block| (block.height, block.receipts.as_ref())).collect();
        let scope = |address| EvmTxScope::Account { address, signer_only: false };
        let mut findings = self.check_evm_list(CheckedPart::Receipts, &receipts, scope).await;
        let calls: MembersByBlock<_> = facts.iter().map(|block| (block.height, block.calls.as_ref())).collect();
        findings.take(self.check_evm_list(CheckedPart::Calls, &calls, InternalTxScope::Account).await);
        findings
    }

    async fn check_evm_list<Q>(
        &self,
        part: CheckedPart,
        blocks: &MembersByBlock<'_, <Q::Item as PlacedRow>::Name>,
        scope: impl Fn(Address) -> Q,
    ) -> Findings
    where
        Q: ListEndpoint<Item: PlacedRow<Name: Clone>>,
    {
        let compared = blocks.iter().filter_map(|(height, members)| Some((*height, (*members)?)));
        let heights: BTreeSet<Height> = compared.clone().map(|(height, _)| height).collect();
        let mut expected: BTreeMap<Address, BTreeSet<_>> = BTreeMap::new();
        for (name, account) in compared.flat_map(|(_, members)| members) {
            expected.entry(*account).or_default().insert(name.clone());
        }
        let lists: Vec<_> = expected.into_iter().map(|(address, names)| (address, scope(address), names)).collect();
        let asked = lists.iter().map(|(address, query, names)| {
            let record = CheckedRecord::Account { address: *address, is_signer: false };
            self.check_members((part, record), query, (names, false), &heights)
        });
        let mut checked = stream::iter(asked).buffered(RECORDS_AT_ONCE);
        let mut findings = Findings::default();
        while let Some(found) = checked.next().await {
            findings.take(found);
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
