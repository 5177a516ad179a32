use std::{net::TcpListener, sync::Arc, time::Duration};

use rollscope::{
    client::{BlocksQuery, ClientOptions, ExchangeLog, IndexerClient, endpoints},
    domain::{Height, Timestamp},
    wire::{ApiError, ErrorKind, Exchange, ExchangeOutcome, Step},
};

use super::{client_of, newest, options};
use crate::harness::replay::{Answer, Replay};

async fn status_error(answer: Answer) -> ApiError {
    let server = Replay::always(answer).await;
    client_of(&server).status().await.expect_err("the answer is a failure")
}

async fn error_at(url: &str) -> ApiError {
    let once = ClientOptions { tries: 1, system_proxy: false, ..options() };
    IndexerClient::new(url, once).expect("the address is one").status().await.expect_err("nothing good is there")
}

#[tokio::test]
async fn a_refused_connection_says_so() {
    // Bound and dropped: nobody listens there now.
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let error = error_at(&format!("http://127.0.0.1:{port}")).await;
    assert_eq!(error.step(), Step::Connect, "{error:?}");
    assert!(error.to_string().starts_with("no connection to http://127.0.0.1"), "{error}");
    assert!(error.to_string().contains("refused"), "{error}");
    assert!(error.is_transient());
}

#[tokio::test]
async fn an_unknown_host_says_so() {
    // Too long a label for any resolver, so that the network is never asked.
    let error = error_at(&format!("http://{}.localhost.invalid", "x".repeat(64))).await;
    assert_eq!(error.step(), Step::Name, "{error:?}");
    assert!(error.to_string().contains("unknown host"), "{error}");
}

#[tokio::test]
async fn https_to_a_plain_port_says_so_and_is_not_repeated() {
    for answer in [Answer::Garbage(b"HTTP/1.1 400 Bad Request\r\n\r\n"), Answer::Garbage(b"")] {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let plain = tokio::spawn(async move {
            let mut connections = 0_u32;
            while let Ok((mut stream, _)) = listener.accept().await {
                use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
                connections += 1;
                assert_eq!(connections, 1, "a handshake that failed is not tried again");
                // The handshake's first message is read whole, lest closing resets the connection.
                let mut hello = vec![0; 16 * 1024];
                let _ = stream.read(&mut hello).await;
                let Answer::Garbage(bytes) = &answer else { return };
                let _ = stream.write_all(bytes).await;
                let _ = stream.shutdown().await;
            }
        });
        let client = IndexerClient::new(&format!("https://{address}"), options()).unwrap();
        let error = client.status().await.unwrap_err();
        assert_eq!(error.step(), Step::Tls, "{error:?}");
        assert!(error.to_string().starts_with("no secure connection"), "{error}");
        assert!(error.advice().contains("http against https"));
        assert!(!plain.is_finished());
        plain.abort();
    }
}

#[tokio::test]
async fn statuses_become_kinds_with_the_servers_sentence() {
    let error = status_error(Answer::text(400, "pagination.limit must be between 1 and 1000")).await;
    let sentence = "pagination.limit must be between 1 and 1000".to_owned();
    assert_eq!(error.kind, ErrorKind::Rejected { status: 400, sentence: sentence.into() });
    assert_eq!(error.body.as_deref(), Some("pagination.limit must be between 1 and 1000"));
    let error = status_error(Answer::text(500, "Internal Server Error")).await;
    assert_eq!(error.kind, ErrorKind::Server { status: 500, sentence: "Internal Server Error".into() });
    assert!(error.to_string().ends_with("failed (500): Internal Server Error"), "{error}");
    let page = "<html><body><h1>502 Bad Gateway</h1></body></html>";
    let error = status_error(Answer::typed(502, "text/html", page)).await;
    assert_eq!(error.kind, ErrorKind::Server { status: 502, sentence: "Bad Gateway".into() });
    let error = status_error(Answer::text(429, "slow down").with("retry-after", "7200")).await;
    assert_eq!(error.kind, ErrorKind::RateLimited(Some(Duration::from_secs(7200))));
    let error = status_error(Answer::text(404, "[NOT_FOUND] block not found")).await;
    assert!(error.is_not_found());
}

