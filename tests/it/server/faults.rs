use std::time::{Duration, Instant};

use rollscope::{
    client::{ClientOptions, IndexerClient},
    demo::{RollupOptions, faults::Fault},
    msg::{Note, PageRequest, TokenOrder, TokenQuery, TokenScope},
};
use serde_json::json;

use super::{
    client::{Mode, Server, stepped},
    state::{ledger, server},
};

#[tokio::test]
async fn the_demo_route_says_what_this_is() {
    let server = Server::with(RollupOptions { faults: vec![Fault::Error500], ..stepped(12) });
    let text = server.get("/demo/v1").await.text;
    let (head, wallet) = text.split_once(",\"wallet\":").unwrap();
    let (before, faults) = head.split_once(",\"possible_faults\":").unwrap();
    let (faults, index) = faults.split_once(",\"index\":").unwrap();
    assert_eq!(
        (before, index),
        (
            "{\"name\":\"rollscope\",\"chain_id\":\"test-1\",\"vm\":\"evm\",\"seed\":7,\"quirks\":false,\
             \"faults\":[\"error500\"]",
            "{\"from_height\":1,\"height\":12,\"tip\":12}"
        )
    );
    let faults: Vec<serde_json::Value> = serde_json::from_str(faults).unwrap();
    assert!(faults.iter().all(|fault| fault["effect"].is_string()), "{faults:?}");
    assert!(faults.iter().any(|fault| fault["fault"] == "error500"), "{faults:?}");
    assert!(wallet.starts_with("{\"addresses\":{\"31337\":\"0x"), "{wallet}");
}

#[tokio::test]
async fn faults_are_switched_over_http() {
    let server = Server::start(Mode::Specified, 12);
    let set = server.put_faults("[\"latency=1\", \"error500\"]").await;
    assert_eq!(set.json(), json!(["latency=1", "error500"]));
    for path in ["/status", "/indexer/block/v1/blocks", "/v2/info/chains", "/nope"] {
        assert_eq!(server.get(path).await.refusal(), (500, "Internal Server Error"));
    }
    assert_eq!(server.put_faults("[\"refunds\"]").await.status, 400);
    assert!(server.put_faults("[\"refunds\"]").await.refusal().1.contains("unknown fault"));
    assert!(server.put_faults("{}").await.refusal().1.contains("JSON list of strings"));
    assert_eq!(
        server.json("/demo/v1").await["faults"],
        json!(["latency=1", "error500"]),
        "a refused list changes nothing"
    );
    assert_eq!(server.put_faults("[]").await.json(), json!([]));
    assert_eq!(server.get("/status").await.status, 200);
    assert!(server.raw("GET /demo/v1/faults").to_ascii_lowercase().contains("\r\nallow: put\r\n"));
}

#[tokio::test]
async fn latency_comes_before_every_answer() {
    let server = Server::start(Mode::Specified, 12);
    server.rollup.set_faults(vec![Fault::Latency(Duration::from_millis(60))]);
    let start = Instant::now();
    assert_eq!(server.get("/status").await.status, 200);
    assert!(start.elapsed() >= Duration::from_millis(60));
}

#[tokio::test]
async fn timeout_never_answers() {
    let server = Server::start(Mode::Specified, 12);
    server.rollup.set_faults(vec![Fault::Timeout]);
    let waited = tokio::time::timeout(Duration::from_millis(150), server.try_get("/status")).await;
    assert!(waited.is_err());
    // A stop does not wait for it either.
    let hanging = tokio::spawn(crate::harness::get(format!("{}/status", server.rollup.url())));
    drop(server);
    let ended = tokio::time::timeout(Duration::from_secs(10), hanging).await;
    assert!(ended.is_ok(), "a request outlived its server");
}

#[tokio::test]
async fn truncated_breaks_in_the_middle_of_the_body() {
    let server = Server::start(Mode::Specified, 12);
    let whole = server.raw("GET /indexer/block/v1/blocks");
    server.rollup.set_faults(vec![Fault::Truncated]);
    let cut = server.raw("GET /indexer/block/v1/blocks");
    let length = |answer: &str| {
        let head = answer.to_ascii_lowercase();
        let (_, rest) = head.split_once("content-length: ").unwrap();
        rest.lines().next().unwrap().parse::<usize>().unwrap()
    };
    let body = |answer: &str| answer.split_once("\r\n\r\n").unwrap().1.len();
    assert_eq!(length(&cut), length(&whole));
    assert!(body(&cut) < length(&cut));
    let error = server.try_get("/indexer/block/v1/blocks").await.unwrap_err();
    assert!(error.is_body() || error.is_decode() || error.is_request(), "{error:?}");
}

#[tokio::test]
async fn malformed_is_complete_and_no_json() {
    let server = Server::start(Mode::Specified, 12);
    server.rollup.set_faults(vec![Fault::Malformed]);
    let answer = server.get("/status").await;
    assert_eq!((answer.status, answer.content_type.as_str()), (200, "application/json"));
    assert!(serde_json::from_str::<serde_json::Value>(&answer.text).is_err());
}

#[tokio::test]
async fn a_stalled_index_lags_behind_the_chain_and_catches_up() {
    let server = Server::start(Mode::Specified, 12);
    server.rollup.set_faults(vec![Fault::StallIndex]);
    assert_eq!(server.rollup.step(4).unwrap().get(), 16);
    assert_eq!(server.json("/status").await["height"], json!(12));
    assert_eq!(server.get("/indexer/block/v1/blocks/13").await.status, 404);
    let demo = server.json("/demo/v1").await;
    assert_eq!((&demo["index"]["height"], &demo["index"]["tip"]), (&json!(12), &json!(16)));
    server.rollup.set_faults(vec![]);
    server.rollup.step(1).unwrap();
    assert_eq!(server.json("/status").await["height"], json!(17));
}

#[tokio::test]
async fn pages_of_nfts_with_an_orphan_fail_and_the_client_finds_the_others() {
    let server = server(Mode::Quirks, 20, 0);
    let nfts = ledger(20).nfts();
    let address = nfts[0].collection;
    let ids: Vec<&str> = nfts.iter().filter(|nft| nft.collection == address).map(|nft| nft.token_id.as_str()).collect();
    server.put_faults("[\"orphan-token=7\"]").await;
    let list = format!("/indexer/nft/v1/tokens/by_collection/{}", address.hex());
    assert_eq!(server.get(&format!("{list}?pagination.limit=1000")).await.refusal(), (500, "Internal Server Error"));
    assert_eq!(server.get(&format!("{list}?token_id=7")).await.status, 500);
    assert_eq!(server.get(&format!("{list}?token_id=8")).await.status, 200);
    assert_eq!(server.get("/indexer/nft/v1/collections").await.status, 200);

    let client = IndexerClient::new(&server.rollup.url(), ClientOptions::default()).unwrap();
    let scope = TokenScope::Collection(address);
    let query = TokenQuery { scope, token_id: None, order_by: TokenOrder::TokenId };
    let page = client.list(&query, &PageRequest::newest(1_000)).await.unwrap();
    assert_eq!(page.notes, [Note::LeftOut { rows: 1 }]);
    let mut told: Vec<&str> = page.items.iter().map(|token| token.nft.token_id.as_received()).collect();
    let mut expected: Vec<&str> = ids.into_iter().filter(|id| *id != "7").collect();
    told.sort_unstable();
    expected.sort_unstable();
    assert_eq!(told, expected);
}
