use std::{fmt, sync::Arc, time::Duration};

use crate::domain::{
    Height,
    text::{self, Foreign},
};

/// Maximum `Retry-After`, in seconds, that error messages show exactly.
const LONGEST_WAIT: u64 = 24 * 60 * 60;

/// Stage at which a request failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::Display)]
#[strum(serialize_all = "lowercase")]
pub enum Step {
    /// DNS lookup.
    Name,
    Connect,
    #[strum(serialize = "TLS")]
    Tls,
    /// Wait for the response, or its download.
    Answer,
    Status,
    /// Parsing the response.
    Shape,
}

/// Cause of a failed request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// No response: the host is unknown or unreachable, or closed the connection.
    Offline {
        step: Step,
        /// Message of the network library.
        detail: String,
    },
    /// No response within this time.
    Timeout(Duration),
    /// HTTP 429, with the server's `Retry-After`; `None` without the header.
    RateLimited(Option<Duration>),
    /// HTTP 404, with the server's message.
    NotFound(Foreign),
    /// Another HTTP 4xx, with the server's message.
    Rejected { status: u16, sentence: Foreign },
    /// JSON that does not match the specification.
    BadShape {
        /// Path in the JSON, such as `blocks[3].height`, or line and column.
        path: String,
        detail: String,
    },
    /// The response is not JSON: a web page, a proxy's notice.
    NotJson {
        /// Declared media type, such as `text/html`.
        content_type: Foreign,
    },
    /// HTTP 5xx, with the server's message.
    Server {
        status: u16,
        /// The real indexer always sends "Internal Server Error".
        sentence: Foreign,
    },
    /// HTTP 503: the request concerns blocks below the index.
    NotIndexedYet {
        /// Lowest indexed block.
        oldest: Height,
    },
    /// The response body exceeds this many bytes.
    TooLarge(u64),
    /// rollscope cannot fetch or show metadata or a picture of an NFT, for this reason.
    Unusable(String),
    /// The router knows no route between the assets. Holds the router's message.
    NoRoute(Foreign),
    /// The router withheld a route with a bad or unknown price, because the request does not allow unsafe routes.
    /// Holds the router's message.
    UnsafeRoute(Foreign),
    /// Route that does not fit the request: the difference, with both values.
    AnotherQuestion(String),
    /// Transaction or chain unknown to the router (yet), with its message. Not a failure in the first minutes.
    Untracked(Foreign),
    /// The network has no routing API; nothing was sent.
    NoRouter,
    /// rollscope cannot read a file that the user named, for this reason.
    Unreadable(String),
    /// The rollup's node lacks the data or does not disclose it, for this reason.
    Node(String),
    /// The network's node serves another chain than its indexer. Names both chains and URLs.
    OtherChain(String),
    /// The node does not have the data yet, or the data changed during the request, for this reason.
    NodeNotYet(String),
    /// Notice from the router, shown verbatim and not as an error.
    Notice(Foreign),
}

/// Failed request: cause, URL, and the raw response for the inspector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApiError {
    pub kind: ErrorKind,
    pub url: Arc<str>,
    /// Raw response body, capped; `None` without a body.
    pub body: Option<Arc<str>>,
}

impl ApiError {
    /// Creates the error for a response to another request, which the worker never sends.
    pub fn of_another_kind() -> Self {
        let detail = "a response to another request".to_owned();
        Self { kind: ErrorKind::BadShape { path: "the reply".to_owned(), detail }, url: "".into(), body: None }
    }

    /// Returns the stage at which the request failed.
    pub fn step(&self) -> Step {
        match &self.kind {
            ErrorKind::Offline { step, .. } => *step,
            ErrorKind::Timeout(_) | ErrorKind::TooLarge(_) => Step::Answer,
            ErrorKind::RateLimited(_)
            | ErrorKind::NotFound(_)
            | ErrorKind::Rejected { .. }
            | ErrorKind::NoRoute(_)
            | ErrorKind::UnsafeRoute(_)
            | ErrorKind::Untracked(_)
            | ErrorKind::Notice(_)
            | ErrorKind::Node(_)
            | ErrorKind::OtherChain(_)
            | ErrorKind::NodeNotYet(_)
            | ErrorKind::NotIndexedYet { .. }
            | ErrorKind::Server { .. } => Step::Status,
            ErrorKind::BadShape { .. }
            | ErrorKind::NotJson { .. }
            | ErrorKind::AnotherQuestion(_)
            | ErrorKind::Unusable(_)
            | ErrorKind::Unreadable(_) => Step::Shape,
            ErrorKind::NoRouter => Step::Name,
        }
    }

