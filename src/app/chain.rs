//! What is known of the chain and its index as a whole, and how the connection fares.

pub(crate) mod extent;
pub(crate) mod health;
mod identity;
mod named;
mod restart;
mod rhythm;

use std::{sync::Arc, time::Duration};

use extent::{FillState, IndexExtent};
use health::{ChainTip, HealthPart, IndexHealth, IndexHeights, PartHealth, TipDistance};
pub(crate) use identity::{ChainDifference, ChainIdentity, ChainVerdict};
pub(crate) use named::NamedElse;
use rhythm::ChainRhythm;

use crate::{
    domain::{Anchor, Height, Timestamp},
    msg::{Remote, Request, Slot},
    wire::{self, ApiError, ErrorKind},
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
    /// Its tempo.
    pub(crate) rhythm: ChainRhythm,
    /// What the index holds.
    pub(crate) extent: IndexExtent,
    health: IndexHealth,
    /// Where the server answers for another chain than the network names.
    pub(crate) named_else: Option<NamedElse>,
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
            rhythm: ChainRhythm::default(),
            extent: IndexExtent::default(),
            health: IndexHealth::new(now),
            named_else: None,
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
        if self.wants_oldest(shows_oldest) && is_due(self.oldest_due, &Slot::OldestBlock) {
            self.oldest_due = None;
            self.oldest.ask(now);
            asked.push((Slot::OldestBlock, Request::OldestBlock));
        }
        asked
    }

    /// When something of it is due next.
    pub(super) fn next_poll(&self, shows_oldest: bool) -> Option<Timestamp> {
        let oldest = self.oldest_due.filter(|_| self.wants_oldest(shows_oldest));
        [self.status_due, self.average_due, oldest].into_iter().flatten().min()
    }

    /// Where the index begins is looked at until it stands still, for the sake of totals; then only where it is shown.
    fn wants_oldest(&self, shows_oldest: bool) -> bool {
        shows_oldest || self.extent.may_be_filling()
    }

    /// The newest indexed height.
    pub(crate) fn height(&self) -> Option<Height> {
        self.status.value().map(|status| status.height)
    }

    /// The time between blocks, where it is known.
    pub(crate) fn block_time(&self) -> Option<Duration> {
        self.rhythm.block_time()
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
        self.keep_heights(&status, now);
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

    fn keep_heights(&mut self, status: &wire::Status, now: Timestamp) {
        let heights = IndexHeights {
            blocks: status.height.get(),
            internal_calls: status.internal_tx_height,
            rich_list: status.rich_list_height,
        };
        self.health.take(heights, now, &self.rhythm);
    }

    /// Whether it was found to be another chain a moment ago: where blocks contradict one another faster than statuses come,
    /// the server mixes chains, and starting over with each answer would show nothing at all.
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

    /// Takes in the oldest block; until it stands still it is asked for often. Whether the index has just stopped filling:
    /// what the server counted before was of a part of it, and speeds begin now.
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

    /// Remembers the newest block seen.
    pub(crate) fn saw_block(&mut self, block: &Arc<wire::Block>) {
        self.rhythm.see(block);
        if self.newest_block.as_ref().is_none_or(|known| known.height < block.height) {
            self.newest_block = Some(Arc::clone(block));
        }
    }

    /// A page of a list of blocks came, from the list's beginning or further down.
    pub(super) fn saw_page(&mut self, blocks: &[Arc<wire::Block>], is_first: bool) {
        if blocks.is_empty() && is_first {
            self.extent.see_nothing();
        }
        let heights: Vec<u64> = blocks.iter().map(|block| block.height.get()).collect();
        if !heights.is_empty() {
            self.extent.see_page(&heights);
        }
        for block in blocks {
            self.saw_block(block);
        }
    }

    /// The newest block of the chain: the highest that any server, or the node behind it, told of, or where the chain
    /// should be by the clock: one block more for every block time since the newest one, as far as that is later than the
    /// chain's blocks are. `None` where neither block nor block time is known.
    pub(crate) fn tip(&self, now: Timestamp) -> Option<ChainTip> {
        let block = self.newest_block.as_ref()?;
        let of_node = self.status.value().and_then(|status| status.node.as_ref()?.height).unwrap_or_default();
        let known = self.height()?.max(block.height).get().max(of_node);
        let (block_time, allowance) = (self.block_time()?, self.rhythm.allowance()?);
        let late = now.since(block.timestamp).saturating_sub(allowance);
        let made = u64::try_from(late.as_millis() / block_time.as_millis().max(1)).unwrap_or(u64::MAX);
        let expected = block.height.get().saturating_add(made);
        Some(ChainTip { height: known.max(expected), is_estimate: expected > known })
    }

    /// How many blocks the index is behind the chain. A server that answers with lower heights for a while is behind by
    /// these too.
    pub(crate) fn lag(&self, now: Timestamp) -> Option<TipDistance> {
        let tip = self.tip(now)?;
        let lagging = self.behind.filter(|(since, _)| now.since(*since) >= LAGGING_FOR).map(|(_, height)| height);
        let reached = lagging.or(self.height())?.get();
        Some(TipDistance::of(tip, reached))
    }

    /// How one of the index's heights fares against the chain's tip; `None` where the server names no such height.
    pub(crate) fn health(&self, part: HealthPart, now: Timestamp) -> Option<PartHealth> {
        let is_filling = matches!(self.extent.filling(), FillState::Moving { .. });
        self.health.health(part, self.tip(now), &self.rhythm, is_filling)
    }

    /// For how long no block has come, where that is longer than blocks of this chain take. As of the newest status: a
    /// session that stood still missed blocks, and no block missed it. Before the first one came, by the newest block's
    /// time.
    pub(crate) fn silence(&self, now: Timestamp) -> Option<Duration> {
        let (still, is_first) = self.health.part(HealthPart::Blocks).still()?;
        let age = self.newest_block.as_ref().filter(|_| is_first).map(|block| now.since(block.timestamp));
        Some(age.unwrap_or_default().max(still)).filter(|silence| *silence >= self.rhythm.patience())
    }

    /// Until the next block should be made; `None` where that is not known, or it should be there already.
    pub(crate) fn next_block_in(&self, now: Timestamp) -> Option<Duration> {
        let due = self.newest_block.as_ref()?.timestamp.after(self.block_time()?);
        Some(due.since(now)).filter(|wait| !wait.is_zero())
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
