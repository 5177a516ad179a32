//! Failures of requests to a node, classified.

use std::{sync::Arc, time::Duration};

use alloy_primitives::hex;
use reqwest::{StatusCode, header::HeaderMap};
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::addresses::NodeInterface;
use crate::{
    client::{
        failure::{classify_status, is_web_page, sentence},
        transport::ReceivedBody,
    },
    domain::{
        Height, Timestamp,
        text::{self, Foreign},
    },
    wire::{
        ApiError, ErrorKind,
        node::{AbciAnswer, GrpcError, JsonRpcAnswer, RpcAnswer, RpcRefusal},
    },
};

/// Maximum bytes of a body that can be a refusal.
const LONGEST_REFUSAL: usize = 16 * 1024;

/// Maximum columns of a refusal in a sentence.
const REFUSAL: usize = 300;

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NodeError {
    /// The request failed, or the response is invalid.
    #[error("{}", .0.about("the node"))]
    Api(ApiError),
    /// The height is above the node's newest block, which has this height.
    #[error("the node's newest block is {0}")]
    AboveTip(Height),
    #[error("the node has only part of block {0} yet")]
    NotYet(Height),
    /// The node does not yet have, or no longer has, the block's results or state.
    #[error("the node has no results of this block")]
    NoResults,
    /// The node keeps no results but those of its newest block.
    #[error(
        "the node is not persisting the results of blocks; set discard_abci_responses = false in its config.toml, or use another node"
    )]
    DiscardsResults,
    /// The height is below the node's oldest block, which has this height.
    #[error("the node's oldest block is {0}")]
    Pruned(Height),
    /// The node has no block in the requested range; the bounds are clamped to the node's blocks.
    #[error("the node has no block in the range {lowest} to {highest}")]
    NoHeights {
        /// Requested height, or the height of the node's oldest block.
        lowest: Height,
        /// Requested height, or the height of the node's newest block.
        highest: Height,
    },
    /// The node's index of transactions lacks the hash.
    #[error("the node knows no such transaction")]
    UnknownTx,
    #[error("the node's block {0} changed")]
    Changed(Height),
    /// The JSON-RPC has another block at this height than the RPC.
    #[error("the node's JSON-RPC has another block {0} than its RPC")]
    OtherHead(Height),
    /// The node sent fewer transactions than the block has.
    #[error("the node sent {found} of {expected} transactions of block {height}")]
    Cut { height: Height, expected: usize, found: usize },
    /// The JSON-RPC lists transactions of a block but no receipts: behind a load balancer, one node may lag.
    #[error("the node's JSON-RPC lists {} of block {height}, but sends no receipts", text::count(*txs, "transaction"))]
    NoReceipts { height: Height, txs: usize },
    /// The node's state has no such record.
    #[error("the node has no such record")]
    NoRecord,
    /// Unknown method or query.
    #[error("the node does not support this request")]
    NoMethod,
    #[error("rollscope found no {0} of the node")]
    Missing(NodeInterface),
    /// The application or the virtual machine refused the request with this message.
    #[error("the node rejected the request: {}", .sentence.clipped(REFUSAL))]
    Refused { sentence: Foreign, url: Arc<str> },
}

impl NodeError {
    /// Whether a later retry of the unchanged request may succeed.
    pub fn is_transient(&self) -> bool {
        match self {
            Self::Api(error) => error.is_transient(),
            Self::AboveTip(_)
            | Self::NotYet(_)
            | Self::NoResults
            | Self::NoHeights { .. }
            | Self::Changed(_)
            | Self::OtherHead(_)
            | Self::Cut { .. }
            | Self::NoReceipts { .. } => true,
            Self::Pruned(_)
            | Self::DiscardsResults
            | Self::UnknownTx
            | Self::NoRecord
            | Self::NoMethod
            | Self::Missing(_)
            | Self::Refused { .. } => false,
        }
    }

    /// Whether the node answers, but not with what it should have of the block.
    pub(super) fn is_of_one_block(&self) -> bool {
        matches!(self, Self::NoResults | Self::AboveTip(_) | Self::NotYet(_) | Self::Cut { .. } | Self::Changed(_))
    }

    /// Converts to the error type of the other clients; `url` is the node's URL.
    pub fn into_api_error(self, url: &str) -> ApiError {
        match self {
            Self::Api(error) => error,
            error => {
                let kind = if error.is_transient() { ErrorKind::NodeNotYet } else { ErrorKind::Node };
                ApiError { kind: kind(error.to_string()), url: url.into(), body: None }
            }
        }
    }

