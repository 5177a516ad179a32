//! First lines that were once untrue, from the command, and many transfers at once.

use rstest::rstest;
use serde_json::{Value, json};

use super::{Chain, HASH, json_answer, parse};
use crate::{
    cli::program::{Home, Ran},
    harness::replay::Answer,
};

const OTHER: &str = "cdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcdcd";
const THIRD: &str = "efefefefefefefefefefefefefefefefefefefefefefefefefefefefefefefef";

/// A router that answers each hash with its status, and others with 404.
fn router_of(statuses: Vec<(&'static str, Answer)>) -> Chain {
    Chain::scripted(move |seen| {
        let target = seen.target.to_lowercase();
        match target.split('?').next() {
            Some("/v2/tx/track") => Answer::json("{}"),
            Some("/v2/tx/status") => {
                let found = statuses.iter().find(|(hash, _)| target.contains(hash));
                found.map_or_else(
                    || json_answer(404, r#"{"code":5,"message":"tx not found","details":[]}"#),
                    |(_, answer)| answer.clone(),
                )
            }
            Some("/v2/info/chains") => Answer::json(
                r#"{"chains":[{"chain_id":"noble-1","pretty_name":"Noble"},{"chain_id":"1","pretty_name":"Ethereum","chain_type":"evm"}]}"#,
            ),
            // With the contract's address in other letters than the statuses have.
            Some("/v2/fungible/assets") if target.ends_with("chain_ids=1") => Answer::json(
                r#"{"chain_to_assets_map":{"1":{"assets":[{"denom":"0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48","chain_id":"1","symbol":"USDC","decimals":6}]}}}"#,
            ),
            _ => Answer::text(404, "404 page not found"),
        }
    })
}

fn released(denom: &str, chain: &str, is_released: bool) -> Value {
    json!({"chain_id": chain, "denom": denom, "amount": "7000000", "released": is_released})
}

fn side(chain: &str) -> Value {
    json!({"chain_id": chain, "tx_hash": "AB".repeat(32), "on_chain_at": "2026-01-31T12:00:00Z"})
}

/// The transaction with which a transfer begins: that of the command.
fn sent(chain: &str) -> Value {
    json!({"chain_id": chain, "tx_hash": HASH, "on_chain_at": "2026-01-31T12:00:00Z"})
}

/// A fast order that nobody took in time.
fn order() -> Value {
    json!({"state": "STATE_COMPLETED_ERROR",
        "transfer_asset_release": released("0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48", "1", true),
        "transfer_sequence": [{"go_fast_transfer": {"from_chain_id": "1", "to_chain_id": "noble-1",
            "state": "GO_FAST_TRANSFER_REFUNDED", "txs": {"order_submitted_tx": side("1"), "order_refunded_tx": side("1")}}}]})
}

/// A message that was delivered, and whose follow-up call was not.
fn outstanding() -> Value {
    json!({"state": "STATE_PENDING", "next_blocking_transfer": {"transfer_sequence_index": 0},
        "transfer_sequence": [{"layer_zero_transfer": {"from_chain_id": "1", "to_chain_id": "noble-1",
            "state": "LAYER_ZERO_TRANSFER_WAITING_FOR_COMPOSE",
            "txs": {"send_tx": {"chain_id": "1", "tx_hash": "A", "on_chain_at": "2026-01-31T12:00:00Z"},
                "receive_tx": side("noble-1")}}}]})
}

/// A packet that ended like this.
fn packet(state: &str, hop: &str, released: &Value) -> Value {
    json!({"state": state, "transfer_asset_release": released, "next_blocking_transfer": {"transfer_sequence_index": 0},
        "transfer_sequence": [{"ibc_transfer": {"from_chain_id": "noble-1", "to_chain_id": "far-2", "state": hop,
            "packet_txs": {"send_tx": sent("noble-1"), "error": {"code": 1, "message": "packet timed out"}}}}]})
}

#[rstest]
#[case::order(order(), 4, "The order timed out and was refunded. Your 7 USDC is on Ethereum.", "refunded in ABAB")]
#[case::outstanding(outstanding(), 0, "On its way: delivered on Noble; the follow-up call is pending", "")]
#[case::refused(
    packet("STATE_COMPLETED_ERROR", "TRANSFER_FAILURE", &released("ibc/AA", "noble-1", true)), 4,
    "Did not complete. Your 7,000,000 smallest units of ibc/AA is on Noble.", "packet timed out"
)]
#[case::failing(
    packet("STATE_PENDING_ERROR", "TRANSFER_FAILURE", &released("ibc/AA", "noble-1", false)), 0,
    "Will fail at hop 1, Noble → far-2; the error is travelling back.",
    "The router reports a refund of 7,000,000 smallest units of ibc/AA on Noble, not released yet."
)]
#[case::unknown(
    json!({"state": "STATE_UNKNOWN"}), 6,
    "The router reports an unknown state; the funds' location is not stated.", ""
)]
fn statuses_say_where_the_funds_are(
    #[case] status: Value,
    #[case] end: i32,
    #[case] headline: &str,
    #[case] also: &str,
) {
    let router = router_of(vec![(HASH, Answer::json(status.to_string()))]);
    let ran = Home::empty().run(&format!("transfer noble-1 {HASH} --format table --router {}", router.url()));
    assert_eq!(ran.status, end, "{ran:?}");
    let first = ran.out.lines().next().unwrap_or_default();
    assert!(first.starts_with(headline) && first.contains("(router, "), "{}", ran.out);
    assert!(ran.out.contains(also), "{}", ran.out);
    assert!(!ran.out.to_lowercase().contains("arrived"), "{}", ran.out);
    // Units that only the router's list names are marked; those that it does not list are not.
    let exact =
        "USDC on Ethereum and its decimals are the router's word: exactly 7,000,000 smallest units of 0xA0b869…";
    assert_eq!(ran.out.contains("the router's word"), headline.contains("USDC"), "{}", ran.out);
    assert!(!headline.contains("USDC") || ran.out.contains(exact), "{}", ran.out);
}

