//! Lists: pages, keys, formats, filters, and readers that go away.

use std::{
    io::{BufRead, BufReader, Read},
    process::{Command, Stdio},
};

use serde_json::{Value, json};

use super::{
    chain::{self, CALL, Chain, SEND},
    parse,
    program::{Home, run},
};

fn heights(items: &Value) -> Vec<u64> {
    let items = items.as_array().expect("a list is expected").iter();
    items.map(|item| item["height"].as_str().and_then(|height| height.parse().ok()).expect("a height")).collect()
}

#[test]
fn one_page_of_json_is_the_answer_as_received() {
    let chain = Chain::start(30);
    let answer = parse(&run(&format!("blocks --indexer {}", chain.url())).good());
    assert_eq!(heights(&answer["blocks"]), (11..=30).rev().collect::<Vec<_>>(), "20 rows unless more are asked for");
    assert_eq!(answer["pagination"], json!({"previous_key": null, "next_key": "row11", "total": "30"}));
    assert_eq!(answer["blocks"][0], chain::block(30));
}

#[test]
fn options_of_lists_reach_the_server() {
    let chain = Chain::start(30);
    let ask = |arguments: &str| {
        run(&format!("{arguments} --indexer {}", chain.url())).good();
        chain.targets().pop().expect("a request came")
    };
    let target = ask("txs --limit 7 --ascending --key row3 --no-total");
    for part in
        ["pagination.limit=7", "pagination.reverse=false", "pagination.key=row3", "pagination.count_total=false"]
    {
        assert!(target.contains(part), "{target}");
    }
    assert!(ask("blocks --offset 4").contains("pagination.offset=4"));
    let account = "0x0000000000000000000000000000000000000001";
    let target = ask(&format!("txs --account {account} --signer"));
    assert!(target.starts_with("/indexer/tx/v1/txs/by_account/") && target.contains("is_signer=true"), "{target}");
    assert!(ask("txs --height 4").starts_with("/indexer/tx/v1/txs/by_height/4?"));
    let target = ask(&format!("txs --msg {SEND} --msg /{CALL}"));
    assert!(target.contains(&format!("msgs={SEND}&msgs={CALL}")), "{target}");
}

#[test]
fn everything_is_one_array_of_items_over_several_pages() {
    let chain = Chain::start(1234);
    let items = parse(&run(&format!("blocks --all --indexer {}", chain.url())).good());
    assert_eq!(heights(&items), (1..=1234).rev().collect::<Vec<_>>());
    assert_eq!(items[0], chain::block(1234));
    assert_eq!(chain.targets().len(), 4, "one looks behind the short page with a key: {:?}", chain.targets());

    let ascending = parse(&run(&format!("blocks --all --ascending --indexer {}", chain.url())).good());
    assert_eq!(heights(&ascending), (1..=1234).collect::<Vec<_>>());
}

#[test]
fn a_limit_over_a_thousand_pages_and_stops_there() {
    let chain = Chain::start(1500);
    let items = parse(&run(&format!("blocks --limit 1100 --indexer {}", chain.url())).good());
    assert_eq!(heights(&items), (401..=1500).rev().collect::<Vec<_>>());
    let one = parse(&run(&format!("blocks --limit 1000 --indexer {}", chain.url())).good());
    assert_eq!(one["blocks"].as_array().map(Vec::len), Some(1000), "a thousand is one page, as received");
}

#[test]
fn an_empty_list_is_empty_in_every_format() {
    let chain = Chain::start(30);
    let ask = |format: &str| {
        run(&format!("txs --all --ascending --key row60 --format {format} --indexer {}", chain.url())).good()
    };
    assert_eq!(ask("json"), "[]\n");
    assert_eq!(ask("jsonl"), "");
    assert!(ask("csv").starts_with("txhash,height,") && ask("csv").lines().count() == 1);
    assert!(ask("table").contains("Height") && ask("table").lines().count() == 1);
}

