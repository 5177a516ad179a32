//! The chain's tempo: as its server says, and as the blocks that came show it.

use std::{collections::BTreeMap, time::Duration};

use crate::wire;

/// Intervals that are kept, of the highest blocks seen: as many as the server's own average is of.
const KEPT: usize = 100;
/// With fewer intervals than this nothing is said of them.
const FEWEST: usize = 10;
/// How much longer than usual a block may take before its lateness is news, in block times and in usual long ones.
const LATE: (u32, u32) = (10, 3);
/// Lateness below this is no news on any chain.
const SHORTEST_PATIENCE: Duration = Duration::from_secs(10);
/// The same where nothing is known of the chain's tempo.
const BLIND_PATIENCE: Duration = Duration::from_secs(30);
/// No block time is longer.
const LONGEST: Duration = Duration::from_secs(86_400);

/// How fast the chain makes blocks.
#[derive(Debug, Default)]
pub(crate) struct ChainRhythm {
    /// The average that the server computed.
    told: Option<Duration>,
    /// By height, how long after the block before each block came.
    intervals: BTreeMap<u64, Duration>,
}

/// The server's average and that of the blocks themselves, where they cannot both be true.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RhythmConflict {
    pub(crate) told: Duration,
    pub(crate) seen: Duration,
    /// How many blocks were looked at.
    pub(crate) blocks: usize,
}

impl ChainRhythm {
    /// A block came. Blocks that name no interval, as the first of an index, tell nothing.
    pub(super) fn see(&mut self, block: &wire::Block) {
        let interval = block.interval().min(LONGEST);
        if interval.is_zero() {
            return;
        }
        self.intervals.insert(block.height.get(), interval);
        while self.intervals.len() > KEPT {
            self.intervals.pop_first();
        }
    }

    /// The server's average came, in seconds per block.
    pub(super) fn tell(&mut self, seconds: f64) {
        let is_time = seconds.is_finite() && seconds > 0.0;
        self.told = is_time.then(|| Duration::from_secs_f64(seconds.min(LONGEST.as_secs_f64())));
    }

    /// The average of the highest blocks seen, where they are enough.
    pub(crate) fn seen(&self) -> Option<Duration> {
        let count = u32::try_from(self.intervals.len()).ok().filter(|count| *count as usize >= FEWEST)?;
        Some(self.intervals.values().sum::<Duration>() / count)
    }

    /// The time between blocks: as the blocks show it, else as the server says.
    pub(crate) fn block_time(&self) -> Option<Duration> {
        self.seen().or(self.told).filter(|time| !time.is_zero())
    }

    /// The two averages, where they differ by more than a quarter.
    pub(crate) fn conflict(&self) -> Option<RhythmConflict> {
        let (told, seen) = (self.told?, self.seen()?);
        let differs = told.abs_diff(seen) * 4 > told.max(seen);
        differs.then_some(RhythmConflict { told, seen, blocks: self.intervals.len() })
    }

    /// An interval that all but one in twenty blocks keep to.
    fn usual_longest(&self) -> Option<Duration> {
        let mut intervals: Vec<Duration> = self.intervals.values().copied().collect();
        intervals.sort_unstable();
        let place = (intervals.len() * 19 / 20).min(intervals.len().checked_sub(1)?);
        intervals.get(place).copied()
    }

    /// How old the newest block of an index at the tip may be.
    pub(crate) fn allowance(&self) -> Option<Duration> {
        let block_time = self.block_time()?;
        Some((block_time * 2).max(self.usual_longest().map_or(Duration::ZERO, |longest| longest + block_time)))
    }

    /// How long no block may come before that is news.
    pub(crate) fn patience(&self) -> Duration {
        let Some(block_time) = self.block_time() else { return BLIND_PATIENCE };
        let longest = self.usual_longest().unwrap_or_default();
        SHORTEST_PATIENCE.max(block_time.saturating_mul(LATE.0)).max(longest.saturating_mul(LATE.1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Blocks of these intervals in milliseconds, from height 2 on.
    fn rhythm(told: f64, intervals: impl IntoIterator<Item = i64>) -> ChainRhythm {
        let mut rhythm = ChainRhythm::default();
        rhythm.tell(told);
        for (height, interval) in (2_u64..).zip(intervals) {
            let text = format!(
                r#"{{"chain_id":"a","height":"{height}","hash":"{height:064X}","block_time":"{interval}",
                "timestamp":"2026-01-31T12:00:00Z","gas_used":"0","gas_wanted":"0","tx_count":"0","proposer":{{}}}}"#
            );
            rhythm.see(&serde_json::from_str(&text).unwrap());
        }
        rhythm
    }

    #[test]
    fn blocks_are_believed_before_the_server_where_they_are_enough() {
        assert_eq!(rhythm(3.0, [1000; 9]).block_time(), Some(Duration::from_secs(3)), "nine are too few");
        let lied_to = rhythm(3.0, [1000; 40]);
        assert_eq!(lied_to.block_time(), Some(Duration::from_secs(1)));
        let conflict = lied_to.conflict().expect("3 s and 1 s");
        assert_eq!((conflict.told.as_secs(), conflict.seen.as_secs(), conflict.blocks), (3, 1, 40));
    }

    #[test]
    fn averages_that_agree_roughly_are_no_conflict_and_neither_is_one_alone() {
        assert_eq!(rhythm(1.2, [1000; 40]).conflict(), None);
        assert_eq!(rhythm(3.0, []).conflict(), None);
        assert_eq!(rhythm(0.0, [1000; 40]).conflict(), None, "a server that says 0 knows none");
        assert_eq!(rhythm(f64::NAN, []).block_time(), None);
    }

    #[test]
    fn a_chain_of_unequal_blocks_is_given_more_time() {
        let even = rhythm(1.0, [1000; 40]);
        assert_eq!((even.patience(), even.allowance()), (Duration::from_secs(10), Some(Duration::from_secs(2))));
        // One block in five comes after a minute: nothing is late before three of them.
        let uneven = rhythm(1.0, (0..40).map(|number| if number % 5 == 0 { 60_000 } else { 1000 }));
        assert_eq!(uneven.patience(), Duration::from_secs(180));
        // A single halt does not make a chain patient.
        let halted = rhythm(1.0, (0..40).map(|number| if number == 7 { 300_000 } else { 1000 }));
        assert!(halted.patience() < Duration::from_secs(100), "{:?}", halted.patience());
        assert_eq!(rhythm(0.0, []).patience(), BLIND_PATIENCE);
    }

    #[test]
    fn only_the_highest_blocks_count() {
        let slowed = rhythm(0.0, std::iter::repeat_n(1000, 300).chain(std::iter::repeat_n(2000, 100)));
        assert_eq!(slowed.block_time(), Some(Duration::from_secs(2)));
    }
}
