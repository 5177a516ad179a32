//! What the EVM says of a transaction: both hashes open one page, its logs, its calls, and what a server lacks.

use std::sync::{
    Arc,
    atomic::{AtomicBool, AtomicU64, Ordering},
};

use rollscope::{
    domain::{Address, EvmTxHash, Vm},
    msg::{EvmTxScope, InternalTxScope, Order, PageRequest, PageStart, TxQuery},
    story::AbiRegistry,
    wire,
};
use rstest::rstest;
use serde_json::{Value, json};

use super::{
    Mode, all_txs, ask, on_chain,
    scripted::{self, Server, block, chain, genesis, path},
};
use crate::{
    cli::program::Home,
    harness::{Explorer, chain_with, replay::Answer, replay::Seen},
};

/// The topic of `Transfer(address,address,uint256)`.
const TRANSFER: &str = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";

/// An explorer with room for a whole hash and what is said beside it.
fn explore(mode: Mode, blocks: u64) -> Explorer {
    let explorer = on_chain(mode, blocks).size(160, 36).start();
    explorer.settle();
    explorer
}

/// Emitter, topics and data of a log, in lower case.
type Log = (String, Vec<String>, String);

fn receipts(explorer: &Explorer) -> Vec<wire::EvmTx> {
    ask(explorer, async |client| {
        let page = client.list(&EvmTxScope::All, &PageRequest::newest(1000)).await.expect("receipts");
        page.items.iter().map(|receipt| wire::EvmTx::clone(receipt)).collect()
    })
}

/// The calls of a transaction, the outer one first.
fn calls(explorer: &Explorer, hash: EvmTxHash) -> Vec<wire::InternalTx> {
    ask(explorer, async |client| {
        let page = PageRequest { cursor: PageStart::Start, limit: 1000, order: Order::Ascending, count_total: false };
        let page = client.list(&InternalTxScope::Tx(hash), &page).await.expect("calls");
        page.items.iter().map(|frame| wire::InternalTx::clone(frame)).collect()
    })
}

fn logs_of_receipt(receipt: &wire::EvmTx) -> Vec<Log> {
    let topics = |log: &wire::EvmLog| log.topics.iter().map(|topic| topic.0.to_lowercase()).collect();
    receipt.logs().iter().map(|log| (log.address.to_lowercase(), topics(log), log.data.0.to_lowercase())).collect()
}

fn logs_of_events(tx: &wire::Tx) -> Vec<Log> {
    let record = serde_json::to_value(tx).expect("JSON");
    let events = record["events"].as_array().expect("events").iter().filter(|event| event["type"] == "evm");
    let attributes = events.flat_map(|event| event["attributes"].as_array().into_iter().flatten());
    let texts = attributes.filter(|one| one["key"] == "log").filter_map(|one| one["value"].as_str());
    let lower = |value: &Value| value.as_str().unwrap_or_default().to_lowercase();
    let read = |text: &str| {
        let log: Value = serde_json::from_str(text).expect("a log is JSON");
        let topics = log["topics"].as_array().into_iter().flatten().map(lower).collect();
        (lower(&log["address"]), topics, lower(&log["data"]))
    };
    texts.map(read).collect()
}

/// Transactions with the one receipt that has just their logs.
fn pairs(explorer: &Explorer) -> Vec<(wire::Tx, wire::EvmTx)> {
    let receipts = receipts(explorer);
    let of = |tx: &wire::Tx| {
        let logs = logs_of_events(tx);
        let same = |receipt: &&wire::EvmTx| {
            receipt.height() == Some(tx.height) && !logs.is_empty() && logs_of_receipt(receipt) == logs
        };
        let mut found = receipts.iter().filter(same);
        found.next().cloned().filter(|_| found.next().is_none())
    };
    all_txs(explorer, &TxQuery::default()).into_iter().filter_map(|tx| of(&tx).map(|receipt| (tx, receipt))).collect()
}

