//! `/` beyond blocks and transactions: collections, tokens, denoms, EVM hashes, web addresses, lists of things.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use rollscope::{
    config::{KnownToken, Network},
    domain::{Address, Vm},
    msg::{Instruction, Request},
    wire::{ApiError, ErrorKind},
};
use rstest::rstest;
use serde_json::{Value, json};
use tokio::sync::Notify;

use super::scripted::{Server, block, chain, genesis, page, path, tx};
use crate::harness::{Explorer, replay::Answer};

/// A collection that is also an account with transactions.
const COLLECTION: &str = "0x408b33ca7c2a50077999d978dd790095a80aed4e";
/// An account that is no collection.
const ACCOUNT: &str = "0x1111111111111111111111111111111111111111";
/// A collection without transactions of its own.
const QUIET: &str = "0x2222222222222222222222222222222222222222";
/// A 32-byte object: a collection, as on Move.
const OBJECT: &str = "0x3333333333333333333333333333333333333333333333333333333333333333";
/// A transaction by its EVM hash.
const EVM_HASH: &str = "0x4444444444444444444444444444444444444444444444444444444444444444";
/// Nothing at all.
const NOTHING: &str = "0x5555555555555555555555555555555555555555555555555555555555555555";

const TIP: u64 = 900;

fn bech32(hex: &str) -> String {
    hex.parse::<Address>().expect("an address").bech32()
}

fn short(hex: &str) -> String {
    hex.parse::<Address>().expect("an address").short()
}

fn collection(address: &str, name: &str) -> Value {
    json!({"object_addr": address, "height": 7, "timestamp": genesis().to_string(),
        "collection": {"creator": bech32(ACCOUNT), "name": name, "origin_name": "", "nfts": {"handle": "", "length": 3}}})
}

fn token(id: &str) -> Value {
    json!({"collection_addr": COLLECTION, "collection_name": "Star Cats", "collection_origin_name": "",
        "object_addr": "", "owner": bech32(ACCOUNT), "nft": {"token_id": id, "uri": ""}, "height": 8,
        "timestamp": genesis().to_string()})
}

fn receipt() -> Value {
    json!({"tx": {"blockHash": NOTHING, "blockNumber": "0x1f4", "contractAddress": null, "cumulativeGasUsed": "0x1",
        "effectiveGasPrice": "0x1", "from": ACCOUNT, "gasUsed": "0x1", "logs": [], "logsBloom": "0x", "status": "0x1",
        "to": COLLECTION, "transactionHash": EVM_HASH, "transactionIndex": "0x0", "type": "0x2"}})
}

fn rows(name: &str, rows: &[Value]) -> Answer {
    Answer::json(json!({name: rows, "pagination": {"previous_key": null, "next_key": null, "total": "0"}}).to_string())
}

/// A chain of 900 blocks whose transaction 0001… is in block 1, with two collections and a rich list.
fn answer(seen: &crate::harness::replay::Seen) -> Answer {
    let absent = || Answer::text(404, "[NOT_FOUND] not found");
    let path = path(seen);
    let tail = path.rsplit('/').next().unwrap_or_default();
    match path {
        _ if path.starts_with("/indexer/block/v1/blocks/") => {
            let height = tail.parse().unwrap_or(u64::MAX);
            if height <= TIP { Answer::json(json!({"block": block(height)}).to_string()) } else { absent() }
        }
        _ if path.starts_with("/indexer/tx/v1/txs/by_account/") => {
            let is_active = [COLLECTION, ACCOUNT].iter().any(|hex| bech32(hex) == tail);
            rows("txs", &if is_active { vec![tx(12)] } else { Vec::new() })
        }
        _ if path.starts_with("/indexer/tx/v1/txs/by_height/") => rows("txs", &[]),
        _ if path.starts_with("/indexer/tx/v1/txs/") => {
            let number = u64::from_str_radix(&tail[..4], 16).unwrap_or(u64::MAX);
            let is_known = tx(number)["txhash"] == tail && (1..=TIP).contains(&number);
            if is_known { Answer::json(json!({"tx": tx(number)}).to_string()) } else { absent() }
        }
        _ if path.starts_with("/indexer/tx/v1/evm-txs/") && tail == EVM_HASH => Answer::json(receipt().to_string()),
        "/indexer/nft/v1/collections" => rows("collections", &[collection(COLLECTION, "Star Cats")]),
        _ if path.starts_with("/indexer/nft/v1/collections/by_name/") => {
            let found: Vec<Value> = [(QUIET, "Quiet Moons"), (COLLECTION, "Star Cats")]
                .iter()
                .filter(|(_, name)| name.to_lowercase().replace(' ', "").contains(tail))
                .map(|(address, name)| collection(address, name))
                .collect();
            rows("collections", &found)
        }
        _ if path.starts_with("/indexer/nft/v1/collections/") => match tail {
            COLLECTION => Answer::json(json!({"collection": collection(COLLECTION, "Star Cats")}).to_string()),
            QUIET => Answer::json(json!({"collection": collection(QUIET, "Quiet Moons")}).to_string()),
            OBJECT => Answer::json(json!({"collection": collection(OBJECT, "Objects")}).to_string()),
            _ => absent(),
        },
        _ if path.starts_with("/indexer/nft/v1/tokens/by_collection/") => rows("tokens", &[token("12")]),
        _ if path.starts_with("/indexer/nft/v1/txs/") => rows("txs", &[]),
        _ if path.starts_with("/indexer/richlist/v1/") => {
            rows("holders", &[json!({"account": bech32(ACCOUNT), "amount": "77000"})])
        }
        "/indexer/tx/v1/txs" => page(seen, "txs", TIP, tx),
        _ => chain(seen, TIP),
    }
}

