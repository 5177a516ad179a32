//! Follower of a rollup's node: the newest blocks first, then the tip, with the backfill beside it; call frames and
//! balances last.
//!
//! It polls the tip. A WebSocket subscription would report a block a few tens of milliseconds earlier, but needs a
//! second protocol that many public nodes and gateways lack, and polling besides: nodes drop slow subscribers without
//! reporting the missed blocks.

mod fork;
mod history;
mod learned;
mod state;
mod tip;

use std::{
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::Duration,
};

use tokio::{sync::watch, task::spawn_blocking, time::sleep};
use tokio_util::sync::CancellationToken;

use self::learned::LearnedNfts;
use super::{
    feed::{FeedError, NodeFeed, NodeHeader},
    fetch::BlockRun,
};
use crate::{
    domain::Height,
    indexer::{
        index::{Bounds, Index, IndexError},
        progress::NodeProgress,
    },
};

/// Blocks of the first run, which needs one request for headers: a screen shows these blocks first.
const FIRST_RUN: u64 = 20;

/// Newest blocks that precede older ones, call frames and balances: one page of a list.
const NEWEST: u64 = 100;

/// Blocks of the other runs: the maximum loss if the program is killed.
const RUN: u64 = 40;

/// Minimum and maximum interval of polling the tip.
const POLL: (Duration, Duration) = (Duration::from_millis(250), Duration::from_secs(5));

/// Minimum and maximum pause after a failure; each pause doubles.
const PAUSE: (Duration, Duration) = (Duration::from_millis(250), Duration::from_secs(10));

/// Number of new blocks for which the backfill pauses.
const BEHIND: u64 = 2;

/// Interval of checking for work when idle.
const IDLE: Duration = Duration::from_millis(500);

/// Maximum notes.
const NOTES: usize = 20;

#[derive(Clone, Copy, Debug)]
pub struct FollowOptions {
    /// Lowest wanted block.
    pub from: Option<Height>,
    /// Maximum concurrent block requests; the host limit may be lower.
    pub width: usize,
    pub has_rich_list: bool,
}

impl Default for FollowOptions {
    fn default() -> Self {
        Self { from: None, width: 16, has_rich_list: true }
    }
}

