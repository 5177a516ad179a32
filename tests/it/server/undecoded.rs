//! Blocks that cannot be decoded: the index keeps what the node gives, counts what it lacks, and tries again after a
//! restart.

use std::{path::Path, sync::Arc, time::Duration};

use base64::{Engine as _, prelude::BASE64_STANDARD};
use rollscope::{
    client::{ClientOptions, NodeClient},
    domain::{Height, Vm},
    indexer::{
        ChainMetrics,
        index::{Index, IndexFeed, IndexIdentity},
        node::{
            ClientFeed, FollowOptions, ServiceOptions,
            feed::{FeedError, NodeFeed as _, NodeHeader, NodeRefusal},
        },
    },
    wire::BlockPart,
};
use serde_json::{Value, json, value::RawValue};
use sha2::{Digest as _, Sha256};

use crate::harness::{
    player::{Fault, NodePlayer, Served},
    recording::Recording,
};

/// A played node, and of its blocks that are not new the one with the most transactions.
fn player() -> (NodePlayer, u64) {
    let recording = Recording::fixture("minievm-1.1", Vm::Evm).cut(160);
    let has_receipts = |list: &RawValue| list.get().len() > 2;
    let old = recording.blocks.iter().filter(|block| block.height < 140);
    let old = old.filter(|block| block.receipts.as_deref().is_some_and(has_receipts));
    let odd = old.max_by_key(|block| block.hashes().len()).expect("blocks").height;
    let player = NodePlayer::start(&recording);
    lie(&player, |_, _| {});
    (player, odd)
}

/// Changes answers. Even a lie that changes nothing sorts their keys, so that answers of both kinds are equal.
fn lie(player: &NodePlayer, lie: impl Fn(&str, &mut Value) + Send + 'static) {
    player.change(|stage| stage.lie = Some(Box::new(lie)));
}

async fn served(player: &NodePlayer, file: Option<&Path>) -> Served {
    let follow = FollowOptions { has_rich_list: false, ..FollowOptions::default() };
    let options = ServiceOptions { follow, is_public: true, ..ServiceOptions::default() };
    let identity = IndexIdentity { vm: player.vm, feed: IndexFeed::Node, facts: Vec::new() };
    let index = match file {
        Some(file) => Index::in_file(file, &identity),
        None => Index::in_memory(&identity, 20_000),
    };
    let served = player.served_with(index.expect("an index"), options).await.expect("the node is found");
    served.filled().await;
    served
}

async fn everything(served: &Served) -> Vec<Value> {
    let mut pages = Vec::new();
    for path in ["block/v1/blocks", "tx/v1/txs", "tx/v1/evm-txs", "nft/v1/collections"] {
        pages.push(served.json(&format!("/indexer/{path}?pagination.limit=1000")).await);
    }
    pages
}

/// Serves with a lie, then again from the same file without it: nothing is lacking then.
async fn lied_to_and_restarted(
    player: &NodePlayer,
    odd: impl Fn(&str, &mut Value) + Send + 'static,
    check: impl AsyncFnOnce(&Served, &[Value]),
) {
    let expected = everything(&served(player, None).await).await;
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("chain.sqlite");
    lie(player, odd);
    {
        let served = served(player, Some(&file)).await;
        check(&served, &expected).await;
        let (_, metrics) = served.get("/metrics").await;
        assert!(metrics.contains("rollscope_undecoded_parts 1\n"), "{metrics}");
    }
    player.change(|stage| stage.undecodable = None);
    lie(player, |_, _| {});
    let served = served(player, Some(&file)).await;
    served.until("/status", |status| status["node"]["undecoded"] == 0).await;
    assert_eq!(everything(&served).await, expected);
}

#[tokio::test]
async fn bytes_that_are_no_transaction_are_kept_with_their_result() {
    let (player, odd) = player();
    let junk = b"\xffnot a transaction".as_slice();
    player.change(|stage| stage.undecodable = Some(odd));
    let swap = move |request: &str, answer: &mut Value| {
        if request == format!("/rpc/block?height={odd}") {
            answer["result"]["block"]["data"]["txs"][0] = BASE64_STANDARD.encode(junk).into();
        }
    };
    lied_to_and_restarted(&player, swap, async |served, expected| {
        let status = served.json("/status").await;
        let parts = json!([{"height": odd, "part": "tx", "index": 0, "cause": "the bytes are not a transaction"}]);
        assert_eq!((&status["node"]["undecoded"], &status["node"]["undecoded_parts"]), (&json!(1), &parts));
        let hash = alloy_primitives::hex::encode_upper(Sha256::digest(junk));
        let tx = served.json(&format!("/indexer/tx/v1/txs/{hash}")).await["tx"].take();
        assert_eq!(tx["tx"], json!({"@value": BASE64_STANDARD.encode(junk)}));
        let real = served.json(&format!("/indexer/tx/v1/txs/by_height/{odd}?pagination.reverse=false")).await;
        assert_eq!(real["txs"][0], tx);
        let height = &odd.to_string();
        let clean = expected[1]["txs"].as_array().expect("a list");
        let clean = clean.iter().rev().find(|tx| tx["height"] == *height).expect("the block has transactions");
        for field in ["code", "gas_used", "events", "timestamp"] {
            assert_eq!(tx[field], clean[field], "{field}");
        }
        assert_eq!(everything(served).await[0]["blocks"].as_array().map(Vec::len), Some(160));
    })
    .await;
}

