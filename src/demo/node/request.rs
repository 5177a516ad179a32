//! Requests to the node's interfaces.

use crate::indexer::http::QueryString;

#[derive(Debug)]
pub(super) struct NodeRequest {
    pub(super) is_post: bool,
    /// Decoded path segments, without the interface's prefix.
    pub(super) parts: Vec<String>,
    pub(super) query: QueryString,
    /// Height of a state query, as the client sent it.
    pub(super) height: Option<String>,
    pub(super) body: Vec<u8>,
}

impl NodeRequest {
    /// Returns the path segments after the interface's prefix.
    pub(super) fn path(&self) -> Vec<&str> {
        self.parts.iter().map(String::as_str).collect()
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Interface {
    Rpc,
    Rest,
    JsonRpc,
    Executor,
}