fn explore() -> (Server, Explorer) {
    let server = Server::new(|seen, _| answer(seen));
    let token = KnownToken { denom: "l2/ab12".to_owned(), symbol: "USDC".to_owned(), decimals: 6 };
    let network = Network {
        name: "scripted".to_owned(),
        chain_id: Some("scripted-1".to_owned()),
        tokens: vec![token],
        ..Network::default()
    };
    let explorer = server.explorer().network(network).server(server.url()).start();
    explorer.settle();
    (server, explorer)
}

fn hash_of(number: u64) -> String {
    tx(number)["txhash"].as_str().expect("a hash").to_owned()
}

/// What was asked for since so many commands.
fn asked(explorer: &Explorer, since: usize) -> Vec<Request> {
    let fetched =
        |command: &Instruction| if let Instruction::Fetch(_, request) = command { Some(request.clone()) } else { None };
    explorer.commands()[since..].iter().filter_map(fetched).collect()
}

#[test]
fn each_kind_of_thing_opens_its_page() {
    let (_server, explorer) = explore();
    let web = |rest: &str| format!("https://scan.initia.xyz/scripted-1/{rest}");
    let cases = [
        ("5_00".to_owned(), "Block 500 "),
        ("block 500".to_owned(), "Block 500 "),
        (web("blocks/500"), "Block 500 "),
        (hash_of(3), "Tx 0003"),
        (web(&format!("txs/{}", hash_of(3).to_lowercase())), "Tx 0003"),
        (format!("/indexer/tx/v1/txs/{}", hash_of(3)), "Tx 0003"),
        (format!("Tx hash: {} (failed?)", hash_of(3)), "Tx 0003"),
        (format!("{}\n{}", &hash_of(3)[..30], &hash_of(3)[30..]), "Tx 0003"),
        (QUIET.to_uppercase(), "Quiet Moons"),
        (web(&format!("nft/{COLLECTION}")), "Star Cats"),
        (OBJECT.to_owned(), "Objects"),
        (format!("{COLLECTION}/12"), "Star Cats #12"),
        (format!("{}/12", bech32(COLLECTION)), "Star Cats #12"),
        (format!("https://otterscan.example/token/{COLLECTION}/instance/12"), "Star Cats #12"),
        ("usdc".to_owned(), "Rich list · USDC l2/ab12"),
        ("l2/AB12".to_owned(), "Rich list · USDC l2/ab12"),
        ("denom ibc/0123456789abcdef0123".to_owned(), "Rich list · ibc/0123…0123"),
        ("/indexer/richlist/v1/factory%2Fa%2Fb?x=1".to_owned(), "Rich list · factory/a/b"),
        (ACCOUNT.to_owned(), "Account init1"),
        (web(&format!("accounts/{}", bech32(ACCOUNT))), "Account init1"),
        (EVM_HASH.to_owned(), "Tx 0x4444"),
        (format!("https://otterscan.example/tx/{EVM_HASH}"), "Tx 0x4444"),
    ];
    for (text, expected) in cases {
        explorer.press("1 2").paste(&text).press("enter").wait_gone("Go to").wait_for(expected);
    }
}

