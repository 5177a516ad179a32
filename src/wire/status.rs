use serde::{Deserialize, Serialize};

use super::scalar::number;
use crate::domain::Height;

/// The answer of `GET /status` (`docs/apis/indexer.md` §4). Heights are JSON numbers here.
///
/// Optional heights vanish from the real server's answer while they are 0.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Status {
    /// Indexer software version; `dev` when not set at build.
    #[serde(default)]
    pub version: String,
    /// Build commit.
    #[serde(default)]
    pub commit_hash: String,
    /// Chain identifier.
    pub chain_id: String,
    /// Latest indexed block.
    #[serde(with = "number")]
    pub height: Height,
    /// Latest block whose internal EVM transactions are indexed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub internal_tx_height: Option<u64>,
    /// Latest block counted into the rich list.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rich_list_height: Option<u64>,
    /// How far the real server's clean-up of EVM return values came.
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
    /// The lowest block that is held; absent where that is the chain's first one and nothing is missing. Not on the
    /// real server, which indexes upwards.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub oldest_height: Option<u64>,
    /// Whether the index has all that it is going to keep; beside [`Status::oldest_height`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub is_complete: Option<bool>,
    /// How far the node is that the index follows, where it follows one. Not on the real server.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub node: Option<NodeStatus>,
}

/// How far a node is, and what an index still lacks of it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct NodeStatus {
    /// Its newest block; absent while it has not answered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub height: Option<u64>,
    /// Whether the node itself is behind its chain.
    #[serde(default)]
    pub is_catching_up: bool,
    /// Older blocks that are still to come.
    #[serde(default)]
    pub missing_blocks: u64,
    /// How many of them come in a minute; absent while that is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub blocks_per_minute: Option<u64>,
    /// What is wrong with the node at the moment, as a sentence.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trouble: Option<String>,
    /// What happened to blocks that were kept: taken back by the chain, or of another chain.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}
