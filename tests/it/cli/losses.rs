//! Lists of servers that do not keep their word: what a script would lose is said, in every format.

use rstest::rstest;
use serde_json::{Value, json};

use super::{
    chain::{self, Chain, SEND},
    parse,
    program::{Home, Ran},
};
use crate::harness::replay::{Answer, Seen};

const ACCOUNT: &str = "0x0000000000000000000000000000000000000001";

fn ask(chain: &Chain, arguments: &str) -> Ran {
    Home::empty().run(&format!("{arguments} --indexer {}", chain.url()))
}

/// A parameter of a request.
fn parameter<'a>(seen: &'a Seen, name: &str) -> Option<&'a str> {
    let query = seen.target.split_once('?')?.1;
    query.split('&').find_map(|part| part.strip_prefix(name)?.strip_prefix('='))
}

fn body(name: &str, rows: &[Value], next: Option<&str>, total: &str) -> Answer {
    let pagination = json!({"previous_key": null, "next_key": next, "total": total});
    Answer::json(json!({name: rows, "pagination": pagination}).to_string())
}

/// The rows that a command gave, by the number in their hash or height.
fn numbers(ran: &Ran, format: &str) -> Vec<u64> {
    let number = |row: &Value| {
        let hash = row["txhash"].as_str().expect("a transaction");
        u64::from_str_radix(hash, 16).expect("a number")
    };
    match format {
        "json" => parse(&ran.out)["txs"].as_array().expect("rows").iter().map(number).collect(),
        "jsonl" => ran.out.lines().map(|line| number(&parse(line))).collect(),
        "csv" => {
            let mut reader = csv::Reader::from_reader(ran.out.as_bytes());
            reader.records().flatten().map(|row| u64::from_str_radix(&row[0], 16).expect("a hash")).collect()
        }
        _ => vec![0; ran.out.lines().count() - 1],
    }
}

#[rstest]
fn a_filter_that_is_done_here_fills_up_to_the_limit(#[values("json", "jsonl", "csv", "table")] format: &str) {
    let chain = Chain::start(700);
    let ran = ask(&chain, &format!("txs --account {ACCOUNT} --msg {SEND} --limit 25 --format {format}"));
    assert_eq!(ran.status, 0, "{ran:?}");
    let rows = numbers(&ran, format);
    assert_eq!(rows.len(), 25, "{ran:?}");
    if format != "table" {
        assert_eq!(
            rows,
            (0..25).map(|place| 1399 - 2 * place).collect::<Vec<u64>>(),
            "every second one is of the type"
        );
    }
    let note = "note: the server did not filter by type: 25 of 525 scanned rows match; --all scans \
                all rows\n";
    assert_eq!(ran.err, note);
}

#[rstest]
fn rows_of_one_key_that_differ_are_told_as_what_they_are(#[values("blocks", "txs")] list: &'static str) {
    let chain = Chain::scripted(move |seen| {
        let row = |place: u64| {
            if list == "blocks" {
                let mut block = chain::block(1_000 - place / 2);
                block["hash"] = json!(format!("{:064X}", if place < 2 { place } else { place / 2 }));
                return block;
            }
            let mut tx = chain::tx(1_000 - place / 2);
            tx["code"] = json!(if place == 1 { 5 } else { 0 });
            tx
        };
        body(
            if seen.target.contains("/block/") { "blocks" } else { "txs" },
            &(0..6).map(row).collect::<Vec<_>>(),
            None,
            "6",
        )
    });
    let ran = ask(&chain, &format!("{list} --limit 100 --format jsonl"));
    assert_eq!((ran.status, ran.out.lines().count()), (0, 3), "{ran:?}");
    let what = if list == "blocks" { "block 1,000" } else { "transaction " };
    let expected = format!("note: the server contradicts itself: different rows for {what}");
    assert!(ran.err.contains(&expected), "{}", ran.err);
    assert!(ran.err.contains("note: 2 duplicate rows, written once"), "{}", ran.err);
}

