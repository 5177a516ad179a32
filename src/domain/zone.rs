//! The time zone of the person who looks. What is kept, compared and handed to scripts is always in UTC.

use jiff::tz::TimeZone;

use super::Timestamp;

/// A time zone with its rules for every moment; UTC by itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LocalZone(TimeZone);

impl Default for LocalZone {
    fn default() -> Self {
        Self(TimeZone::UTC)
    }
}

impl LocalZone {
    /// The zone of this machine, or that which `TZ` names; UTC where neither is known.
    pub fn of_machine() -> Self {
        Self(TimeZone::try_system().unwrap_or(TimeZone::UTC))
    }

    /// A zone by its rules in the form of POSIX, `CET-1CEST,M3.5.0,M10.5.0/3`; `None` where the text has none.
    pub fn of_rules(text: &str) -> Option<Self> {
        TimeZone::posix(text).ok().map(Self)
    }

    /// Whether its clock shows another time than UTC at this moment.
    pub fn differs(&self, at: Timestamp) -> bool {
        self.0.to_offset(at.instant()).seconds() != 0
    }

    /// `14:03:21 CET`.
    pub fn clock(&self, at: Timestamp) -> String {
        self.write(at, "%H:%M:%S")
    }

    /// `01-31 14:03 CET`.
    pub fn minute(&self, at: Timestamp) -> String {
        self.write(at, "%m-%d %H:%M")
    }

    /// `2026-01-31 14:03:21 CET`.
    pub fn day_and_clock(&self, at: Timestamp) -> String {
        self.write(at, "%Y-%m-%d %H:%M:%S")
    }

    /// `2026-01-31 14:03:21 CET (13:03:21 UTC)`, with the day of UTC where it is another; UTC alone where that is the same.
    pub fn beside_utc(&self, at: Timestamp) -> String {
        let own = self.day_and_clock(at);
        if !self.differs(at) {
            return own;
        }
        let utc = at.day_and_clock();
        let is_same_day = own.get(..10) == utc.get(..10);
        let utc = if is_same_day { utc.get(11..).unwrap_or(&utc).to_owned() } else { utc };
        format!("{own} ({utc} UTC)")
    }

    fn write(&self, at: Timestamp, form: &str) -> String {
        if !self.differs(at) {
            return format!("{} UTC", at.instant().strftime(form));
        }
        let zoned = at.instant().to_zoned(self.0.clone());
        let name = zoned.strftime("%Z").to_string();
        // Where the zone has no letters of its own it has its distance.
        let name = if name.starts_with(|sign: char| sign.is_alphabetic()) { name } else { zoned.offset().to_string() };
        format!("{} {name}", zoned.strftime(form))
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
    fn a_zone_that_shows_the_time_of_utc_is_called_so() {
        for zone in [LocalZone::default(), LocalZone::of_rules("GMT0BST,M3.5.0/1,M10.5.0").unwrap()] {
            let winter = at("2026-01-31T12:00:05Z");
            assert_eq!(zone.beside_utc(winter), "2026-01-31 12:00:05 UTC");
            assert!(!zone.differs(winter));
        }
        assert_eq!(LocalZone::of_rules("nowhere at all"), None);
    }
}
