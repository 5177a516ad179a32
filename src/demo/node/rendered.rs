//! Cache of rendered blocks: clients request a block several times, then its predecessor.

use std::{
    collections::VecDeque,
    sync::{Mutex, PoisonError},
};

use crate::{demo::ledger::CommittedBlock, domain::Height};

/// Maximum number of blocks in the cache, and of their transactions in all.
const BLOCKS: usize = 128;
const TXS: usize = 4_000;

/// Blocks that the last requests needed.
#[derive(Debug, Default)]
pub(in crate::demo) struct RenderedBlocks(Mutex<VecDeque<CommittedBlock>>);

impl RenderedBlocks {
    /// Returns the block at this height and renders it if the cache lacks it. Blocks never change.
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
