//! Detection of a fork between the node's chain and the stored chain.

use std::sync::Arc;

use tokio::task::spawn_blocking;

use super::{FollowError, NodeFollower, StepError};
use crate::{
    domain::Height,
    indexer::{
        index::Bounds,
        node::{
            feed::{NodeFeed, NodeHead},
            fetch::BlockFetcher,
        },
    },
};

impl<F: NodeFeed> NodeFollower<F> {
    /// Whether the node's chain differs from the index's chain.
    pub(super) fn is_another_chain(&self, head: &NodeHead) -> Result<bool, StepError> {
        let own = self.index.chain_id();
        if own.is_empty() {
            // A reopened file knows its chain id better than the node does.
            return match self.index.claim(&head.chain_id) {
                Ok(()) => Ok(false),
                Err(crate::indexer::index::IndexError::Belongs { .. }) => Ok(true),
                Err(error) => Err(error.into()),
            };
        }
        Ok(own != head.chain_id)
    }

    /// Finds the highest common block and removes the blocks above it. Without a common block, the node has another
    /// chain, and the stored chain is put aside.
    pub(super) async fn undo_to_fork(
        &self,
        head: &NodeHead,
        bounds: &Bounds,
        fetcher: &mut BlockFetcher<F>,
    ) -> Result<(), StepError> {
        let lowest = bounds.from.max(head.oldest);
        let mut low = None;
        let mut high = bounds.tip.min(head.tip);
        if high < lowest {
            return Ok(());
        }
        // Descend in growing steps to a common block, then bisect between it and the lowest different block.
        let mut step = 1;
        let mut at = high;
        loop {
            if self.is_same(at, fetcher).await? {
                low = Some(at);
                break;
            }
            high = at;
            if at == lowest {
                break;
            }
            at = at.back(step).max(lowest);
            step *= 2;
        }
        let Some(mut low) = low else {
            self.begin_anew(&format!("the node's block {lowest} differs from the indexed block")).await?;
            return Ok(());
        };
        while low.next() < high {
            let middle = Height::new(u64::midpoint(low.get(), high.get())).unwrap_or(low);
            if self.is_same(middle, fetcher).await? {
                low = middle;
            } else {
                high = middle;
            }
        }
        if low >= bounds.tip {
            return Ok(());
        }
        let index = Arc::clone(&self.index);
        self.forget_learned();
        self.tell(|progress| progress.tip = Some(head.tip));
        spawn_blocking(move || index.undo_above(low)).await.map_err(FollowError::from)??;
        self.note(format!(
            "the chain forked after block {low}: the index dropped {} blocks",
            bounds.tip.get() - low.get()
        ));
        Ok(())
    }

    /// Tells the feed of the newest block: an earlier run of the program may have taken its results unproven.
    pub(super) fn recall_newest(&self) -> Result<(), FollowError> {
        let Some(tip) = self.index.bounds()?.map(|bounds| bounds.tip) else { return Ok(()) };
        if let Some((hash, results)) = self.index.block_hash(tip)?.zip(self.index.results_hash(tip)?) {
            self.feed.take_unproven(tip, hash, results);
        }
        Ok(())
    }

    /// Removes the newest block, whose results are not those that the next header has the root of.
    pub(super) async fn undo_refuted(&self, height: Height) -> Result<(), StepError> {
        let index = Arc::clone(&self.index);
        self.forget_learned();
        let below = height.back(1);
        spawn_blocking(move || index.undo_above(below)).await.map_err(FollowError::from)??;
        self.note(format!("the results of block {height} contradict the next header: the index asks for them again"));
        Ok(())
    }

    async fn is_same(&self, height: Height, fetcher: &mut BlockFetcher<F>) -> Result<bool, StepError> {
        // Nothing tells a missing block from the node's.
        if self.index.gaps()?.of(height).is_some() {
            return Ok(true);
        }
        let named = fetcher.header(height).await?;
        Ok(named.is_some_and(|header| self.index.block_hash(height).ok() == Some(Some(header.hash))))
    }

    /// Puts the stored chain aside (copies a file within its folder) and starts an empty index.
    pub(super) async fn begin_anew(&self, why: &str) -> Result<(), StepError> {
        let index = Arc::clone(&self.index);
        let aside = spawn_blocking(move || index.put_aside()).await.map_err(FollowError::from)??;
        self.forget_learned();
        self.forget_others();
        self.tell(|progress| (progress.is_at_tip, progress.tip) = (false, None));
        self.note(match aside {
            Some(aside) => format!("{why}; the old index is now in {aside}"),
            None => format!("{why}; the index starts over"),
        });
        Ok(())
    }
}
