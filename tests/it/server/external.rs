//! Transactions from outside: through the runner into the index and over HTTP, and again from a file.

use std::{path::PathBuf, time::Duration};

use rollscope::{
    demo::{
        ClockMode, Genesis, Rollup, RollupOptions,
        ledger::{External, ExternalError, ExternalHook, PacketOutcome, RollupFacts, Submitted, TokenOrigin, facts},
    },
    domain::{Address, Amount, Denom, Timestamp, Vm},
};
use serde_json::{Value, json};

use super::{
    client::{ANYWHERE, Server, stepped, total},
    state::{started, walk},
};
use crate::harness::chain_of;

/// Somebody whom no rollup knows.
const STRANGER: Address = Address::Short([0x5a; 20]);

fn options(vm: Vm, history: u64, data: Option<PathBuf>) -> RollupOptions {
    let mut options = RollupOptions { data, ..chain_of(history) };
    options.ledger.vm = vm;
    options
}

fn bridged(facts: &RollupFacts) -> Denom {
    let is_bridged = |origin| matches!(origin, TokenOrigin::Bridged { .. });
    facts.tokens.iter().find(|token| is_bridged(token.origin)).expect("one came over the bridge").denom.clone()
}

fn bank_send(facts: &RollupFacts, number: u128) -> External {
    External::BankSend { sender: facts.wallet, to: STRANGER, denom: bridged(facts), amount: Amount::from(number) }
}

fn send(facts: &RollupFacts, number: u128) -> External {
    External::Send {
        sender: facts.wallet,
        receiver: "celestia1anybody".to_owned(),
        denom: bridged(facts),
        amount: Amount::from(number),
        channel: facts.channels[0].id.to_owned(),
        memo: String::new(),
        seconds: 600,
    }
}

fn deposit(facts: &RollupFacts, number: u128) -> External {
    let from = facts.bridge_account.bech32();
    External::Deposit {
        to: STRANGER,
        from,
        denom: bridged(facts),
        amount: Amount::from(number),
        hook: ExternalHook::None,
    }
}

fn all_txs() -> &'static str {
    "/indexer/tx/v1/txs?pagination.limit=1000"
}

/// The transaction as the index has it, which must be where it was promised.
async fn tx(server: &Server, promise: &Submitted) -> Value {
    let found = server.json(&format!("/indexer/tx/v1/txs/{}", promise.tx_hash)).await;
    assert_eq!(found["tx"]["height"], json!(promise.height.to_string()));
    assert_eq!(found["tx"]["code"], json!(0));
    found["tx"].clone()
}

#[tokio::test]
async fn the_index_has_them_like_all_others() {
    for vm in [Vm::Evm, Vm::Move, Vm::Wasm] {
        let (server, facts) = (started(options(vm, 40, None), 0), facts(vm, 7));
        let promises = [bank_send(&facts, 11), send(&facts, 22), deposit(&facts, 33)]
            .map(|external| server.rollup.submit(external).expect("it is taken"));
        assert_eq!(server.get(&format!("/indexer/tx/v1/txs/{}", promises[0].tx_hash)).await.status, 404);
        assert_eq!(server.rollup.step(1).expect("it steps"), promises[0].height);
        for (promise, amount) in promises.iter().zip(["11", "22", "33"]) {
            assert!(tx(&server, promise).await.to_string().contains(amount));
        }
        let account = server.json(&format!("/indexer/tx/v1/txs/by_account/{STRANGER}")).await;
        let hashes: Vec<&str> =
            account["txs"].as_array().expect("a list").iter().filter_map(|tx| tx["txhash"].as_str()).collect();
        let expected = [promises[2].tx_hash.to_string(), promises[0].tx_hash.to_string()];
        assert_eq!(hashes, expected, "the newest first");
        // The rich list follows a block later.
        server.rollup.step(2).expect("it steps");
        let denom = bridged(&facts).to_string().replace('/', "%2F");
        let list = walk(&server, &format!("/indexer/richlist/v1/{denom}?"), "holders", 100).await;
        let name = if vm == Vm::Evm { STRANGER.hex() } else { STRANGER.bech32() };
        let held = list.iter().find(|row| row["account"] == json!(name)).expect("a new holder");
        assert_eq!(held["amount"], json!("44"));
    }
}

#[tokio::test]
async fn a_file_makes_the_same_chain_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let facts = facts(Vm::Evm, 7);
    let with_file = || options(Vm::Evm, 30, Some(folder.path().join("rollup.sqlite")));
    let before = {
        let server = started(with_file(), 0);
        let sent = server.rollup.submit(send(&facts, 5)).expect("it is taken");
        server.rollup.step(10).expect("it steps");
        let packet = sent.packet.expect("a packet");
        let (channel, sequence, answer) = (packet.channel, packet.sequence, PacketOutcome::Refused);
        server.rollup.submit(External::Answer { channel, sequence, answer }).expect("it waits for that");
        server.rollup.submit(bank_send(&facts, 6)).expect("it is taken");
        server.rollup.step(10).expect("it steps");
        server.get(all_txs()).await.text
    };
    let promise = {
        let server = started(with_file(), 0);
        assert_eq!(server.get(all_txs()).await.text, before);
        // The program ends before the block comes.
        server.rollup.submit(bank_send(&facts, 7)).expect("it is taken")
    };
    let server = started(with_file(), 0);
    assert_eq!(server.get(all_txs()).await.text, before);
    let another = server.rollup.submit(bank_send(&facts, 8)).expect("it is taken");
    server.rollup.step(1).expect("it steps");
    assert_eq!(another.height, promise.height, "what the file has comes first, then what is new");
    tx(&server, &promise).await;
    tx(&server, &another).await;
    let page = server.json("/indexer/tx/v1/txs?pagination.limit=1").await;
    drop(server);
    let server = started(with_file(), 0);
    assert_eq!(server.json("/indexer/tx/v1/txs?pagination.limit=1").await, page);
    tx(&server, &promise).await;
    tx(&server, &another).await;
}