#[test]
fn the_key_of_a_filled_body_leads_behind_its_last_row() {
    let chain = Chain::start(700);
    let command = format!("txs --account {ACCOUNT} --msg {SEND}");
    let first = ask(&chain, &format!("{command} --limit 25"));
    let key = parse(&first.out)["pagination"]["next_key"].as_str().expect("more follow").to_owned();
    let further = ask(&chain, &format!("{command} --limit 3 --key {key}"));
    assert_eq!(numbers(&further, "json"), [1349, 1347, 1345], "none is lost, and none comes twice");
    let all = ask(&chain, &format!("{command} --limit 1000"));
    let answer = parse(&all.out);
    assert_eq!(answer["txs"].as_array().map(Vec::len), Some(700));
    assert_eq!(answer["pagination"], json!({"previous_key": null, "next_key": null, "total": "-1"}));
}

#[rstest]
fn a_type_of_which_nobody_has_heard_is_said(#[values("json", "jsonl", "csv", "table")] format: &str) {
    let chain = Chain::start(30);
    let ran = ask(&chain, &format!("txs --msg unknown.Msg --limit 5 --format {format}"));
    assert_eq!((ran.status, numbers(&ran, format).len()), (0, 0), "{ran:?}");
    assert!(ran.err.contains("0 of 60 scanned rows match") && ran.err.contains("unknown.Msg"), "{ran:?}");
    // A server that filters has no such row, and says no more.
    let empty = Chain::scripted(|_| body("txs", &[], None, "0"));
    let ran = ask(&empty, &format!("txs --msg unknown.Msg --format {format}"));
    assert_eq!(ran.err, "note: no row has a message of type unknown.Msg; check the spelling\n");
    let known = ask(&chain, &format!("txs --msg {SEND} --limit 5 --format {format}"));
    assert_eq!(known.err, "", "a filter that was kept needs no word");
}

#[rstest]
fn what_is_not_the_answer_is_no_output(
    #[values(
        "status",
        "blocks",
        "blocks --all",
        "blocks 3",
        "txs",
        "holders x",
        "evm-txs",
        "avg-blocktime",
        "collections"
    )]
    command: &str,
    #[values("json", "jsonl", "csv", "table")] format: &str,
) {
    for text in ["{\"message\":\"hello\"}", "{\"blocks\":[{\"height\":\"1", "[]", "7", ""] {
        let chain = Chain::scripted(move |_| Answer::json(text));
        let sentence = ask(&chain, &format!("{command} --format {format}")).bad(1);
        assert!(
            sentence.contains("instead of JSON") || sentence.contains("unexpected response format"),
            "{command}: {sentence}"
        );
    }
}

fn holder(number: u64) -> Value {
    json!({"account": format!("0x{number:040x}"), "amount": number.to_string()})
}

/// Holders by offset, the largest first; from the second page on one has moved down a place.
fn moving(seen: &Seen) -> Answer {
    let key = parameter(seen, "pagination.key").map(|key| key.trim_start_matches("from"));
    let start: u64 = key.map_or(0, |key| key.parse().expect("a key of this server"));
    let limit: u64 = parameter(seen, "pagination.limit").and_then(|limit| limit.parse().ok()).expect("a limit");
    let end = (start + limit).min(1200);
    let shift = u64::from(start > 0);
    let rows: Vec<Value> = (start..end).map(|place| holder(1200 - place + shift)).collect();
    let next = (end - start == limit).then(|| format!("from{end}"));
    body("holders", &rows, next.as_deref(), "1200")
}

