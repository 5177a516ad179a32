//! The Move flavour, checked from outside by what its blocks say.

mod catalogue;
mod checker;
mod shapes;

use std::{collections::BTreeMap, sync::LazyLock};

use rollscope::{
    demo::ledger::{CommittedBlock, Ledger, LedgerOptions, token_names},
    domain::{Address, Height, Vm},
};

use super::{blocks, catalogue::Seen, options};
use checker::Checker;

/// Blocks that most checks look at.
const BLOCKS: u64 = 1_000;

fn ledger(seed: u64, blocks: u64) -> Ledger {
    let options = LedgerOptions { vm: Vm::Move, ..options(seed) };
    let mut ledger = Ledger::genesis(options).expect("the Move flavour exists");
    for _ in 0..blocks {
        ledger.advance();
    }
    ledger
}

/// The first blocks of seed 7, with the ledger after them.
pub(super) static HISTORY: LazyLock<(Ledger, Vec<CommittedBlock>)> = LazyLock::new(|| {
    let ledger = ledger(7, BLOCKS);
    let blocks = blocks(&ledger).collect();
    (ledger, blocks)
});

/// What the events of these blocks say.
static CHECKED: LazyLock<Checker> = LazyLock::new(|| checked(&ledger(7, 0), &HISTORY.1));

fn checked(before: &Ledger, blocks: &[CommittedBlock]) -> Checker {
    let mut checker = Checker::beginning_with(before);
    for block in blocks {
        block.txs.iter().for_each(|tx| checker.take(block.height, tx));
    }
    checker
}

/// Follows what blocks say from one state to another.
pub(super) fn follow(before: &Ledger, blocks: &[CommittedBlock], after: &Ledger) {
    agree(&checked(before, blocks), after);
}

fn agree(checker: &Checker, after: &Ledger) {
    for token in after.tokens() {
        let metadata = token.metadata.expect("every token of a Move rollup has an object");
        let real: BTreeMap<_, _> = after.holders(&token.denom).into_iter().collect();
        assert_eq!(checker.holders(&metadata), real, "holders of {}", token.denom);
        assert_eq!(checker.supply(&metadata), token.supply.get(), "supply of {}", token.denom);
        let most = real.values().max().copied().unwrap_or_default();
        assert!(most.get() <= alloy_primitives::U256::from(u64::MAX), "{} does not fit 64 bits", token.denom);
    }
    assert_eq!(checker.wrong, Vec::<String>::new());
}

#[test]
fn balances_that_follow_from_the_events_are_the_state() {
    let (after, checker) = (&HISTORY.0, &*CHECKED);
    agree(checker, after);
    assert!(checker.stores_opened > 100, "only {} stores were opened", checker.stores_opened);
}

#[test]
fn nfts_and_collections_that_follow_from_the_events_are_the_state() {
    let (after, checker) = (&HISTORY.0, &*CHECKED);
    let real: BTreeMap<Address, _> = after
        .nfts()
        .into_iter()
        .map(|nft| (nft.object.expect("an object"), (nft.collection, nft.token_id, nft.owner, nft.moved)))
        .collect();
    assert_eq!(*checker.nfts(), real);
    let collections = after.collections();
    assert_eq!(collections.len(), 8);
    assert_eq!(ledger(7, 0).collections().len(), 6, "one is created by a transaction, one by an arrival");
    for collection in &collections {
        assert_eq!(after.collection(&collection.address).as_ref(), Some(collection));
        let told = checker.collections.get(&collection.address).expect("it was there or was created");
        assert_eq!(*told, (collection.creator, collection.name.clone(), collection.created));
    }
    for nft in after.nfts() {
        assert_eq!(after.nft(&nft.collection, &nft.token_id), Some(nft));
    }
}

#[test]
fn the_same_seed_gives_the_same_bytes_and_another_does_not() {
    let text = |seed| -> Vec<String> { blocks(&ledger(seed, 150)).map(|block| format!("{block:?}")).collect() };
    let first = text(7);
    let kept: Vec<String> = HISTORY.1.iter().take(150).map(|block| format!("{block:?}")).collect();
    assert_eq!(first, kept, "blocks are the same after more were made");
    assert_ne!(first, text(8));
}

#[test]
fn crowds_are_as_promised() {
    let counts: Vec<usize> = HISTORY.1.iter().map(|block| block.txs.len()).collect();
    assert_eq!(counts.iter().filter(|count| **count > 200).count(), 1);
    assert!(counts.iter().filter(|count| **count == 0).count() > 150);
}

#[test]
fn bodies_logs_and_results_can_be_read() {
    for block in &HISTORY.1 {
        block.txs.iter().for_each(|tx| super::checker::read(block, tx));
    }
}

#[test]
fn everything_in_the_catalogue_happens() {
    let seen = Seen::of(HISTORY.1.iter().flat_map(|block| &block.txs));
    seen.expect_types(catalogue::MESSAGE_TYPES);
    seen.expect_events(catalogue::EVENT_KINDS);
    seen.expect_failures(catalogue::FAILURES);
    shapes::expect_tags(HISTORY.1.iter().flat_map(|block| &block.txs), catalogue::TYPE_TAGS);
}

#[test]
fn events_have_the_keys_and_the_order_of_real_nodes() {
    let txs: Vec<_> = HISTORY.1.iter().flat_map(|block| &block.txs).collect();
    for tx in &txs {
        shapes::check_keys(tx);
        shapes::check_stores(tx);
    }
    shapes::compare(&txs);
}

#[test]
fn a_demo_has_its_size() {
    let options = LedgerOptions { vm: Vm::Move, accounts: 2_000, ..options(7) };
    let mut ledger = Ledger::genesis(options).expect("the Move flavour exists");
    assert_eq!(ledger.chain_id(), "rollscope-move-1");
    let tokens = ledger.tokens();
    for (kind, count) in [("move/", 6), ("l2/", 3), ("ibc/", 3)] {
        assert_eq!(tokens.iter().filter(|token| token.denom.as_str().starts_with(kind)).count(), count, "{kind}");
    }
    assert!(tokens.iter().any(|token| token.decimals == 18) && tokens.iter().any(|token| token.decimals == 6));
    assert!(tokens.iter().all(|token| token.contract.is_none()));
    assert!(ledger.nfts().is_empty(), "each has its mint");
    ledger.advance();
    assert_eq!(ledger.nfts().len(), 1_500);
    assert!(ledger.nfts().iter().all(|nft| nft.collection.bytes().len() == 32 && nft.moved == Height::FIRST));
    let names: Vec<_> = token_names(Vm::Move, 7).into_iter().map(|name| name.denom).collect();
    assert_eq!(names, tokens.into_iter().map(|token| token.denom).collect::<Vec<_>>());
}
