//! Text with typed times, which the screen formats when it draws the text.

use std::{fmt, ops::Deref};

use super::{LocalZone, Timestamp, text};

/// Text that rollscope wrote, with its times as values. Times inside external text stay text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TimedText {
    /// Text with all its times in UTC.
    utc: String,
    /// Times in the order of the text.
    times: Vec<PlacedTime>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct PlacedTime {
    /// Byte position at which the time starts in the UTC text.
    start: usize,
    at: Timestamp,
    form: WrittenTime,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum WrittenTime {
    /// Date and minute, `2026-01-31 13:03 UTC`.
    Minute,
    /// Date and second, `2026-01-31T13:03:21Z`.
    Second,
    /// Clock time, `13:03:21 UTC`.
    Clock,
}

impl WrittenTime {
    const ALL: [(Self, char); 3] = [(Self::Minute, 'm'), (Self::Second, 's'), (Self::Clock, 'c')];

    fn utc(self, at: Timestamp) -> String {
        match self {
            Self::Minute => LocalZone::default().minute_beside_utc(at),
            Self::Second => LocalZone::default().beside_utc(at),
            Self::Clock => LocalZone::default().clock(at),
        }
    }

    fn in_zone(self, at: Timestamp, zone: &LocalZone) -> String {
        match self {
            _ if !zone.differs(at) => self.utc(at),
            Self::Minute => zone.minute_beside_utc(at),
            Self::Second => zone.beside_utc(at),
            Self::Clock => zone.clock(at),
        }
    }
}

impl PlacedTime {
    fn utc(&self) -> String {
        self.form.utc(self.at)
    }
}

impl TimedText {
    #[must_use]
    pub fn words(mut self, words: &str) -> Self {
        self.utc.push_str(words);
        self
    }

    #[must_use]
    pub fn minute(self, at: Timestamp) -> Self {
        self.time(at, WrittenTime::Minute)
    }

    /// Appends a time as date and second.
    #[must_use]
    pub fn second(self, at: Timestamp) -> Self {
        self.time(at, WrittenTime::Second)
    }

    /// Appends a time as clock time with seconds.
    #[must_use]
    pub fn clock(self, at: Timestamp) -> Self {
        self.time(at, WrittenTime::Clock)
    }

    fn time(mut self, at: Timestamp, form: WrittenTime) -> Self {
        self.times.push(PlacedTime { start: self.utc.len(), at, form });
        self.utc.push_str(&form.utc(at));
        self
    }

    /// Appends another text.
    #[must_use]
    pub fn then(mut self, other: &Self) -> Self {
        let length = self.utc.len();
        self.times.extend(other.times.iter().map(|time| PlacedTime { start: time.start + length, ..*time }));
        self.utc.push_str(&other.utc);
        self
    }

    /// Cleans the text and truncates it to `width` columns, as shown in UTC. A truncated time becomes plain text.
    #[must_use]
    pub fn clip(&self, width: usize) -> Self {
        Self::placed(text::clip(&self.utc, width), self.times.clone())
    }

    /// Formats the text with times in this zone; dates show UTC too.
    pub fn in_zone(&self, zone: &LocalZone) -> String {
        let (mut drawn, mut end) = (String::with_capacity(self.utc.len()), 0);
        for time in &self.times {
            drawn.push_str(self.utc.get(end..time.start).unwrap_or_default());
            drawn.push_str(&time.form.in_zone(time.at, zone));
            end = time.start + time.utc().len();
        }
        drawn + self.utc.get(end..).unwrap_or_default()
    }

    pub fn as_str(&self) -> &str {
        &self.utc
    }

    /// Encodes the times for a file: position, format and nanoseconds since 1970 of each time.
    pub fn times(&self) -> String {
        let letter =
            |form| WrittenTime::ALL.iter().find(|(known, _)| *known == form).map_or('s', |(_, letter)| *letter);
        let time = |time: &PlacedTime| format!("{}{}{}", time.start, letter(time.form), time.at.as_nanos());
        self.times.iter().map(time).collect::<Vec<_>>().join(" ")
    }

    /// Decodes a stored text with its times; drops times that the text does not contain.
    pub fn kept(utc: String, times: &str) -> Self {
        let time = |time: &str| {
            let place = time.find(|sign: char| !sign.is_ascii_digit())?;
            let (form, letter) = WrittenTime::ALL
                .into_iter()
                .find(|(_, letter)| time.get(place..).is_some_and(|rest| rest.starts_with(*letter)))?;
            let at = time.get(place + letter.len_utf8()..)?.parse().ok()?;
            Some(PlacedTime { start: time.get(..place)?.parse().ok()?, at: Timestamp::from_nanos(at), form })
        };
        Self::placed(utc, times.split(' ').filter_map(time).collect())
    }

    /// Creates a text with those times that the text contains, in order and without overlap.
    fn placed(utc: String, mut times: Vec<PlacedTime>) -> Self {
        let mut end = 0;
        times.retain(|time| {
            let written = time.utc();
            let is_there = time.start >= end && utc.get(time.start..).is_some_and(|rest| rest.starts_with(&written));
            end = if is_there { time.start + written.len() } else { end };
            is_there
        });
        Self { utc, times }
    }
}

impl Deref for TimedText {
    type Target = str;

    fn deref(&self) -> &str {
        &self.utc
    }
}

impl fmt::Display for TimedText {
    /// Formats the text with times in UTC.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(&self.utc)
    }
}