#[rstest]
fn rows_that_come_again_are_written_once_and_said(#[values("json", "jsonl", "csv", "table")] format: &str) {
    let chain = Chain::scripted(|seen| match seen.target.as_str() {
        "/status" => Answer::json(r#"{"chain_id": "a-1", "height": 40, "rich_list_height": 35}"#),
        _ => moving(seen),
    });
    let ran = ask(&chain, &format!("holders x --all --format {format}"));
    assert_eq!(ran.status, 0);
    let rows = match format {
        "json" => parse(&ran.out).as_array().map_or(0, Vec::len),
        "jsonl" => ran.out.lines().count(),
        _ => ran.out.lines().count() - 1,
    };
    assert_eq!(rows, 1199, "one was pushed out of the pages");
    let notes = "note: 1 duplicate row, written once: the list changed meanwhile, so other rows may be missing\n\
                 note: the server counted 1,200 rows but sent 1,199\n";
    assert_eq!(ran.err, notes);
}

#[test]
fn a_list_that_holds_still_needs_no_word() {
    let chain = Chain::scripted(|seen| {
        let rows: Vec<Value> = (1..=7).rev().map(holder).collect();
        assert!(seen.target.starts_with("/indexer/richlist/"), "nothing else is asked: {}", seen.target);
        body("holders", &rows, None, "7")
    });
    for format in ["json", "jsonl", "table"] {
        ask(&chain, &format!("holders x --format {format}")).good();
    }
}

#[rstest]
#[case("AB", 1500, "note: the server repeated a key, so the list ends early\n")]
#[case(
    "ABCDEFGH",
    500,
    "note: 500 duplicate rows, written once: the list changed meanwhile, so other rows may be missing\n\
     note: the server sent a page without new rows, so the list ends early\n"
)]
fn a_walk_in_circles_ends(#[case] keys: &'static str, #[case] rows: usize, #[case] expected: &str) {
    let chain = Chain::scripted(move |seen| {
        let key = parameter(seen, "pagination.key").and_then(|key| keys.find(key));
        // With two keys the rows are others on each page, with more they are the same.
        let page = if keys.len() > 2 { 0 } else { key.map_or(0, |place| place as u64 + 1) };
        let rows: Vec<Value> = (1..=500).map(|number| chain::tx(2000 - 500 * page - number)).collect();
        let next = key.map_or(0, |place| place + 1) % keys.len();
        body("txs", &rows, Some(&keys[next..=next]), "0")
    });
    let ran = ask(&chain, "txs --all --format jsonl");
    assert_eq!((ran.status, ran.out.lines().count(), ran.err.as_str()), (0, rows, expected));
    assert!(chain.targets().len() <= 3, "{:?}", chain.targets());
}

/// Ever new keys, and no row of the type: nothing that the server says would end the walk.
#[test]
fn a_walk_that_comes_to_nothing_is_given_up() {
    let chain = Chain::scripted(|seen| {
        let place: u64 = parameter(seen, "pagination.key").map_or(0, |key| key.parse().expect("a key of this server"));
        // A server that still indexes gives short pages before its end.
        let pagination = json!({"next_key": (place + 1).to_string(), "total": "-1", "oldest_height": "9"});
        Answer::json(json!({"txs": [chain::tx(1_000_000 - 2 * place)], "pagination": pagination}).to_string())
    });
    let ran = ask(&chain, "txs --all --format jsonl --msg no.such.Type");
    assert_eq!((ran.status, ran.out.as_str()), (1, ""), "{ran:?}");
    let expected = "rollscope: stopped reading the transactions: 2,000 pages in a row had no match, 2,000 rows \
                    scanned, and the server has more; --key '2000' continues there";
    assert!(ran.err.contains(expected), "{}", ran.err);
    assert_eq!(chain.targets().len(), 2000);
}

#[test]
fn an_empty_page_in_the_middle_is_said() {
    let chain = Chain::scripted(|seen| match parameter(seen, "pagination.key") {
        None => body("txs", &(1..=500).rev().map(chain::tx).collect::<Vec<_>>(), Some("b"), "0"),
        Some(_) => body("txs", &[], Some("c"), "0"),
    });
    let ran = ask(&chain, "txs --all --format csv");
    assert_eq!((ran.status, ran.out.lines().count()), (0, 501));
    assert_eq!(ran.err, "note: the server sent an empty page with a next key, so the list may end early\n");
}

