//! Stories on the command line: text for people, JSON for scripts, and the server's record where that is asked for.

use serde_json::{Value, json};

use super::{
    chain::{self, CALL, Chain, SEND},
    parse,
    program::run,
};
use crate::harness::replay::Answer;

const ACCOUNT: &str = "0x0000000000000000000000000000000000000001";

#[test]
fn a_story_as_json_has_the_fields_of_the_reference() {
    let chain = Chain::start(30);
    let ask = |arguments: &str| run(&format!("txs {arguments} --indexer {}", chain.url())).good();
    let hash = format!("{:064X}", 7);
    let failed = ask(&format!("{hash} --story"));
    assert_eq!(failed.lines().count(), 1, "{failed}");
    assert_eq!(ask(&format!("{hash} --story --format json")), failed);
    let failed = parse(&failed);
    let text = |name: &str| failed[name].as_str().unwrap_or_default().to_owned();
    assert_eq!((text("txhash"), &failed["code"], text("codespace")), (hash, &json!(8), "evm".to_owned()));
    assert_eq!(text("raw_log"), "reverted, \"why\"");
    assert!(!text("failure").is_empty(), "{failed}");
    assert_eq!((failed["sentences"][0]["msg_index"].as_u64(), &failed["balances"]), (Some(0), &json!([])));
    assert!(failed["sentences"][0]["text"].is_string() && failed["sentences"][0]["events"].is_array(), "{failed}");

    let good = parse(&ask(&format!("{:064X} --story", 8)));
    for name in ["fee", "balances", "supply", "nft", "conserved", "sentences", "bridge", "failure", "vm"] {
        assert!(good.get(name).is_some(), "{name} is missing: {good}");
    }
    for name in ["declared", "payer", "granter", "net_paid"] {
        assert!(good["fee"].get(name).is_some(), "{name} is missing: {good}");
    }
    assert_eq!((good.get("raw_log"), &good["failure"]), (None, &Value::Null));
}

#[test]
fn without_story_json_is_the_servers_record() {
    let chain = Chain::start(30);
    let record = run(&format!("txs {:064X} --format json --indexer {}", 7, chain.url())).good();
    assert_eq!(record, format!("{}\n", chain::tx(7)));
}

#[test]
fn lists_of_stories_are_lines_an_array_or_text() {
    let chain = Chain::start(700);
    let ask = |arguments: &str| run(&format!("txs {arguments} --indexer {}", chain.url())).good();
    let hashes = |stories: &[Value]| stories.iter().map(|story| story["txhash"].clone()).collect::<Vec<_>>();
    let lines: Vec<Value> = ask(&format!("--account {ACCOUNT} --limit 3 --story")).lines().map(parse).collect();
    let expected: Vec<Value> = (1398..=1400).rev().map(|number| json!(format!("{number:064X}"))).collect();
    assert_eq!(hashes(&lines), expected);
    let array = parse(&ask("--limit 3 --story --format json"));
    assert_eq!(array.as_array(), Some(&lines), "the same stories in one array");
    assert_eq!(ask("--all --story").lines().count(), 1400, "page by page");
    let text = ask("--limit 3 --story --format table");
    let titles: Vec<&str> = text.lines().filter(|line| line.contains(" in block ")).collect();
    assert_eq!(titles.len(), 3, "{text}");
    assert!(titles[0].starts_with(&format!("{:064X}", 1400)), "{text}");
    let sends = ask(&format!("--msg {SEND} --limit 2 --story"));
    assert_eq!(sends.lines().count(), 2);
}

#[test]
fn a_story_as_text_says_first_whether_and_why_it_failed() {
    let chain = Chain::start(30);
    let ask = |number: u64| run(&format!("txs {number:064X} --format table --indexer {}", chain.url())).good();
    let failed = ask(7);
    assert!(failed.starts_with("✗ failed: "), "{failed}");
    let place = |text: &str| failed.find(text).unwrap_or_else(|| panic!("“{text}” is missing: {failed}"));
    assert!(place("reverted") < place("Transaction  ") && place("Transaction  ") < place("Gas  "), "{failed}");
    assert!(ask(8).starts_with("✓ succeeded\n"), "{}", ask(8));
    assert!(!failed.contains('\u{1b}'), "no colours in a pipe: {failed}");
    let colored = run(&format!("txs {:064X} --format table --color always --indexer {}", 7, chain.url())).good();
    assert!(colored.starts_with("\u{1b}[31m✗ failed"), "{colored}");
}

#[test]
fn hostile_text_steers_nothing() {
    let mut tx = chain::tx(7);
    tx["raw_log"] = json!("\u{1b}[2Jgone\u{202e}");
    tx["tx"]["body"]["messages"] = json!([{"@type": format!("/{CALL}\u{1b}[31m"), "sender": "\u{9b}31m"}]);
    let body = json!({ "tx": tx }).to_string();
    let chain = Chain::scripted(move |_| Answer::json(body.clone()));
    let text = run(&format!("txs {:064X} --format table --indexer {}", 7, chain.url())).good();
    assert!(text.contains("gone") && !text.contains("[2J"), "{text}");
    assert!(!text.contains(|character: char| character != '\n' && character.is_control()), "{text:?}");
    assert!(!text.contains('\u{202e}'), "{text:?}");
}

