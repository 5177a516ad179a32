use rollscope::{
    domain::{Address, Height, MsgType},
    msg::{Note, Total, TxQuery, TxScope},
    wire::ErrorKind,
};

use super::{after, client_of, newest, txs_json};
use crate::harness::replay::{Answer, Replay, Seen};

fn of_account(kinds: &[&str]) -> TxQuery {
    let address = Address::from_bytes(&[7; 20]).expect("20 bytes are an address");
    TxQuery { scope: TxScope::Account { address, signer_only: false }, msgs: types(kinds) }
}

fn types(kinds: &[&str]) -> Vec<MsgType> {
    kinds.iter().map(|kind| MsgType::new(kind)).collect()
}

/// The real server: filters nowhere it was not asked to, fails where it always fails.
fn quirky(seen: &Seen) -> Answer {
    let has_filter = seen.target.contains("msgs=");
    let after_key = seen.target.contains("pagination.key=");
    if has_filter && (seen.target.contains("by_account") || (seen.target.contains("by_height") && after_key)) {
        return Answer::text(500, "Internal Server Error");
    }
    Answer::json(txs_json(&[&["a.Send"], &["a.Call"], &["a.Call", "a.Send"]], Some("next"), 3))
}

#[tokio::test]
async fn unknown_types_are_filtered_here_and_said() {
    let server = Replay::recorded().await;
    let query = TxQuery { scope: TxScope::All, msgs: types(&["unknown.Msg"]) };
    let page = client_of(&server).list(&query, &newest(2)).await.unwrap();
    assert!(page.items.is_empty());
    assert_eq!(page.notes, [Note::FilterIgnoredByServer { scanned: 2 }]);
    assert_eq!(page.total, Total::Unknown);
    assert!(page.next.is_some(), "matching rows may still follow");
}

#[tokio::test]
async fn a_filter_that_the_server_kept_is_left_alone() {
    let server = Replay::always(Answer::json(txs_json(&[&["a.Send"], &["a.Call", "a.Send"]], None, 2))).await;
    let query = TxQuery { scope: TxScope::All, msgs: types(&["a.Send", "a.Other"]) };
    let page = client_of(&server).list(&query, &newest(5)).await.unwrap();
    assert_eq!((page.items.len(), page.total, page.notes), (2, Total::Exact(2), vec![]));
    assert_eq!(server.seen()[0].target, "/indexer/tx/v1/txs?pagination.limit=5&msgs=a.Send&msgs=a.Other");
}

#[tokio::test]
async fn an_account_is_filtered_here_and_the_500_is_provoked_once() {
    let server = Replay::scripted(|seen, _| quirky(seen)).await;
    let client = client_of(&server);
    for _ in 0..2 {
        let page = client.clone().list(&of_account(&["a.Send"]), &newest(3)).await.unwrap();
        let heights: Vec<u64> = page.items.iter().map(|tx| tx.height.get()).collect();
        assert_eq!(heights, [1, 3]);
        assert_eq!(page.notes, [Note::FilteredHere { scanned: 3 }]);
        assert_eq!((page.total, page.next.is_some()), (Total::Unknown, true));
    }
    let filtered = server.seen().iter().filter(|seen| seen.target.contains("msgs=")).count();
    assert_eq!((filtered, server.seen().len()), (1, 3), "one failure, not retried, then two lists");
    assert!(server.seen()[1].target.contains("count_total=false"));
}

#[tokio::test]
async fn a_server_that_can_filter_accounts_is_let_do_it() {
    let server = Replay::always(Answer::json(txs_json(&[&["a.Send"]], None, 1))).await;
    let page = client_of(&server).list(&of_account(&["a.Send"]), &newest(5)).await.unwrap();
    assert_eq!((page.total, page.notes), (Total::Exact(1), vec![]));
    assert_eq!(server.seen().len(), 1);
}

#[tokio::test]
async fn a_block_is_filtered_here_only_after_a_key() {
    let server = Replay::scripted(|seen, _| quirky(seen)).await;
    let client = client_of(&server);
    let query = TxQuery { scope: TxScope::Height(Height::FIRST), msgs: types(&["a.Send", "a.Call"]) };
    let first = client.list(&query, &newest(3)).await.unwrap();
    assert_eq!(first.notes, []);
    for _ in 0..2 {
        let second = client.list(&query, &after("key", 3)).await.unwrap();
        assert_eq!(second.notes, [Note::FilteredHere { scanned: 3 }]);
    }
    assert_eq!(client.list(&query, &newest(3)).await.unwrap().notes, []);
    let targets: Vec<bool> = server.seen().iter().map(|seen| seen.target.contains("msgs=")).collect();
    assert_eq!(targets, [true, true, false, false, true]);
}

#[tokio::test]
async fn a_server_that_fails_altogether_is_not_taken_for_one_that_cannot_filter() {
    let server = Replay::scripted(|_, number| match number {
        0..4 => Answer::text(500, "Internal Server Error"),
        _ => Answer::json(txs_json(&[&["a.Send"]], None, 1)),
    })
    .await;
    let client = client_of(&server);
    let error = client.list(&of_account(&["a.Send"]), &newest(5)).await.unwrap_err();
    assert!(matches!(error.kind, ErrorKind::Server { status: 500, .. }), "{error:?}");
    assert_eq!(server.seen().len(), 4, "once with the filter, three times without");
    let page = client.list(&of_account(&["a.Send"]), &newest(5)).await.unwrap();
    assert_eq!(page.notes, []);
    assert!(server.seen()[4].target.contains("msgs="));
}
