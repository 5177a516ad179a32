//! Cache of rendered blocks: clients request a block several times, then its predecessor.

use std::{
    collections::{HashMap, VecDeque},
    sync::{Mutex, PoisonError},
};

use crate::{
    demo::ledger::CommittedBlock,
    domain::{Height, TxHash},
};

/// Maximum number of blocks in the cache, and of their transactions in all.
const BLOCKS: usize = 128;
const TXS: usize = 4_000;
/// Maximum number of served hashes; at the maximum they are noted anew.
const HASHES: usize = 200_000;

/// Blocks that the last requests needed, and the hashes of the transactions' bytes that clients got.
#[derive(Debug, Default)]
pub(in crate::demo) struct RenderedBlocks {
    kept: Mutex<VecDeque<CommittedBlock>>,
    served: Mutex<HashMap<TxHash, Height>>,
}

impl RenderedBlocks {
    /// Returns the block at this height and renders it if the cache lacks it. Blocks never change.
    pub(super) fn block(
        &self,
        height: Height,
        make: impl FnOnce() -> Option<CommittedBlock>,
    ) -> Option<CommittedBlock> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
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

    /// Notes the hashes of the bytes of a block's transactions.
    pub(super) fn note(&self, height: Height, hashes: impl Iterator<Item = TxHash>) {
        let mut served = self.served.lock().unwrap_or_else(PoisonError::into_inner);
        if served.len() > HASHES {
            served.clear();
        }
        served.extend(hashes.map(|hash| (hash, height)));
    }

    /// Returns the height of the transaction whose served bytes have this hash.
    pub(super) fn served(&self, hash: &TxHash) -> Option<Height> {
        self.served.lock().unwrap_or_else(PoisonError::into_inner).get(hash).copied()
    }
}
