mod search;

use std::collections::{BTreeMap, BTreeSet};

use rollscope::{
    demo::ledger::OwnedNft,
    domain::{Address, Height, Vm},
    wire::Token,
};
use rstest::rstest;
use serde_json::{Value, json};

use super::{
    client::{Mode, Server, decoded, key, total},
    state::{fee_denom, ledger, ledger_on, nfts_of, pages, server, server_on, walk},
};

const COLLECTIONS: &str = "/indexer/nft/v1/collections";
const TOKENS: &str = "/indexer/nft/v1/tokens";

/// Collection, id, object, owner, address of its metadata and height.
type Facts = (String, String, String, String, String, u64);

/// What a token of the ledger must look like.
fn seen(nft: &OwnedNft) -> Facts {
    let object = nft.object.map(|object| object.hex()).unwrap_or_default();
    (nft.collection.hex(), nft.token_id.clone(), object, nft.owner.bech32(), nft.uri.clone(), nft.moved.get())
}

fn told(row: &Value) -> Facts {
    let token: Token = serde_json::from_value(row.clone()).expect("a token");
    assert_eq!(token.object_addr.is_empty(), token.object().is_none());
    let Token { collection_addr, object_addr, owner, nft, height, .. } = token;
    (
        collection_addr,
        nft.token_id.as_received().to_owned(),
        object_addr,
        owner,
        nft.uri.as_received().to_owned(),
        height.get(),
    )
}

fn ids(rows: &[Value]) -> Vec<&str> {
    rows.iter().map(|row| row["nft"]["token_id"].as_str().expect("text")).collect()
}

/// The account that owns most tokens.
fn collector(nfts: &[OwnedNft]) -> Address {
    let mut owned: BTreeMap<Address, usize> = BTreeMap::new();
    for nft in nfts {
        *owned.entry(nft.owner).or_default() += 1;
    }
    owned.into_iter().max_by_key(|(_, count)| *count).expect("somebody owns something").0
}

#[rstest]
#[case(Vm::Evm, Mode::Specified)]
#[case(Vm::Evm, Mode::Quirks)]
#[case(Vm::Move, Mode::Specified)]
#[case(Vm::Move, Mode::Quirks)]
#[case(Vm::Wasm, Mode::Specified)]
#[tokio::test]
async fn every_collection_and_token_is_as_the_ledger_has_it(#[case] vm: Vm, #[case] mode: Mode) {
    // The first blocks are in the snapshot, the others are followed by their events.
    let server = server_on(vm, mode, 40, 140);
    let ledger = ledger_on(vm, 180);
    let rows = walk(&server, &format!("{COLLECTIONS}?pagination.reverse=false&"), "collections", 3).await;
    let expected: BTreeMap<String, _> = ledger.collections().into_iter().map(|it| (it.address.hex(), it)).collect();
    assert_eq!(rows.len(), expected.len());
    let nfts = ledger.nfts();
    for row in &rows {
        let address = row["object_addr"].as_str().unwrap();
        let collection = &expected[address];
        let tokens = nfts.iter().filter(|nft| nft.collection == collection.address).count();
        let facts = json!({"creator": collection.creator.bech32(), "name": collection.name,
            "origin_name": collection.origin_name, "nfts": {"handle": "", "length": tokens}});
        assert_eq!((&row["collection"], &row["height"]), (&facts, &json!(collection.created.get())));
        let one = server.json(&format!("{COLLECTIONS}/{address}")).await;
        assert_eq!(one, json!({"collection": row}));
        let rows = walk(&server, &format!("{TOKENS}/by_collection/{address}?"), "tokens", 1000).await;
        let told: BTreeSet<_> = rows.iter().map(told).collect();
        let seen: BTreeSet<_> = nfts.iter().filter(|nft| nft.collection == collection.address).map(seen).collect();
        assert_eq!((rows.len(), told), (tokens, seen), "{address}");
    }
    assert!(rows.windows(2).all(|pair| pair[0]["height"].as_u64() <= pair[1]["height"].as_u64()));
    let moved = nfts.iter().filter(|nft| nft.moved.get() > 40).count();
    assert!(moved > 20, "the events moved tokens: {moved}");
}

