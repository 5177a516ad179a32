//! What the real server does where it differs from its specification: every row of the table, in both modes.

use std::time::Duration;

use rollscope::{
    demo::{RollupOptions, differences::DIFFERENCES},
    domain::Vm,
};
use serde_json::{Value, json};

use super::{
    client::{Mode, Server, key, stepped, total},
    state::{fee_denom, ledger, server, server_on},
};

/// Rows that other tests hold, with the file and the test.
const ELSEWHERE: [(&str, &str, &str); 4] = [
    (
        "transactions of an account",
        include_str!("../../../src/indexer/index/members.rs"),
        "who_stands_in_messages_or_quotes_only_has_it_by_the_chains_rules",
    ),
    ("search by name", include_str!("nft/search.rs"), "the_real_search_never_looks_at_a_collection_twice"),
    (
        "length of an emptied collection",
        include_str!("../../../src/indexer/index/nft.rs"),
        "an_emptied_collection_keeps_its_last_length_beside_its_tokens",
    ),
    ("while history is indexed", include_str!("filling.rs"), "with_quirks_nobody_is_answered_before_history_is_in"),
];

/// The two modes over one chain.
struct Both {
    default: Server,
    quirks: Server,
}

impl Both {
    async fn json(&self, path: &str) -> (Value, Value) {
        (self.default.json(path).await, self.quirks.json(path).await)
    }

    async fn statuses(&self, path: &str) -> (u16, u16) {
        (self.default.get(path).await.status, self.quirks.get(path).await.status)
    }
}

#[tokio::test]
async fn every_difference_of_the_table_is_one() {
    let both = Both { default: server(Mode::Specified, 40, 10), quirks: server(Mode::Quirks, 40, 10) };
    for difference in DIFFERENCES {
        let is_proven = ELSEWHERE.iter().any(|(point, file, test)| *point == difference.point && file.contains(test));
        if !is_proven {
            check(difference.point, &both).await;
        }
    }
}

async fn check(point: &str, both: &Both) {
    let blocks = "/indexer/block/v1/blocks?pagination.limit=1000";
    let owner = ledger(50).nfts()[0].owner.hex();
    match point {
        "next_key by position" => {
            let (default, quirks) = both.json(blocks).await;
            assert!(default["pagination"]["next_key"].is_null() && quirks["pagination"]["next_key"].is_string());
        }
        "next_key by number" => {
            let path = format!("/indexer/richlist/v1/{}?pagination.limit=2", fee_denom().replace('/', "%2F"));
            let (default, quirks) = both.json(&path).await;
            assert_eq!(quirks["pagination"]["next_key"], json!("Mg=="));
            assert!(default["pagination"]["next_key"].as_str().is_some_and(|key| key.len() > 10));
        }
        "previous_key" => {
            let (default, quirks) = both.json("/indexer/block/v1/blocks?pagination.offset=5").await;
            assert!(
                default["pagination"]["previous_key"].is_string() && quirks["pagination"]["previous_key"].is_null()
            );
        }
        "total" => {
            let (default, quirks) = both.json("/indexer/nft/v1/collections").await;
            let rows = default["collections"].as_array().expect("the form is known").len();
            assert_eq!((total(&default), total(&quirks)), (i64::try_from(rows).expect("the form is known"), -1));
        }
        "msgs" => {
            let (default, quirks) = both.json("/indexer/tx/v1/txs?msgs=never.Seen").await;
            assert_eq!((total(&default), total(&quirks) > 0), (0, true));
            let newest = both.quirks.json("/indexer/tx/v1/txs?pagination.limit=1").await;
            let known = newest["txs"][0]["tx"]["body"]["messages"][0]["@type"].as_str().expect("the form is known");
            let path = format!("/indexer/tx/v1/txs/by_account/{owner}?msgs={}", &known[1..]);
            assert_eq!(both.statuses(&path).await, (200, 500));
        }
        "path parameters" => {
            let path = "/indexer/block/v1/blocks/%37";
            assert_eq!(both.statuses(path).await, (200, 400));
        }
        "unreadable numbers and booleans" => {
            for query in ["reverse=null&pagination.reverse=null", "count_total=no", "limit=x", "offset=1.5"] {
                let path = format!("/indexer/tx/v1/txs?pagination.{query}");
                assert_eq!(both.statuses(&path).await, (400, 200), "{path}");
            }
            let path = |value: &str| format!("/indexer/tx/v1/txs/by_account/{owner}?is_signer={value}");
            assert_eq!(both.statuses(&path("no")).await, (400, 200));
            let (default, quirks) = (both.json(&path("1")).await, both.json(&path("true")).await);
            assert_eq!(default.0, quirks.0, "a one is a true one");
            assert_ne!(total(&default.1), total(&quirks.1), "and on the real server it is not");
        }
        "a key, denom or address without a match" => {
            let nobody = "init1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq";
            for path in [
                "/indexer/block/v1/blocks?pagination.key=YWJj".to_owned(),
                format!("/indexer/nft/v1/collections?{}", key("{nonsense")),
                "/indexer/richlist/v1/nope".to_owned(),
                format!("/indexer/tx/v1/txs/by_account/{nobody}"),
                format!("/indexer/nft/v1/collections/{nobody}"),
            ] {
                assert_eq!(both.statuses(&path).await, (404, 400), "{path}");
            }
        }
        "misplaced key" => {
            let path = format!("/indexer/nft/v1/collections/by_account/{owner}?{}", key("{\"height\":\"x\"}"));
            assert_eq!(both.statuses(&path).await, (200, 500));
        }
        "rich list" => {
            let (default, quirks) = both.json("/status").await;
            let behind = |status: &Value| {
                status["height"].as_u64().expect("the form is known")
                    - status["rich_list_height"].as_u64().expect("the form is known")
            };
            assert_eq!((behind(&default), behind(&quirks)), (1, 5));
        }
        "clean-up in the status" => clean_up().await,
        "cache" => cache().await,
        "block of an unknown proposer" => unknown_proposer(both).await,
        "transactions of an IBC packet" => {
            let path = "/indexer/ibc/v1/packets/sent/transfer/channel-0/1";
            assert_eq!(both.statuses(path).await, (200, 404));
            let (default, quirks) = both.json("/status").await;
            assert_eq!((&default["has_packets"], &quirks["has_packets"]), (&json!(true), &Value::Null));
        }
        "tokens of contracts" => {
            assert_eq!(both.statuses("/indexer/token/v1/contracts").await, (200, 404));
            let (default, quirks) = both.json("/status").await;
            let has_list = |status: &Value| status["has_token_contracts"].clone();
            assert_eq!((has_list(&default), has_list(&quirks)), (json!(true), Value::Null));
        }
        "version of the description" => {
            let (default, quirks) = both.json("/swagger/doc.json").await;
            assert_eq!((&default["info"]["version"], &quirks["info"]["version"]), (&json!("1.0.0"), &json!("")));
        }
        other => panic!("nothing holds the row “{other}”"),
    }
}

