//! State that follows the blocks: call frames, newest first, and balances.

use std::{collections::BTreeMap, sync::Arc};

use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use tokio::{task::spawn_blocking, time::sleep};

use super::{FollowError, IDLE, NodeFollower, Patience, StepError};
use crate::{
    domain::{BlockHash, Height},
    indexer::{
        index::{AccountBalances, Bounds, TracedBlocks},
        node::feed::NodeFeed,
        source::EvmTraces,
    },
    wire::UndecodedPart,
};

const TRACED_RUN: u64 = 20;

const ACCOUNTS: u16 = 50;

/// Maximum concurrent requests; leaves room for blocks.
const WIDTH: usize = 4;

impl<F: NodeFeed> NodeFollower<F> {
    pub(super) async fn follow_traces(&self) -> Result<(), FollowError> {
        let mut patience = Patience::default();
        let mut came = FoundTraces::default();
        self.be_opened().await;
        loop {
            self.reach_tip().await;
            let before = came.len();
            match self.trace(&mut came).await {
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

    /// Indexes the call frames of some blocks; false if none are missing. Keeps received frames if another block fails.
    async fn trace(&self, came: &mut FoundTraces) -> Result<bool, StepError> {
        if !self.feed.is_traced() {
            return Ok(false);
        }
        let Some(held) = self.index.bounds()?.filter(|held| !self.is_behind(held)) else { return Ok(false) };
        let Some((from, to)) = untraced(&held, self.index.traced()?) else { return Ok(false) };
        let with_receipts = self.index.heights_with_receipts(from, to)?;
        let mut wanted = Vec::new();
        for height in (from.get()..=to.get()).filter_map(Height::new) {
            // A different block at this height has different calls.
            let hash = self.index.block_hash(height)?;
            if !with_receipts.contains(&height) {
                came.insert((height, hash), (EvmTraces::default(), None));
            }
            wanted.push((height, hash));
        }
        let missing: Vec<_> = wanted.iter().filter(|key| !came.contains_key(key)).copied().collect();
        let asked = missing.into_iter().map(|key| async move { (key, self.feed.traces(key.0).await) });
        let mut answers = stream::iter(asked).buffer_unordered(WIDTH);
        let mut failure = None;
        while let Some((key, answer)) = answers.next().await {
            match answer {
                Ok(traces) => drop(came.insert(key, traces)),
                Err(error) => failure = Some(error),
            }
        }
        if let Some(error) = failure {
            return Err(error.into());
        }
        let mut traces = Vec::with_capacity(wanted.len());
        let mut undecoded = Vec::new();
        for key in wanted {
            let Some((found, lost)) = came.remove(&key) else { continue };
            traces.push((key.0, found));
            undecoded.extend(lost);
        }
        came.clear();
        let index = Arc::clone(&self.index);
        let write = move || index.write_traces(&traces).and_then(|()| index.add_undecoded(&undecoded));
        spawn_blocking(write).await.map_err(FollowError::from)??;
        Ok(true)
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
        let Some(held) = self.index.bounds()?.filter(|held| !self.is_behind(held)) else { return Ok(false) };
        let is_whole = self.index.has_balances()?;
        let due = self.index.due_balances(ACCOUNTS)?;
        self.index.set_state(is_whole);
        if !due.is_empty() {
            let asked = due.into_iter().map(|account| self.feed.balances(account));
            let answers: Vec<AccountBalances> = stream::iter(asked).buffer_unordered(WIDTH).try_collect().await?;
            let index = Arc::clone(&self.index);
            spawn_blocking(move || index.write_balances(&answers)).await.map_err(FollowError::from)??;
            return Ok(true);
        }
        if is_whole {
            if held.from == Height::FIRST && !self.index.has_parties()? {
                self.index.set_parties_whole()?;
            }
            return Ok(false);
        }
        if walk.is_at_end {
            self.index.set_balances_whole()?;
            *walk = AccountWalk::default();
            return Ok(true);
        }
        let page = self.feed.accounts(walk.next.clone()).await?;
        self.index.add_accounts(&page.accounts, held.tip)?;
        *walk = AccountWalk { is_at_end: page.next.is_none(), next: page.next };
        Ok(true)
    }
}

/// Call frames of incomplete runs, by height and block hash.
type FoundTraces = BTreeMap<(Height, Option<BlockHash>), (EvmTraces, Option<UndecodedPart>)>;

/// Position in the list of all accounts, while they are read.
#[derive(Debug, Default)]
struct AccountWalk {
    next: Option<String>,
    is_at_end: bool,
}

/// Returns the next blocks to trace: above the traced blocks, then below; `None` if all are traced.
fn untraced(held: &Bounds, traced: Option<TracedBlocks>) -> Option<(Height, Height)> {
    let Some(traced) = traced else { return Some((held.tip.back(TRACED_RUN - 1).max(held.from), held.tip)) };
    if traced.tip < held.tip {
        let to = Height::new(traced.tip.get() + TRACED_RUN).unwrap_or(held.tip).min(held.tip);
        return Some((traced.tip.next(), to));
    }
    let to = traced.from.previous().filter(|to| *to >= held.from)?;
    Some((to.back(TRACED_RUN - 1).max(held.from), to))
}
