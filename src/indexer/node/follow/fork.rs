//! Where the node's chain left the one that is kept.

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
    /// Whether the node says that it is of another chain than the index.
    pub(super) fn is_another_chain(&self, head: &NodeHead) -> Result<bool, StepError> {
        let own = self.index.chain_id();
        if own.is_empty() {
            // A file that was opened again knows its chain better than the node does.
            return match self.index.claim(&head.chain_id) {
                Ok(()) => Ok(false),
                Err(crate::indexer::index::IndexError::Belongs { .. }) => Ok(true),
                Err(error) => Err(error.into()),
            };
        }
        Ok(own != head.chain_id)
    }

    /// Finds the highest block that both have, and takes back what is above it. Where there is none, the node's is
    /// another chain: what was kept is put aside.
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
        // Downwards in growing steps to a block that is the same, then between that one and the lowest that differs.
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
            self.begin_anew(&format!("the node has another block {lowest} than the one that was kept")).await?;
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
        spawn_blocking(move || index.undo_above(low)).await.map_err(FollowError::from)??;
        self.note(format!(
            "the chain went on otherwise after block {low}: {} blocks were taken back",
            bounds.tip.get() - low.get()
        ));
        Ok(())
    }

    async fn is_same(&self, height: Height, fetcher: &mut BlockFetcher<F>) -> Result<bool, StepError> {
        let named = fetcher.header(height).await?;
        Ok(named.is_some_and(|header| self.index.block_hash(height).ok() == Some(Some(header.hash))))
    }

    /// Puts aside what is kept, of a file as a copy beside it, and begins anew.
    pub(super) async fn begin_anew(&self, why: &str) -> Result<(), StepError> {
        let index = Arc::clone(&self.index);
        let aside = spawn_blocking(move || index.put_aside()).await.map_err(FollowError::from)??;
        self.forget_learned();
        self.forget_others();
        self.tell(|progress| progress.is_at_tip = false);
        self.note(match aside {
            Some(aside) => format!("{why}; what was kept is in {} now", aside.display()),
            None => format!("{why}; it begins anew"),
        });
        Ok(())
    }
}
