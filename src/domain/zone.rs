//! Time zone of the user. Stored times, compared times and script output are always in UTC.

use jiff::{
    civil::{Date, DateTime, Time},
    tz::TimeZone,
};

use super::{Timestamp, forms::TimeForm};

const SECOND: &str = "%Y-%m-%d %H:%M:%S";
const MINUTE: &str = "%Y-%m-%d %H:%M";

/// Time zone with its rules for all times; UTC by default.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LocalZone(TimeZone);

impl Default for LocalZone {
    fn default() -> Self {
        Self::UTC
    }
}

impl LocalZone {
    pub const UTC: Self = Self(TimeZone::UTC);

    /// Returns the machine's zone, or the zone in `TZ`; UTC if both are unknown.
    pub fn of_machine() -> Self {
        Self(TimeZone::try_system().unwrap_or(TimeZone::UTC))
    }

    /// Parses POSIX zone rules such as `CET-1CEST,M3.5.0,M10.5.0/3`; `None` if invalid.
    pub fn of_rules(text: &str) -> Option<Self> {
        TimeZone::posix(text).ok().map(Self)
    }

    /// Whether the zone's clock differs from UTC at this time.
    pub fn differs(&self, at: Timestamp) -> bool {
        self.0.to_offset(at.instant()).seconds() != 0
    }

    /// Parses a time as screens and logs write it: `14:03`, `01-31 14:03 CET`, `2026-01-31`, `2026-01-31 14:03:21 UTC`.
    /// Without a date it is the last such time before `now`.
    pub fn parse(&self, text: &str, now: Timestamp) -> Option<Timestamp> {
        if let Ok(at) = text.parse() {
            return Some(at);
        }
        let (text, zone) = match text.rsplit_once(' ') {
            Some((time, "UTC")) => (time, &TimeZone::UTC),
            Some((time, name)) if name == self.name(now) => (time, &self.0),
            _ => (text, &self.0),
        };
        let in_zone = |time: DateTime| {
            let instant = zone.to_timestamp(time).ok()?;
            Some(Timestamp::from_nanos(instant.as_nanosecond()))
        };
        let today = now.instant().to_zoned(zone.clone()).date();
        for form in ["%H:%M:%S", "%H:%M"] {
            if let Ok(time) = Time::strptime(form, text) {
                let at = in_zone(today.to_datetime(time))?;
                return if at > now { in_zone(today.yesterday().ok()?.to_datetime(time)) } else { Some(at) };
            }
            let dated = [text.to_owned(), format!("{}-{text}", today.year())];
            let mut times = dated.iter().filter_map(|text| DateTime::strptime(format!("%Y-%m-%d {form}"), text).ok());
            if let Some(time) = times.next() {
                return in_zone(time);
            }
        }
        Date::strptime("%Y-%m-%d", text).ok().and_then(|day| in_zone(day.to_datetime(Time::midnight())))
    }

    /// Formats the clock time: `14:03:21 CET`.
    pub fn clock(&self, at: Timestamp) -> String {
        self.write(at, "%H:%M:%S")
    }

    /// Formats date and minute: `01-31 14:03 CET`.
    pub fn minute(&self, at: Timestamp) -> String {
        self.write(at, "%m-%d %H:%M")
    }

    /// Formats date and second: `2026-01-31 14:03:21 CET`.
    pub fn day_and_clock(&self, at: Timestamp) -> String {
        self.write(at, SECOND)
    }

    /// Formats a time in the zone and in UTC: `2026-01-31 14:03:21 CET (13:03:21 UTC)`, with the UTC date if it
    /// differs; only in UTC if the zone equals UTC.
    pub fn beside_utc(&self, at: Timestamp) -> String {
        self.write_beside_utc(at, SECOND)
    }

    /// Formats the clock time for a time less than a day ago, date and minute for an older time: `14:03:21 CET`, `01-31
    /// 14:03 CET`.
    pub fn recent(&self, at: Timestamp, now: Timestamp) -> String {
        if now.since(at) >= TimeForm::CLOCK_FOR { self.minute(at) } else { self.clock(at) }
    }

    /// Formats a time like [`recent`](Self::recent), without the zone's name.
    pub fn recent_alone(&self, at: Timestamp, now: Timestamp) -> String {
        let form = if now.since(at) >= TimeForm::CLOCK_FOR { "%m-%d %H:%M" } else { "%H:%M:%S" };
        at.instant().to_zoned(self.0.clone()).strftime(form).to_string()
    }

    /// Formats a time like [`beside_utc`](Self::beside_utc), but without seconds.
    pub fn minute_beside_utc(&self, at: Timestamp) -> String {
        self.write_beside_utc(at, MINUTE)
    }

