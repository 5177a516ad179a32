//! Progress of a node's follower.

use crate::domain::Height;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NodeProgress {
    /// Newest block of the node; `None` before its first response.
    pub tip: Option<Height>,
    /// Oldest block that is available or wanted.
    pub floor: Option<Height>,
    /// Whether the node is syncing.
    pub is_catching_up: bool,
    /// Whether the newest blocks are indexed.
    pub is_at_tip: bool,
    /// Older blocks still to be indexed.
    pub missing: u64,
    /// Rate of the backfill; `None` until measured, and when complete.
    pub blocks_per_minute: Option<u64>,
    /// Current problem, as a sentence.
    pub trouble: Option<String>,
    /// Events on stored blocks, newest last: reverts, another chain.
    pub notes: Vec<String>,
}
