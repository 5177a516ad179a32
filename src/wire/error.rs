use std::{fmt, sync::Arc, time::Duration};

use crate::domain::{Height, text};

/// Seconds of a server's asked-for patience that are told to the second.
const LONGEST_WAIT: u64 = 24 * 60 * 60;

/// How far a request came before it failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::Display)]
#[strum(serialize_all = "lowercase")]
pub enum Step {
    /// Finding the host's address.
    Name,
    /// Opening a connection.
    Connect,
    /// Agreeing on encryption.
    #[strum(serialize = "TLS")]
    Tls,
    /// Waiting for or reading the answer.
    Answer,
    /// The status of the answer.
    Status,
    /// The form of the answer.
    Shape,
}

/// What went wrong with a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// No answer could be had: the host is unknown, unreachable or hung up.
    Offline {
        /// Where it stopped.
        step: Step,
        /// The transport's own words.
        detail: String,
    },
    /// No answer within this time.
    Timeout(Duration),
    /// 429; try again after this time where the server said one.
    RateLimited(Option<Duration>),
    /// 404, with the server's sentence.
    NotFound(String),
    /// Another 4xx, with the server's sentence.
    Rejected {
        /// The HTTP status.
        status: u16,
        /// The server's sentence.
        sentence: String,
    },
    /// JSON of another form than the specification's.
    BadShape {
        /// Where in the JSON, as far as it is known: `blocks[3].height`, or line and column.
        path: String,
        /// What was expected.
        detail: String,
    },
    /// An answer that is not JSON at all: a web page, a proxy's notice.
    NotJson {
        /// What the answer claims to be, such as `text/html`.
        content_type: String,
    },
    /// A 5xx, with the server's sentence.
    Server {
        /// The HTTP status.
        status: u16,
        /// The server's sentence; the real indexer only ever says "Internal Server Error".
        sentence: String,
    },
    /// 503: what was asked for lies below the blocks that are indexed so far, down to this one.
    NotIndexedYet {
        /// The lowest block that is indexed.
        oldest: Height,
    },
    /// A body over this many bytes.
    TooLarge(u64),
    /// What an NFT's URI leads to cannot be fetched or shown; a sentence that says why.
    Unusable(String),
    /// The router knows no way from the one asset to the other, with its sentence.
    NoRoute(String),
    /// The router keeps a route back whose price is bad or unknown, with its sentence: it was asked for safe ones only.
    UnsafeRoute(String),
    /// The router does not know the transaction (yet), or its chain, with its sentence. No failure in the first
    /// minutes.
    Untracked(String),
    /// No routing API is known, so nothing was sent.
    NoRouter,
    /// A file that a person named cannot be read; a sentence that says why.
    Unreadable(String),
    /// A rollup's own node does not have or does not say what it was asked for; a sentence that says why.
    Node(String),
    /// The node does not have it yet, or changed while it was asked: a sentence that says which.
    NodeNotYet(String),
    /// The router says something that is no error: shown neutrally, in its words.
    Notice(String),
}

/// A failed request: what went wrong, where it was sent, and the raw answer for the inspector.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApiError {
    /// What went wrong.
    pub kind: ErrorKind,
    /// The address that was asked.
    pub url: Arc<str>,
    /// The raw answer, where there was one (capped).
    pub body: Option<Arc<str>>,
}

impl ApiError {
    /// An answer of another kind than the request's came, which the worker never sends.
    pub fn of_another_kind() -> Self {
        let detail = "another kind of answer came".to_owned();
        Self { kind: ErrorKind::BadShape { path: "the reply".to_owned(), detail }, url: "".into(), body: None }
    }