#[rstest]
fn either_hash_opens_one_page_and_the_proof_is_said(#[values(Mode::Specified, Mode::Quirks)] mode: Mode) {
    let explorer = explore(mode, 120);
    let pairs = pairs(&explorer);
    assert!(pairs.len() > 20, "only {} pairs", pairs.len());
    // What a batch says fills the screen.
    let single: Vec<_> = pairs.iter().filter(|(tx, _)| tx.message_types().len() == 1).collect();
    for (tx, receipt) in single.iter().step_by(single.len() / 3) {
        let hashes = [tx.txhash.to_string(), receipt.transaction_hash.to_string()];
        for hash in &hashes {
            explorer.press("3").paste(hash).press("enter").wait_for(&format!("Tx {}", tx.txhash));
            explorer.wait_for(&format!("evm hash    {}  ✓", hashes[1]));
            let is_mirrored = receipt.transaction_hash == rollscope::wire::mirrored_hash(tx.txhash);
            explorer.wait_for(if is_mirrored { "derived from the Cosmos hash" } else { "matched by" });
            explorer.wait_for("[Story] Messages  Events  Logs  Calls  Raw");
        }
        for hash in &hashes {
            explorer.paste(hash).press("enter").wait_for("this page is open");
        }
        explorer.press("esc").wait_gone("evm hash    ");
    }
}

#[rstest]
fn logs_are_those_of_the_receipt_with_their_words_read(#[values(Mode::Specified, Mode::Quirks)] mode: Mode) {
    let explorer = explore(mode, 120);
    let pairs = pairs(&explorer);
    let is_transfer = |log: &wire::EvmLog| log.topics.len() == 3 && log.topics[0].0 == TRANSFER;
    let (tx, receipt) = pairs.iter().find(|(_, receipt)| receipt.logs().iter().any(is_transfer)).expect("a transfer");
    let log = receipt.logs().iter().find(|log| is_transfer(log)).expect("it is there");
    explorer.paste(&tx.txhash.to_string()).press("enter l l l").wait_for("[Logs]").wait_for("from its receipt");
    explorer.wait_for("Transfer(address,address,uint256)");
    let form = |topic: &wire::HexText| {
        format!("0x{}", &topic.0[26..]).parse::<rollscope::domain::Address>().expect("an address").checksummed()
    };
    explorer.wait_for(&format!("from  {}", form(&log.topics[1])));
    explorer.wait_for(&format!("to    {}", form(&log.topics[2])));
    let value = log.data.quantity().expect("a number").to_string();
    explorer.wait_for(&format!("value {}", rollscope::domain::text::group_digits(&value)));
    let count = receipt.logs().len();
    explorer.wait_for(&if count == 1 { "1 log from".to_owned() } else { format!("{count} logs from") });
}

/// `Swap(address,uint256,uint256,uint256,uint256,address)`: its first and its last parameter are the topics.
const SWAP: &str = "0xd78ad95fa46c994b6551d0da85fc275fe613ce37657fb8d5e3d130840159d822";

#[test]
fn a_topic_is_not_read_by_the_type_of_another_parameter() {
    let explorer = on_chain(Mode::Specified, 120).size(160, 80).start();
    let pairs = pairs(&explorer);
    let swap = |receipt: &wire::EvmTx| receipt.logs().iter().find(|log| log.topics[0].0 == SWAP).cloned();
    let (tx, log) = pairs.iter().find_map(|(tx, receipt)| Some((tx, swap(receipt)?))).expect("a swap");
    explorer.paste(&tx.txhash.to_string()).press("enter l l l").wait_for("from its receipt").wait_for("Swap(address,");
    let number = log.topics[2].quantity().expect("a word").to_string();
    let wrong = rollscope::domain::text::group_digits(&number);
    assert!(!explorer.screen().contains(&wrong), "an address is shown as a number:\n{}", explorer.screen());
}

/// The lines of calls on screen.
fn call_lines(explorer: &Explorer) -> Vec<String> {
    let kinds = [" CALL ", " STATICCALL ", " DELEGATECALL ", " CREATE ", " CREATE2 "];
    let screen = explorer.screen();
    let lines = screen.lines().filter(|line| kinds.iter().any(|kind| line.contains(kind)));
    lines.map(str::to_owned).collect()
}

