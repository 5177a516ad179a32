use proptest::prelude::*;
use rollscope::{
    client::{BaseUrlError, BlocksQuery, endpoints, path_of},
    domain::{Address, Height, MsgType, TxHash},
    msg::{Note, Order, PageKey, PageRequest, PageStart, Request, Total, TxQuery, TxScope},
};

use super::{after, client_of, newest, txs_json};
use crate::harness::replay::{Answer, Replay, recordings};

fn all() -> TxQuery {
    TxQuery::default()
}

#[tokio::test]
async fn every_endpoint_reads_the_recorded_answers() {
    let server = Replay::recorded().await;
    let client = client_of(&server);
    let status = client.status().await.unwrap();
    assert_eq!((status.chain_id.as_str(), status.height.get(), status.internal_tx_height), ("test-1", 25, Some(24)));
    assert!((client.one(endpoints::avg_block_time()).await.unwrap() - 0.5).abs() < f64::EPSILON);
    let block = client.one(endpoints::block(Height::new(6).unwrap())).await.unwrap();
    assert_eq!((block.height.get(), block.total_fee[0].denom.as_str()), (6, "uinit"));
    let hash: TxHash = "0x000000000000000000000000000000000000000000000000000000000000000c".parse().unwrap();
    let tx = client.one(endpoints::tx(hash)).await.unwrap();
    assert_eq!((tx.txhash, tx.code, tx.raw_log.as_received()), (hash, 5, "failed <tag> & \"q\""));
    let missing = client.one(endpoints::block(Height::new(999).unwrap())).await.unwrap_err();
    assert!(missing.is_not_found(), "{missing}");
    assert_eq!(missing.to_string(), "not found: block not found");
}

#[tokio::test]
async fn raw_bodies_are_the_bytes_received() {
    let body = "{\"version\" : \"dev\",\n \"chain_id\":\"\\u003c\", \"height\": 7, \"new\": 1e400}\n";
    let server = Replay::always(Answer::json(body)).await;
    assert_eq!(client_of(&server).one_and_body(endpoints::status()).await.unwrap().1, body.as_bytes());
    let recorded = Replay::recorded().await;
    let client = client_of(&recorded);
    let page = PageRequest { count_total: true, ..newest(2) };
    let (blocks, body) = client.list_and_body(&BlocksQuery, &page).await.unwrap();
    assert_eq!(blocks.items.len(), 2);
    let body: serde_json::Value = serde_json::from_slice(&body.unwrap()).unwrap();
    let line = recordings().find(|line| line["path"] == "/indexer/block/v1/blocks?pagination.limit=2").unwrap();
    assert_eq!(body, line["json"]);
}

#[tokio::test]
async fn recorded_lists_have_the_totals_they_are_worth() {
    let server = Replay::recorded().await;
    let client = client_of(&server);
    let blocks = client.list(&BlocksQuery, &newest(2)).await.unwrap();
    assert_eq!((blocks.items.len(), blocks.total), (2, Total::About(25)));
    assert!(blocks.next.is_some());
    let txs = client.list(&all(), &newest(2)).await.unwrap();
    assert_eq!(txs.total, Total::About(12));
    let uncounted = PageRequest { count_total: false, ..newest(2) };
    assert_eq!(client.list(&all(), &uncounted).await.unwrap().total, Total::Unknown);
    let sent = TxQuery { msgs: vec![MsgType::new("/cosmos.bank.v1beta1.MsgSend")], ..all() };
    let sent = client.list(&sent, &newest(2)).await.unwrap();
    assert!(matches!(sent.total, Total::Exact(count) if count >= 2), "{:?}", sent.total);
    assert_eq!(sent.notes, []);
}

#[tokio::test]
async fn the_oldest_block_is_the_first_of_the_ascending_list() {
    let server = Replay::scripted(|seen, _| {
        let recorded = "/indexer/block/v1/blocks?pagination.limit=2&pagination.reverse=false";
        let line = recordings().find(|line| line["path"] == recorded).expect("it is recorded");
        assert_eq!(seen.target, recorded.replace("=2", "=1"));
        Answer::json(line["json"].to_string())
    })
    .await;
    let oldest = client_of(&server).oldest_block().await.unwrap().unwrap();
    assert_eq!(oldest.height, Height::FIRST);
    let empty = r#"{"blocks":[],"pagination":{"previous_key":null,"next_key":null,"total":"0"}}"#;
    let server = Replay::always(Answer::json(empty)).await;
    assert!(client_of(&server).oldest_block().await.unwrap().is_none());
    assert_eq!(client_of(&server).list(&BlocksQuery, &newest(5)).await.unwrap().total, Total::Exact(0));
}

