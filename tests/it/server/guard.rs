//! What signs or changes something answers this machine only, and no page of another site.

use serde_json::json;

use super::client::{Mode, Server};

/// Everything that signs or changes something.
const CHANGING: [&str; 6] = [
    "PUT /demo/v1/faults",
    "POST /demo/v1/sign",
    "POST /demo/v1/broadcast",
    "POST /v2/fungible/msgs",
    "POST /v2/tx/track",
    "POST /v2/tx/retry_track",
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
