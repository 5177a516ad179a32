//! An indexer held against its chain's node: nothing differs on the embedded rollup, and every lie is found.

mod lies;
mod proxy;
mod recorded;
mod watched;

use std::{
    collections::BTreeSet,
    sync::atomic::{AtomicUsize, Ordering},
};

use rollscope::{
    client::NodeAddresses,
    demo::{Rollup, RollupOptions, ledger::LedgerOptions},
    domain::Vm,
    indexer::node::ServiceOptions,
};
use rstest::rstest;
use serde_json::Value;

use self::{
    lies::LieGroup,
    proxy::LyingProxy,
    recorded::{PlayedIndexer, REFUSAL},
};
use super::{
    chain::Chain,
    parse,
    program::{Ran, run},
};
use crate::harness::{
    StartedRollup, chain_of,
    player::NodePlayer,
    recording::Recording,
    replay::{Answer, forward},
    rollup_of,
};

/// Blocks of the rollups, of which the newest are checked.
const HISTORY: u64 = 60;

/// Blocks of the rollups of which all are.
const BLOCKS: u64 = 4;

fn options(vm: Vm) -> RollupOptions {
    let options = chain_of(HISTORY);
    let ledger = LedgerOptions { vm, accounts: 60, ..options.ledger };
    RollupOptions { ledger, ..options }
}

