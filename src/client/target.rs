//! Target of a request, meaning of its failures, and retry policy.

use std::sync::Arc;

use serde::Serialize;

use super::answer_meter::AnswerMeter;
use crate::{
    domain::{Denom, Height, text::Foreign},
    wire::{ApiError, ErrorKind},
};

/// Endpoint with its parameters: a target, and the conversion of the wire response `W` into `T`.
pub struct Endpoint<W, T = W> {
    pub(super) target: RequestTarget,
    pub(super) value: fn(W) -> T,
}

#[derive(Clone, Debug)]
pub struct RequestTarget {
    /// Path and query below the server's base URL, percent-encoded.
    pub path: String,
    /// JSON body of a POST, or the encoding error.
    pub(super) json: Option<Result<String, String>>,
    /// Whether the body replaces what is at the path: a PUT.
    pub(super) replaces: bool,
    pub(super) retry_policy: RetryPolicy,
    /// Whether the server computes every response; the timeout is then 1.5 times as long.
    pub(super) is_thorough: bool,
    pub(super) failures: Failures,
    /// Height of a node's state query; `None` for the newest state.
    pub(super) at: Option<Height>,
    /// Meter of the record for which the request is made.
    pub(super) meter: Option<Arc<AnswerMeter>>,
}

#[derive(Clone, Debug)]
pub(super) enum Failures {
    Plain,
    /// A not-found response has this error kind.
    NotFoundAs(fn(Foreign) -> ErrorKind),
    /// The real server has its own message for a denom unknown to the chain.
    UnknownDenom(Denom),
}

impl<W, T> From<Endpoint<W, T>> for RequestTarget {
    fn from(endpoint: Endpoint<W, T>) -> Self {
        endpoint.target
    }
}

impl RequestTarget {
    pub(super) fn get(path: impl Into<String>) -> Self {
        Self {
            path: path.into(),
            json: None,
            replaces: false,
            retry_policy: RetryPolicy::Transient,
            is_thorough: false,
            failures: Failures::Plain,
            at: None,
            meter: None,
        }
    }

    pub(super) fn post(path: &str, body: &impl Serialize) -> Self {
        let json = serde_json::to_string(body).map_err(|error| error.to_string());
        Self { json: Some(json), ..Self::get(path) }
    }

    pub(super) fn put(path: &str, body: &impl Serialize) -> Self {
        Self { replaces: true, ..Self::post(path, body) }
    }

    pub(super) fn thorough(self) -> Self {
        Self { is_thorough: true, ..self }
    }

    pub(super) fn retried(self, retry_policy: RetryPolicy) -> Self {
        Self { retry_policy, ..self }
    }

    pub(super) fn failing(self, failures: Failures) -> Self {
        Self { failures, ..self }
    }

    pub(super) fn read_as<W>(self) -> Endpoint<W> {
        Endpoint { target: self, value: |answer| answer }
    }

    pub(super) fn read_by<W, T>(self, value: fn(W) -> T) -> Endpoint<W, T> {
        Endpoint { target: self, value }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RetryPolicy {
    Transient,
    /// Does not retry HTTP 5xx, which may be the real server's permanent failure on this list; the caller has a
    /// workaround.
    NotServerErrors,
    /// Does not retry client timeouts: the real server may work for a minute on every attempt.
    NotTimeouts,
    /// Does not retry data that is not indexed yet: the caller accepts a partial list.
    NotUnindexed,
    /// Never retries: the action is not idempotent, or the caller has its own schedule.
    Never,
}

impl Failures {
    /// Converts an error to its meaning at this endpoint.
    pub(super) fn name(&self, error: ApiError) -> ApiError {
        match (self, error.kind) {
            (Self::NotFoundAs(kind), ErrorKind::NotFound(sentence)) => ApiError { kind: kind(sentence), ..error },
            // See `docs/apis/indexer.md` §1.2.
            (Self::UnknownDenom(denom), ErrorKind::Rejected { status: 400, sentence })
                if sentence.as_received().starts_with("exhausted all endpoints")
                    && sentence.as_received().contains("HTTP 404") =>
            {
                let denom = crate::domain::text::clip(denom.as_str(), 80);
                let kind = ErrorKind::NotFound(format!("the chain does not know the token “{denom}”").into());
                ApiError { kind, ..error }
            }
            (_, kind) => ApiError { kind, ..error },
        }
    }
}
