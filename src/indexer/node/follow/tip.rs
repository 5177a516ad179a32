//! Tip: indexes the newest blocks first, then every new block, and fills a gap to the stored blocks upwards.

use std::{sync::Arc, sync::atomic::Ordering, time::Duration};

use tokio::time::sleep;

use super::{
    FIRST_RUN, FollowError, NodeFollower, OVERDUE, PERSISTENT, POLL, Patience, RUN, RunPlace, StepError, is_misfit,
};
use crate::{
    domain::Height,
    indexer::{
        index::Bounds,
        node::{
            feed::{FeedError, NodeFeed, NodeHead},
            fetch::BlockFetcher,
        },
    },
};

enum TipStep {
    /// A step was done; more work may follow immediately.
    Moved,
    /// The index has the newest block.
    AtTip,
}

impl<F: NodeFeed> NodeFollower<F> {
    pub(super) async fn follow_tip(&self) -> Result<(), FollowError> {
        let mut fetcher = BlockFetcher::new(Arc::clone(&self.feed), self.options.width);
        let mut patience = Patience::default();
        loop {
            let held = fetcher.held();
            match self.step(&mut fetcher).await {
                Ok(step) => {
                    patience.reset();
                    self.tell(|progress| progress.set_trouble(None));
                    if let TipStep::AtTip = step {
                        sleep(self.poll_interval()?).await;
                    }
                }
                Err(error) if is_misfit(&error) => {
                    fetcher.forget();
                    self.suspect();
                }
                Err(error) => {
                    // Blocks above one that is refused come, but it holds them back.
                    if fetcher.held() > held && !matches!(error, StepError::Feed(FeedError::Refused(_))) {
                        patience.reset();
                    }
                    match self.change_node(&error, patience.failures).await {
                        Ok(true) => {
                            fetcher.forget();
                            patience.reset();
                            continue;
                        }
                        Ok(false) => {}
                        Err(error) => patience.wait(error).await?,
                    }
                    if let Some(trouble) = self.trouble_of(&mut patience, &error) {
                        self.tell(|progress| progress.set_trouble(Some(trouble)));
                    }
                    patience.wait(error).await?;
                }
            }
        }
    }

    /// Returns the sentence for a failure at the tip; `None` for a new block that the node does not have whole yet.
    fn trouble_of(&self, patience: &mut Patience, error: &StepError) -> Option<String> {
        patience.failures += 1;
        match error {
            StepError::Feed(FeedError::NotYet) => {
                let tip = self.progress.borrow().tip.filter(|_| patience.failures >= OVERDUE)?;
                Some(format!("the node reports block {tip} as its newest, but does not send the blocks up to it"))
            }
            StepError::Feed(FeedError::Refused(refusal)) => {
                let next = self.index.bounds().ok()??.tip.next();
                let is_due = patience.failures >= PERSISTENT;
                is_due.then(|| format!("the node does not send block {next} whole: {}", refusal.cause))
            }
            error => Some(error.to_string()),
        }
    }

    async fn step(&self, fetcher: &mut BlockFetcher<F>) -> Result<TipStep, StepError> {
        let head = self.feed.head().await?.up_to(self.options.to);
        let bounds = self.index.bounds()?;
        let is_another = bounds.is_some() && self.is_another_chain(&head)?;
        // The heights of another chain say nothing of this one's lag.
        if !is_another {
            self.take_head(&head)?;
        }
        let Some(bounds) = bounds else {
            self.index.claim(&head.chain_id)?;
            let lowest = head.oldest.max(self.options.from.unwrap_or(Height::FIRST)).min(head.tip);
            // An interface may lag: then the newest blocks that it has are the first.
            let back = self.start_back.load(Ordering::Acquire);
            let to = head.tip.back(back).max(lowest);
            let from = to.back(FIRST_RUN - 1).max(lowest);
            let run = fetcher.run(from, to, Some(self.lowest_header(lowest))).await;
            if let Err(FeedError::NotYet | FeedError::Refused(_)) = run {
                let next = if to == lowest { 0 } else { 2 * back + 1 };
                self.start_back.store(next, Ordering::Release);
            }
            let run = run?;
            let from = run.blocks.first().map_or(from, |first| first.block.height);
            *self.headers_below() = fetcher.take_headers_below(from);
            self.write(run, RunPlace::Newest).await?;
            self.take_head(&head)?;
            self.tell(|progress| progress.is_at_tip = true);
            return Ok(TipStep::Moved);
        };
        if is_another {
            let own = self.index.chain_id();
            // A gateway may serve another chain for a moment; a file keeps its chain.
            if !self.index.is_in_memory() {
                let sentence = format!(
                    "the node now serves {}, but the index holds {own}: correct the node, or use another --data",
                    head.chain_id
                );
                return Err(FeedError::Unreadable(sentence).into());
            }
            let why = format!("the node now serves {}; the index holds {own}", head.chain_id);
            fetcher.forget();
            self.begin_anew(&why).await?;
            return Ok(TipStep::Moved);
        }
        if self.is_suspect.swap(false, Ordering::AcqRel) || self.is_contradicted(&head, &bounds, fetcher).await? {
            fetcher.forget();
            self.undo_to_fork(&head, &bounds, fetcher).await?;
            // A node that contradicts itself is not asked again at once.
            let is_same = self.index.bounds()? == Some(bounds);
            return Ok(if is_same { TipStep::AtTip } else { TipStep::Moved });
        }
        let newest = self.index.block_hash(bounds.tip)?;
        if newest.is_some_and(|hash| self.feed.is_refuted(bounds.tip, hash)) && bounds.from < bounds.tip {
            fetcher.forget();
            self.undo_refuted(bounds.tip).await?;
            return Ok(TipStep::Moved);
        }
        self.learn_restored_nfts().await?;
        if head.tip <= bounds.tip {
            self.tell(|progress| progress.is_at_tip = true);
            return Ok(TipStep::AtTip);
        }
        if bounds.tip.next() < head.oldest {
            return self.meet_hole(&head, &bounds, fetcher).await;
        }
        let to = Height::new(bounds.tip.get() + RUN).unwrap_or(head.tip).min(head.tip);
        let mut run = fetcher.run(bounds.tip.next(), to, None).await?;
        run.previous = self.index.time_of(bounds.tip)?;
        let is_at_tip = run.blocks.last().is_some_and(|last| last.block.height == head.tip);
        self.write(run, RunPlace::Newest).await?;
        self.tell(|progress| progress.is_at_tip |= is_at_tip);
        Ok(if is_at_tip { TipStep::AtTip } else { TipStep::Moved })
    }