fn rollup(vm: Vm) -> StartedRollup {
    rollup_of(options(vm))
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
#[case(Vm::Evm, &["blocks", "transactions", "order", "message types", "accounts", "receipts", "calls", "NFTs", "collections", "holders", "totals"])]
#[case(Vm::Move, &["blocks", "transactions", "order", "message types", "accounts", "NFTs", "collections", "holders", "totals"])]
#[case(Vm::Wasm, &["blocks", "transactions", "order", "message types", "accounts", "NFTs", "collections", "holders", "totals"])]
fn the_embedded_indexer_says_what_its_node_says(#[case] vm: Vm, #[case] parts: &[&str]) {
    let rollup = rollup(vm);
    let ran = check(&rollup.url(), &rollup, "--newest 12");
    let wrong: Vec<Value> = lines(&ran, "difference").into_iter().chain(lines(&ran, "not_asked")).take(5).collect();
    assert_eq!((wrong, ran.status, ran.err.as_str()), (Vec::new(), 0, ""));
    let ways = lines(&ran, "known_way");
    assert!(ways.iter().all(|way| way["part"] != "accounts"), "whoever stands in a message has it too: {ways:?}");
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
fn with_quirks_who_stands_in_messages_only_is_lost_and_that_is_said(#[values(Vm::Evm, Vm::Move, Vm::Wasm)] vm: Vm) {
    let rollup = rollup_of(RollupOptions { quirks: true, ..options(vm) });
    let ran = check(&rollup.url(), &rollup, "--newest 40 --skip nfts --skip holders");
    let ways = lines(&ran, "known_way");
    let is_said = |sentence: &str| ways.iter().any(|way| way["part"] == "accounts" && way["sentence"] == sentence);
    let of_messages = is_said("the indexer misses accounts named only in messages");
    let of_quotes = is_said("the indexer misses quoted accounts in events");
    assert!(of_messages || of_quotes, "{ways:?}");
    assert_eq!(is_said("the indexer takes small numbers in events for accounts"), vm == Vm::Evm, "{ways:?}");
    assert!(lines(&ran, "difference").is_empty(), "{}", ran.out);
}

#[rstest]
fn each_planted_lie_is_found_and_named(#[values(Vm::Evm, Vm::Move, Vm::Wasm)] vm: Vm) {
    let rollup = rollup(vm);
    let groups = lies::groups(vm);
    let count: usize = groups.iter().map(|group| group.lies.len()).sum();
    let least = if vm == Vm::Evm { 74 } else { 25 };
    assert!(count >= least, "there are {count} lies");
    for LieGroup { lies, arguments } in groups {
        let proxy = LyingProxy::start(&rollup.url(), lies.iter().copied());
        let ran = check(proxy.url(), &rollup, arguments);
        let differences = lines(&ran, "difference");
        for lie in &lies {
            assert!(proxy.has_told(lie.name), "{} was never told", lie.name);
            let is_found = differences.iter().any(|difference| lie.is_found(difference));
            assert!(is_found, "{} was not found", lie.name);
        }
        for difference in &differences {
            let is_a_lie = lies.iter().any(|lie| lie.is_found(difference));
            assert!(is_a_lie, "nobody told {difference}");
        }
        let count = differences.len();
        assert_eq!((ran.status, lines(&ran, "not_asked").len()), (1, 0), "{}", ran.err);
        assert!(ran.err.starts_with(&format!("rollscope: {count} difference")), "{}", ran.err);
    }
}

/// A rollup of which every block can be checked, and how that is asked for. Its node makes its oldest blocks anew.
fn short_rollup(vm: Vm) -> (StartedRollup, &'static str) {
    let ledger = LedgerOptions { vm, accounts: 60, ..chain_of(BLOCKS).ledger };
    let rollup = rollup_of(RollupOptions { ledger, ..chain_of(BLOCKS) });
    (rollup, "--from 1 --skip nfts --skip holders --timeout 60s")
}

#[test]
fn totals_are_proven_by_every_block_or_said_to_be_unknown() {
    let (rollup, whole) = short_rollup(Vm::Move);
    let ran = check(&rollup.url(), &rollup, whole);
    assert_eq!((lines(&ran, "difference"), lines(&ran, "unproven")), (Vec::new(), Vec::new()), "{}", ran.err);
    let sums = lines(&ran, "part").into_iter().find(|part| part["part"] == "totals").expect("the totals");
    assert!(sums["compared"].as_u64() > Some(20), "one of each account: {sums}");
    let ran = check(&rollup.url(), &rollup, "--newest 1 --skip nfts --skip holders --timeout 60s");
    let unknown = lines(&ran, "unproven");
    let sentences: Vec<&str> = unknown.iter().filter_map(|line| line["sentence"].as_str()).collect();
    assert_eq!((ran.status, sentences.len()), (0, 2), "{}", ran.out);
    assert!(sentences.iter().all(|one| one.ends_with("only a check of all blocks proves them")), "{sentences:?}");
}

#[test]
fn a_lie_about_a_total_is_found_where_every_block_is_checked() {
    let (rollup, whole) = short_rollup(Vm::Wasm);
    let proxy = LyingProxy::start(&rollup.url(), lies::TOTALS);
    let ran = check(proxy.url(), &rollup, whole);
    let differences = lines(&ran, "difference");
    for lie in lies::TOTALS {
        assert!(proxy.has_told(lie.name), "{} was never told", lie.name);
        assert!(differences.iter().any(|difference| lie.is_found(difference)), "{} was not found", lie.name);
    }
    let is_a_lie = |difference: &Value| lies::TOTALS.iter().any(|lie| lie.is_found(difference));
    let other: Vec<_> = differences.iter().filter(|difference| !is_a_lie(difference)).collect();
    assert!(other.is_empty(), "nobody told {other:?}");
}

#[test]
fn a_table_has_a_line_for_each_difference_and_the_sums() {
    let rollup = rollup(Vm::Evm);
    let proxy = LyingProxy::start(&rollup.url(), lies::one());
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
    let cut = ways.iter().find(|way| way["sentence"] == "the indexer cuts block times to whole seconds");
    assert_eq!(cut.map(|way| (&way["is_loss"], &way["count"])), Some((&false.into(), &16.into())), "{ways:?}");
    let has_loss = ways.iter().any(|way| way["is_loss"] == true);
    let strict = check(&rollup.url(), &rollup, "--from 40 --to 55 --skip holders --skip nfts --strict");
    assert!(has_loss, "messages within messages are lost: {ways:?}");
    assert_eq!((ran.status, strict.status), (0, 1), "{} {}", ran.err, strict.err);
}

#[test]
fn another_order_of_keys_is_a_known_way_unless_bytes_are_compared() {
    let rollup = rollup(Vm::Wasm);
    let proxy = LyingProxy::start(&rollup.url(), lies::KEY_ORDER);
    let arguments = "--newest 3 --skip accounts --skip nfts --skip holders --skip totals";
    let ran = check(proxy.url(), &rollup, arguments);
    let is_order = |way: &Value| way["sentence"] == "the keys of a transaction's objects are in another order";
    let ways = lines(&ran, "known_way");
    assert!(ways.iter().any(|way| is_order(way) && way["is_loss"] == false), "{ways:?}");
    assert_eq!((ran.status, lines(&ran, "difference")), (0, Vec::new()), "{}", ran.err);
    let strict = check(proxy.url(), &rollup, &format!("{arguments} --strict-bytes"));
    let differences = lines(&strict, "difference");
    assert!(strict.status == 1 && !differences.is_empty(), "{}", strict.err);
    assert!(differences.iter().all(|difference| lies::KEY_ORDER[0].is_found(difference)), "{differences:?}");
    let causes = lines(&strict, "cause");
    assert_eq!((causes.len(), &causes[0]["field"], &causes[0]["count"]), (1, &"tx".into(), &differences.len().into()));
}

/// The indexer is this program's, in the ways of the real one, with the keys in the order of its database.
#[rstest]
#[case("minievm-1.1", Vm::Evm, "--from 300 --to 330")]
#[case("miniwasm-0.7", Vm::Wasm, "--from 480 --to 510")]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn recorded_chains_have_known_ways_only(#[case] chain: &str, #[case] vm: Vm, #[case] range: &'static str) {
    let player = NodePlayer::start(&Recording::fixture(chain, vm));
    let served = player.served(ServiceOptions { quirks: true, ..ServiceOptions::default() }).await;
    served.filled().await;
    if vm == Vm::Evm {
        // Call frames come after the blocks, the newest first.
        let lowest = "/indexer/tx/v1/evm-internal-txs/by_height/53";
        served.until(lowest, |answer| answer["internal_txs"].as_array().is_some_and(|rows| !rows.is_empty())).await;
    }
    let (indexer, node) = (served.url(), player.addresses());
    let ran = blocking(move || {
        let proxy = LyingProxy::start(&indexer, lies::DATABASE);
        run(&played(proxy.url(), &node, &format!("{range} --skip nfts --skip holders --skip totals")))
    })
    .await;
    assert_eq!(
        (lines(&ran, "difference"), lines(&ran, "not_asked"), ran.status),
        (Vec::new(), Vec::new(), 0),
        "{}",
        ran.err
    );
    let ways = lines(&ran, "known_way");
    let is_order = |way: &Value| way["sentence"] == "the keys of a transaction's objects are in another order";
    assert!(ways.iter().any(is_order), "{ways:?}");
}

/// Runs what blocks, or owns a runtime.
async fn blocking<T: Send + 'static>(run: impl FnOnce() -> T + Send + 'static) -> T {
    tokio::task::spawn_blocking(run).await.expect("no panic")
}