const CLEANUP: [&str; 4] = [
    "evm_ret_cleanup_height",
    "tx_account_cleanup_sequence",
    "tx_account_cleanup_deleted",
    "tx_account_cleanup_inserted",
];

async fn clean_up() {
    let default = Server::start(Mode::Specified, 30).json("/status").await;
    assert!(CLEANUP.iter().all(|field| default.get(field).is_none()), "{default}");
    let quirks = Server::start(Mode::Quirks, 600);
    let status = quirks.json("/status").await;
    assert_eq!(CLEANUP.map(|field| status[field].as_i64()), [None, Some(-1), Some(-1), Some(-1)]);
    quirks.rollup.step(2).expect("blocks are made");
    let status = quirks.json("/status").await;
    let begun = CLEANUP.map(|field| status[field].as_i64());
    assert!(begun.iter().all(|figure| figure.is_some_and(|figure| figure > 0)), "{status}");
    quirks.rollup.step(60).expect("blocks are made");
    let status = quirks.json("/status").await;
    assert_eq!(status.get(CLEANUP[1]), None, "it is done: {status}");
    assert_eq!(status[CLEANUP[0]], json!(600));
}

/// The word of the cache, and the answer.
fn kept(server: &Server, path: &str, headers: &[&str]) -> (Option<String>, String) {
    let headers: Vec<&str> = std::iter::once("Host: x").chain(headers.iter().copied()).collect();
    let answer = server.raw_with(&format!("GET {path}"), &headers, "");
    let (head, body) = answer.split_once("\r\n\r\n").expect("a body");
    let word = head.lines().find_map(|line| line.to_ascii_lowercase().strip_prefix("x-cache: ").map(str::to_owned));
    (word, body.to_owned())
}

