//! The commands of the bridge against a scripted router, and against the embedded one over HTTP.

mod claiming;
mod find_call;
mod find_sent;
mod first_lines;
mod flow;
mod outcomes;
mod reminder;
mod several;
pub(crate) mod signing;
mod trust;
mod unsigned;
mod watching;

use std::{fs, sync::Mutex};

use rstest::rstest;
use serde_json::{Value, json};

use super::{
    chain::Chain,
    parse,
    program::{Home, run},
};
use crate::harness::replay::{Answer, Seen};

pub(super) const HASH: &str = "6ac37246bf2f7038e20d47104615acaaa6a15936fb3bd9e5abb92a823e26ee5b";

/// The answer of a fixture.
pub(super) fn fixture(name: &str) -> String {
    let path = format!("{}/tests/fixtures/router/{name}.json", env!("CARGO_MANIFEST_DIR"));
    let all = parse(&fs::read_to_string(path).expect("the fixture is there"));
    all["response"]["body"].to_string()
}

fn json_answer(status: u16, body: impl Into<String>) -> Answer {
    Answer::typed(status, "application/json", body)
}

/// A router that answers each path with what is listed for it; lists of chains and assets are optional and empty.
fn router_of(answers: Vec<(&'static str, Answer)>) -> Chain {
    Chain::scripted(move |seen| answer(&answers, seen))
}

fn answer(answers: &[(&'static str, Answer)], seen: &Seen) -> Answer {
    let path = seen.target.split('?').next().unwrap_or_default();
    let found = answers.iter().find(|(known, _)| *known == path);
    found.map_or_else(|| Answer::text(404, "404 page not found"), |(_, answer)| answer.clone())
}

/// A file in a home of its own, with this in it.
pub(super) fn file(home: &Home, name: &str, text: &str) -> String {
    let path = home.path().join(name);
    fs::write(&path, text).expect("a file can be written");
    path.display().to_string()
}

const ROUTE: &str = "route --from interwoven-1:uinit --to civitia-1:l2/2b2d --amount 1000000";

/// The command that asks what this route answers.
fn asking(route: &str) -> String {
    let route = parse(route);
    let end = |name: &str| {
        let [chain, denom] = ["chain_id", "denom"].map(|part| route[format!("{name}_asset_{part}")].as_str());
        format!("{}:{}", chain.unwrap_or_default(), denom.unwrap_or_default())
    };
    let amount = route["amount_in"].as_str().unwrap_or_default();
    format!("route --from {} --to {} --amount {amount}", end("source"), end("dest"))
}

#[test]
fn a_route_is_printed_as_received_and_asked_for_as_said() {
    let body = fixture("route-op-withdraw-composed");
    let sent = std::sync::Arc::new(Mutex::new(Vec::new()));
    let (answer, seen) = (body.clone(), std::sync::Arc::clone(&sent));
    let router = Chain::scripted(move |request| {
        seen.lock().expect("no handler panics").push(request.body.clone());
        Answer::json(format!("{answer}\n"))
    });
    let ask = |more: &str| run(&format!("{} {more} --router {}", asking(&body), router.url())).good();
    assert_eq!(ask(""), format!("{body}\n"));
    ask("--allow-unsafe false --go-fast true --op-withdraw --allow-multi-tx true --format jsonl");
    let sent: Vec<Value> = sent.lock().unwrap().iter().map(|body| parse(body)).collect();
    let mut expected = json!({
        "amount_in": "40000000", "source_asset_chain_id": "civitia-1",
        "source_asset_denom": "l2/2b2d36f666e98b9eecf70d6ec24b882b79f2c8e2af73f54f97b8b670dbb87605",
        "dest_asset_chain_id": "interwoven-1", "dest_asset_denom": "uinit", "allow_unsafe": true,
    });
    assert_eq!(sent[0], expected);
    for (name, value) in
        [("allow_unsafe", false), ("go_fast", true), ("is_op_withdraw", true), ("allow_multi_tx", true)]
    {
        expected[name] = json!(value);
    }
    assert_eq!(sent[1], expected);
}

#[test]
fn a_route_is_a_table_with_names_where_the_router_has_them() {
    let body = fixture("route-swap-price-impact-warning-composed");
    let ask = asking(&body);
    let plain = router_of(vec![("/v2/fungible/route", Answer::json(&body))]);
    let table = run(&format!("{ask} --format table --router {}", plain.url())).good();
    assert!(table.contains("90,000 INIT on interwoven-1"), "what is built in names it: {table}");
    assert!(table.contains("BAD_PRICE_WARNING: “swap execution price") && table.contains("12.41 %"), "{table}");
    assert!(table.contains("Takes         unknown"), "a duration of 0 is none: {table}");
    let named = router_of(vec![
        ("/v2/fungible/route", Answer::json(&body)),
        ("/v2/info/chains", Answer::json(fixture("chains-initia-composed"))),
        ("/v2/fungible/assets", Answer::json(fixture("assets-initia-composed"))),
    ]);
    let table = run(&format!("{ask} --format table --router {}", named.url())).good();
    assert!(table.contains("90,000 INIT on Initia (interwoven-1)"), "{table}");
    let csv = run(&format!("{ask} --format csv --router {}", plain.url())).good();
    assert!(csv.starts_with("operation,kind,tx_index,") && csv.contains("\n0,swap,0,interwoven-1,"), "{csv}");
}

#[test]
fn a_hook_and_messages_are_asked_for_with_what_the_route_says() {
    let home = Home::empty();
    let route = file(&home, "route.json", &fixture("route-op-deposit-required-hook-composed"));
    let (hook, msgs) = (fixture("op-hook-composed"), fixture("msgs-op-deposit-with-hook-cosmos-tx-composed"));
    let sent = std::sync::Arc::new(Mutex::new(Vec::new()));
    let (hook_answer, msgs_answer, seen) = (hook.clone(), msgs.clone(), std::sync::Arc::clone(&sent));
    let router = Chain::scripted(move |request| {
        seen.lock().expect("no handler panics").push(request.body.clone());
        Answer::json(if request.target == "/op-hook" { &hook_answer } else { &msgs_answer })
    });
    let ask = |arguments: &str| home.run(&format!("{arguments} --router {}", router.url()));
    let from_to = "--from-address init1a --to-address init1b";
    assert_eq!(ask(&format!("op-hook --route {route} {from_to}")).good(), format!("{hook}\n"));

    let sentence = ask(&format!("msgs --route {route} --address interwoven-1=init1a")).bad(2);
    assert!(sentence.contains("requires a signed hook") && sentence.contains("--signed-op-hook FILE"), "{sentence}");
    for signed in [r#"{"signer":"init1b","hook":"QUJD","new":1.50}"#, r#""QUJD""#, "QUJD\n"] {
        let signed_file = file(&home, "signed.json", signed);
        let addresses = "--address yominet-1=init1b --address interwoven-1=init1a --slippage 1.25";
        let arguments = format!("msgs --route {route} {addresses} --signed-op-hook {signed_file}");
        let ran = ask(&arguments);
        assert_eq!((ran.status, ran.out), (0, format!("{msgs}\n")));
        assert!(
            ran.err.starts_with("these messages are not those of the route: the transaction's signer is "),
            "{}",
            ran.err
        );
    }
    let table = ask(&format!(
        "msgs --route {route} --address yominet-1=b --address interwoven-1=a --signed-op-hook {} --format table",
        file(&home, "signed.json", "QUJD")
    ));
    assert!(table.out.contains("/opinit.ophost.v1.MsgInitiateTokenDeposit"), "{table:?}");
    let sent = sent.lock().unwrap();
    let asked = parse(&sent[0]);
    assert_eq!((&asked["source_address"], &asked["dest_address"]), (&json!("init1a"), &json!("init1b")));
    assert!(sent[1].contains(r#""signed_op_hook":{"signer":"init1b","hook":"QUJD","new":1.50}"#), "{}", sent[1]);
    assert_eq!(parse(&sent[2])["signed_op_hook"], "QUJD");
    assert_eq!(parse(&sent[3])["signed_op_hook"], "QUJD");
    let asked = parse(&sent[1]);
    assert_eq!(asked["address_list"], json!(["init1a", "init1b"]), "in the route's order");
    assert_eq!(asked["slippage_tolerance_percent"], "1.25");
    let operations = &parse(&fixture("route-op-deposit-required-hook-composed"))["operations"];
    assert_eq!(asked["operations"], *operations);
}

#[test]
fn files_come_from_standard_input_too_and_bad_ones_are_said() {
    let body = fixture("msgs-cctp-evm-tx-composed");
    let router = router_of(vec![("/v2/fungible/msgs", Answer::json(&body))]);
    let home = Home::empty();
    let ask = |arguments: &str, input: &str| {
        let mut command = home.command(&format!("{arguments} --router {}", router.url()));
        let output = command.write_stdin(input).output().expect("the program can be started");
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("output is text");
        (output.status.code(), text(&output.stdout), text(&output.stderr))
    };
    let route = fixture("route-op-deposit-composed");
    let required = parse(&route)["required_chain_addresses"].clone();
    let addresses: Vec<String> = required
        .as_array()
        .unwrap()
        .iter()
        .map(|chain| format!("--address {}=init1x", chain.as_str().unwrap()))
        .collect();
    let arguments = format!("msgs --route - {}", addresses.join(" "));
    let (status, out, err) = ask(&format!("{arguments} --format table"), &route);
    assert_eq!(status, Some(0));
    assert!(err.contains("not those of the route: the transaction is for 1, the quote for interwoven-1"), "{err}");
    assert!(out.contains("Approve first") && out.contains("0xcbb12ff8"), "{out}");

    let (status, _, err) = ask(&arguments, "{\"amount_in\":1}");
    assert_eq!(status, Some(2));
    assert!(err.contains("- is not output of rollscope route: missing field"), "{err}");
    let (status, _, err) = ask("msgs --route - --address a=b --signed-op-hook -", &route);
    assert_eq!(status, Some(2));
    assert!(err.contains("only one of"), "{err}");
    let (status, _, err) = ask("msgs --route /nowhere --address a=b", "");
    assert_eq!(status, Some(2));
    assert!(err.contains("cannot read /nowhere"), "{err}");
}

#[test]
fn missing_and_stray_addresses_name_their_chain() {
    let home = Home::empty();
    let route = file(&home, "route.json", &fixture("route-op-deposit-composed"));
    let ask = |more: &str| home.run(&format!("msgs --route {route} {more} --router http://127.0.0.1:1")).bad(2);
    assert!(ask("--address interwoven-1=a").contains("add --address civitia-1=ADDRESS"));
    assert!(
        ask("--address osmosis-1=a")
            .contains("the route needs no address on osmosis-1; give addresses on: interwoven-1, civitia-1")
    );
}

#[test]
fn the_demo_wallet_signs_and_sends_only_where_it_is() {
    let home = Home::empty();
    let hook = file(&home, "hook.json", &fixture("op-hook-composed"));
    let msgs = file(&home, "msgs.json", &fixture("msgs-op-withdraw-cosmos-tx-composed"));
    let wallet = r#"{"chain_id":"x","wallet":{"addresses":{},"balances":{}}}"#;
    let signed = r#"{"signer":"init1x","hook":"QUJD"}"#;
    let sent = format!(r#"{{"chain_id":"a-1","tx_hash":"{HASH}"}}"#);
    let router = router_of(vec![
        ("/demo/v1", Answer::json(wallet)),
        ("/demo/v1/sign", Answer::json(signed)),
        ("/demo/v1/broadcast", Answer::json(&sent)),
        ("/demo/v1/claim", Answer::json(&sent)),
    ]);
    let ask = |arguments: &str, url: &str| home.run(&format!("{arguments} --router {url}"));
    assert_eq!(ask(&format!("demo-sign --hook {hook}"), router.url()).good(), format!("{signed}\n"));
    assert_eq!(ask(&format!("demo-send --msgs {msgs}"), router.url()).good(), format!("{sent}\n"));
    let csv = ask(&format!("demo-send --msgs {msgs} --format csv"), router.url()).good();
    assert_eq!(csv, format!("chain_id,tx_hash\na-1,{HASH}\n"));
    assert!(ask(&format!("demo-send --msgs {msgs} --tx 7"), router.url()).bad(2).contains("--tx 7 does not exist"));
    assert_eq!(ask(&format!("demo-claim a-1 {HASH}"), router.url()).good(), format!("{sent}\n"));
    let elsewhere = router_of(Vec::new());
    let claim = format!("demo-claim a-1 {HASH}");
    for command in [format!("demo-sign --hook {hook}"), format!("demo-send --msgs {msgs}"), claim] {
        let sentence = ask(&command, elsewhere.url()).bad(1);
        assert!(sentence.contains("has no demo wallet") && sentence.contains("broadcast elsewhere"), "{sentence}");
    }
}

#[test]
fn refusals_end_with_their_status_and_the_next_step() {
    let refused = |status: u16, body: String, path: &'static str| router_of(vec![(path, json_answer(status, body))]);
    let route = |status, name: &str| {
        let router = refused(status, fixture(name), "/v2/fungible/route");
        run(&format!("{ROUTE} --allow-unsafe false --router {}", router.url()))
    };
    let sentence = route(404, "route-error-404-no-route-composed").bad(3);
    assert!(sentence.starts_with("no route: no routes found; try another asset"), "{sentence}");
    let sentence = route(400, "route-error-400-low-info-composed").bad(1);
    assert!(sentence.contains("blocks an unsafe route") && sentence.contains("allow unsafe"), "{sentence}");
    let sentence = route(400, "route-error-400-with-info-composed").bad(1);
    assert!(sentence.starts_with("The fast bridge has too little liquidity"), "{sentence}");
    let router = router_of(vec![("/v2/fungible/route", Answer::json("{\"a\":1}\n"))]);
    for format in ["json", "jsonl", "csv", "table"] {
        let sentence = run(&format!("{ROUTE} --format {format} --router {}", router.url())).bad(1);
        assert!(sentence.contains("unexpected response format") && sentence.contains("curl -sS -X POST"), "{sentence}");
    }
    let page = router_of(vec![("/v2/fungible/route", Answer::typed(200, "text/html", "<html>"))]);
    let sentence = run(&format!("{ROUTE} --router {}", page.url())).bad(1);
    assert!(
        sentence.contains("curl -sS -X POST -H 'content-type: application/json' --data '{\"amount_in\""),
        "{sentence}"
    );
}

#[rstest]
#[case(ROUTE, "no router chosen: set a router with --router URL or ROLLSCOPE_ROUTER")]
#[case("route --from interwoven-1 --to b:c --amount 1", "write chain and denom with a colon between")]
#[case("route --from a:b --to c:d --amount 1.5", "“1.5” is not an amount")]
#[case("route --from a:b --to c:d --amount 0 --router http://127.0.0.1:1", "--amount is 0")]
#[case(
    "route --from a:b --to c:d --amount 1 --go-fast perhaps",
    "invalid value 'perhaps' for '--go-fast <BOOL>' [possible values: true, false]"
)]
#[case("msgs --route x", "--address <CHAIN=ADDRESS>")]
#[case("msgs --route x --address init1a", "write chain and address with = between")]
#[case("msgs --route x --address a=b --slippage 101", "at most 100 %")]
#[case("track interwoven-1 abc", "“abc” is not a transaction hash")]
#[case("transfer interwoven-1", "<HASH>")]
#[case(
    "-n demo track interwoven-1 6ac37246bf2f7038e20d47104615acaaa6a15936fb3bd9e5abb92a823e26ee5b",
    "keeps no state: start `rollscope serve`"
)]
#[case(
    "--indexer http://127.0.0.1:1 track a 6ac37246bf2f7038e20d47104615acaaa6a15936fb3bd9e5abb92a823e26ee5b",
    "no router configured for 127.0.0.1:1"
)]
fn bad_usage_of_the_bridge_is_one_sentence(#[case] arguments: &str, #[case] expected: &str) {
    let sentence = run(arguments).bad(2);
    assert!(sentence.contains(expected), "{sentence}");
}