#[test]
fn lines_and_csv_hold_one_item_each() {
    let chain = Chain::start(700);
    let lines = run(&format!("txs --all --format jsonl --indexer {}", chain.url())).good();
    assert_eq!(lines.lines().count(), 1400);
    assert_eq!(lines.lines().map(parse).next_back(), Some(chain::tx(1)));

    let targets = chain.targets();
    assert!(!targets[0].contains("count_total=false") && targets[1].contains("count_total=false"), "{targets:?}");

    let csv = run(&format!("txs --all --format csv --indexer {}", chain.url())).good();
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    assert_eq!(reader.headers().unwrap().get(0), Some("txhash"));
    let rows: Vec<csv::StringRecord> = reader.records().collect::<Result<_, _>>().unwrap();
    assert_eq!(rows.len(), 1400);
    assert_eq!(rows[0].get(7), Some(CALL));
}

#[test]
fn tables_align_and_show_what_matters() {
    let chain = Chain::start(1000);
    let table = run(&format!("blocks --limit 2 --format table --indexer {}", chain.url())).good();
    let lines: Vec<&str> = table.lines().collect();
    assert_eq!(lines.len(), 3);
    assert!(lines[0].starts_with("Height  Time (UTC)"), "{table}");
    assert!(lines[1].starts_with(" 1,000  2026-01-31 12:16:40  1.00 s"), "{table}");
    assert!(lines[2].starts_with("   999  "), "{table}");
    assert!(lines[1].contains("Validator one") && !table.contains('\u{202e}'), "{table}");
}

#[test]
fn a_filter_that_the_server_ignores_or_fails_over_is_applied_here_and_said() {
    let chain = Chain::start(30);
    let run = |arguments: String| Home::empty().run(&format!("{arguments} --indexer {}", chain.url()));
    let account = "0x0000000000000000000000000000000000000001";

    let known = parse(&run(format!("txs --msg {SEND} --limit 5")).good());
    assert!(
        known["txs"]
            .as_array()
            .unwrap()
            .iter()
            .all(|tx| tx["tx"]["body"]["messages"][0]["@type"] == format!("/{SEND}"))
    );

    assert_eq!(parse(&run("txs --msg MsgSend --limit 5".to_owned()).good()), known, "the short name of the tables");

    let unknown = parse(&run("txs --msg unknown.Msg --limit 5".to_owned()).out);
    assert_eq!(unknown["txs"], json!([]), "none of all rows is of the type");

    let failing = parse(&run(format!("txs --account {account} --msg {SEND} --limit 6")).out);
    assert_eq!(failing["txs"].as_array().map(Vec::len), Some(6), "as many as were asked for");

    let all = run(format!("txs --account {account} --msg {SEND} --all --format jsonl"));
    assert_eq!((all.status, all.out.lines().count()), (0, 30));
    assert_eq!(all.err, "note: the server did not filter by type: 30 of 60 scanned rows match\n");
}

#[test]
fn a_reader_that_goes_away_ends_the_program_quietly() {
    let chain = Chain::start(3000);
    let home = Home::empty();
    let mut child = Command::new(env!("CARGO_BIN_EXE_rollscope"))
        .env_clear()
        .env("HOME", home.path())
        .args(["blocks", "--all", "--format", "jsonl", "--indexer", chain.url()])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    assert_eq!(parse(&line)["height"], "3000");
    let mut complaint = String::new();
    child.stderr.take().unwrap().read_to_string(&mut complaint).unwrap();
    assert_eq!((child.wait().unwrap().code(), complaint.as_str()), (Some(0), ""));
    assert!(chain.targets().len() < 6, "nobody asked for the rest");
}

#[test]
fn an_interrupt_ends_with_130() {
    use crate::harness::replay::Answer;
    let chain = Chain::scripted(|_| Answer::Stall(b"HTTP/1.1 200 OK\r\n"));
    let home = Home::empty();
    let mut child = Command::new(env!("CARGO_BIN_EXE_rollscope"))
        .env_clear()
        .env("HOME", home.path())
        .args(["status", "--indexer", chain.url()])
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    chain.wait_for(1);
    let process = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(process, rustix::process::Signal::INT).unwrap();
    let mut complaint = String::new();
    child.stderr.take().unwrap().read_to_string(&mut complaint).unwrap();
    assert_eq!((child.wait().unwrap().code(), complaint.as_str()), (Some(130), "rollscope: interrupted\n"));
}
