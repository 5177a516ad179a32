//! A small scripted chain behind the replay server: two transactions a block, pages and errors as the real server
//! gives them, and recorded requests.

use serde_json::{Value, json};
use tokio::runtime::Runtime;

use crate::harness::replay::{Answer, Replay, Seen};

pub(super) const SEND: &str = "cosmos.bank.v1beta1.MsgSend";
pub(super) const CALL: &str = "minievm.evm.v1.MsgCall";

/// A running server of a chain of so many blocks, for tests that are no async functions.
pub(crate) struct Chain {
    replay: Replay,
    runtime: Runtime,
}

impl Chain {
    pub(super) fn start(blocks: u64) -> Self {
        Self::scripted(move |seen| answer(&seen.target, blocks))
    }

    pub(crate) fn scripted(handler: impl Fn(&Seen) -> Answer + Send + Sync + 'static) -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
        let runtime = runtime.expect("a runtime can be built");
        let replay = runtime.block_on(Replay::scripted(move |seen, _| handler(seen)));
        Self { replay, runtime }
    }

    /// A server with the recorded answers of the real indexer.
    pub(super) fn recorded() -> Self {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
        let runtime = runtime.expect("a runtime can be built");
        let replay = runtime.block_on(Replay::recorded());
        Self { replay, runtime }
    }

    pub(crate) fn url(&self) -> &str {
        self.replay.url()
    }

    /// Waits until so many requests have come.
    pub(super) fn wait_for(&self, count: usize) {
        self.runtime.block_on(self.replay.wait_for(count));
    }

    /// Waits until this was asked for.
    pub(crate) fn wait_for_target(&self, target: &str) {
        self.runtime.block_on(self.replay.wait_for_one(|seen| seen.target == target));
    }

    /// Path and query of each request so far.
    pub(crate) fn targets(&self) -> Vec<String> {
        self.replay.seen().into_iter().map(|seen| seen.target).collect()
    }
}

pub(super) fn block(height: u64) -> Value {
    json!({
        "chain_id": "test-1",
        "height": height.to_string(),
        "hash": format!("{height:064X}"),
        "block_time": "1000",
        "timestamp": format!("2026-01-31T12:{:02}:{:02}Z", height / 60 % 60, height % 60),
        "gas_used": "123456",
        "gas_wanted": "200000",
        "tx_count": "2",
        "total_fee": [{"denom": "uinit", "amount": "340282366920938463463374607431768211456"}],
        "proposer": {"moniker": "Validator \u{202e}one", "identity": "", "operator_address": "initvaloper1x"}
    })
}

pub(super) fn tx(sequence: u64) -> Value {
    let failed = sequence.is_multiple_of(7);
    json!({
        "txhash": format!("{sequence:064X}"),
        "height": sequence.div_ceil(2).to_string(),
        "codespace": if failed { "evm" } else { "" },
        "code": if failed { 8 } else { 0 },
        "data": "",
        "raw_log": if failed { "reverted, \"why\"" } else { "" },
        "logs": [],
        "info": "",
        "gas_wanted": "200000",
        "gas_used": "150000",
        "tx": {
            "body": {"messages": [{"@type": format!("/{}", kind(sequence))}], "memo": "hello"},
            "auth_info": {"fee": {"amount": [{"denom": "uinit", "amount": "3000"}]}},
            "signatures": []
        },
        "timestamp": "2026-01-31T12:00:00.123456789Z",
        "events": []
    })
}

fn kind(sequence: u64) -> &'static str {
    if sequence.is_multiple_of(2) { CALL } else { SEND }
}

fn answer(target: &str, blocks: u64) -> Answer {
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let query: Vec<(&str, &str)> = query.split('&').filter_map(|pair| pair.split_once('=')).collect();
    let rest = |prefix: &str| path.strip_prefix(prefix).map(ToOwned::to_owned);
    match path {
        "/status" => Answer::json(
            json!({"version": "v1", "commit_hash": "abc", "chain_id": "test-1", "height": blocks,
            "rich_list_height": blocks - 5})
            .to_string(),
        ),
        "/indexer/block/v1/avg_blocktime" => Answer::json("{\"avg_block_time\":1.25}"),
        "/indexer/block/v1/blocks" => list("blocks", blocks, blocks, &query, block),
        "/indexer/tx/v1/txs" => txs(blocks * 2, &query),
        _ => {
            if rest("/indexer/tx/v1/txs/by_account/").is_some() {
                let filtered = query.iter().any(|(name, _)| *name == "msgs");
                return if filtered { Answer::text(500, "Internal Server Error") } else { txs(blocks * 2, &query) };
            }
            if rest("/indexer/tx/v1/txs/by_height/").is_some() {
                return txs(2, &query);
            }
            if let Some(height) = rest("/indexer/block/v1/blocks/") {
                let height = height.parse().unwrap_or(0);
                let found = || Answer::json(json!({"block": block(height)}).to_string());
                return if height <= blocks { found() } else { Answer::text(404, "[NOT_FOUND] block not found") };
            }
            let sequence = rest("/indexer/tx/v1/txs/").and_then(|hash| u64::from_str_radix(&hash, 16).ok());
            match sequence.filter(|sequence| *sequence <= blocks * 2) {
                Some(sequence) => Answer::json(json!({"tx": tx(sequence)}).to_string()),
                None => Answer::text(404, "[NOT_FOUND] transaction not found"),
            }
        }
    }
}

/// Transactions filtered by the types that the server knows; with none of them known it does not filter.
fn txs(count: u64, query: &[(&str, &str)]) -> Answer {
    let wanted: Vec<&str> = query.iter().filter(|(name, _)| *name == "msgs").map(|(_, value)| *value).collect();
    if wanted.contains(&SEND) {
        return list("txs", count / 2, count, query, |index| tx(index * 2 - 1));
    }
    list("txs", count, count, query, tx)
}

/// A page of the rows 1 to `count`, with a key on every page that has rows.
pub(super) fn list(name: &str, count: u64, total: u64, query: &[(&str, &str)], row: impl Fn(u64) -> Value) -> Answer {
    let value = |key: &str| query.iter().find(|(name, _)| *name == key).map(|(_, value)| *value);
    let limit: usize = value("pagination.limit").and_then(|limit| limit.parse().ok()).unwrap_or(100);
    let ascending = value("pagination.reverse") == Some("false");
    let offset: u64 = value("pagination.offset").and_then(|offset| offset.parse().ok()).unwrap_or(0);
    let after = value("pagination.key").and_then(|key| key.strip_prefix("row")?.parse::<u64>().ok());
    let rows: Vec<u64> = if ascending {
        (after.map_or(1 + offset, |after| after + 1)..=count).take(limit).collect()
    } else {
        (1..=after.map_or(count - offset, |after| after - 1)).rev().take(limit).collect()
    };
    let next = rows.last().map(|last| format!("row{last}"));
    let counted = value("pagination.count_total") != Some("false");
    let pagination =
        json!({"previous_key": null, "next_key": next, "total": if counted { total } else { 0 }.to_string()});
    let rows: Vec<Value> = rows.into_iter().map(row).collect();
    Answer::json(json!({name: rows, "pagination": pagination}).to_string())
}
