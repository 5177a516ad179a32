//! Lists of NFTs in which rows have lost their collection: the real server fails every page that holds one.

use rollscope::{
    msg::{Note, PageRequest, PageStart, TokenOrder, TokenQuery, TokenScope, Total},
    wire::ErrorKind,
};
use serde_json::{Value, json};

use super::{after, client_of, newest};
use crate::harness::replay::{Answer, Replay, Seen};

fn query() -> TokenQuery {
    let address = "0x1".parse().expect("it is an address");
    TokenQuery { scope: TokenScope::Owner { address, collection: None }, token_id: None, order_by: TokenOrder::TokenId }
}

fn parameter(seen: &Seen, name: &str) -> Option<String> {
    let url = reqwest::Url::parse(&format!("http://host{}", seen.target)).expect("a target is one");
    url.query_pairs().find(|(key, _)| key == name).map(|(_, value)| value.into_owned())
}

/// So many tokens, with bad ones among them.
fn answer(seen: &Seen, count: usize, bad: &[usize]) -> Answer {
    let number = |text: &str| text.parse::<usize>().expect("it is a number");
    let key = parameter(seen, "pagination.key").map(|key| {
        let digits = base64::Engine::decode(&base64::prelude::BASE64_STANDARD, key).expect("a key is base64");
        String::from_utf8(digits).expect("a key is text")
    });
    let start = key.or_else(|| parameter(seen, "pagination.offset")).map_or(0, |start| number(&start));
    let limit = parameter(seen, "pagination.limit").map_or(100, |limit| number(&limit));
    let end = (start + limit).min(count);
    if (start..end).any(|row| bad.contains(&row)) {
        return Answer::text(500, "Internal Server Error");
    }
    let rows: Vec<Value> = (start..end)
        .map(|row| {
            json!({"collection_addr": "0x1", "nft": {"token_id": row.to_string()}, "height": 1,
                "timestamp": "2026-01-31T12:00:00Z"})
        })
        .collect();
    let next_key = (rows.len() == limit)
        .then(|| base64::Engine::encode(&base64::prelude::BASE64_STANDARD, (start + limit).to_string()));
    let total = if parameter(seen, "pagination.count_total").is_some() { 0 } else { count };
    let pagination = json!({"previous_key": null, "next_key": next_key, "total": total.to_string()});
    Answer::json(json!({"tokens": rows, "pagination": pagination}).to_string())
}

/// Walks the whole list; returns the rows, how many were left out, and the requests that it took.
async fn walk(count: usize, bad: &'static [usize], limit: u16) -> (Vec<usize>, usize, usize) {
    let server = Replay::scripted(move |seen, _| answer(seen, count, bad)).await;
    let client = client_of(&server);
    let (mut page, mut rows, mut left_out) = (newest(limit), Vec::new(), 0);
    loop {
        let answer = client.list(&query(), &page).await.expect("some rows can be had");
        let number = |id: &str| id.parse::<usize>().expect("ids are numbers here");
        rows.extend(answer.items.iter().map(|token| number(token.nft.token_id.as_received())));
        for note in &answer.notes {
            let Note::LeftOut { rows } = note else { panic!("{note:?}") };
            left_out += rows;
        }
        if page.count_total {
            assert_eq!(answer.total, Total::Exact(count as u64));
        }
        let Some(next) = answer.next else { return (rows, left_out, server.seen().len()) };
        page = after(&next.0, limit);
        assert!(server.seen().len() < 500, "it does not end");
    }
}

#[tokio::test]
async fn bad_rows_are_left_out_and_the_others_come_once() {
    for (count, bad, limit) in [
        (50, &[7, 31][..], 10_u16),
        (50, &[0], 10),
        (50, &[9], 10),
        (50, &[10, 11, 12], 10),
        (50, &[49], 10),
        (55, &[54], 100),
        (200, &[3, 150], 100),
        (20, &[18, 19], 20),
        (3, &[1], 3),
    ] {
        let (rows, left_out, requests) = walk(count, bad, limit).await;
        let expected: Vec<usize> = (0..count).filter(|row| !bad.contains(row)).collect();
        assert_eq!((rows, left_out), (expected, bad.len()), "{count} {bad:?} {limit}");
        assert!(requests < 60, "{requests} for {count} {bad:?} {limit}");
    }
}

#[tokio::test]
async fn rows_of_which_none_can_be_had_are_an_error_after_a_few_requests() {
    let server = Replay::always(Answer::text(500, "Internal Server Error")).await;
    for limit in [1, 100, 1000] {
        let before = server.seen().len();
        let error = client_of(&server).list(&query(), &newest(limit)).await.unwrap_err();
        assert!(matches!(error.kind, ErrorKind::Server { status: 500, .. }), "{error:?}");
        assert!(server.seen().len() - before <= 20, "{}", server.seen().len());
    }
}

#[tokio::test]
async fn a_run_of_bad_rows_ends_the_page_soon_and_it_leads_on() {
    let bad: Vec<usize> = (50..200).collect();
    let server = Replay::scripted(move |seen, _| answer(seen, 300, &bad)).await;
    let page = client_of(&server).list(&query(), &newest(100)).await.unwrap();
    assert_eq!(page.items.len(), 50);
    assert!(page.next.is_some());
    assert!(server.seen().len() <= 20, "{}", server.seen().len());
}

#[tokio::test]
async fn an_offset_at_the_end_of_all_numbers_is_borne() {
    let server = Replay::always(Answer::text(500, "Internal Server Error")).await;
    let page = PageRequest { cursor: PageStart::Offset(u64::MAX), ..newest(100) };
    assert!(client_of(&server).list(&query(), &page).await.is_err());
}

#[tokio::test]
async fn a_key_that_is_no_offset_is_not_guessed_at() {
    let server = Replay::always(Answer::text(500, "Internal Server Error")).await;
    assert!(client_of(&server).list(&query(), &after("eyJoZWlnaHQiOjl9", 10)).await.is_err());
    assert_eq!(server.seen().len(), 1);
}

#[tokio::test]
async fn a_page_with_many_bad_rows_goes_on_behind_those_that_were_found() {
    // Every third row is bad: more than one answer can isolate, so the page is shorter and leads on.
    let bad: Vec<usize> = (0..300).filter(|row| row % 3 == 1).collect();
    let server = Replay::scripted(move |seen, _| answer(seen, 300, &bad)).await;
    let client = client_of(&server);
    let page = client.list(&query(), &PageRequest { cursor: PageStart::Offset(0), ..newest(200) }).await.unwrap();
    let next = page.next.clone().unwrap();
    let last: usize = page.items.last().unwrap().nft.token_id.as_received().parse().unwrap();
    let (rows, left_out) = (page.items.len(), page.notes.clone());
    let next = base64::Engine::decode(&base64::prelude::BASE64_STANDARD, next.0.as_bytes()).unwrap();
    let next: usize = String::from_utf8(next).unwrap().parse().unwrap();
    assert!(last < next && next <= last + 3, "{last} {next}");
    assert_eq!(left_out, [Note::LeftOut { rows: next - rows }]);
}
