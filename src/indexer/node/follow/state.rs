//! State that follows the blocks: call frames, newest first, and balances.

use std::{collections::BTreeMap, sync::Arc};

use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use tokio::{task::spawn_blocking, time::sleep};

use super::{FollowError, IDLE, NodeFollower, Patience, StepError};
use crate::{
    domain::{BlockHash, Height},
    indexer::{
        index::{AccountBalances, BlockGaps, Bounds, ChainBranch, TracedBlocks},
        node::{
            feed::{FeedError, NodeFeed, NodeTraces},
            fetch::{RequestWidth, gather},
        },
    },
};

const TRACED_RUN: u64 = 20;

const ACCOUNTS: u16 = 50;

/// Maximum concurrent requests; leaves room for blocks.
const WIDTH: usize = 4;

impl<F: NodeFeed> NodeFollower<F> {
    pub(super) async fn follow_traces(&self) -> Result<(), FollowError> {
        let mut patience = Patience::default();
        let (mut came, mut width) = (FoundTraces::default(), RequestWidth::new(WIDTH));
        self.be_opened().await;
        loop {
            self.reach_tip().await;
            let before = came.len();
            match self.trace(&mut came, &mut width).await {
                Ok(true) => patience.reset(),
                Ok(false) => sleep(IDLE).await,
                Err(_) if !self.feed.is_traced() => {
                    self.index.end_traces();
                    self.note("the node cannot trace: the index has no internal transactions of its blocks".to_owned());
                }
                Err(error) => {
                    if came.len() > before {
                        patience.reset();
                    }
                    self.complain(&mut patience, &error, "call frames wait");
                    patience.wait(error).await?;
                }
            }
        }
    }

    /// Indexes the call frames of some blocks, newest first; false if none are missing. Older blocks do not wait for
    /// newest ones that the node has not traced yet.
    async fn trace(&self, came: &mut FoundTraces, width: &mut RequestWidth) -> Result<bool, StepError> {
        if !self.feed.is_traced() {
            return Ok(false);
        }
        let branch = self.index.branch();
        let Some(held) = self.index.bounds()?.filter(|held| !self.is_behind(held)) else { return Ok(false) };
        let mut failure = None;
        for run in untraced(&held, self.index.traced()?, &self.index.gaps()?) {
            match self.trace_run(branch, run, came, width).await {
                Ok(()) => return Ok(true),
                Err(error) => failure = failure.or(Some(error)),
            }
        }
        failure.map_or(Ok(false), Err)
    }

    /// Indexes the call frames of blocks, as far as the node sends them without a gap to the traced ones. Keeps other
    /// received frames for the next attempt.
    async fn trace_run(
        &self,
        branch: ChainBranch,
        run: UntracedRun,
        came: &mut FoundTraces,
        width: &mut RequestWidth,
    ) -> Result<(), StepError> {
        let with_receipts = self.index.heights_with_receipts(run.from, run.to)?;
        let mut wanted = Vec::new();
        for height in (run.from.get()..=run.to.get()).filter_map(Height::new) {
            // A different block at this height has different calls.
            let hash = self.index.block_hash(height)?;
            if !with_receipts.contains(&height) {
                came.insert((height, hash), NodeTraces::default());
            }
            wanted.push((height, hash));
        }
        if !run.is_above {
            wanted.reverse();
        }
        let missing: Vec<_> = wanted.iter().filter(|key| !came.contains_key(key)).copied().collect();
        // Call frames of new blocks are waited for; those of older ones come later.
        let ask = async |key: TracedKey| {
            let found = self.feed.traces(key.0).await?;
            match found.awaited().filter(|_| run.is_above) {
                Some(refusal) => Err(FeedError::Refused(refusal)),
                None => Ok(found),
            }
        };
        let keep = |key, traces| drop(came.insert(key, traces));
        let failure = gather(missing, width, ask, keep).await.err();
        if let (false, Some(error)) = (self.feed.is_traced(), &failure) {
            return Err(error.clone().into());
        }
        let mut found: Vec<_> = wanted.iter().map_while(|key| Some((key.0, came.remove(key)?))).collect();
        if let (true, Some(error)) = (found.is_empty(), failure) {
            return Err(error.into());
        }
        came.retain(|key, _| wanted.contains(key));
        found.sort_by_key(|(height, _)| *height);
        let (mut traces, mut undecoded, mut answers) = (Vec::with_capacity(found.len()), Vec::new(), Vec::new());
        for (height, frames) in found {
            traces.push((height, frames.traces));
            undecoded.extend(frames.undecoded);
            answers.push(frames.answers);
        }
        let (index, lacking) = (Arc::clone(&self.index), undecoded.clone());
        let write = move || index.write_traces(branch, &traces, &undecoded);
        spawn_blocking(write).await.map_err(FollowError::from)??;
        drop(answers);
        self.find_floors()?;
        self.report_lacking(&lacking);
        Ok(())
    }