#[tokio::test]
async fn a_rollup_by_the_wall_clock_takes_them_at_any_time() {
    let mut options = options(Vm::Move, 20, None);
    options.clock = ClockMode::Wall;
    options.genesis = Genesis::HistoryAgo;
    options.ledger.block_time = Duration::from_millis(50);
    let facts = facts(Vm::Move, 7);
    let server = Server::of(Rollup::start(options, ANYWHERE).expect("it starts"));
    let before = Timestamp::now();
    let promises: Vec<Submitted> =
        (1..=20).map(|number| server.rollup.submit(bank_send(&facts, number)).expect("it is taken")).collect();
    assert!(server.rollup.chain_now() >= before);
    let indexed = async {
        for promise in &promises {
            while server.get(&format!("/indexer/tx/v1/txs/{}", promise.tx_hash)).await.status != 200 {
                tokio::task::yield_now().await;
            }
            tx(&server, promise).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(20), indexed).await.expect("all are indexed");
    let account = server.json(&format!("/indexer/tx/v1/txs/by_account/{STRANGER}?pagination.limit=1")).await;
    assert_eq!(total(&account), 20);
}

#[test]
fn nothing_gets_into_a_block_of_the_past() {
    let mut options = options(Vm::Wasm, 0, None);
    options.clock = ClockMode::Wall;
    options.ledger.block_time = Duration::from_millis(20);
    options.ledger.genesis_time = Timestamp::now().before(Duration::from_secs(30));
    let server = Server::of(Rollup::start(options, ANYWHERE).expect("it starts"));
    // The chain has 1,500 blocks to make up for, more than it makes at once.
    let promise = server.rollup.submit(bank_send(&facts(Vm::Wasm, 7), 1)).expect("it is taken");
    assert!(Timestamp::now().since(promise.time) < Duration::from_secs(20), "{}", promise.time);
    assert!(promise.height.get() > 1_200, "{}", promise.height);
}

#[test]
fn several_ask_while_blocks_are_made() {
    let (server, facts) = (started(options(Vm::Wasm, 20, None), 0), facts(Vm::Wasm, 7));
    let rollup = &server.rollup;
    let promises: Vec<Submitted> = std::thread::scope(|scope| {
        let askers: Vec<_> = (0..4u128)
            .map(|asker| {
                let facts = &facts;
                let ask = move |number| rollup.submit(bank_send(facts, asker * 100 + number)).expect("it is taken");
                scope.spawn(move || (1..=10).map(ask).collect::<Vec<_>>())
            })
            .collect();
        (0..20).for_each(|_| assert!(rollup.step(1).is_ok()));
        askers.into_iter().flat_map(|asker| asker.join().expect("it asks to the end")).collect()
    });
    rollup.step(1).expect("it steps");
    let hashes: std::collections::BTreeSet<_> = promises.iter().map(|promise| promise.tx_hash.to_string()).collect();
    assert_eq!(hashes.len(), 40);
}

#[test]
fn the_chain_s_time_is_that_of_its_newest_block() {
    let server = started(options(Vm::Evm, 25, None), 0);
    let facts = facts(Vm::Evm, 7);
    let genesis: Timestamp = chain_of(0).ledger.genesis_time;
    let ahead = server.rollup.submit(bank_send(&facts, 1)).expect("it is taken");
    let now = server.rollup.chain_now();
    assert!(now > genesis.after(Duration::from_secs(24)) && now <= genesis.after(Duration::from_secs(25)), "{now}");
    server.rollup.step(1).expect("it steps");
    assert_eq!(server.rollup.chain_now(), ahead.time);
    let fresh = started(options(Vm::Evm, 0, None), 0);
    assert_eq!(fresh.rollup.chain_now(), genesis);
}

#[test]
fn another_chain_or_one_that_has_stopped_says_so() {
    let facts = facts(Vm::Evm, 7);
    let server = Server::with(stepped(10));
    assert_eq!(server.rollup.submit(bank_send(&facts, 1)), Err(ExternalError::Closed));
    // As many accounts as the hand-made chain has are too few for the simulation.
    let rollup = Rollup::start(stepped(10), ANYWHERE).expect("it starts");
    assert!(rollup.wait_until_ready().is_err());
    assert_eq!(rollup.submit(bank_send(&facts, 1)), Err(ExternalError::Stopped));
}
