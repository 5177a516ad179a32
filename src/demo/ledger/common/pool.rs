//! Arithmetic of constant-product pools.

use alloy_primitives::U256;

/// Returns how much a constant-product pool pays out, after its fee of 0.3 %.
pub(crate) fn bought(sold: u128, reserve_in: u128, reserve_out: u128) -> u128 {
    let with_fee = U256::from(sold) * U256::from(997);
    let denominator = U256::from(reserve_in) * U256::from(1000) + with_fee;
    if denominator.is_zero() {
        return 0;
    }
    u128::try_from(with_fee * U256::from(reserve_out) / denominator).unwrap_or(0)
}
