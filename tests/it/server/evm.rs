//! Receipts and call frames over HTTP, held against the ledger that they come from.

mod expected;
mod kept;

use alloy_primitives::U256;
use rollscope::{
    demo::{ClockMode, Rollup, RollupOptions},
    domain::{Address, EvmTxHash, Vm},
};
use rstest::rstest;
use serde_json::{Value, json};

use self::expected::{Expected, hashes, indexes, options};
use super::client::{ANYWHERE, Mode, Server, decoded, escape, key, stepped, total};

const TXS: &str = "/indexer/tx/v1/evm-txs";
const INTERNAL: &str = "/indexer/tx/v1/evm-internal-txs";

/// Blocks of most tests.
const BLOCKS: u64 = 50;

fn with(mode: Mode, history: u64) -> RollupOptions {
    let quirks = mode == Mode::Quirks;
    RollupOptions { clock: ClockMode::Stepped, history, quirks, ..RollupOptions::new(options()) }
}

fn start(options: RollupOptions) -> Server {
    let rollup = Rollup::start(options, ANYWHERE).expect("it starts");
    rollup.wait_until_indexed().expect("it indexes");
    Server::of(rollup)
}

/// A page's hashes with the places of their frames; receipts have one place.
fn rows(page: &Value) -> Vec<(String, i64)> {
    if page.get("txs").is_some() { hashes(page) } else { indexes(page) }
}

fn order(mut rows: Vec<(String, i64)>, reverse: bool) -> Vec<(String, i64)> {
    if reverse {
        rows.reverse();
    }
    rows
}

#[rstest]
#[case(Mode::Specified)]
#[case(Mode::Quirks)]
#[tokio::test]
async fn records_have_the_fields_types_and_order_of_the_real_servers(#[case] mode: Mode) {
    let server = start(with(mode, BLOCKS));
    let [receipt, frame] = expected::recorded();
    let page = server.json(&format!("{TXS}?pagination.limit=1000")).await;
    let mut logs = 0;
    for tx in page["txs"].as_array().unwrap() {
        expected::same_form(&receipt, tx, &["contractAddress"]);
        let contract = &tx["contractAddress"];
        assert!(contract.is_null() || contract.as_str().is_some_and(|text| text.len() == 42), "{contract}");
        assert!(contract.is_null() || tx["to"] == json!(""), "{tx}");
        for log in tx["logs"].as_array().unwrap() {
            let names: Vec<&str> = log.as_object().unwrap().keys().map(String::as_str).collect();
            assert_eq!(names, expected::LOG_FIELDS);
            assert_eq!((&log["removed"], &log["blockHash"]), (&json!(false), &tx["blockHash"]));
            assert_eq!(log["transactionIndex"], tx["transactionIndex"]);
            logs += 1;
        }
    }
    assert!(logs > 100, "{logs} logs");
    let page = server.json(&format!("{INTERNAL}?pagination.limit=1000")).await;
    let mut reverted = Vec::new();
    for tx in page["internal_txs"].as_array().unwrap() {
        let mut tx = tx.clone();
        if matches!(mode, Mode::Specified) {
            tx.as_object_mut().unwrap().retain(|name, _| name != "undone");
        }
        if let Some(error) = tx.get("error").cloned() {
            reverted.push((error, tx["output"].clone()));
            tx.as_object_mut().unwrap().retain(|name, _| name != "error");
        }
        let tx = &tx;
        expected::same_form(&frame, tx, &[]);
        for name in ["input", "output", "value", "gas", "gasUsed"] {
            let text = tx[name].as_str().unwrap();
            assert!(text.starts_with("0x") && text.len().is_multiple_of(2), "{name} {text}");
        }
        assert_eq!(tx["index"] == json!(0), tx["parent_index"] == json!(-1), "{tx}");
        let is_outer = tx["index"] == json!(0);
        assert!(mode == Mode::Specified || !is_outer || tx["output"] == json!("0x"), "{tx}");
        let is_bare = matches!(tx["type"].as_str(), Some("STATICCALL" | "DELEGATECALL"));
        assert_eq!(is_bare, tx["value"] == json!("0x"), "{tx}");
    }
    // Only our own server tells which call failed, and what it returned.
    let panic = |output: &Value| output.as_str().is_some_and(|output| output.starts_with("0x4e487b71"));
    let is_panic = |(error, output): &(Value, Value)| error == "execution reverted" && panic(output);
    assert_eq!(reverted.iter().any(is_panic), mode == Mode::Specified, "{reverted:?}");
    assert!(mode == Mode::Specified || reverted.is_empty(), "{reverted:?}");
}