#[tokio::test]
async fn a_missing_route_is_no_missing_value() {
    let error = status_error(Answer::text(404, "Cannot GET /status")).await;
    assert!(!error.is_not_found() && error.to_string().contains("Cannot GET /status"), "{error}");
    let error = status_error(Answer::typed(404, "text/html", "<!doctype html><title>Not here</title>")).await;
    assert_eq!(error.kind, ErrorKind::NotJson { content_type: "text/html".into() });
}

#[tokio::test]
async fn what_is_no_json_is_named() {
    let named = |kind: &str| ErrorKind::NotJson { content_type: kind.into() };
    let error = status_error(Answer::typed(200, "text/html; charset=utf-8", "<html>{</html>")).await;
    assert_eq!(error.kind, named("text/html"));
    assert!(error.to_string().ends_with("answered with text/html instead of JSON"), "{error}");
    assert_eq!(error.body.as_deref(), Some("<html>{</html>"));
    assert_eq!(status_error(Answer::typed(200, "text/html", "{}")).await.kind, named("text/html"));
    assert_eq!(status_error(Answer::text(200, "welcome")).await.kind, named("text/plain"));
    assert_eq!(status_error(Answer::json("")).await.kind, named("an empty response"));
    assert_eq!(status_error(Answer::json("12")).await.kind, named("a bare JSON value"));
    let server = Replay::always(Answer::text(200, "welcome")).await;
    assert_eq!(client_of(&server).one_and_body(endpoints::status()).await.unwrap_err().kind, named("text/plain"));
    let server = Replay::always(Answer::text(200, r#" {"chain_id":"x","height":"5"}"#)).await;
    assert_eq!(client_of(&server).status().await.unwrap().height.get(), 5, "only the type is wrong");
}

#[tokio::test]
async fn another_form_is_named_by_its_path() {
    let block = |height: &str| {
        let hash = "0".repeat(64);
        format!(
            r#"{{"chain_id":"x","height":{height},"hash":"{hash}","block_time":"0","timestamp":"2026-01-31T12:00:00Z",
            "gas_used":"0","gas_wanted":"0","tx_count":"0","total_fee":[],"proposer":{{}}}}"#
        )
    };
    let pagination = r#"{"previous_key":null,"next_key":null,"total":"2"}"#;
    let body = format!(r#"{{"blocks":[{},{}],"pagination":{pagination}}}"#, block(r#""1""#), block(r#""-2""#));
    let server = Replay::always(Answer::json(body)).await;
    let page = client_of(&server).list(&BlocksQuery, &newest(2)).await.unwrap();
    assert_eq!(page.items.len(), 1, "the other row is there");
    let row = page.unreadable().next().expect("a row cannot be read");
    let error = row.error.clone();
    assert_eq!((row.place, &*row.raw), (1, block(r#""-2""#).as_str()));
    let ErrorKind::BadShape { path, detail } = &error.kind else { panic!("{error:?}") };
    assert_eq!(path, "blocks[1].height");
    // A page of which nothing can be read is another kind of answer, but not where it continues a list.
    let body = format!(r#"{{"blocks":[{}],"pagination":{pagination}}}"#, block(r#""-2""#));
    let odd = Replay::always(Answer::json(body)).await;
    let whole = client_of(&odd).list(&BlocksQuery, &newest(2)).await.unwrap_err();
    assert!(whole.to_string().contains("at blocks[0].height"), "{whole}");
    let further = client_of(&odd).list(&BlocksQuery, &super::after("key", 2)).await.unwrap();
    assert_eq!((further.items.len(), further.unreadable().count()), (0, 1));
    assert!(detail.contains("is not a block height"), "{detail}");
    assert!(error.to_string().contains("at blocks[1].height"), "{error}");
    let missing = status_error(Answer::json(r#"{"chain_id":"x"}"#)).await;
    assert!(missing.to_string().contains("missing field `height`"), "{missing}");
    let malformed = status_error(Answer::json("{\"chain_id\":\n oops}")).await;
    assert!(matches!(&malformed.kind, ErrorKind::BadShape { path, .. } if path == "line 2 column 2"), "{malformed:?}");
    let cut = status_error(Answer::json(r#"{"chain_id":"x","hei"#)).await;
    assert!(matches!(&cut.kind, ErrorKind::BadShape { .. }), "{cut:?}");
}

#[tokio::test]
async fn an_answer_that_breaks_off_is_offline_at_the_answer() {
    let error = status_error(Answer::Truncated(r#"{"chain_id":"x","height":5}"#.to_owned(), 10)).await;
    assert!(matches!(error.kind, ErrorKind::Offline { step: Step::Answer, .. }), "{error:?}");
    assert_eq!(error.body.as_deref(), Some(r#"{"chain_id"#.get(..10).unwrap()));
    let error = status_error(Answer::Garbage(b"SSH-2.0-OpenSSH\r\n")).await;
    assert!(matches!(error.kind, ErrorKind::Offline { step: Step::Answer, .. }), "{error:?}");
}

#[tokio::test]
async fn a_huge_body_is_refused_announced_or_not() {
    let small = ClientOptions { body_cap: 1 << 20, ..options() };
    let server = Replay::always(Answer::json(format!("[{}]", " ".repeat(1 << 20)))).await;
    let client = IndexerClient::new(server.url(), small).unwrap();
    let error = client.status().await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::TooLarge(1 << 20));
    assert!(error.to_string().contains("larger than 1 MiB"), "{error}");
    assert_eq!(server.seen().len(), 1, "asking again would not help");
    // Without an announced length the stream itself is cut; its start is kept for the inspector.
    let mut endless = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n[".to_vec();
    endless.resize(3 << 20, b' ');
    let server = Replay::always(Answer::Garbage(endless.leak())).await;
    let client = IndexerClient::new(server.url(), ClientOptions { body_cap: 1 << 20, ..options() }).unwrap();
    assert_eq!(client.status().await.unwrap_err().kind, ErrorKind::TooLarge(1 << 20));
    assert_eq!(client.exchanges().snapshot()[0].body.len(), Exchange::BODY_CAP);
}

#[tokio::test]
async fn packed_bodies_are_unpacked_under_the_same_cap() {
    const STATUS: &[u8] = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\xabVJ\xceH\xcc\xcc\x8b\xcfLQ\xb2R\xaaP\xd2Q\xcaH\xcdL\xcf(Q\xb22\xad\x05\x00z?G\xb1\x1b\x00\x00\x00";
    const BOMB: &[u8] = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\xed\xc1\x01\x0d\x00\x00\x0c\x02\xa0*\xef\xe5\xde\xbf\x86A\x04r\x00\x00\x00\x00\x00\x00\x00\x000\xe0\x0bb\xce\xab\xee*#\x00\x00";
    let packed = |bytes: &[u8]| {
        let headers = vec![("content-type", "application/json".to_owned()), ("content-encoding", "gzip".to_owned())];
        Answer::Full(200, headers, bytes.to_vec())
    };
    let server = Replay::in_turn(vec![packed(STATUS), packed(BOMB)]).await;
    let client = IndexerClient::new(server.url(), ClientOptions { body_cap: 8_000, ..options() }).unwrap();
    assert_eq!(client.status().await.unwrap().height.get(), 5);
    assert!(BOMB.len() < 100);
    assert_eq!(client.status().await.unwrap_err().kind, ErrorKind::TooLarge(8_000));
}

#[tokio::test]
async fn redirects_are_followed_a_few_times() {
    let server = Replay::scripted(|seen, _| match seen.target.as_str() {
        "/status" => Answer::text(301, "").with("location", "/moved"),
        "/moved" => Answer::json(r#"{"chain_id":"x","height":5}"#),
        other => Answer::text(302, "").with("location", other),
    })
    .await;
    let client = client_of(&server);
    assert_eq!(client.status().await.unwrap().height.get(), 5);
    let error = client.one(endpoints::block(Height::FIRST)).await.unwrap_err();
    assert!(matches!(&error.kind, ErrorKind::Rejected { status: 302, .. }), "{error:?}");
    assert!(error.to_string().contains("redirect to /indexer/block"), "{error}");
}

#[tokio::test]
async fn hostile_sentences_are_cleaned_and_cut() {
    let error = status_error(Answer::text(400, format!("\u{1b}[2Jno\u{202e} {}", "x".repeat(10_000)))).await;
    let ErrorKind::Rejected { sentence, .. } = &error.kind else { panic!("{error:?}") };
    assert!(
        sentence.as_received().starts_with("no xxx") && sentence.as_received().chars().count() <= 300,
        "{sentence:?}"
    );
}

#[tokio::test]
async fn a_dropped_request_is_logged_as_cancelled() {
    let server = Replay::always(Answer::Stall(b"")).await;
    let client = client_of(&server);
    let asking = tokio::spawn({
        let client = client.clone();
        async move { client.status().await }
    });
    server.wait_for(1).await;
    asking.abort();
    assert!(asking.await.unwrap_err().is_cancelled());
    let log = client.exchanges().snapshot();
    assert_eq!((log.len(), &log[0].outcome), (1, &ExchangeOutcome::Cancelled));
    assert!(log[0].url.ends_with("/status") && log[0].curl().contains(server.url()));
}

#[test]
fn the_log_is_bounded_in_number_and_in_bytes() {
    let exchange = |id: u64, length: usize| {
        Arc::new(Exchange {
            id,
            server: None,
            method: "GET",
            url: "http://host/".into(),
            sent: "".into(),
            at: Timestamp::EPOCH,
            elapsed: Duration::ZERO,
            outcome: ExchangeOutcome::Status(200),
            bytes: length as u64,
            body: "x".repeat(length).into(),
        })
    };
    let log = ExchangeLog::default();
    (0..600).for_each(|id| log.push(exchange(id, 10)));
    let kept: Vec<u64> = log.snapshot().iter().map(|exchange| exchange.id).collect();
    assert_eq!(kept, (100..600).collect::<Vec<u64>>());
    (600..620).for_each(|id| log.push(exchange(id, 1 << 20)));
    let kept: Vec<u64> = log.snapshot().iter().map(|exchange| exchange.id).collect();
    assert_eq!(kept, (612..620).collect::<Vec<u64>>());
}

#[tokio::test]
async fn a_redirect_to_another_server_is_not_followed() {
    let other = Replay::always(Answer::json(r#"{"chain_id":"x","height":5}"#)).await;
    let port = reqwest::Url::parse(other.url()).unwrap().port().unwrap();
    for target in [format!("{}/status", other.url()), format!("http://localhost:{port}/status")] {
        let server = Replay::always(Answer::text(307, "").with("location", &target)).await;
        let error = error_at(server.url()).await;
        assert!(matches!(&error.kind, ErrorKind::Rejected { status: 307, .. }), "{error:?}");
        assert!(error.to_string().contains(&format!("redirect to {target}")), "{error}");
    }
    assert!(other.seen().is_empty(), "it is not asked");
}

#[tokio::test]
async fn rubbish_that_claims_to_be_compressed_is_no_broken_connection() {
    let error = status_error(Answer::json("{}").with("content-encoding", "gzip")).await;
    assert!(error.to_string().starts_with("cannot decompress the answer of "), "{error}");
    assert_eq!(error.advice(), "the server or a proxy compresses responses wrongly; try again");
}

#[tokio::test]
async fn a_byte_order_mark_is_skipped() {
    let server = Replay::always(Answer::json("\u{feff}{\"chain_id\":\"x\",\"height\":\"5\"}")).await;
    assert_eq!(client_of(&server).status().await.expect("JSON behind three bytes").height.get(), 5);
    assert_eq!(
        status_error(Answer::json("\u{feff}12")).await.kind,
        ErrorKind::NotJson { content_type: "a bare JSON value".into() }
    );
}

#[tokio::test]
async fn a_bad_token_or_byte_costs_its_row_and_not_the_page() {
    let page = super::txs_json(&[&["a.b.C"], &["a.b.C"], &["a.b.C"]], None, 3);
    let text = r#""raw_log":""#;
    let mut latin = page.clone().into_bytes();
    latin.insert(page.find(text).expect("a text") + text.len(), 0xe9);
    let nan = page.replacen(r#""gas_used":"100""#, r#""gas_used":NaN"#, 1).into_bytes();
    for body in [latin, nan] {
        let answer = Answer::Full(200, vec![("content-type", "application/json".to_owned())], body);
        let server = Replay::always(answer).await;
        let query = rollscope::msg::TxQuery::default();
        let page = client_of(&server).list(&query, &newest(10)).await.expect("two rows can be read");
        assert_eq!((page.items.len(), page.unreadable().count()), (2, 1));
    }
}
