//! The time zone of the person who looks. What is kept, compared and handed to scripts is always in UTC.

use jiff::tz::TimeZone;

use super::{Timestamp, forms::TimeForm};

/// Day and clock, and day and minute.
const SECOND: &str = "%Y-%m-%d %H:%M:%S";
const MINUTE: &str = "%Y-%m-%d %H:%M";

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
        self.write(at, SECOND)
    }

    /// `2026-01-31 14:03:21 CET (13:03:21 UTC)`, with the day of UTC where it is another; UTC alone where that is the same.
    pub fn beside_utc(&self, at: Timestamp) -> String {
        self.write_beside_utc(at, SECOND)
    }

    /// The clock of what is younger than a day, day and minute of what is older: `14:03:21 CET`, `01-31 14:03 CET`.
    pub fn recent(&self, at: Timestamp, now: Timestamp) -> String {
        if now.since(at) >= TimeForm::CLOCK_FOR { self.minute(at) } else { self.clock(at) }
    }

    /// A text of this program with each moment that it writes in UTC (`2026-01-31 13:03 UTC`, `2026-01-31T13:03:21Z`) in
    /// this zone instead, with UTC beside it. Where the zone shows what UTC does the text stays as it is; so does what is
    /// cut off within a moment.
    pub fn in_words(&self, text: &str) -> String {
        let mut told = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(sign) = rest.chars().next() {
            let begins = sign.is_ascii_digit() && !told.ends_with(|before: char| before.is_ascii_digit());
            let moment = moment_at(rest).filter(|(at, ..)| begins && self.differs(*at));
            let length = if let Some((at, form, length)) = moment {
                told.push_str(&self.write_beside_utc(at, form));
                length
            } else {
                told.push(sign);
                sign.len_utf8()
            };
            rest = rest.get(length..).unwrap_or_default();
        }
        told
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

    /// What its clock is called at this moment: `CET`, `+05`, and `UTC` wherever it shows that.
    pub fn name(&self, at: Timestamp) -> String {
        if !self.differs(at) {
            return "UTC".to_owned();
        }
        let zoned = at.instant().to_zoned(self.0.clone());
        let name = zoned.strftime("%Z").to_string();
        // Where the zone has no letters of its own it has its distance.
        if name.starts_with(|sign: char| sign.is_alphabetic()) { name } else { zoned.offset().to_string() }
    }

    fn write(&self, at: Timestamp, form: &str) -> String {
        let zoned = at.instant().to_zoned(if self.differs(at) { self.0.clone() } else { TimeZone::UTC });
        format!("{} {}", zoned.strftime(form), self.name(at))
    }
}

/// The moment with which a text begins, to which part it is written, and how many bytes it takes.
fn moment_at(text: &str) -> Option<(Timestamp, &'static str, usize)> {
    let (day, minute) = (text.get(..10)?, text.get(11..16)?);
    let second = text.get(16..19).filter(|second| second.starts_with(':'));
    let end = 16 + second.map_or(0, str::len);
    let mark = match text.get(10..11)? {
        "T" => "Z",
        " " => " UTC",
        _ => return None,
    };
    if !text.get(end..)?.starts_with(mark) {
        return None;
    }
    let at = format!("{day}T{minute}{}Z", second.unwrap_or(":00")).parse().ok()?;
    Some((at, if second.is_some() { SECOND } else { MINUTE }, end + mark.len()))
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
    fn moments_within_a_sentence_are_told_in_the_zone_with_utc_beside() {
        let zone = LocalZone::of_rules("CET-1CEST,M3.5.0,M10.5.0/3").unwrap();
        let told = |text: &str| zone.in_words(text);
        assert_eq!(
            told("claimable on Initia from about 2026-02-07 13:05 UTC (estimate)."),
            "claimable on Initia from about 2026-02-07 14:05 CET (13:05 UTC) (estimate)."
        );
        assert_eq!(
            told("since 2026-01-31T23:30:04Z: 2026-07-31 22:00:00 UTC"),
            "since 2026-02-01 00:30:04 CET (2026-01-31 23:30:04 UTC): 2026-08-01 00:00:00 CEST (2026-07-31 22:00:00 UTC)"
        );
        for none in [
            "hop 2 of 2, Initia → Noble, 1:39 of about 1:00",
            "12026-02-07 13:05 UTC",
            "2026-02-07 13:05 UT",
            "2026-02-07 13:0…",
            "2026-02-31 13:05 UTC",
            "2026-02-07T13:05:04.5Z",
            "ünïcödé 2026-02-07 13:05",
            "",
        ] {
            assert_eq!(told(none), none);
            assert_eq!(LocalZone::default().in_words(none), none);
        }
        let plain = "at 2026-01-31T23:30:04Z, and 2026-02-07 13:05 UTC";
        assert_eq!(LocalZone::default().in_words(plain), plain, "UTC is not told twice");
    }

    #[test]
    fn what_is_recent_is_told_by_the_clock() {
        let zone = LocalZone::of_rules("CET-1CEST,M3.5.0,M10.5.0/3").unwrap();
        let now = at("2026-02-01T10:00:00Z");
        assert_eq!(zone.recent(at("2026-01-31T23:30:00Z"), now), "00:30:00 CET");
        assert_eq!(zone.recent(at("2026-01-30T23:30:00Z"), now), "01-31 00:30 CET");
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
