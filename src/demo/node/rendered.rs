//! Blocks as they were made for the last requests: what asks for one block of a node asks for it several times, and for
//! the block before it.

use std::{
    collections::VecDeque,
    sync::{Mutex, PoisonError},
};

use crate::{demo::ledger::CommittedBlock, domain::Height};

/// Blocks that are kept at the most, and transactions in them.
const BLOCKS: usize = 128;
const TXS: usize = 1_000;

/// The blocks that were asked for last.
#[derive(Debug, Default)]
pub(in crate::demo) struct RenderedBlocks(Mutex<VecDeque<CommittedBlock>>);

impl RenderedBlocks {
    /// The block at this height; it is made where it is not kept. What a height has never changes.
    pub(super) fn block(
        &self,
        height: Height,
        make: impl FnOnce() -> Option<CommittedBlock>,
    ) -> Option<CommittedBlock> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let found = kept.iter().position(|block| block.height == height).and_then(|place| kept.remove(place));
        let block = match found {
            Some(block) => block,
            None => make()?,
        };
        kept.push_back(block.clone());
        let mut txs: usize = kept.iter().map(|block| block.txs.len()).sum();
        while kept.len() > BLOCKS || txs > TXS && kept.len() > 1 {
            txs -= kept.pop_front().map_or(0, |oldest| oldest.txs.len());
        }
        Some(block)
    }
}
