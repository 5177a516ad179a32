//! Constant-product pools.

use std::fmt;

use alloy_primitives::{U256, keccak256};

use crate::{
    demo::router::{error::RouterError, graph::PoolSide},
    domain::{Amount, Timestamp},
};

/// Basis points in 100 %.
const WHOLE: u64 = 10_000;
/// Seconds for which a pool's price stays constant.
const SLOT_SECONDS: i64 = 12;
/// Maximum drift of a pool's price, in hundred-thousandths.
const WANDER: u64 = 120;

/// Hundredths of a percent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::demo::router) struct BasisPoints(pub(in crate::demo::router) u64);

impl BasisPoints {
    /// Returns the total loss of two losses in succession.
    pub(in crate::demo::router) fn and(self, next: Self) -> Self {
        let left = |points: Self| WHOLE.saturating_sub(points.0);
        Self(WHOLE.saturating_sub(left(self) * left(next) / WHOLE))
    }
}

impl fmt::Display for BasisPoints {
    /// Formats a percentage with two decimals.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&hundredths(Amount::from(u128::from(self.0))))
    }
}

/// Formats hundredths with two decimals: `4.20`.
pub(super) fn hundredths(amount: Amount) -> String {
    let (whole, part) = (amount.get() / U256::from(100), amount.get() % U256::from(100));
    format!("{whole}.{part:0>2}")
}

/// Returns output and price impact of a swap through these pools at `now`.
pub(in crate::demo::router) fn bought(
    sides: &[PoolSide],
    amount_in: Amount,
    now: Timestamp,
) -> Result<(Amount, BasisPoints), RouterError> {
    let (mut amount, mut impact) = (amount_in, BasisPoints(0));
    for side in sides {
        let (sold, reserve) = (amount.get(), side.reserve_sold.get());
        if sold > reserve {
            let (pool, held) = (format!("{} and {}", side.sold.symbol(), side.bought.symbol()), side.reserve_sold);
            return Err(RouterError::invalid(format!(
                "the pool of {pool} holds only {}, but {} would go in; send less",
                side.sold.say(held),
                side.sold.say(amount)
            )));
        }
        let kept = sold * U256::from(WHOLE.saturating_sub(u64::from(side.basis_points))) / U256::from(WHOLE);
        let out = kept * wandered(side, now) / (reserve + kept);
        if out.is_zero() {
            return Err(RouterError::invalid(format!(
                "{} is too little: it yields no {}; send more",
                side.sold.say(amount),
                side.bought.symbol()
            )));
        }
        let moved = (sold * U256::from(WHOLE) / (reserve + sold)).saturating_to::<u64>();
        (amount, impact) = (Amount::new(out), impact.and(BasisPoints(moved)));
    }
    Ok((amount, impact))
}

/// Returns the pool's reserve of the asset that the swap buys. It drifts with simulated trades, for all callers alike.
fn wandered(side: &PoolSide, now: Timestamp) -> U256 {
    let slot = now.as_seconds().div_euclid(SLOT_SECONDS);
    // The two sides of a pool drift in opposite directions.
    let is_first = side.sold.denom() < side.bought.denom();
    let hash = keccak256(format!("{} {slot}", side.pool));
    let step = u64::from_be_bytes(hash.0.first_chunk().copied().unwrap_or_default()) % (2 * WANDER + 1);
    let step = if is_first { step } else { 2 * WANDER - step };
    side.reserve_bought.get() * U256::from(100_000 - WANDER + step) / U256::from(100_000)
}
