//! The rich list: denoms to choose from, holders with their ranks, figures, and servers without any.

use std::{
    fmt::Write as _,
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use rollscope::{
    config::{ExplorerTemplates, Network, Token},
    domain::Address,
    msg::{Command, Request},
};
use rstest::rstest;
use serde_json::{Value, json};

use super::{
    framed_lines,
    scripted::{Server, block, chain, parameter, path},
    walk,
};
use crate::harness::{
    Builder, Explorer,
    replay::{Answer, Seen},
};

const GAS: &str = "evm/2eE7007DF876084d4C74685e90bB7f4cd7c86e22";

/// The account with this number.
fn account(number: u64) -> Address {
    let mut bytes = [0; 20];
    bytes[..8].copy_from_slice(&number.wrapping_mul(0x9e37_79b9_7f4a_7c15).to_be_bytes());
    bytes[12..].copy_from_slice(&number.to_be_bytes());
    Address::from_bytes(&bytes).expect("twenty bytes")
}

fn holder(number: u64, amount: impl Into<String>) -> Value {
    json!({"account": account(number).hex(), "amount": amount.into()})
}

/// A page of the real server's rich list: by offset, a key on full pages only.
fn holders(seen: &Seen, total: u64, make: impl Fn(u64) -> Value) -> Answer {
    let number = |name| parameter(seen, name).and_then(|text| text.parse::<u64>().ok());
    let limit = number("pagination.limit").expect("a limit");
    let start = number("pagination.key").unwrap_or(0);
    let end = total.min(start + limit);
    let rows: Vec<Value> = (start..end).map(make).collect();
    let next = (end - start == limit).then(|| end.to_string());
    let counted = if parameter(seen, "pagination.count_total") == Some("false") { 0 } else { total };
    let pagination = json!({"previous_key": null, "next_key": next, "total": counted.to_string()});
    Answer::json(json!({"holders": rows, "pagination": pagination}).to_string())
}

/// The denom that a request for holders asks about, as the server decodes it.
fn denom(seen: &Seen) -> Option<String> {
    path(seen).strip_prefix("/indexer/richlist/v1/").map(|denom| denom.replace("%2F", "/"))
}

fn paid(height: u64, denoms: &[&str]) -> Value {
    let mut block = block(height);
    block["total_fee"] = denoms.iter().map(|denom| json!({"denom": denom, "amount": "1"})).collect();
    block
}

/// A chain of 40 blocks whose fees are paid in GAS, every third also in uatom; its rich list lags by three blocks.
fn paying(seen: &Seen) -> Answer {
    match path(seen) {
        "/status" => Answer::json(json!({"chain_id": "scripted-1", "height": 40, "rich_list_height": 37}).to_string()),
        "/indexer/block/v1/blocks" => super::scripted::page(seen, "blocks", 40, |height| {
            paid(height, if height % 3 == 0 { &["uatom", GAS] } else { &[GAS] })
        }),
        _ => chain(seen, 40),
    }
}

/// So many holders of GAS, each with a little less than the one before; the last with nothing, and one below zero.
fn amount(number: u64, total: u64) -> String {
    match total - number {
        1 => "-1500000000000000000".to_owned(),
        2 => "0".to_owned(),
        left => format!("{}", u128::from(left) * u128::from(left) * 1_250_000_000_000_000_000),
    }
}

fn with_holders(total: u64) -> Server {
    Server::new(move |seen, _| match denom(seen).as_deref() {
        Some(GAS) => holders(seen, total, |number| holder(number, amount(number, total))),
        Some("uatom") => holders(seen, 3, |number| holder(number, (30 - number).to_string())),
        Some(_) => holders(seen, 0, |_| Value::Null),
        None => paying(seen),
    })
}

fn network(server: &Server) -> Network {
    Network {
        name: "custom".to_owned(),
        indexer: server.url().to_owned(),
        explorer: ExplorerTemplates { account: Some("https://scan.example/{}".to_owned()), ..Default::default() },
        tokens: vec![
            Token { denom: "uosmo".to_owned(), symbol: "OSMO".to_owned(), decimals: 6 },
            Token { denom: GAS.to_owned(), symbol: "GAS".to_owned(), decimals: 18 },
        ],
        ..Network::default()
    }
}

/// An explorer of this server that knows what its denoms are called.
fn informed(server: &Server) -> Builder {
    server.explorer().network(network(server)).server(server.url())
}

#[test]
fn look() {
    for (columns, rows) in [(60, 12), (80, 24), (120, 36), (200, 50)] {
        let server = with_holders(1_234);
        let explorer = informed(&server).size(columns, rows).start();
        explorer.press("5 j j");
        println!("{}", explorer.screen());
        explorer.press("tab");
        println!("{}", explorer.screen());
        explorer.press("n n n n n n n tab f");
        println!("{}", explorer.screen());
    }
}
