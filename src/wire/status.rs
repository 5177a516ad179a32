use serde::{Deserialize, Serialize};

use super::scalar::number;
use crate::domain::Height;

/// Answer of `GET /status` (`docs/apis/indexer.md` §4). Heights are JSON numbers here.
///
/// The real server omits optional heights that are 0.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Status {
    /// Indexer software version; `dev` when not set at build.
    #[serde(default)]
    pub version: String,
    #[serde(default)]
    pub commit_hash: String,
    pub chain_id: String,
    /// Newest indexed block.
    #[serde(with = "number")]
    pub height: Height,
    /// Newest block with indexed call frames.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub internal_tx_height: Option<u64>,
    /// Newest block counted into the rich list.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rich_list_height: Option<u64>,
    /// Progress of the real server's cleanup of EVM return values.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evm_ret_cleanup_height: Option<u64>,
    /// Counts down to 0 while the real server rewrites account memberships; -1 before it starts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tx_account_cleanup_sequence: Option<i64>,
    /// Memberships deleted so far; -1 before it starts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tx_account_cleanup_deleted: Option<i64>,
    /// Memberships inserted so far; -1 before it starts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tx_account_cleanup_inserted: Option<i64>,
    /// Lowest indexed block; missing once the index is complete down to the chain's first block. Not on the real
    /// server, which indexes upwards.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub oldest_height: Option<u64>,
    /// Whether the index is complete as far as it will be kept; beside [`Status::oldest_height`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub is_complete: Option<bool>,
    /// State of the node that the index follows, if any. Not on the real server.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub node: Option<NodeStatus>,
}

/// Height of a node, and what an index still lacks.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NodeStatus {
    /// Newest block; missing until the node answers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub height: Option<u64>,
    /// Whether the node is syncing.
    #[serde(default)]
    pub is_catching_up: bool,
    /// Older blocks still to be indexed.
    #[serde(default)]
    pub missing_blocks: u64,
    /// Current rate of backfill; missing if unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub blocks_per_minute: Option<u64>,
    /// Current problem of the node, as a sentence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trouble: Option<String>,
    /// Sentences about stored blocks that the chain reverted or that belong to another chain.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}
