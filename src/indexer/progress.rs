//! Progress of a node's follower, and its limits.

use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::domain::{Height, Timestamp};

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NodeProgress {
    /// URL of the node in use, if there are several.
    pub node: Option<String>,
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
    /// Sentence about a block whose data contradict the chain's headers.
    pub contradiction: Option<String>,
    /// Time at which the writer of the index stored this; `None` in the writer itself.
    pub stored: Option<Timestamp>,
}

/// Progress as it lies in the file of an index, for readers in other processes.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct StoredProgress {
    stored: Timestamp,
    #[serde(default)]
    node: Option<String>,
    tip: Option<Height>,
    tip_time: Option<Timestamp>,
    floor: Option<Height>,
    is_catching_up: bool,
    is_at_tip: bool,
    missing: u64,
    blocks_per_minute: Option<u64>,
    trouble: Option<String>,
    /// Duration of the problem when it was stored.
    trouble_for: Option<Duration>,
    notes: Vec<String>,
    #[serde(default)]
    contradiction: Option<String>,
}

impl StoredProgress {
    pub(super) fn new(progress: &NodeProgress, now: Timestamp) -> Self {
        let NodeProgress { tip, tip_time, floor, is_catching_up, is_at_tip, missing, blocks_per_minute, .. } =
            *progress;
        Self {
            stored: now,
            node: progress.node.clone(),
            tip,
            tip_time,
            floor,
            is_catching_up,
            is_at_tip,
            missing,
            blocks_per_minute,
            trouble: progress.trouble.clone(),
            trouble_for: progress.trouble_since.map(|since| since.elapsed()),
            notes: progress.notes.clone(),
            contradiction: progress.contradiction.clone(),
        }
    }

    pub(super) fn restore(self) -> NodeProgress {
        let Self { stored, tip, tip_time, floor, is_catching_up, is_at_tip, missing, blocks_per_minute, .. } = self;
        let trouble_since = self.trouble_for.and_then(|span| Instant::now().checked_sub(span));
        NodeProgress {
            node: self.node,
            tip,
            tip_time,
            floor,
            is_catching_up,
            is_at_tip,
            missing,
            blocks_per_minute,
            trouble: self.trouble,
            trouble_since,
            notes: self.notes,
            contradiction: self.contradiction,
            stored: Some(stored),
        }
    }
}

impl NodeProgress {
    /// Sets the current problem, or its end. A pace that was measured before a problem is no longer one.
    pub fn set_trouble(&mut self, trouble: Option<String>) {
        self.blocks_per_minute = self.blocks_per_minute.filter(|_| trouble.is_none());
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
