//! Transport errors and HTTP statuses as `wire::ErrorKind`.

use std::{error::Error, io, time::Duration};

use jiff::fmt::rfc2822;
use reqwest::{StatusCode, header::HeaderMap};

use crate::{
    domain::{Height, Timestamp, text::clip},
    wire::{ApiError, ErrorKind, Step},
};

/// Columns of a server's sentence that are kept.
const SENTENCE_WIDTH: usize = 300;

/// A failed try, and the patience the server asked for with it.
pub(super) struct FailedTry {
    pub(super) error: ApiError,
    pub(super) retry_after: Option<Duration>,
}

/// What a transport error means; `encrypted` tells a broken handshake from a broken connection.
pub(super) fn classify_transport(error: &reqwest::Error, encrypted: bool) -> ErrorKind {
    let detail = innermost(error);
    let step = if error.is_dns() {
        Step::Name
    } else if !error.is_connect() {
        Step::Answer
    } else if encrypted && is_handshake(error) {
        Step::Tls
    } else {
        Step::Connect
    };
    ErrorKind::Offline { step, detail }
}

/// The words of the deepest cause: the outer ones only repeat the address.
fn innermost(error: &reqwest::Error) -> String {
    let mut cause: &dyn Error = error;
    while let Some(source) = cause.source() {
        cause = source;
    }
    cause.to_string()
}

/// Whether an encrypted connection opened and then broke: TLS libraries report that as bad data or an early end.
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
    // No socket error underneath: the connection was there and what ran over it failed.
    true
}

/// What a status other than success means, with the server's sentence.
pub(super) fn classify_status(status: StatusCode, headers: &HeaderMap, body: &[u8], now: Timestamp) -> ErrorKind {
    let code = status.as_u16();
    if let (503, Some(oldest)) = (code, oldest_height(headers)) {
        return ErrorKind::NotIndexedYet { oldest };
    }
    match code {
        404 if is_web_page(headers, body) => ErrorKind::NotJson { content_type: content_type(headers) },
        // A missing route is no missing block: the address is wrong, or the server is of another version.
        404 if body.starts_with(b"Cannot GET") => ErrorKind::Rejected { status: 404, sentence: sentence(status, body) },
        404 => ErrorKind::NotFound(sentence(status, body)),
        429 => ErrorKind::RateLimited(retry_after(headers, now)),
        500.. => ErrorKind::Server { status: code, sentence: reason_or_sentence(status, headers, body) },
        300..400 => ErrorKind::Rejected { status: code, sentence: redirection(headers) },
        _ => ErrorKind::Rejected { status: code, sentence: reason_or_sentence(status, headers, body) },
    }
}

/// The lowest block that an index holds while it fills; servers that index upwards never say it.
fn oldest_height(headers: &HeaderMap) -> Option<Height> {
    Height::new(headers.get("x-oldest-height")?.to_str().ok()?.parse().ok()?)
}

/// How long the server asks to wait: seconds or a date.
pub(super) fn retry_after(headers: &HeaderMap, now: Timestamp) -> Option<Duration> {
    let text = headers.get("retry-after")?.to_str().ok()?.trim();
    if let Ok(seconds) = text.parse() {
        return Some(Duration::from_secs(seconds));
    }
    let date = rfc2822::parse(text).ok()?;
    let at = Timestamp::from_nanos(date.timestamp().as_nanosecond());
    Some(at.since(now))
}

/// The media type as it was sent, without parameters; empty when there was none.
pub(super) fn content_type(headers: &HeaderMap) -> String {
    let value = headers.get("content-type").and_then(|value| value.to_str().ok()).unwrap_or_default();
    value.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}

/// The kind of a successful answer that is no JSON; `None` when it looks like JSON.
pub(super) fn reject_other_media(content_type: &str, body: &[u8]) -> Option<ErrorKind> {
    let is_json_start = matches!(body.trim_ascii_start().first(), Some(b'{' | b'['));
    if is_json_start && content_type != "text/html" {
        return None;
    }
    let claimed = match (body.is_empty(), content_type) {
        (true, _) => "an empty answer",
        (false, "") => "something unnamed",
        (false, "application/json") => "a bare value",
        (false, other) => other,
    };
    Some(ErrorKind::NotJson { content_type: claimed.to_owned() })
}

/// Whether the body is for a browser.
pub(super) fn is_web_page(headers: &HeaderMap, body: &[u8]) -> bool {
    content_type(headers) == "text/html" || body.trim_ascii_start().starts_with(b"<")
}

/// The server's words, on one line and clipped; without any, those of the status.
pub(super) fn sentence(status: StatusCode, body: &[u8]) -> String {
    let start = &body[..body.len().min(4 * SENTENCE_WIDTH)];
    let text = clip(String::from_utf8_lossy(start).trim(), SENTENCE_WIDTH);
    if text.is_empty() { reason(status) } else { text }
}

/// The same; of a web page the words of the status.
pub(super) fn reason_or_sentence(status: StatusCode, headers: &HeaderMap, body: &[u8]) -> String {
    if is_web_page(headers, body) { reason(status) } else { sentence(status, body) }
}

fn reason(status: StatusCode) -> String {
    status.canonical_reason().unwrap_or("no reason given").to_owned()
}

/// Where a redirection that was not followed leads.
pub(super) fn redirection(headers: &HeaderMap) -> String {
    let target = headers.get("location").and_then(|value| value.to_str().ok()).unwrap_or("nowhere");
    format!("it redirects to {}", clip(target, 200))
}
