//! How values are written for people where there is a choice: addresses, times, spans.

use std::time::Duration;

use super::{Address, Timestamp, text};

/// Which of its two forms an address is written in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AddressForm {
    /// `init1…`
    #[default]
    Bech32,
    /// `0x…`
    Hex,
}

impl AddressForm {
    /// The other one.
    #[must_use]
    pub fn flipped(self) -> Self {
        match self {
            Self::Bech32 => Self::Hex,
            Self::Hex => Self::Bech32,
        }
    }

    /// The whole address.
    pub fn write(self, address: Address) -> String {
        match self {
            Self::Bech32 => address.bech32(),
            Self::Hex => address.checksummed(),
        }
    }

    /// First and last characters of the address, where nothing else on screen could look like it.
    pub fn short(self, address: Address) -> String {
        super::short_forms::usual(self, address)
    }
}

/// Whether times are written as ages or on the clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TimeForm {
    /// `3 s`
    #[default]
    Age,
    /// `14:03:21`
    Clock,
}

impl TimeForm {
    /// So long a moment is told by the clock alone.
    pub(super) const CLOCK_FOR: Duration = Duration::from_secs(20 * 3600);

    /// The other one.
    #[must_use]
    pub fn flipped(self) -> Self {
        match self {
            Self::Age => Self::Clock,
            Self::Clock => Self::Age,
        }
    }

    /// A moment, short enough for a column.
    pub fn write(self, at: Timestamp, now: Timestamp) -> String {
        match self {
            Self::Age => age_at(at, now),
            Self::Clock if now.since(at) >= Self::CLOCK_FOR => at.day_and_clock()[5..16].to_owned(),
            Self::Clock => at.clock(),
        }
    }
}

/// A span in one unit, for ages: the same as [`text::age`].
pub fn age(span: Duration) -> String {
    text::age(span)
}

/// How long ago a moment is, cut to its second: some answers have it whole, others to the nanosecond, and both are the
/// same moment to who reads them beside each other.
pub fn age_at(at: Timestamp, now: Timestamp) -> String {
    age(now.since(at.cut_to_seconds()))
}

/// A span to hundredths of a second: `0.97 s`.
pub fn seconds(span: Duration) -> String {
    text::hundredths(span)
}