#[test]
fn a_story_fits_no_columns() {
    let sentence = run("txs --story --format csv --indexer http://127.0.0.1:1").bad(2);
    assert!(sentence.contains("--format jsonl, json or table"), "{sentence}");
}

#[test]
fn a_router_beside_the_indexer_names_tokens_in_stories() {
    const DENOM: &str = "evm/2eE7007DF876084d4C74685e90bB7f4cd7c86e22";
    let mut record: Value = chain::tx(8);
    let amount = json!([{"denom": DENOM, "amount": "1500000000000000000"}]);
    record["tx"]["body"]["messages"] =
        json!([{"@type": format!("/{SEND}"), "from_address": "init1a", "to_address": "init1b", "amount": amount}]);
    (record["code"], record["events"]) = (json!(0), json!([]));
    let body = json!({ "tx": record }).to_string();
    let chain = Chain::scripted(move |seen| {
        let asset = json!({"denom": DENOM, "chain_id": "scripted-1", "symbol": "GAS", "decimals": 18});
        match seen.target.split('?').next().unwrap_or_default() {
            "/status" => Answer::json(r#"{"chain_id": "scripted-1", "height": 9}"#),
            "/v2/fungible/assets" => {
                Answer::json(json!({"chain_to_assets_map": {"scripted-1": {"assets": [asset]}}}).to_string())
            }
            _ => Answer::json(body.clone()),
        }
    });
    let ask = |router: &str| run(&format!("txs {:064X} --story --indexer {}{router}", 8, chain.url())).good();
    let told = |text: &str| parse(text)["sentences"][0]["text"].as_str().unwrap_or_default().to_owned();
    let named = told(&ask(&format!(" --router {}", chain.url())));
    assert!(named.contains("1.5 GAS") && !named.contains("evm/"), "{named}");
    let bare = told(&ask(""));
    assert!(bare.contains(&format!("1500000000000000000 {DENOM}")), "{bare}");
}

#[test]
fn a_story_calls_a_collection_as_the_indexer_does_and_never_in_our_voice() {
    const COLLECTION: &str = "0x9999999999999999999999999999999999999999";
    let hash = format!("{:064X}", 5);
    let word = |account: &str| format!("0x{:0>64}", account.trim_start_matches("0x"));
    let topics = [
        "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef".to_owned(),
        word("0x0"),
        word(ACCOUNT),
        word("0x7"),
    ];
    let log = json!({"address": COLLECTION, "topics": topics, "data": "0x"}).to_string();
    let attribute = |key: &str, value: &str| json!({"key": key, "value": value});
    let message = json!({
        "@type": "/minievm.evm.v1.MsgCall", "sender": ACCOUNT, "contract_addr": COLLECTION, "input": "0x01020304",
        "value": "0", "access_list": [],
    });
    let signature = format!("{ACCOUNT}/1");
    let tx = json!({
        "txhash": hash, "height": "1", "timestamp": "2026-01-01T00:00:00Z", "code": 0, "codespace": "", "raw_log": "",
        "tx": {"body": {"messages": [message]}},
        "events": [
            {"type": "tx", "attributes": [attribute("acc_seq", &signature)]},
            {"type": "evm", "attributes": [attribute("log", &log), attribute("msg_index", "0")]},
        ],
    });
    let told = |name: Option<&'static str>| {
        let tx = tx.clone();
        let chain = Chain::scripted(move |seen| {
            let collection = |name: &str| {
                let facts =
                    json!({"creator": "init1x", "name": name, "origin_name": "", "nfts": {"handle": "", "length": 1}});
                json!({"collection": {"object_addr": COLLECTION, "collection": facts, "height": 1,
                    "timestamp": "2026-01-01T00:00:00Z"}})
            };
            match name {
                _ if seen.target.contains("/tx/v1/txs/") => Answer::json(json!({"tx": tx}).to_string()),
                Some(name) if seen.target.contains("/nft/v1/collections/0x9999") => {
                    Answer::json(collection(name).to_string())
                }
                _ => Answer::text(404, "{}"),
            }
        });
        let told = parse(&run(&format!("txs {hash} --story --indexer {}", chain.url())).good());
        told["sentences"][0]["text"].as_str().unwrap_or_default().to_owned()
    };
    assert!(
        told(Some("Real Cats")).contains(&format!("NFT 7 of {COLLECTION} (“Real Cats”)")),
        "{}",
        told(Some("Real Cats"))
    );
    let hostile = told(Some("Cats”). Then 5 INIT were sent to “you"));
    assert!(hostile.contains("(“Cats\"). Then 5 INIT were sent to \"you”)"), "{hostile}");
    let unknown = told(None);
    assert!(unknown.contains(&format!("NFT 7 of {COLLECTION} ")) && !unknown.contains('“'), "{unknown}");
}
