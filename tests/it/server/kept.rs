//! Answers of a node's index are kept as bytes: one query for all readers, tags, and compressed forms.

use std::time::Duration;

use futures_util::future::join_all;
use rollscope::{
    domain::Vm,
    indexer::{
        ListenAddress, ListenOptions,
        index::{Index, IndexFeed, IndexIdentity},
        node::{FollowOptions, ServiceOptions},
    },
};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use serde_json::Value;

use crate::harness::{
    player::{NodePlayer, Served},
    recording::Recording,
};

/// Blocks of the recording, and the newest of its node at first.
const BLOCKS: usize = 220;
const TIP: u64 = 200;

const READERS: usize = 1_000;

const TXS: &str = "/indexer/tx/v1/txs?pagination.limit=";
const NEWEST: &str = "/indexer/block/v1/blocks?pagination.limit=20";

/// A public index of the first blocks of a recording, whose node makes no more until it is told.
async fn served(tip: u64, quirks: bool) -> (NodePlayer, Served) {
    let player = NodePlayer::start(&Recording::fixture("miniwasm-0.7", Vm::Wasm).cut(BLOCKS));
    player.change(|stage| stage.tip = tip);
    let follow = FollowOptions { has_rich_list: false, ..FollowOptions::default() };
    let listen = ListenOptions { connections: 2 * READERS, ..ListenOptions::default() };
    let options = ServiceOptions { follow, is_public: true, quirks, listen, ..ServiceOptions::default() };
    let served = player.served(options).await;
    served.filled().await;
    (player, served)
}

/// A client that neither asks for compression nor undoes it.
fn client() -> reqwest::Client {
    let builder = rollscope::client::http_client().no_proxy().no_gzip().timeout(Duration::from_secs(60));
    builder.build().expect("a client")
}

/// How many answers were made from the index so far.
async fn queries(served: &Served) -> usize {
    let (_, text) = served.get("/metrics").await;
    let line = text.lines().find_map(|line| line.strip_prefix("rollscope_http_queries_total "));
    line.and_then(|count| count.parse().ok()).expect("it is counted")
}

async fn get(served: &Served, path: &str, headers: &[(&str, &str)]) -> (u16, reqwest::header::HeaderMap, Vec<u8>) {
    let mut request = client().get(format!("{}{path}", served.url()));
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let response = request.send().await.expect("the server answers");
    let (status, headers) = (response.status().as_u16(), response.headers().clone());
    (status, headers, response.bytes().await.expect("it comes whole").to_vec())
}