#[tokio::test]
async fn places_gas_and_blooms_add_up_within_a_block() {
    let server = start(with(Mode::Specified, BLOCKS));
    let expected = Expected::new(BLOCKS);
    for height in 1..=BLOCKS {
        let page =
            server.json(&format!("{TXS}/by_height/{height}?pagination.reverse=false&pagination.limit=1000")).await;
        let quantity =
            |value: &Value| u64::from_str_radix(value.as_str().unwrap().trim_start_matches("0x"), 16).unwrap();
        let mut gas = 0;
        for (place, tx) in (1..).zip(page["txs"].as_array().unwrap()) {
            gas += quantity(&tx["gasUsed"]);
            assert_eq!((quantity(&tx["transactionIndex"]), quantity(&tx["cumulativeGasUsed"])), (place, gas));
            assert_eq!(quantity(&tx["blockNumber"]), height);
            for (place, log) in (0..).zip(tx["logs"].as_array().unwrap()) {
                assert_eq!(quantity(&log["logIndex"]), place);
            }
            let receipt = expected.receipt(tx["transactionHash"].as_str().unwrap());
            assert_eq!(tx["logsBloom"], json!(expected::bloom(receipt)));
            assert_eq!(tx["status"], json!(if receipt.is_success { "0x1" } else { "0x0" }));
            assert_eq!(tx["type"], json!(format!("{:#x}", receipt.kind)));
        }
    }
}

#[rstest]
#[case(Mode::Specified)]
#[case(Mode::Quirks)]
#[tokio::test]
async fn every_scope_and_parameter_of_receipts_works(#[case] mode: Mode) {
    let server = start(with(mode, BLOCKS));
    let expected = Expected::new(BLOCKS);
    let all = expected.txs(|_| true);
    for reverse in [true, false] {
        let parameters = format!("pagination.limit=1000&pagination.reverse={reverse}");
        let check = async |list: String, rows_expected: Vec<(String, i64)>| {
            let separator = if list.contains('?') { '&' } else { '?' };
            let page = server.json(&format!("{list}{separator}{parameters}")).await;
            assert_eq!(rows(&page), order(rows_expected.clone(), reverse), "{list}");
            assert_eq!(total(&page), i64::try_from(rows_expected.len()).unwrap(), "{list}");
        };
        check(TXS.to_owned(), all.clone()).await;
        for height in [1, 30, BLOCKS, BLOCKS + 1] {
            check(format!("{TXS}/by_height/{height}"), expected.txs(|tx| tx.height == height)).await;
        }
        for account in expected.some_accounts() {
            let touching = expected.txs(|tx| tx.accounts.contains(&account));
            let sent = expected.txs(|tx| tx.receipt.from == account);
            let address = Address::Short(account);
            check(format!("{TXS}/by_account/{address}"), touching.clone()).await;
            check(
                format!("{TXS}/by_account/{}", address.hex().trim_start_matches("0x").to_uppercase()),
                touching.clone(),
            )
            .await;
            check(format!("{TXS}/by_account/{}?is_signer=true", address.hex()), sent.clone()).await;
            let signed = if mode == Mode::Quirks { touching } else { sent };
            check(format!("{TXS}/by_account/{address}?is_signer=1"), signed).await;
        }
        check(format!("{TXS}/by_account/0x{}", "77".repeat(20)), Vec::new()).await;
        check(format!("{TXS}/by_account/0x{}", "77".repeat(32)), Vec::new()).await;
    }
    let page = server.json(&format!("{TXS}?pagination.limit=3&pagination.offset=4&pagination.count_total=false")).await;
    assert_eq!((hashes(&page), total(&page)), (order(all.clone(), true)[4..7].to_vec(), 0));
    for (hash, _) in all.iter().step_by(9) {
        let bare = hash.trim_start_matches("0x");
        for form in [hash.clone(), bare.to_owned(), bare.to_uppercase()] {
            let tx = server.json(&format!("{TXS}/{form}")).await;
            assert_eq!(tx["tx"]["transactionHash"], json!(hash));
        }
    }
}

