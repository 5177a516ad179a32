use std::{fmt, str::FromStr};

use alloy_primitives::U256;

use super::Denom;

/// An exact amount of money in the token's smallest unit. Never a float; up to 256 bits, as EVM words are.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Amount(U256);

/// Why a text is not an amount.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("“{0}” is not an amount: a whole number in the smallest unit is needed")]
pub struct AmountError(String);

impl Amount {
    /// Nothing.
    pub const ZERO: Self = Self(U256::ZERO);

    /// Wraps the word.
    pub const fn new(value: U256) -> Self {
        Self(value)
    }

    /// The number itself.
    pub const fn get(self) -> U256 {
        self.0
    }

    /// Whether it is nothing.
    pub fn is_zero(self) -> bool {
        self.0.is_zero()
    }

    /// The sum, or `None` past 256 bits.
    pub fn checked_add(self, other: Self) -> Option<Self> {
        self.0.checked_add(other.0).map(Self)
    }

    /// The difference, or `None` below zero.
    pub fn checked_sub(self, other: Self) -> Option<Self> {
        self.0.checked_sub(other.0).map(Self)
    }

    /// The amount in display units with this many decimals, exact, with grouped thousands: `1,234.5`.
    pub fn display(self, decimals: u8) -> String {
        super::text::decimal(&self.0.to_string(), decimals)
    }
}

impl From<u128> for Amount {
    fn from(value: u128) -> Self {
        Self(U256::from(value))
    }
}

impl fmt::Display for Amount {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

impl fmt::Debug for Amount {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

impl FromStr for Amount {
    type Err = AmountError;

    /// Reads plain decimal digits.
    fn from_str(text: &str) -> Result<Self, AmountError> {
        let fail = || AmountError(super::text::clip(text, 90));
        if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(fail());
        }
        U256::from_str_radix(text, 10).map(Self).map_err(|_| fail())
    }
}

/// An amount of one denom, as Cosmos messages carry it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Coin {
    /// What.
    pub denom: Denom,
    /// How much, in the smallest unit.
    pub amount: Amount,
}

impl fmt::Display for Coin {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}{}", self.amount, self.denom)
    }
}

/// Why a text is not a list of coins.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("“{0}” is not a list of coins such as 10uinit,5gas")]
pub struct CoinError(String);

/// Reads an event's coin list, `amount+denom` joined by commas; an empty text is nothing.
pub fn parse_coins(text: &str) -> Result<Vec<Coin>, CoinError> {
    text.split(',')
        .filter(|part| !part.is_empty())
        .map(|part| {
            let digits = part.bytes().take_while(u8::is_ascii_digit).count();
            let (amount, denom) = part.split_at(digits);
            let amount = amount.parse().map_err(|_| CoinError(super::text::clip(text, 90)))?;
            if denom.is_empty() {
                return Err(CoinError(super::text::clip(text, 90)));
            }
            Ok(Coin { denom: Denom::new(denom), amount })
        })
        .collect()
}
