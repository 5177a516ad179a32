use std::{fmt, str::FromStr};

/// Height of a block, at least 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Height(u64);

/// Maximum digits of a height, including leading zeros; more digits are a hash.
const LONGEST: usize = 20;

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("“{0}” is not a block height: write a whole number of 1 or more")]
pub struct HeightError(String);

impl Height {
    pub const FIRST: Self = Self(1);

    /// Creates a height; `None` for zero.
    pub fn new(value: u64) -> Option<Self> {
        (value > 0).then_some(Self(value))
    }

    pub const fn get(self) -> u64 {
        self.0
    }

    #[must_use]
    pub const fn next(self) -> Self {
        Self(self.0.saturating_add(1))
    }

    /// Returns the previous block's height; `None` for the first block.
    pub fn previous(self) -> Option<Self> {
        Self::new(self.0 - 1)
    }

    /// Returns the height `count` blocks lower, but at least 1.
    #[must_use]
    pub fn back(self, count: u64) -> Self {
        Self(self.0.saturating_sub(count).max(1))
    }
}

impl fmt::Display for Height {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

impl FromStr for Height {
    type Err = HeightError;

    /// Parses digits; `,`, `_` and spaces may separate groups.
    fn from_str(text: &str) -> Result<Self, HeightError> {
        let digits: String =
            text.trim().chars().filter(|c| !matches!(c, ',' | '_' | ' ' | '\u{a0}' | '\u{202f}')).collect();
        let number = if digits.len() <= LONGEST { digits.parse().ok() } else { None };
        number.and_then(Self::new).ok_or_else(|| HeightError(super::text::clip(text, 40)))
    }
}
