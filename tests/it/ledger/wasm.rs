//! The Wasm rollup, checked from outside by what its blocks say.

mod catalogue;
mod checker;
mod shapes;

use std::{
    collections::{BTreeMap, BTreeSet},
    net::{Ipv4Addr, SocketAddr},
    sync::LazyLock,
};

use rollscope::{
    demo::{
        ClockMode, Rollup, RollupOptions,
        ledger::{CommittedBlock, Ledger, LedgerOptions, token_names},
    },
    domain::{Amount, Height, Vm},
};
use serde_json::Value;

use self::checker::Checker;
use super::{blocks, catalogue::Seen, checker::read};

/// Blocks that most checks look at.
const BLOCKS: u64 = 1_500;

fn options(seed: u64) -> LedgerOptions {
    LedgerOptions { vm: Vm::Wasm, ..super::options(seed) }
}

fn ledger(seed: u64, blocks: u64) -> Ledger {
    let mut ledger = Ledger::genesis(options(seed)).expect("the Wasm flavour exists");
    for _ in 0..blocks {
        ledger.advance();
    }
    ledger
}

/// The first blocks of seed 7, written out once for all tests that only read them.
pub(super) static HISTORY: LazyLock<Vec<CommittedBlock>> = LazyLock::new(|| blocks(&ledger(7, BLOCKS)).collect());

#[test]
fn every_transaction_conserves_every_coin() {
    let mut checker = Checker::default();
    for block in HISTORY.iter() {
        block.txs.iter().for_each(|tx| checker.take(block.height, tx));
    }
    assert!(checker.movements > 5_000, "only {} movements were seen", checker.movements);
    assert_eq!(checker.faults, Vec::<String>::new());
}

#[test]
fn balances_and_owners_that_follow_from_the_events_are_the_state() {
    follow(&ledger(7, 0), &HISTORY, &ledger(7, BLOCKS));
}

/// Follows what blocks say from one state to another.
pub(super) fn follow(before: &Ledger, blocks: &[CommittedBlock], after: &Ledger) {
    let mut checker = Checker::beginning_with(before);
    for block in blocks {
        block.txs.iter().for_each(|tx| checker.take(block.height, tx));
    }
    assert_eq!(checker.faults, Vec::<String>::new());
    for token in after.tokens() {
        let real: BTreeMap<_, _> = after.holders(&token.denom).into_iter().collect();
        assert_eq!(checker.holders(token.denom.as_str()), real, "holders of {}", token.denom);
        let sum = real.values().fold(Amount::from(0_u128).get(), |sum, amount| sum + amount.get());
        assert_eq!(sum, token.supply.get(), "supply of {}", token.denom);
    }
    let real: BTreeMap<_, _> =
        after.nfts().into_iter().map(|nft| ((nft.collection, nft.token_id), (nft.owner, nft.moved))).collect();
    assert_eq!(*checker.owners(), real);
}

#[test]
fn nfts_and_collections_are_found_by_what_events_say() {
    let (before, after) = (ledger(7, 0), ledger(7, BLOCKS));
    assert_eq!(before.collections().len(), 7, "the bridged collection comes with its first arrival");
    let collections = after.collections();
    assert_eq!(collections.len(), 8);
    let bridged = collections.iter().find(|collection| !collection.origin_name.is_empty()).expect("it has arrived");
    let made = |block: &&CommittedBlock| {
        let events = block.txs.iter().flat_map(|tx| &tx.events).filter(|event| event.kind == "instantiate");
        events.into_iter().any(|event| event.attributes[0].value == bridged.address.bech32())
    };
    assert_eq!(Some(bridged.created), HISTORY.iter().find(made).map(|block| block.height));
    for collection in &collections {
        assert_eq!(after.collection(&collection.address).as_ref(), Some(collection));
        assert_eq!(collection.address.bytes().len(), 32, "{}", collection.name);
    }
    for nft in after.nfts() {
        assert_eq!(after.nft(&nft.collection, &nft.token_id).as_ref(), Some(&nft));
        assert!(nft.object.is_none());
        assert!(nft.uri.ends_with(&format!("/{}.json", nft.token_id)) || nft.uri.starts_with("data:"), "{}", nft.uri);
    }
    let artist = after.collections()[0].creator;
    assert!(after.collection(&artist).is_none() && after.nft(&artist, "1").is_none());
}

#[test]
fn the_same_seed_gives_the_same_bytes_and_another_does_not() {
    let text = |seed| -> Vec<String> { blocks(&ledger(seed, 150)).map(|block| format!("{block:?}")).collect() };
    let first = text(7);
    assert_eq!(first, text(7));
    assert_ne!(first, text(8));
}

#[test]
fn crowds_are_as_promised() {
    let counts: Vec<usize> = HISTORY.iter().map(|block| block.txs.len()).collect();
    let total: usize = counts.iter().sum();
    assert!((3_000..4_500).contains(&total), "{BLOCKS} blocks hold {total} transactions");
    assert_eq!(counts.iter().filter(|count| **count > 200).count(), 1);
    assert!((200..400).contains(&counts.iter().filter(|count| **count == 0).count()));
}

#[test]
fn bodies_and_results_can_be_read() {
    for block in HISTORY.iter() {
        block.txs.iter().for_each(|tx| read(block, tx));
    }
}

