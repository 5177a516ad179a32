//! What the index follows: a chain that makes a block when it is told to.

use super::ledger::{CommittedBlock, Ledger};
use crate::domain::{Height, Timestamp};

/// A chain as its runner drives it and as the index reads it.
pub trait Chain: Send {
    /// Its identifier.
    fn chain_id(&self) -> &str;

    /// The newest block, if there is one.
    fn tip(&self) -> Option<Height>;

    /// When the block at this height is due.
    fn due(&self, height: Height) -> Timestamp;

    /// Makes the next block.
    fn advance(&mut self) -> Height;

    /// A block with its results; `None` above the tip or when pruned.
    fn block(&self, height: Height) -> Option<CommittedBlock>;

    /// Blocks below this height will not be asked for again.
    fn prune_below(&mut self, height: Height);
}

impl Chain for Ledger {
    fn chain_id(&self) -> &str {
        Ledger::chain_id(self)
    }

    fn tip(&self) -> Option<Height> {
        Ledger::tip(self)
    }

    fn due(&self, height: Height) -> Timestamp {
        Ledger::due(self, height)
    }

    fn advance(&mut self) -> Height {
        Ledger::advance(self)
    }

    fn block(&self, height: Height) -> Option<CommittedBlock> {
        Ledger::block(self, height)
    }

    fn prune_below(&mut self, height: Height) {
        Ledger::prune_below(self, height);
    }
}
