//! Follower of a rollup's node: first the newest blocks, then every new block, with the backfill beside it; call frames
//! and balances come last.
//!
//! The follower polls the tip. A WebSocket subscription would report a block a few tens of milliseconds earlier, but
//! needs a second protocol that many public nodes and gateways lack. It would need polling too, because nodes drop slow
//! subscribers without reporting the missed blocks.

mod failover;
mod fork;
mod history;
mod learned;
mod mend;
mod state;
mod tip;

use std::{
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::Duration,
};

use tokio::{
    sync::watch,
    task::spawn_blocking,
    time::{sleep, timeout},
};
use tokio_util::sync::CancellationToken;

use self::learned::LearnedNfts;
use super::{
    feed::{FeedError, LONGEST_PAUSE, NodeFeed, NodeHeader},
    fetch::BlockRun,
};
use crate::{
    client::AnswerMeter,
    domain::Height,
    indexer::{
        index::{BareBlock, BlockReplacement, Bounds, Index, IndexError, Prepared},
        progress::NodeProgress,
    },
};

/// Number of blocks in the first run: few enough that all their requests are under way at once.
pub const FIRST_RUN: u64 = 5;

/// Number of newest blocks that precede older blocks, call frames and balances: one page of a list.
const NEWEST: u64 = 100;

/// Number of blocks in each other run: at most these are lost if the program is killed.
const RUN: u64 = 40;

/// Minimum and maximum interval between polls of the tip.
const POLL: (Duration, Duration) = (Duration::from_millis(250), Duration::from_secs(5));

/// Minimum and maximum pause after a failure; each further failure doubles the pause.
const PAUSE: (Duration, Duration) = (Duration::from_millis(250), Duration::from_secs(10));

/// Pause from which on it is reported.
const LONG_PAUSE: Duration = Duration::from_secs(5);

/// Longest pause between looks at a block that the node announces.
const ANNOUNCED: Duration = Duration::from_secs(2);

/// Longest pause while the node refuses a part of a block.
const REFUSED: Duration = Duration::from_secs(1);

/// Failures in a row after which one is reported: as many as the attempts to decode a block.
const PERSISTENT: u32 = 4;

/// Failures in a row after which a block that the node announces is overdue: some seconds.
const OVERDUE: u32 = 12;

/// Number of new blocks from which on the backfill pauses.
const BEHIND: u64 = 2;

/// Interval between checks for work while idle.
const IDLE: Duration = Duration::from_millis(500);

/// Minimum and maximum time between two times that the progress is stored.
const SHARING: (Duration, Duration) = (Duration::from_millis(250), Duration::from_secs(4));

/// Maximum notes about changed blocks.
const NOTES: usize = 20;

#[derive(Clone, Copy, Debug)]
pub struct FollowOptions {
    /// Lowest wanted block; `None` for all available blocks.
    pub from: Option<Height>,
    /// Highest wanted block; `None` to follow the node.
    pub to: Option<Height>,
    /// Maximum concurrent block requests; the host limit may be lower.
    pub width: usize,
    pub has_rich_list: bool,
    /// Whether an index in a file goes on above blocks that the node has pruned.
    pub allows_gap: bool,
    /// Length of a second in the schedule by which refused requests are sent again; shorter in tests.
    pub second: Duration,
}

/// Place of a run among the stored blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RunPlace {
    /// Below all of them, which must exist.
    Older,
    /// Directly above all of them, or the first.
    Newest,
    /// Above blocks that the node has pruned.
    AboveGap,
}

impl Default for FollowOptions {
    fn default() -> Self {
        Self { from: None, to: None, width: 16, has_rich_list: true, allows_gap: false, second: Duration::from_secs(1) }
    }
}