    pub(super) async fn follow_balances(&self) -> Result<(), FollowError> {
        let mut patience = Patience::default();
        let mut accounts = AccountWalk::default();
        self.be_opened().await;
        loop {
            self.reach_tip().await;
            match self.ask_balances(&mut accounts).await {
                Ok(true) => patience.reset(),
                Ok(false) => sleep(IDLE).await,
                Err(error) => {
                    self.complain(&mut patience, &error, "balances wait");
                    patience.wait(error).await?;
                }
            }
        }
    }

    /// Queries the balances of some accounts; false if no account is due.
    async fn ask_balances(&self, walk: &mut AccountWalk) -> Result<bool, StepError> {
        if !self.options.has_rich_list || !self.feed.has_balances() {
            self.index.set_state(true);
            return Ok(false);
        }
        let branch = self.index.branch();
        let Some(held) = self.index.bounds()?.filter(|held| !self.is_behind(held)) else { return Ok(false) };
        let is_whole = self.index.has_balances()?;
        let due = self.index.due_balances(ACCOUNTS)?;
        self.index.set_state(is_whole);
        if !due.is_empty() {
            let asked = due.into_iter().map(|account| self.feed.balances(account));
            let answers: Vec<AccountBalances> = stream::iter(asked).buffer_unordered(WIDTH).try_collect().await?;
            let index = Arc::clone(&self.index);
            spawn_blocking(move || index.write_balances(branch, &answers)).await.map_err(FollowError::from)??;
            return Ok(true);
        }
        if is_whole {
            if held.from == Height::FIRST && held.missing == 0 && !self.index.has_parties()? {
                self.index.set_parties_whole(branch)?;
            }
            return Ok(false);
        }
        let begun = (branch, held.missing);
        if walk.begun != Some(begun) {
            // Accounts of a gap, or of another chain, are anywhere in the list.
            *walk = AccountWalk { begun: Some(begun), ..AccountWalk::default() };
        }
        if walk.is_at_end {
            self.index.set_balances_whole(branch)?;
            *walk = AccountWalk::default();
            return Ok(true);
        }
        let page = self.feed.accounts(walk.next.clone()).await?;
        self.index.add_accounts(branch, &page.accounts, held.tip)?;
        *walk = AccountWalk { is_at_end: page.next.is_none(), next: page.next, ..*walk };
        Ok(true)
    }
}

/// Height and hash of a block with call frames.
type TracedKey = (Height, Option<BlockHash>);

/// Call frames of incomplete runs.
type FoundTraces = BTreeMap<TracedKey, NodeTraces>;

/// Position in the list of all accounts, while they are read.
#[derive(Debug, Default)]
struct AccountWalk {
    next: Option<String>,
    is_at_end: bool,
    /// Branch, and blocks in gaps, when the walk began.
    begun: Option<(ChainBranch, u64)>,
}

/// Blocks without call frames, next to those that have them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct UntracedRun {
    from: Height,
    to: Height,
    /// Whether the traced blocks, if there are any, lie below.
    is_above: bool,
}

/// Returns the next blocks without call frames above and below those that have them.
fn untraced(
    held: &Bounds,
    traced: Option<TracedBlocks>,
    gaps: &BlockGaps,
) -> impl Iterator<Item = UntracedRun> + use<> {
    let run =
        |from: Height, to: Height, is_above| Some(UntracedRun { from, to, is_above }).filter(|run| run.from <= run.to);
    let lowest = |to: Height| to.back(TRACED_RUN - 1).max(gaps.start_of_range(to, held.from));
    let runs = match traced {
        None => [run(lowest(held.tip), held.tip, true), None],
        Some(traced) => {
            let from = gaps.at_or_above(traced.tip.next());
            let to = Height::new(from.get() + TRACED_RUN - 1).unwrap_or(held.tip);
            let to = gaps.end_of_range(from, held.tip).min(to);
            let below = traced.from.previous().map(|to| gaps.at_or_below(to)).filter(|to| *to >= held.from);
            [run(from, to, true), below.and_then(|to| run(lowest(to), to, false))]
        }
    };
    runs.into_iter().flatten()
}
