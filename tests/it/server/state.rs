//! A server of the simulated rollup beside a ledger of one's own, for what depends on state.

use std::collections::BTreeSet;

use rollscope::{
    demo::{
        Rollup, RollupOptions,
        ledger::{CommittedTx, Ledger, LedgerOptions},
    },
    domain::{Address, Height, Vm},
};
use serde_json::Value;

use super::client::{ANYWHERE, Mode, Server, escape};
use crate::harness::chain_of;

/// A server of the simulated rollup with so many blocks, all indexed, and of `further` ones that came afterwards.
pub(super) fn server(mode: Mode, history: u64, further: u64) -> Server {
    server_on(Vm::Evm, mode, history, further)
}

pub(super) fn server_on(vm: Vm, mode: Mode, history: u64, further: u64) -> Server {
    let mut options = RollupOptions { quirks: mode == Mode::Quirks, ..chain_of(history) };
    options.ledger.vm = vm;
    started(options, further)
}

pub(super) fn started(options: RollupOptions, further: u64) -> Server {
    let rollup = Rollup::start(options, ANYWHERE).expect("it starts");
    rollup.wait_until_indexed().expect("it indexes");
    if further > 0 {
        rollup.step(further).expect("it makes blocks");
    }
    Server::of(rollup)
}

pub(super) fn ledger(height: u64) -> Ledger {
    ledger_on(Vm::Evm, height)
}

pub(super) fn ledger_on(vm: Vm, height: u64) -> Ledger {
    let mut ledger = Ledger::genesis(LedgerOptions { vm, ..chain_of(0).ledger }).expect("the options are good");
    while ledger.tip().map_or(0, Height::get) < height {
        ledger.advance();
    }
    ledger
}

/// The denom that fees are paid in.
pub(super) fn fee_denom() -> String {
    ledger(0).tokens().first().expect("there is a fee token").denom.to_string()
}

/// The rows of a list from its first page to its last.
pub(super) async fn walk(server: &Server, list: &str, rows: &str, limit: usize) -> Vec<Value> {
    let pages = pages(server, &format!("{list}pagination.limit={limit}"), rows, "next_key", None).await;
    assert!(pages.iter().rev().skip(1).all(|page| page.len() == limit), "only the last page may be short: {list}");
    pages.concat()
}

/// The pages of a list by one of the keys, until there is none or an empty page.
pub(super) async fn pages(
    server: &Server,
    list: &str,
    rows: &str,
    which: &str,
    start: Option<String>,
) -> Vec<Vec<Value>> {
    let (mut pages, mut key) = (Vec::new(), start);
    loop {
        let cursor = key.map_or(String::new(), |key| format!("&pagination.key={}", escape(&key)));
        let page = server.json(&format!("{list}{cursor}")).await;
        let found = page[rows].as_array().expect("a list").clone();
        if found.is_empty() {
            return pages;
        }
        pages.push(found);
        assert!(pages.len() < 3_000, "the walk never ends: {list}");
        match page["pagination"][which].as_str() {
            Some(next) => key = Some(next.to_owned()),
            None => return pages,
        }
    }
}

/// The NFTs that a transaction's events name: contract and id, read without the index's help.
pub(super) fn nfts_of(tx: &CommittedTx) -> BTreeSet<(Address, String)> {
    let mut found = BTreeSet::new();
    for event in tx.events.iter().filter(|event| event.kind == "wasm") {
        let value = |name: &str| event.value(name);
        let is_moved = matches!(value("action"), Some("mint" | "transfer_nft" | "send_nft" | "burn"));
        if let Some(id) = value("token_id").filter(|_| is_moved) {
            let contract = value("_contract_address").expect("a contract").parse().expect("an address");
            found.insert((contract, id.to_owned()));
        }
    }
    for event in tx.events.iter().filter(|event| event.kind == "evm") {
        for text in event.values("log") {
            let log: Value = serde_json::from_str(text).expect("a log is JSON");
            let topics = log["topics"].as_array().expect("topics");
            if topics.len() == 4
                && log["data"] == "0x"
                && topics[0].as_str().is_some_and(|it| it.starts_with("0xddf252ad"))
            {
                let id: alloy_primitives::U256 = topics[3].as_str().expect("text").parse().expect("a number");
                found.insert((log["address"].as_str().expect("text").parse().expect("an address"), id.to_string()));
            }
        }
    }
    found
}
