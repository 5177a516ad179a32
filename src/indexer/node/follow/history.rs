//! Backfill: indexes older blocks as long as they are available and wanted.

use std::sync::Arc;

use tokio::time::{Instant, sleep};

use super::{FIRST_RUN, FollowError, IDLE, NEWEST, NodeFollower, Patience, RUN, RunPlace, StepError, is_misfit};
use crate::indexer::node::{
    feed::{FeedError, NodeFeed},
    fetch::BlockFetcher,
    rate::ArrivalRate,
};

impl<F: NodeFeed> NodeFollower<F> {
    pub(super) async fn follow_history(&self) -> Result<(), FollowError> {
        let mut fetcher = BlockFetcher::new(Arc::clone(&self.feed), self.options.width);
        let mut patience = Patience::default();
        let mut rate = ArrivalRate::default();
        self.reach_tip().await;
        fetcher.add_headers(std::mem::take(&mut *self.headers_below()));
        // Keep the blocks that arrived even if the rest fails; later runs continue there.
        let mut came = fetcher.held();
        let mut filled = self.fill(&mut fetcher, NEWEST - FIRST_RUN).await;
        self.is_opened.cancel();
        loop {
            match filled {
                Ok(0) => sleep(IDLE).await,
                Ok(blocks) => {
                    patience.reset();
                    let per_minute = rate.take(Instant::now(), blocks);
                    self.tell(|progress| {
                        progress.missing = progress.missing.saturating_sub(blocks);
                        progress.blocks_per_minute = per_minute.filter(|_| progress.missing > 0);
                    });
                }
                // The tip task has removed blocks, or is about to.
                Err(error) if is_misfit(&error) => {
                    fetcher.forget();
                    if matches!(
                        error,
                        StepError::Follow(FollowError::Index(crate::indexer::index::IndexError::OtherParent(_),))
                    ) {
                        self.suspect();
                    }
                    sleep(IDLE).await;
                }
                // The next check of the tip reports the new start of the available blocks.
                Err(StepError::Feed(FeedError::Pruned)) => {
                    fetcher.forget();
                    sleep(IDLE).await;
                }
                Err(error) => {
                    tracing::debug!(%error, "history waits");
                    if fetcher.held() > came {
                        patience.reset();
                    }
                    self.complain(&mut patience, &error, "backfill waits");
                    patience.wait(error).await?;
                }
            }
            self.reach_tip().await;
            came = fetcher.held();
            filled = self.fill(&mut fetcher, RUN).await;
        }
    }

    /// Waits until the newest blocks were requested: they have priority.
    pub(super) async fn be_opened(&self) {
        self.is_opened.cancelled().await;
    }

    /// Indexes the next lower run of at most `most` blocks; returns the number of blocks.
    async fn fill(&self, fetcher: &mut BlockFetcher<F>, most: u64) -> Result<u64, StepError> {
        let Some(floor) = self.progress.borrow().floor else { return Ok(0) };
        let Some(held) = self.index.bounds()?.filter(|held| !self.index.is_full(held)) else { return Ok(0) };
        if self.is_behind(&held) {
            return Ok(0);
        }
        let Some(to) = held.from.previous().filter(|to| *to >= floor) else { return Ok(0) };
        let from = to.back(most - 1).max(floor);
        let run = fetcher.run(from, to, Some(self.lowest_header(floor))).await?;
        let blocks = run.blocks.len() as u64;
        self.write(run, RunPlace::Older).await?;
        Ok(blocks)
    }
}
