//! Collections by name, whatever the server makes of the name.

use rollscope::msg::{CollectionScope, Note, Order, PageRequest, PageStart, Total};
use serde_json::{Value, json};

use super::{after, client_of, newest};
use crate::harness::replay::{Answer, Replay, Seen};

fn collection(number: usize, name: &str, origin: &str) -> Value {
    json!({
        "object_addr": format!("0x{number:040x}"),
        "collection": {"creator": "", "name": name, "origin_name": origin, "nfts": {"handle": "", "length": 1}},
        "height": 1 + number,
        "timestamp": "2026-01-31T12:00:00Z",
    })
}

fn answer(rows: &[Value], next_key: Option<&str>, total: usize) -> Answer {
    let pagination = json!({"previous_key": null, "next_key": next_key, "total": total.to_string()});
    Answer::json(json!({"collections": rows, "pagination": pagination}).to_string())
}

/// A server that finds nothing by name, and has these collections on two pages, one of them on both.
fn forgetful(seen: &Seen) -> Answer {
    let all = [
        collection(1, "Foo Bar #1", ""),
        collection(2, "naïve", ""),
        collection(3, "other", "Über-FOO bar"),
        collection(4, "---", ""),
        collection(5, "foobar", ""),
    ];
    match seen.target.as_str() {
        target if target.contains("by_name") => answer(&[], None, 0),
        target => {
            assert!(target.contains("pagination.count_total=false"), "{target}");
            // A page of a thousand would be full: here the server gives what it has.
            let rows: Vec<Value> = all.iter().cycle().take(1000).cloned().collect();
            if target.contains("pagination.key") { answer(&all[..1], None, 0) } else { answer(&rows, Some("NQ=="), 0) }
        }
    }
}

async fn names(name: &str, page: &PageRequest) -> (Vec<String>, Total, Vec<Note>, Option<String>) {
    let server = Replay::scripted(|seen, _| forgetful(seen)).await;
    let found = client_of(&server).list(&CollectionScope::Name(name.into()), page).await;
    let found = found.expect("it is found here");
    let names = found.items.iter().map(|found| found.collection.name.as_received().to_owned()).collect();
    (names, found.total, found.notes, found.next.map(|next| next.0.to_string()))
}

#[tokio::test]
async fn a_name_is_sent_as_every_server_can_read_it() {
    let server = Replay::scripted(|_, _| answer(&[collection(1, "Foo Bar #1", "")], None, 1)).await;
    let client = client_of(&server);
    for name in ["Foo Bar", "foobar", "FOO-bar #1"] {
        let found = client.list(&CollectionScope::Name(name.into()), &newest(5)).await.unwrap();
        assert_eq!((found.items.len(), found.total, found.notes), (1, Total::Exact(1), vec![]));
    }
    let paths: Vec<String> = server.seen().iter().map(|seen| seen.target.replace("?pagination.limit=5", "")).collect();
    let expected = ["foobar", "foobar", "foobar1"].map(|name| format!("/indexer/nft/v1/collections/by_name/{name}"));
    assert_eq!(paths, expected);
}

#[tokio::test]
async fn where_the_server_finds_nothing_all_collections_are_looked_through_here() {
    let note = vec![Note::FilteredHere { scanned: 1001 }];
    for (name, expected) in [
        ("foo bar", vec!["Foo Bar #1", "other", "foobar"]),
        ("NAÏVE", vec!["naïve"]),
        ("über foo", vec!["other"]),
        ("--", vec!["---"]),
        ("nobody", vec![]),
    ] {
        let found = names(name, &newest(5)).await;
        let expected: Vec<String> = expected.into_iter().map(ToOwned::to_owned).collect();
        assert_eq!(found, (expected.clone(), Total::Exact(expected.len() as u64), note.clone(), None), "{name}");
    }
}

#[tokio::test]
async fn what_was_found_here_has_pages_like_those_of_the_server() {
    let (first, total, _, next) = names("foo bar", &newest(2)).await;
    assert_eq!((first.len(), total, next.as_deref()), (2, Total::Exact(3), Some("Mg==")));
    let (second, _, _, next) = names("foo bar", &after("Mg==", 2)).await;
    assert_eq!((second, next), (vec!["foobar".to_owned()], None));
    let skipped = PageRequest { cursor: PageStart::Offset(1), order: Order::Ascending, ..newest(5) };
    assert_eq!(names("foo bar", &skipped).await.0, ["other", "foobar"]);
}

#[tokio::test]
async fn a_search_at_the_server_is_one_request_or_none() {
    let server = Replay::scripted(|seen, _| forgetful(seen)).await;
    let client = client_of(&server);
    for (name, requests) in [("foo bar", 1), ("naïve", 1), ("--", 1)] {
        let found = client.list(&CollectionScope::NameAtServer(name.into()), &newest(5)).await.unwrap();
        assert_eq!((found.items.len(), found.next, found.notes), (0, None, vec![]), "{name}");
        assert_eq!(server.seen().len(), requests, "{name}: what cannot be sent is not");
    }
}

#[tokio::test]
async fn looking_through_ends_after_five_thousand() {
    let server = Replay::scripted(|seen, number| {
        if seen.target.contains("by_name") {
            return answer(&[], None, 0);
        }
        let rows: Vec<Value> = (0..1000).map(|row| collection(1000 * number + row, "x", "")).collect();
        answer(&rows, Some(&number.to_string()), 0)
    })
    .await;
    let found = client_of(&server).list(&CollectionScope::Name("y".into()), &newest(5)).await.unwrap();
    assert_eq!((found.total, found.notes), (Total::Unknown, vec![Note::FilteredHere { scanned: 5000 }]));
    assert_eq!((found.items.len(), found.next), (0, None));
    assert_eq!(server.seen().len(), 6);
}
