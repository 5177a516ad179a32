//! What comes after the blocks: call frames, the newest first, and who holds what.

use std::sync::Arc;

use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use tokio::{task::spawn_blocking, time::sleep};

use super::{FollowError, IDLE, NodeFollower, Patience, StepError};
use crate::{
    domain::Height,
    indexer::{
        index::{AccountBalances, Bounds, TracedBlocks},
        node::feed::{FeedError, NodeFeed},
        source::EvmTraces,
    },
};

/// Blocks traced at a time.
const TRACED_RUN: u64 = 20;

/// Accounts asked at a time.
const ACCOUNTS: u16 = 50;

/// Requests at once: blocks come first.
const WIDTH: usize = 4;

impl<F: NodeFeed> NodeFollower<F> {
    pub(super) async fn follow_traces(&self) -> Result<(), FollowError> {
        let mut patience = Patience::default();
        loop {
            self.reach_tip().await;
            match self.trace().await {
                Ok(true) => patience.reset(),
                Ok(false) => sleep(IDLE).await,
                Err(error) => patience.wait(error).await?,
            }
        }
    }

    /// Brings in the call frames of some blocks; false when none are missing.
    async fn trace(&self) -> Result<bool, StepError> {
        if !self.feed.is_traced() {
            return Ok(false);
        }
        let Some(held) = self.index.bounds()?.filter(|held| !self.is_behind(held)) else { return Ok(false) };
        let Some((from, to)) = untraced(&held, self.index.traced()?) else { return Ok(false) };
        let with_receipts = self.index.heights_with_receipts(from, to)?;
        let heights = (from.get()..=to.get()).filter_map(Height::new);
        let asked = heights.map(|height| {
            let is_empty = !with_receipts.contains(&height);
            async move {
                let traces = if is_empty { EvmTraces::default() } else { self.feed.traces(height).await? };
                Ok::<_, FeedError>((height, traces))
            }
        });
        let traces: Vec<_> = stream::iter(asked).buffered(WIDTH).try_collect().await?;
        let index = Arc::clone(&self.index);
        spawn_blocking(move || index.write_traces(&traces)).await.map_err(FollowError::from)??;
        Ok(true)
    }

    pub(super) async fn follow_balances(&self) -> Result<(), FollowError> {
        let mut patience = Patience::default();
        let mut accounts = AccountWalk::default();
        loop {
            self.reach_tip().await;
            match self.ask_balances(&mut accounts).await {
                Ok(true) => patience.reset(),
                Ok(false) => sleep(IDLE).await,
                Err(error) => patience.wait(error).await?,
            }
        }
    }

    /// Asks what some accounts hold; false when nobody is left to ask.
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

/// Where the walk over all accounts is.
#[derive(Debug, Default)]
struct AccountWalk {
    next: Option<String>,
    is_at_end: bool,
}

/// The next blocks to trace: above those that are traced, then below.
fn untraced(held: &Bounds, traced: Option<TracedBlocks>) -> Option<(Height, Height)> {
    let Some(traced) = traced else { return Some((held.tip.back(TRACED_RUN - 1).max(held.from), held.tip)) };
    if traced.tip < held.tip {
        let to = Height::new(traced.tip.get() + TRACED_RUN).unwrap_or(held.tip).min(held.tip);
        return Some((traced.tip.next(), to));
    }
    let to = traced.from.previous().filter(|to| *to >= held.from)?;
    Some((to.back(TRACED_RUN - 1).max(held.from), to))
}
