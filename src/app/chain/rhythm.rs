//! Block time of the chain: the server's average, and the intervals between received blocks.

use std::{collections::BTreeMap, time::Duration};

use crate::wire;

/// Maximum intervals to keep, of the highest blocks. The server's average covers as many.
const KEPT: usize = 100;
/// Minimum intervals for an average.
const FEWEST: usize = 10;
/// How late a block must be for a report, in block times and in usual longest intervals.
const LATE: (u32, u32) = (10, 3);
/// Minimum lateness for a report.
const SHORTEST_PATIENCE: Duration = Duration::from_secs(10);
/// [`SHORTEST_PATIENCE`] if the block time is unknown.
const BLIND_PATIENCE: Duration = Duration::from_secs(30);
/// Maximum plausible interval between blocks.
const LONGEST: Duration = Duration::from_secs(86_400);

/// Block time of a chain, from the server and from its blocks.
#[derive(Debug, Default)]
pub(crate) struct ChainRhythm {
    /// Average that the server reports.
    told: Option<Duration>,
    /// Interval before each block, by the block's height.
    intervals: BTreeMap<u64, Duration>,
    tip: TipPace,
}

/// Source of the tip's block time.
#[derive(Clone, Copy, Debug, Default)]
pub(super) enum TipPace {
    /// The block time, since the server follows no node.
    #[default]
    OfBlocks,
    /// Heights of the server's node: `None` until measured, the maximum while the heights do not grow.
    OfNode(Option<Duration>),
}

/// Averages of the server and of the received blocks, which differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RhythmConflict {
    pub(crate) told: Duration,
    pub(crate) seen: Duration,
    /// Number of received blocks in the average.
    pub(crate) blocks: usize,
}

impl ChainRhythm {
    /// Applies a block. A block without a predecessor, such as the first in an index, has no interval.
    pub(super) fn see(&mut self, block: &wire::Block) {
        let Some(interval) = block.interval().map(|interval| interval.min(LONGEST)) else { return };
        if interval.is_zero() {
            return;
        }
        self.intervals.insert(block.height.get(), interval);
        while self.intervals.len() > KEPT {
            self.intervals.pop_first();
        }
    }

    /// Applies the server's average block time, in seconds.
    pub(super) fn tell(&mut self, seconds: f64) {
        let is_time = seconds.is_finite() && seconds > 0.0;
        self.told = is_time.then(|| Duration::from_secs_f64(seconds.min(LONGEST.as_secs_f64())));
    }

    /// Returns the average interval of the highest blocks, if there are enough.
    pub(crate) fn seen(&self) -> Option<Duration> {
        let count = u32::try_from(self.intervals.len()).ok().filter(|count| *count as usize >= FEWEST)?;
        Some(self.intervals.values().sum::<Duration>() / count)
    }

    /// Returns the block time: from received blocks, else from the server.
    pub(crate) fn block_time(&self) -> Option<Duration> {
        self.seen().or(self.told).filter(|time| !time.is_zero())
    }

    pub(super) fn follow_tip(&mut self, tip: TipPace) {
        self.tip = tip;
    }

    /// Returns the time in which the tip grows by a block: measured at the node, else the block time.
    pub(super) fn tip_time(&self) -> Option<Duration> {
        match self.tip {
            TipPace::OfBlocks => self.block_time(),
            TipPace::OfNode(measured) => measured,
        }
    }

    /// Returns both averages, if they differ by more than a quarter.
    pub(crate) fn conflict(&self) -> Option<RhythmConflict> {
        let (told, seen) = (self.told?, self.seen()?);
        let differs = told.abs_diff(seen) * 4 > told.max(seen);
        differs.then_some(RhythmConflict { told, seen, blocks: self.intervals.len() })
    }

    /// Returns the 95th percentile of the intervals.
    fn usual_longest(&self) -> Option<Duration> {
        let mut intervals: Vec<Duration> = self.intervals.values().copied().collect();
        intervals.sort_unstable();
        let place = (intervals.len() * 19 / 20).min(intervals.len().checked_sub(1)?);
        intervals.get(place).copied()
    }

    /// Returns the highest normal age of the newest block of an index at the tip.
    pub(crate) fn allowance(&self) -> Option<Duration> {
        let block_time = self.block_time()?;
        Some((block_time * 2).max(self.usual_longest().map_or(Duration::ZERO, |longest| longest + block_time)))
    }

    /// Returns the time without a block after which rollscope reports a silent chain.
    pub(crate) fn patience(&self) -> Duration {
        let Some(block_time) = self.block_time() else { return BLIND_PATIENCE };
        let longest = self.usual_longest().unwrap_or_default();
        SHORTEST_PATIENCE.max(block_time.saturating_mul(LATE.0)).max(longest.saturating_mul(LATE.1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the rhythm of blocks with these intervals in milliseconds, from height 2.
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
        // One block in five comes after a minute, so nothing is late before three minutes.
        let uneven = rhythm(1.0, (0..40).map(|number| if number % 5 == 0 { 60_000 } else { 1000 }));
        assert_eq!(uneven.patience(), Duration::from_secs(180));
        // One halt does not change the patience.
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