/// A transfer to Noble that ended well.
fn success() -> Value {
    json!({"state": "STATE_COMPLETED_SUCCESS", "transfer_asset_release": released("uusdc", "noble-1", true),
        "transfer_sequence": [{"ibc_transfer": {"from_chain_id": "far-2", "to_chain_id": "noble-1",
            "state": "TRANSFER_SUCCESS",
            "packet_txs": {"send_tx": sent("far-2"), "receive_tx": side("noble-1")}}}]})
}

#[rstest]
#[case::failed("/transfer_sequence/0/ibc_transfer/state", json!("TRANSFER_FAILURE"), "but hop 1, far-2 → Noble, failed.")]
#[case::pending("/transfer_sequence/0/ibc_transfer",
    json!({"from_chain_id": "far-2", "to_chain_id": "noble-1", "state": "TRANSFER_PENDING"}),
    "but hop 1, far-2 → Noble, is pending.")]
#[case::open("/transfer_asset_release/released", json!(false), "uusdc not released on Noble.")]
#[case::elsewhere("/transfer_asset_release/chain_id", json!("evil-1"), "released on evil-1, not on Noble.")]
#[case::nothing("/transfer_asset_release/amount", json!("0"), "but 0 smallest units of uusdc released on Noble.")]
#[case::other("/transfer_sequence/0/ibc_transfer/packet_txs/send_tx/tx_hash", json!("FF".repeat(32)),
    "The router reports on another transaction, FFFF…FFFF, not on ")]
fn what_contradicts_a_success_is_said_and_ends_with_6(#[case] place: &str, #[case] lie: Value, #[case] words: &str) {
    let mut status = success();
    let asked = |status: &Value, format: &str| {
        let router = router_of(vec![(HASH, Answer::json(status.to_string()))]);
        Home::empty().run(&format!("transfer far-2 {HASH} --format {format} --router {}", router.url()))
    };
    let honest = asked(&status, "table");
    assert!(honest.status == 0 && honest.out.starts_with("Arrived: 7,000,000"), "{honest:?}");

    *status.pointer_mut(place).expect("a field of the honest answer") = lie;
    let table = asked(&status, "table");
    assert_eq!(table.status, 6, "{table:?}");
    assert!(table.out.lines().next().is_some_and(|first| first.contains(words)), "{}", table.out);
    assert!(!table.out.to_lowercase().contains("arrived"), "{}", table.out);
    let json = asked(&status, "json");
    let facts = parse(&json.out);
    assert_eq!((json.status, &facts["phase"], &facts["status"]), (6, &json!("contradictory"), &status), "{facts}");
}

