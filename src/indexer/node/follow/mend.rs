//! Parts of stored blocks that the node refused or that could not be decoded: they are requested again, at each start
//! and ever more seldom after.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use tokio::time::{Instant, sleep};

use super::{FollowError, IDLE, NodeFollower, StepError};
use crate::{
    domain::Height,
    indexer::{
        index::BlockReplacement,
        node::{
            feed::NodeFeed,
            fetch::{BlockFetcher, BlockRun},
        },
    },
    wire::{BlockPart, LackReason, PartFloor, UndecodedPart},
};

/// Pauses before a block is requested again, in seconds: after 1, 5 and 30 minutes, then once a day.
const PAUSES: [u32; 4] = [60, 5 * 60, 30 * 60, 24 * 60 * 60];

/// Pause before a block that the node may have soon is requested again, in seconds.
const SOON: u32 = 10;

/// Requests for one block: how many, and when the next is due.
#[derive(Clone, Copy, Debug)]
struct Mending {
    count: usize,
    due: Instant,
}

/// What is requested again: a block, or the blocks below a floor.
type Mended = Result<Height, BlockPart>;

impl<F: NodeFeed> NodeFollower<F> {
    /// Requests lacking parts again, and replaces what the node sends now; never ends.
    pub(super) async fn mend(&self) -> Result<(), FollowError> {
        let mut known: BTreeMap<Mended, Mending> = BTreeMap::new();
        // What an earlier run of the program lacked is requested at once.
        let old: BTreeSet<Mended> = self.wanted()?.collect();
        self.be_opened().await;
        loop {
            let now = Instant::now();
            let wanted: Vec<Mended> = self.wanted()?.collect();
            known.retain(|one, _| wanted.contains(one));
            let contradiction = self.index.contradicting()?.map(|part| {
                format!(
                    "{} of block {} contradict the chain: {}",
                    part.part.words(),
                    part.height,
                    part.cause.clipped(160)
                )
            });
            self.tell(|progress| progress.contradiction = contradiction);
            // Newest blocks first.
            for one in wanted.into_iter().rev() {
                let first =
                    Mending { count: 0, due: if old.contains(&one) { now } else { now + self.pause_before(one, 0)? } };
                let mending = *known.entry(one).or_insert(first);
                if mending.due > now {
                    continue;
                }
                let is_mended = match one {
                    Ok(height) => self.mend_block(height).await?,
                    Err(part) => self.mend_below(part).await?,
                };
                if !is_mended {
                    let next = Mending {
                        count: mending.count + 1,
                        due: Instant::now() + self.pause_before(one, mending.count)?,
                    };
                    known.insert(one, next);
                }
            }
            sleep(IDLE.min(self.options.second)).await;
        }
    }

    fn wanted(&self) -> Result<impl Iterator<Item = Mended> + use<F>, FollowError> {
        let floors = self.index.floors()?.into_iter().map(|floor| Err(floor.part));
        Ok(self.index.undecoded_heights()?.into_iter().map(Ok).chain(floors))
    }

    fn pause_before(&self, one: Mended, count: usize) -> Result<std::time::Duration, FollowError> {
        let parts = one.map_or(Ok(Vec::new()), |height| self.index.undecoded_of(height))?;
        let is_waiting = parts.iter().any(|part| part.reason == LackReason::Waiting);
        let longest = PAUSES.last().copied().unwrap_or(SOON);
        let seconds = if is_waiting { SOON } else { PAUSES.get(count).copied().unwrap_or(longest) };
        Ok(self.options.second * seconds)
    }

    /// Requests the lacking parts of a block once; returns whether it lacks nothing now. A failure leaves the block as
    /// it is.
    async fn mend_block(&self, height: Height) -> Result<bool, FollowError> {
        let lacking = self.index.undecoded_of(height)?;
        let mut needs_traces = lacking.iter().any(|part| part.part == BlockPart::CallFrames);
        if lacking.iter().any(|part| part.part != BlockPart::CallFrames) {
            needs_traces |= self.mend_records(height).await?.needs_traces;
        }
        if needs_traces {
            self.mend_traces(height).await?;
        }
        Ok(self.index.undecoded_of(height)?.is_empty())
    }

