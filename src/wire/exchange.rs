use std::{sync::Arc, time::Duration};

use super::servers::ServerInterface;
use crate::domain::Timestamp;

/// HTTP request with its outcome, for the inspector, latency figures and "copy as curl".
#[derive(Clone, Debug)]
pub struct Exchange {
    pub id: u64,
    /// Interface of the network that was asked; `None` for another server.
    pub server: Option<ServerInterface>,
    /// `GET`, `POST` or `PUT`.
    pub method: &'static str,
    pub url: Arc<str>,
    /// Request body. Empty for a GET, and for a body over [`Exchange::SENT_CAP`]: a truncated body could not be sent
    /// again.
    pub sent: Arc<str>,
    pub at: Timestamp,
    /// Time from the start to the last byte.
    pub elapsed: Duration,
    pub outcome: ExchangeOutcome,
    pub bytes: u64,
    /// Start of the body, capped at [`Exchange::BODY_CAP`].
    pub body: Arc<str>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExchangeOutcome {
    Status(u16),
    /// The transport failed with this message.
    Failed(String),
    /// Cancelled because the result was no longer needed.
    Cancelled,
}

impl Exchange {
    /// Maximum stored bytes of a response body.
    pub const BODY_CAP: usize = 16 * 1024;

    /// Maximum stored bytes of a request body.
    pub const SENT_CAP: usize = 64 * 1024;

    /// Returns the endpoint: the path with parameters in braces, or the host of another URL.
    pub fn endpoint(&self) -> String {
        super::path::endpoint_of(&self.url)
    }

    /// Returns a shell command that repeats the request.
    pub fn curl(&self) -> String {
        match self.method {
            "GET" => curl(&self.url),
            method => curl_with(method, &self.url, &self.sent),
        }
    }
}

/// Returns the shell command for a GET.
pub fn curl(url: &str) -> String {
    format!("curl -sS {}", target(url))
}

/// Returns the shell command for a POST. The command reads a body that was not stored from a file, which the user must
/// create.
pub fn curl_post(url: &str, json: &str) -> String {
    curl_with("POST", url, json)
}

fn curl_with(method: &str, url: &str, json: &str) -> String {
    let data = if json.is_empty() { "@request.json".to_owned() } else { quoted(json) };
    format!("curl -sS -X {method} -H 'content-type: application/json' --data {data} {}", target(url))
}

/// Returns the arguments for a URL whose keys the shell fills in, with the headers after its `#`.
fn target(url: &str) -> String {
    if !url.contains('$') {
        return quoted(url);
    }
    let filled = |text: &str| format!("\"{}\"", text.replace(['\\', '"', '`'], ""));
    let (url, headers) = url.split_once('#').unwrap_or((url, ""));
    let headers = headers.split('&').filter_map(|header| header.split_once('='));
    let headers = headers.map(|(name, value)| format!("-H {} ", filled(&format!("{name}: {value}"))));
    format!("{}{}", headers.collect::<String>(), filled(url))
}

fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}
