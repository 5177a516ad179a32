//! What is known of the chain and its index as a whole, and how the connection fares.

use std::{collections::VecDeque, sync::Arc, time::Duration};

use crate::{
    domain::{Height, Timestamp},
    msg::Remote,
    wire::{self, ApiError},
};

/// Between two questions for the status, at the least: the real server caches it for a second.
const FASTEST: Duration = Duration::from_secs(1);
/// Between two questions for the status, at the most.
const SLOWEST: Duration = Duration::from_secs(6);
/// Between two questions for the average block time.
const AVERAGE_EVERY: Duration = Duration::from_secs(20);
/// The longest wait after failures.
const LONGEST_WAIT: Duration = Duration::from_secs(15);
/// Status samples kept for the slopes.
const SAMPLES: usize = 60;

/// One status, and when it came.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sample {
    /// When.
    pub(crate) at: Timestamp,
    /// Block index.
    pub(crate) height: u64,
    /// Internal-transaction index.
    pub(crate) internal: u64,
    /// Rich list.
    pub(crate) rich_list: u64,
    /// Where the index begins.
    pub(crate) oldest: u64,
}

/// The chain as the indexer tells it.
#[derive(Debug)]
pub(crate) struct Chain {
    /// The newest status.
    pub(crate) status: Remote<wire::Status>,
    /// Seconds per block.
    pub(crate) average: Remote<f64>,
    /// The oldest block of the index.
    pub(crate) oldest: Remote<Option<Arc<wire::Block>>>,
    /// The newest block seen anywhere: its time dates the height.
    pub(crate) newest_block: Option<Arc<wire::Block>>,
    /// The last statuses.
    pub(crate) samples: VecDeque<Sample>,
    /// How often the status failed in a row.
    pub(crate) failures: u32,
    /// When the status is asked for again.
    pub(crate) status_due: Option<Timestamp>,
    /// When the average is asked for again.
    pub(crate) average_due: Option<Timestamp>,
    /// When the oldest block is asked for again.
    pub(crate) oldest_due: Option<Timestamp>,
}

impl Chain {
    /// Nothing known; everything due now.
    pub(crate) fn new(now: Timestamp) -> Self {
        Self {
            status: Remote::Idle,
            average: Remote::Idle,
            oldest: Remote::Idle,
            newest_block: None,
            samples: VecDeque::new(),
            failures: 0,
            status_due: Some(now),
            average_due: Some(now),
            oldest_due: Some(now),
        }
    }

    /// The newest indexed height.
    pub(crate) fn height(&self) -> Option<Height> {
        self.status.value().map(|status| status.height)
    }

    /// The time between blocks, where it is known.
    pub(crate) fn block_time(&self) -> Option<Duration> {
        self.average
            .value()
            .filter(|seconds| seconds.is_finite() && **seconds > 0.0)
            .map(|seconds| Duration::from_secs_f64(seconds.min(86_400.0)))
    }

    /// Takes in a status; says whether the chain grew.
    pub(crate) fn take_status(&mut self, result: Result<wire::Status, ApiError>, now: Timestamp) -> bool {
        let before = self.height();
        if let Ok(status) = &result {
            self.failures = 0;
            let oldest = self.oldest.value().and_then(|block| block.as_ref()).map_or(0, |block| block.height.get());
            self.samples.push_back(Sample {
                at: now,
                height: status.height.get(),
                internal: status.internal_tx_height.unwrap_or(0),
                rich_list: status.rich_list_height.unwrap_or(0),
                oldest,
            });
            if self.samples.len() > SAMPLES {
                self.samples.pop_front();
            }
            let pause = self.block_time().unwrap_or(FASTEST).clamp(FASTEST, SLOWEST);
            self.status_due = Some(now.after(pause));
        } else {
            self.failures += 1;
            let wait = FASTEST.saturating_mul(1 << self.failures.min(5).saturating_sub(1)).min(LONGEST_WAIT);
            self.status_due = Some(now.after(wait));
        }
        self.status.settle(result, now);
        self.height() > before
    }

    /// Takes in the average block time.
    pub(crate) fn take_average(&mut self, result: Result<f64, ApiError>, now: Timestamp) {
        self.average_due = Some(now.after(if result.is_ok() { AVERAGE_EVERY } else { LONGEST_WAIT }));
        self.average.settle(result, now);
    }

    /// Takes in the oldest block; while it moves, the index is filling up and is asked often.
    pub(crate) fn take_oldest(&mut self, result: Result<Option<Arc<wire::Block>>, ApiError>, now: Timestamp) {
        let height = |block: &Option<Arc<wire::Block>>| block.as_ref().map(|block| block.height);
        let before = self.oldest.value().and_then(height);
        let pause = match &result {
            Ok(block) if height(block).is_none_or(|now| now > Height::FIRST) && height(block) != before => FASTEST,
            _ => AVERAGE_EVERY,
        };
        self.oldest_due = Some(now.after(pause));
        self.oldest.settle(result, now);
    }

    /// Remembers the newest block seen.
    pub(crate) fn saw_block(&mut self, block: &Arc<wire::Block>) {
        if self.newest_block.as_ref().is_none_or(|known| known.height < block.height) {
            self.newest_block = Some(Arc::clone(block));
        }
    }

    /// Where the chain itself should be by now: the newest block's height, and one more for every block time since.
    pub(crate) fn expected_tip(&self, now: Timestamp) -> Option<u64> {
        let height = self.height()?.get();
        let block = self.newest_block.as_ref().filter(|block| block.height.get().saturating_add(5) >= height)?;
        let block_time = self.block_time()?;
        let late = now.since(block.timestamp).saturating_sub(block_time * 2);
        Some(
            height
                .max(block.height.get())
                .saturating_add(u64::try_from(late.as_millis() / block_time.as_millis().max(1)).unwrap_or(0)),
        )
    }

    /// How many blocks the index is behind the chain, as far as the clock tells.
    pub(crate) fn lag(&self, now: Timestamp) -> Option<u64> {
        Some(self.expected_tip(now)?.saturating_sub(self.height()?.get()))
    }

    /// Until the status is asked for again, while it fails.
    pub(crate) fn retry_in(&self, now: Timestamp) -> Option<Duration> {
        (self.failures > 0).then(|| self.status_due.map(|due| due.since(now))).flatten()
    }

    /// Asks for everything at once.
    pub(crate) fn make_due(&mut self, now: Timestamp) {
        (self.status_due, self.average_due, self.oldest_due) = (Some(now), Some(now), Some(now));
    }
}