    /// Requests a block again, and replaces what is better now.
    async fn mend_records(&self, height: Height) -> Result<BlockReplacement, FollowError> {
        let mut fetcher = BlockFetcher::new(Arc::clone(&self.feed), 1);
        let previous = height.previous().map(|below| self.index.time_of(below)).transpose()?.flatten();
        let replaced = match fetcher.run(height, height, None).await {
            Ok(run) => self.replace(BlockRun { previous, ..run }).await,
            Err(error) => Err(error.into()),
        };
        match replaced {
            Err(StepError::Follow(error)) if !super::may_pass(&error) => Err(error),
            Err(error) => {
                tracing::debug!(%error, %height, "the block stays as it is");
                Ok(BlockReplacement::default())
            }
            Ok(replaced) => Ok(replaced),
        }
    }

    async fn mend_traces(&self, height: Height) -> Result<(), FollowError> {
        let branch = self.index.branch();
        match self.feed.traces(height).await {
            Ok(found) => Ok(self.index.replace_traces(branch, height, &found.traces, &found.undecoded)?),
            Err(error) => {
                tracing::debug!(%error, %height, "the call frames stay as they are");
                Ok(())
            }
        }
    }

    /// Requests the blocks below the floor of a part, from the highest on, as far down as the node has the part now;
    /// returns whether it has it of all.
    async fn mend_below(&self, part: BlockPart) -> Result<bool, FollowError> {
        loop {
            let floors = self.index.floors()?;
            let Some(floor) = floors.iter().find(|floor| floor.part == part).cloned() else { return Ok(true) };
            let Some(held) = self.index.bounds()? else { return Ok(false) };
            let below = floor.height.previous().filter(|below| *below >= held.from);
            let Some(height) = below else {
                self.index.set_part_floor(part, None)?;
                self.feed.set_floors(&self.index.floors()?, None);
                return Ok(true);
            };
            self.feed.set_floors(&floors, Some(height));
            let is_there = match part {
                BlockPart::CallFrames => self.trace_below(height).await?,
                BlockPart::Receipts if !self.index.has_txs(height)? => true,
                BlockPart::Receipts => {
                    let is_there = self.mend_records(height).await?.needs_traces;
                    if is_there {
                        self.mend_traces(height).await?;
                    }
                    is_there
                }
                BlockPart::Header | BlockPart::Tx | BlockPart::Results => {
                    self.mend_records(height).await?;
                    !self.index.is_bare_block(height)?
                }
            };
            self.feed.set_floors(&floors, None);
            if !is_there {
                return Ok(false);
            }
            self.index.set_part_floor(part, Some(PartFloor { height, ..floor }))?;
            self.feed.set_floors(&self.index.floors()?, None);
        }
    }

    /// Requests the call frames of one block below the floor; returns whether the node has them.
    async fn trace_below(&self, height: Height) -> Result<bool, FollowError> {
        if !self.index.heights_with_receipts(height, height)?.contains(&height) {
            return Ok(true);
        }
        let branch = self.index.branch();
        let Ok(found) = self.feed.traces(height).await else { return Ok(false) };
        let is_whole = found.undecoded.iter().all(|lost| lost.index.is_some());
        if is_whole {
            self.index.replace_traces(branch, height, &found.traces, &found.undecoded)?;
        }
        Ok(is_whole)
    }

    /// Logs the parts that blocks lack; what follows from a floor, or what a proposer injects, is told once.
    pub(super) fn report_lacking(&self, parts: &[UndecodedPart]) {
        let floors = self.index.floors().unwrap_or_default();
        for part in parts {
            let is_below = floors.iter().any(|floor| floor.part == part.part && floor.height > part.height);
            if part.reason == LackReason::Injected {
                self.note_once(
                    "blocks begin with bytes that their proposer put there and that are no transaction: they fail with \
                     code 2 or the like, and run nothing",
                );
            } else if !is_below {
                let (height, words) = (part.height.get(), part.part.words());
                tracing::warn!(
                    height,
                    index = part.index,
                    "the index lacks {words} of a block: {}",
                    part.cause.clipped(160)
                );
            }
        }
    }

    /// Notes the heights below which the node refuses a part of all blocks.
    pub(super) fn find_floors(&self) -> Result<(), StepError> {
        let found = self.index.find_floors()?;
        if found.is_empty() {
            return Ok(());
        }
        for floor in &found {
            let (height, words) = (floor.height, floor.part.words());
            self.note(format!("the index has {words} of blocks from {height} on only: {}", floor.cause.clipped(160)));
        }
        self.feed.set_floors(&self.index.floors()?, None);
        Ok(())
    }

    fn note_once(&self, sentence: &str) {
        let is_known = self.progress.borrow().notes.iter().any(|note| note == sentence);
        if !is_known {
            self.note(sentence.to_owned());
        }
    }
}