#[tokio::test]
async fn times_are_those_of_the_blocks_to_the_microsecond() {
    let server = server(Mode::Specified, 30, 60);
    let rows = walk(&server, &format!("{COLLECTIONS}?"), "collections", 100).await;
    let collection = rows[0]["object_addr"].as_str().unwrap().to_owned();
    let rows = walk(&server, &format!("{TOKENS}/by_collection/{collection}?order_by=height&"), "tokens", 50).await;
    let ledger = ledger(90);
    for row in rows.iter().chain(&rows) {
        let token: Token = serde_json::from_value(row.clone()).unwrap();
        let nanos = ledger.time(token.height).as_nanos();
        assert_eq!(token.timestamp.as_nanos(), nanos - nanos % 1_000);
    }
}

#[rstest]
#[case(Mode::Specified)]
#[case(Mode::Quirks)]
#[tokio::test]
async fn accounts_have_their_tokens_and_collections(#[case] mode: Mode) {
    let server = server(mode, 40, 60);
    let nfts = ledger(100).nfts();
    let owner = collector(&nfts);
    let owned: Vec<&OwnedNft> = nfts.iter().filter(|nft| nft.owner == owner).collect();
    for form in [owner.bech32(), owner.hex()] {
        let rows = walk(&server, &format!("{TOKENS}/by_account/{form}?"), "tokens", 4).await;
        let told: BTreeSet<_> = rows.iter().map(told).collect();
        assert_eq!((rows.len(), told), (owned.len(), owned.iter().map(|nft| seen(nft)).collect()));
        let page = server.json(&format!("{TOKENS}/by_account/{form}?pagination.limit=1")).await;
        assert_eq!(total(&page), i64::try_from(owned.len()).unwrap());
        let collections: BTreeSet<String> = owned.iter().map(|nft| nft.collection.hex()).collect();
        let page = server.json(&format!("{COLLECTIONS}/by_account/{form}")).await;
        let rows = page["collections"].as_array().unwrap();
        let told: BTreeSet<String> = rows.iter().map(|row| row["object_addr"].as_str().unwrap().to_owned()).collect();
        assert_eq!(
            (total(&page), rows.len(), told),
            (i64::try_from(collections.len()).unwrap(), rows.len(), collections)
        );
    }
    let collection = owned[0].collection;
    let within = owned.iter().filter(|nft| nft.collection == collection).count();
    let filter = format!(
        "{TOKENS}/by_account/{owner}?collection_addr={collection}",
        owner = owner.hex(),
        collection = collection.hex()
    );
    let page = server.json(&filter).await;
    assert_eq!((total(&page), page["tokens"].as_array().unwrap().len()), (i64::try_from(within).unwrap(), within));
    let one = server.json(&format!("{filter}&token_id={}", owned[0].token_id)).await;
    assert_eq!((total(&one), told(&one["tokens"][0])), (1, seen(owned[0])));
    for nothing in [
        format!("{TOKENS}/by_account/0x123456?"),
        format!("{TOKENS}/by_account/{}?token_id=none&", owner.hex()),
        format!("{TOKENS}/by_account/{}?collection_addr=0x12&", owner.hex()),
        format!("{TOKENS}/by_collection/0x12?"),
    ] {
        let text = server.get(&nothing).await.text;
        assert_eq!(text, "{\"tokens\":[],\"pagination\":{\"previous_key\":null,\"next_key\":null,\"total\":\"0\"}}");
    }
    let text = server.get(&format!("{COLLECTIONS}/by_account/0x123456")).await.text;
    assert_eq!(text, "{\"collections\":[],\"pagination\":{\"previous_key\":null,\"next_key\":null,\"total\":\"0\"}}");
}

/// The lists of tokens, their order as a key, and whether the key is the token's id.
fn token_lists(nfts: &[OwnedNft]) -> [String; 4] {
    let (owner, collection) = (collector(nfts).hex(), nfts[0].collection.hex());
    [
        format!("{TOKENS}/by_account/{owner}?"),
        format!("{TOKENS}/by_account/{owner}?order_by=height&"),
        format!("{TOKENS}/by_collection/{collection}?"),
        format!("{TOKENS}/by_collection/{collection}?order_by=HEIGHT&"),
    ]
}

