//! Receipts, call frames, NFTs and holders: every endpoint with every parameter, every list to its end.

use std::{sync::Arc, time::Duration};

use rollscope::{
    client::{ClientOptions, HoldersQuery, IndexerClient, endpoints},
    domain::{Address, Denom, EvmTxHash, Height},
    msg::{
        CollectionScope, EvmTxScope, InternalTxScope, ListPage, Note, Order, PageKey, PageRequest, PageStart,
        TokenName, TokenOrder, TokenQuery, TokenScope, Total, TxQuery, TxScope,
    },
    wire::{ApiError, ErrorKind},
};
use serde_json::{Value, json};

use super::{after, client_of, newest, options};
use crate::harness::replay::{Answer, Replay, Seen, recordings};

const ACCOUNT: &str = "0xefefefefefefefefefefefefefefefefefefefef";
const DENOM: &str = "0xaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
const COLLECTION: &str = "0x1111111111111111111111111111111111111111";

fn address(text: &str) -> Address {
    text.parse().expect("it is an address")
}

fn tokens_of(scope: TokenScope) -> TokenQuery {
    TokenQuery { scope, token_id: None, order_by: TokenOrder::TokenId }
}

fn owned() -> TokenScope {
    TokenScope::Owner { address: address(ACCOUNT), collection: None }
}

fn history_of(token_id: &str) -> TxQuery {
    let token = TokenName { collection: address(COLLECTION), token_id: token_id.into() };
    TxQuery { scope: TxScope::Token(token), msgs: Vec::new() }
}

#[tokio::test]
async fn recorded_receipts_and_frames_are_read() {
    let server = Replay::recorded().await;
    let client = client_of(&server);
    let receipts = client.list(&EvmTxScope::All, &newest(1)).await.unwrap();
    assert_eq!((receipts.items[0].height(), receipts.total), (Height::new(24), Total::About(12)));
    assert!(receipts.next.is_some());
    let hash: EvmTxHash = format!("0x{:064x}", 12).parse().unwrap();
    assert_eq!(client.one(endpoints::evm_tx(hash)).await.unwrap().transaction_hash, hash);
    let raw: Value = serde_json::from_slice(&client.one_and_body(endpoints::evm_tx(hash)).await.unwrap().1).unwrap();
    assert_eq!(raw["tx"]["gasUsed"], "0x5208");
    let frames = client.list(&InternalTxScope::All, &newest(2)).await.unwrap();
    assert_eq!((frames.items[0].kind.as_str(), frames.items[1].parent_index), ("STATICCALL", -1));
    assert_eq!((frames.items[0].value.small(), frames.items[0].gas.small()), (Some(0), Some(256)));
    assert_eq!(frames.total, Total::About(24));
}

#[tokio::test]
async fn recorded_nfts_and_holders_are_read() {
    let server = Replay::recorded().await;
    let client = client_of(&server);
    let collections = client.list(&CollectionScope::All, &newest(2)).await.unwrap();
    assert_eq!((collections.items.len(), collections.next.is_some()), (2, true));
    let owners = client.list(&CollectionScope::Owner(address(ACCOUNT)), &newest(100)).await.unwrap();
    assert_eq!((owners.items.len(), owners.total, owners.next), (1, Total::Exact(1), None));
    let named = client.list(&CollectionScope::Name("Foo".into()), &newest(100)).await.unwrap();
    assert_eq!((named.items.len(), named.total, named.notes), (2, Total::Exact(2), vec![]));
    let one = client.one(endpoints::collection(address(COLLECTION))).await.unwrap();
    assert_eq!(one.address(), Some(address(COLLECTION)));

    let first = client.list(&tokens_of(owned()), &newest(3)).await.unwrap();
    assert_eq!((first.items.len(), first.total), (3, Total::Exact(6)));
    assert_eq!(first.next, Some(PageKey("Mw==".into())));
    let ascending = PageRequest { order: Order::Ascending, ..newest(100) };
    let by_height = TokenQuery { order_by: TokenOrder::Height, ..tokens_of(owned()) };
    let all = client.list(&by_height, &ascending).await.unwrap();
    assert!(all.items.is_sorted_by_key(|token| token.height) && all.items.len() == 6 && all.next.is_none());
    let of = TokenScope::Collection(address(&format!("0x{}", "5".repeat(64))));
    let of = client.list(&tokens_of(of), &newest(100)).await.unwrap();
    assert_eq!(of.items[0].collection().map(|of| of.bytes().len()), Some(32));

    let found = client.list(&history_of("1"), &newest(1)).await.unwrap();
    assert_eq!((found.items.len(), found.notes), (1, vec![]));
    assert_eq!(client.list(&history_of("nope"), &newest(100)).await.unwrap().notes, []);
    let unreachable = client.list(&history_of("a b/c"), &newest(100)).await.unwrap();
    assert_eq!((unreachable.items.len(), unreachable.total), (0, Total::Unknown));
    assert_eq!(unreachable.notes, [Note::IdNotAddressable]);

    let denom = Denom::new(DENOM);
    let holders = client.list(&HoldersQuery(denom.clone()), &newest(3)).await.unwrap();
    assert_eq!(holders.items[0].amount.to_string(), "99999999999999999999999999");
    assert_eq!((holders.total, holders.next.is_some()), (Total::Exact(5), true));
    assert!(client.list(&HoldersQuery(Denom::new("GAS")), &newest(1)).await.is_ok());
}

