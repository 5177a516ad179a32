use std::{fmt, str::FromStr};

use alloy_primitives::U256;

use super::Amount;

/// Number of units per percent.
const PARTS: u32 = 10_000;

/// Slippage of a swap in percent: over 0, at most 100, with up to four decimals.
///
/// On the wire it is a percentage as text: `"0.5"` means half a percent (`docs/apis/router.md` §13, trap 28).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Slippage(u32);

/// Reason why a text is not a slippage.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SlippageError {
    /// The text is not a number with at most four decimals.
    #[error("“{0}” is not a percentage such as 0.5")]
    Form(String),
    /// The value is zero or over 100.
    #[error("slippage must be over 0 % and at most 100 %")]
    Range,
}

impl Slippage {
    /// Half a percent, the default of other bridge clients.
    pub const DEFAULT: Self = Self(5_000);

    /// Values that other bridge clients offer: 0.1, 0.5 and 1 percent.
    pub const PRESETS: [Self; 3] = [Self(1_000), Self::DEFAULT, Self(10_000)];

    /// Returns the minimum output for a quoted amount, rounded down, in the smallest unit.
    pub fn least_of(self, quoted: Amount) -> Amount {
        let (whole, kept) = (U256::from(100 * PARTS), U256::from(100 * PARTS - self.0));
        // Divide first: amounts near 256 bits would overflow.
        let (quotient, rest) = (quoted.get() / whole, quoted.get() % whole);
        Amount::new(quotient * kept + rest * kept / whole)
    }

    /// Returns a warning outside of the usual range: over 5 % invites front-running, under 0.1 % may fail.
    pub fn warning(self) -> Option<&'static str> {
        if self.0 > 5 * PARTS {
            Some("over 5 %: others may front-run this swap")
        } else if self.0 < PARTS / 10 {
            Some("under 0.1 %: a small price move may fail the swap")
        } else {
            None
        }
    }
}

impl Default for Slippage {
    fn default() -> Self {
        Self::DEFAULT
    }
}

impl fmt::Display for Slippage {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, parts) = (self.0 / PARTS, self.0 % PARTS);
        if parts == 0 {
            return write!(formatter, "{whole}");
        }
        write!(formatter, "{whole}.{}", format!("{parts:04}").trim_end_matches('0'))
    }
}

impl FromStr for Slippage {
    type Err = SlippageError;

    fn from_str(text: &str) -> Result<Self, SlippageError> {
        let trimmed = text.trim().trim_end_matches('%').trim_end();
        let form = || SlippageError::Form(super::text::clip(text, 30));
        let amount = Amount::from_display(trimmed, 4).map_err(|_| form())?;
        let parts = u32::try_from(amount.get()).map_err(|_| SlippageError::Range)?;
        if parts == 0 || parts > 100 * PARTS { Err(SlippageError::Range) } else { Ok(Self(parts)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_written_as_it_is_read() {
        for (text, written) in
            [("0.5", "0.5"), ("1.0", "1"), (" 12.25 % ", "12.25"), ("100", "100"), ("0.0001", "0.0001")]
        {
            assert_eq!(text.parse::<Slippage>().unwrap().to_string(), written, "{text}");
        }
        for text in ["", "0", "-1", "101", "0.00001", "x", "1e2", "."] {
            assert!(text.parse::<Slippage>().is_err(), "{text}");
        }
    }

    #[test]
    fn the_least_is_rounded_down_and_exact() {
        let least = |text: &str, amount: u128| text.parse::<Slippage>().unwrap().least_of(Amount::from(amount));
        assert_eq!(least("0.5", 1_000_000), Amount::from(995_000));
        assert_eq!(least("0.5", 999), Amount::from(994));
        assert_eq!(least("100", 999), Amount::ZERO);
        let all = Amount::new(U256::MAX);
        assert!(Slippage::DEFAULT.least_of(all) < all);
    }
}