#[rstest]
fn calls_are_a_tree_that_folds(#[values(Mode::Specified, Mode::Quirks)] mode: Mode) {
    let explorer = explore(mode, 120);
    let nested = receipts(&explorer).into_iter().find_map(|receipt| {
        let calls = calls(&explorer, receipt.transaction_hash);
        (calls.len() > 2 && calls.len() < 20 && receipt.is_success()).then_some((receipt.transaction_hash, calls))
    });
    let (hash, calls) = nested.expect("a transaction whose contracts call others");
    explorer.paste(&hash.to_string()).press("enter l l l l").wait_for("[Calls]");
    explorer.wait_for(&format!("{} calls", calls.len()));
    let lines = call_lines(&explorer);
    assert_eq!(lines.len(), calls.len(), "{}", explorer.screen());
    let indent = |line: &str| line.chars().position(char::is_alphabetic).expect("a word");
    for (line, call) in lines.iter().zip(&calls) {
        assert!(line.contains(&call.kind), "{line}: {call:?}");
        let parent = calls.iter().position(|other| other.index == call.parent_index);
        assert!(parent.is_none_or(|parent| indent(&lines[parent]) < indent(line)), "{}", explorer.screen());
    }
    explorer.press("j enter");
    assert_eq!(call_lines(&explorer).len(), 1, "what the outer call made is hidden:\n{}", explorer.screen());
    explorer.press("enter");
    assert_eq!(call_lines(&explorer), lines);
}

#[test]
fn a_call_that_reverted_says_why_in_its_own_words() {
    let explorer = explore(Mode::Specified, 200);
    let failed = receipts(&explorer).into_iter().filter(|receipt| !receipt.is_success()).find_map(|receipt| {
        let calls = calls(&explorer, receipt.transaction_hash);
        let inner = calls.into_iter().find(|call| call.output.0.starts_with("0x08c379a0"))?;
        Some((receipt.transaction_hash, inner))
    });
    let (hash, inner) = failed.expect("an inner call that reverted");
    let bytes = inner.output.bytes().expect("bytes");
    let length = usize::from(bytes[67]);
    let words = String::from_utf8(bytes[68..68 + length].to_vec()).expect("text");
    explorer
        .paste(&hash.to_string())
        .press("enter l l l l")
        .wait_for("✗ failed")
        .wait_for(&format!("reverted: “{words}”"));
    explorer.resize(80, 24).wait_for(&format!("reverted: “{words}”")).resize(160, 40).press("esc");
    for hash in receipts(&explorer).into_iter().map(|receipt| receipt.transaction_hash) {
        let calls = calls(&explorer, hash);
        if calls.iter().any(|call| call.error.as_ref().is_some_and(|error| *error == "execution reverted")) {
            explorer.paste(&hash.to_string()).press("enter l l l l").wait_for("✗ CALL ");
            for (line, call) in call_lines(&explorer).iter().zip(&calls) {
                assert_eq!(line.contains("✗ "), call.error.is_some(), "{line}: {call:?}");
                assert_eq!(line.contains(" reverted"), call.error.is_some(), "{line}: {call:?}");
            }
            break;
        }
    }
}

const CONTRACT: &str = "0x2222222222222222222222222222222222222222";
const SENDER: &str = "0x1111111111111111111111111111111111111111";
const EVM_HASH: &str = "0x4444444444444444444444444444444444444444444444444444444444444444";
const COSMOS_HASH: &str = "6666666666666666666666666666666666666666666666666666666666666666";
const HEIGHT: u64 = 500;
/// `frobnicate(uint256)` of 1234, which no standard knows.
const INPUT: &str = "0xc6a9789700000000000000000000000000000000000000000000000000000000000004d2";

/// A server with one transaction that the EVM ran.
#[derive(Default)]
struct One {
    /// The receipt's log is another than the event's.
    has_other_log: AtomicBool,
    /// How far the calls are indexed.
    traced: AtomicU64,
    /// Its calls are there.
    has_calls: AtomicBool,
    /// There are no routes of the EVM.
    is_plain: AtomicBool,
    /// The call reverted with `EnforcedPause()`, which the record lacks.
    is_reverted: AtomicBool,
    /// What it reverted with instead.
    returned: Option<String>,
}

fn rows(name: &str, rows: &[Value]) -> Answer {
    Answer::json(json!({name: rows, "pagination": {"previous_key": null, "next_key": null, "total": "0"}}).to_string())
}

