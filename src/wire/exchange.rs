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

    /// The command that repeats this request in a shell.
    pub fn curl(&self) -> String {
        curl(&self.url)
    }
}

/// The shell command for a GET of this address.
pub fn curl(url: &str) -> String {
    format!("curl -sS '{}'", url.replace('\'', "'\\''"))
}