    /// Whether the server responded, so that it is reachable.
    pub fn has_answer(&self) -> bool {
        matches!(self.step(), Step::Status | Step::Shape)
    }

    /// Whether a later retry of the unchanged request may succeed.
    pub fn is_transient(&self) -> bool {
        matches!(
            self.kind,
            ErrorKind::Offline { .. }
                | ErrorKind::Timeout(_)
                | ErrorKind::RateLimited(_)
                | ErrorKind::NotIndexedYet { .. }
                | ErrorKind::NodeNotYet(_)
                | ErrorKind::Server { .. }
        )
    }

    /// Whether the server does not have the record, or not yet.
    pub fn is_not_held(&self) -> bool {
        self.is_not_found() || matches!(self.kind, ErrorKind::NotIndexedYet { .. })
    }

    /// Whether the server reported that the record does not exist.
    pub fn is_not_found(&self) -> bool {
        matches!(self.kind, ErrorKind::NotFound(_) | ErrorKind::NoRoute(_) | ErrorKind::Untracked(_))
    }

    /// Whether the chain lacks this part of the API: EVM receipts and call frames.
    pub fn is_feature_off(&self) -> bool {
        matches!(&self.kind, ErrorKind::NotFound(sentence) if sentence == Self::FEATURE_OFF)
    }

    /// Whether the server does not know the path: an older indexer, or a different server.
    pub fn is_unknown_route(&self) -> bool {
        matches!(&self.kind, ErrorKind::Rejected { status: 404, .. })
    }

    /// Whether the server does not support the request: it lacks the path, the method or a backend.
    pub fn is_missing_part(&self) -> bool {
        matches!(&self.kind, ErrorKind::Rejected { status: 404 | 405, .. } | ErrorKind::NotJson { .. })
            || matches!(&self.kind, ErrorKind::Server { status: 501, .. })
    }

    /// Message of a real server without EVM routes (`docs/apis/indexer.md` §1.2).
    const FEATURE_OFF: &str = "evm routes are not available on this chain";

    /// Returns a short next step for the user.
    pub fn advice(&self) -> &'static str {
        match &self.kind {
            ErrorKind::Offline { step: Step::Name, .. } => "check the host's name, and that this machine is online",
            ErrorKind::Offline { step: Step::Connect, .. } => {
                "check the address and port, and that the server is running"
            }
            ErrorKind::Offline { step: Step::Tls, .. } => {
                "check http against https in the address, and the server's certificate"
            }
            ErrorKind::Offline { step: Step::Shape, .. } => {
                "the server or a proxy compresses responses wrongly; try again"
            }
            ErrorKind::Offline { .. } => "the connection broke; try again",
            ErrorKind::Timeout(_) => "the server is slow; try again or raise --timeout",
            ErrorKind::RateLimited(_) => "the server limits requests; rollscope retries later",
            ErrorKind::NotFound(_) if self.is_feature_off() => "only EVM rollups have receipts and call frames",
            ErrorKind::NotFound(_) => "check the value; a new record may not be indexed yet",
            ErrorKind::NoRoute(_) => "try another asset or amount, or an intermediate chain",
            ErrorKind::UnsafeRoute(_) => {
                "try a smaller amount, or allow unsafe routes to see the route and its warning"
            }
            ErrorKind::Untracked(_) => "check chain and hash; a new transaction may need some seconds",
            ErrorKind::AnotherQuestion(_) => "try again, or use another router; F12 shows the answer",
            ErrorKind::Notice(_) => "try another amount or route",
            ErrorKind::NoRouter => "set a router with --router URL, ROLLSCOPE_ROUTER or in the settings",
            ErrorKind::Unreadable(_) => "check the file name",
            ErrorKind::NodeNotYet(_) => "the node has no such data yet; try again in a moment",
            ErrorKind::Node(_) => "check the address of the network's node",
            ErrorKind::OtherChain(_) => "give an indexer and a node of one chain",
            ErrorKind::Rejected { .. } if self.is_unknown_route() => {
                "check the address: the server may be older or of another kind"
            }
            ErrorKind::Rejected { status: 300..400, .. } => "use the URL of the redirect",
            ErrorKind::Rejected { .. } => "check the value",
            ErrorKind::BadShape { .. } => "the server may be of another kind or version; F12 shows the response",
            ErrorKind::NotJson { .. } => "check the URL: this API does not have it; F12 shows the response",
            // The indexer's path ends here; the routing API's path has a query.
            ErrorKind::Server { status: 500, .. } if self.url.ends_with("/status") => {
                "the server failed, or the indexer has no block yet"
            }
            ErrorKind::Server { .. } => "the server failed; try again later",
            ErrorKind::NotIndexedYet { .. } => "the index is still filling; try again in a moment",
            ErrorKind::TooLarge(_) => "check the address: it may belong to another server",
            ErrorKind::Unusable(_) => "the NFT's creator chose this link",
        }
    }
}

