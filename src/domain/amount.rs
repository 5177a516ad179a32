use std::{fmt, str::FromStr};

use alloy_primitives::U256;

use super::Denom;

/// Exact amount in the token's smallest unit, up to 256 bits like an EVM word. Never a float.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Amount(U256);

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct AmountError(String);

/// Reason why a text is not an amount in display units.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DisplayAmountError {
    #[error("“{0}” is not an amount such as 12.5")]
    Form(String),
    #[error("write at most {decimals} decimal places for this token")]
    TooManyDecimals { decimals: u8 },
    /// The amount exceeds 256 bits.
    #[error("the amount exceeds the limit of a chain")]
    TooLarge,
}

impl Amount {
    pub const ZERO: Self = Self(U256::ZERO);

    pub const fn new(value: U256) -> Self {
        Self(value)
    }

    pub const fn get(self) -> U256 {
        self.0
    }

    pub fn is_zero(self) -> bool {
        self.0.is_zero()
    }

    /// Returns the sum; `None` above 256 bits.
    pub fn checked_add(self, other: Self) -> Option<Self> {
        self.0.checked_add(other.0).map(Self)
    }

    /// Returns the difference; `None` below zero.
    pub fn checked_sub(self, other: Self) -> Option<Self> {
        self.0.checked_sub(other.0).map(Self)
    }

    /// Parses an amount in display units, such as `1.5` or `1,234.5`; exact, never rounded.
    pub fn from_display(text: &str, decimals: u8) -> Result<Self, DisplayAmountError> {
        let form = || DisplayAmountError::Form(super::text::clip(text, 40));
        let plain = text.trim().replace([',', '_'], "");
        let (whole, parts) = plain.split_once('.').unwrap_or((&plain, ""));
        let is_number = !(whole.is_empty() && parts.is_empty())
            && whole.bytes().chain(parts.bytes()).all(|byte| byte.is_ascii_digit());
        if !is_number {
            return Err(form());
        }
        let significant = parts.trim_end_matches('0');
        let missing = usize::from(decimals).checked_sub(significant.len());
        let missing = missing.ok_or(DisplayAmountError::TooManyDecimals { decimals })?;
        let digits = format!("{whole}{significant}{}", "0".repeat(missing));
        U256::from_str_radix(&digits, 10).map(Self).map_err(|_| DisplayAmountError::TooLarge)
    }

    /// Formats the exact amount in display units with grouped thousands: `1,234.5`.
    pub fn display(self, decimals: u8) -> String {
        super::text::decimal(&self.0.to_string(), decimals)
    }
}

impl Amount {
    /// Formats the amount for the screen, in display units. Tokens with more than eight decimals show four decimals, or
    /// two from one thousand on; a smaller amount shows its first four digits. `…` marks omitted digits, and digits are
    /// never rounded up: `354,975.70…`, `0.00001234…`.
    pub fn shown(self, decimals: u8) -> String {
        super::text::cut_decimal(&self.display(decimals), decimals)
    }

    /// Formats the amount for a list, in display units with at most `places` decimals, filled with zeros. Digits are
    /// never rounded up, and an amount too small for the places is `<0.01`.
    pub fn fixed(self, decimals: u8, places: u8) -> String {
        super::text::fixed_decimal(&self.display(decimals), places.min(decimals))
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

    /// Parses decimal digits without separators.
    fn from_str(text: &str) -> Result<Self, AmountError> {
        let shown = || super::text::clip(text, 90);
        if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
            let why = "is not an amount: write a whole number of smallest units";
            return Err(AmountError(format!("“{}” {why}", shown())));
        }
        let too_long = |_| AmountError(format!("“{}” is too large for an amount: the limit is 2^256", shown()));
        U256::from_str_radix(text, 10).map(Self).map_err(too_long)
    }
}

/// Amount of one denom, as in Cosmos messages.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Coin {
    pub denom: Denom,
    pub amount: Amount,
}

impl fmt::Display for Coin {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}{}", self.amount, self.denom)
    }
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("“{0}” is not a list of coins such as 10uinit,5gas")]
pub struct CoinError(String);

/// Parses an event's coin list: `amount+denom`, separated by commas. Empty text yields an empty list.
pub fn parse_coins(text: &str) -> Result<Vec<Coin>, CoinError> {
    text.split(',')
        .filter(|part| !part.is_empty())
        .map(|part| {
            let digits = part.bytes().take_while(u8::is_ascii_digit).count();
            let (amount, denom) = part.split_at(digits);
            let amount = amount.parse().map_err(|_| CoinError(super::text::clip(text, 90)))?;
            // A denom starts with a letter, so `1.5uinit` is invalid rather than `.5uinit`.
            if !denom.starts_with(|sign: char| sign.is_ascii_alphabetic()) {
                return Err(CoinError(super::text::clip(text, 90)));
            }
            Ok(Coin { denom: Denom::new(denom), amount })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_fractions_are_cut_and_say_so() {
        let shown = |digits: &str, decimals| digits.parse::<Amount>().unwrap().shown(decimals);
        for (digits, decimals, text) in [
            ("354975702049562417219085", 18, "354,975.70…"),
            ("2799999999999999999994", 18, "2,799.99…"),
            ("1500000000000000000", 18, "1.5"),
            ("1234567890000000000", 18, "1.2345…"),
            ("12345678900000", 18, "0.00001234…"),
            ("1", 18, "0.000000000000000001"),
            ("1234567", 6, "1.234567"),
            ("0", 18, "0"),
        ] {
            assert_eq!(shown(digits, decimals), text, "{digits}");
        }
    }

    #[test]
    fn lists_of_coins_are_read_whole_or_not_at_all() {
        let written = |text: &str| parse_coins(text).map(|coins| coins.iter().map(Coin::to_string).collect::<Vec<_>>());
        assert_eq!(written("10uinit,5ibc/AB"), Ok(vec!["10uinit".to_owned(), "5ibc/AB".to_owned()]));
        assert_eq!(written(""), Ok(Vec::new()));
        for text in ["-5uinit", "1.5uinit", "5", "uinit", "1uinit,2", "5 uinit"] {
            assert!(written(text).is_err(), "{text}");
        }
    }

    #[test]
    fn display_units_are_read_exactly() {
        for (text, decimals, amount) in [
            ("1.5", 6, 1_500_000),
            ("1,234.5", 6, 1_234_500_000),
            (".5", 1, 5),
            ("7.", 0, 7),
            ("1.500", 1, 15),
            ("0", 18, 0),
        ] {
            assert_eq!(Amount::from_display(text, decimals), Ok(Amount::from(amount)), "{text}");
        }
        assert_eq!(Amount::from_display("0.1234567", 6), Err(DisplayAmountError::TooManyDecimals { decimals: 6 }));
        assert_eq!(Amount::from_display(&"9".repeat(70), 18), Err(DisplayAmountError::TooLarge));
        for text in ["", ".", "-1", "1e5", "1.2.3", "x"] {
            assert!(matches!(Amount::from_display(text, 6), Err(DisplayAmountError::Form(_))), "{text}");
        }
    }
}
