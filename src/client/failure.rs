//! Conversion of transport errors and HTTP statuses to `wire::ErrorKind`.

use std::{error::Error, io, time::Duration};

use jiff::fmt::rfc2822;
use reqwest::{StatusCode, header::HeaderMap};

use crate::{
    domain::{Height, Timestamp, text::clip},
    wire::{ApiError, ErrorKind, Step},
};

/// Maximum width of a server's message, in terminal columns.
const SENTENCE_WIDTH: usize = 300;

/// Failed attempt, with the server's `Retry-After`.
pub(super) struct FailedTry {
    pub(super) error: ApiError,
    pub(super) retry_after: Option<Duration>,
}

/// Classifies a transport error; `encrypted` distinguishes a failed handshake from a broken connection.
pub(super) fn classify_transport(error: &reqwest::Error, encrypted: bool) -> ErrorKind {
    let detail = innermost(error);
    let step = if error.is_dns() {
        Step::Name
    } else if is_undecodable(error) {
        Step::Shape
    } else if !error.is_connect() {
        Step::Answer
    } else if encrypted && is_handshake(error) {
        Step::Tls
    } else {
        Step::Connect
    };
    ErrorKind::Offline { step, detail }
}

/// Whether the body arrived, but its compression is invalid.
fn is_undecodable(error: &reqwest::Error) -> bool {
    let mut cause = error.source().filter(|_| error.is_decode());
    while let Some(source) = cause {
        if let Some(io) = source.downcast_ref::<io::Error>() {
            return matches!(io.kind(), io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput);
        }
        cause = source.source();
    }
    false
}

/// Returns the message of the deepest cause: the outer messages only repeat the URL.
fn innermost(error: &reqwest::Error) -> String {
    let mut cause: &dyn Error = error;
    while let Some(source) = cause.source() {
        cause = source;
    }
    cause.to_string()
}

/// Whether the TLS handshake failed, as opposed to a connection that opened and broke: TLS libraries report a break as
/// bad data or an early end.
fn is_handshake(error: &reqwest::Error) -> bool {
    let mut cause = error.source();
    while let Some(source) = cause {
        if let Some(io) = source.downcast_ref::<io::Error>() {
            return matches!(
                io.kind(),
                io::ErrorKind::InvalidData
                    | io::ErrorKind::InvalidInput
                    | io::ErrorKind::UnexpectedEof
                    | io::ErrorKind::Other
            );
        }
        cause = source.source();
    }
    // Without a socket error the connection was open, and the protocol above it failed.
    true
}

/// Classifies an error status and keeps the server's message.
pub(super) fn classify_status(status: StatusCode, headers: &HeaderMap, body: &[u8], now: Timestamp) -> ErrorKind {
    let code = status.as_u16();
    if let (503, Some(oldest)) = (code, oldest_height(headers)) {
        return ErrorKind::NotIndexedYet { oldest };
    }
    match code {
        404 if is_web_page(headers, body) => ErrorKind::NotJson { content_type: content_type(headers).into() },
        // A missing path is not a missing block: the URL is wrong, or the server has another version.
        404 if body.starts_with(b"Cannot GET") => {
            ErrorKind::Rejected { status: 404, sentence: sentence(status, body).into() }
        }
        404 => ErrorKind::NotFound(sentence(status, body).into()),
        429 => ErrorKind::RateLimited(retry_after(headers, now)),
        500.. => ErrorKind::Server { status: code, sentence: reason_or_sentence(status, headers, body).into() },
        300..400 => ErrorKind::Rejected { status: code, sentence: redirection(headers).into() },
        _ => ErrorKind::Rejected { status: code, sentence: reason_or_sentence(status, headers, body).into() },
    }
}

/// Returns the lowest block of an index that is still filling. Servers that index upwards never send the header.
fn oldest_height(headers: &HeaderMap) -> Option<Height> {
    Height::new(headers.get("x-oldest-height")?.to_str().ok()?.parse().ok()?)
}

/// Parses `Retry-After`: seconds or a date.
pub(super) fn retry_after(headers: &HeaderMap, now: Timestamp) -> Option<Duration> {
    let text = headers.get("retry-after")?.to_str().ok()?.trim();
    if let Ok(seconds) = text.parse() {
        return Some(Duration::from_secs(seconds));
    }
    let date = rfc2822::parse(text).ok()?;
    let at = Timestamp::from_nanos(date.timestamp().as_nanosecond());
    Some(at.since(now))
}

/// Returns the media type as received, without parameters; empty if missing.
pub(super) fn content_type(headers: &HeaderMap) -> String {
    let value = headers.get("content-type").and_then(|value| value.to_str().ok()).unwrap_or_default();
    value.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}

/// Classifies a successful response that is not JSON; `None` if it looks like JSON.
pub(super) fn reject_other_media(content_type: &str, body: &[u8]) -> Option<ErrorKind> {
    let is_json_start = matches!(body.trim_ascii_start().first(), Some(b'{' | b'['));
    if is_json_start && content_type != "text/html" {
        return None;
    }
    let claimed = match (body.is_empty(), content_type) {
        (true, _) => "an empty response",
        (false, "") => "data of unknown type",
        (false, "application/json") => "a bare JSON value",
        (false, other) => other,
    };
    Some(ErrorKind::NotJson { content_type: claimed.into() })
}

pub(super) fn is_web_page(headers: &HeaderMap, body: &[u8]) -> bool {
    content_type(headers) == "text/html" || body.trim_ascii_start().starts_with(b"<")
}

/// Returns the server's message on one line, clipped; the status text if the body has no message.
pub(super) fn sentence(status: StatusCode, body: &[u8]) -> String {
    let start = body.get(..4 * SENTENCE_WIDTH).unwrap_or(body);
    let text = clip(String::from_utf8_lossy(start).trim(), SENTENCE_WIDTH);
    if text.is_empty() { reason(status) } else { text }
}

/// Returns the server's message; the status text for a web page.
pub(super) fn reason_or_sentence(status: StatusCode, headers: &HeaderMap, body: &[u8]) -> String {
    if is_web_page(headers, body) { reason(status) } else { sentence(status, body) }
}

fn reason(status: StatusCode) -> String {
    status.canonical_reason().unwrap_or("no reason given").to_owned()
}

/// Returns the target of a redirect that was not followed.
pub(super) fn redirection(headers: &HeaderMap) -> String {
    let target = headers.get("location").and_then(|value| value.to_str().ok()).unwrap_or("nowhere");
    format!("redirect to {}", clip(target, 200))
}