/// An empty answer that is right for every list.
fn nothing() -> String {
    let pagination = json!({"previous_key": null, "next_key": null, "total": "0"});
    let mut answer = json!({"pagination": pagination});
    for field in ["txs", "internal_txs", "collections", "tokens", "holders"] {
        answer[field] = json!([]);
    }
    answer.to_string()
}

#[tokio::test]
async fn every_parameter_of_every_list_is_sent() {
    let server = Replay::always(Answer::json(nothing())).await;
    let client = client_of(&server);
    let page = PageRequest {
        cursor: PageStart::Key(PageKey("Mw==".into())),
        limit: 7,
        order: Order::Ascending,
        count_total: false,
    };
    let skipping = PageRequest { cursor: PageStart::Offset(9), ..newest(7) };
    let (all, skipped) = (
        "pagination.key=Mw%3D%3D&pagination.limit=7&pagination.reverse=false&pagination.count_total=false",
        "pagination.offset=9&pagination.limit=7",
    );
    let (account, collection) = (address(ACCOUNT), address(COLLECTION));
    let (bech32, height, hash) = (account.bech32(), Height::new(5).unwrap(), EvmTxHash::new([0xab; 32]));
    let tx = |path: &str| format!("/indexer/tx/v1/{path}");
    let nft = |path: &str| format!("/indexer/nft/v1/{path}");
    let mut expected = Vec::new();
    for (scope, path, more) in [
        (EvmTxScope::All, "evm-txs".to_owned(), ""),
        (
            EvmTxScope::Account { address: account, signer_only: true },
            format!("evm-txs/by_account/{ACCOUNT}"),
            "&is_signer=true",
        ),
        (EvmTxScope::Height(height), "evm-txs/by_height/5".to_owned(), ""),
    ] {
        client.list(&scope, &page).await.unwrap();
        expected.push(format!("{}?{all}{more}", tx(&path)));
        client.list(&scope, &skipping).await.unwrap();
        expected.push(format!("{}?{skipped}{more}", tx(&path)));
    }
    for (scope, path) in [
        (InternalTxScope::All, "evm-internal-txs".to_owned()),
        (InternalTxScope::Account(account), format!("evm-internal-txs/by_account/{ACCOUNT}")),
        (InternalTxScope::Height(height), "evm-internal-txs/by_height/5".to_owned()),
        (InternalTxScope::Tx(hash), format!("evm-internal-txs/0x{}", "ab".repeat(32))),
    ] {
        client.list(&scope, &page).await.unwrap();
        expected.push(format!("{}?{all}", tx(&path)));
        client.list(&scope, &skipping).await.unwrap();
        expected.push(format!("{}?{skipped}", tx(&path)));
    }
    for (scope, path) in [
        (CollectionScope::All, "collections".to_owned()),
        (CollectionScope::Owner(account), format!("collections/by_account/{bech32}")),
    ] {
        client.list(&scope, &page).await.unwrap();
        expected.push(format!("{}?{all}", nft(&path)));
        client.list(&scope, &skipping).await.unwrap();
        expected.push(format!("{}?{skipped}", nft(&path)));
    }
    let owner = TokenScope::Owner { address: account, collection: Some(collection) };
    let filters = format!("&collection_addr={COLLECTION}&token_id=a%20b%2Fc&order_by=height");
    let query = TokenQuery { scope: owner, token_id: Some("a b/c".into()), order_by: TokenOrder::Height };
    client.list(&query, &page).await.unwrap();
    expected.push(format!("{}?{all}{filters}", nft(&format!("tokens/by_account/{bech32}"))));
    client.list(&tokens_of(TokenScope::Collection(collection)), &skipping).await.unwrap();
    expected.push(format!("{}?{skipped}", nft(&format!("tokens/by_collection/{COLLECTION}"))));
    client.list(&history_of("a:(1)+é/%"), &page).await.unwrap();
    expected.push(format!("{}?{all}", nft(&format!("txs/{COLLECTION}/a:(1)+%C3%A9%2F%25"))));
    let denom = Denom::new("ibc/ABC:1");
    client.list(&HoldersQuery(denom.clone()), &page).await.unwrap();
    expected.push(format!("/indexer/richlist/v1/ibc%2FABC:1?{all}"));
    client.list(&HoldersQuery(denom.clone()), &skipping).await.unwrap();
    expected.push(format!("/indexer/richlist/v1/ibc%2FABC:1?{skipped}"));
    let seen: Vec<String> = server.seen().into_iter().map(|seen| seen.target).collect();
    assert_eq!(seen, expected);
}