#[test]
fn packets_expire_only_after_their_time() {
    let mut expired = BTreeSet::new();
    for block in HISTORY.iter() {
        for event in block.txs.iter().filter(|tx| tx.code == 0).flat_map(|tx| &tx.events) {
            if !event.kind.ends_with("_packet") || event.kind == "send_packet" {
                continue;
            }
            let text = |key| event.value(key);
            let Some(timeout) = text("packet_timeout_timestamp") else { continue };
            let late = timeout.parse::<i128>().expect("nanoseconds") < block.time.as_nanos();
            assert_eq!(late, event.kind == "timeout_packet", "{} in block {}", event.kind, block.height);
            if late {
                expired.insert(text("packet_src_port").expect("a port")[..8].to_owned());
            }
        }
    }
    assert_eq!(expired, BTreeSet::from(["transfer".to_owned(), "wasm.ini".to_owned()]));
}

#[test]
fn everything_in_the_catalogue_happens_in_any_300_blocks_or_so() {
    let seen = Seen::of(HISTORY.iter().flat_map(|block| &block.txs));
    seen.expect_types(catalogue::MESSAGE_TYPES);
    seen.expect_events(catalogue::EVENT_KINDS);
    seen.expect_failures(catalogue::FAILURES);
    let newest = HISTORY.iter().filter(|block| block.height.get() > BLOCKS - 300).flat_map(|block| &block.txs);
    Seen::of(newest).expect_types(catalogue::COMMON_TYPES);
    let actions: BTreeSet<&str> = HISTORY
        .iter()
        .flat_map(|block| &block.txs)
        .flat_map(|tx| &tx.events)
        .filter(|event| event.kind == "wasm")
        .flat_map(rollscope::indexer::source::TxEvent::pairs)
        .filter(|(key, _)| *key == "action" || *key == "method")
        .map(|(_, action)| action)
        .collect();
    assert_eq!(actions, catalogue::ACTIONS.iter().copied().collect());
}

#[test]
fn events_come_in_the_order_of_real_nodes() {
    let txs: Vec<_> = HISTORY.iter().flat_map(|block| &block.txs).collect();
    shapes::compare(&txs);
    shapes::compare_keys(&txs);
}

#[test]
fn a_demo_has_its_size() {
    let mut ledger = Ledger::genesis(LedgerOptions { accounts: 2_000, ..options(7) }).expect("the Wasm flavour exists");
    assert_eq!(ledger.chain_id(), "rollscope-wasm-1");
    let accounts: BTreeSet<_> = (0..2_000).filter_map(|index| ledger.account(index)).collect();
    assert_eq!(accounts.len(), 2_000);
    let tokens = ledger.tokens();
    assert_eq!(tokens.len(), 12);
    for (kind, count) in [("factory/init1", 6), ("l2/", 3), ("ibc/", 3)] {
        assert_eq!(tokens.iter().filter(|token| token.denom.as_str().starts_with(kind)).count(), count, "{kind}");
    }
    assert!(tokens.iter().all(|token| token.contract.is_none() && token.metadata.is_none()));
    let named: Vec<_> = token_names(Vm::Wasm, 7).into_iter().map(|token| (token.denom, token.decimals)).collect();
    assert_eq!(named, tokens.into_iter().map(|token| (token.denom, token.decimals)).collect::<Vec<_>>());
    assert!(ledger.nfts().is_empty(), "each has its mint");
    ledger.advance();
    assert_eq!(ledger.nfts().len(), 1_500);
    assert!(ledger.nfts().iter().all(|nft| nft.moved == Height::FIRST));
}

#[tokio::test]
async fn a_wasm_rollup_is_served_like_any_other() {
    let options = RollupOptions { clock: ClockMode::Stepped, history: 120, ..RollupOptions::new(options(7)) };
    let rollup = Rollup::start(options, SocketAddr::from((Ipv4Addr::LOCALHOST, 0))).expect("a loopback port is free");
    rollup.wait_until_indexed().expect("its history can be indexed");
    let ask = async |path: &str| -> Value {
        let answer = crate::harness::get(format!("{}{path}", rollup.url())).await.expect("an answer");
        serde_json::from_str(&answer.text().await.expect("text")).expect("JSON")
    };
    assert_eq!(ask("/status").await["chain_id"], "rollscope-wasm-1");
    // The account of the first call of a contract finds it.
    let call = HISTORY.iter().flat_map(|block| &block.txs).find(|tx| {
        let only = tx.message_types.first().map(rollscope::domain::MsgType::as_str);
        tx.code == 0 && only == Some("cosmwasm.wasm.v1.MsgExecuteContract")
    });
    let call = call.expect("contracts are called");
    let contract = call.events.iter().find(|event| event.kind == "execute").expect("it is called");
    let found =
        ask(&format!("/indexer/tx/v1/txs/by_account/{}?pagination.limit=100", contract.attributes[0].value)).await;
    let hashes: Vec<&str> =
        found["txs"].as_array().expect("a list").iter().filter_map(|tx| tx["txhash"].as_str()).collect();
    assert!(hashes.contains(&call.hash.to_string().as_str()), "{} among {hashes:?}", call.hash);
}