/// Why a follower stopped.
#[derive(Debug, thiserror::Error)]
pub enum FollowError {
    #[error(transparent)]
    Index(#[from] IndexError),
    #[error("the index's writer failed: {0}")]
    Writer(#[from] tokio::task::JoinError),
}

/// Why a step failed.
#[derive(Debug, thiserror::Error)]
enum StepError {
    #[error(transparent)]
    Feed(#[from] FeedError),
    #[error(transparent)]
    Follow(#[from] FollowError),
}

impl From<IndexError> for StepError {
    fn from(error: IndexError) -> Self {
        Self::Follow(error.into())
    }
}

/// Follower of one node into one index.
#[derive(Debug)]
pub struct NodeFollower<F> {
    feed: Arc<F>,
    index: Arc<Index>,
    options: FollowOptions,
    progress: watch::Sender<NodeProgress>,
    /// Whether a block contradicted the stored ones: the tip task then searches for the fork.
    is_suspect: AtomicBool,
    /// Oldest block of the node, as last reported.
    oldest: AtomicU64,
    /// Headers below the first run, received with the first run's headers.
    headers_below: Mutex<Vec<NodeHeader>>,
    /// Whether the newest blocks were requested; a latch.
    is_opened: CancellationToken,
    learned: Mutex<LearnedNfts>,
}

impl<F: NodeFeed> NodeFollower<F> {
    /// Creates a follower; sends no request.
    pub fn new(feed: Arc<F>, index: Arc<Index>, options: FollowOptions) -> Self {
        Self {
            feed,
            index,
            options,
            progress: watch::Sender::default(),
            is_suspect: AtomicBool::new(false),
            oldest: AtomicU64::new(1),
            headers_below: Mutex::default(),
            is_opened: CancellationToken::new(),
            learned: Mutex::default(),
        }
    }

    /// Returns the progress; watchers see changes.
    pub fn progress(&self) -> watch::Receiver<NodeProgress> {
        self.progress.subscribe()
    }

    /// Follows until stopped or failed. Only whole blocks are written.
    pub async fn run(&self, stop: &CancellationToken) -> Result<(), FollowError> {
        let ended = tokio::select! {
            () = stop.cancelled() => Ok(()),
            ended = self.follow_tip() => ended,
            ended = self.follow_history() => ended,
            ended = self.follow_traces() => ended,
            ended = self.follow_balances() => ended,
        };
        if let Err(error) = &ended {
            self.tell(|progress| progress.trouble = Some(format!("the index no longer follows the node: {error}")));
        }
        ended
    }

    /// Updates the progress.
    fn tell(&self, change: impl FnOnce(&mut NodeProgress)) {
        self.progress.send_if_modified(|progress| {
            let before = progress.clone();
            change(progress);
            *progress != before
        });
    }

    /// Adds a note about stored blocks.
    fn note(&self, sentence: String) {
        tracing::warn!("{sentence}");
        self.tell(|progress| {
            progress.notes.push(sentence);
            if progress.notes.len() > NOTES {
                progress.notes.remove(0);
            }
        });
    }

    /// Writes a run of blocks. `is_older`: below the stored ones, which must exist.
    async fn write(&self, run: BlockRun, is_older: bool) -> Result<(), StepError> {
        let index = Arc::clone(&self.index);
        let prepared = spawn_blocking(move || {
            let (blocks, receipts): (Vec<_>, Vec<_>) = run
                .blocks
                .into_iter()
                .map(|one| {
                    let receipts = one.receipts.map(|receipts| (one.block.height, receipts));
                    (one.block, receipts)
                })
                .unzip();
            let prepared = index.prepare(blocks, run.previous)?.with_receipts(receipts.into_iter().flatten().collect());
            Ok::<_, IndexError>(if is_older { prepared.below_what_is_held() } else { prepared })
        });
        let mut prepared = prepared.await.map_err(FollowError::from)??;
        self.learn_all_nfts(&mut prepared).await?;
        let index = Arc::clone(&self.index);
        let written = spawn_blocking(move || index.write(&prepared).and_then(|()| index.prune()));
        written.await.map_err(FollowError::from)??;
        self.forget_learned();
        Ok(())
    }

    /// Waits until the newest blocks are stored.
    async fn reach_tip(&self) {
        // This struct owns the sender.
        let _ = self.progress.subscribe().wait_for(|progress| progress.is_at_tip).await;
    }

    /// Whether newer blocks take precedence. A failing node does not delay the rest.
    fn is_behind(&self, held: &Bounds) -> bool {
        let progress = self.progress.borrow();
        progress.trouble.is_none() && progress.tip.is_some_and(|tip| tip.get() > held.tip.get() + BEHIND)
    }
}

/// Growing pause between attempts.
#[derive(Debug)]
struct Patience(Duration);

impl Default for Patience {
    fn default() -> Self {
        Self(PAUSE.0)
    }
}

impl Patience {
    /// Resets the pause after a success.
    fn reset(&mut self) {
        self.0 = PAUSE.0;
    }

    /// Waits before the next attempt; returns errors that waiting cannot solve.
    async fn wait(&mut self, error: StepError) -> Result<(), FollowError> {
        let pause = match error {
            StepError::Follow(error) => return Err(error),
            StepError::Feed(FeedError::Busy(pause)) => pause.max(PAUSE.0),
            // The block arrives within its time; a lagging node has it slightly later.
            StepError::Feed(FeedError::NotYet) => PAUSE.0,
            StepError::Feed(_) => {
                let pause = self.0;
                self.0 = (pause * 2).min(PAUSE.1);
                pause
            }
        };
        sleep(pause).await;
        Ok(())
    }
}

/// Whether a contradicting block is the cause.
fn is_misfit(error: &StepError) -> bool {
    matches!(error, StepError::Follow(FollowError::Index(IndexError::OtherParent(_) | IndexError::Gap(..))))
}

impl<F> NodeFollower<F> {
    fn suspect(&self) {
        self.is_suspect.store(true, Ordering::Release);
    }

    /// Returns the lowest useful header for blocks down to `floor`: the previous block's, if the node has it.
    fn lowest_header(&self, floor: Height) -> Height {
        let oldest = self.oldest.load(Ordering::Acquire);
        floor.previous().filter(|below| below.get() >= oldest).unwrap_or(floor)
    }

    fn headers_below(&self) -> MutexGuard<'_, Vec<NodeHeader>> {
        // The list stays consistent, so a poisoned lock is still valid.
        self.headers_below.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