#[rstest]
#[case(Mode::Specified)]
#[case(Mode::Quirks)]
#[tokio::test]
async fn token_lists_are_ordered_by_text_or_height_and_walked_in_both_directions(#[case] mode: Mode) {
    let server = server(mode, 30, 60);
    for list in token_lists(&ledger(90).nfts()) {
        let place = |row: &Value| {
            let (_, id, .., height) = told(row);
            if list.to_lowercase().contains("order_by=height") { (height, id, 0) } else { (0, id, height) }
        };
        let all = walk(&server, &format!("{list}pagination.reverse=false&"), "tokens", 1000).await;
        assert!(all.len() > 20, "{list}");
        assert!(all.iter().map(place).is_sorted(), "{list}");
        for limit in [3, 50, all.len()] {
            let up = walk(&server, &format!("{list}pagination.reverse=false&"), "tokens", limit).await;
            assert_eq!(up, all, "{list}");
            let down = walk(&server, &list, "tokens", limit).await;
            assert!(down.iter().rev().map(place).eq(all.iter().map(place)), "{list}");
            assert_eq!(down.iter().map(told).collect::<BTreeSet<_>>(), all.iter().map(told).collect());
        }
    }
}

#[tokio::test]
async fn the_specified_lists_of_nfts_are_walked_back_to_the_first_page() {
    let server = server(Mode::Specified, 30, 60);
    let mut lists: Vec<(String, &str)> =
        token_lists(&ledger(90).nfts()).into_iter().map(|list| (list, "tokens")).collect();
    lists.push((format!("{COLLECTIONS}?"), "collections"));
    for (list, rows) in lists {
        for reverse in [true, false] {
            let list = format!("{list}pagination.limit=5&pagination.reverse={reverse}");
            let forth = pages(&server, &list, rows, "next_key", None).await;
            let ending = server.json(&format!("{list}&pagination.offset={}", (forth.len() - 1) * 5)).await;
            assert_eq!(ending[rows].as_array(), forth.last());
            let start = ending["pagination"]["previous_key"].as_str().unwrap().to_owned();
            let mut back = pages(&server, &list, rows, "previous_key", Some(start)).await;
            back.reverse();
            assert_eq!(back, forth[..forth.len() - 1], "{list}");
            let beyond = server.json(&format!("{list}&pagination.offset=5000")).await;
            assert_eq!((&beyond[rows], &beyond["pagination"]["next_key"]), (&json!([]), &json!(null)));
            let start = beyond["pagination"]["previous_key"].as_str().unwrap().to_owned();
            let back = pages(&server, &list, rows, "previous_key", Some(start)).await.concat();
            assert_eq!(back.len(), forth.concat().len(), "{list}");
        }
    }
}

#[rstest]
#[case(Mode::Specified)]
#[case(Mode::Quirks)]
#[tokio::test]
async fn tokens_that_move_during_a_walk_appear_once_where_they_stay_in_the_list(#[case] mode: Mode) {
    let server = server(mode, 30, 0);
    let collection = ledger(30).nfts()[0].collection.hex();
    let before: BTreeSet<String> = ledger(30)
        .nfts()
        .into_iter()
        .filter(|nft| nft.collection.hex() == collection)
        .map(|nft| nft.token_id)
        .collect();
    let (mut seen, mut key) = (Vec::new(), String::new());
    loop {
        let page = server
            .json(&format!("{TOKENS}/by_collection/{collection}?pagination.limit=60&pagination.reverse=false{key}"))
            .await;
        seen.extend(ids(page["tokens"].as_array().unwrap()).into_iter().map(ToOwned::to_owned));
        let Some(next) = page["pagination"]["next_key"].as_str() else { break };
        key = format!("&pagination.key={}", super::client::escape(next));
        server.rollup.step(4).unwrap();
    }
    let once: BTreeSet<String> = seen.iter().cloned().collect();
    if mode == Mode::Specified {
        assert_eq!(once.len(), seen.len(), "by place nothing comes twice");
        let gone = before.difference(&once).count();
        assert!(gone < 20, "only burned tokens may be missing: {gone}");
    }
    assert!(once.len() > 300);
}