impl ApiError {
    /// Formats the error without the URL, where space is short.
    pub fn brief(&self) -> String {
        self.about("the server")
    }

    /// Formats the error with these words for the server instead of its URL, which may hold a key.
    pub fn about(&self, url: &str) -> String {
        match &self.kind {
            ErrorKind::Offline { step: Step::Name, .. } => format!("unknown host in {url}"),
            ErrorKind::Offline { step: Step::Connect, detail } => {
                format!("no connection to {url}: {}", text::clip(detail, 80))
            }
            ErrorKind::Offline { step: Step::Tls, detail } => {
                format!("no secure connection to {url}: {}", text::clip(detail, 80))
            }
            ErrorKind::Offline { step: Step::Shape, detail } => {
                format!("cannot decompress the answer of {url}: {}", text::clip(detail, 80))
            }
            ErrorKind::Offline { detail, .. } => {
                format!("the connection to {url} broke: {}", text::clip(detail, 80))
            }
            ErrorKind::Timeout(after) => format!("no response from {url} within {} s", after.as_secs_f32()),
            ErrorKind::RateLimited(Some(after)) if after.as_secs() <= LONGEST_WAIT => {
                format!("{url} limits requests for {} s", after.as_secs())
            }
            ErrorKind::RateLimited(Some(_)) => format!("{url} limits requests for more than a day"),
            ErrorKind::RateLimited(None) => format!("{url} limits requests"),
            ErrorKind::NotFound(sentence) | ErrorKind::Untracked(sentence) => {
                // rollytics begins its sentences with this code.
                let bare = sentence.as_received().strip_prefix("[NOT_FOUND] ").unwrap_or(sentence.as_received());
                format!("not found: {}", text::clip(bare, 160))
            }
            ErrorKind::NoRoute(sentence) => format!("no route: {}", sentence.clipped(160)),
            ErrorKind::UnsafeRoute(sentence) => {
                format!("the router blocks an unsafe route: {}", sentence.clipped(160))
            }
            ErrorKind::AnotherQuestion(what) => {
                format!("the router answered another question: {}", text::clip(&text::clean(what), 240))
            }
            ErrorKind::Rejected { status, sentence } => {
                format!("the server rejected the request ({status}): {}", sentence.clipped(160))
            }
            ErrorKind::BadShape { path, detail } => {
                format!("unexpected response format of {url} at {path}: {}", text::clip(detail, 120))
            }
            ErrorKind::NotJson { content_type } => {
                format!("{url} answered with {} instead of JSON", content_type.clipped(40))
            }
            ErrorKind::Server { status, sentence } => {
                format!("{url} failed ({status}): {}", sentence.clipped(120))
            }
            ErrorKind::NotIndexedYet { oldest } => {
                format!("not indexed yet: the oldest indexed block is {}", text::group(oldest.get()))
            }
            ErrorKind::NoRouter => "no router configured for this network".to_owned(),
            ErrorKind::Unusable(sentence)
            | ErrorKind::Unreadable(sentence)
            | ErrorKind::Node(sentence)
            | ErrorKind::OtherChain(sentence)
            | ErrorKind::NodeNotYet(sentence) => text::clip(sentence, 200),
            ErrorKind::Notice(sentence) => sentence.clipped(200),
            ErrorKind::TooLarge(limit) => format!("the response of {url} is larger than {} MiB", limit >> 20),
        }
    }
}

impl fmt::Display for ApiError {
    /// Formats the error without the advice.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.about(&text::clip(&self.url, 120)))
    }
}

impl std::error::Error for ApiError {}
