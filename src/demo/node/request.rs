//! A request to one of the node's interfaces.

use crate::indexer::http::QueryString;

#[derive(Debug)]
pub(super) struct NodeRequest {
    pub(super) is_post: bool,
    /// Decoded path segments below the interface's own path.
    pub(super) parts: Vec<String>,
    pub(super) query: QueryString,
    /// Height of a state query, as received.
    pub(super) height: Option<String>,
    pub(super) body: Vec<u8>,
}

impl NodeRequest {
    /// Returns the path below the interface's own.
    pub(super) fn path(&self) -> Vec<&str> {
        self.parts.iter().map(String::as_str).collect()
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Interface {
    Rpc,
    Rest,
    JsonRpc,
    /// API of the bridge executor, served beside the node.
    Executor,
}
