//! Fees of transactions, in exact integers.

use alloy_primitives::U256;

use super::{
    canonical::{list, object, quoted},
    message::coin_json,
};
use crate::{
    domain::{Amount, Coin, Denom},
    wire::protobuf::ProtoWriter,
};

/// Maximum decimals of a gas price: as many as a Cosmos decimal has.
const MOST_DECIMALS: usize = 18;
/// Numerator of the gas limit in fifths of the simulated gas: 7/5 = 1.4 times.
const LIMIT_FIFTHS: u64 = 7;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SigningFee {
    /// Fee coins; empty for no fee.
    pub amount: Vec<Coin>,
    pub gas: u64,
}

/// Price per unit of gas as an exact decimal, in a denom's smallest unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GasPrice {
    denom: Denom,
    /// Price times ten to the power of `decimals`.
    digits: U256,
    decimals: usize,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("“{0}” is not a gas price such as 0.015")]
pub struct GasPriceError(String);

impl GasPrice {
    /// Parses a decimal such as `0.015` or `0.150000000000000000`.
    pub fn new(denom: Denom, price: &str) -> Result<Self, GasPriceError> {
        let fail = || GasPriceError(crate::domain::text::clip(price, 40));
        let (whole, parts) = price.split_once('.').unwrap_or((price, ""));
        let is_number = !whole.is_empty() && whole.bytes().chain(parts.bytes()).all(|byte| byte.is_ascii_digit());
        if !is_number || parts.len() > MOST_DECIMALS {
            return Err(fail());
        }
        let digits = U256::from_str_radix(&format!("{whole}{parts}"), 10).map_err(|_| fail())?;
        Ok(Self { denom, digits, decimals: parts.len() })
    }

    pub fn denom(&self) -> &Denom {
        &self.denom
    }

    /// Returns the cost of this gas in the smallest unit, rounded up; `None` above 256 bits.
    pub fn cost(&self, gas: u64) -> Option<Amount> {
        let product = self.digits.checked_mul(U256::from(gas))?;
        let unit = U256::from(10).pow(U256::from(self.decimals));
        Some(Amount::new(product.div_ceil(unit)))
    }
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
        let coins = (!amount.is_zero()).then(|| Coin { denom: price.denom.clone(), amount });
        Some(Self { amount: coins.into_iter().collect(), gas })
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
    use proptest::prelude::*;

    use super::*;

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
        for text in ["", ".5", "1e3", "-1", "1.", "0.0000000000000000001", " 1"] {
            assert_eq!(GasPrice::new(Denom::new("a"), text).is_ok(), text == "1.", "{text}");
        }
    }

    proptest! {
        #[test]
        fn a_cost_is_never_less_than_the_price_nor_a_unit_more(gas in 1..u64::MAX / 7, digits in 0..u64::MAX, places in 0..19_usize) {
            let text = format!("{digits:0>20}");
            let (whole, parts) = text.split_at(20 - places);
            let price = price(&if places == 0 { text.clone() } else { format!("{whole}.{parts}") });
            let cost = price.cost(gas).unwrap().get();
            let (unit, exact) = (U256::from(10).pow(U256::from(places)), U256::from(gas) * U256::from(digits));
            prop_assert!(cost * unit >= exact);
            prop_assert!(cost.is_zero() || (cost - U256::from(1)) * unit < exact);
        }
    }
}
