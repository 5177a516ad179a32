//! Fees of transactions, in exact integers.

use super::{
    canonical::{list, object, quoted},
    message::coin_json,
};
use crate::{
    domain::{Amount, Coin, GasPrice},
    wire::protobuf::ProtoWriter,
};

/// Numerator of the gas limit in fifths of the simulated gas: 7/5 = 1.4 times.
const LIMIT_FIFTHS: u64 = 7;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SigningFee {
    /// Fee coins; empty for no fee.
    pub amount: Vec<Coin>,
    pub gas: u64,
}

impl SigningFee {
    /// Returns the gas limit for simulated gas: 1.4 times, rounded up; `None` above 64 bits.
    pub fn limit(gas_used: u64) -> Option<u64> {
        gas_used.checked_mul(LIMIT_FIFTHS).map(|fifths| fifths.div_ceil(5))
    }

    /// Returns the fee for simulated gas at this price; `None` on overflow.
    pub fn of_simulation(gas_used: u64, price: &GasPrice) -> Option<Self> {
        let gas = Self::limit(gas_used)?;
        let amount = price.cost(gas)?;
        // Nodes refuse a zero coin.
        let coins = (!amount.is_zero()).then(|| Coin { denom: price.denom().clone(), amount });
        Some(Self { amount: coins.into_iter().collect(), gas })
    }

    /// Returns the sum of all coins, for fees of one denom.
    pub fn sum(&self) -> Amount {
        self.amount.iter().fold(Amount::ZERO, |sum, coin| sum.checked_add(coin.amount).unwrap_or(sum))
    }

    /// Returns the fee of a hook: zero, because the hook is never broadcast alone.
    pub fn of_hook() -> Self {
        Self { amount: Vec::new(), gas: 1 }
    }

    pub(super) fn amino(&self) -> String {
        let coins = list(self.amount.iter().map(coin_json));
        object([("amount", coins), ("gas", quoted(&self.gas.to_string()))])
    }

    pub(super) fn proto(&self) -> Vec<u8> {
        let coin = |coin: &Coin| ProtoWriter::new().bytes(1, coin.denom.as_str()).bytes(2, coin.amount.to_string());
        let coins = self.amount.iter().map(coin);
        coins.fold(ProtoWriter::new(), |fee, coin| fee.bytes(1, coin.finish())).uint(2, self.gas).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Denom;

    fn price(text: &str) -> GasPrice {
        GasPrice::new(Denom::new("uinit"), text).unwrap()
    }

    #[test]
    fn fees_are_rounded_up_and_exact() {
        let fee = SigningFee::of_simulation(100_001, &price("0.015")).unwrap();
        assert_eq!(fee.gas, 140_002, "1.4 times, rounded up");
        assert_eq!(fee.amount[0].amount, Amount::from(2_101), "2100.03 rounded up");
        let large = SigningFee::of_simulation(1_000_000, &price("1000000000000.000000000000000001")).unwrap();
        assert_eq!(large.amount[0].amount.to_string(), "1400000000000000001");
        assert_eq!(SigningFee::of_simulation(7, &price("0")).unwrap().amount, [], "no coin of nothing");
        assert_eq!(SigningFee::of_simulation(u64::MAX, &price("1")), None);
    }
}
