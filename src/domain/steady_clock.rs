use std::{fmt, time::Duration};

use super::{Timestamp, text};

/// Difference up to which wall clock and elapsed time agree. Small corrections by a time service are followed.
const TOLERANCE: Duration = Duration::from_secs(5);

/// Distance by which somebody set the wall clock, measured against the elapsed time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClockShift {
    by: Duration,
    is_back: bool,
}

impl ClockShift {
    /// Returns the shift of the wall clock; `None` within the tolerance.
    fn between(expected: Timestamp, wall: Timestamp) -> Option<Self> {
        let (forward, back) = (wall.since(expected), expected.since(wall));
        let shift = Self { by: forward.max(back), is_back: back > forward };
        (shift.by > TOLERANCE).then_some(shift)
    }

    /// Whether the other shift is this one but for the tolerance, since both clocks are read one after the other.
    fn is_near(self, other: Self) -> bool {
        self.is_back == other.is_back && self.by.abs_diff(other.by) <= TOLERANCE
    }
}

impl fmt::Display for ClockShift {
    /// Formats the shift as `set back by 3 h`.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let direction = if self.is_back { "back" } else { "forward" };
        write!(formatter, "set {direction} by {}", text::age(self.by))
    }
}

/// Time that goes on with the elapsed time when somebody sets the wall clock, so that nothing waits for hours.
#[derive(Clone, Copy, Debug)]
pub struct SteadyClock {
    wall: Timestamp,
    elapsed: Duration,
    told: Option<ClockShift>,
}

impl SteadyClock {
    /// Begins with two readings of one moment. `elapsed` counts from any fixed moment, also while the machine sleeps.
    pub fn new(wall: Timestamp, elapsed: Duration) -> Self {
        Self { wall, elapsed, told: None }
    }

    /// Returns the time, and the shift of the wall clock. The time is the wall clock's while there is no shift.
    pub fn read(&mut self, wall: Timestamp, elapsed: Duration) -> (Timestamp, Option<ClockShift>) {
        let expected = self.wall.after(elapsed.saturating_sub(self.elapsed));
        let shift = ClockShift::between(expected, wall);
        if shift.is_some() {
            return (expected, shift);
        }
        *self = Self { wall, elapsed, ..*self };
        (wall, None)
    }

    /// Reads like [`Self::read`], and returns a change of the shift that no earlier call told: `None` is no change, and
    /// `Some(None)` a wall clock that is right again.
    pub fn news(&mut self, wall: Timestamp, elapsed: Duration) -> (Timestamp, Option<Option<ClockShift>>) {
        let (now, shift) = self.read(wall, elapsed);
        let is_told = match (self.told, shift) {
            (Some(told), Some(shift)) => told.is_near(shift),
            (told, shift) => told == shift,
        };
        if is_told {
            return (now, None);
        }
        self.told = shift;
        (now, Some(shift))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR: Duration = Duration::from_secs(3600);

    fn noon() -> Timestamp {
        "2026-01-31T12:00:00Z".parse().unwrap()
    }

    #[test]
    fn a_clock_that_is_set_is_noticed_and_time_goes_on() {
        for (wall, words) in [
            (noon().before(3 * HOUR), "set back by 3 h"),
            (noon().after(400 * 24 * HOUR + HOUR), "set forward by 400 d"),
            (noon().after(Duration::from_secs(40)), "set forward by 30 s"),
        ] {
            let mut clock = SteadyClock::new(noon(), HOUR);
            let later = Duration::from_secs(10);
            let (now, shift) = clock.read(wall, HOUR + later);
            assert_eq!(now, noon().after(later));
            assert_eq!(shift.unwrap().to_string(), words);
            let (now, shift) = clock.read(noon().after(HOUR), 2 * HOUR);
            assert_eq!((now, shift), (noon().after(HOUR), None), "it is right again");
        }
    }

    #[test]
    fn corrections_are_followed_and_sleep_is_no_shift() {
        let mut clock = SteadyClock::new(noon(), Duration::ZERO);
        for step in 1..=100_u32 {
            // Four seconds too fast in each hour.
            let wall = noon().after((HOUR + Duration::from_secs(4)) * step);
            assert_eq!(clock.read(wall, HOUR * step), (wall, None));
        }
        let wall = noon().after((HOUR + Duration::from_secs(4)) * 100).after(90 * HOUR);
        assert_eq!(clock.read(wall, 190 * HOUR), (wall, None));
    }

    #[test]
    fn readings_of_one_shift_are_near_each_other() {
        let shift = |seconds| ClockShift::between(noon(), noon().after(Duration::from_secs(seconds))).unwrap();
        assert!(shift(100).is_near(shift(102)) && !shift(100).is_near(shift(200)));
        assert!(!shift(100).is_near(ClockShift { is_back: true, ..shift(100) }));
    }
}