#[rstest]
#[case(Vm::Evm, Mode::Specified)]
#[case(Vm::Evm, Mode::Quirks)]
#[case(Vm::Wasm, Mode::Specified)]
#[tokio::test]
async fn transactions_of_a_token_are_those_whose_events_name_it(#[case] vm: Vm, #[case] mode: Mode) {
    let server = server_on(vm, mode, 60, 60);
    let ledger = ledger_on(vm, 120);
    let mut expected: BTreeMap<(Address, String), Vec<String>> = BTreeMap::new();
    for block in (1..=120).filter_map(Height::new).filter_map(|height| ledger.block(height)) {
        for tx in &block.txs {
            for nft in nfts_of(tx) {
                expected.entry(nft).or_default().push(tx.hash.to_string());
            }
        }
    }
    let mut checked = 0;
    for ((collection, token_id), mut hashes) in expected {
        let path = format!("/indexer/nft/v1/txs/{}/{token_id}", collection.hex());
        let page = server.json(&path).await;
        let told: Vec<&str> = page["txs"].as_array().unwrap().iter().map(|tx| tx["txhash"].as_str().unwrap()).collect();
        if ledger.nft(&collection, &token_id).is_none() {
            assert_eq!((told.len(), total(&page)), (0, 0), "burned tokens have no list");
            continue;
        }
        assert_eq!(total(&page), i64::try_from(hashes.len()).unwrap());
        hashes.reverse();
        assert_eq!(told, hashes, "{path}");
        checked += 1;
        let up = server.json(&format!("{path}?pagination.reverse=false&pagination.limit=1&msgs=ignored")).await;
        assert_eq!(up["txs"][0]["txhash"].as_str(), hashes.last().map(String::as_str));
    }
    assert!(checked > 10, "{checked}");
    let unknown = server.get(&format!("/indexer/nft/v1/txs/{}/nope", ledger.nfts()[0].collection.hex())).await.text;
    assert_eq!(unknown, "{\"txs\":[],\"pagination\":{\"previous_key\":null,\"next_key\":null,\"total\":\"0\"}}");
}

#[tokio::test]
async fn transactions_of_a_token_object_are_those_that_touch_it() {
    let server = server_on(Vm::Move, Mode::Specified, 60, 60);
    let nfts = ledger_on(Vm::Move, 120).nfts();
    let moved: Vec<&OwnedNft> = nfts.iter().filter(|nft| nft.moved.get() > 1).collect();
    assert!(moved.len() > 5);
    for nft in moved {
        let object = nft.object.expect("a token of Move is an object").hex();
        let txs = server.json(&format!("/indexer/nft/v1/txs/{}/{}", nft.collection.hex(), nft.token_id)).await;
        assert!(total(&txs) > 0);
        assert_eq!(txs, server.json(&format!("/indexer/tx/v1/txs/by_account/{object}")).await);
    }
}

#[rstest]
#[case("/indexer/nft/v1/collections/zz", 400, "encoding/hex: invalid byte: U+007A 'z'")]
#[case("/indexer/nft/v1/collections/0x12", 404, "nft collection not found")]
#[case("/indexer/nft/v1/collections/by_name", 400, "encoding/hex: invalid byte: U+0079 'y'")]
#[case("/indexer/nft/v1/tokens/by_collection/0xg1", 400, "encoding/hex: invalid byte: U+0067 'g'")]
#[case("/indexer/nft/v1/txs/zz/1", 400, "encoding/hex: invalid byte: U+007A 'z'")]
#[case(
    "/indexer/nft/v1/tokens/by_account/0x1?order_by=foo",
    400,
    "invalid order_by value 'foo', must be one of: token_id, height"
)]
#[case("/indexer/nft/v1/tokens/by_account/0x1?collection_addr=zz", 400, "encoding/hex: invalid byte: U+007A 'z'")]
#[case(
    "/indexer/nft/v1/tokens/by_account/zz",
    400,
    "[INVALID_VALUE] invalid value for account: zz (invalid address format)"
)]
#[case("/indexer/nft/v1/collections?pagination.limit=0", 400, "pagination.limit must be between 1 and 1000")]
#[case("/indexer/nft/v1/tokens", 404, "Cannot GET /indexer/nft/v1/tokens")]
#[case("/indexer/nft/v1/txs/0x1", 404, "Cannot GET /indexer/nft/v1/txs/0x1")]
#[case("/indexer/richlist/v1/ibc/ABC", 404, "Cannot GET /indexer/richlist/v1/ibc/ABC")]
#[tokio::test]
async fn nft_refusals_are_the_real_servers_sentences(#[case] path: &str, #[case] status: u16, #[case] sentence: &str) {
    for mode in [Mode::Specified, Mode::Quirks] {
        assert_eq!(Server::start(mode, 5).get(path).await.refusal(), (status, sentence), "{mode:?}");
    }
}

