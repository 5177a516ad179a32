//! The client against recorded and scripted answers: every trap of the real server, every failure, every retry.

mod contract_balances;
mod embedded;
mod failures;
mod filters;
mod finding;
mod names;
mod node;
mod outside;
mod pages;
mod records;
mod retries;
mod router;
mod tokens;

use std::time::Duration;

use rollscope::{
    client::{ClientOptions, IndexerClient},
    msg::{Order, PageKey, PageRequest, PageStart},
};

use crate::harness::replay::Replay;

/// Retries at once, so that no test waits.
fn options() -> ClientOptions {
    ClientOptions { first_wait: Duration::from_millis(1), ..ClientOptions::default() }
}

fn client_of(server: &Replay) -> IndexerClient {
    IndexerClient::new(server.url(), options()).expect("the server's address is one")
}

fn newest(limit: u16) -> PageRequest {
    PageRequest::newest(limit)
}

fn after(key: &str, limit: u16) -> PageRequest {
    PageRequest { cursor: PageStart::Key(PageKey(key.into())), limit, order: Order::Descending, count_total: false }
}

/// A transaction with one message of each of these types, as the server writes it.
fn tx_json(number: u64, kinds: &[&str]) -> String {
    let messages: Vec<String> = kinds.iter().map(|kind| format!(r#"{{"@type":"/{kind}"}}"#)).collect();
    format!(
        r#"{{"txhash":"{number:064X}","height":"{number}","codespace":"","code":0,"data":"","raw_log":"","logs":[],"info":"",
        "gas_wanted":"200","gas_used":"100","tx":{{"body":{{"messages":[{}]}},"auth_info":{{}},"signatures":[]}},
        "timestamp":"2026-01-31T12:00:00.25Z","events":[]}}"#,
        messages.join(",")
    )
}

/// A page of transactions, each given by its message types.
fn txs_json(rows: &[&[&str]], next_key: Option<&str>, total: i64) -> String {
    let rows: Vec<String> = rows.iter().zip(1..).map(|(kinds, number)| tx_json(number, kinds)).collect();
    let next_key = next_key.map_or("null".to_owned(), |key| format!(r#""{key}""#));
    format!(
        r#"{{"txs":[{}],"pagination":{{"previous_key":null,"next_key":{next_key},"total":"{total}"}}}}"#,
        rows.join(",")
    )
}