fn tx(is_reverted: bool) -> Value {
    let log = json!({"address": CONTRACT, "topics": [TRANSFER], "data": "0x01"}).to_string();
    let (code, log_text) =
        if is_reverted { (23, "failed to execute message; message index: 0: Reverted") } else { (0, "") };
    let logged =
        json!([{"type": "evm", "attributes": [{"key": "log", "value": log}, {"key": "msg_index", "value": "0"}]}]);
    json!({
        "txhash": COSMOS_HASH, "height": HEIGHT.to_string(), "code": code, "codespace": "evm", "data": "",
        "raw_log": log_text,
        "logs": [], "info": "", "gas_wanted": "2", "gas_used": "1", "timestamp": genesis().to_string(),
        "tx": {
            "body": {"messages": [{"@type": "/minievm.evm.v1.MsgCall", "sender": SENDER, "contract_addr": CONTRACT,
                                   "input": INPUT, "value": "0"}]},
            "auth_info": {"fee": {"amount": []}, "signer_infos": [{"mode_info": {"single": {"mode": 9999}}}]},
            "signatures": [],
        },
        "events": if is_reverted { json!([]) } else { logged },
    })
}

impl One {
    fn is(flag: &AtomicBool) -> bool {
        flag.load(Ordering::SeqCst)
    }

    fn receipt(&self) -> Value {
        let data = if Self::is(&self.has_other_log) { "0x02" } else { "0x01" };
        let status = if Self::is(&self.is_reverted) { "0x0" } else { "0x1" };
        let mut receipt = json!({
            "blockHash": "0x", "blockNumber": format!("{HEIGHT:#x}"), "contractAddress": null, "logsBloom": "0x",
            "cumulativeGasUsed": "0x1", "effectiveGasPrice": "0x1", "from": SENDER, "gasUsed": "0x1", "status": status,
            "to": CONTRACT, "transactionHash": EVM_HASH, "transactionIndex": "0x0", "type": "0x2",
            "logs": [{"address": CONTRACT, "topics": [TRANSFER], "data": data, "blockNumber": format!("{HEIGHT:#x}"),
                      "transactionHash": EVM_HASH, "transactionIndex": "0x0", "blockHash": "0x", "logIndex": "0x0",
                      "removed": false}],
        });
        if Self::is(&self.is_reverted) {
            receipt["logs"] = json!([]);
        }
        receipt
    }

    fn calls(&self) -> Vec<Value> {
        let mut call = json!({"height": HEIGHT, "hash": EVM_HASH, "parent_index": -1, "index": 0, "type": "CALL",
            "from": SENDER, "to": CONTRACT, "input": INPUT, "output": "0x", "value": "0x", "gas": "0x02", "gasUsed": "0x01"});
        if Self::is(&self.is_reverted) {
            let returned = self.returned.as_deref().unwrap_or("0xd93c0665");
            (call["output"], call["error"]) = (returned.into(), "execution reverted".into());
        }
        if Self::is(&self.has_calls) { vec![call] } else { Vec::new() }
    }

    fn answer(&self, seen: &Seen) -> Answer {
        let path = path(seen);
        if path.contains("/evm-") && Self::is(&self.is_plain) {
            return Answer::text(404, "[NOT_FOUND] evm routes are not available on this chain");
        }
        let last = path.rsplit('/').next().unwrap_or_default();
        let tx = || tx(Self::is(&self.is_reverted));
        match path {
            "/status" => {
                let traced = self.traced.load(Ordering::SeqCst);
                let status = json!({"chain_id": "scripted-1", "height": 900, "internal_tx_height": traced});
                Answer::json(status.to_string())
            }
            _ if path.contains("/evm-internal-txs/") => rows("internal_txs", &self.calls()),
            _ if path.contains("/evm-txs/by_height/") => rows("txs", &[self.receipt()]),
            _ if path.contains("/evm-txs/") && last.eq_ignore_ascii_case(EVM_HASH) => {
                Answer::json(json!({"tx": self.receipt()}).to_string())
            }
            "/indexer/tx/v1/txs" => rows("txs", &[tx(), scripted::tx(400)]),
            _ if path.contains("/txs/by_account/") && last.parse::<Address>() == SENDER.parse() => rows("txs", &[tx()]),
            _ if path.contains("/txs/by_height/") => rows("txs", &[tx()]),
            _ if last.eq_ignore_ascii_case(COSMOS_HASH) => Answer::json(json!({"tx": tx()}).to_string()),
            _ if path.ends_with("/blocks/500") => Answer::json(json!({"block": block(HEIGHT)}).to_string()),
            _ => chain(seen, 900),
        }
    }

