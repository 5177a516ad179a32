//! A server between the program and an indexer, which alters its answers.

use std::{
    collections::BTreeSet,
    io::{Read as _, Write as _},
    net::TcpStream,
    sync::{Arc, Mutex},
};

use serde_json::Value;

use super::lies::Lie;
use crate::{cli::chain::Chain, harness::replay::Answer};

/// Stands before an indexer.
pub(super) struct LyingProxy {
    chain: Chain,
    told: Arc<Mutex<BTreeSet<&'static str>>>,
}

impl LyingProxy {
    /// Tells these lies.
    pub(super) fn start(indexer: &str, lies: &'static [Lie]) -> Self {
        let (indexer, told) = (indexer.to_owned(), Arc::<Mutex<BTreeSet<_>>>::default());
        let kept = Arc::clone(&told);
        let chain = Chain::scripted(move |seen| {
            let (status, kind, body) = forward(&indexer, &seen.target);
            let Ok(mut json) = serde_json::from_slice::<Value>(&body) else {
                return Answer::Full(status, vec![("content-type", kind)], body);
            };
            for lie in lies.iter().filter(|lie| status == 200 && (lie.is_about)(&seen.target)) {
                if (lie.tell)(&mut json) {
                    kept.lock().expect("no test panics with it").insert(lie.name);
                }
            }
            Answer::json(json.to_string())
        });
        Self { chain, told }
    }

    /// Fails over every address that has this in it, and tells no lie.
    pub(super) fn refusing(indexer: &str, part: &'static str) -> Self {
        let indexer = indexer.to_owned();
        let chain = Chain::scripted(move |seen| {
            if seen.target.contains(part) {
                return Answer::text(400, "not that one");
            }
            let (status, kind, body) = forward(&indexer, &seen.target);
            Answer::Full(status, vec![("content-type", kind)], body)
        });
        Self { chain, told: Arc::default() }
    }

    pub(super) fn url(&self) -> &str {
        self.chain.url()
    }

    pub(super) fn has_told(&self, name: &str) -> bool {
        self.told.lock().expect("no test panics with it").contains(name)
    }
}

/// Status, content type and body of what a server answers to a GET.
fn forward(server: &str, target: &str) -> (u16, String, Vec<u8>) {
    let host = server.trim_start_matches("http://");
    let mut stream = TcpStream::connect(host).expect("the rollup listens");
    let request = format!("GET {target} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).expect("it takes a request");
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).expect("it answers");
    let end = answer.windows(4).position(|bytes| bytes == b"\r\n\r\n").expect("an answer has a head");
    let head = String::from_utf8_lossy(&answer[..end]).to_lowercase();
    let status = head.split(' ').nth(1).and_then(|code| code.parse().ok()).expect("a head has a status");
    let kind = head.lines().find_map(|line| line.strip_prefix("content-type: ")).unwrap_or("text/plain");
    assert!(!head.contains("chunked"), "bodies come whole");
    (status, kind.to_owned(), answer[end + 4..].to_vec())
}