#[tokio::test]
async fn an_id_that_would_change_the_path_is_not_asked_for() {
    let server = Replay::always(Answer::json(nothing())).await;
    for id in ["", ".", ".."] {
        let page = client_of(&server).list(&history_of(id), &newest(5)).await.unwrap();
        assert_eq!((page.items.len(), page.notes), (0, vec![Note::IdNotAddressable]), "{id}");
    }
    assert!(server.seen().is_empty());
}

#[tokio::test]
async fn a_feature_that_is_off_is_told_from_a_server_that_is_too_old() {
    let server = Replay::always(Answer::text(404, "evm routes are not available on this chain")).await;
    let client = client_of(&server);
    let off = client.list(&EvmTxScope::All, &newest(5)).await.unwrap_err();
    assert!(off.is_feature_off() && off.is_not_found() && !off.is_unknown_route(), "{off:?}");
    assert!(off.advice().contains("only EVM rollups"), "{}", off.advice());
    assert_eq!(server.seen().len(), 1);
    let server = Replay::always(Answer::text(404, "Cannot GET /indexer/richlist/v1/uinit")).await;
    let old = client_of(&server).list(&HoldersQuery(Denom::new("uinit")), &newest(5)).await.unwrap_err();
    assert!(old.is_unknown_route() && !old.is_not_found() && !old.is_feature_off(), "{old:?}");
    assert!(old.advice().contains("the server may be older"), "{}", old.advice());
    let server = Replay::always(Answer::text(404, "tx not found")).await;
    let absent = client_of(&server).one(endpoints::evm_tx(EvmTxHash::new([1; 32]))).await.unwrap_err();
    assert!(absent.is_not_found() && !absent.is_feature_off() && !absent.is_unknown_route());
}

#[tokio::test]
async fn a_denom_that_the_chain_does_not_know_is_not_found_and_asked_for_once() {
    let long =
        "exhausted all endpoints: [NETWORK_ERROR] network request to http://10.0.0.7:1317/minievm failed: HTTP 404: {}";
    let server = Replay::always(Answer::text(400, long)).await;
    let error = client_of(&server).list(&HoldersQuery(Denom::new("nope")), &newest(5)).await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::NotFound("the chain does not know the token “nope”".into()));
    let down = long.replace("HTTP 404", "HTTP 502");
    let server = Replay::always(Answer::text(400, down)).await;
    let error = client_of(&server).list(&HoldersQuery(Denom::new("nope")), &newest(5)).await.unwrap_err();
    assert!(matches!(error.kind, ErrorKind::Rejected { status: 400, .. }), "{error:?}");

    let server = Replay::always(Answer::Stall(b"")).await;
    let timeout = Duration::from_millis(60);
    let client = IndexerClient::new(server.url(), ClientOptions { timeout, ..options() }).unwrap();
    let error = client.list(&HoldersQuery(Denom::new("nope")), &newest(5)).await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::Timeout(timeout));
    assert_eq!(client.exchanges().snapshot().len(), 1, "the server would work on it anew each time");
}

/// How a list's keys work (`docs/apis/indexer.md` §2.4).
#[derive(Clone, Copy)]
enum Keys {
    /// One with every page that has rows.
    Keyset,
    /// One with every full page.
    Offset,
}

