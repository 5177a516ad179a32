//! Display formats of values that the user can switch: addresses, times, durations.

use std::time::Duration;

use super::{Address, LocalZone, Timestamp, text};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AddressForm {
    /// Bech32, `init1…`.
    #[default]
    Bech32,
    /// Hex, `0x…`.
    Hex,
}

impl AddressForm {
    #[must_use]
    pub fn flipped(self) -> Self {
        match self {
            Self::Bech32 => Self::Hex,
            Self::Hex => Self::Bech32,
        }
    }

    pub fn write(self, address: Address) -> String {
        match self {
            Self::Bech32 => address.bech32(),
            Self::Hex => address.checksummed(),
        }
    }

    /// Formats only the ends of an address, for texts that contain no similar address.
    pub fn short(self, address: Address) -> String {
        super::short_forms::usual(self, address)
    }
}

/// Form of times: ages or clock times.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TimeForm {
    /// Age, such as `3 s`.
    #[default]
    Age,
    /// Clock time of the machine's zone, such as `15:03:21`.
    Local,
    /// Clock time in UTC, such as `14:03:21`.
    Clock,
}

impl TimeForm {
    /// Maximum age of a time that is shown without its date.
    pub(super) const CLOCK_FOR: Duration = Duration::from_secs(20 * 3600);

    /// Returns the next form. The local form is skipped where its clock equals UTC.
    #[must_use]
    pub fn next(self, zone: &LocalZone, now: Timestamp) -> Self {
        match self {
            Self::Age if zone.differs(now) => Self::Local,
            Self::Age | Self::Local => Self::Clock,
            Self::Clock => Self::Age,
        }
    }

    pub fn write(self, at: Timestamp, now: Timestamp, zone: &LocalZone) -> String {
        match self {
            Self::Age => age_at(at, now),
            Self::Local => zone.recent_alone(at, now),
            Self::Clock if now.since(at) >= Self::CLOCK_FOR => at.day_and_clock()[5..16].to_owned(),
            Self::Clock => at.clock(),
        }
    }
}

/// Formats an age in one unit; see [`text::age`].
pub fn age(span: Duration) -> String {
    text::age(span)
}

/// Formats the age of a time, truncated to its second: some responses have whole seconds, others nanoseconds, and both
/// must show equal ages.
pub fn age_at(at: Timestamp, now: Timestamp) -> String {
    age(now.since(at.cut_to_seconds()))
}

/// Formats a duration in seconds with two decimals: `0.97 s`.
pub fn seconds(span: Duration) -> String {
    text::hundredths(span)
}
