use rstest::rstest;
use serde_json::Value;

use super::{
    chain::{self, CALL, SEND, accounts, message_types, txs_until},
    client::{Mode, Server, escape, heights, sequences},
};

/// Follows one of the keys from page to page until there is none, or an empty page.
async fn walk(
    server: &Server,
    list: &str,
    which: &str,
    start: Option<String>,
    read: fn(&Value) -> Vec<u64>,
) -> Vec<Vec<u64>> {
    let (mut pages, mut key) = (Vec::new(), start);
    loop {
        let cursor = key.map_or(String::new(), |key| format!("&pagination.key={}", escape(&key)));
        let page = server.json(&format!("{list}{cursor}")).await;
        let rows = read(&page);
        if rows.is_empty() {
            return pages;
        }
        pages.push(rows);
        assert!(pages.len() < 200, "the walk never ends");
        match page["pagination"][which].as_str() {
            Some(next) => key = Some(next.to_owned()),
            None => return pages,
        }
    }
}

#[rstest]
#[case(Mode::Specified)]
#[case(Mode::Quirks)]
#[tokio::test]
async fn every_list_is_walked_without_gap_or_duplicate(#[case] mode: Mode) {
    let server = Server::start(mode, 60);
    let txs: Vec<u64> = (1..=txs_until(60)).collect();
    let busy = chain::account(6);
    for (limit, reverse) in [(1, true), (7, true), (7, false), (10, false), (84, true), (1000, true)] {
        let query = format!("pagination.limit={limit}&pagination.reverse={reverse}");
        let check = async |list: &str, read: fn(&Value) -> Vec<u64>, mut expected: Vec<u64>| {
            if reverse {
                expected.reverse();
            }
            let pages = walk(&server, &format!("{list}{query}"), "next_key", None, read).await;
            assert_eq!(pages.concat(), expected, "{list} {query}");
            let full = pages.iter().rev().skip(1).all(|page| page.len() == limit);
            assert!(full, "only the last page may be short: {list} {query}");
        };
        check("/indexer/block/v1/blocks?", heights, (1..=60).collect()).await;
        check("/indexer/tx/v1/txs?", sequences, txs.clone()).await;
        let touching = txs.iter().copied().filter(|s| accounts(*s).contains(&busy)).collect();
        check(&format!("/indexer/tx/v1/txs/by_account/{busy}?"), sequences, touching).await;
        let calls = txs.iter().copied().filter(|s| message_types(*s).contains(&CALL)).collect();
        check(&format!("/indexer/tx/v1/txs?msgs={CALL}&"), sequences, calls).await;
        check(&format!("/indexer/tx/v1/txs?msgs={CALL}&msgs={SEND}&"), sequences, txs.clone()).await;
        check("/indexer/tx/v1/txs/by_height/3?", sequences, (4..=7).collect()).await;
    }
}

#[tokio::test]
async fn the_specified_lists_are_walked_back_to_the_first_page() {
    let server = Server::start(Mode::Specified, 60);
    for reverse in [true, false] {
        for (list, read) in [
            ("/indexer/block/v1/blocks?".to_owned(), heights as fn(&Value) -> Vec<u64>),
            ("/indexer/tx/v1/txs?".to_owned(), sequences),
            (format!("/indexer/tx/v1/txs?msgs={CALL}&"), sequences),
            (format!("/indexer/tx/v1/txs/by_account/{}?", chain::account(6)), sequences),
        ] {
            let list = format!("{list}pagination.limit=7&pagination.reverse={reverse}");
            let forth = walk(&server, &list, "next_key", None, read).await;
            let ending = server.json(&format!("{list}&pagination.offset={}", (forth.len() - 1) * 7)).await;
            assert_eq!(Some(&read(&ending)), forth.last());
            let start = ending["pagination"]["previous_key"].as_str().unwrap().to_owned();
            let mut back = walk(&server, &list, "previous_key", Some(start), read).await;
            back.reverse();
            assert_eq!(back, forth[..forth.len() - 1], "{list}");
        }
    }
}

#[rstest]
#[case(Mode::Specified)]
#[case(Mode::Quirks)]
#[tokio::test]
async fn blocks_that_come_during_a_walk_do_not_disturb_it(#[case] mode: Mode) {
    let server = Server::start(mode, 40);
    let (mut seen, mut key) = (Vec::new(), String::new());
    for _ in 0..40 {
        let page = server.json(&format!("/indexer/tx/v1/txs?pagination.limit=9{key}")).await;
        seen.extend(sequences(&page));
        let Some(next) = page["pagination"]["next_key"].as_str() else { break };
        key = format!("&pagination.key={}", escape(next));
        server.rollup.step(3).unwrap();
    }
    assert_eq!(seen, (1..=txs_until(40)).rev().collect::<Vec<_>>());
}

#[tokio::test]
async fn walking_back_after_new_blocks_shows_them_once() {
    let server = Server::start(Mode::Specified, 40);
    let list = "/indexer/block/v1/blocks?pagination.limit=10";
    let second = server.json(&format!("{list}&pagination.offset=10")).await;
    assert_eq!(heights(&second).first(), Some(&30));
    server.rollup.step(5).unwrap();
    let third = server
        .json(&format!("{list}&pagination.key={}", escape(second["pagination"]["next_key"].as_str().unwrap())))
        .await;
    let start = third["pagination"]["previous_key"].as_str().unwrap().to_owned();
    let back = walk(&server, list, "previous_key", Some(start), heights).await;
    let lengths: Vec<usize> = back.iter().map(Vec::len).collect();
    assert_eq!(lengths, [10, 10, 5]);
    let mut all = back.concat();
    all.sort_unstable();
    assert_eq!(all, (21..=45).collect::<Vec<_>>());
}
