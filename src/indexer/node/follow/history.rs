//! History's side: the blocks below those that are held, as long as older ones can be had and are kept.

use std::sync::Arc;

use tokio::time::{Instant, sleep};

use super::{FollowError, IDLE, NodeFollower, Patience, RUN, StepError, is_misfit};
use crate::{
    domain::Height,
    indexer::node::{
        feed::{FeedError, NodeFeed},
        fetch::BlockFetcher,
        rate::ArrivalRate,
    },
};

impl<F: NodeFeed> NodeFollower<F> {
    pub(super) async fn follow_history(&self) -> Result<(), FollowError> {
        let mut fetcher = BlockFetcher::new(Arc::clone(&self.feed), self.options.width);
        let mut patience = Patience::default();
        let mut rate = ArrivalRate::default();
        // What was said of it: it is said once.
        let mut said = String::new();
        loop {
            self.reach_tip().await;
            let held = fetcher.held();
            match self.fill(&mut fetcher).await {
                Ok(0) => sleep(IDLE).await,
                Ok(blocks) => {
                    patience.reset();
                    let per_minute = rate.take(Instant::now(), blocks);
                    self.tell(|progress| {
                        progress.missing = progress.missing.saturating_sub(blocks);
                        progress.blocks_per_minute = per_minute.filter(|_| progress.missing > 0);
                    });
                }
                // The tip's side took blocks back, or is going to.
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
                // The next look at the tip says from where on there are blocks.
                Err(StepError::Feed(FeedError::Pruned)) => {
                    fetcher.forget();
                    sleep(IDLE).await;
                }
                Err(error) => {
                    tracing::debug!(%error, "history waits");
                    if let StepError::Feed(FeedError::Unreadable(why)) = &error
                        && *why != said
                    {
                        said.clone_from(why);
                        self.note(format!("older blocks wait: {why}"));
                    }
                    if fetcher.held() > held {
                        patience.reset();
                    }
                    patience.wait(error).await?;
                }
            }
        }
    }

    /// Brings in the next run below; how many blocks that were.
    async fn fill(&self, fetcher: &mut BlockFetcher<F>) -> Result<u64, StepError> {
        let Some(floor) = self.progress.borrow().floor else { return Ok(0) };
        let Some(held) = self.index.bounds()?.filter(|held| !self.index.is_full(held)) else { return Ok(0) };
        if self.is_behind(&held) {
            return Ok(0);
        }
        let Some(to) = held.from.previous().filter(|to| *to >= floor) else { return Ok(0) };
        let from = to.back(RUN - 1).max(floor);
        // The block below the lowest that is wanted can be had all the same, if the node has it.
        let has_before = from > floor || (from > Height::FIRST && self.options.from == Some(from));
        let run = fetcher.run(from, to, has_before).await?;
        let blocks = run.blocks.len() as u64;
        self.write(run, true).await?;
        Ok(blocks)
    }
}
