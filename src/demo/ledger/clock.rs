//! Block times and the heights of the L1, as functions of the height alone.

use std::time::Duration;

use super::{LedgerOptions, rng::Rng};
use crate::domain::Timestamp;

/// The height of the L1 when the rollup was at its first block.
const L1_START: u64 = 7_400_000;
/// Between blocks of the L1.
const L1_BLOCK_MILLIS: u128 = 2_500;

/// The chain's clock: everything about time that a seed fixes.
#[derive(Clone, Copy, Debug)]
pub(super) struct BlockClock {
    /// The time of block 0.
    pub(super) genesis: Timestamp,
    /// Between blocks.
    pub(super) block_time: Duration,
    /// The seed of every choice, jitter among them.
    pub(super) seed: u64,
    /// What tells this chain from every other, those of the same seed included: part of all hashes.
    pub(super) identity: u64,
}

impl BlockClock {
    /// The clock of a chain with these options.
    pub(super) fn new(options: &LedgerOptions) -> Self {
        let identity = options.identity_number();
        Self { genesis: options.genesis_time, block_time: options.block_time, seed: options.seed, identity }
    }

    /// When a block is due.
    pub(super) fn due(&self, height: u64) -> Timestamp {
        self.genesis.after(nanos(self.block_time.as_nanos().saturating_mul(u128::from(height))))
    }

    /// The time in a block's header: up to a quarter of the block time before it was due, as proposals precede commits.
    pub(super) fn time(&self, height: u64) -> Timestamp {
        let quarter = u64::try_from(self.block_time.as_nanos() / 4).unwrap_or(u64::MAX);
        let early = Rng::new(self.seed, height ^ 0x7157_0000_0000_0000).below(quarter);
        self.due(height).before(Duration::from_nanos(early))
    }

    /// The L1's height when this block was made.
    pub(super) fn l1_height(&self, height: u64) -> u64 {
        let elapsed = self.block_time.as_millis().saturating_mul(u128::from(height)) / L1_BLOCK_MILLIS;
        L1_START + u64::try_from(elapsed).unwrap_or(0)
    }

    /// Nanoseconds since 1970 some seconds after a block, as packet timeouts are written.
    pub(super) fn nanos_after(&self, height: u64, seconds: u64) -> u64 {
        u64::try_from(self.time(height).after(Duration::from_secs(seconds)).as_nanos()).unwrap_or(0)
    }
}

fn nanos(count: u128) -> Duration {
    Duration::from_nanos(u64::try_from(count).unwrap_or(u64::MAX))
}