#[rstest]
#[case(Mode::Specified)]
#[case(Mode::Quirks)]
#[tokio::test]
async fn every_scope_and_parameter_of_call_frames_works(#[case] mode: Mode) {
    let server = start(with(mode, BLOCKS));
    let expected = Expected::new(BLOCKS);
    let held = |height: u64| height <= BLOCKS - 3;
    for reverse in [true, false] {
        let parameters = format!("?pagination.limit=1000&pagination.reverse={reverse}");
        let check = async |list: String, rows_expected: Vec<(String, i64)>| {
            let page = server.json(&format!("{list}{parameters}")).await;
            assert_eq!(rows(&page), order(rows_expected.clone(), reverse), "{list}");
            assert_eq!(total(&page), i64::try_from(rows_expected.len()).unwrap(), "{list}");
        };
        check(INTERNAL.to_owned(), expected.frames(|frame| held(frame.height))).await;
        for height in [1, 30, BLOCKS - 3, BLOCKS] {
            let rows = expected.frames(|frame| frame.height == height && held(height));
            check(format!("{INTERNAL}/by_height/{height}"), rows).await;
        }
        for account in expected.some_accounts() {
            let rows = expected.frames(|frame| held(frame.height) && frame.names(account));
            let address = Address::Short(account);
            check(format!("{INTERNAL}/by_account/{address}"), rows.clone()).await;
            check(format!("{INTERNAL}/by_account/{}", address.hex()), rows).await;
        }
        let mut seen = (0, 0);
        for (hash, _) in expected.txs(|tx| held(tx.height)) {
            let rows = expected.frames(|frame| frame.hash == hash);
            seen = (seen.0 + usize::from(rows.is_empty()), seen.1 + usize::from(rows.len() > 1));
            check(format!("{INTERNAL}/{hash}"), rows).await;
        }
        assert!(seen.0 > 10 && seen.1 > 10, "{seen:?} have no frames and more than one");
    }
}

#[tokio::test]
async fn frames_say_what_the_ledger_says() {
    let server = start(with(Mode::Specified, BLOCKS));
    let expected = Expected::new(BLOCKS);
    let page = server.json(&format!("{INTERNAL}?pagination.limit=1000&pagination.reverse=false")).await;
    let frames = page["internal_txs"].as_array().unwrap();
    for (told, frame) in frames.iter().zip(expected.all_frames()) {
        let hex = |bytes: &[u8]| json!(alloy_primitives::hex::encode_prefixed(bytes));
        assert_eq!((&told["height"], &told["hash"]), (&json!(frame.height), &json!(frame.hash)));
        let (from, to) = (&frame.call.from, &frame.call.to);
        let to = to.as_ref().map_or_else(|| json!(""), |to| hex(to));
        assert_eq!((&told["from"], &told["to"]), (&hex(from), &to));
        assert_eq!((&told["type"], &told["input"]), (&json!(frame.call.kind.as_str()), &hex(&frame.call.input)));
        assert_eq!(told["parent_index"], json!(frame.call.parent.map_or(-1, i64::from)));
        assert_eq!(
            (told["output"].clone(), told["error"].as_str()),
            (hex(&frame.call.output), frame.call.error.as_deref())
        );
        let number = |name: &str| {
            let digits = told[name].as_str().unwrap().trim_start_matches("0x");
            if digits.is_empty() { None } else { Some(u128::from_str_radix(digits, 16).unwrap()) }
        };
        assert_eq!(number("value").map(U256::from), frame.call.value);
        assert_eq!(number("gas"), Some(u128::from(frame.call.gas)));
        assert_eq!(number("gasUsed"), Some(u128::from(frame.call.gas_used)));
    }
    assert!(frames.len() > 80, "{} frames", frames.len());
}

/// Walks one of a list's keys while a block is added after every page, and gives the pages back.
async fn walk(server: &Server, list: &str, which: &str, start: Option<String>) -> Vec<Vec<(String, i64)>> {
    let (mut pages, mut cursor) = (Vec::new(), start);
    loop {
        let key = cursor.map_or(String::new(), |key| format!("&pagination.key={}", escape(&key)));
        let page = server.json(&format!("{list}{key}")).await;
        let found = rows(&page);
        if found.is_empty() {
            return pages;
        }
        pages.push(found);
        assert!(pages.len() < 500, "the walk never ends");
        server.rollup.step(1).expect("it makes a block");
        match page["pagination"][which].as_str() {
            Some(next) => cursor = Some(next.to_owned()),
            None => return pages,
        }
    }
}

