//! State of the chain, its index and the connection.

mod asking;
pub(crate) mod extent;
pub(crate) mod health;
mod identity;
mod named;
mod restart;
mod rhythm;

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use extent::{FillState, IndexExtent};
use health::{ChainTip, GapTrend, HealthPart, IndexHealth, IndexHeights, PartHealth, TipDistance};
pub(crate) use identity::{ChainDifference, ChainIdentity, ChainVerdict};
pub(crate) use named::ChainMismatch;
use rhythm::{ChainRhythm, TipPace};

use crate::{
    domain::{Anchor, ClockShift, Height, Timestamp},
    msg::Remote,
    wire::{self, ApiError, ErrorKind},
};

/// Minimum interval between status requests. The real server caches the status for a second.
const FASTEST: Duration = Duration::from_secs(1);
/// Maximum newest blocks to keep, for charts: more than a wide screen has columns.
const RECENT: usize = 400;
/// Maximum interval between status requests.
const SLOWEST: Duration = Duration::from_secs(6);
/// Interval between requests for the average block time.
const AVERAGE_EVERY: Duration = Duration::from_secs(20);
/// Maximum delay after failed requests.
const LONGEST_WAIT: Duration = Duration::from_secs(15);
/// How long heights stay low before the server counts as lagging; several servers may share an address.
const LAGGING_FOR: Duration = Duration::from_secs(15);
/// State of the chain, from the indexer's answers.
#[derive(Debug)]
pub(crate) struct Chain {
    pub(crate) identity: ChainIdentity,
    /// Latest status. While the server lags, heights keep their highest value.
    pub(crate) status: Remote<wire::Status>,
    /// Average block time, in seconds.
    pub(crate) average: Remote<f64>,
    pub(crate) oldest: Remote<Option<Arc<wire::Block>>>,
    /// Newest block in any answer. Its time dates the height.
    pub(crate) newest_block: Option<Arc<wire::Block>>,
    pub(crate) rhythm: ChainRhythm,
    /// Range of indexed blocks.
    pub(crate) extent: IndexExtent,
    health: IndexHealth,
    /// Both chains, if the server's chain differs from the network's.
    pub(crate) named_else: Option<ChainMismatch>,
    /// Number of status requests that failed in a row.
    pub(crate) failures: u32,
    /// Newest blocks seen, by any list; a list that stands still holds others.
    pub(crate) recent: BTreeMap<Height, Arc<wire::Block>>,
    /// Time of the first failed status since the last answer.
    pub(crate) failing_since: Option<Timestamp>,
    /// Shift of the wall clock. While there is one, nothing follows from comparing a block's time with the clock.
    pub(crate) clock_shift: Option<ClockShift>,
    pub(crate) status_due: Option<Timestamp>,
    pub(crate) average_due: Option<Timestamp>,
    /// When the next request for the oldest block is due.
    pub(crate) oldest_due: Option<Timestamp>,
    /// When heights fell below the highest height, and the latest height.
    behind: Option<(Timestamp, Height)>,
    /// Latest status, as the server sent it.
    told: Option<wire::Status>,
    /// Height of the block that is requested to identify the chain.
    asked_anchor: Option<Height>,
    /// When rollscope last noticed a change of the chain.
    restarted: Option<Timestamp>,
    /// Whether the user was warned that a lower height may come from another chain.
    is_doubt_said: bool,
}

#[derive(Debug)]
pub(crate) struct StatusChange {
    pub(crate) has_grown: bool,
    pub(crate) verdict: ChainVerdict,
}

