use std::collections::BTreeMap;

use rollscope::{
    demo::RollupOptions,
    domain::{Address, Balance, Denom, Vm},
    wire::Holder,
};
use rstest::rstest;
use serde_json::{Value, json};

use super::{
    client::{Mode, decoded, key, total},
    state::{fee_denom, ledger, ledger_on, pages, server, server_on, started, walk},
};
use crate::harness::chain_of;

fn path(denom: &str) -> String {
    format!("/indexer/richlist/v1/{}", denom.replace('/', "%2F"))
}

fn holders(rows: &[Value]) -> Vec<(Address, Balance)> {
    rows.iter()
        .map(|row| {
            let holder: Holder = serde_json::from_value(row.clone()).expect("a holder");
            (holder.account.parse().expect("an address"), holder.amount)
        })
        .collect()
}

#[rstest]
#[case(Vm::Evm, Mode::Specified, 300, 1)]
#[case(Vm::Evm, Mode::Quirks, 120, 5)]
#[case(Vm::Move, Mode::Specified, 200, 1)]
#[case(Vm::Move, Mode::Quirks, 120, 5)]
#[case(Vm::Wasm, Mode::Specified, 200, 1)]
#[tokio::test]
async fn the_rich_list_of_every_denom_equals_the_ledger(
    #[case] vm: Vm,
    #[case] mode: Mode,
    #[case] height: u64,
    #[case] lag: u64,
) {
    let server = server_on(vm, mode, 50, height - 50);
    let status = server.json("/status").await;
    assert_eq!((&status["height"], &status["rich_list_height"]), (&json!(height), &json!(height - lag)));
    let ledger = ledger_on(vm, height - lag);
    for token in ledger.tokens() {
        let rows = walk(&server, &format!("{}?", path(token.denom.as_str())), "holders", 1000).await;
        let told = holders(&rows);
        assert!(told.is_sorted_by(|a, b| a.1 >= b.1), "{}", token.denom);
        let form = if vm == Vm::Evm { "0x" } else { "init1" };
        assert!(rows.iter().all(|row| row["account"].as_str().is_some_and(|account| account.starts_with(form))));
        let page = server.json(&format!("{}?pagination.limit=1", path(token.denom.as_str()))).await;
        assert_eq!(total(&page), i64::try_from(told.len()).unwrap());
        // Whoever has nothing left stays in the list.
        let told: BTreeMap<_, _> = told.into_iter().filter(|(_, amount)| *amount != Balance::default()).collect();
        let expected: BTreeMap<_, _> =
            ledger.holders(&token.denom).into_iter().map(|(who, amount)| (who, Balance::from(amount))).collect();
        assert_eq!(told, expected, "{}", token.denom);
        let by_denom = server.get(&path(token.denom.as_str())).await.text;
        assert_eq!(by_denom, server.get(&path(&token.denom.as_str().to_uppercase())).await.text);
        if let Some(contract) = token.contract {
            assert_eq!(by_denom, server.get(&path(&contract.hex())).await.text);
            assert_eq!(by_denom, server.get(&path(&contract.hex().to_uppercase().replace("0X", "0x"))).await.text);
        }
        if let Some(metadata) = token.metadata {
            let written = metadata.hex().replacen("0x", "move/", 1);
            assert_eq!(by_denom, server.get(&path(&written)).await.text);
        }
    }
}

#[rstest]
#[case(Mode::Specified)]
#[case(Mode::Quirks)]
#[tokio::test]
async fn holders_are_walked_without_gap_or_duplicate(#[case] mode: Mode) {
    let server = server(mode, 30, 10);
    for reverse in [true, false] {
        let list = format!("{}?pagination.reverse={reverse}&", path(&fee_denom()));
        let all = walk(&server, &list, "holders", 1000).await;
        assert!(all.len() > 200);
        assert!(holders(&all).is_sorted_by(|a, b| if reverse { a.1 >= b.1 } else { a.1 <= b.1 }));
        assert_eq!(walk(&server, &list, "holders", 33).await, all);
    }
}

#[tokio::test]
async fn specified_holders_are_walked_back_and_while_amounts_change() {
    let server = server(Mode::Specified, 30, 10);
    let list = format!("{}?pagination.limit=40", path(&fee_denom()));
    let forth = pages(&server, &list, "holders", "next_key", None).await;
    let ending = server.json(&format!("{list}&pagination.offset={}", (forth.len() - 1) * 40)).await;
    assert_eq!(ending["holders"].as_array(), forth.last());
    let start = ending["pagination"]["previous_key"].as_str().unwrap().to_owned();
    let mut back = pages(&server, &list, "holders", "previous_key", Some(start)).await;
    back.reverse();
    assert_eq!(back, forth[..forth.len() - 1]);
    // A place is an amount: what changes meanwhile changes only its own row.
    let second = server.json(&list).await["pagination"]["next_key"].as_str().unwrap().to_owned();
    server.rollup.step(20).unwrap();
    let rest = pages(&server, &list, "holders", "next_key", Some(second)).await.concat();
    let least = holders(&forth[0]).last().unwrap().1;
    assert!(holders(&rest).iter().all(|(_, amount)| *amount <= least));
}

