use std::{cmp::Ordering, fmt, str::FromStr};

use super::{Amount, AmountError};

/// Balance in the token's smallest unit. May be negative: the rich list of a real indexer has such rows
/// (`docs/apis/indexer.md` §7).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Balance {
    amount: Amount,
    is_negative: bool,
}

impl Balance {
    pub fn below_zero(amount: Amount) -> Self {
        Self { amount, is_negative: !amount.is_zero() }
    }

    /// Returns the balance without its sign.
    pub fn magnitude(self) -> Amount {
        self.amount
    }

    pub fn is_negative(self) -> bool {
        self.is_negative
    }

    /// Returns the balance as an amount; `None` if negative.
    pub fn amount(self) -> Option<Amount> {
        (!self.is_negative).then_some(self.amount)
    }

    /// Formats the exact balance in display units with grouped thousands: `-1,234.5`.
    pub fn display(self, decimals: u8) -> String {
        format!("{}{}", self.sign(), self.amount.display(decimals))
    }

    /// Formats the balance for the screen, as [`Amount::shown`] does.
    pub fn shown(self, decimals: u8) -> String {
        format!("{}{}", self.sign(), self.amount.shown(decimals))
    }

    /// Formats the balance for a list, as [`Amount::fixed`] does; a debt too small for the places is `>-0.01`.
    pub fn fixed(self, decimals: u8, places: u8) -> String {
        let fixed = self.amount.fixed(decimals, places);
        match fixed.strip_prefix('<') {
            Some(least) if self.is_negative => format!(">-{least}"),
            _ => format!("{}{fixed}", self.sign()),
        }
    }

    /// Returns the sum; `None` above 256 bits.
    pub fn checked_add(self, other: Self) -> Option<Self> {
        if self.is_negative == other.is_negative {
            return self.amount.checked_add(other.amount).map(|amount| Self { amount, ..self });
        }
        let (larger, smaller) = if self.amount >= other.amount { (self, other) } else { (other, self) };
        let amount = larger.amount.checked_sub(smaller.amount)?;
        Some(Self { amount, is_negative: larger.is_negative && !amount.is_zero() })
    }

    /// Returns the balance with the other sign.
    #[must_use]
    pub fn negated(self) -> Self {
        Self { is_negative: !self.is_negative && !self.amount.is_zero(), ..self }
    }

    fn sign(self) -> &'static str {
        if self.is_negative { "-" } else { "" }
    }
}

impl From<Amount> for Balance {
    fn from(amount: Amount) -> Self {
        Self { amount, is_negative: false }
    }
}

impl PartialOrd for Balance {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Balance {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self.is_negative, other.is_negative) {
            (false, false) => self.amount.cmp(&other.amount),
            (true, true) => other.amount.cmp(&self.amount),
            (true, false) => Ordering::Less,
            (false, true) => Ordering::Greater,
        }
    }
}

impl fmt::Display for Balance {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}{}", self.sign(), self.amount)
    }
}

impl fmt::Debug for Balance {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

impl FromStr for Balance {
    type Err = AmountError;

    /// Parses decimal digits with an optional minus sign.
    fn from_str(text: &str) -> Result<Self, AmountError> {
        match text.strip_prefix('-') {
            Some(digits) => digits.parse().map(Self::below_zero),
            None => text.parse::<Amount>().map(Self::from),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn balance(text: &str) -> Balance {
        text.parse().unwrap()
    }

    #[test]
    fn balances_add_up_across_zero_and_are_ordered() {
        for (one, other, sum) in [("5", "-7", "-2"), ("-7", "5", "-2"), ("-1", "-2", "-3"), ("4", "-4", "0")] {
            assert_eq!(balance(one).checked_add(balance(other)), Some(balance(sum)));
        }
        assert!(balance("-3") < balance("-2") && balance("-1") < balance("0") && balance("0") < balance("1"));
        assert_eq!((balance("-0"), balance("-1234500").display(3)), (balance("0"), "-1,234.5".to_owned()));
    }
}
