//! Progress of a node's follower.

use crate::domain::Height;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NodeProgress {
    /// Newest block of the node; `None` before its first response.
    pub tip: Option<Height>,
    /// Oldest available or wanted block.
    pub floor: Option<Height>,
    /// Whether the node is syncing.
    pub is_catching_up: bool,
    /// Whether the newest blocks are indexed.
    pub is_at_tip: bool,
    /// Number of older blocks that are not indexed yet.
    pub missing: u64,
    /// Speed of the backfill in blocks per minute; `None` before the first measurement, and when complete.
    pub blocks_per_minute: Option<u64>,
    /// Current problem, as a sentence; `None` without a problem.
    pub trouble: Option<String>,
    /// Sentences about changed blocks, newest last: reverted blocks, another chain.
    pub notes: Vec<String>,
}