#[test]
fn an_address_that_is_two_things_is_offered_as_both() {
    let (_server, explorer) = explore();
    explorer.paste(COLLECTION).wait_for("→ an account or a collection").press("enter");
    explorer.wait_for("several matches").wait_for(&format!("account    {}", bech32(COLLECTION)));
    explorer.press("ctrl-n").press("enter").wait_for("Star Cats").wait_gone("Go to");
    explorer
        .press("1")
        .paste(COLLECTION)
        .press("enter")
        .press("enter")
        .wait_for(&format!("Txs · {}", short(COLLECTION)));
}

#[test]
fn an_address_that_did_nothing_opens_all_the_same_and_an_unknown_hash_says_so() {
    let (_server, explorer) = explore();
    let address = "0x9999999999999999999999999999999999999999";
    explorer.paste(address).press("enter").wait_for(&format!("Txs · {}", short(address)));
    explorer.press("1").paste(NOTHING).wait_for("→ a Cosmos or EVM transaction or a 32-byte address");
    explorer
        .press("enter")
        .wait_for("not found as")
        .wait_for("the API has no lookup of")
        .press("esc")
        .wait_gone("Go to");
}

#[test]
fn a_second_enter_does_not_wait() {
    let never = Arc::new(Notify::new());
    let gate = Arc::clone(&never);
    let server = Server::new(move |seen, _| match path(seen) {
        slow if slow.contains("/nft/") => Answer::After(Arc::clone(&gate), Box::new(Answer::text(404, "no"))),
        _ => answer(seen),
    });
    let explorer = server.explorer().start();
    explorer.settle().paste(ACCOUNT).keys("enter").wait_for("searching 2 candidates").keys("enter");
    explorer.wait_for(&format!("Txs · {}", short(ACCOUNT))).wait_gone("Go to");
    never.notify_waiters();
}

#[test]
fn an_unreachable_endpoint_is_said_and_not_taken_for_absence() {
    let server = Server::new(|seen, _| match path(seen) {
        broken if broken.contains("/nft/") => Answer::text(400, "[BAD_REQUEST] no such thing today"),
        path if path.contains("by_account") => rows("txs", &[]),
        _ => answer(seen),
    });
    let explorer = server.explorer().start();
    explorer.settle().paste(ACCOUNT).press("enter").wait_for("such thing today").wait_for("Go to");
}

#[test]
fn other_chains_are_said_and_looked_up_here() {
    let (_server, explorer) = explore();
    let url = format!("https://explorer.skip.build/?tx_hash={}&chain_id=yominet-1", hash_of(3));
    explorer.paste(&url).wait_for("URL of yominet-1; searched on ").press("enter");
    explorer.wait_for("Tx 0003").wait_for("URL of yominet-1");
    let url = format!("https://www.mintscan.io/initia/tx/{NOTHING}");
    explorer.press("1").paste(&url).press("enter").wait_for("not found (URL of interwoven-1");
    explorer.press("esc /").type_text("yominet-1").press("enter").wait_for("; :use yominet shows it");
    explorer.press("esc /").type_text("cabal").press("enter").wait_for("; :use cabal shows it");
    explorer.press("esc").paste("https://explorer.skip.build/?chain_id=interwoven-1").press("enter");
    explorer.wait_for("the URL names only a chain: interwoven-1 is another chain; :use initia shows it");
    explorer.press("esc /").type_text("mars-1").press("enter").wait_for("unknown chain id mars-1; :use with its");
    explorer.press("esc /").type_text("scripted-1").press("enter").wait_for("scripted-1 is the current chain");
}

#[test]
fn the_beginning_of_a_known_hash_is_enough() {
    let (_server, explorer) = explore();
    explorer.press("3").press("/").type_text(&hash_of(900)[..7]).press("enter").wait_for("Tx 0384");
    let shown = format!("{}…{}", &hash_of(899)[..4], &hash_of(899)[60..]);
    explorer.press("3").paste(&shown).press("enter").wait_for(&format!("Tx {}", &hash_of(899)[..4]));
}

#[test]
fn a_height_above_the_tip_says_when_it_is_expected() {
    let (_server, explorer) = explore();
    explorer.press("/").type_text("960").wait_for("→ block 960, expected in about 1 min");
}

