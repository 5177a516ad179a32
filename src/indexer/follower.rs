//! Indexing of a source: first the newest blocks, so that pages show data early, then older blocks. The chain's state
//! follows the newest blocks, and call frames lag a few blocks behind.

use super::{
    index::{Bounds, Index, IndexError, Prepared},
    source::Source,
};
use crate::domain::Height;

/// Number of blocks in the first chunk: enough for a screen.
const FIRST_CHUNK: u64 = 100;

/// Number of blocks in each other chunk; readers use the database between chunks.
const CHUNK: u64 = 200;

/// Number of chunks per step: one chunk is written while the next is prepared.
const AT_ONCE: usize = 4;

/// Number of blocks by which call frames lag: a node traces a block only after further blocks.
const TRACES_BEHIND: u64 = 3;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Followed {
    /// Blocks were written; more may be missing.
    Blocks,
    /// No block is missing; a part of the chain's state was written.
    State,
    /// All blocks up to the target were already indexed.
    Nothing,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FollowerProgress {
    /// Newest indexed block.
    pub indexed: Option<Height>,
    /// Whether all indexed blocks have call frames, as far as the source can trace.
    pub is_traced: bool,
    /// Whether blocks down to the oldest wanted block, state and call frames are all indexed.
    pub is_complete: bool,
}

#[derive(Debug)]
pub struct IndexFollower {
    /// Whether holders are indexed.
    has_rich_list: bool,
    /// Whether the chain's state is complete.
    has_state: bool,
}

impl IndexFollower {
    pub fn new(has_rich_list: bool) -> Self {
        Self { has_rich_list, has_state: false }
    }

    /// Indexes some blocks up to `target`, or a part of the state.
    pub fn follow(
        &mut self,
        index: &Index,
        source: &dyn Source,
        target: Option<Height>,
    ) -> Result<Followed, IndexError> {
        let held = index.bounds()?;
        let newer = target.map_or_else(Vec::new, |target| newer_ranges(held, target));
        let is_taken = newer.is_empty() && held.is_some() && self.take_state(index, source)?;
        let ranges = if newer.is_empty() { older_ranges(index, held) } else { newer };
        if ranges.is_empty() {
            return Ok(if is_taken { Followed::State } else { Followed::Nothing });
        }
        ingest(index, source, &ranges)?;
        index.prune()?;
        Ok(Followed::Blocks)
    }

    /// Indexes a part of the chain's state; false if the state is complete.
    fn take_state(&mut self, index: &Index, source: &dyn Source) -> Result<bool, IndexError> {
        let is_taken = index.take_state(source, self.has_rich_list)?;
        self.has_state = !is_taken;
        Ok(is_taken)
    }

    /// Traces some blocks, newest first; false if no block lacks call frames.
    pub fn trace(&self, index: &Index, source: &dyn Source) -> Result<bool, IndexError> {
        let Some((first, last)) = untraced(index, source)? else { return Ok(false) };
        let heights = (first.get()..=last.get()).filter_map(Height::new);
        let trace = |height| Ok((height, source.traces(height).ok_or(IndexError::NoBlock(height))?));
        let traces = heights.map(trace).collect::<Result<Vec<_>, IndexError>>()?;
        index.write_traces(index.branch(), &traces, &[])?;
        Ok(true)
    }

    /// Whether older blocks that the index should have are missing.
    pub fn lacks_older(&self, index: &Index) -> Result<bool, IndexError> {
        Ok(!older_ranges(index, index.bounds()?).is_empty())
    }

    /// Returns the progress towards `target`.
    pub fn progress(
        &self,
        index: &Index,
        source: &dyn Source,
        target: Option<Height>,
    ) -> Result<FollowerProgress, IndexError> {
        let held = index.bounds()?;
        let indexed = held.map(|held| held.tip);
        let is_traced = untraced(index, source)?.is_none();
        let has_state = held.is_none() || self.has_state;
        let has_blocks = indexed >= target && older_ranges(index, held).is_empty();
        Ok(FollowerProgress { indexed, is_traced, is_complete: has_blocks && has_state && is_traced })
    }

    /// Returns the lowest block that requests may still need after all stored blocks are indexed.
    pub fn floor(&self, index: &Index, source: &dyn Source, held: &Bounds) -> Result<Height, IndexError> {
        if !source.is_traced() {
            return Ok(held.tip);
        }
        let traced = index.traced()?.filter(|traced| traced.from <= held.from);
        Ok(traced.map_or(Height::FIRST, |traced| traced.tip.next().min(held.tip)))
    }
}

fn ingest(index: &Index, source: &dyn Source, ranges: &[(Height, Height)]) -> Result<(), IndexError> {
    match ranges {
        [(first, last)] => index.write(&prepare(index, source, *first, *last)?),
        _ => index.write_all(ranges.iter().map(|(first, last)| prepare(index, source, *first, *last))),
    }
}

fn prepare(index: &Index, source: &dyn Source, first: Height, last: Height) -> Result<Prepared, IndexError> {
    let block = |height| source.block(height).ok_or(IndexError::NoBlock(height));
    let previous = first.previous().map(block).transpose()?.map(|block| block.time);
    let heights = (first.get()..=last.get()).filter_map(Height::new);
    let blocks = heights.map(block).collect::<Result<Vec<_>, _>>()?;
    let receipts = blocks.iter().filter_map(|block| Some((block.height, source.receipts(block)?))).collect();
    let mut prepared = index.prepare(blocks, previous)?.with_receipts(receipts);
    prepared.ask(source);
    Ok(prepared)
}

/// Returns the next chunks above the stored blocks; the newest blocks for an empty index.
fn newer_ranges(held: Option<Bounds>, target: Height) -> Vec<(Height, Height)> {
    let Some(held) = held else { return vec![(target.back(FIRST_CHUNK - 1), target)] };
    let above = |tip: Height| {
        let first = tip.next();
        let last = Height::new(first.get() + CHUNK - 1)?;
        (first <= target).then_some((first, last.min(target)))
    };
    std::iter::successors(above(held.tip), |(_, last)| above(*last)).take(AT_ONCE).collect()
}

/// Returns the next chunks below the stored blocks.
fn older_ranges(index: &Index, held: Option<Bounds>) -> Vec<(Height, Height)> {
    let Some(held) = held.filter(|held| !index.is_full(held)) else { return Vec::new() };
    let below = |first: Height| first.previous().map(|last| (last.back(CHUNK - 1), last));
    std::iter::successors(below(held.from), |(first, _)| below(*first)).take(AT_ONCE).collect()
}

/// Returns the next range of blocks to trace; `None` if all possible blocks are traced.
fn untraced(index: &Index, source: &dyn Source) -> Result<Option<(Height, Height)>, IndexError> {
    let Some(held) = index.bounds()?.filter(|_| source.is_traced()) else { return Ok(None) };
    let Some(target) = held.tip.get().checked_sub(TRACES_BEHIND).and_then(Height::new) else { return Ok(None) };
    if target < held.from {
        return Ok(None);
    }
    let Some(traced) = index.traced()? else {
        return Ok(Some((target.back(CHUNK - 1).max(held.from), target)));
    };
    if traced.tip < target {
        let last = Height::new(traced.tip.get() + CHUNK).unwrap_or(target);
        return Ok(Some((traced.tip.next(), last.min(target))));
    }
    let older = traced.from.previous().filter(|last| *last >= held.from);
    Ok(older.map(|last| (last.back(CHUNK - 1).max(held.from), last)))
}
