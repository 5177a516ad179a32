//! An indexer held against its chain's node: nothing differs on the embedded rollup, and every lie is found.

mod lies;
mod proxy;

use rollscope::{
    demo::{Rollup, RollupOptions, ledger::LedgerOptions},
    domain::Vm,
};
use rstest::rstest;
use serde_json::Value;

use self::{lies::LieGroup, proxy::LyingProxy};
use super::{
    parse,
    program::{Ran, run},
};
use crate::harness::{chain_of, rollup_of};

/// Blocks of the rollups, of which the newest are checked.
const HISTORY: u64 = 60;

fn rollup(vm: Vm) -> Rollup {
    let options = chain_of(HISTORY);
    let ledger = LedgerOptions { vm, accounts: 60, ..options.ledger };
    rollup_of(RollupOptions { ledger, ..options })
}

/// Holds what answers at an address against a rollup's node.
fn check(indexer: &str, rollup: &Rollup, arguments: &str) -> Ran {
    run(&format!("check --indexer {indexer} --node {}/node/rpc {arguments}", rollup.url()))
}

/// The lines of this kind.
fn lines(ran: &Ran, kind: &str) -> Vec<Value> {
    ran.out.lines().map(parse).filter(|line| line["kind"] == kind).collect()
}

#[rstest]
#[case(Vm::Evm, &["blocks", "transactions", "order", "message types", "accounts", "receipts", "calls", "NFTs", "holders", "totals"])]
#[case(Vm::Move, &["blocks", "transactions", "order", "message types", "accounts", "NFTs", "holders", "totals"])]
#[case(Vm::Wasm, &["blocks", "transactions", "order", "message types", "accounts", "NFTs", "holders", "totals"])]
fn the_embedded_indexer_says_what_its_node_says(#[case] vm: Vm, #[case] parts: &[&str]) {
    let rollup = rollup(vm);
    let ran = check(&rollup.url(), &rollup, "--newest 12");
    let wrong: Vec<Value> = lines(&ran, "difference").into_iter().chain(lines(&ran, "not_asked")).take(5).collect();
    assert_eq!((wrong, ran.status, ran.err.as_str()), (Vec::new(), 0, ""));
    let found = lines(&ran, "part");
    for part in parts {
        let part = found.iter().find(|line| line["part"] == *part).expect("every part is told");
        assert!(part["compared"].as_u64() > Some(0), "{part} has compared nothing");
    }
    assert_eq!(found.len(), parts.len(), "{found:?}");
    let blocks = found.iter().find(|line| line["part"] == "blocks").expect("blocks are told");
    assert_eq!(blocks["compared"], 12);
}

#[rstest]
fn each_planted_lie_is_found_and_named(#[values(Vm::Evm, Vm::Move, Vm::Wasm)] vm: Vm) {
    let rollup = rollup(vm);
    for LieGroup { lies, arguments } in lies::groups(vm) {
        let proxy = LyingProxy::start(&rollup.url(), lies);
        let ran = check(proxy.url(), &rollup, arguments);
        let differences = lines(&ran, "difference");
        for lie in lies {
            assert!(proxy.has_told(lie.name), "{} was never told", lie.name);
            let is_found = differences.iter().any(|difference| (lie.found)(difference));
            assert!(is_found, "{} was not found", lie.name);
        }
        for difference in &differences {
            let is_a_lie = lies.iter().any(|lie| (lie.found)(difference) || (lie.follows)(difference));
            assert!(is_a_lie, "nobody told {difference}");
        }
        let count = differences.len();
        assert_eq!((ran.status, lines(&ran, "not_asked").len()), (1, 0), "{}", ran.err);
        assert!(ran.err.starts_with(&format!("rollscope: {count} difference")), "{}", ran.err);
    }
}

#[test]
fn a_table_has_a_line_for_each_difference_and_the_sums() {
    let rollup = rollup(Vm::Evm);
    let lies = &lies::groups(Vm::Evm)[0].lies[..1];
    let proxy = LyingProxy::start(&rollup.url(), lies);
    let ran = check(proxy.url(), &rollup, "--from 50 --to 52 --skip accounts --skip holders --format table");
    assert_eq!(ran.status, 1, "{}", ran.err);
    assert!(ran.out.contains("block 50, gas_used: node ") && ran.out.contains(", indexer \"7\""), "{}", ran.out);
    let sums = ran.out.lines().find(|line| line.starts_with("blocks")).expect("the sums of blocks");
    assert_eq!(sums.split_whitespace().take(4).collect::<Vec<_>>(), ["blocks", "3", "3", "3"], "{sums}");
    assert_eq!(ran.err, "rollscope: 3 differences in 3 blocks\n");
}

#[test]
fn known_ways_are_named_and_only_strictness_fails_over_losses() {
    let rollup = rollup(Vm::Evm);
    let ran = check(&rollup.url(), &rollup, "--from 40 --to 55 --skip holders --skip nfts");
    let ways = lines(&ran, "known_way");
    let cut = ways.iter().find(|way| way["sentence"] == "the time of a block is cut to whole seconds");
    assert_eq!(cut.map(|way| (&way["is_loss"], &way["count"])), Some((&false.into(), &16.into())), "{ways:?}");
    let has_loss = ways.iter().any(|way| way["is_loss"] == true);
    let strict = check(&rollup.url(), &rollup, "--from 40 --to 55 --skip holders --skip nfts --strict");
    assert!(has_loss, "messages within messages are lost: {ways:?}");
    assert_eq!((ran.status, strict.status), (0, 1), "{} {}", ran.err, strict.err);
}

#[test]
fn a_sample_is_the_same_for_the_same_seed() {
    let rollup = rollup(Vm::Move);
    let proxy = LyingProxy::start(&rollup.url(), &lies::groups(Vm::Move)[0].lies[..1]);
    let sampled = |seed: u32| {
        let ran = check(
            proxy.url(),
            &rollup,
            &format!("--sample 4 --seed {seed} --skip accounts --skip nfts --skip holders"),
        );
        lines(&ran, "difference").iter().map(|line| line["name"].clone()).collect::<Vec<_>>()
    };
    let chosen = sampled(3);
    assert_eq!(chosen.len(), 4, "each of them has the lie");
    assert_eq!(sampled(3), chosen);
}

#[test]
fn what_cannot_be_checked_is_said() {
    let rollup = rollup(Vm::Wasm);
    let url = rollup.url();
    let sentence = run("check").bad(2);
    assert!(sentence.contains("both sides are needed"), "{sentence}");
    let sentence = check(&url, &rollup, "--from 61").bad(1);
    assert!(sentence.starts_with("block 61 is above block 60"), "{sentence}");
    let sentence = run(&format!("status --indexer {url} --node {url}")).bad(2);
    assert!(sentence.contains("only check takes both"), "{sentence}");
    let other = self::rollup(Vm::Move);
    let sentence = check(&other.url(), &rollup, "").bad(1);
    assert!(sentence.contains("give two addresses of one chain"), "{sentence}");
    let proxy = LyingProxy::refusing(&url, "/txs/by_height/58");
    let ran = check(proxy.url(), &rollup, "--from 57 --to 59 --skip holders");
    assert_eq!(ran.status, 1, "{}", ran.err);
    let missed = lines(&ran, "not_asked");
    assert!(missed.iter().any(|line| line["name"] == "58" && line["part"] == "blocks"), "{missed:?}");
    assert!(lines(&ran, "difference").is_empty(), "what was not asked is no difference: {ran:?}");
}