#[test]
fn collections_are_suggested_by_name_without_holding_up_the_keys() {
    let (_server, explorer) = explore();
    let before = explorer.commands().len();
    explorer.press("/").type_text("moo").wait_for("Quiet Moons").wait_for("server");
    explorer.type_text("ns").settle().press("enter").wait_for("Quiet Moons").wait_gone("Go to");
    let names = asked(&explorer, before).into_iter().filter(|request| matches!(request, Request::Collections(..)));
    assert!(names.count() >= 3, "each key asks anew");
    explorer.press("4").wait_for("Star Cats").press("/").type_text("star c").wait_for("loaded");
    explorer.press("down").press("enter").wait_for("Star Cats").wait_gone("Go to");
}

#[test]
fn a_word_that_may_be_a_denom_does_not_hide_a_collection() {
    let (_server, explorer) = explore();
    explorer.press("/").type_text("uiet").wait_for("Quiet Moons").wait_for("holders of uiet, if this denom exists");
    explorer.press("enter").wait_for("several matches").press("down").press("down").press("enter");
    explorer.wait_for("Rich list · uiet");
}

#[test]
fn recents_keep_what_they_were() {
    let (_server, explorer) = explore();
    explorer.paste(QUIET).press("enter").wait_for("Quiet Moons");
    explorer.press("1").paste("usdc").press("enter").wait_for("Rich list ·");
    explorer.press("1").paste(EVM_HASH).press("enter").wait_for("Tx 0x4444");
    let remembered: Vec<String> = explorer
        .commands()
        .into_iter()
        .filter_map(|command| if let Instruction::Remember(text) = command { Some(text) } else { None })
        .collect();
    let evm = format!("evm-tx {EVM_HASH}");
    assert_eq!(remembered, [format!("collection {QUIET}").as_str(), "denom l2/ab12", evm.as_str()]);
    explorer.press("1").press("/").wait_for("recent").wait_for("evm tx").wait_for("denom");
    let before = explorer.commands().len();
    explorer.press("down down down").press("enter").wait_for("Quiet Moons").wait_gone("Go to");
    let accounts = asked(&explorer, before).into_iter().filter(|request| matches!(request, Request::Txs(..)));
    assert_eq!(accounts.count(), 0, "its kind is known: nothing else is looked up");
}

#[test]
fn recents_of_older_versions_are_understood_and_loose_letters_find_recents() {
    let digits = "ab".repeat(32);
    let recents = vec![
        digits.clone(),
        ACCOUNT.to_owned(),
        "17".to_owned(),
        "what?".to_owned(),
        "denom factory/init1x/gold".to_owned(),
    ];
    let explorer = Explorer::builder()
        .scripted(move |request| match request {
            Request::Recents => Ok(rollscope::msg::Answer::Recents(recents.clone())),
            _ => Err(ApiError { kind: ErrorKind::NotFound("no".into()), url: "".into(), body: None }),
        })
        .start();
    explorer.press("/").wait_for("hash       ABAB").wait_for("address    init1").wait_for("block      17");
    assert!(!explorer.screen().contains("what?"), "what names nothing is not offered");
    explorer
        .type_text("fctgold")
        .wait_for("denom      factory/init1x/gold")
        .press("down enter")
        .wait_for("[5 Rich list]");
}

#[test]
fn a_paste_goes_to_the_input_whatever_lies_over_the_screen() {
    let (_server, explorer) = explore();
    for keys in ["?", "f12", "2 y"] {
        explorer.press(keys).paste("33").press("enter").wait_for("Block 33 ");
    }
}