#[rstest]
#[case(Mode::Specified)]
#[case(Mode::Quirks)]
#[tokio::test]
async fn lists_are_walked_without_gap_or_duplicate_while_blocks_come(#[case] mode: Mode) {
    let busy = Expected::new(BLOCKS).busiest();
    for (list, limit) in [
        (format!("{TXS}?"), 17),
        (format!("{INTERNAL}?"), 30),
        (format!("{TXS}/by_account/{}?", Address::Short(busy)), 19),
        (format!("{INTERNAL}/by_account/{}?", Address::Short(busy)), 20),
    ] {
        let server = start(with(mode, BLOCKS));
        let whole = rows(&server.json(&format!("{list}pagination.limit=1000")).await);
        let paged = format!("{list}pagination.limit={limit}");
        let forth = walk(&server, &paged, "next_key", None).await;
        assert_eq!(forth.concat(), whole, "{list}");
        assert!(forth.iter().rev().skip(1).all(|page| page.len() == limit), "{list}");
        // The other way from the oldest on everything is met, what came since, too.
        let whole = rows(&server.json(&format!("{list}pagination.limit=1000&pagination.reverse=false")).await);
        let back = walk(&server, &format!("{paged}&pagination.reverse=false"), "next_key", None).await.concat();
        assert_eq!(back.get(..whole.len()), Some(whole.as_slice()), "{list}");
    }
}

#[tokio::test]
async fn the_specified_lists_are_walked_back() {
    let server = start(with(Mode::Specified, BLOCKS));
    for list in [TXS, INTERNAL] {
        let paged = format!("{list}?pagination.limit=10");
        let mut key = None;
        let mut forth = Vec::new();
        for _ in 0..4 {
            let cursor = key.as_deref().map_or(String::new(), |key| format!("&pagination.key={}", escape(key)));
            let page = server.json(&format!("{paged}{cursor}")).await;
            forth.push(rows(&page));
            key = page["pagination"]["next_key"].as_str().map(str::to_owned);
            assert_eq!(
                page["pagination"]["previous_key"].is_null(),
                forth.len() == 1,
                "only page 1 has none before it"
            );
        }
        let cursor = format!("&pagination.key={}", escape(&key.unwrap()));
        let fifth = server.json(&format!("{paged}{cursor}")).await;
        let start = fifth["pagination"]["previous_key"].as_str().unwrap().to_owned();
        let back = walk(&server, &paged, "previous_key", Some(start)).await;
        forth.reverse();
        assert_eq!(back.get(..4), Some(forth.as_slice()), "{list}");
    }
}

#[tokio::test]
async fn keys_and_totals_follow_the_mode() {
    let expected = Expected::new(BLOCKS);
    for list in [TXS, INTERNAL] {
        let of = async |mode, query: &str| {
            let server = start(with(mode, BLOCKS));
            server.json(&format!("{list}?{query}")).await
        };
        let oldest = "pagination.reverse=false&pagination.limit=1&pagination.offset=0";
        let page = of(Mode::Quirks, oldest).await;
        assert_eq!(decoded(&page["pagination"]["next_key"]).as_deref(), Some("{\"sequence\":1}"));
        assert!(page["pagination"]["previous_key"].is_null());
        let last = format!("pagination.limit=10&{}", key("{\"sequence\":4}"));
        let page = of(Mode::Quirks, &last).await;
        assert_eq!(rows(&page).len(), 3);
        assert_eq!(decoded(&page["pagination"]["next_key"]).as_deref(), Some("{\"sequence\":1}"));
        let page = of(Mode::Specified, &last).await;
        assert_eq!((rows(&page).len(), page["pagination"]["next_key"].is_null()), (3, true));
        let by_offset = format!("pagination.limit=5&{}", key("{}"));
        let page = of(Mode::Quirks, &by_offset).await;
        assert_eq!(decoded(&page["pagination"]["next_key"]).as_deref(), Some("5"));
        let count = if list == TXS { expected.txs(|_| true).len() } else { rows_held(&expected) };
        assert_eq!(total(&page), i64::try_from(count).unwrap());
    }
}

fn rows_held(expected: &Expected) -> usize {
    expected.frames(|frame| frame.height <= BLOCKS - 3).len()
}

#[tokio::test]
async fn call_frames_are_a_few_blocks_behind() {
    let server = start(with(Mode::Specified, BLOCKS));
    let expected = Expected::new(BLOCKS + 5);
    for step in 0..4 {
        let tip = BLOCKS + step;
        let status = server.json("/status").await;
        assert_eq!((&status["height"], &status["internal_tx_height"]), (&json!(tip), &json!(tip - 3)));
        let newest = server.json(&format!("{INTERNAL}?pagination.limit=1")).await;
        assert!(newest["internal_txs"][0]["height"].as_u64().unwrap() <= tip - 3);
        for (hash, _) in expected.txs(|tx| tx.height > tip - 3 && tx.height <= tip && tx.receipt.kind == 2) {
            let page = server.json(&format!("{INTERNAL}/{hash}")).await;
            assert_eq!(rows(&page), Vec::new(), "not traced yet");
            assert_eq!(server.json(&format!("{TXS}/{hash}")).await["tx"]["transactionHash"], json!(hash));
        }
        server.rollup.step(1).unwrap();
    }
    let early = start(with(Mode::Specified, 3));
    assert!(early.json("/status").await.get("internal_tx_height").is_none());
    assert_eq!(total(&early.json(INTERNAL).await), 0);
}