impl From<String> for TimedText {
    fn from(utc: String) -> Self {
        Self { utc, times: Vec::new() }
    }
}

impl From<&str> for TimedText {
    fn from(words: &str) -> Self {
        words.to_owned().into()
    }
}

impl PartialEq<str> for TimedText {
    fn eq(&self, other: &str) -> bool {
        self.utc == other
    }
}

impl PartialEq<&str> for TimedText {
    fn eq(&self, other: &&str) -> bool {
        self.utc == *other
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    fn zone() -> LocalZone {
        LocalZone::of_rules("CET-1CEST,M3.5.0,M10.5.0/3").unwrap()
    }

    #[test]
    fn times_are_drawn_in_the_zone_with_utc_beside_each_day() {
        let told = TimedText::from("claimable from about ").minute(at("2026-02-07T13:05:40Z")).words(" (estimate).");
        assert_eq!(told, "claimable from about 2026-02-07 13:05 UTC (estimate).");
        assert_eq!(told.in_zone(&zone()), "claimable from about 2026-02-07 14:05 CET (13:05 UTC) (estimate).");
        assert_eq!(told.in_zone(&LocalZone::default()), told.as_str());
        let two = TimedText::from("ünïcödé ").second(at("2026-01-31T23:30:04Z")).then(&told);
        assert!(two.in_zone(&zone()).starts_with("ünïcödé 2026-02-01 00:30:04 CET (2026-01-31 23:30:04 UTC)claimable"));
        assert!(two.in_zone(&zone()).ends_with("2026-02-07 14:05 CET (13:05 UTC) (estimate)."));
        let clock = TimedText::from("since ").clock(at("2026-01-31T23:30:04Z"));
        assert_eq!((clock.as_str(), clock.in_zone(&zone()).as_str()), ("since 23:30:04 UTC", "since 00:30:04 CET"));
    }

    #[test]
    fn a_time_in_words_from_elsewhere_stays_as_it_is() {
        let words = "expired at 2026-02-07 13:05 UTC, 2026-01-31T23:30:04Z";
        assert_eq!(TimedText::from(words).in_zone(&zone()), words);
        let cut = TimedText::from("from ").minute(at("2026-02-07T13:05:00Z")).clip(18);
        assert_eq!((cut.as_str(), cut.in_zone(&zone()).as_str()), ("from 2026-02-07 1…", "from 2026-02-07 1…"));
    }

    #[test]
    fn a_file_keeps_words_and_times() {
        let told =
            TimedText::from("a ").minute(at("2026-02-07T13:05:40Z")).words(" b ").second(at("2026-01-31T23:30:04Z"));
        assert_eq!(TimedText::kept(told.to_string(), &told.times()), told);
        for strange in ["", "0m1", "x", "2m", "9999999999999999999999m1", "2m1 2m1", "ü"] {
            assert_eq!(TimedText::kept(told.to_string(), strange), TimedText::from(told.as_str()), "{strange}");
        }
    }
}