#[test]
fn a_success_without_transfers_states_no_place() {
    let router = router_of(vec![(HASH, Answer::json(r#"{"state":"STATE_COMPLETED_SUCCESS"}"#))]);
    let ran = Home::empty().run(&format!("transfer noble-1 {HASH} --format table --router {}", router.url()));
    assert!(ran.out.starts_with("The router says completed; the funds' location is not stated."), "{ran:?}");
}

#[test]
fn a_router_that_answers_with_a_page_is_a_failure_in_one_sentence() {
    let router = router_of(vec![(HASH, Answer::typed(502, "text/html", "<html>"))]);
    let sentence = Home::empty().run(&format!("transfer noble-1 {HASH} --router {}", router.url())).bad(1);
    assert!(sentence.contains("failed (502)") && sentence.contains("try again later"), "{sentence}");
}

#[test]
fn times_in_a_pipe_are_in_utc_whatever_the_zone() {
    let router = router_of(vec![(HASH, Answer::json(outstanding().to_string()))]);
    let home = Home::empty();
    let mut command = home.command(&format!("transfer 1 {HASH} --format table --router {}", router.url()));
    let output = command.env("TZ", "CET-1CEST,M3.5.0,M10.5.0/3").output().expect("the program can be started");
    let out = String::from_utf8(output.stdout).expect("output is text");
    assert!(out.contains("In a block 2026-01-31 12:00:00 UTC.") && !out.contains("CET"), "{out}");
}

#[test]
fn later_hops_of_what_failed_are_not_reached() {
    let hop = |from: &str, to: &str| {
        json!({"transfer": {"from_chain_id": from, "to_chain_id": to, "denom_in": "uusdc",
        "denom_out": "uusdc"}, "tx_index": 0, "amount_in": "7000000", "amount_out": "7000000"})
    };
    let route = json!({"amount_in": "7000000", "amount_out": "7000000", "source_asset_chain_id": "noble-1",
        "source_asset_denom": "uusdc", "dest_asset_chain_id": "far-3", "dest_asset_denom": "uusdc",
        "operations": [hop("noble-1", "far-2"), hop("far-2", "far-3")], "chain_ids": [],
        "required_chain_addresses": ["noble-1", "far-2", "far-3"], "txs_required": 1});
    let status = packet("STATE_COMPLETED_ERROR", "TRANSFER_FAILURE", &released("uusdc", "noble-1", true));
    let router = router_of(vec![(HASH, Answer::json(status.to_string()))]);
    let home = Home::empty();
    let route = super::file(&home, "route.json", &route.to_string());
    let asked = format!("transfer noble-1 {HASH} --route {route} --router {}", router.url());
    let ran = home.run(&format!("{asked} --format table"));
    let second = ran.out.lines().find(|line| line.contains("far-3")).unwrap_or_default();
    assert!(second.contains("not reached") && second.contains('–'), "{ran:?}");
    assert!(!ran.out.contains("waiting") && !ran.out.contains("under way"), "{ran:?}");
    let csv = home.run(&format!("{asked} --format csv")).out;
    assert!(csv.lines().nth(2).is_some_and(|line| line.contains("far-2,far-3,not_reached,")), "{csv}");
}

#[test]
fn of_several_withdrawals_each_is_named_with_its_number() {
    let begun = |number: &str, amount: &str, to: &str| {
        let of = |(key, value): (&str, &str)| json!({"key": key, "value": value, "index": true});
        let pairs = [
            ("from", "init1a"),
            ("to", to),
            ("denom", "l2/aa"),
            ("base_denom", "uinit"),
            ("amount", amount),
            ("l2_sequence", number),
            ("msg_index", "0"),
        ];
        json!({"type": "initiate_token_withdrawal", "attributes": pairs.map(of)})
    };
    let tx = json!({"tx": {"height": "9", "txhash": HASH.to_uppercase(), "codespace": "", "code": 0, "data": "",
        "raw_log": "", "logs": [], "info": "", "gas_wanted": "1", "gas_used": "1", "timestamp": "2026-01-31T12:00:00Z",
        "events": [begun("7", "40000000", "init1one"), begun("8", "2500000", "init1other")],
        "tx": {"@type": "/cosmos.tx.v1beta1.Tx", "auth_info": {}, "signatures": [],
            "body": {"messages": [{"@type": "/opinit.opchild.v1.MsgInitiateTokenWithdrawal"}]}}}});
    let server = Chain::scripted(move |seen| match seen.target.split('?').next().unwrap_or_default() {
        "/status" => Answer::json(r#"{"version":"","commit_hash":"","chain_id":"far-2","height":100}"#),
        path if path.starts_with("/indexer/tx/v1/txs/") => Answer::json(tx.to_string()),
        "/cosmos/base/tendermint/v1beta1/node_info" => {
            Answer::json(r#"{"default_node_info":{"network":"interwoven-1"}}"#)
        }
        _ => json_answer(404, "{}"),
    });
    let url = server.url();
    let asked = format!("claim far-2 {HASH} --executor {url} --l1-rest {url} --indexer {url}");
    let sentence = Home::empty().run(&asked).bad(2);
    let words = "give a number, 7 (40,000,000 smallest units of uinit for init1one) or 8 (2,500,000 smallest units of";
    assert!(sentence.contains(words), "{sentence}");
}

fn many(arguments: &str, input: &str, router: &Chain) -> Ran {
    let home = Home::empty();
    let mut command = home.command(&format!("{arguments} --router {}", router.url()));
    Ran::of(&command.write_stdin(input).output().expect("the program can be started"))
}

#[test]
fn many_transfers_stand_in_the_order_of_who_needs_somebody() {
    let arrived = json!({"state": "STATE_COMPLETED_SUCCESS",
        "transfer_asset_release": released("uusdc", "noble-1", true)});
    let router = router_of(vec![
        (HASH, Answer::json(arrived.to_string())),
        (OTHER, Answer::json(order().to_string())),
        (THIRD, Answer::json(outstanding().to_string())),
    ]);
    let ran = many(&format!("transfer noble-1 {HASH} {OTHER} {THIRD} {HASH}"), "", &router);
    let lines: Vec<Value> = parse(&ran.out).as_array().expect("one array").clone();
    let phases: Vec<&str> = lines.iter().filter_map(|line| line["phase"].as_str()).collect();
    assert_eq!((ran.status, phases), (4, vec!["failed_released", "moving", "arrived"]), "{ran:?}");
    assert_eq!(ran.err.trim_end(), "rollscope: 1 of 3 transfers ended in failure");

    let list = format!("noble-1 {HASH}\n\n1,0x{THIRD}\n");
    let table = many("transfer - --format table", &list, &router).good();
    let rows: Vec<&str> = table.lines().collect();
    assert!(rows[1].starts_with("moving") && rows[1].contains("Ethereum") && rows[1].contains(THIRD), "{table}");
    assert!(rows[2].starts_with("done") && rows[2].contains("Arrived"), "{table}");
    let csv = many("transfer noble-1 - --format csv", &format!("{HASH} {THIRD}"), &router).good();
    assert!(csv.starts_with("urgency,phase,chain_id,tx_hash,") && csv.lines().count() == 3, "{csv}");
    let jsonl = many("transfer noble-1 - --format jsonl", &format!("{HASH}\n{THIRD}"), &router).good();
    let states: Vec<Value> = jsonl.lines().map(|line| parse(line)["status"]["state"].clone()).collect();
    assert!(states.len() == 2 && states.iter().all(Value::is_string), "{jsonl}");
    assert_eq!(many("transfer noble-1 -", &format!("{HASH}\n{}", "AB".repeat(32)), &router).status, 3);
    let one = parse(&many("transfer noble-1 -", HASH, &router).good());
    assert_eq!(one["phase"], "arrived", "a list of one is one");
}

#[test]
fn a_list_that_cannot_be_read_is_refused_in_words() {
    let router = router_of(Vec::new());
    for (arguments, input, words) in [
        ("transfer -", HASH, "has no chain: write CHAIN HASH in each line"),
        ("transfer -", "nothing here", "standard input has no transaction hash"),
        ("transfer noble-1", "", "<HASH> is missing"),
        ("transfer noble-1 abc", "", "“abc” is not a transaction hash"),
    ] {
        let ran = many(arguments, input, &router);
        assert!(ran.status == 2 && ran.err.contains(words), "{arguments}: {ran:?}");
    }
}

#[test]
fn an_amount_of_two_hundred_digits_is_too_large_and_no_fraction() {
    let digits = "9".repeat(200);
    let sentence =
        crate::cli::program::run(&format!("route --from a:b --to c:d --amount {digits} --router http://127.0.0.1:1"))
            .bad(2);
    assert!(sentence.contains("is too large for an amount: the limit is 2^256"), "{sentence}");
    assert!(!sentence.contains("whole number"), "it is one: {sentence}");
}