    /// Whether the node understood the request and refused it permanently, so that a retry is useless.
    pub fn is_refusal(&self) -> bool {
        match self {
            Self::Refused { .. } | Self::NoMethod | Self::NoRecord => true,
            Self::Api(ApiError {
                kind: ErrorKind::NotFound(_) | ErrorKind::Rejected { .. } | ErrorKind::Server { status: 501, .. },
                body: Some(body),
                ..
            }) => GrpcError::read(body.as_bytes()).is_some_and(|error| !error.is_passing()),
            _ => false,
        }
    }

    /// Whether the answer came and cannot be read.
    pub fn is_malformed(&self) -> bool {
        matches!(self, Self::Api(ApiError { kind: ErrorKind::BadShape { .. } | ErrorKind::NotJson { .. }, .. }))
    }

    /// Whether a smaller batch may succeed.
    pub(super) fn may_be_of_size(&self) -> bool {
        match self {
            Self::Refused { .. } => true,
            Self::Api(error) => matches!(error.kind, ErrorKind::TooLarge(_) | ErrorKind::Rejected { .. }),
            _ => false,
        }
    }

    pub fn pause(&self) -> Option<Duration> {
        match self {
            Self::Api(ApiError { kind: ErrorKind::RateLimited(pause), .. }) => *pause,
            _ => None,
        }
    }

    /// Classifies a failed request.
    pub(super) fn of(error: ApiError) -> Self {
        let body = error.body.as_deref().unwrap_or_default();
        let refusal = serde_json::from_str::<RpcAnswer<Value>>(body).ok().and_then(|answer| answer.error);
        if let Some(refusal) = refusal {
            return Self::refused(refusal.refusal(), &error.url);
        }
        let says_height = |kind: &ErrorKind| matches!(kind, ErrorKind::Rejected { status: 400, sentence } if sentence.as_received().contains("invalid height"));
        // REST has several messages for a height that the node does not have.
        if says_height(&error.kind) { Self::NoResults } else { Self::Api(error) }
    }

    pub(super) fn refused(refusal: RpcRefusal, url: &Arc<str>) -> Self {
        match refusal {
            RpcRefusal::AboveTip(tip) => Self::AboveTip(tip),
            RpcRefusal::NoResults => Self::NoResults,
            RpcRefusal::DiscardsResults => Self::DiscardsResults,
            RpcRefusal::UnknownTx => Self::UnknownTx,
            RpcRefusal::Pruned(lowest) => Self::Pruned(lowest),
            RpcRefusal::NoHeights { lowest, highest } => Self::NoHeights { lowest, highest },
            RpcRefusal::Other(sentence) => Self::Refused { sentence, url: Arc::clone(url) },
        }
    }

    /// Creates the error for a response with neither a result nor an error.
    pub(super) fn empty(url: &Arc<str>) -> Self {
        let detail = "the response has neither a result nor an error".to_owned();
        let kind = ErrorKind::BadShape { path: "result".to_owned(), detail };
        Self::Api(ApiError { kind, url: Arc::clone(url), body: None })
    }

    pub(super) fn shape(error: &serde_json::Error, url: &Arc<str>) -> Self {
        let path = format!("line {} column {}", error.line(), error.column());
        let kind = ErrorKind::BadShape { path, detail: error.to_string() };
        Self::Api(ApiError { kind, url: Arc::clone(url), body: None })
    }

    pub(super) fn cut(height: Height, expected: usize, found: usize) -> Self {
        Self::Cut { height, expected, found }
    }
}

/// Classifies an error status. A refusal in the node's own JSON format counts as an answer at any status.
pub(super) fn classify(status: StatusCode, headers: &HeaderMap, body: &[u8], now: Timestamp) -> ErrorKind {
    let code = status.as_u16();
    if matches!(code, 429 | 503) || is_web_page(headers, body) {
        return classify_status(status, headers, body, now);
    }
    if let Some(error) = serde_json::from_slice::<RpcAnswer<Value>>(body).ok().and_then(|answer| answer.error) {
        let words = if error.data.is_empty() { error.message } else { error.data };
        return ErrorKind::Rejected { status: code, sentence: sentence(status, words.as_received().as_bytes()).into() };
    }
    match GrpcError::read(body) {
        Some(error) if error.code == GrpcError::NOT_FOUND => {
            ErrorKind::NotFound(sentence(status, error.message.as_received().as_bytes()).into())
        }
        Some(error) => ErrorKind::Rejected {
            status: code,
            sentence: sentence(status, error.message.as_received().as_bytes()).into(),
        },
        None => classify_status(status, headers, body, now),
    }
}