/// The arguments of a check of what answers at an address against a played node.
fn played(indexer: &str, node: &NodeAddresses, arguments: &str) -> String {
    let json_rpc = node.json_rpc.as_ref().map(|url| format!("--json-rpc {url}")).unwrap_or_default();
    let rest = node.rest.as_ref().expect("the player has a REST interface");
    format!("check --indexer {indexer} --node {} --rest {rest} {json_rpc} {arguments}", node.node)
}

/// The real indexer's own answers: they differ in known ways only, and each is named.
#[rstest]
// NUL, an account of 32 bytes, whose coins the bank keeps under its last 20, a batch of transfers, a revert, messages
// within messages, and an NFT that was burned and minted again.
#[case("minievm-1.1", Vm::Evm, &["--from 71 --to 72 --skip holders", "--from 77 --to 85 --skip totals", "--from 167 --to 168 --skip holders", "--from 202 --to 207 --skip holders", "--from 463 --to 465 --skip holders"], &[
    "NUL in a string becomes U+FFFD",
    "a re-minted NFT keeps its old owner and URI",
    "a receipt without a callee has an empty string, not null",
    "the indexer cuts block times to whole seconds",
    "the indexer does not find nested messages (authz, opchild) by type",
    "the indexer drops the output of a transaction's outer call",
    "the indexer misses accounts named only in messages",
    "the indexer misses quoted accounts in events",
    "the keys of a transaction's objects are in another order",
    "the rich list contains accounts without a balance",
])]
#[case("miniwasm-0.7", Vm::Wasm, &["--from 496 --to 518 --skip accounts --skip nfts --skip holders --skip totals"], &[
    "the indexer cuts block times to whole seconds",
    "the indexer rewrites the JSON of a Wasm message: other key order, no exponents",
    "the keys of a transaction's objects are in another order",
])]
fn the_recorded_indexer_differs_in_known_ways_only(
    #[case] chain: &str,
    #[case] vm: Vm,
    #[case] ranges: &[&str],
    #[case] expected: &[&str],
) {
    let recording = Recording::fixture(chain, vm);
    let player = NodePlayer::start(&recording);
    let indexer = PlayedIndexer::start(&recording, &player.stage().chain_id);
    let mut ways = BTreeSet::new();
    for range in ranges {
        let ran = run(&played(indexer.url(), &player.addresses(), range));
        assert_eq!(lines(&ran, "difference"), Vec::<Value>::new(), "{range}: {}", ran.err);
        let missed = lines(&ran, "not_asked");
        let is_refused = |line: &Value| line["cause"].as_str().is_some_and(|cause| cause.contains(REFUSAL));
        let other: Vec<_> = missed.iter().filter(|line| !is_refused(line)).collect();
        assert!(other.is_empty(), "{range}: {other:?}");
        let parts = lines(&ran, "part");
        let compared = |part: &str| parts.iter().find(|line| line["part"] == part).map(|line| &line["compared"]);
        assert!(compared("blocks").and_then(Value::as_u64) > Some(1), "{range}: {parts:?}");
        assert!(compared("transactions").and_then(Value::as_u64) > Some(0), "{range}: {parts:?}");
        let sentence = |way: &Value| way["sentence"].as_str().expect("a way has a sentence").to_owned();
        ways.extend(lines(&ran, "known_way").iter().map(sentence));
    }
    assert_eq!(ways.into_iter().collect::<Vec<_>>(), expected);
}

