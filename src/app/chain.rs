//! What is known of the chain and its index as a whole, and how the connection fares.

mod identity;
mod restart;

use std::{collections::VecDeque, sync::Arc, time::Duration};

pub(crate) use identity::{ChainDifference, ChainIdentity, ChainVerdict};

use crate::{
    domain::{Anchor, Height, Timestamp},
    msg::{Remote, Request, Slot},
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
/// A server that answers with lower heights for so long is behind, and not one of several.
const LAGGING_FOR: Duration = Duration::from_secs(15);
/// Status samples kept for the slopes.
const SAMPLES: usize = 60;

/// One status, and when it came.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StatusSample {
    pub(crate) at: Timestamp,
    /// Block index.
    pub(crate) height: u64,
    /// Internal-transaction index.
    pub(crate) internal: u64,
    pub(crate) rich_list: u64,
    /// Where the index begins.
    pub(crate) oldest: u64,
}

/// The chain as the indexer tells it.
#[derive(Debug)]
pub(crate) struct Chain {
    pub(crate) identity: ChainIdentity,
    /// The newest status; a server that lags takes none of its heights back.
    pub(crate) status: Remote<wire::Status>,
    /// Seconds per block.
    pub(crate) average: Remote<f64>,
    /// The oldest block of the index.
    pub(crate) oldest: Remote<Option<Arc<wire::Block>>>,
    /// The newest block seen anywhere: its time dates the height.
    pub(crate) newest_block: Option<Arc<wire::Block>>,
    pub(crate) samples: VecDeque<StatusSample>,
    /// How often the status failed in a row.
    pub(crate) failures: u32,
    pub(crate) status_due: Option<Timestamp>,
    pub(crate) average_due: Option<Timestamp>,
    /// When the oldest block is asked for again.
    pub(crate) oldest_due: Option<Timestamp>,
    /// Since when every status is below the highest one, and how high the newest one is.
    behind: Option<(Timestamp, Height)>,
    /// The newest status as it came.
    told: Option<wire::Status>,
    /// The height of the block that was asked for to tell chains apart.
    asked_anchor: Option<Height>,
    /// When it was last found to be another chain.
    restarted: Option<Timestamp>,
    /// Whether it was said that nobody can tell which chain a lower height is of.
    is_doubt_said: bool,
}

#[derive(Debug)]
pub(crate) struct StatusNews {
    pub(crate) has_grown: bool,
    pub(crate) verdict: ChainVerdict,
}

impl Chain {
    /// Nothing known; everything due now.
    pub(crate) fn new(now: Timestamp) -> Self {
        Self {
            identity: ChainIdentity::default(),
            status: Remote::Idle,
            average: Remote::Idle,
            oldest: Remote::Idle,
            newest_block: None,
            samples: VecDeque::new(),
            failures: 0,
            status_due: Some(now),
            average_due: Some(now),
            oldest_due: Some(now),
            behind: None,
            told: None,
            asked_anchor: None,
            restarted: None,
            is_doubt_said: false,
        }
    }

    /// What is due of the chain as a whole, to be asked now.
    pub(super) fn ask(
        &mut self,
        now: Timestamp,
        shows_oldest: bool,
        is_waiting: impl Fn(&Slot) -> bool,
    ) -> Vec<(Slot, Request)> {
        let is_due = |at: Option<Timestamp>, slot: &Slot| at.is_some_and(|at| at <= now) && !is_waiting(slot);
        let mut asked = Vec::new();
        if is_due(self.status_due, &Slot::Status) {
            self.status_due = None;
            self.status.ask(now);
            asked.push((Slot::Status, Request::Status));
        }
        if is_due(self.average_due, &Slot::AvgBlockTime) {
            self.average_due = None;
            self.average.ask(now);
            asked.push((Slot::AvgBlockTime, Request::AvgBlockTime));
        }
        if shows_oldest && is_due(self.oldest_due, &Slot::OldestBlock) {
            self.oldest_due = None;
            self.oldest.ask(now);
            asked.push((Slot::OldestBlock, Request::OldestBlock));
        }
        asked
    }

    /// When something of it is due next.
    pub(super) fn next_poll(&self, shows_oldest: bool) -> Option<Timestamp> {
        let oldest = self.oldest_due.filter(|_| shows_oldest);
        [self.status_due, self.average_due, oldest].into_iter().flatten().min()
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

    /// Takes in a status, unless it is of another chain.
    pub(crate) fn take_status(&mut self, result: Result<wire::Status, ApiError>, now: Timestamp) -> StatusNews {
        let before = self.height();
        let Ok(status) = result else {
            self.failures += 1;
            let wait = FASTEST.saturating_mul(1 << self.failures.min(5).saturating_sub(1)).min(LONGEST_WAIT);
            self.status_due = Some(now.after(wait));
            self.status.settle(result, now);
            return StatusNews { has_grown: false, verdict: ChainVerdict::Same };
        };
        if std::mem::take(&mut self.failures) > 0 {
            self.identity.suspect();
        }
        let pause = self.block_time().unwrap_or(FASTEST).clamp(FASTEST, SLOWEST);
        self.status_due = Some(now.after(pause));
        let verdict = self.identity.see_status(&status.chain_id, status.height);
        if matches!(verdict, ChainVerdict::Another(_)) {
            return StatusNews { has_grown: false, verdict };
        }
        self.behind = self.identity.is_behind().then(|| (self.behind.map_or(now, |(since, _)| since), status.height));
        self.told = Some(status.clone());
        let status = self.without_steps_back(status);
        self.keep_sample(&status, now);
        self.status.settle(Ok(status), now);
        StatusNews { has_grown: self.height() > before, verdict }
    }

    /// The status of a server that lags, with the heights that others of the same chain have told.
    fn without_steps_back(&self, status: wire::Status) -> wire::Status {
        let Some(before) = self.status.value().filter(|_| self.behind.is_some()) else { return status };
        wire::Status {
            height: status.height.max(before.height),
            internal_tx_height: status.internal_tx_height.max(before.internal_tx_height),
            rich_list_height: status.rich_list_height.max(before.rich_list_height),
            ..status
        }
    }

    fn keep_sample(&mut self, status: &wire::Status, now: Timestamp) {
        let oldest = self.oldest.value().and_then(|block| block.as_ref()).map_or(0, |block| block.height.get());
        self.samples.push_back(StatusSample {
            at: now,
            height: status.height.get(),
            internal: status.internal_tx_height.unwrap_or(0),
            rich_list: status.rich_list_height.unwrap_or(0),
            oldest,
        });
        if self.samples.len() > SAMPLES {
            self.samples.pop_front();
        }
    }

    /// Whether it was found to be another chain a moment ago: where blocks contradict one another faster than statuses come,
    /// the server mixes chains, and starting over with each answer would show nothing at all.
    fn has_just_restarted(&self, now: Timestamp) -> bool {
        self.restarted.is_some_and(|at| now.since(at) < FASTEST)
    }

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

    /// How many blocks the index is behind the chain, as far as the clock tells. A server that answers with lower heights
    /// for a while is behind by these too.
    pub(crate) fn lag(&self, now: Timestamp) -> Option<u64> {
        let behind = self.behind.filter(|(since, _)| now.since(*since) >= LAGGING_FOR).map(|(_, height)| height);
        Some(self.expected_tip(now)?.saturating_sub(behind.or(self.height())?.get()))
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

/// By which a block tells its chain.
pub(crate) fn anchor_of(block: &wire::Block) -> Anchor {
    Anchor { height: block.height, hash: block.hash, at: block.timestamp }
}
