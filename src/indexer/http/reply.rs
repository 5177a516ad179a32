use axum::{
    body::Body,
    http::{HeaderName, HeaderValue, Response, StatusCode, header},
};
use serde::Serialize;

use crate::{
    domain::Height,
    indexer::{index::IndexError, json::push_escaped},
};

/// Header with the lowest indexed block, sent if the request needs lower blocks.
const OLDEST_HEIGHT: HeaderName = HeaderName::from_static("x-oldest-height");

/// `Retry-After` in seconds, for data that is not indexed yet.
const PATIENCE: &str = "1";

/// `Retry-After` in seconds, for data that the node refuses.
const LONG_PATIENCE: &str = "60";

/// Part of an index that may be missing while the index fills.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MissingPart {
    /// Blocks below the lowest indexed block.
    Blocks,
    State,
}

/// Error of a request. Each body is a bare sentence, as on the real indexer (`docs/apis/indexer.md` §1.2); errors of
/// another API on the listener differ.
#[derive(Debug, thiserror::Error)]
pub(crate) enum HttpRefusal {
    /// HTTP 400.
    #[error("{0}")]
    Bad(String),
    /// The node does not know the record: HTTP 404, in quirks mode 400.
    #[error("{0}")]
    Node(String),
    /// The name is valid but unknown: HTTP 404, in quirks mode 400.
    #[error("{0}")]
    Unknown(String),
    /// HTTP 404.
    #[error("{0}")]
    NotFound(String),
    /// HTTP 405, with the allowed methods.
    #[error("Method Not Allowed")]
    Method(&'static str),
    /// HTTP 403: forbidden origin.
    #[error("{0}")]
    Forbidden(&'static str),
    /// HTTP 415.
    #[error("the body must be JSON with Content-Type: application/json")]
    MediaType,
    /// HTTP 503: the response needs blocks that are not indexed yet.
    #[error("{}", not_indexed(*what, *oldest))]
    NotIndexedYet {
        what: MissingPart,
        /// Lowest indexed block.
        oldest: Height,
    },
    /// HTTP 503: the node refuses the data, for this reason; the index asks again from time to time.
    #[error("{0}")]
    LeftOut(String),
    /// HTTP 503: the index has no block yet, for this reason.
    #[error("no block is indexed yet: {0}")]
    Empty(String),
    /// HTTP 503: another reader of the index is ahead.
    #[error("block {0} is not in the index yet; try again in a second")]
    Behind(u64),
    /// HTTP 503: the database of the index is away, or ended the query.
    #[error("the database of the index does not answer now; try again in a second")]
    Away,
    /// HTTP 503: too many concurrent requests.
    #[error("{0}")]
    Overloaded(&'static str),
    /// JSON error of another API.
    #[error("{json}")]
    Foreign { status: StatusCode, json: String },
    /// HTTP 500; the response never contains the cause.
    #[error("Internal Server Error")]
    Internal,
}

impl HttpRefusal {
    /// Returns the response for an unknown record in this mode.
    pub(super) fn in_mode(self, quirks: bool) -> Reply {
        let is_unknown = matches!(self, Self::Node(_) | Self::Unknown(_));
        let reply = Reply::from(self);
        if is_unknown && quirks { Reply { status: StatusCode::BAD_REQUEST, ..reply } } else { reply }
    }
}

impl From<IndexError> for HttpRefusal {
    fn from(error: IndexError) -> Self {
        tracing::error!(%error, "a query of the index failed");
        if error.is_interrupted() { Self::Away } else { Self::Internal }
    }
}

fn not_indexed(what: MissingPart, oldest: Height) -> String {
    match what {
        MissingPart::Blocks => {
            format!("the index is still loading older blocks, now down to block {oldest}; try again in a second")
        }
        MissingPart::State => {
            "the index is still reading NFTs and holders from the chain; try again in a second".to_owned()
        }
    }
}

/// Response before it is sent.
#[derive(Clone, Debug)]
pub(crate) struct Reply {
    pub(crate) status: StatusCode,
    pub(crate) content_type: &'static str,
    pub(crate) headers: Vec<(HeaderName, HeaderValue)>,
    /// Whether a request to the node failed that the response requires.
    pub(crate) is_node_failure: bool,
    pub(crate) body: Vec<u8>,
}

impl Reply {
    /// Creates a response from JSON text.
    pub(crate) fn raw(body: Vec<u8>) -> Self {
        Self::of("application/json", body)
    }

    pub(crate) fn of(content_type: &'static str, body: Vec<u8>) -> Self {
        Self { status: StatusCode::OK, content_type, headers: Vec::new(), is_node_failure: false, body }
    }

    pub(crate) fn no_content() -> Self {
        Self { status: StatusCode::NO_CONTENT, ..Self::of("text/plain", Vec::new()) }
    }

    pub(crate) fn moved(location: &'static str) -> Self {
        let status = StatusCode::MOVED_PERMANENTLY;
        let headers = vec![(header::LOCATION, HeaderValue::from_static(location))];
        Self { status, headers, ..Self::of("text/plain; charset=utf-8", Vec::new()) }
    }

    /// Encodes a value as JSON with Go's escapes.
    pub(crate) fn json(value: &impl Serialize) -> Result<Self, HttpRefusal> {
        json(value).map(|text| Self::raw(text.into_bytes()))
    }

    pub(crate) fn into_response(self) -> Response<Body> {
        let mut response = Response::new(Body::from(self.body));
        *response.status_mut() = self.status;
        response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(self.content_type));
        response.headers_mut().extend(self.headers);
        response
    }
}

impl From<HttpRefusal> for Reply {
    fn from(refusal: HttpRefusal) -> Self {
        let mut headers = Vec::new();
        let status = match refusal {
            HttpRefusal::Foreign { status, json } => return Self { status, ..Self::raw(json.into_bytes()) },
            HttpRefusal::Bad(_) => StatusCode::BAD_REQUEST,
            HttpRefusal::NotFound(_) | HttpRefusal::Node(_) | HttpRefusal::Unknown(_) => StatusCode::NOT_FOUND,
            HttpRefusal::Method(allow) => {
                headers.push((header::ALLOW, HeaderValue::from_static(allow)));
                StatusCode::METHOD_NOT_ALLOWED
            }
            HttpRefusal::Forbidden(_) => StatusCode::FORBIDDEN,
            HttpRefusal::MediaType => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            HttpRefusal::NotIndexedYet { oldest, .. } => {
                headers.push((header::RETRY_AFTER, HeaderValue::from_static(PATIENCE)));
                headers.push((OLDEST_HEIGHT, HeaderValue::from(oldest.get())));
                StatusCode::SERVICE_UNAVAILABLE
            }
            HttpRefusal::LeftOut(_) => {
                headers.push((header::RETRY_AFTER, HeaderValue::from_static(LONG_PATIENCE)));
                StatusCode::SERVICE_UNAVAILABLE
            }
            HttpRefusal::Overloaded(_) | HttpRefusal::Empty(_) | HttpRefusal::Behind(_) | HttpRefusal::Away => {
                headers.push((header::RETRY_AFTER, HeaderValue::from_static(PATIENCE)));
                StatusCode::SERVICE_UNAVAILABLE
            }
            HttpRefusal::Internal => StatusCode::INTERNAL_SERVER_ERROR,
        };
        let body = refusal.to_string().into_bytes();
        let is_node_failure = matches!(refusal, HttpRefusal::Node(_));
        Self { status, headers, is_node_failure, ..Self::of("text/plain; charset=utf-8", body) }
    }
}

/// Encodes a value as JSON text with Go's escapes.
pub(crate) fn json(value: &impl Serialize) -> Result<String, HttpRefusal> {
    let text = serde_json::to_string(value).map_err(|_| HttpRefusal::Internal)?;
    let mut escaped = String::with_capacity(text.len());
    push_escaped(&mut escaped, &text);
    Ok(escaped)
}

/// Escapes text for an error body as Go's HTML package does.
pub(crate) fn escape_html(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '&' => escaped.push_str("&amp;"),
            '\'' => escaped.push_str("&#39;"),
            '"' => escaped.push_str("&#34;"),
            other => escaped.push(other),
        }
    }
    escaped
}
