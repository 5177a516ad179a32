//! Speed of the backfill.

use std::{collections::VecDeque, time::Duration};

use tokio::time::Instant;

const WINDOW: Duration = Duration::from_secs(30);

/// Numbers of arrived blocks within the window, with their times.
#[derive(Debug, Default)]
pub(super) struct ArrivalRate(VecDeque<(Instant, u64)>);

impl ArrivalRate {
    /// Adds arrived blocks and returns the blocks per minute; `None` before it can be measured.
    pub(super) fn take(&mut self, now: Instant, blocks: u64) -> Option<u64> {
        self.0.push_back((now, blocks));
        while self.0.front().is_some_and(|(at, _)| now.duration_since(*at) > WINDOW) {
            self.0.pop_front();
        }
        // The first chunk arrived before the window started.
        let (first, _) = self.0.front()?;
        let span = now.duration_since(*first).as_millis();
        let count: u128 = self.0.iter().skip(1).map(|(_, blocks)| u128::from(*blocks)).sum();
        u64::try_from((count * 60_000).checked_div(span)?).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_is_of_what_came_within_the_window() {
        let mut rate = ArrivalRate::default();
        let start = Instant::now();
        assert_eq!(rate.take(start, 100), None, "one chunk has no speed");
        assert_eq!(rate.take(start + Duration::from_secs(1), 100), Some(6_000));
        assert_eq!(rate.take(start + Duration::from_secs(2), 300), Some(12_000));
        assert_eq!(rate.take(start + Duration::from_secs(60), 5), None, "what was before is forgotten");
    }
}