    /// How far the request came.
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
            | ErrorKind::NodeNotYet(_)
            | ErrorKind::NotIndexedYet { .. }
            | ErrorKind::Server { .. } => Step::Status,
            ErrorKind::BadShape { .. }
            | ErrorKind::NotJson { .. }
            | ErrorKind::Unusable(_)
            | ErrorKind::Unreadable(_) => Step::Shape,
            ErrorKind::NoRouter => Step::Name,
        }
    }

    /// Whether the server answered, whatever it said: it can be reached.
    pub fn has_answer(&self) -> bool {
        matches!(self.step(), Step::Status | Step::Shape)
    }

    /// Whether asking again later may help without anybody changing anything.
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

    /// Whether the server answered that there is no such thing.
    pub fn is_not_found(&self) -> bool {
        matches!(self.kind, ErrorKind::NotFound(_) | ErrorKind::NoRoute(_) | ErrorKind::Untracked(_))
    }

    /// Whether the server says that it, or its chain, does not have this part of the API: EVM receipts and call frames.
    pub fn is_feature_off(&self) -> bool {
        matches!(&self.kind, ErrorKind::NotFound(sentence) if sentence == Self::FEATURE_OFF)
    }

    /// Whether the server does not know the address at all: an older indexer, or none.
    pub fn is_unknown_route(&self) -> bool {
        matches!(&self.kind, ErrorKind::Rejected { status: 404, .. })
    }

    /// Whether the server does not have what was asked of it at all: the address, its method, or the page behind it.
    pub fn is_missing_part(&self) -> bool {
        matches!(&self.kind, ErrorKind::Rejected { status: 404 | 405, .. } | ErrorKind::NotJson { .. })
            || matches!(&self.kind, ErrorKind::Server { status: 501, .. })
    }

    /// What the real server says where EVM routes are off (`docs/apis/indexer.md` §1.2).
    const FEATURE_OFF: &str = "evm routes are not available on this chain";

    /// What a person can do about it, as a short sentence.
    pub fn advice(&self) -> &'static str {
        match &self.kind {
            ErrorKind::Offline { step: Step::Name, .. } => "check the host's name, and that this machine is online",
            ErrorKind::Offline { step: Step::Connect, .. } => {
                "check the address and port, and that the server is running"
            }
            ErrorKind::Offline { step: Step::Tls, .. } => {
                "check http against https in the address, and the server's certificate"
            }
            ErrorKind::Offline { .. } => "the connection broke; try again",
            ErrorKind::Timeout(_) => "the server is slow; try again or raise --timeout",
            ErrorKind::RateLimited(_) => "the server asks for patience; it will be tried again",
            ErrorKind::NotFound(_) if self.is_feature_off() => "this part of the API is there on EVM rollups only",
            ErrorKind::NotFound(_) => "check the value; if it is new the index may not have it yet",
            ErrorKind::NoRoute(_) => "try another asset or amount, or a way over a chain between",
            ErrorKind::UnsafeRoute(_) => "try a smaller amount, or allow unsafe routes to see it with its warning",
            ErrorKind::Untracked(_) => "check chain and hash; a new transaction needs some seconds to be seen",
            ErrorKind::Notice(_) => "try another amount, or another way",
            ErrorKind::NoRouter => "give its address with --router URL, ROLLSCOPE_ROUTER or in the settings",
            ErrorKind::Unreadable(_) => "check the file's name",
            ErrorKind::NodeNotYet(_) => "it will be there in a moment; try again",
            ErrorKind::Node(_) => "check the address of the network's node",
            ErrorKind::Rejected { .. } if self.is_unknown_route() => {
                "check the address: this may be an older server that does not have this yet, or another kind of server"
            }
            ErrorKind::Rejected { status: 300..400, .. } => "give the address that it redirects to",
            ErrorKind::Rejected { .. } => "check the value that was given",
            ErrorKind::BadShape { .. } => "this may be another kind or version of server; F12 shows the answer",
            ErrorKind::NotJson { .. } => "this address does not speak this API; check it, F12 shows the answer",
            // That of the indexer; the routing API's ends in a query.
            ErrorKind::Server { status: 500, .. } if self.url.ends_with("/status") => {
                "the server failed; an indexer that holds no block yet does so too"
            }
            ErrorKind::Server { .. } => "the server failed; try again later",
            ErrorKind::NotIndexedYet { .. } => "the index is still filling; try again in a moment",
            ErrorKind::TooLarge(_) => "this may be another kind of server; check the address",
            ErrorKind::Unusable(_) => "whoever made the NFT chose what lies there",
        }
    }
}

impl ApiError {
    /// One sentence for a person that leaves the address out, for where there is little room.
    pub fn brief(&self) -> String {
        self.about("the server")
    }

    fn about(&self, url: &str) -> String {
        match &self.kind {
            ErrorKind::Offline { step: Step::Name, .. } => format!("the host of {url} is not known"),
            ErrorKind::Offline { step: Step::Connect, detail } => {
                format!("no connection to {url}: {}", text::clip(detail, 80))
            }
            ErrorKind::Offline { step: Step::Tls, detail } => {
                format!("no secure connection to {url}: {}", text::clip(detail, 80))
            }
            ErrorKind::Offline { detail, .. } => {
                format!("the connection to {url} broke: {}", text::clip(detail, 80))
            }
            ErrorKind::Timeout(after) => format!("no answer from {url} within {} s", after.as_secs_f32()),
            ErrorKind::RateLimited(Some(after)) if after.as_secs() <= LONGEST_WAIT => {
                format!("{url} is rate limited for {} s", after.as_secs())
            }
            ErrorKind::RateLimited(Some(_)) => format!("{url} is rate limited for more than a day"),
            ErrorKind::RateLimited(None) => format!("{url} is rate limited"),
            ErrorKind::NotFound(sentence) | ErrorKind::Untracked(sentence) => {
                format!("not found: {}", text::clip(sentence, 160))
            }
            ErrorKind::NoRoute(sentence) => format!("there is no route: {}", text::clip(sentence, 160)),
            ErrorKind::UnsafeRoute(sentence) => {
                format!("the router keeps the route back as unsafe: {}", text::clip(sentence, 160))
            }
            ErrorKind::Rejected { status, sentence } => {
                format!("the server refused ({status}): {}", text::clip(sentence, 160))
            }
            ErrorKind::BadShape { path, detail } => {
                format!("the answer of {url} has another form at {path}: {}", text::clip(detail, 120))
            }
            ErrorKind::NotJson { content_type } => {
                format!("{url} answered with {} instead of JSON", text::clip(content_type, 40))
            }
            ErrorKind::Server { status, sentence } => {
                format!("{url} failed ({status}): {}", text::clip(sentence, 120))
            }
            ErrorKind::NotIndexedYet { oldest } => {
                format!("not indexed yet: so far the index goes down to block {}", text::group(oldest.get()))
            }
            ErrorKind::NoRouter => "no routing API is known for this network".to_owned(),
            ErrorKind::Unusable(sentence)
            | ErrorKind::Unreadable(sentence)
            | ErrorKind::Node(sentence)
            | ErrorKind::NodeNotYet(sentence)
            | ErrorKind::Notice(sentence) => text::clip(sentence, 200),
            ErrorKind::TooLarge(limit) => format!("the answer of {url} is larger than {} MiB", limit >> 20),
        }
    }
}

impl fmt::Display for ApiError {
    /// One sentence for a person, without the next step.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.about(&text::clip(&self.url, 120)))
    }
}

impl std::error::Error for ApiError {}