#[test]
fn rows_out_of_order_are_said() {
    let order = [9, 8, 3, 7, 2];
    let chain = Chain::scripted(move |_| body("blocks", &order.map(chain::block), None, "5"));
    for format in ["json", "csv"] {
        let ran = ask(&chain, &format!("blocks --format {format}"));
        assert_eq!(ran.err, "note: 1 row is out of order, in the server's order\n");
    }
    let ran = ask(&chain, "blocks --ascending --format csv");
    assert_eq!(ran.err, "note: 3 rows are out of order, in the server's order\n");
}

/// Ten transactions of which the fourth and the last are of another form.
fn odd(_: &Seen) -> Answer {
    let rows: Vec<Value> = (1..=10)
        .rev()
        .map(|number| {
            let mut tx = chain::tx(number);
            match number {
                7 => tx["timestamp"] = json!("10000-01-01T00:00:00Z"),
                1 => tx["height"] = Value::Null,
                _ => {}
            }
            tx
        })
        .collect();
    body("txs", &rows, None, "10")
}

#[test]
fn a_row_that_cannot_be_read_takes_no_other_with_it() {
    let chain = Chain::scripted(odd);
    for format in ["jsonl", "csv"] {
        let ran = ask(&chain, &format!("txs --format {format}"));
        assert_eq!((ran.status, numbers(&ran, format)), (0, vec![10, 9, 8, 6, 5, 4, 3, 2]), "{ran:?}");
        assert!(ran.err.starts_with("note: 2 unreadable rows skipped; the first: "), "{}", ran.err);
        assert!(ran.err.contains("txs[3].timestamp") && ran.err.lines().count() == 1, "{}", ran.err);
    }
    let array = ask(&chain, "txs --all --format json");
    assert_eq!((array.status, parse(&array.out).as_array().map(Vec::len)), (0, Some(8)));
    let received = ask(&chain, "txs --format json");
    assert_eq!((received.status, numbers(&received, "json").len()), (0, 10), "the body as received");
    assert!(received.err.contains("2 unreadable rows kept as raw JSON"), "{}", received.err);
    let table = ask(&chain, "txs --format table").good();
    let lines: Vec<&str> = table.lines().skip(1).collect();
    assert_eq!(lines.len(), 10, "{table}");
    let marked: Vec<usize> = (0..10).filter(|line| lines[*line].starts_with("unreadable: ")).collect();
    assert_eq!(marked, [3, 9], "each stands in its place: {table}");
    assert!(lines[3].contains("txs[3].timestamp") && lines[9].contains("txs[9].height"), "{table}");
    let story = ask(&chain, "txs --story --format table").good();
    assert_eq!(story.matches("unreadable: ").count(), 2, "{story}");
}

#[test]
fn a_list_of_which_nothing_can_be_read_is_no_list_of_this_kind() {
    let chain = Chain::scripted(|_| body("txs", &[json!({"hash": "1"}), json!({"hash": "2"})], None, "2"));
    for format in ["json", "jsonl", "csv", "table"] {
        let sentence = ask(&chain, &format!("txs --format {format}")).bad(1);
        assert!(sentence.starts_with("the transactions: ") && sentence.contains("txs[0]"), "{sentence}");
    }
}

#[rstest]
fn what_came_before_a_failure_is_whole(#[values("json", "jsonl", "csv")] format: &str) {
    let chain = Chain::scripted(|seen| match parameter(seen, "pagination.key") {
        None => body("txs", &(1..=500).rev().map(chain::tx).collect::<Vec<_>>(), Some("b"), "0"),
        Some(_) => Answer::text(400, "no such key"),
    });
    let ran = ask(&chain, &format!("txs --all --format {format}"));
    assert_eq!(ran.status, 1);
    assert_eq!(
        ran.err,
        "rollscope: the transactions: the server rejected the request (400): no such key; check the value\n"
    );
    let rows = match format {
        "json" => parse(&ran.out).as_array().map_or(0, Vec::len),
        "csv" => ran.out.lines().count() - 1,
        _ => ran.out.lines().count(),
    };
    assert_eq!(rows, 500);
}