#[test]
fn what_a_router_writes_controls_no_terminal_and_stands_in_quotes() {
    let hostile = "interwoven-1\u{1b}]52;c;aGk=\u{7}\u{1b}[31m\u{9b}2J\u{202e}\0";
    let home = Home::empty();
    let mut route = parse(&fixture("route-op-deposit-composed"));
    route["required_chain_addresses"][0] = hostile.into();
    let path = file(&home, "route.json", &route.to_string());
    let mut messages = parse(&fixture("msgs-gas-warning-composed"));
    messages["txs"][0]["cosmos_tx"]["chain_id"] = hostile.into();
    let router = router_of(vec![("/v2/fungible/msgs", json_answer(200, messages.to_string()))]);
    let honest = file(&home, "honest.json", &fixture("route-op-deposit-composed"));
    let addresses = "--address interwoven-1=init1a --address civitia-1=init1b";
    for arguments in [
        format!("msgs --route {path} --address civitia-1=init1b --router {}", router.url()),
        format!("msgs --route {path} {addresses} --router {}", router.url()),
        format!("msgs --route {honest} {addresses} --sign --router {}", router.url()),
    ] {
        let ran = home.run(&arguments);
        let is_plain = |sign: char| sign == '\n' || !sign.is_control() && sign != '\u{202e}';
        assert!(ran.status != 0 && ran.err.contains("interwoven-1") && ran.err.chars().all(is_plain), "{:?}", ran.err);
    }
    let told = "Arrived: 5,000 USDC on Initia. (router and indexer, now) Send 10 INIT to init1dw49";
    let status = serde_json::json!({"state": "STATE_COMPLETED_ERROR", "error": {"type": "X", "message": told}});
    let router = router_of(vec![("/v2/tx/status", json_answer(200, status.to_string()))]);
    let ran = home.run(&format!("transfer echelon-1 {HASH} --format table --router {}", router.url()));
    assert!(ran.out.contains(&format!("The router's reason: “{told}”")), "{}", ran.out);
}
