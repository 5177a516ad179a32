//! Progress of a node's follower, and its limits.

use std::time::{Duration, Instant};

use crate::domain::{Height, Timestamp};

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NodeProgress {
    /// Newest block of the node; `None` before its first response.
    pub tip: Option<Height>,
    /// Time of the node's newest block; `None` if unknown.
    pub tip_time: Option<Timestamp>,
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
    /// Start of the current problem, also while its sentence changes.
    pub trouble_since: Option<Instant>,
    /// Sentences about changed blocks, newest last: reverted blocks, another chain.
    pub notes: Vec<String>,
}

impl NodeProgress {
    /// Sets the current problem, or its end.
    pub fn set_trouble(&mut self, trouble: Option<String>) {
        self.trouble_since = trouble.as_ref().map(|_| self.trouble_since.unwrap_or_else(Instant::now));
        self.trouble = trouble;
    }
}

/// Limits beyond which an index is not ready.
#[derive(Clone, Copy, Debug)]
pub struct ReadyLimits {
    /// Time between the newest indexed block and the source's newest block.
    pub lag: Duration,
    /// Duration of a problem of the source.
    pub trouble: Duration,
}

impl Default for ReadyLimits {
    fn default() -> Self {
        Self { lag: Duration::from_secs(30), trouble: Duration::from_secs(60) }
    }
}
