//! Search for the block nearest to a time, by a few blocks between two known ones.

use crate::domain::{Height, Timestamp};

/// Blocks to request in proportion to the time; further ones halve the range, which always ends.
const IN_PROPORTION: u32 = 8;

#[derive(Debug)]
pub(crate) struct TimeSearch {
    pub(super) at: Timestamp,
    /// Block at or before the time. The first indexed block has no time yet.
    pub(super) low: (Height, Option<Timestamp>),
    /// Block after the time.
    pub(super) high: (Height, Timestamp),
    pub(super) requested: u32,
}

impl TimeSearch {
    /// Returns the height to request; `None` if the neighbours of the time are known.
    pub(super) fn next(&self) -> Option<Height> {
        let (low, high) = (self.low.0.get(), self.high.0.get());
        let Some(since) = self.low.1 else { return Some(self.low.0) };
        if high.saturating_sub(low) <= 1 {
            return None;
        }
        let blocks = u128::from(high - low);
        let ahead = if self.requested < IN_PROPORTION {
            blocks * self.at.since(since).as_millis() / self.high.1.since(since).as_millis().max(1)
        } else {
            blocks / 2
        };
        Height::new(low + u64::try_from(ahead).unwrap_or(1).clamp(1, high - low - 1))
    }

    /// Returns the block that is nearest to the time.
    pub(super) fn nearest(&self) -> (Height, Timestamp) {
        match self.low {
            (low, Some(since)) if self.at.since(since) <= self.high.1.since(self.at) => (low, since),
            _ => self.high,
        }
    }
}