/// Blocks 1 to 40; the server fails wherever block 17 is.
fn without_proposer(seen: &Seen) -> Answer {
    let failure = || Answer::text(500, "Internal Server Error");
    let path = seen.target.split('?').next().unwrap_or_default();
    if path == "/status" {
        return Answer::json(r#"{"chain_id": "a-1", "height": 40}"#);
    }
    if let Some(height) = path.strip_prefix("/indexer/block/v1/blocks/") {
        let height = height.parse().expect("a height");
        return if height == 17 { failure() } else { Answer::json(json!({"block": chain::block(height)}).to_string()) };
    }
    let limit: u64 = parameter(seen, "pagination.limit").and_then(|limit| limit.parse().ok()).expect("a limit");
    let top: u64 = parameter(seen, "pagination.key").map_or(41, |key| key.parse().expect("a key of this server"));
    let last = top.saturating_sub(limit).max(1);
    if (last..top).contains(&17) {
        return failure();
    }
    let rows: Vec<Value> = (last..top).rev().map(chain::block).collect();
    body("blocks", &rows, (!rows.is_empty()).then(|| last.to_string()).as_deref(), "40")
}

#[test]
fn the_block_over_which_a_server_fails_is_named() {
    let chain = Chain::scripted(without_proposer);
    let ran = ask(&chain, "blocks --all --format jsonl");
    assert_eq!((ran.status, ran.out.lines().count()), (1, 23), "all before it: {ran:?}");
    assert_eq!(
        ran.err,
        "rollscope: the server fails (500) at block 17, as real servers do after its proposer left the validator set; \
         skip it with --offset\n"
    );
    // A server that fails over everything says nothing of a block.
    let failing = Chain::scripted(|_| Answer::text(500, "Internal Server Error"));
    let sentence = ask(&failing, "blocks --all").bad(1);
    assert!(sentence.starts_with("the blocks: http://") && sentence.contains("failed (500)"), "{sentence}");
}

/// Eight rows in pages of three, each with the next key, or the same page for ever, or fewer rows than the total.
#[rstest]
fn a_short_page_with_a_key_is_not_the_end(#[values("jsonl", "csv", "table")] format: &str) {
    let rows = |from: u64, to: u64| (to..=from).rev().map(chain::tx).collect::<Vec<Value>>();
    let capped = Chain::scripted(move |seen| {
        let from = parameter(seen, "pagination.key").map_or(8, |key| key.parse().expect("a key of this server"));
        let to = u64::saturating_sub(from, 2).max(1);
        let next = (from > 0).then(|| (to - 1).to_string());
        body("txs", &if from == 0 { Vec::new() } else { rows(from, to) }, next.as_deref(), "8")
    });
    for limit in ["--all", "--limit 8", "--limit 1000"] {
        let ran = ask(&capped, &format!("txs {limit} --format {format}"));
        assert_eq!((ran.status, numbers(&ran, format).len(), ran.err.as_str()), (0, 8, ""), "{limit}: {ran:?}");
    }
    let ran = ask(&capped, &format!("txs --limit 3 --format {format}"));
    assert_eq!((numbers(&ran, format).len(), ran.err.as_str()), (3, ""), "a full answer needs no further question");

    let same = Chain::scripted(move |_| body("txs", &rows(8, 6), Some("5"), "8"));
    let ran = ask(&same, &format!("txs --all --format {format}"));
    assert!(ran.err.contains("a page without new rows, so the list ends early"), "{ran:?}");
    let fewer = Chain::scripted(move |_| body("txs", &rows(8, 1), None, "99"));
    let ran = ask(&fewer, &format!("txs --all --format {format}"));
    assert_eq!(numbers(&ran, format).len(), 8, "{ran:?}");
    assert_eq!(ran.err, "note: the server's total is 99, but its list ended after 8 rows\n");
    let whole = Chain::scripted(move |_| body("txs", &rows(8, 1), None, "8"));
    assert_eq!(ask(&whole, &format!("txs --all --format {format}")).err, "");
}
