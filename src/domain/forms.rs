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
            Self::Age => age(now.since(at)),
            Self::Clock if now.since(at) >= Duration::from_secs(20 * 3600) => at.day_and_clock()[5..16].to_owned(),
            Self::Clock => at.clock(),
        }
    }
}

/// A span in its largest whole unit: `3 s`, `12 min`, `5 h`, `40 d`.
pub fn age(span: Duration) -> String {
    let seconds = span.as_secs();
    match seconds {
        0..60 => format!("{seconds} s"),
        60..3600 => format!("{} min", seconds / 60),
        3600..86_400 => format!("{} h", seconds / 3600),
        _ => format!("{} d", seconds / 86_400),
    }
}

/// A span to hundredths of a second: `0.97 s`.
pub fn seconds(span: Duration) -> String {
    text::hundredths(span)
}
