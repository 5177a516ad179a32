//! Gas prices and other decimals, exact.

use alloy_primitives::U256;

use super::{Amount, Denom};

/// Maximum decimals: as many as a Cosmos decimal has.
const MOST_DECIMALS: usize = 18;

/// Number with at most 18 decimals, exact and not negative.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExactDecimal {
    /// Number times ten to the power of `decimals`.
    digits: U256,
    decimals: usize,
}

/// Price per unit of gas, in a denom's smallest unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GasPrice {
    denom: Denom,
    price: ExactDecimal,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FeeDenom {
    pub denom: Denom,
    /// Minimum gas price; `None` if unknown.
    pub price: Option<GasPrice>,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("“{0}” is not a decimal such as 0.015")]
pub struct DecimalError(String);

impl ExactDecimal {
    /// Parses a decimal such as `0.015` or `0.150000000000000000`.
    pub fn parse(text: &str) -> Result<Self, DecimalError> {
        let fail = || DecimalError(super::text::clip(text, 40));
        let (whole, parts) = text.split_once('.').unwrap_or((text, ""));
        let is_number = !whole.is_empty() && whole.bytes().chain(parts.bytes()).all(|byte| byte.is_ascii_digit());
        if !is_number || parts.len() > MOST_DECIMALS {
            return Err(fail());
        }
        let digits = U256::from_str_radix(&format!("{whole}{parts}"), 10).map_err(|_| fail())?;
        Ok(Self { digits, decimals: parts.len() })
    }

    /// Returns the number as decimal text.
    pub fn text(self) -> String {
        super::text::decimal(&self.digits.to_string(), u8::try_from(self.decimals).unwrap_or(u8::MAX))
    }

    /// Returns the product with a number, rounded up; `None` above 256 bits.
    pub fn times(self, number: U256) -> Option<U256> {
        let unit = U256::from(10).pow(U256::from(self.decimals));
        Some(self.digits.checked_mul(number)?.div_ceil(unit))
    }
}

impl GasPrice {
    pub fn new(denom: Denom, price: &str) -> Result<Self, DecimalError> {
        Ok(Self { denom, price: ExactDecimal::parse(price)? })
    }

    pub fn denom(&self) -> &Denom {
        &self.denom
    }

    /// Returns the price as decimal text.
    pub fn number(&self) -> String {
        self.price.text()
    }

    /// Returns the cost of this gas in the smallest unit, rounded up; `None` above 256 bits.
    pub fn cost(&self, gas: u64) -> Option<Amount> {
        self.price.times(U256::from(gas)).map(Amount::new)
    }
}

impl From<GasPrice> for FeeDenom {
    fn from(price: GasPrice) -> Self {
        Self { denom: price.denom.clone(), price: Some(price) }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_cost_is_never_less_than_the_price_nor_a_unit_more(gas in 1..u64::MAX / 7, digits in 0..u64::MAX, places in 0..19_usize) {
            let text = format!("{digits:0>20}");
            let (whole, parts) = text.split_at(20 - places);
            let price = if places == 0 { text.clone() } else { format!("{whole}.{parts}") };
            let cost = GasPrice::new(Denom::new("uinit"), &price).unwrap().cost(gas).unwrap().get();
            let (unit, exact) = (U256::from(10).pow(U256::from(places)), U256::from(gas) * U256::from(digits));
            prop_assert!(cost * unit >= exact);
            prop_assert!(cost.is_zero() || (cost - U256::from(1)) * unit < exact);
        }
    }

    #[test]
    fn what_is_no_decimal_is_refused() {
        for text in ["", ".5", "1e3", "-1", "1.", "0.0000000000000000001", " 1"] {
            assert_eq!(ExactDecimal::parse(text).is_ok(), text == "1.", "{text}");
        }
    }
}