#[tokio::test]
async fn a_short_page_is_the_last_one_and_its_key_is_kept() {
    let server = Replay::scripted(|seen, _| {
        let rows: &[&[&str]] = if seen.target.contains("key") { &[&["a.B"]] } else { &[&["a.B"], &["a.B"]] };
        Answer::json(txs_json(rows, Some("bmV4dA=="), 3))
    })
    .await;
    let client = client_of(&server);
    let first = client.list(&all(), &newest(2)).await.unwrap();
    let next = first.next.unwrap();
    assert_eq!(&*next.0, "bmV4dA==");
    let last = client.list(&all(), &after(&next.0, 2)).await.unwrap();
    assert_eq!((last.items.len(), last.next, last.notes), (1, None, vec![Note::ShortPage(PageKey("bmV4dA==".into()))]));
}

#[tokio::test]
async fn a_page_of_megabytes_is_read_whole() {
    let types: Vec<String> = (0..50).map(|number| format!("a.{number}.{}", "x".repeat(80))).collect();
    let types: Vec<&str> = types.iter().map(String::as_str).collect();
    let rows: Vec<&[&str]> = vec![&types; 400];
    let body = txs_json(&rows, None, 400);
    assert!(body.len() > 1 << 20);
    let broken = body.replace("00:00.25Z", "00:00.25");
    let server = Replay::in_turn(vec![Answer::json(body), Answer::json(broken)]).await;
    let client = client_of(&server);
    assert_eq!(client.list(&all(), &newest(400)).await.unwrap().items.len(), 400);
    let error = client.list(&all(), &newest(400)).await.unwrap_err();
    assert!(error.to_string().contains("at txs[0].timestamp"), "{error}");
}

#[tokio::test]
async fn of_a_page_of_blocks_that_the_server_cannot_make_what_lies_before_the_bad_one_comes() {
    let recorded = recordings().find(|line| line["path"] == "/indexer/block/v1/blocks?pagination.limit=2").unwrap();
    let block = recorded["json"]["blocks"][0].clone();
    let server = Replay::scripted(move |seen, _| {
        let value =
            |name: &str| seen.target.split(['?', '&']).find_map(|part| part.strip_prefix(name)?.parse::<u64>().ok());
        let (limit, top) = (value("pagination.limit=").unwrap(), value("pagination.key=").unwrap_or(201));
        let rows: Vec<u64> = (top.saturating_sub(limit).max(1)..top).rev().collect();
        if rows.contains(&163) {
            return Answer::text(500, "Internal Server Error");
        }
        let next = rows.last().map(ToString::to_string);
        let made = |height: &u64| {
            let mut block = block.clone();
            block["height"] = height.to_string().into();
            block
        };
        let blocks: Vec<serde_json::Value> = rows.iter().map(made).collect();
        let pagination = serde_json::json!({"previous_key": null, "next_key": next, "total": "200"});
        Answer::json(serde_json::json!({"blocks": blocks, "pagination": pagination}).to_string())
    })
    .await;
    let client = client_of(&server);
    let page = client.list(&BlocksQuery, &newest(100)).await.unwrap();
    let heights: Vec<u64> = page.items.iter().map(|block| block.height.get()).collect();
    assert_eq!((heights, page.total), ((164..=200).rev().collect(), Total::About(200)));
    let next = page.next.expect("the bad one follows");
    assert!(client.list(&BlocksQuery, &after(&next.0, 100)).await.is_err());
    let broken = Replay::always(Answer::text(500, "Internal Server Error")).await;
    assert!(client_of(&broken).list(&BlocksQuery, &newest(100)).await.is_err());
}

#[tokio::test]
async fn an_empty_page_is_the_end() {
    let server = Replay::always(Answer::json(txs_json(&[], Some("a"), 9))).await;
    let page = client_of(&server).list(&all(), &newest(2)).await.unwrap();
    assert_eq!((page.next, page.notes), (None, vec![Note::EmptyPage]), "as if more followed");
}

#[tokio::test]
async fn a_key_that_repeats_stops_the_paging_and_says_so() {
    let server = Replay::always(Answer::json(txs_json(&[&["a.B"], &["a.B"]], Some("same"), 9))).await;
    let client = client_of(&server);
    assert!(client.list(&all(), &newest(2)).await.unwrap().next.is_some());
    let page = client.list(&all(), &after("same", 2)).await.unwrap();
    assert_eq!((page.next, page.notes), (None, vec![Note::RepeatedKey]));
}

#[tokio::test]
async fn totals_that_count_nothing_are_unknown() {
    let account = TxQuery { scope: TxScope::Height(Height::FIRST), msgs: vec![] };
    let uncounted = PageRequest { count_total: false, ..newest(2) };
    let cases = [
        (all(), newest(2), -1, Total::Unknown),
        (all(), newest(2), 0, Total::Unknown),
        (all(), newest(2), 1, Total::Unknown),
        (all(), newest(2), 41_207, Total::About(41_207)),
        (account.clone(), newest(2), 2, Total::Exact(2)),
        (account.clone(), newest(2), -1, Total::Unknown),
        (account, uncounted, 0, Total::Unknown),
    ];
    for (query, page, total, expected) in cases {
        let server = Replay::always(Answer::json(txs_json(&[&["a.B"], &["a.B"]], None, total))).await;
        let answer = client_of(&server).list(&query, &page).await.unwrap();
        assert_eq!(answer.total, expected, "{query:?} {total}");
    }
}