    fn explore(self) -> (Arc<Self>, Server, Explorer) {
        let one = Arc::new(self);
        let behind = Arc::clone(&one);
        let server = Server::new(move |seen, _| behind.answer(seen));
        let explorer = server.explorer().size(160, 36).start();
        explorer.settle();
        (one, server, explorer)
    }
}

#[rstest]
#[case(None, "0xc6a97897")]
#[case(Some(CONTRACT), "frobnicate")]
#[case(Some(SENDER), "0xc6a97897")]
fn a_user_s_abi_names_the_calls_of_its_contract_alone(#[case] contract: Option<&str>, #[case] name: &str) {
    let one = One { has_calls: AtomicBool::new(true), ..One::default() };
    let server = Server::new(move |seen, _| one.answer(seen));
    let mut book = AbiRegistry::default();
    if let Some(contract) = contract {
        let json = r#"[{"type":"function","name":"frobnicate","inputs":[{"name":"amount","type":"uint256"}]}]"#;
        book.add_file(contract, json).expect("an ABI");
    }
    let explorer = server.explorer().abi(book).size(160, 36).start();
    explorer.settle();
    explorer.paste(COSMOS_HASH).press("enter").wait_for(&format!("called {name} on"));
    let is_known = name == "frobnicate";
    let typed = if is_known { "frobnicate(uint256)" } else { "unknown 0xc6a97897" };
    explorer.press("l").wait_for(typed).press("l l l").wait_for("[Calls]");
    explorer.wait_for(&if is_known { format!("{name}()") } else { name.to_owned() });
    explorer.press("j j enter").wait_for(typed).wait_for(if is_known { "1,234" } else { "word 0" });
}

#[test]
fn what_a_call_returned_is_told_wherever_its_failure_is() {
    let reverted = || One { is_reverted: AtomicBool::new(true), ..One::default() };
    let (one, server, explorer) = reverted().explore();
    explorer.press("3").wait_for("reverted; its reason is not looked up");
    one.has_calls.store(true, Ordering::SeqCst);
    explorer.press("r").wait_gone("not looked up");
    let told = "reverted: EnforcedPause()";
    explorer.wait_for(told);
    let asked = || server.seen().iter().filter(|seen| path(seen).contains("/evm-internal-txs/")).count();
    let before = asked();
    explorer.press("enter").wait_for("✗ failed").wait_for(told).press("esc").wait_for(told);
    explorer.press("m j =").wait_for("Compare ").wait_for(told).press("esc");
    explorer.paste(SENDER).press("enter").wait_for("Account ").wait_for(told);
    assert_eq!(asked(), before, "the reason is asked for once");
    let indexer = format!("--indexer {}", server.url());
    let page = Home::empty().run(&format!("txs {COSMOS_HASH} --format table {indexer}"));
    assert!(page.out.contains(told), "{page:?}");
    let story = Home::empty().run(&format!("txs {COSMOS_HASH} --story {indexer}"));
    assert!(story.out.contains(told), "{story:?}");
    one.has_calls.store(false, Ordering::SeqCst);
    let story = Home::empty().run(&format!("txs {COSMOS_HASH} --story {indexer}"));
    assert!(story.out.contains("its reason is not looked up"), "{story:?}");
}