/// Reason why a follower stopped.
#[derive(Debug, thiserror::Error)]
pub enum FollowError {
    #[error(transparent)]
    Index(#[from] IndexError),
    #[error("the index's writer failed: {0}")]
    Writer(#[from] tokio::task::JoinError),
}

/// Reason why a step failed.
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

/// Follower that indexes one node into one index.
#[derive(Debug)]
pub struct NodeFollower<F> {
    feed: Arc<F>,
    index: Arc<Index>,
    options: FollowOptions,
    progress: watch::Sender<NodeProgress>,
    /// Whether a block contradicted the stored blocks: the tip task then searches for the fork.
    is_suspect: AtomicBool,
    oldest: AtomicU64,
    /// Blocks below the node's newest at which an empty index begins.
    start_back: AtomicU64,
    /// Headers below the first run, which arrived with its headers.
    headers_below: Mutex<Vec<NodeHeader>>,
    /// Whether the newest blocks were requested; never reset.
    is_opened: CancellationToken,
    learned: Mutex<LearnedNfts>,
}

impl<F: NodeFeed> NodeFollower<F> {
    /// Creates a follower without sending a request.
    pub fn new(feed: Arc<F>, index: Arc<Index>, options: FollowOptions) -> Self {
        Self {
            feed,
            index,
            options,
            progress: watch::Sender::default(),
            is_suspect: AtomicBool::new(false),
            oldest: AtomicU64::new(1),
            start_back: AtomicU64::new(0),
            headers_below: Mutex::default(),
            is_opened: CancellationToken::new(),
            learned: Mutex::default(),
        }
    }

    /// Returns a receiver of the progress, which sees changes.
    pub fn progress(&self) -> watch::Receiver<NodeProgress> {
        self.progress.subscribe()
    }

    /// Follows until stopped or failed. Writes only whole blocks.
    pub async fn run(&self, stop: &CancellationToken) -> Result<(), FollowError> {
        self.feed.set_second(self.options.second);
        self.feed.set_floors(&self.index.floors()?, None);
        self.recall_newest()?;
        let ended = tokio::select! {
            () = stop.cancelled() => Ok(()),
            ended = self.follow_tip() => ended,
            ended = self.follow_history() => ended,
            ended = self.follow_traces() => ended,
            ended = self.follow_balances() => ended,
            ended = self.mend() => ended,
            ended = self.share_progress() => ended,
        };
        if let Err(error) = &ended {
            self.tell(|progress| progress.set_trouble(Some(format!("the index no longer follows the node: {error}"))));
        }
        ended
    }

    fn tell(&self, change: impl FnOnce(&mut NodeProgress)) {
        self.progress.send_if_modified(|progress| {
            let before = progress.clone();
            change(progress);
            *progress != before
        });
    }

    /// Stores the progress in the file for readers in other processes; ends with a lease that is lost.
    async fn share_progress(&self) -> Result<(), FollowError> {
        if self.index.is_in_memory() {
            std::future::pending::<()>().await;
        }
        let mut progress = self.progress.subscribe();
        loop {
            let (index, now) = (Arc::clone(&self.index), progress.borrow_and_update().clone());
            // Readers keep what the last process stored until this one knows more.
            let is_known = now.tip.is_some() || now.trouble.is_some();
            // The loops that write blocks report a disk that is full. On a chain at rest none of them writes.
            match spawn_blocking(move || if is_known { index.share(&now) } else { Ok(()) }).await {
                Ok(Err(error)) if error.is_lease_lost() => return Err(error.into()),
                Ok(Err(error)) => tracing::debug!(%error, "the progress was not stored"),
                Ok(Ok(())) | Err(_) => {}
            }
            sleep(SHARING.0).await;
            drop(timeout(SHARING.1, progress.changed()).await);
        }
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

    /// Writes a run of blocks.
    async fn write(&self, run: BlockRun, place: RunPlace) -> Result<(), StepError> {
        let lacking: Vec<_> = run.blocks.iter().flat_map(|block| &block.undecoded).cloned().collect();
        let answers = answers_of(&run);
        let prepared = self.prepare(run).await?;
        let prepared = match place {
            RunPlace::Older => prepared.below_what_is_held(),
            RunPlace::Newest => prepared,
            RunPlace::AboveGap => prepared.above_a_gap(),
        };
        self.commit(move |index| index.write(&prepared).and_then(|()| index.prune())).await?;
        drop(answers);
        self.find_floors()?;
        self.report_lacking(&lacking);
        Ok(())
    }

    /// Replaces a stored block.
    async fn replace(&self, run: BlockRun) -> Result<BlockReplacement, StepError> {
        let answers = answers_of(&run);
        let prepared = self.prepare(run).await?;
        let replaced = self.commit(move |index| index.replace(&prepared)).await?;
        drop(answers);
        Ok(replaced)
    }

    /// Adds a note about a failure that delays some work, unless the node is in trouble anyway.
    fn complain(&self, patience: &mut Patience, error: &StepError, what: &str) {
        let is_known = self.progress.borrow().trouble.is_some();
        // The pace of before is none while the work waits.
        self.tell(|progress| progress.blocks_per_minute = None);
        if let Some(why) = patience.complaint(error).filter(|_| !is_known) {
            self.note(format!("{what}: {why}"));
        }
    }

    async fn prepare(&self, run: BlockRun) -> Result<Prepared, StepError> {
        let index = Arc::clone(&self.index);
        let prepared = spawn_blocking(move || {
            let (mut blocks, mut receipts, mut undecoded, mut bare) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
            for one in run.blocks {
                let (height, txs, hashes) = (one.block.height, one.block.missing_txs, one.tx_hashes);
                bare.extend(one.is_bare.then_some(BareBlock { height, txs, hashes }));
                receipts.extend(one.receipts.map(|receipts| (height, receipts)));
                undecoded.extend(one.undecoded);
                blocks.push(one.block);
            }
            let prepared = index.prepare(blocks, run.previous)?.with_receipts(receipts);
            Ok::<_, IndexError>(prepared.with_undecoded(undecoded).with_bare(bare))
        });
        let mut prepared = prepared.await.map_err(FollowError::from)??;
        self.learn_all_nfts(&mut prepared).await?;
        Ok(prepared)
    }

    async fn commit<T: Send + 'static>(
        &self,
        write: impl FnOnce(&Index) -> Result<T, IndexError> + Send + 'static,
    ) -> Result<T, StepError> {
        let index = Arc::clone(&self.index);
        let written = spawn_blocking(move || write(&index)).await.map_err(FollowError::from)??;
        self.forget_learned();
        Ok(written)
    }

    /// Waits until the newest blocks are stored.
    async fn reach_tip(&self) {
        // This struct owns the sender.
        let _ = self.progress.subscribe().wait_for(|progress| progress.is_at_tip).await;
    }

    /// Whether newer blocks must precede other work. A failing node does not delay other work.
    fn is_behind(&self, held: &Bounds) -> bool {
        let progress = self.progress.borrow();
        progress.trouble.is_none() && progress.tip.is_some_and(|tip| tip.get() > held.tip.get() + BEHIND)
    }
}

/// Returns the answers of a run, to be kept until it is written.
fn answers_of(run: &BlockRun) -> Vec<Arc<AnswerMeter>> {
    run.blocks.iter().map(|block| Arc::clone(&block.answers)).collect()
}

/// Pause between attempts, which grows with each failure.
#[derive(Debug)]
struct Patience {
    pause: Duration,
    /// Failures in a row.
    failures: u32,
    /// Last reported failure, so that each is reported once.
    reported: String,
}

impl Default for Patience {
    fn default() -> Self {
        Self { pause: PAUSE.0, failures: 0, reported: String::new() }
    }
}

impl Patience {
    /// Resets the pause after a success.
    fn reset(&mut self) {
        (self.pause, self.failures) = (PAUSE.0, 0);
    }

    /// Returns the error's sentence if it must be reported: an unusable response at once, others when they persist.
    fn complaint(&mut self, error: &StepError) -> Option<String> {
        self.failures += 1;
        let is_due = match error {
            StepError::Feed(FeedError::Unreadable(_)) => true,
            StepError::Feed(FeedError::Busy(pause)) if *pause >= LONG_PAUSE => true,
            // What is left out in the end is listed.
            StepError::Feed(FeedError::Refused(_)) => false,
            StepError::Feed(_) => self.failures >= PERSISTENT,
            StepError::Follow(error) => may_pass(error),
        };
        let why = Some(error.to_string()).filter(|why| is_due && *why != self.reported)?;
        self.reported.clone_from(&why);
        Some(why)
    }

    /// Waits before the next attempt; returns errors that waiting cannot solve. A full disk may get room, and a
    /// database may answer again.
    async fn wait(&mut self, error: StepError) -> Result<(), FollowError> {
        sleep(self.pause_after(error)?).await;
        Ok(())
    }

    fn pause_after(&mut self, error: StepError) -> Result<Duration, FollowError> {
        Ok(match error {
            StepError::Follow(error) if !may_pass(&error) => return Err(error),
            StepError::Feed(FeedError::Busy(pause)) => pause.clamp(PAUSE.0, LONGEST_PAUSE),
            // Other blocks may be due earlier.
            StepError::Feed(FeedError::Refused(refusal)) if !refusal.again.is_zero() => refusal.again.min(REFUSED),
            error => {
                let pause = self.pause;
                // A block that is announced arrives within its usual time; a lagging node has it slightly later.
                let is_announced = matches!(error, StepError::Feed(FeedError::NotYet));
                self.pause = (pause * 2).min(if is_announced { ANNOUNCED } else { PAUSE.1 });
                pause
            }
        })
    }
}

fn may_pass(error: &FollowError) -> bool {
    matches!(error, FollowError::Index(error) if error.may_pass())
}

/// Whether the error means that a block contradicts the stored blocks.
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
        // No code panics halfway through a change, so a poisoned lock holds valid data.
        self.headers_below.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pause_that_a_node_asks_for_is_told_and_ends() {
        for (asked, taken, is_told) in [(0, PAUSE.0, false), (7, Duration::from_secs(7), true)]
            .into_iter()
            .chain([24, 400 * 24].map(|hours| (hours * 3600, Duration::from_secs(600), true)))
        {
            let busy = || StepError::from(FeedError::Busy(Duration::from_secs(asked)));
            let mut patience = Patience::default();
            assert_eq!(patience.complaint(&busy()).is_some(), is_told, "{asked}");
            assert_eq!(patience.pause_after(busy()).unwrap(), taken, "{asked}");
        }
    }

    #[tokio::test]
    async fn a_full_disk_is_waited_for_and_a_damaged_file_is_not() {
        let of = |code| {
            StepError::from(IndexError::from(rusqlite::Error::SqliteFailure(rusqlite::ffi::Error::new(code), None)))
        };
        for (code, is_waited_for) in [
            (rusqlite::ffi::SQLITE_FULL, true),
            (rusqlite::ffi::SQLITE_IOERR, true),
            (rusqlite::ffi::SQLITE_CORRUPT, false),
        ] {
            let mut patience = Patience::default();
            assert_eq!(patience.complaint(&of(code)).is_some(), is_waited_for, "{code}: reported at once");
            assert_eq!(patience.wait(of(code)).await.is_ok(), is_waited_for, "{code}");
        }
    }
}
