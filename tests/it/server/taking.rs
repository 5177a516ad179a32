//! Holders that are taken over piece by piece, while blocks come in between.

use std::collections::BTreeMap;

use rollscope::{
    demo::ledger::{CommittedBlock, FungibleToken, Ledger, LedgerOptions, NftCollection, OwnedNft},
    domain::{Address, Amount, Balance, Denom, Height, Timestamp},
    indexer::{
        index::{Index, Seek, TokenKey},
        source::Source,
    },
};

use crate::harness::chain_of;

/// More than one piece for each token that everybody has.
const ACCOUNTS: u32 = 4_500;

fn options() -> LedgerOptions {
    LedgerOptions { accounts: ACCOUNTS, ..chain_of(0).ledger }
}

/// Makes a block and brings it into the index.
fn advance(ledger: &mut Ledger, index: &Index) {
    let height = ledger.advance();
    let block = ledger.block(height).expect("it was just made");
    let mut prepared = index.prepare(vec![block], Some(Timestamp::EPOCH)).expect("a block can be prepared");
    prepared.ask(ledger);
    index.write(&prepared).expect("blocks follow each other");
}

fn listed(index: &Index, denom: &Denom) -> Option<BTreeMap<Address, Balance>> {
    let mut all = BTreeMap::new();
    loop {
        let seek = Seek { offset: all.len() as u64, limit: 1_000, descending: true, ..Seek::default() };
        let page = index.holders(&TokenKey::Denom(denom.to_string()), &seek).expect("the index is whole")?;
        if page.rows.is_empty() {
            assert_eq!(page.total, i64::try_from(all.len()).ok());
            return Some(all);
        }
        for holder in page.rows {
            let account = holder.account.parse().expect("an address");
            assert!(all.insert(account, holder.amount).is_none(), "nobody comes twice");
        }
    }
}

/// Whoever has something by the index and by the ledger, token after token.
fn assert_equal(index: &Index, ledger: &Ledger) {
    for token in ledger.tokens() {
        let mut found = listed(index, &token.denom).expect("every token has its list");
        found.retain(|_, amount| *amount != Balance::default());
        let expected = ledger.holders(&token.denom).into_iter().map(|(account, amount)| (account, amount.into()));
        assert_eq!(found, expected.collect(), "{}", token.denom);
    }
}

#[test]
fn blocks_that_come_between_two_pieces_change_the_list() {
    let mut ledger = Ledger::genesis(options()).unwrap();
    let index = Index::in_memory(&options().identity(), 20_000).unwrap();
    (0..3).for_each(|_| advance(&mut ledger, &index));
    let (mut pieces, first) = (0, ledger.tokens().remove(0).denom);
    while index.take_state(&ledger, true).unwrap() {
        pieces += 1;
        assert_eq!(listed(&index, &first).is_some(), index.rich_list_height().unwrap().is_some());
        assert_eq!(listed(&index, &first).is_some(), pieces >= 4, "NFTs, the beginning, two pieces: {pieces}");
        (0..3).for_each(|_| advance(&mut ledger, &index));
    }
    assert!(pieces > 20, "{pieces}");
    assert_eq!(index.rich_list_height().unwrap(), ledger.tip());
    assert_equal(&index, &ledger);
}

#[test]
fn an_unfinished_list_in_a_file_begins_anew() {
    let folder = tempfile::tempdir().unwrap();
    let mut ledger = Ledger::genesis(options()).unwrap();
    let open = || {
        let index = Index::in_file(&folder.path().join("index.sqlite"), &options().identity());
        index.unwrap().with_rich_list_lag(1)
    };
    let index = open();
    advance(&mut ledger, &index);
    for _ in 0..3 {
        assert!(index.take_state(&ledger, true).unwrap());
        advance(&mut ledger, &index);
    }
    drop(index);
    let index = open();
    advance(&mut ledger, &index);
    while index.take_state(&ledger, true).unwrap() {}
    assert_equal(&index, &ledger);
    let before = ledger.tip().and_then(Height::previous);
    advance(&mut ledger, &index);
    assert!(index.rich_list_height().unwrap() > before);
}

/// Tokens of a factory that differ in nothing but case, each with a holder of its own.
struct Cased(Ledger);

impl Source for Cased {
    fn chain_id(&self) -> &str {
        self.0.chain_id()
    }

    fn tip(&self) -> Option<Height> {
        self.0.tip()
    }

    fn time(&self, height: Height) -> Timestamp {
        self.0.time(height)
    }

    fn block(&self, height: Height) -> Option<CommittedBlock> {
        self.0.block(height)
    }

    fn tokens(&self) -> Vec<FungibleToken> {
        let token = |denom: &str| FungibleToken {
            denom: Denom::new(denom),
            contract: None,
            metadata: None,
            symbol: "COIN".into(),
            decimals: 6,
            supply: Amount::ZERO,
        };
        ["factory/a/Coin", "factory/a/coin", "factory/a/Other"].map(token).into()
    }

    fn holders(&self, denom: &Denom) -> Vec<(Address, Amount)> {
        let byte = denom.as_str().as_bytes().get(10).copied().unwrap_or_default();
        vec![(Address::Short([byte; 20]), Amount::from(u128::from(byte)))]
    }

    fn collections(&self) -> Vec<NftCollection> {
        Vec::new()
    }

    fn nfts(&self) -> Vec<OwnedNft> {
        Vec::new()
    }
}

#[test]
fn denoms_that_differ_by_case_have_lists_of_their_own() {
    let mut ledger = Ledger::genesis(options()).unwrap();
    let index = Index::in_memory(&options().identity(), 20_000).unwrap();
    advance(&mut ledger, &index);
    let source = Cased(ledger);
    while index.take_state(&source, true).unwrap() {}
    let holder = |denom: &str| {
        let list = listed(&index, &Denom::new(denom))?;
        list.into_values().next().map(|amount| amount.to_string())
    };
    for (denom, expected) in [
        ("factory/a/Coin", Some(b'C')),
        ("factory/a/coin", Some(b'c')),
        ("factory/a/COIN", None),
        ("factory/a/Other", Some(b'O')),
        ("FACTORY/A/OTHER", Some(b'O')),
        ("factory/a/none", None),
    ] {
        assert_eq!(holder(denom), expected.map(|byte| byte.to_string()), "{denom}");
    }
}