#[test]
fn several_things_become_a_table() {
    let (_server, explorer) = explore();
    let list = [
        &hash_of(3),
        "500",
        COLLECTION,
        ACCOUNT,
        EVM_HASH,
        NOTHING,
        &hash_of(5)[..60],
        "9999",
        "0x408b33ca7c2a50077999d978dd790095a80aed4e/12",
    ];
    explorer.press("2").paste(&list.join("\n")).wait_for("9 hashes or names: Enter searches for all").press("enter");
    explorer.wait_for("Pasted · 9 entries · 6 found");
    let screen = explorer.screen();
    for (row, words) in [
        ("0003…", ["tx ", "✓ success", "MsgSend"]),
        ("500 ", ["block", "✓ found", "1 transaction"]),
        ("…", ["evm tx", "✓ success", "EVM receipt, 0 logs"]),
        ("/12", ["token", "✓ found", "Star Cats, owned by"]),
        ("9,999", ["block", "not found", ""]),
        ("0005", ["0005", "invalid", ""]),
    ] {
        let line = screen.lines().find(|line| line.contains(row) && words.iter().all(|word| line.contains(word)));
        assert!(line.is_some(), "{row} {words:?}\n{screen}");
    }
    explorer.press("y").wait_for("all entries not found").press("m");
    assert_eq!(explorer.copied(), [format!("{NOTHING}\n{}\n9999", &hash_of(5)[..60])]);
    explorer.press("e enter").settle();
    let (name, contents) = explorer.written().pop().expect("a file");
    assert_eq!((name.as_str(), contents.lines().count()), ("results.jsonl", 9));
    let first: Value = serde_json::from_str(contents.lines().next().unwrap()).unwrap();
    assert_eq!((&first["result"], &first["height"], &first["kind"]), (&json!("found"), &json!(3), &json!("cosmos-tx")));
    explorer.press("enter").wait_for("Tx 0003").press("esc").wait_for("Pasted · 9 entries");
    explorer.press("G").press("enter").wait_for("Star Cats #12").press("esc").press("k").press("enter");
    explorer.wait_for("not found: no page to open");
}

#[test]
fn few_things_of_a_list_are_looked_up_at_once_and_failures_are_asked_again() {
    let gate = Arc::new(Notify::new());
    let shut = Arc::clone(&gate);
    let is_first = AtomicBool::new(true);
    let server = Server::new(move |seen, _| match path(seen) {
        path if path.ends_with("/blocks/13") && is_first.swap(false, Ordering::Relaxed) => {
            Answer::text(400, "[BAD_REQUEST] not now")
        }
        path if path.ends_with("/blocks/11") => Answer::After(Arc::clone(&shut), Box::new(answer(seen))),
        _ => answer(seen),
    });
    let explorer = server.explorer().start();
    explorer.settle().paste("11\n12\n13\n14\n15\n16").keys("enter").wait_for("· 4 found");
    explorer.wait_for("✗ no answer");
    gate.notify_one();
    explorer.wait_for("· 5 found").press("r").wait_for("· 6 found");
}

#[rstest]
#[case(Some(Vm::Evm), true)]
#[case(Some(Vm::Move), false)]
#[case(None, true)]
fn evm_receipts_are_asked_for_only_where_there_may_be_some(#[case] vm: Option<Vm>, #[case] is_asked: bool) {
    let server = Server::new(|seen, _| answer(seen));
    let network = Network { name: "scripted".to_owned(), vm, ..Network::default() };
    let explorer = server.explorer().network(network).server(server.url()).start();
    explorer.settle().paste(NOTHING).press("enter").wait_for("not found");
    let receipts = asked(&explorer, 0).into_iter().filter(|request| matches!(request, Request::EvmTx(_)));
    assert_eq!(receipts.count() > 0, is_asked);
}

#[test]
fn the_palette_goes_to_the_same_things() {
    let (_server, explorer) = explore();
    explorer
        .press(":")
        .type_text(QUIET)
        .wait_for("go to an account or a collection")
        .press("enter")
        .wait_for("Quiet Moons");
    explorer
        .press(":")
        .type_text("go usdc")
        .wait_for("go to holders of USDC · l2/ab12")
        .press("enter")
        .wait_for("Rich list · USDC l2/ab12");
    explorer.press(":").type_text("unfr").settle();
    assert!(!explorer.screen().contains("go to holders"), "names of actions are no denoms");
}

#[test]
fn the_support_engineer_needs_three_keys_at_the_most() {
    let (_server, explorer) = explore();
    let url = format!("https://scan.initia.xyz/scripted-1/txs/{}?tab=events", hash_of(7));
    explorer.paste(&url).keys("enter").wait_for("Tx 0007").wait_gone("Go to");
}

#[test]
fn hashes_of_another_chain_are_not_looked_for_here() {
    let (_server, explorer) = explore();
    let list = format!("interwoven-1 {}\ninterwoven-1 {}\n{}", &NOTHING[2..], &EVM_HASH[2..], hash_of(3));
    explorer.press("2").paste(&list).press("enter");
    explorer.wait_for("Pasted · 3 entries · 1 found · 2 on other chains");
    let screen = explorer.settle().screen();
    assert_eq!(screen.matches("elsewhere").count(), 2, "{screen}");
    assert!(screen.contains("on Initia") && screen.contains("about") && !screen.contains("not found"), "{screen}");
    explorer.quit();
}
