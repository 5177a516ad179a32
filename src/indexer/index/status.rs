//! What an index holds, read at one moment.

use std::sync::atomic::Ordering;

use super::{
    BlockGaps, Bounds, Index, IndexError, LackingParts, TracedBlocks, decode_again, evm, gaps, query, reader, state,
};
use crate::{domain::Height, indexer::progress::NodeProgress};

/// State of an index, of one moment.
#[derive(Clone, Debug)]
pub struct IndexStatus {
    pub held: Bounds,
    pub gaps: BlockGaps,
    /// Height at which the rich list is complete; `None` while incomplete.
    pub rich_list: Option<Height>,
    pub traced: Option<TracedBlocks>,
    /// Older blocks that are still to come.
    pub missing_blocks: u64,
    /// Whether older blocks, state or call frames are still to come.
    pub is_filling: bool,
    pub lacking: LackingParts,
    /// Progress that the writer stored; `None` for an index that this process writes.
    pub progress: Option<NodeProgress>,
}

impl Index {
    /// Returns the gaps between the stored blocks.
    pub fn gaps(&self) -> Result<BlockGaps, IndexError> {
        self.database.read(gaps::load)
    }

    /// Returns the state of the index, with at most so many lacking parts of a kind; `None` while the index is empty.
    pub fn status(&self, parts: usize) -> Result<Option<IndexStatus>, IndexError> {
        self.database.read(|connection| {
            let Some(held) = query::bounds(connection)? else { return Ok(None) };
            let traced = evm::traced(connection)?;
            let oldest = self.oldest_so_far(Some(held));
            let lacking = decode_again::lacking(connection, parts)?;
            let floor = self.floor.load(Ordering::Acquire);
            let awaits_traces =
                traced.is_some_and(|traced| traced.from > held.from) && !self.is_untraced.load(Ordering::Acquire);
            Ok(Some(IndexStatus {
                held,
                gaps: gaps::load(connection)?,
                rich_list: state::rich_list_height(connection, self.feed)?,
                traced,
                missing_blocks: oldest.map_or(0, |oldest| oldest.get().saturating_sub(floor)),
                is_filling: oldest.is_some() || !self.has_state() || awaits_traces || lacking.is_waiting,
                lacking,
                progress: if self.reader.is_some() { reader::progress(connection)? } else { None },
            }))
        })
    }
}