#[rstest]
#[case(Mode::Specified)]
#[case(Mode::Quirks)]
#[tokio::test]
async fn unknown_tokens_are_answered_as_each_server_answers(#[case] mode: Mode) {
    let server = server(mode, 10, 0);
    let empty = "{\"holders\":[],\"pagination\":{\"previous_key\":null,\"next_key\":null,\"total\":\"0\"}}";
    for contract in ["0x00000000000000000000000000000000000000aa", "0x12", "0xzz"] {
        assert_eq!(server.get(&path(contract)).await.text, empty, "{contract}");
    }
    let answer = server.get(&path("nope")).await;
    let (status, sentence) = answer.refusal();
    assert_eq!(status, if mode == Mode::Quirks { 400 } else { 404 });
    if mode == Mode::Specified {
        return assert_eq!(sentence, "[NOT_FOUND] the index knows no token nope", "no request was made");
    }
    assert!(sentence.starts_with("exhausted all endpoints: [NETWORK_ERROR] network request to "), "{sentence}");
    assert!(sentence.contains("by_denom?denom=nope failed: HTTP 404"), "{sentence}");
}

#[rstest]
#[case(Mode::Specified)]
#[case(Mode::Quirks)]
#[tokio::test]
async fn other_machines_have_no_unknown_denoms(#[case] mode: Mode) {
    let server = server_on(Vm::Move, mode, 10, 0);
    let empty = "{\"holders\":[],\"pagination\":{\"previous_key\":null,\"next_key\":null,\"total\":\"0\"}}";
    for denom in ["nope", "0x12", "move/12", &format!("move/{}", "ab".repeat(32))] {
        assert_eq!(server.get(&path(denom)).await.text, empty, "{denom}");
    }
}

#[rstest]
#[case(Mode::Specified)]
#[case(Mode::Quirks)]
#[tokio::test]
async fn an_offset_from_either_end_gives_the_same_rows(#[case] mode: Mode) {
    let server = server(mode, 10, 0);
    for reverse in [true, false] {
        let list = format!("{}?pagination.reverse={reverse}", path(&fee_denom()));
        let all = server.json(&format!("{list}&pagination.limit=1000")).await["holders"].clone();
        let all = all.as_array().unwrap();
        for offset in [0, 1, all.len() / 2 - 1, all.len() / 2 + 1, all.len() - 12, all.len() - 1, all.len(), 5_000] {
            let page = server.json(&format!("{list}&pagination.limit=10&pagination.offset={offset}")).await;
            let expected: Vec<Value> = all.iter().skip(offset).take(10).cloned().collect();
            assert_eq!(page["holders"].as_array(), Some(&expected), "{offset} of {}", all.len());
            let more = if mode == Mode::Quirks { expected.len() == 10 } else { offset + 10 < all.len() };
            assert_eq!(page["pagination"]["next_key"].is_string(), more, "{offset}");
        }
    }
}

#[tokio::test]
async fn only_the_real_servers_escape_is_read_in_a_denom() {
    let tokens = ledger(1).tokens();
    let voucher = tokens.iter().find(|token| token.denom.as_str().starts_with("ibc/")).unwrap().denom.to_string();
    let (specified, quirks) = (server(Mode::Specified, 10, 0), server(Mode::Quirks, 10, 0));
    let lower = format!("/indexer/richlist/v1/{}", voucher.replace('/', "%2f"));
    assert_eq!((specified.get(&lower).await.status, quirks.get(&lower).await.status), (200, 400));
    for server in [&specified, &quirks] {
        assert_eq!(server.get(&path(&voucher)).await.status, 200);
        assert_eq!(server.get(&path(&voucher.to_lowercase())).await.status, 200);
    }
}

#[tokio::test]
async fn real_keys_of_holders_are_numbers_only() {
    let server = server(Mode::Quirks, 10, 0);
    let list = format!("{}?pagination.limit=10", path(&fee_denom()));
    let first = server.json(&list).await;
    assert_eq!(decoded(&first["pagination"]["next_key"]).as_deref(), Some("10"));
    for ignored in ["{\"height\":3}", "{\"sequence\":9}", "{\"amount\":\"5\"}"] {
        assert_eq!(server.json(&format!("{list}&{}", key(ignored))).await["holders"], first["holders"], "{ignored}");
    }
    let uncounted = server.json(&format!("{list}&pagination.count_total=false")).await;
    assert_eq!(total(&uncounted), 0);
}

#[rstest]
#[case(Mode::Specified)]
#[case(Mode::Quirks)]
#[tokio::test]
async fn without_a_rich_list_everything_is_empty_and_the_status_is_silent(#[case] mode: Mode) {
    let options = RollupOptions { quirks: mode == Mode::Quirks, no_rich_list: true, ..chain_of(10) };
    let server = started(options, 5);
    assert!(server.json("/status").await.get("rich_list_height").is_none());
    for denom in [fee_denom().as_str(), "nope", "0x12"] {
        let page = server.json(&path(denom)).await;
        assert_eq!((&page["holders"], total(&page)), (&json!([]), 0), "{denom}");
    }
}

#[tokio::test]
async fn a_list_that_was_left_alone_is_made_anew() {
    let folder = tempfile::tempdir().unwrap();
    let data = Some(folder.path().join("rollup.sqlite"));
    let with = |no_rich_list| RollupOptions { data: data.clone(), no_rich_list, ..chain_of(20) };
    drop(started(with(false), 0));
    drop(started(with(true), 10));
    let server = started(with(false), 5);
    assert_eq!(server.json("/status").await["rich_list_height"], json!(34));
    let rows = walk(&server, &format!("{}?", path(&fee_denom())), "holders", 1000).await;
    let expected = ledger(34).holders(&Denom::new(fee_denom()));
    assert_eq!(holders(&rows).into_iter().filter(|(_, amount)| *amount != Balance::default()).count(), expected.len());
}