#[test]
fn an_error_of_the_user_s_abi_is_told_with_its_values_in_every_list() {
    let selector = alloy_primitives::hex::encode(&alloy_primitives::keccak256("TooEarly(uint256)")[..4]);
    let returned = Some(format!("0x{selector}{:064x}", 1234));
    let one = One { is_reverted: true.into(), has_calls: true.into(), returned, ..One::default() };
    let server = Server::new(move |seen, _| one.answer(seen));
    let mut book = AbiRegistry::default();
    let json = r#"[{"type":"error","name":"TooEarly","inputs":[{"name":"until","type":"uint256"}]}]"#;
    book.add_file("Mine", json).expect("an ABI");
    let explorer = server.explorer().abi(book).size(160, 36).start();
    let told = "reverted: TooEarly(1234)";
    explorer.settle().press("3").wait_for(told).press("m j =").wait_for("Compare ").wait_for(told).press("esc k");
    explorer.press("enter").wait_for("✗ failed").wait_for(told).press("l l l l").wait_for("[Calls]").wait_for(told);
    explorer.paste(SENDER).press("enter").wait_for("Account ").wait_for(told);
    let unread = Home::empty().run(&format!("txs {COSMOS_HASH} --story --indexer {}", server.url()));
    assert!(unread.out.contains(&format!("0x{selector}")), "without the ABI only its selector is known: {unread:?}");
}

#[test]
fn calls_that_are_not_traced_yet_are_told_from_none_and_asked_for_again() {
    let (one, _server, explorer) = One::default().explore();
    explorer.paste(EVM_HASH).press("enter l l l l").wait_for("[Calls]").wait_for("Not traced yet: its block is 500");
    one.has_calls.store(true, Ordering::SeqCst);
    explorer.press("r").wait_for("1 call ").wait_gone("Not traced yet");
    let (_one, _server, explorer) = One { traced: AtomicU64::new(900), ..One::default() }.explore();
    explorer.paste(COSMOS_HASH).press("enter l l l l").wait_for("[Calls]").wait_for("No calls: tracing failed");
    explorer.press("r").wait_for("No calls: tracing failed");
}

#[rstest]
#[case(COSMOS_HASH, "no receipt in the block is proven to match this transaction")]
#[case(EVM_HASH, "No transaction of the block is proven to match the receipt")]
fn a_log_that_differs_leaves_the_records_apart(#[case] hash: &str, #[case] words: &str) {
    let (one, _server, explorer) = One { has_other_log: AtomicBool::new(true), ..One::default() }.explore();
    explorer.paste(hash).press("enter").wait_for(words);
    if hash == COSMOS_HASH {
        assert!(!explorer.screen().contains(EVM_HASH), "{}", explorer.screen());
        explorer
            .press("l l l")
            .wait_for("from its events")
            .press("l")
            .wait_for("no receipt is proven to match this transaction");
        explorer.press("h h h h");
    } else {
        explorer.wait_for(&format!("✓ {COSMOS_HASH}"));
    }
    explorer.press("r").wait_for(words);
    assert!(!explorer.screen().contains("matched by"), "{}", explorer.screen());
    drop(one);
}

#[test]
fn the_receipts_candidates_are_opened() {
    let (_one, _server, explorer) = One { has_other_log: AtomicBool::new(true), ..One::default() }.explore();
    explorer.paste(EVM_HASH).press("enter").wait_for("No transaction of the block").press("G enter");
    explorer.wait_for(&format!("hash        {COSMOS_HASH}")).press("esc").wait_for("No transaction of the block");
}

#[test]
fn a_server_without_receipts_says_so_and_keeps_the_logs_of_the_events() {
    let (one, _server, explorer) = One { is_plain: AtomicBool::new(true), ..One::default() }.explore();
    explorer.paste(COSMOS_HASH).press("enter").wait_for("this server has no EVM receipts");
    explorer.press("l l l").wait_for("1 log from its events");
    one.is_plain.store(false, Ordering::SeqCst);
    explorer.press("r").wait_for("1 log from its receipt").press("h h h").wait_for(EVM_HASH).wait_for("matched by");
}

#[rstest]
fn rollups_without_an_evm_have_no_tabs_of_it(#[values(Vm::Move, Vm::Wasm)] vm: Vm) {
    let explorer = Explorer::builder().size(100, 30).rollup(chain_with(vm, 40)).start();
    explorer
        .press("3 enter")
        .wait_for("[Story] Messages  Events  Raw")
        .press("r")
        .wait_for("[Story] Messages  Events  Raw");
    assert!(!explorer.screen().contains("evm hash"), "{}", explorer.screen());
    explorer.press("l l l").wait_for("[Raw]").press("l").wait_for("[Story]");
}