async fn cache() {
    let word = |server: &Server, path: &str| kept(server, path, &[]).0.unwrap_or_default();
    let default = Server::start(Mode::Specified, 30);
    assert_eq!(kept(&default, "/status", &[]).0, None);

    let quirks = Server::start(Mode::Quirks, 30);
    let block = "/indexer/block/v1/blocks/31";
    assert_eq!((word(&quirks, "/status"), word(&quirks, "/status")), ("miss".to_owned(), "hit".to_owned()));
    assert_eq!(word(&quirks, "/Status"), "miss", "the address counts as it was sent");
    let (_, before) = kept(&quirks, "/status", &[]);
    // A refusal is never kept.
    assert_eq!((kept(&quirks, block, &[]).0, kept(&quirks, block, &[]).0), (None, None));

    // Half a second a block: the second after the next one has begun.
    quirks.rollup.step(2).expect("blocks are made");
    let (after, status) = kept(&quirks, "/status", &[]);
    assert_eq!(after.as_deref(), Some("miss"));
    assert_ne!(status, before);
    assert_eq!((word(&quirks, block), word(&quirks, block)), ("miss".to_owned(), "hit".to_owned()));
    let average = "/indexer/block/v1/avg_blocktime";
    assert_eq!(word(&quirks, average), "miss");
    quirks.rollup.step(16).expect("blocks are made");
    assert_eq!(word(&quirks, average), "hit", "it is 8 s old");
    assert_eq!(kept(&quirks, average, &["Cache-Control: no-store"]).0, None);
    assert_eq!(kept(&quirks, average, &["Cache-Control: no-cache"]).0.as_deref(), Some("miss"));
    quirks.rollup.step(22).expect("blocks are made");
    assert_eq!(word(&quirks, average), "miss", "it is 11 s old");
    // What is stale is given all the same: that is the quirk.
    let (_, old) = kept(&quirks, "/indexer/tx/v1/txs?pagination.limit=1", &[]);
    let fresh = quirks.get("/indexer/tx/v1/txs?pagination.limit=1").await.text;
    assert_eq!(old, fresh);
}

async fn unknown_proposer(both: &Both) {
    for server in [&both.default, &both.quirks] {
        server.put_faults("[\"unknown-proposer=7\"]").await;
    }
    let block = both.default.json("/indexer/block/v1/blocks/7").await;
    let proposer = &block["block"]["proposer"];
    assert_eq!((&proposer["moniker"], &proposer["operator_address"]), (&json!(""), &json!("")));
    assert!(proposer["consensus_address"].as_str().is_some_and(|address| address.len() == 40), "{proposer}");
    let page = both.default.json("/indexer/block/v1/blocks?pagination.limit=1000").await;
    let names: Vec<&Value> = page["blocks"]
        .as_array()
        .expect("the form is known")
        .iter()
        .map(|block| &block["proposer"]["moniker"])
        .collect();
    assert_eq!(names.iter().filter(|name| **name == "").count(), 1);
    for path in ["/indexer/block/v1/blocks/7", "/indexer/block/v1/blocks?pagination.limit=1000"] {
        assert_eq!(both.quirks.get(path).await.refusal(), (500, "Internal Server Error"), "{path}");
    }
    assert_eq!(both.statuses("/indexer/block/v1/blocks/8").await, (200, 200));
    assert_eq!(both.statuses("/indexer/block/v1/blocks?pagination.limit=10").await, (200, 200));
    for server in [&both.default, &both.quirks] {
        server.put_faults("[]").await;
    }
}

#[tokio::test]
async fn what_the_node_is_asked_in_vain_takes_its_time_where_that_is_asked_for() {
    let server = server_on(Vm::Evm, Mode::Quirks, 30, 0);
    let unknown = "/indexer/richlist/v1/nobody";
    assert_eq!(server.get(unknown).await.refusal().0, 400, "at once");
    server.put_faults("[\"slow-node\"]").await;
    assert_eq!(server.get("/status").await.status, 200, "only what the node does not know is slow");
    let mut asked = Box::pin(server.get(unknown));
    assert!(tokio::time::timeout(Duration::from_millis(100), &mut asked).await.is_err());
    // A second a block.
    server.rollup.step(46).expect("blocks are made");
    assert!(tokio::time::timeout(Duration::from_millis(100), &mut asked).await.is_err());
    server.rollup.step(4).expect("blocks are made");
    let answer = tokio::time::timeout(Duration::from_secs(20), asked).await.expect("48 s have passed");
    assert_eq!(answer.status, 400);

    // A stop does not wait for it.
    let hanging = tokio::spawn(crate::harness::get(format!("{}{unknown}", server.rollup.url())));
    drop(server);
    let ended = tokio::time::timeout(Duration::from_secs(10), hanging).await;
    assert!(ended.is_ok(), "a request outlived its server");
}

#[test]
fn a_fault_of_the_node_is_a_fault_from_the_start_too() {
    let options = RollupOptions { faults: vec!["slow-node".parse().expect("the form is known")], ..stepped(3) };
    let server = Server::with(options);
    assert!(server.raw("GET /demo/v1").contains("\"faults\":[\"slow-node\"]"));
}