    fn write_beside_utc(&self, at: Timestamp, form: &str) -> String {
        let own = self.write(at, form);
        if !self.differs(at) {
            return own;
        }
        let utc = at.instant().strftime(form).to_string();
        let is_same_day = own.get(..10) == utc.get(..10);
        let utc = if is_same_day { utc.get(11..).unwrap_or(&utc).to_owned() } else { utc };
        format!("{own} ({utc} UTC)")
    }

    /// Returns the zone's name at this time: `CET`, `+05`, or `UTC` if the clocks are equal.
    pub fn name(&self, at: Timestamp) -> String {
        if !self.differs(at) {
            return "UTC".to_owned();
        }
        let zoned = at.instant().to_zoned(self.0.clone());
        let name = zoned.strftime("%Z").to_string();
        // A zone without letters in its name shows its offset.
        if name.starts_with(|sign: char| sign.is_alphabetic()) { name } else { zoned.offset().to_string() }
    }

    fn write(&self, at: Timestamp, form: &str) -> String {
        let zoned = at.instant().to_zoned(if self.differs(at) { self.0.clone() } else { TimeZone::UTC });
        format!("{} {}", zoned.strftime(form), self.name(at))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        text.parse().unwrap()
    }

    #[test]
    fn the_local_time_stands_first_and_utc_beside_it() {
        let zone = LocalZone::of_rules("CET-1CEST,M3.5.0,M10.5.0/3").unwrap();
        let winter = at("2026-01-31T12:00:05Z");
        assert_eq!(zone.beside_utc(winter), "2026-01-31 13:00:05 CET (12:00:05 UTC)");
        assert_eq!((zone.clock(winter).as_str(), zone.minute(winter).as_str()), ("13:00:05 CET", "01-31 13:00 CET"));
        assert_eq!(zone.clock(at("2026-07-01T12:00:05Z")), "14:00:05 CEST", "summer has its own");
        assert_eq!(zone.beside_utc(at("2026-01-31T23:30:00Z")), "2026-02-01 00:30:00 CET (2026-01-31 23:30:00 UTC)");
        let odd = LocalZone::of_rules("<+0545>-5:45").unwrap();
        assert_eq!(odd.clock(winter), "17:45:05 +05:45");
    }

    #[test]
    fn what_is_recent_is_told_by_the_clock() {
        let zone = LocalZone::of_rules("CET-1CEST,M3.5.0,M10.5.0/3").unwrap();
        let now = at("2026-02-01T10:00:00Z");
        assert_eq!(zone.recent(at("2026-01-31T23:30:00Z"), now), "00:30:00 CET");
        assert_eq!(zone.recent(at("2026-01-30T23:30:00Z"), now), "01-31 00:30 CET");
    }

    #[test]
    fn times_are_read_as_they_are_printed() {
        let zone = LocalZone::of_rules("CET-1CEST,M3.5.0,M10.5.0/3").unwrap();
        let now = at("2026-01-31T12:00:05Z");
        for (text, expected) in [
            ("13:00", "2026-01-31T12:00:00Z"),
            ("13:00:05 CET", "2026-01-31T12:00:05Z"),
            ("13:01", "2026-01-30T12:01:00Z"),
            ("12:00 UTC", "2026-01-31T12:00:00Z"),
            ("01-30 08:15 CET", "2026-01-30T07:15:00Z"),
            ("2026-01-29", "2026-01-28T23:00:00Z"),
            ("2026-01-29 01:02:03", "2026-01-29T00:02:03Z"),
            ("2026-07-01 12:00:05 UTC", "2026-07-01T12:00:05Z"),
            ("2026-07-01T12:00:05.5Z", "2026-07-01T12:00:05.5Z"),
        ] {
            assert_eq!(zone.parse(text, now), Some(at(expected)), "{text}");
        }
        for text in ["", "5000", "25:00", "13:00 PST", "2026-13-01", "12", "ab:cd", "0x1::coin"] {
            assert_eq!(zone.parse(text, now), None, "{text}");
        }
    }

    #[test]
    fn a_zone_that_shows_the_time_of_utc_is_called_so() {
        for zone in [LocalZone::default(), LocalZone::of_rules("GMT0BST,M3.5.0/1,M10.5.0").unwrap()] {
            let winter = at("2026-01-31T12:00:05Z");
            assert_eq!(zone.beside_utc(winter), "2026-01-31 12:00:05 UTC");
            assert!(!zone.differs(winter));
        }
        assert_eq!(LocalZone::of_rules("nowhere at all"), None);
    }
}