    /// Records the node's height.
    fn take_head(&self, head: &NodeHead) -> Result<(), StepError> {
        let floor = head.oldest.max(self.options.from.unwrap_or(Height::FIRST));
        self.index.set_floor(floor);
        self.oldest.store(head.oldest.get(), Ordering::Release);
        let bounds = self.index.bounds()?;
        let missing = bounds.filter(|bounds| !self.index.is_full(bounds));
        let node = self.feed.node();
        self.tell(|progress| {
            // After a change to a node that lags behind the former, the chain's height stays.
            if node.is_none() || progress.tip.is_none_or(|tip| tip <= head.tip) {
                progress.tip = Some(head.tip);
                progress.tip_time = head.tip_time;
            }
            progress.node = node;
            progress.floor = Some(floor);
            progress.is_catching_up = head.is_catching_up;
            progress.missing = missing.map_or(0, |bounds| bounds.from.get().saturating_sub(floor.get()));
            if progress.missing == 0 {
                progress.blocks_per_minute = None;
            }
        });
        Ok(())
    }

    /// Whether the node has another block at the highest common height.
    async fn is_contradicted(
        &self,
        head: &NodeHead,
        bounds: &Bounds,
        fetcher: &mut BlockFetcher<F>,
    ) -> Result<bool, StepError> {
        if head.tip == bounds.tip {
            let own = self.index.block_hash(bounds.tip)?;
            return Ok(head.tip_hash.is_some_and(|hash| own != Some(hash)));
        }
        if head.tip > bounds.tip {
            if bounds.tip.next() < head.oldest {
                return Ok(false);
            }
            let next = fetcher.header(bounds.tip.next()).await?.ok_or(FeedError::NotYet)?;
            return Ok(next
                .previous_hash
                .is_some_and(|hash| self.index.block_hash(bounds.tip).ok() != Some(Some(hash))));
        }
        if head.tip < bounds.from {
            let sentence = format!(
                "the node is at block {}, below {}, the oldest indexed block: the node was reset or lags",
                head.tip, bounds.from
            );
            return Err(FeedError::Unreadable(sentence).into());
        }
        let named = match head.tip_hash {
            Some(hash) => hash,
            None => fetcher.newest_header(head.tip).await?.ok_or(FeedError::NotYet)?.hash,
        };
        Ok(self.index.block_hash(head.tip)? != Some(named))
    }

    /// Handles missing blocks between the stored blocks and the node's oldest block. An index in a file waits for a
    /// node that has them, or goes on above them if it may; an index in memory starts anew.
    async fn meet_hole(
        &self,
        head: &NodeHead,
        bounds: &Bounds,
        fetcher: &mut BlockFetcher<F>,
    ) -> Result<TipStep, StepError> {
        if self.index.is_in_memory() {
            self.begin_anew(&format!("the node has pruned the blocks after {}", bounds.tip)).await?;
            return Ok(TipStep::Moved);
        }
        let (from, to) = (bounds.tip.next(), head.oldest.previous().unwrap_or(head.oldest));
        if self.options.allows_gap {
            let last = Height::new(to.get() + RUN).unwrap_or(head.tip).min(head.tip);
            let run = fetcher.run(head.oldest, last, None).await?;
            self.write(run, RunPlace::AboveGap).await?;
            self.note(format!("the index lacks blocks {from} to {to}, which the node had pruned"));
            return Ok(TipStep::Moved);
        }
        let sentence = format!(
            "the node has pruned blocks {from} to {to}, which the index needs next; use a node that has them, \
             --allow-gap, or another --data",
        );
        Err(FeedError::Unreadable(sentence).into())
    }

    /// Returns half the block time, but within the limits, so that a new block is noticed soon.
    fn poll_interval(&self) -> Result<Duration, FollowError> {
        let (shortest, longest) = POLL;
        let time = self.index.recent_times()?.and_then(|(oldest, newest, intervals)| {
            newest.since(oldest).checked_div(u32::try_from(intervals).ok()?.checked_mul(2)?)
        });
        Ok(time.unwrap_or(shortest).clamp(shortest, longest))
    }
}
