//! Change to another node of the indexed chain.

use super::{NodeFollower, StepError};
use crate::indexer::node::feed::{FeedError, HeldChain, NodeFeed};

/// Refusals of new blocks after which another node is asked.
const REFUSALS: u32 = 8;

impl<F: NodeFeed> NodeFollower<F> {
    /// Goes on with another node if the node in use did not answer; returns whether it does. The client has retried
    /// the request before it reports this.
    pub(super) async fn change_node(&self, error: &StepError, failures: u32) -> Result<bool, StepError> {
        let cause = match error {
            StepError::Feed(FeedError::Away(cause)) => cause,
            // Another node may have what this one refuses of a new block; each is asked several times.
            StepError::Feed(FeedError::Refused(refusal)) if failures > 0 && failures.is_multiple_of(REFUSALS) => {
                &refusal.cause
            }
            StepError::Feed(_) | StepError::Follow(_) => return Ok(false),
        };
        let (chain_id, tip) = (self.index.chain_id(), self.index.bounds()?.map(|bounds| bounds.tip));
        let hash_of = |height| self.index.block_hash(height).ok().flatten();
        let held = HeldChain { chain_id: &chain_id, tip, hash_of: &hash_of };
        let change = self.feed.change_node(cause, held).await;
        for refused in change.refused {
            let is_known = self.progress.borrow().notes.contains(&refused);
            if !is_known {
                self.note(refused);
            }
        }
        let Some(used) = change.used else { return Ok(false) };
        self.note(used);
        self.tell(|progress| progress.node = self.feed.node());
        Ok(true)
    }
}