impl Chain {
    /// Creates an empty state, in which all requests are due.
    pub(crate) fn new(now: Timestamp) -> Self {
        Self {
            identity: ChainIdentity::default(),
            status: Remote::Idle,
            average: Remote::Idle,
            oldest: Remote::Idle,
            newest_block: None,
            rhythm: ChainRhythm::default(),
            extent: IndexExtent::default(),
            health: IndexHealth::new(now),
            named_else: None,
            failures: 0,
            failing_since: None,
            recent: BTreeMap::new(),
            clock_shift: None,
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

    /// Returns the state of another chain, in which all requests are due.
    fn renewed(&self, now: Timestamp) -> Self {
        Self { clock_shift: self.clock_shift, ..Self::new(now) }
    }

    /// Returns when the next request is due.
    pub(super) fn next_poll(&self, shows_oldest: bool) -> Option<Timestamp> {
        let oldest = self.oldest_due.filter(|_| self.wants_oldest(shows_oldest));
        [self.status_due, self.average_due, oldest].into_iter().flatten().min()
    }

    /// Whether to request the oldest block: always while it moves, because totals depend on it; later only if a screen
    /// shows it.
    fn wants_oldest(&self, shows_oldest: bool) -> bool {
        shows_oldest || self.extent.may_be_filling()
    }

    /// Returns the newest height in the index.
    pub(crate) fn height(&self) -> Option<Height> {
        self.status.value().map(|status| status.height)
    }

    pub(crate) fn block_time(&self) -> Option<Duration> {
        self.rhythm.block_time()
    }

    /// Applies a status, unless it belongs to another chain.
    pub(crate) fn take_status(&mut self, result: Result<wire::Status, ApiError>, now: Timestamp) -> StatusChange {
        let before = self.height();
        let Ok(status) = result else {
            self.failures += 1;
            self.failing_since.get_or_insert(now);
            let wait = FASTEST.saturating_mul(1 << self.failures.min(5).saturating_sub(1)).min(LONGEST_WAIT);
            self.status_due = Some(now.after(wait));
            self.status.settle(result, now);
            return StatusChange { has_grown: false, verdict: ChainVerdict::Same };
        };
        self.failing_since = None;
        if std::mem::take(&mut self.failures) > 0 {
            self.identity.suspect();
        }
        let pause = self.block_time().unwrap_or(FASTEST).clamp(FASTEST, SLOWEST);
        self.status_due = Some(now.after(pause));
        let verdict = self.identity.see_status(&status.chain_id, status.height);
        if matches!(verdict, ChainVerdict::Another(_)) {
            return StatusChange { has_grown: false, verdict };
        }
        self.behind = self.identity.is_behind().then(|| (self.behind.map_or(now, |(since, _)| since), status.height));
        self.told = Some(status.clone());
        let status = self.without_steps_back(status);
        self.keep_heights(&status, now);
        self.status.settle(Ok(status), now);
        StatusChange { has_grown: self.height() > before, verdict }
    }

    /// Raises the heights in a lagging server's status to their highest values.
    fn without_steps_back(&self, status: wire::Status) -> wire::Status {
        let Some(before) = self.status.value().filter(|_| self.behind.is_some()) else { return status };
        wire::Status {
            height: status.height.max(before.height),
            internal_tx_height: status.internal_tx_height.max(before.internal_tx_height),
            rich_list_height: status.rich_list_height.max(before.rich_list_height),
            ..status
        }
    }

    fn keep_heights(&mut self, status: &wire::Status, now: Timestamp) {
        let heights = IndexHeights {
            blocks: status.height.get(),
            internal_calls: status.internal_tx_height,
            rich_list: status.rich_list_height,
            node: status.node.as_ref().and_then(|node| node.height),
        };
        self.health.take(heights, now, &self.rhythm);
        if let Some(tip) = self.tip(now) {
            self.health.note_distances(tip.height);
        }
        let measured = self.health.node_pace(&self.rhythm);
        self.rhythm.follow_tip(status.node.as_ref().map_or(TipPace::OfBlocks, |_| TipPace::OfNode(measured)));
    }

    /// Whether the chain changed a moment ago. If blocks contradict each other between two statuses, the server mixes
    /// chains; a restart at every answer would leave the screen empty.
    fn has_just_restarted(&self, now: Timestamp) -> bool {
        self.restarted.is_some_and(|at| now.since(at) < FASTEST)
    }

    pub(crate) fn take_average(&mut self, result: Result<f64, ApiError>, now: Timestamp) {
        self.average_due = Some(now.after(if result.is_ok() { AVERAGE_EVERY } else { LONGEST_WAIT }));
        if let Ok(seconds) = &result {
            self.rhythm.tell(*seconds);
        }
        self.average.settle(result, now);
    }

    /// Applies the oldest block. Returns whether the backfill has just ended. Then earlier counts cover only part of
    /// the index, and the speed measurement begins.
    pub(crate) fn take_oldest(&mut self, result: Result<Option<Arc<wire::Block>>, ApiError>, now: Timestamp) -> bool {
        let is_over = match &result {
            Ok(block) => self.extent.take_oldest(block.as_ref().map(|block| block.height), now),
            Err(ApiError { kind: ErrorKind::NotIndexedYet { oldest }, .. }) => {
                self.extent.see_filling(*oldest, now);
                false
            }
            Err(_) => {
                self.extent.fail_oldest();
                false
            }
        };
        if is_over {
            self.health.begin_measuring();
        }
        let pause = match &result {
            Ok(_) if self.extent.may_be_filling() => FASTEST,
            _ => AVERAGE_EVERY,
        };
        self.oldest_due = Some(now.after(pause));
        self.oldest.settle(result, now);
        is_over
    }

    /// Remembers the block if it is the newest.
    pub(crate) fn saw_block(&mut self, block: &Arc<wire::Block>) {
        self.rhythm.see(block);
        self.recent.insert(block.height, Arc::clone(block));
        while self.recent.len() > RECENT {
            self.recent.pop_first();
        }
        if self.newest_block.as_ref().is_none_or(|known| known.height < block.height) {
            self.newest_block = Some(Arc::clone(block));
        }
    }

    pub(super) fn saw_page(&mut self, blocks: &[Arc<wire::Block>], is_first: bool) {
        if blocks.is_empty() && is_first {
            self.extent.see_nothing();
        }
        let heights: Vec<u64> = blocks.iter().map(|block| block.height.get()).collect();
        if !heights.is_empty() {
            self.extent.see_page(&heights);
        }
        for block in blocks {
            if block.tx_count == 0 {
                self.extent.see_empty(block.height);
            }
            self.saw_block(block);
        }
    }

    /// Returns the tip of the chain: the node's, if the server follows one, else the highest height that the server
    /// reported or an estimate of one block per block time since the newest block. `None` if the node does not know the
    /// tip, neither a block nor the block time is known, or an estimate would need a clock that was set.
    pub(crate) fn tip(&self, now: Timestamp) -> Option<ChainTip> {
        // An index that does not answer may be at the tip: no distance is known.
        if self.failures > 0 {
            return None;
        }
        if let Some(node) = self.status.value()?.node.as_ref() {
            let is_known = node.trouble.is_none() && !node.is_catching_up;
            let height = node.height.filter(|_| is_known)?.max(self.height()?.get());
            return Some(ChainTip { height, is_estimate: false });
        }
        let block = self.newest_block.as_ref().filter(|_| self.clock_shift.is_none())?;
        let known = self.height()?.max(block.height).get();
        let (block_time, allowance) = (self.block_time()?, self.rhythm.allowance()?);
        let late = now.since(block.timestamp).saturating_sub(allowance);
        let made = u64::try_from(late.as_millis() / block_time.as_millis().max(1)).unwrap_or(u64::MAX);
        let expected = block.height.get().saturating_add(made);
        Some(ChainTip { height: known.max(expected), is_estimate: expected > known })
    }

    /// Returns the distance of the index from the tip. After a server has lagged for a while, its lower heights count.
    pub(crate) fn lag(&self, now: Timestamp) -> Option<TipDistance> {
        let tip = self.tip(now)?;
        let lagging = self.behind.filter(|(since, _)| now.since(*since) >= LAGGING_FOR).map(|(_, height)| height);
        let reached = lagging.or(self.height())?.get();
        Some(TipDistance::of(tip, reached))
    }

    /// Returns the state of one index height against the tip; `None` if the server does not report the height.
    pub(crate) fn health(&self, part: HealthPart, now: Timestamp) -> Option<PartHealth> {
        let is_filling = matches!(self.extent.filling(), FillState::Moving { .. });
        let health = self.health.health(part, self.tip(now), &self.rhythm, is_filling)?;
        Some(if self.failures > 0 { PartHealth { trend: GapTrend::Unanswered, ..health } } else { health })
    }

    /// Returns how many blocks an index height was behind the tip at the latest statuses, newest first.
    pub(crate) fn distances(&self, part: HealthPart) -> impl Iterator<Item = u64> {
        self.health.distances(part)
    }

    /// Returns how long no block has come, if that exceeds the chain's usual block time. It counts up to the latest
    /// status, since a suspended session misses blocks. Before the first status it counts from the newest block's time.
    pub(crate) fn silence(&self, now: Timestamp) -> Option<Duration> {
        let (still, is_first) = self.health.part(HealthPart::Blocks).still()?;
        let age = self
            .newest_block
            .as_ref()
            .filter(|_| is_first && self.clock_shift.is_none())
            .map(|block| now.since(block.timestamp));
        Some(age.unwrap_or_default().max(still)).filter(|silence| *silence >= self.rhythm.patience())
    }

    /// Whether the server's node confirms that the chain has no newer block than the index.
    pub(crate) fn is_at_node(&self, now: Timestamp) -> bool {
        let has_node = self.status.value().is_some_and(|status| status.node.is_some());
        has_node && self.lag(now).is_some_and(|lag| lag.blocks == 0)
    }

    /// Returns how soon the next block is expected; `None` if unknown or overdue.
    pub(crate) fn next_block_in(&self, now: Timestamp) -> Option<Duration> {
        let due = self.newest_block.as_ref()?.timestamp.after(self.block_time()?);
        Some(due.since(now)).filter(|wait| !wait.is_zero())
    }

    /// Returns how soon the next status request follows, while requests fail.
    pub(crate) fn retry_in(&self, now: Timestamp) -> Option<Duration> {
        (self.failures > 0).then(|| self.status_due.map(|due| due.since(now))).flatten()
    }

    /// Marks all requests as due.
    pub(crate) fn make_due(&mut self, now: Timestamp) {
        (self.status_due, self.average_due, self.oldest_due) = (Some(now), Some(now), Some(now));
    }
}

/// Returns height and hash of a block, which identify its chain.
pub(crate) fn anchor_of(block: &wire::Block) -> Anchor {
    Anchor { height: block.height, hash: block.hash, at: block.timestamp }
}