/// A page of these rows, as the real server gives it.
fn page_of(seen: &Seen, field: &str, rows: &[Value], keys: Keys) -> Answer {
    let url = reqwest::Url::parse(&format!("http://host{}", seen.target)).expect("a target is one");
    let value = |name: &str| url.query_pairs().find(|(key, _)| key == name).map(|(_, value)| value.into_owned());
    let limit: usize = value("pagination.limit").and_then(|limit| limit.parse().ok()).expect("a limit is sent");
    let key = value("pagination.key").map(|key| String::from_utf8(base64_decode(&key)).expect("a key is text"));
    let start: usize = key.map_or(0, |key| key.parse().expect("a key is an offset here"));
    let page: Vec<&Value> = rows.iter().skip(start).take(limit).collect();
    let has_key = match keys {
        Keys::Keyset => !page.is_empty(),
        Keys::Offset => page.len() == limit,
    };
    let next_key = has_key.then(|| base64_encode(&(start + page.len()).to_string()));
    let pagination = json!({"previous_key": null, "next_key": next_key, "total": "-1"});
    Answer::json(json!({field: page, "pagination": pagination}).to_string())
}

fn base64_encode(text: &str) -> String {
    base64::Engine::encode(&base64::prelude::BASE64_STANDARD, text)
}

fn base64_decode(text: &str) -> Vec<u8> {
    base64::Engine::decode(&base64::prelude::BASE64_STANDARD, text).expect("a key is base64")
}

/// Asks for page after page until there is no next one; returns how many rows and requests that were.
async fn walk<T>(ask: impl AsyncFn(PageRequest) -> Result<ListPage<Arc<T>>, ApiError>) -> (usize, usize) {
    let (mut page, mut rows, mut requests) = (newest(10), 0, 0);
    loop {
        let answer = ask(page).await.expect("the page is there");
        requests += 1;
        rows += answer.items.len();
        assert_eq!(answer.total, Total::Unknown);
        assert!(answer.notes.iter().all(|note| matches!(note, Note::ShortPage(_))), "{:?}", answer.notes);
        let Some(next) = answer.next else { return (rows, requests) };
        assert!(requests < 10, "it does not end");
        page = after(&next.0, 10);
    }
}

#[tokio::test]
async fn every_list_is_walked_to_its_end() {
    let row = |path: &str, field: &str| {
        let line = recordings().find(|line| line["path"] == path).expect("it is recorded");
        line["json"][field][0].clone()
    };
    for (count, full) in [(25, 3), (20, 3), (3, 1)] {
        let server = move |field: &'static str, row: Value, keys| {
            let rows = vec![row; count];
            Replay::scripted(move |seen, _| page_of(seen, field, &rows, keys))
        };
        let receipts = server("txs", row("/indexer/tx/v1/evm-txs?pagination.limit=1", "txs"), Keys::Keyset).await;
        let client = client_of(&receipts);
        assert_eq!(walk(async |page| client.list(&EvmTxScope::All, &page).await).await, (count, full));
        let frame = row("/indexer/tx/v1/evm-internal-txs?pagination.limit=2", "internal_txs");
        let frames = server("internal_txs", frame, Keys::Keyset).await;
        let client = client_of(&frames);
        assert_eq!(walk(async |page| client.list(&InternalTxScope::All, &page).await).await, (count, full));
        let collection = row("/indexer/nft/v1/collections?pagination.limit=2", "collections");
        let collections = server("collections", collection, Keys::Offset).await;
        let client = client_of(&collections);
        assert_eq!(walk(async |page| client.list(&CollectionScope::All, &page).await).await, (count, full));
        let token = row(&format!("/indexer/nft/v1/tokens/by_account/{ACCOUNT}"), "tokens");
        let tokens = server("tokens", token, Keys::Offset).await;
        let client = client_of(&tokens);
        assert_eq!(walk(async |page| client.list(&tokens_of(owned()), &page).await).await, (count, full));
        let holders = server(
            "holders",
            row(&format!("/indexer/richlist/v1/{DENOM}?pagination.limit=3"), "holders"),
            Keys::Offset,
        )
        .await;
        let client = client_of(&holders);
        assert_eq!(
            walk(async |page| client.list(&HoldersQuery(Denom::new("uinit")), &page).await).await,
            (count, full)
        );
    }
}