/// Detects a refusal that a gateway sent with HTTP 200: the body contains only the error.
pub(super) fn not_refused(received: ReceivedBody) -> Result<ReceivedBody, NodeError> {
    let refusal = (received.body.len() < LONGEST_REFUSAL).then(|| GrpcError::read_alone(&received.body)).flatten();
    let Some(refusal) = refusal else { return Ok(received) };
    let words = sentence(StatusCode::OK, refusal.message.as_received().as_bytes());
    let kind = match refusal.code {
        GrpcError::NOT_FOUND => ErrorKind::NotFound(words.into()),
        _ => ErrorKind::Rejected { status: StatusCode::OK.as_u16(), sentence: words.into() },
    };
    let body = Some(String::from_utf8_lossy(&received.body).into());
    Err(NodeError::Api(ApiError { kind, url: received.url, body }))
}

/// Whether REST failed because it could not decode a transaction.
pub(super) fn undecodable(error: &NodeError) -> bool {
    // A gRPC error with HTTP 500 comes from the node, not from a gateway or rate limit.
    matches!(error, NodeError::Api(ApiError { kind: ErrorKind::Rejected { status: 500, .. }, .. }))
}

/// Returns the result of a JSON-RPC call; `None` for null.
pub(super) fn json_rpc_result<T: DeserializeOwned>(
    answer: &JsonRpcAnswer,
    url: &Arc<str>,
) -> Result<Option<T>, NodeError> {
    if answer.is_method_missing() {
        return Err(NodeError::NoMethod);
    }
    if let Some(error) = &answer.error {
        return Err(NodeError::refused(error.refusal(), url));
    }
    let Some(result) = &answer.result else { return Ok(None) };
    serde_json::from_str(result.get()).map_err(|error| NodeError::shape(&error, url))
}

/// Returns the return data of a contract call; `None` for a revert.
pub(super) fn call_result(answer: &JsonRpcAnswer, url: &Arc<str>) -> Result<Option<Vec<u8>>, NodeError> {
    if answer
        .error
        .as_ref()
        .is_some_and(|error| is_revert(&format!("{} {}", error.message.as_received(), error.data.as_received())))
    {
        return Ok(None);
    }
    let text: Option<String> = json_rpc_result(answer, url)?;
    let bytes = text.as_deref().and_then(|text| hex::decode(text.strip_prefix("0x")?).ok());
    bytes.map(Some).ok_or_else(|| NodeError::empty(url))
}

/// The virtual machine's messages for a revert. Other messages concern the request: a missing height, or too many
/// requests.
const GAVE_UP: [&str; 8] = [
    "revert",
    "evmcall failed",
    "out of gas",
    "invalid opcode",
    "invalid jump",
    "stack underflow",
    "gas uint64 overflow",
    "write protection",
];

fn is_revert(words: &str) -> bool {
    let words = words.to_ascii_lowercase();
    GAVE_UP.iter().any(|known| words.contains(known))
}

/// The SDK's error for a record that the state lacks.
const KEY_NOT_FOUND: (&str, u32) = ("sdk", 22);

/// Classifies an error that the application returned for a query.
pub(super) fn of_application(answer: &AbciAnswer, url: &Arc<str>) -> NodeError {
    if answer.log.as_received().contains("unknown query path") || answer.log.as_received().contains("unknown service") {
        return NodeError::NoMethod;
    }
    if answer.log.as_received().contains("invalid height")
        || answer.log.as_received().contains("failed to load state at height")
    {
        return NodeError::NoResults;
    }
    if (answer.codespace.as_received(), answer.code) == KEY_NOT_FOUND {
        return NodeError::NoRecord;
    }
    let sentence = format!("{} {}: {}", answer.codespace.as_received(), answer.code, answer.log.as_received());
    NodeError::Refused { sentence: sentence.into(), url: Arc::clone(url) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_there_yet_is_told_from_what_never_will_be() {
        let height = Height::FIRST;
        for (error, is_transient) in [
            (NodeError::AboveTip(height), true),
            (NodeError::NotYet(height), true),
            (NodeError::NoResults, true),
            (NodeError::Changed(height), true),
            (NodeError::Cut { height, expected: 2, found: 1 }, true),
            (NodeError::Pruned(height), false),
            (NodeError::NoMethod, false),
            (NodeError::NoRecord, false),
            (NodeError::Missing(NodeInterface::Rest), false),
        ] {
            assert_eq!(error.is_transient(), is_transient, "{error}");
            let told = error.clone().into_api_error("http://127.0.0.1:1");
            assert_eq!(told.is_transient(), is_transient, "{error}");
            assert_eq!(told.brief(), error.to_string());
        }
    }
}