#[test]
fn paths_encode_keys_repeat_types_and_write_only_what_differs() {
    let path = |request: Request| path_of(&request).unwrap();
    let key = PageRequest {
        cursor: PageStart::Key(PageKey("eyJ+/w==".into())),
        limit: 20,
        order: Order::Ascending,
        count_total: false,
    };
    let encoded = "pagination.key=eyJ%2B%2Fw%3D%3D&pagination.limit=20&pagination.reverse=false";
    assert_eq!(path(Request::Blocks(key.clone())), format!("/indexer/block/v1/blocks?{encoded}"));
    let address: Address = "0x0000000000000000000000000000000000000001".parse().unwrap();
    let query = TxQuery {
        scope: TxScope::Account { address, signer_only: true },
        msgs: vec![MsgType::new("/a.MsgB"), MsgType::new("c.MsgD")],
    };
    let expected = format!(
        "/indexer/tx/v1/txs/by_account/{}?{encoded}&pagination.count_total=false&is_signer=true&msgs=a.MsgB&msgs=c.MsgD",
        address.bech32()
    );
    assert_eq!(path(Request::Txs(query, key)), expected);
    let offset = PageRequest { cursor: PageStart::Offset(40), ..newest(20) };
    let query = TxQuery { scope: TxScope::Height(Height::new(7).unwrap()), msgs: vec![] };
    let expected = "/indexer/tx/v1/txs/by_height/7?pagination.offset=40&pagination.limit=20";
    assert_eq!(path(Request::Txs(query, offset)), expected);
    assert_eq!(path(Request::Status), "/status");
    assert_eq!(path(Request::AvgBlockTime), "/indexer/block/v1/avg_blocktime");
    assert_eq!(path(Request::Tx(TxHash::new([0xab; 32]))), format!("/indexer/tx/v1/txs/{}", "AB".repeat(32)));
    assert_eq!(path_of(&Request::Recents), None);
}

proptest! {
    #[test]
    fn any_key_arrives_as_it_was_given(key in ".*") {
        let cursor = PageStart::Key(PageKey(key.as_str().into()));
        let page = PageRequest { cursor, limit: 1, order: Order::Descending, count_total: false };
        let path = path_of(&Request::Blocks(page)).unwrap();
        prop_assert!(path.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'#'));
        let url = reqwest::Url::parse(&format!("http://host{path}")).unwrap();
        let sent = url.query_pairs().find(|(name, _)| name == "pagination.key").unwrap().1;
        prop_assert_eq!(sent.as_ref(), key);
    }
}

#[tokio::test]
async fn requests_go_below_the_base_address_under_our_name() {
    let server = Replay::scripted(|seen, _| {
        assert!(
            seen.headers.contains(concat!("user-agent: rollscope/", env!("CARGO_PKG_VERSION"))),
            "{}",
            seen.headers
        );
        assert!(seen.headers.contains("accept-encoding: gzip"), "{}", seen.headers);
        Answer::json(r#"{"chain_id":"x","height":1}"#)
    })
    .await;
    let base = format!("{}/rollup/one/", server.url());
    let client = rollscope::client::IndexerClient::new(&base, super::options()).unwrap();
    assert_eq!(client.status().await.unwrap().height, Height::FIRST);
    assert_eq!(server.seen()[0].target, "/rollup/one/status");
}

#[test]
fn addresses_of_servers_are_checked() {
    use rollscope::client::BaseUrl;
    assert_eq!(BaseUrl::parse(" https://a.example/x/ ").unwrap().as_str(), "https://a.example/x");
    for loopback in ["http://127.0.0.1:1", "http://localhost", "http://[::1]:80"] {
        assert!(BaseUrl::parse(loopback).unwrap().is_loopback(), "{loopback}");
    }
    assert!(!BaseUrl::parse("http://localhost.example").unwrap().is_loopback());
    for disguised in ["http://localhost:x@evil/", "http://localhost@evil/", "http://127.0.0.1:80@evil/"] {
        assert!(BaseUrl::parse(disguised).is_err(), "{disguised}");
    }
    assert!(matches!(BaseUrl::parse("indexer.example"), Err(BaseUrlError::Form(_))));
    assert!(matches!(BaseUrl::parse("localhost:8080"), Err(BaseUrlError::Scheme(_))));
    assert!(matches!(BaseUrl::parse("https://a.example/?x"), Err(BaseUrlError::Foreign(_))));
    let secret = BaseUrl::parse("https://me:hunter2@a.example").unwrap_err();
    assert!(!secret.to_string().contains("hunter2"), "{secret}");
}
