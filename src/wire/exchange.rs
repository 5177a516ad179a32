use std::{sync::Arc, time::Duration};

use crate::domain::Timestamp;

/// One request and what came of it; the inspector, the latency figures and "copy as curl" read these.
#[derive(Clone, Debug)]
pub struct Exchange {
    /// Counts up over a session.
    pub id: u64,
    /// `GET` or `POST`.
    pub method: &'static str,
    /// The full address.
    pub url: Arc<str>,
    /// What was sent; empty for a GET, and for a body over [`Exchange::SENT_CAP`], of which a part would repeat nothing.
    pub sent: Arc<str>,
    /// When it was sent.
    pub at: Timestamp,
    /// Until the last byte.
    pub elapsed: Duration,
    /// What came.
    pub outcome: ExchangeOutcome,
    /// Body length in bytes as received.
    pub bytes: u64,
    /// The start of the body, capped at [`Exchange::BODY_CAP`].
    pub body: Arc<str>,
}

/// What came of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExchangeOutcome {
    /// The HTTP status.
    Status(u16),
    /// The transport failed; its words.
    Failed(String),
    /// Nobody waited for it any more.
    Cancelled,
}

impl Exchange {
    /// How many bytes of each body are kept.
    pub const BODY_CAP: usize = 16 * 1024;

    /// How many bytes of a body that was sent are kept.
    pub const SENT_CAP: usize = 64 * 1024;

    /// Which endpoint was asked: its path, what varies in it in braces; of what is no endpoint of ours the host.
    pub fn endpoint(&self) -> String {
        super::path::endpoint_of(&self.url)
    }

    /// The command that repeats this request in a shell.
    pub fn curl(&self) -> String {
        if self.method == "GET" { curl(&self.url) } else { curl_post(&self.url, &self.sent) }
    }
}

/// The shell command for a GET of this address.
pub fn curl(url: &str) -> String {
    format!("curl -sS {}", quoted(url))
}

/// The shell command for a POST of this JSON; of an empty one, which was not kept, from a file that a person has to make.
pub fn curl_post(url: &str, json: &str) -> String {
    let data = if json.is_empty() { "@request.json".to_owned() } else { quoted(json) };
    format!("curl -sS -X POST -H 'content-type: application/json' --data {data} {}", quoted(url))
}

fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}
