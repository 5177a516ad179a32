//! What signs or changes something answers this machine only, and no page of another site.

use serde_json::json;

use super::client::{Mode, Server};

/// Everything that signs or changes something.
const CHANGING: [&str; 5] = [
    "PUT /demo/v1/faults",
    "POST /demo/v1/sign",
    "POST /demo/v1/broadcast",
    "POST /demo/v1/claim",
    "POST /demo/v1/fund",
];

/// What pages of every site on this machine may ask, although it is remembered.
const SHARED: [&str; 5] = [
    "POST /v2/fungible/msgs",
    "POST /v2/fungible/msgs_direct",
    "POST /v2/tx/track",
    "POST /v2/tx/retry_track",
    "POST /v2/tx/submit",
];

const JSON: &str = "Content-Type: application/json";

/// The status of an answer, and its sentence.
fn refusal(answer: &str) -> (u16, String) {
    let status = answer.strip_prefix("HTTP/1.1 ").and_then(|rest| rest.get(..3)).expect("a status line");
    let (_, body) = answer.split_once("\r\n\r\n").expect("a body");
    (status.parse().expect("a number"), body.to_owned())
}

#[test]
fn pages_of_other_sites_can_sign_and_change_nothing() {
    let server = Server::start(Mode::Specified, 5);
    let own = format!("Host: {}", server.rollup.address());
    let foreign = [
        vec!["Host: evil.example", JSON],
        vec!["Host: evil.example", "Origin: http://evil.example", JSON],
        vec![&own, "Origin: https://evil.example", JSON],
        vec![&own, "Origin: null", JSON],
        vec![&own, "Origin: http://127.0.0.1:1", JSON],
        vec![&own, "Sec-Fetch-Site: cross-site", JSON],
        vec![&own, "Origin: https://evil.example", "Content-Type: text/plain", "Sec-Fetch-Site: cross-site"],
        vec![JSON],
    ];
    for line in CHANGING {
        for headers in &foreign {
            let answer = server.raw_with(line, headers, "[\"error500\"]");
            let (status, sentence) = refusal(&answer);
            assert_eq!(status, 403, "{line} {headers:?}: {answer}");
            assert!(!sentence.is_empty() && answer.contains("text/plain"), "{answer}");
        }
        for media in [None, Some("Content-Type: text/plain"), Some("Content-Type: application/x-www-form-urlencoded")] {
            let headers: Vec<&str> = std::iter::once(own.as_str()).chain(media).collect();
            let (status, sentence) = refusal(&server.raw_with(line, &headers, "[]"));
            assert_eq!((status, sentence.contains("application/json")), (415, true), "{line} {media:?}: {sentence}");
        }
    }
    let demo = refusal(&server.raw("GET /demo/v1")).1;
    assert!(demo.contains("\"faults\":[]"), "nothing was changed: {demo}");
}

#[test]
fn what_is_shared_is_asked_by_every_page_under_a_loopback_name_and_as_json() {
    let server = Server::start(Mode::Specified, 5);
    let own = format!("Host: {}", server.rollup.address());
    for line in SHARED {
        for page in [vec!["Origin: https://app.example", "Sec-Fetch-Site: cross-site"], Vec::new()] {
            let headers: Vec<&str> = [own.as_str(), JSON].into_iter().chain(page).collect();
            let answer = server.raw_with(line, &headers, "{}");
            assert!(refusal(&answer).0 == 400 && answer.contains("access-control-allow-origin: *"), "{line}: {answer}");
        }
        let rebound = server.raw_with(line, &["Host: evil.example", JSON], "{}");
        assert_eq!(refusal(&rebound).0, 403, "{line}");
        assert_eq!(refusal(&server.raw_with(line, &[&own, "Content-Type: text/plain"], "{}")).0, 415, "{line}");
    }
}

/// What a browser is told that asks whether a page may do so.
fn preflight(server: &Server, method: &str, path: &str) -> String {
    let own = format!("Host: {}", server.rollup.address());
    let asks = format!("Access-Control-Request-Method: {method}");
    let private = "Access-Control-Request-Private-Network: true";
    let headers = [own.as_str(), "Origin: https://app.example", asks.as_str(), private];
    server.raw_with(&format!("OPTIONS {path}"), &headers, "")
}

#[test]
fn a_browser_is_told_what_a_page_may_ask_and_never_what_signs_or_changes() {
    let server = Server::start(Mode::Specified, 5);
    for (method, path) in [
        ("GET", "/status"),
        ("GET", "/indexer/tx/v1/txs"),
        ("GET", "/v2/info/chains"),
        ("GET", "/node/rest/cosmos/bank/v1beta1/supply"),
        ("POST", "/v2/fungible/route"),
        ("POST", "/op-hook"),
        ("POST", "/v2/fungible/msgs"),
        ("POST", "/v2/tx/track"),
        ("POST", "/v2/info/balances"),
    ] {
        let answer = preflight(&server, method, path);
        assert!(answer.starts_with("HTTP/1.1 204"), "{path}: {answer}");
        for header in [
            "access-control-allow-origin: *",
            "access-control-allow-headers: *",
            "access-control-allow-private-network",
        ] {
            assert!(answer.contains(header), "{path}: {answer}");
        }
        assert!(answer.contains(&format!("access-control-allow-methods: {method}")), "{path}: {answer}");
    }
    for (method, path) in [
        ("POST", "/status"),
        ("GET", "/demo/v1"),
        ("PUT", "/demo/v1/faults"),
        ("POST", "/demo/v1/sign"),
        ("POST", "/demo/v1/broadcast"),
        ("DELETE", "/v2/fungible/route"),
        ("GET", "/node/rpc/broadcast_tx_sync"),
        ("POST", "/node/rest/cosmos/tx/v1beta1/txs"),
        ("POST", "/node/json-rpc"),
        ("GET", "/nothing"),
    ] {
        let answer = preflight(&server, method, path);
        let is_told = answer.contains("access-control-allow-methods");
        assert!(!answer.starts_with("HTTP/1.1 2") && !is_told, "{method} {path}: {answer}");
    }
    let demo = server.raw_with("GET /demo/v1", &["Host: localhost", "Origin: https://app.example"], "");
    assert!(demo.starts_with("HTTP/1.1 200") && !demo.contains("access-control"), "{demo}");
}

#[test]
fn this_machine_can() {
    let server = Server::start(Mode::Specified, 5);
    let address = server.rollup.address();
    let localhost = format!("Host: localhost:{}", address.port());
    let (host, origin) = (format!("Host: {address}"), format!("Origin: http://{address}"));
    for headers in
        [vec![host.as_str(), JSON], vec![&localhost, JSON], vec![&host, &origin, "Sec-Fetch-Site: same-origin", JSON]]
    {
        for line in CHANGING {
            let answer = server.raw_with(line, &headers, "[]");
            let (status, _) = refusal(&answer);
            // The wallet and the router have more to say about an empty list.
            assert!([200, 400].contains(&status), "{line} {headers:?}: {answer}");
        }
    }
}

#[tokio::test]
async fn what_only_asks_answers_whoever_reaches_it() {
    let server = Server::start(Mode::Specified, 5);
    for line in ["GET /status", "GET /demo/v1", "GET /v2/info/chains", "POST /v2/fungible/route", "POST /op-hook"] {
        let (status, _) = refusal(&server.raw_with(line, &["Host: example.org", "Origin: https://example.org"], "{}"));
        assert!([200, 400].contains(&status), "{line}: {status}");
    }
    assert_eq!(server.put_faults("[\"latency=1\"]").await.json(), json!(["latency=1"]));
}
