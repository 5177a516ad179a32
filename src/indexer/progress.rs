//! How far the follower of a node is, as a value that others show.

use crate::domain::Height;

/// How far a follower of a node is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NodeProgress {
    /// The node's newest block; `None` before its first answer.
    pub tip: Option<Height>,
    /// The oldest block that can be had, or is wanted.
    pub floor: Option<Height>,
    /// Whether the node itself is behind its chain.
    pub is_catching_up: bool,
    /// Whether the newest blocks are in.
    pub is_at_tip: bool,
    /// Older blocks that are still to come.
    pub missing: u64,
    /// Older blocks that come in a minute; `None` until that was measured, and when none are missing.
    pub blocks_per_minute: Option<u64>,
    /// What is wrong at the moment, as a sentence.
    pub trouble: Option<String>,
    /// What happened to what was kept, the newest last: blocks that were taken back, another chain.
    pub notes: Vec<String>,
}