#[tokio::test]
async fn a_file_goes_on_with_the_same_receipts_and_frames() {
    let folder = tempfile::tempdir().unwrap();
    let data = Some(folder.path().join("rollup.sqlite"));
    let with_file = || RollupOptions { data: data.clone(), ..with(Mode::Specified, 30) };
    let whole = async |server: &Server| {
        let lists = [TXS, INTERNAL].map(|list| format!("{list}?pagination.limit=1000&pagination.reverse=false"));
        (server.get(&lists[0]).await.text, server.get(&lists[1]).await.text)
    };
    let before = {
        let server = start(with_file());
        server.rollup.step(20).unwrap();
        whole(&server).await
    };
    let server = start(with_file());
    assert_eq!(whole(&server).await, before);
    server.rollup.step(10).unwrap();
    assert_eq!(whole(&server).await, whole(&start(with(Mode::Specified, 60))).await);
}

#[rstest]
#[case(&format!("{TXS}/zz"), 400, "invalid hash format")]
#[case(&format!("{TXS}/abc"), 404, "tx not found")]
#[case(&format!("{TXS}/by_account"), 400, "invalid hash format")]
#[case(&format!("{TXS}/by_height/0"), 400, "[INVALID_VALUE] invalid value for height: 0 (must be a positive integer)")]
#[case(&format!("{TXS}/by_account/zz"), 400, "[INVALID_VALUE] invalid value for account: zz (invalid address format)")]
#[case(&format!("{TXS}?pagination.limit=0"), 400, "pagination.limit must be between 1 and 1000")]
#[case(&format!("{INTERNAL}/zz"), 400, "invalid hash format")]
#[case(&format!("{INTERNAL}/abc"), 404, "transaction not found")]
#[case(&format!("{INTERNAL}/{}", "ab".repeat(32)), 404, "transaction not found")]
#[case(&format!("{INTERNAL}/by_height/x"), 400, "[INVALID_VALUE] invalid value for height: x (must be a valid integer)")]
#[case(&format!("{INTERNAL}?pagination.offset=-1"), 400, "pagination.offset cannot be negative")]
#[case(&format!("{INTERNAL}/a/b/c"), 404, "Cannot GET /indexer/tx/v1/evm-internal-txs/a/b/c")]
#[tokio::test]
async fn refusals_are_the_real_servers_sentences(#[case] path: &str, #[case] status: u16, #[case] sentence: &str) {
    for mode in [Mode::Specified, Mode::Quirks] {
        let server = start(with(mode, 10));
        assert_eq!(server.get(path).await.refusal(), (status, sentence), "{mode:?}");
    }
}

#[tokio::test]
async fn other_virtual_machines_have_no_such_routes_whatever_the_method() {
    for vm in [Vm::Move, Vm::Wasm] {
        let mut options = stepped(10);
        options.ledger.vm = vm;
        let server = Server::with(options);
        let hash = EvmTxHash::new([1; 32]);
        for path in [TXS.to_owned(), format!("{TXS}/{hash}"), INTERNAL.to_owned(), format!("{INTERNAL}/by_height/1")] {
            let refusal = (404, "evm routes are not available on this chain");
            assert_eq!(server.get(&path).await.refusal(), refusal);
            for method in ["POST", "OPTIONS"] {
                let answer = server.raw(&format!("{method} {path}"));
                assert!(answer.starts_with("HTTP/1.1 404 ") && answer.ends_with(refusal.1), "{answer}");
            }
        }
    }
    let server = start(with(Mode::Specified, 10));
    assert!(server.raw(&format!("POST {TXS}")).starts_with("HTTP/1.1 405 "));
    assert!(server.raw(&format!("HEAD {INTERNAL}")).starts_with("HTTP/1.1 200 "));
    assert!(server.raw("GET /INDEXER/tx/V1/Evm-Txs/").starts_with("HTTP/1.1 200 "));
}
