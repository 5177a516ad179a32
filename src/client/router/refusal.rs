//! What the routing API's failures mean.

use reqwest::{StatusCode, header::HeaderMap};

use crate::{
    client::failure::{content_type, is_web_page, reason_or_sentence, redirection, retry_after, sentence},
    domain::Timestamp,
    wire::{ErrorKind, router::Refusal},
};

/// What a status other than success means, with the router's sentence from whichever field has it.
pub(super) fn classify(status: StatusCode, headers: &HeaderMap, body: &[u8], now: Timestamp) -> ErrorKind {
    let code = status.as_u16();
    let refusal = Refusal::read(body).filter(|_| !is_web_page(headers, body)).unwrap_or_default();
    let said = || match refusal.sentence.as_str() {
        "" => reason_or_sentence(status, headers, body),
        text => sentence(status, text.as_bytes()),
    };
    match code {
        429 => ErrorKind::RateLimited(retry_after(headers, now)),
        _ if !refusal.info.is_empty() => ErrorKind::Notice(sentence(status, refusal.info.as_bytes())),
        _ if refusal.is_unsafe() => ErrorKind::UnsafeRoute(said()),
        _ if refusal.is_no_route() => ErrorKind::NoRoute(said()),
        404 if is_web_page(headers, body) => ErrorKind::NotJson { content_type: content_type(headers) },
        // Without a sentence in JSON it is the address that is not there, not what was asked for.
        404 if refusal.sentence.is_empty() || refusal.sentence.starts_with("Cannot ") => {
            ErrorKind::Rejected { status: code, sentence: said() }
        }
        404 => ErrorKind::NotFound(said()),
        500.. => ErrorKind::Server { status: code, sentence: said() },
        300..400 => ErrorKind::Rejected { status: code, sentence: redirection(headers) },
        _ => ErrorKind::Rejected { status: code, sentence: said() },
    }
}