fn header<'a>(headers: &'a reqwest::header::HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name).map(|value| value.to_str().expect("text"))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_thousand_readers_of_the_tip_cost_one_query() {
    // Both ends of each connection are here.
    let files = getrlimit(Resource::Nofile);
    setrlimit(Resource::Nofile, Rlimit { current: files.maximum, ..files }).expect("the hard limit is allowed");
    let (_player, served) = served(TIP, false).await;
    let client = client();
    // The follower may still write what changes no block; a later page is then asked.
    for limit in 1..60 {
        let before = queries(&served).await;
        let url = format!("{}{TXS}{limit}", served.url());
        let answers = join_all((0..READERS).map(|_| async {
            let response = client.get(&url).send().await.expect("nobody is refused");
            assert_eq!(response.status(), 200);
            response.bytes().await.expect("it comes whole")
        }));
        let answers = answers.await;
        assert!(answers.iter().all(|answer| answer == &answers[0]), "all have the page");
        if queries(&served).await == before + 1 {
            return;
        }
    }
    panic!("each time more than one query was made");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_tag_is_of_the_answer_and_lasts_as_long() {
    let (player, served) = served(TIP, false).await;
    let page: Value = served.json(&format!("{TXS}1")).await;
    let hash = page["txs"][0]["txhash"].as_str().expect("a transaction").to_owned();
    let single = ["/indexer/block/v1/blocks/200".to_owned(), format!("/indexer/tx/v1/txs/{hash}")];
    let mut tags = Vec::new();
    for path in [single[0].as_str(), single[1].as_str(), NEWEST] {
        let (status, headers, body) = get(&served, path, &[]).await;
        let tag = header(&headers, "etag").expect("a tag").to_owned();
        assert!(status == 200 && tag.starts_with("W/\"") && !body.is_empty(), "{path}: {tag}");
        let fresh = if path == NEWEST { "no-cache" } else { "max-age=60, must-revalidate" };
        assert_eq!(header(&headers, "cache-control"), Some(fresh), "{path}");
        assert_eq!(header(&headers, "vary"), Some("accept-encoding"), "{path}");
        for known in [tag.clone(), format!("\"other\", {}", &tag[2..]), "*".to_owned()] {
            let (status, headers, body) = get(&served, path, &[("if-none-match", &known)]).await;
            assert_eq!((status, body.len(), header(&headers, "etag")), (304, 0, Some(tag.as_str())), "{path}: {known}");
            assert_eq!(header(&headers, "cache-control"), Some(fresh), "{path}");
            assert_eq!(header(&headers, "access-control-allow-origin"), Some("*"), "{path}");
        }
        assert_eq!(get(&served, path, &[("if-none-match", "W/\"other\"")]).await.0, 200, "{path}");
        tags.push((path.to_owned(), tag));
    }
    let (status, headers, _) = get(&served, "/indexer/block/v1/blocks/9999", &[]).await;
    assert_eq!((status, header(&headers, "etag"), header(&headers, "cache-control")), (404, None, None));

    player.change(|stage| stage.tip = TIP + 1);
    let next = (TIP + 1).to_string();
    served.until(NEWEST, |page| page["blocks"][0]["height"] == *next).await;
    for (path, tag) in tags {
        let (status, ..) = get(&served, &path, &[("if-none-match", &tag)]).await;
        assert_eq!(status, if path == NEWEST { 200 } else { 304 }, "{path}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_answer_is_compressed_as_its_reader_accepts() {
    let (_player, served) = served(TIP, false).await;
    let (_, headers, plain) = get(&served, NEWEST, &[]).await;
    assert_eq!(header(&headers, "content-encoding"), None);
    let (_, headers, gzip) = get(&served, NEWEST, &[("accept-encoding", "gzip, deflate")]).await;
    assert_eq!(header(&headers, "content-encoding"), Some("gzip"));
    let mut unpacked = Vec::new();
    std::io::Read::read_to_end(&mut flate2::read::GzDecoder::new(gzip.as_slice()), &mut unpacked).expect("gzip");
    assert!(unpacked == plain && gzip.len() * 2 < plain.len(), "{} of {}", gzip.len(), plain.len());
    let (_, headers, packed) = get(&served, NEWEST, &[("accept-encoding", "gzip, br, zstd")]).await;
    assert_eq!(header(&headers, "content-encoding"), Some("zstd"));
    assert_eq!(zstd::bulk::decompress(&packed, plain.len() + 1).expect("zstd"), plain);
    let tags = [headers, get(&served, NEWEST, &[]).await.1].map(|headers| header(&headers, "etag").map(str::to_owned));
    assert_eq!(tags[0], tags[1], "one tag for all forms");
    let (_, headers, small) = get(&served, "/indexer/block/v1/avg_blocktime", &[("accept-encoding", "zstd")]).await;
    assert_eq!(header(&headers, "content-encoding"), None, "{} bytes are not worth it", small.len());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_imitated_server_has_neither_tags_nor_compression() {
    let (_player, served) = served(TIP, true).await;
    let (status, headers, _) = get(&served, NEWEST, &[("accept-encoding", "gzip, zstd"), ("if-none-match", "*")]).await;
    assert_eq!((status, header(&headers, "etag"), header(&headers, "content-encoding")), (200, None, None));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_unix_socket_serves_as_an_address_does() {
    let player = NodePlayer::start(&Recording::fixture("miniwasm-0.7", Vm::Wasm).cut(BLOCKS));
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("http");
    let follow = FollowOptions { has_rich_list: false, ..FollowOptions::default() };
    let options = ServiceOptions { follow, is_public: true, ..ServiceOptions::default() };
    let identity = IndexIdentity { vm: Vm::Wasm, feed: IndexFeed::Node, facts: Vec::new() };
    let index = Index::in_memory(&identity, 20_000).expect("an index in memory");
    let served = Served::at(ListenAddress::Unix(path.clone()), vec![player.addresses()], index, options);
    let served = served.await.expect("the node is found");
    let last = player.last.to_string();
    served.until(NEWEST, |page| page["blocks"][0]["height"] == *last).await;
    drop(served);
    assert!(!path.exists(), "the socket is removed");
}
