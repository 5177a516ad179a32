//! Last height at which a block can include a signed transaction.

use std::time::Duration;

use crate::domain::{ChainId, Timestamp};

/// How long a signed transaction can be included.
const LIFE: Duration = Duration::from_secs(600);
/// Minimum number of blocks that can include the transaction.
const LEAST_BLOCKS: u64 = 50;
/// A newest block older than this, and than [`LATE`] block times, is overdue.
const FRESH: Duration = Duration::from_secs(30);
const LATE: u32 = 10;
/// Blocks come unevenly if the newest ones differ from the others by more than this factor.
const UNEVEN: u32 = 3;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockTime {
    pub height: u64,
    pub at: Timestamp,
}

/// Until when a block can include a signed transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TxExpiry {
    At {
        height: u64,
        /// Estimate from the chain's pace.
        about: Timestamp,
    },
    Never(NoExpiry),
}

/// Why a transaction gets no last height.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoExpiry {
    /// Only the router names a server of the chain.
    OnlyRouter,
    /// No server that settings or the registry name reported height and times of blocks.
    Unanswered,
    /// Blocks are irregular, as on chains without empty blocks, so a height determines no time.
    Uneven,
}

impl TxExpiry {
    /// Distances below the newest block whose times show the pace, nearest first.
    pub const BELOW: [u64; 2] = [20, 100];

    /// Computes the expiry from the newest block and two blocks below it, the nearer one first.
    pub fn of(newest: BlockTime, [near, far]: [BlockTime; 2], now: Timestamp) -> Self {
        let pace = |from: BlockTime, to: BlockTime| {
            let blocks = u32::try_from(to.height.checked_sub(from.height)?).ok().filter(|blocks| *blocks > 0)?;
            to.at.since(from.at).checked_div(blocks).filter(|pace| !pace.is_zero())
        };
        let (Some(recent), Some(pace)) = (pace(near, newest), pace(far, newest)) else {
            return Self::Never(NoExpiry::Unanswered);
        };
        let is_overdue = now.since(newest.at) > FRESH.max(pace.saturating_mul(LATE));
        let is_even = recent <= pace.saturating_mul(UNEVEN) && pace <= recent.saturating_mul(UNEVEN);
        if is_overdue || !is_even {
            return Self::Never(NoExpiry::Uneven);
        }
        let blocks = u64::try_from(LIFE.as_nanos().div_ceil(pace.as_nanos())).unwrap_or(u64::MAX).max(LEAST_BLOCKS);
        let life = pace.saturating_mul(u32::try_from(blocks).unwrap_or(u32::MAX));
        Self::At { height: newest.height.saturating_add(blocks), about: newest.at.after(life) }
    }

    /// Returns the last height; 0 without one, as on the wire.
    pub fn height(self) -> u64 {
        match self {
            Self::At { height, .. } => height,
            Self::Never(_) => 0,
        }
    }

    pub fn words(self, chain: &ChainId) -> String {
        match self {
            Self::At { height, about } => format!("at block {height}, about {} UTC", about.day_and_clock()),
            Self::Never(NoExpiry::OnlyRouter) => format!("never: only the router names a server of {chain}"),
            Self::Never(NoExpiry::Unanswered) => format!("never: no trusted server of {chain} reports its height"),
            Self::Never(NoExpiry::Uneven) => {
                format!("never: blocks of {chain} are irregular, so a height determines no time")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(height: u64, seconds: u64) -> BlockTime {
        BlockTime { height, at: Timestamp::EPOCH.after(Duration::from_secs(seconds)) }
    }

    fn expiry(newest: BlockTime, near: BlockTime, far: BlockTime, age: u64) -> TxExpiry {
        TxExpiry::of(newest, [near, far], newest.at.after(Duration::from_secs(age)))
    }

    #[test]
    fn ten_minutes_at_the_measured_pace_and_at_least_fifty_blocks() {
        let second = expiry(at(3125, 10_000), at(3105, 9_980), at(3025, 9_900), 1);
        assert_eq!(second, TxExpiry::At { height: 3725, about: at(0, 10_600).at });
        let minute = expiry(at(3125, 10_000), at(3105, 8_800), at(3025, 4_000), 1);
        assert_eq!(minute, TxExpiry::At { height: 3175, about: at(0, 13_000).at });
    }

    #[test]
    fn a_chain_that_makes_no_empty_blocks_tells_no_time() {
        let even = [at(180, 9_980), at(100, 9_900)];
        let never = TxExpiry::Never(NoExpiry::Uneven);
        assert_eq!(TxExpiry::of(at(200, 10_000), even, at(0, 10_031).at), never, "the next block is overdue");
        assert_ne!(TxExpiry::of(at(200, 10_000), even, at(0, 10_029).at), never);
        assert_eq!(expiry(at(200, 10_000), at(180, 9_800), at(100, 9_720), 1), never, "slower than before");
        assert_eq!(expiry(at(200, 10_000), at(180, 9_990), at(100, 9_000), 1), never, "a burst after a pause");
        let same = at(200, 10_000);
        assert_eq!(expiry(same, same, same, 1), TxExpiry::Never(NoExpiry::Unanswered));
        assert_eq!(expiry(same, at(180, 10_000), at(100, 10_000), 1), TxExpiry::Never(NoExpiry::Unanswered));
    }
}
