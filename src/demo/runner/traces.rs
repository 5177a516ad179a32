//! Brings call frames into the index, a few blocks behind the blocks themselves.

use super::{CHUNK, Runner};
use crate::{demo::RollupError, domain::Height, indexer::index::Bounds};

/// How many blocks call frames are behind: a node traces a block only after others have followed.
const BEHIND: u64 = 3;

impl Runner {
    /// Traces some blocks, the newest first; false when there was nothing to do.
    pub(super) fn trace_chunk(&self) -> Result<bool, RollupError> {
        if self.is_stalled() {
            return Ok(false);
        }
        let Some((first, last)) = self.untraced()? else { return Ok(false) };
        let heights = (first.get()..=last.get()).filter_map(Height::new);
        let trace = |height| Ok((height, self.chain.traces(height).ok_or(RollupError::NoBlock(height))?));
        let traces = heights.map(trace).collect::<Result<Vec<_>, RollupError>>()?;
        self.shared.index().write_traces(&traces)?;
        Ok(true)
    }

    /// The next blocks to trace; `None` when all are that may be.
    pub(super) fn untraced(&self) -> Result<Option<(Height, Height)>, RollupError> {
        let Some(held) = self.shared.index().bounds()?.filter(|_| self.chain.is_traced()) else { return Ok(None) };
        let Some(target) = held.tip.get().checked_sub(BEHIND).and_then(Height::new) else { return Ok(None) };
        if target < held.from {
            return Ok(None);
        }
        let Some(traced) = self.shared.index().traced()? else {
            return Ok(Some((target.back(CHUNK - 1).max(held.from), target)));
        };
        if traced.tip < target {
            let last = Height::new(traced.tip.get() + CHUNK).unwrap_or(target);
            return Ok(Some((traced.tip.next(), last.min(target))));
        }
        let older = traced.from.previous().filter(|last| *last >= held.from);
        Ok(older.map(|last| (last.back(CHUNK - 1).max(held.from), last)))
    }

    /// The lowest block that tracing may still ask for, while everything held is indexed.
    pub(super) fn floor(&self, held: &Bounds) -> Result<Height, RollupError> {
        if !self.chain.is_traced() {
            return Ok(held.tip);
        }
        let traced = self.shared.index().traced()?.filter(|traced| traced.from <= held.from);
        Ok(traced.map_or(Height::FIRST, |traced| traced.tip.next().min(held.tip)))
    }
}