/// Behind a balancer, blocks of the higher head are not asked for.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_lower_of_two_heads_is_taken_once() {
    let player = NodePlayer::start(&Recording::fixture("minievm-1.1", Vm::Evm).cut(110));
    let served = player.served(ServiceOptions::default()).await;
    served.filled().await;
    let turn = AtomicUsize::new(0);
    player.change(|stage| {
        stage.tip = 101;
        stage.lie = Some(Box::new(move |request, answer| {
            if request == "/rpc/status" && turn.fetch_add(1, Ordering::Relaxed).is_multiple_of(2) {
                answer["result"]["sync_info"]["latest_block_height"] = "110".into();
            }
        }));
    });
    let arguments = played(&served.url(), &player.addresses(), "--newest 4 --skip nfts --skip holders --skip accounts");
    let ran = blocking(move || run(&arguments)).await;
    assert_eq!((lines(&ran, "difference"), lines(&ran, "not_asked"), ran.status), (vec![], vec![], 0), "{}", ran.err);
    assert!(ran.out.contains("\"compared\":4"), "{}", ran.out);
}

/// An indexer that fails on the blocks of a proposer that no validator has as operator, as the real one does.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_block_whose_proposer_is_gone_is_a_known_way_and_another_failure_is_none() {
    let player = NodePlayer::start(&Recording::fixture("minievm-1.1", Vm::Evm).cut(60));
    let served = player.served(ServiceOptions::default()).await;
    served.filled().await;
    for (is_gone, status, missed) in [(true, 0, 0), (false, 1, 1)] {
        player.change(|stage| {
            stage.lie = Some(Box::new(move |request, answer| {
                if is_gone && request.starts_with("/rest/opinit/opchild/v1/validators") {
                    answer["validators"] = Value::Array(Vec::new());
                }
            }));
        });
        let (indexer, node) = (served.url(), player.addresses());
        let ran = blocking(move || {
            let proxy = LyingProxy::failing(&indexer, "/block/v1/blocks/58");
            let rest = "--from 58 --to 58 --skip accounts --skip nfts --skip holders --skip totals";
            run(&played(proxy.url(), &node, rest))
        })
        .await;
        let is_way = |line: &Value| line["sentence"].as_str().is_some_and(|text| text.contains("cannot serve a block"));
        let found: Vec<_> = lines(&ran, "known_way").into_iter().filter(is_way).collect();
        assert_eq!(found.len(), usize::from(is_gone), "{}", ran.out);
        assert_eq!((lines(&ran, "not_asked").len(), ran.status), (missed, status), "{} {}", ran.out, ran.err);
        assert_eq!(lines(&ran, "difference"), Vec::<Value>::new());
    }
}

#[test]
fn a_filter_that_lets_one_row_through_is_no_filter_that_is_ignored() {
    let rollup = rollup(Vm::Evm);
    let proxy = LyingProxy::start(&rollup.url(), lies::FILTER);
    let ran = check(proxy.url(), &rollup, "--newest 12 --skip accounts --skip nfts --skip holders --skip totals");
    assert!(proxy.has_told(lies::FILTER[0].name), "the lie was told");
    let differences = lines(&ran, "difference");
    assert!(differences.iter().any(|difference| lies::FILTER[0].is_found(difference)), "{}", ran.out);
}