#[tokio::test]
async fn real_keys_of_nft_lists_are_numbers_and_totals_estimates() {
    let server = server(Mode::Quirks, 30, 60);
    let page = server.json(&format!("{COLLECTIONS}?pagination.limit=3&pagination.offset=2")).await;
    assert_eq!(total(&page), -1);
    assert_eq!(decoded(&page["pagination"]["next_key"]).as_deref(), Some("5"));
    assert_eq!(page["pagination"]["previous_key"], json!(null));
    let page = server.json(&format!("{COLLECTIONS}?pagination.limit=2&{}", key("4"))).await;
    assert_eq!(decoded(&page["pagination"]["previous_key"]).as_deref(), Some("2"));
    let none = server.json(&format!("{COLLECTIONS}?pagination.count_total=false")).await;
    assert_eq!(total(&none), 0);
    // A height skips every collection of that height.
    let page = server.json(&format!("{COLLECTIONS}?pagination.limit=1&{}", key("{\"height\":2}"))).await;
    assert_eq!(
        (page["collections"][0]["height"].as_u64(), page["pagination"]["previous_key"].is_null()),
        (Some(1), true)
    );
    assert_eq!(decoded(&page["pagination"]["next_key"]).as_deref(), Some("{\"height\":1}"));
    let collection = page["collections"][0]["object_addr"].as_str().unwrap().to_owned();
    let list = format!("{TOKENS}/by_collection/{collection}?pagination.limit=2&pagination.reverse=false");
    let page = server.json(&format!("{list}&{}", key("{\"height\":1,\"token_id\":\"100\"}"))).await;
    assert_eq!(ids(page["tokens"].as_array().unwrap()), ["101", "102"]);
    let next = decoded(&page["pagination"]["next_key"]).unwrap();
    assert!(next.starts_with("{\"height\":") && next.ends_with(",\"token_id\":\"102\"}"), "{next}");
    let ignored = server.json(&format!("{list}&{}", key("{\"height\":\"1\",\"token_id\":\"100\"}"))).await;
    assert_eq!(ids(ignored["tokens"].as_array().unwrap())[0], "1");
    let path = format!("{COLLECTIONS}/by_account/0x1?{}", key("{\"height\":\"9\"}"));
    assert_eq!(server.get(&path).await.refusal(), (500, "Internal Server Error"));
}

#[tokio::test]
async fn a_file_keeps_nfts_and_holders_over_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let data = Some(folder.path().join("rollup.sqlite"));
    let with_file = || rollscope::demo::RollupOptions { data: data.clone(), ..crate::harness::chain_of(40) };
    let collection = ledger(1).nfts()[0].collection.hex();
    let lists = [
        format!("{TOKENS}/by_collection/{collection}?pagination.limit=1000"),
        format!("{COLLECTIONS}?"),
        format!("/indexer/richlist/v1/{}?pagination.limit=1000", fee_denom().replace('/', "%2F")),
    ];
    let mut before = Vec::new();
    {
        let server = super::state::started(with_file(), 30);
        for list in &lists {
            let answer = server.get(list).await;
            assert_eq!(answer.status, 200, "{list}");
            before.push(answer.text);
        }
    }
    let server = super::state::started(with_file(), 0);
    for (list, before) in lists.iter().zip(&before) {
        assert_eq!(server.get(list).await.text, *before);
    }
    server.rollup.step(30).unwrap();
    let rows = walk(&server, &format!("{TOKENS}/by_collection/{collection}?"), "tokens", 1000).await;
    let told: BTreeSet<_> = rows.iter().map(told).collect();
    assert_eq!(told, ledger(100).nfts().iter().filter(|nft| nft.collection.hex() == collection).map(seen).collect());
}