#[tokio::test]
async fn a_block_with_unreadable_results_is_indexed_from_its_header() {
    let (player, odd) = player();
    let spoil = move |request: &str, answer: &mut Value| {
        if request == format!("/rpc/block_results?height={odd}") {
            answer["result"]["txs_results"] = json!([{"code": "many"}]);
        }
    };
    lied_to_and_restarted(&player, spoil, async |served, expected| {
        let status = served.json("/status").await;
        let part = &status["node"]["undecoded_parts"][0];
        assert_eq!((&part["height"], &part["part"]), (&json!(odd), &json!("results")), "{status}");
        let block = served.json(&format!("/indexer/block/v1/blocks/{odd}")).await["block"].take();
        let height = &odd.to_string();
        let clean = expected[0]["blocks"].as_array().expect("a list");
        let clean = clean.iter().find(|block| block["height"] == *height).expect("the block is there");
        for field in ["hash", "tx_count", "timestamp", "proposer"] {
            assert_eq!(block[field], clean[field], "{field}");
        }
        // The other transactions keep their places.
        let mut without = expected[1]["txs"].as_array().expect("a list").clone();
        without.retain(|tx| tx["height"] != *height);
        let page = served.json("/indexer/tx/v1/txs?pagination.limit=1000").await;
        assert_eq!(page["txs"].as_array(), Some(&without));
    })
    .await;
}

#[tokio::test]
async fn bytes_of_events_that_are_no_text_stop_nothing() {
    let (player, odd) = player();
    let results = format!("/rpc/block_results?height={odd}");
    player
        .change(|stage| stage.fault = Some(Box::new(move |request, _| (request == results).then_some(Fault::NotUtf8))));
    let served = served(&player, None).await;
    let status = served.json("/status").await;
    assert_eq!(status["node"]["undecoded"], 0, "{status}");
    let page = served.json(&format!("/indexer/tx/v1/txs/by_height/{odd}")).await.to_string();
    assert!(page.contains('\u{fffd}'), "as Go's encoder writes it: {page}");
}

async fn feed(player: &NodePlayer, body_cap: u64, height: u64) -> (Arc<ClientFeed>, NodeHeader) {
    let options = ClientOptions { body_cap, ..ClientOptions::default() };
    let client = NodeClient::find(&player.addresses(), options, 16).await.expect("the node is found");
    let feed = ClientFeed::new(&client, &ChainMetrics::of_server());
    // Everything is due at once.
    feed.set_second(Duration::ZERO);
    feed.head().await.expect("a head");
    let height = Height::new(height).expect("a height");
    let header = feed.headers(height, height).await.expect("a header").pop().expect("one");
    (feed, header)
}

/// Asks until the block comes, and returns the number of failed attempts, and what the block lacks.
async fn attempts(feed: &ClientFeed, header: &NodeHeader) -> (usize, Vec<BlockPart>) {
    for failed in 0..20 {
        match feed.block(header.clone()).await {
            Err(FeedError::Malformed(_) | FeedError::Refused(_)) => {}
            block => return (failed, block.expect("a block").undecoded.iter().map(|part| part.part).collect()),
        }
    }
    panic!("it is never given up")
}

#[tokio::test]
async fn what_never_can_be_read_is_left_out_after_some_attempts_and_soon_readable_data_is_not() {
    let (player, odd) = player();
    let (capped, header) = feed(&player, 150_000, odd).await;
    let (own, _) = feed(&player, 32 << 20, odd).await;
    assert_eq!(attempts(&own, &header).await, (0, vec![]));
    let inflate = move |request: &str, answer: &mut Value| {
        if request.starts_with("/rpc/block_results") {
            answer["result"]["pad"] = "x".repeat(200_000).into();
        }
    };
    lie(&player, inflate);
    assert_eq!(attempts(&own, &header).await, (0, vec![]));
    assert_eq!(attempts(&capped, &header).await, (3, vec![BlockPart::Results]), "larger than the limit");

    let silence = |request: &str, answer: &mut Value| {
        if request.contains("eth_getBlockReceipts") {
            let answer = if answer.is_array() { &mut answer[0] } else { answer };
            answer["result"] = json!([]);
        }
    };
    lie(&player, silence);
    assert_eq!(attempts(&own, &header).await, (4, vec![BlockPart::Receipts]), "announced and never sent");
    for _ in 0..2 {
        lie(&player, silence);
        let failed = feed_block(&own, &header).await;
        let is_said = |refusal: &NodeRefusal| refusal.cause.contains("sends no receipts");
        assert!(matches!(&failed, Err(FeedError::Refused(refusal)) if is_said(refusal)), "{failed:?}");
        lie(&player, |_, _| {});
        assert_eq!(attempts(&own, &header).await, (0, vec![]), "they came late");
    }

    let spoil = |request: &str, answer: &mut Value| {
        if request.contains("debug_traceBlockByNumber") {
            answer[1]["result"][0]["txHash"] = "?".into();
        }
    };
    lie(&player, spoil);
    for _ in 0..3 {
        assert!(matches!(own.traces(header.height).await, Err(FeedError::Malformed(_))));
    }
    let given_up = own.traces(header.height).await.expect("given up");
    let lost: Vec<_> = given_up.undecoded.iter().map(|lost| lost.part).collect();
    assert_eq!((given_up.traces.traces.len(), lost), (0, vec![BlockPart::CallFrames]));

    lie(&player, |request, answer| {
        if request.contains("debug_traceBlockByNumber") {
            answer[1]["result"] = json!([]);
        }
    });
    for _ in 0..4 {
        assert!(matches!(own.traces(header.height).await, Err(FeedError::Refused(_))), "another node may have them");
    }
    let lost = own.traces(header.height).await.expect("given up").undecoded;
    assert!(lost[0].cause.as_received().ends_with("but does not send the call frames"), "{lost:?}");
}

async fn feed_block(feed: &ClientFeed, header: &NodeHeader) -> Result<(), FeedError> {
    feed.block(header.clone()).await.map(drop)
}