#[test]
fn the_first_difference_can_end_a_check() {
    let rollup = rollup(Vm::Move);
    let proxy = LyingProxy::start(&rollup.url(), lies::one());
    let ran = check(proxy.url(), &rollup, "--newest 5 --skip accounts --skip nfts --skip holders --fail-fast");
    assert_eq!((ran.status, lines(&ran, "difference").len(), lines(&ran, "part")), (1, 1, Vec::new()), "{}", ran.err);
    assert!(ran.err.contains("stopped at the first difference: block "), "{}", ran.err);
}

#[test]
fn a_sample_is_the_same_for_the_same_seed() {
    let rollup = rollup(Vm::Move);
    let proxy = LyingProxy::start(&rollup.url(), lies::one());
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
    assert!(sentence.contains("check needs --indexer"), "{sentence}");
    let sentence = check(&url, &rollup, "--from 61").bad(1);
    assert!(sentence.starts_with("block 61 is above block 60"), "{sentence}");
    let other = self::rollup(Vm::Move);
    let sentence = check(&other.url(), &rollup, "").bad(1);
    assert!(sentence.contains("give two addresses of one chain"), "{sentence}");
    let proxy = LyingProxy::refusing(&url, "/txs/by_height/58");
    let ran = check(proxy.url(), &rollup, "--from 57 --to 59 --skip holders");
    assert_eq!(ran.status, 1, "{}", ran.err);
    let missed = lines(&ran, "not_asked");
    assert!(missed.iter().any(|line| line["name"] == "58" && line["part"] == "blocks"), "{missed:?}");
    assert!(lines(&ran, "difference").is_empty(), "what was not asked is no difference: {ran:?}");
    // Where the list of blocks fails, the rest is compared; nothing follows from the lowest block, which is unknown.
    let proxy = LyingProxy::refusing(&url, "/block/v1/blocks?");
    let ran = check(proxy.url(), &rollup, "--newest 3 --skip holders");
    let missed = lines(&ran, "not_asked");
    let is_said = |part: &str| missed.iter().any(|line| line["part"] == part && line["name"] != "58");
    assert!(is_said("blocks") && is_said("totals") && ran.out.contains("its lowest block is unknown"), "{missed:?}");
    assert!(lines(&ran, "difference").is_empty(), "{}", ran.out);
    let parts = lines(&ran, "part");
    let compared =
        |part: &str| parts.iter().find(|line| line["part"] == part).and_then(|line| line["compared"].as_u64());
    assert_eq!((compared("blocks"), compared("transactions") > Some(0)), (Some(3), true), "{parts:?}");
}

/// A Wasm node on which collections and NFTs were renamed after the blocks that an indexer names, or always had these
/// names (`from_the_start`).
fn renaming_node(rollup: &Rollup, from_the_start: bool) -> Chain {
    let rest = rollup.url();
    Chain::scripted(move |seen| {
        let (status, kind, body) = forward(&rest, seen);
        let is_newest = !seen.headers.contains("x-cosmos-block-height");
        let mut answer: Value = serde_json::from_slice(&body).unwrap_or_default();
        if seen.target.contains("/smart/") && (is_newest || from_the_start) {
            for place in ["/data/name", "/data/info/token_uri"] {
                if let Some(Value::String(name)) = answer.pointer_mut(place) {
                    name.push_str("-renamed");
                }
            }
            return Answer::Full(status, vec![("content-type", kind)], answer.to_string().into_bytes());
        }
        Answer::Full(status, vec![("content-type", kind)], body)
    })
}

#[test]
fn a_stale_name_or_uri_is_known_if_the_node_had_it_at_the_height_that_the_indexer_names() {
    let rollup = rollup(Vm::Wasm);
    let rest = "--newest 12 --skip accounts --skip holders --skip totals --timeout 60s";
    for from_the_start in [false, true] {
        let node = renaming_node(&rollup, from_the_start);
        let ran = check(&rollup.url(), &rollup, &format!("--rest {}/node/rest {rest}", node.url()));
        let (ways, differences) = (lines(&ran, "known_way"), lines(&ran, "difference"));
        for (way, field) in [
            ("a collection keeps an earlier name after a change", "collection.name"),
            ("an NFT keeps an earlier URI after an update", "nft.uri"),
        ] {
            let is_known = ways.iter().any(|one| one["sentence"] == way);
            let is_wrong = differences.iter().any(|one| one["field"] == field);
            assert_eq!((is_known, is_wrong), (!from_the_start, from_the_start), "{way}: {} {}", ran.out, ran.err);
        }
        assert_eq!((ran.status, differences.is_empty()), (i32::from(from_the_start), !from_the_start), "{}", ran.out);
    }
}
