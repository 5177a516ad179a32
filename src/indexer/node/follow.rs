//! Follows a rollup's node: the newest blocks at once, then the tip before anything else, history downwards beside it,
//! call frames and balances last.
//!
//! The tip is polled. A subscription over a WebSocket would tell of a block a few tens of milliseconds earlier, and
//! needs a second protocol that many public nodes and gateways do not offer, and the same polling beside it: nodes drop
//! subscribers that are slow, and say nothing of what was missed.

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

/// Blocks in the first run, which one request for headers brings: what a screen shows is there before all else.
const FIRST_RUN: u64 = 20;

/// The newest blocks, which come before older ones, call frames and balances: a page of a list.
const NEWEST: u64 = 100;

/// Blocks in the others: what is lost when the program is killed in the middle of one.
const RUN: u64 = 40;

/// The shortest and the longest time between two looks at the tip.
const POLL: (Duration, Duration) = (Duration::from_millis(250), Duration::from_secs(5));

/// The pauses after failures: each twice the one before.
const PAUSE: (Duration, Duration) = (Duration::from_millis(250), Duration::from_secs(10));

/// New blocks that history waits for.
const BEHIND: u64 = 2;

/// How long it is waited before it is looked again whether there is something to do.
const IDLE: Duration = Duration::from_millis(500);

/// Notes that are kept.
const NOTES: usize = 20;

/// How a node is followed.
#[derive(Clone, Copy, Debug)]
pub struct FollowOptions {
    /// The lowest block that is wanted.
    pub from: Option<Height>,
    /// Blocks asked for at once. How many requests one host gets at once is bounded below this.
    pub width: usize,
    /// Whether it is wanted who holds what.
    pub has_rich_list: bool,
}

impl Default for FollowOptions {
    fn default() -> Self {
        Self { from: None, width: 16, has_rich_list: true }
    }
}

/// Why a follower cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum FollowError {
    /// The index cannot be written.
    #[error(transparent)]
    Index(#[from] IndexError),
    /// A thread that writes failed.
    #[error("the index's writer failed: {0}")]
    Writer(#[from] tokio::task::JoinError),
}

/// Why a step led nowhere.
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

/// Follows one node into one index.
#[derive(Debug)]
pub struct NodeFollower<F> {
    feed: Arc<F>,
    index: Arc<Index>,
    options: FollowOptions,
    progress: watch::Sender<NodeProgress>,
    /// Whether a block did not fit to those that are held: the tip's side looks where the chain forked.
    is_suspect: AtomicBool,
    /// The oldest block that the node keeps, as it was last said.
    oldest: AtomicU64,
    /// Headers of blocks below the first run that came with it.
    headers_below: Mutex<Vec<NodeHeader>>,
    /// Whether the newest blocks were asked for; a latch.
    is_opened: CancellationToken,
    learned: Mutex<LearnedNfts>,
}

impl<F: NodeFeed> NodeFollower<F> {
    /// A follower that has not looked yet.
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

    /// How far it is; changes are told.
    pub fn progress(&self) -> watch::Receiver<NodeProgress> {
        self.progress.subscribe()
    }

    /// Follows until it is told to stop, or cannot go on. What was written by then stays, whole blocks only.
    pub async fn run(&self, stop: &CancellationToken) -> Result<(), FollowError> {
        let ended = tokio::select! {
            () = stop.cancelled() => Ok(()),
            ended = self.follow_tip() => ended,
            ended = self.follow_history() => ended,
            ended = self.follow_traces() => ended,
            ended = self.follow_balances() => ended,
        };
        if let Err(error) = &ended {
            self.tell(|progress| progress.trouble = Some(format!("nothing is followed any more: {error}")));
        }
        ended
    }

    /// Changes what is told of the progress.
    fn tell(&self, change: impl FnOnce(&mut NodeProgress)) {
        self.progress.send_if_modified(|progress| {
            let before = progress.clone();
            change(progress);
            *progress != before
        });
    }

    /// Adds to what happened to that which was kept.
    fn note(&self, sentence: String) {
        tracing::warn!("{sentence}");
        self.tell(|progress| {
            progress.notes.push(sentence);
            if progress.notes.len() > NOTES {
                progress.notes.remove(0);
            }
        });
    }

    /// Writes a run of blocks. `is_older`: below those that are held, which must be there.
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

    /// Waits until the newest blocks are in.
    async fn reach_tip(&self) {
        // The sender is this one's own.
        let _ = self.progress.subscribe().wait_for(|progress| progress.is_at_tip).await;
    }

    /// Whether newer blocks are to be had first. A node in trouble is not waited for: what it still gives is taken.
    fn is_behind(&self, held: &Bounds) -> bool {
        let progress = self.progress.borrow();
        progress.trouble.is_none() && progress.tip.is_some_and(|tip| tip.get() > held.tip.get() + BEHIND)
    }
}

/// Pauses between tries, longer from one to the next.
#[derive(Debug)]
struct Patience(Duration);

impl Default for Patience {
    fn default() -> Self {
        Self(PAUSE.0)
    }
}

impl Patience {
    /// Something went well: the next pause is the shortest again.
    fn reset(&mut self) {
        self.0 = PAUSE.0;
    }

    /// Waits before the next try; what cannot be helped by waiting is handed back.
    async fn wait(&mut self, error: StepError) -> Result<(), FollowError> {
        let pause = match error {
            StepError::Follow(error) => return Err(error),
            StepError::Feed(FeedError::Busy(pause)) => pause.max(PAUSE.0),
            // The block comes within its time; a node behind others has it a little later.
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

/// Whether a block that does not fit is the reason.
fn is_misfit(error: &StepError) -> bool {
    matches!(error, StepError::Follow(FollowError::Index(IndexError::OtherParent(_) | IndexError::Gap(..))))
}

impl<F> NodeFollower<F> {
    fn suspect(&self) {
        self.is_suspect.store(true, Ordering::Release);
    }

    /// The lowest header that is of use where blocks down to this one are wanted: that of the block before it, if the node
    /// has it.
    fn lowest_header(&self, floor: Height) -> Height {
        let oldest = self.oldest.load(Ordering::Acquire);
        floor.previous().filter(|below| below.get() >= oldest).unwrap_or(floor)
    }

    fn headers_below(&self) -> MutexGuard<'_, Vec<NodeHeader>> {
        // The list is whole at any time, so a lock whose holder panicked is still good.
        self.headers_below.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
