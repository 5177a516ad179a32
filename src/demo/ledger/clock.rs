//! Times of blocks and heights of the L1, both derived from the height.

use std::time::Duration;

use super::{LedgerOptions, rng::Rng};
use crate::domain::Timestamp;

/// Height of the L1 at the first block of the rollup.
const L1_START: u64 = 7_400_000;
/// Block time of the L1 in milliseconds.
const L1_BLOCK_MILLIS: u128 = 2_500;

/// Clock of the chain. The seed determines its jitter.
#[derive(Clone, Copy, Debug)]
pub(super) struct BlockClock {
    /// Time of block 0.
    pub(super) genesis: Timestamp,
    pub(super) block_time: Duration,
    /// Seed of all random choices.
    pub(super) seed: u64,
    /// Number of the chain, part of all hashes; it differs between chains with one seed.
    pub(super) identity: u64,
}

impl BlockClock {
    pub(super) fn new(options: &LedgerOptions) -> Self {
        let identity = options.identity_number();
        Self { genesis: options.genesis_time, block_time: options.block_time, seed: options.seed, identity }
    }

    pub(super) fn due(&self, height: u64) -> Timestamp {
        self.genesis.after(nanos(self.block_time.as_nanos().saturating_mul(u128::from(height))))
    }

    /// Returns the time in a block's header. It is up to a quarter of the block time early, because a proposal precedes
    /// its commit.
    pub(super) fn time(&self, height: u64) -> Timestamp {
        let quarter = u64::try_from(self.block_time.as_nanos() / 4).unwrap_or(u64::MAX);
        let early = Rng::new(self.seed, height ^ 0x7157_0000_0000_0000).below(quarter);
        self.due(height).before(Duration::from_nanos(early))
    }

    pub(super) fn l1_height(&self, height: u64) -> u64 {
        let elapsed = self.block_time.as_millis().saturating_mul(u128::from(height)) / L1_BLOCK_MILLIS;
        L1_START + u64::try_from(elapsed).unwrap_or(0)
    }

    /// Returns a time after a block in nanoseconds since 1970, as in packet timeouts.
    pub(super) fn nanos_after(&self, height: u64, seconds: u64) -> u64 {
        u64::try_from(self.time(height).after(Duration::from_secs(seconds)).as_nanos()).unwrap_or(0)
    }
}

/// Returns the end of a grant of some days, as its message states it.
pub(super) fn days_after(time: Timestamp, days: u16) -> Timestamp {
    time.after(Duration::from_secs(86_400) * u32::from(days)).cut_to_seconds()
}

fn nanos(count: u128) -> Duration {
    Duration::from_nanos(u64::try_from(count).unwrap_or(u64::MAX))
}
