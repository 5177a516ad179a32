use std::{fmt, str::FromStr, time::Duration};

/// Point in time with nanoseconds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Timestamp(jiff::Timestamp);

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("“{0}” is not a time such as 2026-01-31T12:00:00Z")]
pub struct TimestampError(String);

impl Timestamp {
    /// The start of 1970.
    pub const EPOCH: Self = Self(jiff::Timestamp::UNIX_EPOCH);

    /// Reads the wall clock. Only the outermost layers may call it; inner layers receive a time.
    pub fn now() -> Self {
        Self(jiff::Timestamp::now())
    }

    /// Creates a time from nanoseconds since 1970, clamped to the valid range.
    pub fn from_nanos(nanos: i128) -> Self {
        Self(jiff::Timestamp::from_nanosecond(nanos).unwrap_or(jiff::Timestamp::MAX))
    }

    /// Returns the nanoseconds since 1970.
    pub fn as_nanos(self) -> i128 {
        self.0.as_nanosecond()
    }

    /// Returns the whole seconds since 1970.
    pub fn as_seconds(self) -> i64 {
        self.0.as_second()
    }

    /// Returns the time plus a duration; saturates at the last valid time.
    #[must_use]
    pub fn after(self, span: Duration) -> Self {
        Self(
            self.0
                .saturating_add(jiff::SignedDuration::try_from(span).unwrap_or(jiff::SignedDuration::MAX))
                .unwrap_or(jiff::Timestamp::MAX),
        )
    }

    /// Returns the time minus a duration; saturates at the first valid time.
    #[must_use]
    pub fn before(self, span: Duration) -> Self {
        Self(
            self.0
                .saturating_sub(jiff::SignedDuration::try_from(span).unwrap_or(jiff::SignedDuration::MAX))
                .unwrap_or(jiff::Timestamp::MIN),
        )
    }

    /// Returns the duration since `earlier`; zero if `earlier` is later.
    pub fn since(self, earlier: Self) -> Duration {
        Duration::try_from(self.0.duration_since(earlier.0)).unwrap_or(Duration::ZERO)
    }

    /// Truncates to whole seconds, as the indexer does with block times.
    #[must_use]
    pub fn cut_to_seconds(self) -> Self {
        Self(jiff::Timestamp::from_second(self.0.as_second()).unwrap_or(self.0))
    }

    /// Formats the time as HTTP does, in whole seconds: `Sat, 31 Jan 2026 12:00:00 GMT`.
    pub fn http_date(self) -> String {
        jiff::fmt::rfc2822::DateTimePrinter::new().timestamp_to_rfc9110_string(&self.0).unwrap_or_default()
    }

    pub(super) fn instant(self) -> jiff::Timestamp {
        self.0
    }

    /// Formats the clock time in UTC: `14:03:21`.
    pub fn clock(self) -> String {
        self.0.strftime("%H:%M:%S").to_string()
    }

    /// Formats date and clock time in UTC: `2026-01-31 14:03:21`.
    pub fn day_and_clock(self) -> String {
        self.0.strftime("%Y-%m-%d %H:%M:%S").to_string()
    }
}

impl fmt::Display for Timestamp {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

impl fmt::Debug for Timestamp {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

impl FromStr for Timestamp {
    type Err = TimestampError;

    /// Parses RFC 3339 with any number of fraction digits and any offset.
    fn from_str(text: &str) -> Result<Self, TimestampError> {
        text.parse().map(Self).map_err(|_| TimestampError(super::text::clip(text, 60)))
    }
}
