use rstest::rstest;

use super::client::{Mode, Server, key};

#[rstest]
#[case("/indexer/block/v1/blocks?pagination.limit=1001", 400, "pagination.limit must be between 1 and 1000")]
#[case("/indexer/tx/v1/txs?pagination.limit=0", 400, "pagination.limit must be between 1 and 1000")]
#[case("/indexer/tx/v1/txs?pagination.offset=-1", 400, "pagination.offset cannot be negative")]
#[case("/indexer/block/v1/blocks?pagination.key=!!!", 400, "pagination.key must be a valid base64 encoded string")]
#[case("/indexer/block/v1/blocks/999", 404, "[NOT_FOUND] block not found")]
#[case("/indexer/block/v1/blocks/0", 400, "[INVALID_VALUE] invalid value for height: 0 (must be a positive integer)")]
#[case("/indexer/block/v1/blocks/x", 400, "[INVALID_VALUE] invalid value for height: x (must be a valid integer)")]
#[case(
    "/indexer/tx/v1/txs/by_height/-3",
    400,
    "[INVALID_VALUE] invalid value for height: -3 (must be a positive integer)"
)]
#[case("/indexer/tx/v1/txs/abc", 404, "[NOT_FOUND] transaction not found")]
#[case("/indexer/tx/v1/txs/zz", 400, "invalid hash format")]
#[case("/indexer/tx/v1/txs/by_account", 400, "invalid hash format")]
#[case("/indexer/tx/v1/txs/by_height/", 400, "invalid hash format")]
#[case(
    "/indexer/tx/v1/txs/by_account/zzz",
    400,
    "[INVALID_VALUE] invalid value for account: zzz (invalid address format)"
)]
#[case("/healthy", 404, "Cannot GET /healthy")]
#[case("/nope/a&b'c?d=e", 404, "Cannot GET /nope/a&amp;b&#39;c")]
#[tokio::test]
async fn refusals_are_the_real_servers_sentences(#[case] path: &str, #[case] status: u16, #[case] sentence: &str) {
    for mode in [Mode::Specified, Mode::Quirks] {
        let server = Server::start(mode, 10);
        assert_eq!(server.get(path).await.refusal(), (status, sentence), "{mode:?}");
    }
}

/// The sentences are the same.
#[rstest]
#[case("/indexer/block/v1/blocks?pagination.key=YWJj", "pagination.key must decode to a nonnegative integer")]
#[case(&format!("/indexer/tx/v1/txs?{}", key("{nonsense")), "invalid pagination.key format")]
#[case(
    "/indexer/tx/v1/txs/by_account/init1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq",
    "[INVALID_VALUE] invalid value for account: init1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq (invalid address format)"
)]
#[tokio::test]
async fn what_names_nothing_is_not_found_by_default(#[case] path: &str, #[case] sentence: &str) {
    for (mode, status) in [(Mode::Specified, 404), (Mode::Quirks, 400)] {
        let server = Server::start(mode, 10);
        assert_eq!(server.get(path).await.refusal(), (status, sentence), "{mode:?}");
    }
}

#[test]
fn a_head_that_is_too_large_is_refused_as_the_real_server_does() {
    let server = Server::start(Mode::Specified, 10);
    let path = format!("GET /status?{}", "q".repeat(9_000));
    let with = |bytes: usize| server.raw_with(&path, &["Host: x", &format!("X-Long: {}", "h".repeat(bytes))], "");
    let answer = with(9_000).to_ascii_lowercase();
    assert!(
        answer.starts_with("http/1.1 431 ") && answer.ends_with("\r\n\r\nrequest header fields too large"),
        "{answer}"
    );
    assert!(with(6_000).starts_with("HTTP/1.1 200 "));
}

/// Such signs are no part of a URL, and yet people type them.
#[rstest]
#[case("/nope/<x>", 404, "Cannot GET /nope/%3Cx%3E")]
#[case("/indexer/block/v1/blocks/<1>", 400, "")]
#[case("/indexer/block/v1/blocks?pagination.limit=1&x=<\"`>", 200, "")]
fn signs_that_no_url_may_have_are_read(#[case] target: &str, #[case] status: u16, #[case] end: &str) {
    let server = Server::start(Mode::Specified, 10);
    let answer = server.raw(&format!("GET {target}"));
    assert!(answer.starts_with(&format!("HTTP/1.1 {status} ")) && answer.ends_with(end), "{answer}");
    assert!(answer.split("\r\n\r\n").nth(1).is_some_and(|body| !body.is_empty()), "{answer}");
}

#[test]
fn other_methods_are_refused_and_head_has_no_body() {
    let server = Server::start(Mode::Specified, 10);
    for method in ["POST", "DELETE", "PUT", "OPTIONS"] {
        let answer = server.raw(&format!("{method} /status")).to_ascii_lowercase();
        assert!(answer.starts_with("http/1.1 405 "), "{answer}");
        assert!(answer.contains("\r\nallow: get, head\r\n"), "{answer}");
        assert!(answer.ends_with("\r\n\r\nmethod not allowed"), "{answer}");
    }
    assert!(server.raw("POST /nope").ends_with("\r\n\r\nCannot POST /nope"));
    let (get, head) = (server.raw("GET /status"), server.raw("HEAD /status"));
    let (_, body) = get.split_once("\r\n\r\n").unwrap();
    let head = head.to_ascii_lowercase();
    assert!(head.starts_with("http/1.1 200 ") && head.ends_with("\r\n\r\n"), "{head}");
    assert!(head.contains(&format!("content-length: {}\r\n", body.len())), "{head}");
    assert!(server.raw("HEAD /indexer/block/v1/blocks/99").starts_with("HTTP/1.1 404 "));
}

#[test]
fn fixed_parts_are_read_in_any_case_and_a_slash_may_follow() {
    let server = Server::start(Mode::Quirks, 10);
    let plain = server.raw("GET /indexer/block/v1/blocks/5");
    let body = |answer: &str| answer.split_once("\r\n\r\n").map(|(_, body)| body.to_owned()).unwrap();
    assert_eq!(body(&server.raw("GET /INDEXER/Block/v1/blocks/5/")), body(&plain));
    assert_eq!(body(&server.raw("GET /indexer/block/v1/blocks/+5")), body(&plain));
    assert_eq!(body(&server.raw("GET /indexer/block/v1/blocks/005?x=y")), body(&plain));
}

#[test]
fn only_the_specified_server_decodes_paths() {
    for (mode, found) in [(Mode::Specified, true), (Mode::Quirks, false)] {
        let server = Server::start(mode, 10);
        let answer = server.raw("GET /indexer/block/v1/blocks/%35");
        assert_eq!(answer.contains("\"height\":\"5\""), found, "{answer}");
        assert_eq!(answer.contains("invalid value for height: %35 (must be a valid integer)"), !found, "{answer}");
    }
}

#[test]
fn nothing_indexed_is_a_failure_of_status_alone() {
    let server = Server::start(Mode::Specified, 0);
    assert!(server.raw("GET /status").ends_with("\r\n\r\nInternal Server Error"));
    let empty = "{\"blocks\":[],\"pagination\":{\"previous_key\":null,\"next_key\":null,\"total\":\"0\"}}";
    assert!(server.raw("GET /indexer/block/v1/blocks").ends_with(empty));
    assert!(server.raw("GET /indexer/block/v1/avg_blocktime").ends_with("{\"avg_block_time\":0}"));
    assert!(server.raw("GET /indexer/tx/v1/txs/by_height/1").contains("\"txs\":[]"));
}
