//! Brings a source's blocks into the index: the newest first, so that there is something to see at once, then the older
//! ones; its state after the newest, and call frames a few blocks behind.

use super::{
    index::{Bounds, Index, IndexError, Prepared},
    source::Source,
};
use crate::domain::Height;

/// Blocks in the first chunk: enough for a screen.
const FIRST_CHUNK: u64 = 100;

/// Blocks in the others: between two chunks readers get their turn.
const CHUNK: u64 = 200;

/// Chunks brought in one after another before anything else is looked at: one is written while the next is prepared.
const AT_ONCE: usize = 4;

/// How many blocks call frames are behind: a node traces a block only after others have followed.
const TRACES_BEHIND: u64 = 3;

/// What a step of the follower did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Followed {
    /// Blocks were written; there may be more.
    Blocks,
    /// No block is missing, and a piece of the chain's state was taken over.
    State,
    /// Nothing is missing up to the target.
    Nothing,
}

/// How far an index is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FollowerProgress {
    /// The newest block that is held.
    pub indexed: Option<Height>,
    /// Whether every block that is held and may be traced is.
    pub is_traced: bool,
    /// Whether the index has all that it should have: blocks down to the oldest that is kept, state and call frames.
    pub is_complete: bool,
}

/// Follows one source.
#[derive(Debug)]
pub struct Follower {
    /// Whether holders are followed.
    has_rich_list: bool,
    /// Whether the index has all of the chain's state.
    has_state: bool,
}

impl Follower {
    /// A follower that has not looked yet.
    pub fn new(has_rich_list: bool) -> Self {
        Self { has_rich_list, has_state: false }
    }

    /// Indexes some blocks up to `target`, or takes over a piece of the state.
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

    /// Takes over one piece of the chain's state; false when nothing is missing.
    fn take_state(&mut self, index: &Index, source: &dyn Source) -> Result<bool, IndexError> {
        let is_taken = index.take_state(source, self.has_rich_list)?;
        self.has_state = !is_taken;
        Ok(is_taken)
    }

    /// Traces some blocks, the newest first; false when there was nothing to do.
    pub fn trace(&self, index: &Index, source: &dyn Source) -> Result<bool, IndexError> {
        let Some((first, last)) = untraced(index, source)? else { return Ok(false) };
        let heights = (first.get()..=last.get()).filter_map(Height::new);
        let trace = |height| Ok((height, source.traces(height).ok_or(IndexError::NoBlock(height))?));
        let traces = heights.map(trace).collect::<Result<Vec<_>, IndexError>>()?;
        index.write_traces(&traces)?;
        Ok(true)
    }

    /// Whether older blocks are missing that would be kept.
    pub fn lacks_older(&self, index: &Index) -> Result<bool, IndexError> {
        Ok(!older_ranges(index, index.bounds()?).is_empty())
    }

    /// How far the index is, on the way to `target`.
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

    /// The lowest block that may still be asked for, while everything held is indexed.
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

/// The next chunks above those that are held; the newest blocks when nothing is held.
fn newer_ranges(held: Option<Bounds>, target: Height) -> Vec<(Height, Height)> {
    let Some(held) = held else { return vec![(target.back(FIRST_CHUNK - 1), target)] };
    let above = |tip: Height| {
        let first = tip.next();
        let last = Height::new(first.get() + CHUNK - 1)?;
        (first <= target).then_some((first, last.min(target)))
    };
    std::iter::successors(above(held.tip), |(_, last)| above(*last)).take(AT_ONCE).collect()
}

/// The next chunks below those that are held.
fn older_ranges(index: &Index, held: Option<Bounds>) -> Vec<(Height, Height)> {
    let Some(held) = held.filter(|held| !index.is_full(held)) else { return Vec::new() };
    let below = |first: Height| first.previous().map(|last| (last.back(CHUNK - 1), last));
    std::iter::successors(below(held.from), |(first, _)| below(*first)).take(AT_ONCE).collect()
}

/// The next blocks to trace; `None` when all are that may be.
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
