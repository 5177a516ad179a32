//! Comparison of the average block time with the node's headers.

use std::time::Duration;

use futures_util::TryStreamExt as _;

use super::CheckSession;
use crate::{
    check::{CheckedPart, CheckedRecord, Findings, SideDifference, UnprovenClaim},
    client::endpoints,
    domain::{Height, Timestamp},
};

/// Blocks over which an indexer averages.
const BLOCKS: u64 = 100;

/// Maximum heights that the average may be of.
const TIPS: u64 = 100;

/// Time for which an indexer keeps its answer, with a reserve.
const KEPT: Duration = Duration::from_secs(11);

/// Maximum error of the sum of all intervals in seconds: databases keep microseconds.
const ERROR: f64 = 2e-6;

/// Verdict on an average; the averages are in seconds.
enum AverageVerdict {
    Equal,
    Different { node: f64, indexer: f64 },
    Unproven,
}

impl CheckSession {
    /// Compares the average block time with that at one of the heights that the indexer had of late.
    pub(super) async fn check_average(&self, findings: &mut Findings) {
        let (part, record) = (CheckedPart::Totals, CheckedRecord::Chain);
        match self.judge_average().await {
            Ok(AverageVerdict::Unproven) => findings.unproven(UnprovenClaim::AverageBlockTime, record),
            Ok(AverageVerdict::Equal) => findings.compared(part, 1),
            Ok(AverageVerdict::Different { node, indexer }) => {
                findings.compared(part, 1);
                findings.differs(part, record, SideDifference::value("avg_block_time", node, indexer));
            }
            Err(cause) => findings.not_asked(part, record, cause),
        }
    }

    async fn judge_average(&self) -> Result<AverageVerdict, String> {
        let (early, read_at) = (self.common.indexer_tip, self.common.read_at);
        match self.average_since(early.back(TIPS / 2)).await? {
            AverageVerdict::Different { .. } => {}
            verdict => return Ok(verdict),
        }
        // The indexer may have kept it from an earlier height; after this time it is of a height since.
        tokio::time::sleep(KEPT.saturating_sub(read_at.elapsed())).await;
        self.average_since(early).await
    }

    /// Compares the average with that at each height from `low` to the indexer's newest.
    async fn average_since(&self, low: Height) -> Result<AverageVerdict, String> {
        let indexer =
            self.indexer.one(endpoints::avg_block_time()).await.map_err(|error| format!("the indexer: {error}"));
        let (indexer, status) =
            (indexer?, self.indexer.status().await.map_err(|error| format!("the indexer: {error}"))?);
        let (low, high) = (low.get(), status.height.get());
        let Some(oldest) = self.lowest_indexed().map(Height::get).filter(|_| (low..low + TIPS).contains(&high)) else {
            return Ok(AverageVerdict::Unproven);
        };
        let first = oldest.max(low.saturating_sub(BLOCKS - 1));
        let headers: Result<Vec<_>, ()> = self.header_chunks(first, high).try_collect().await;
        let Ok(headers) = headers else { return Ok(AverageVerdict::Unproven) };
        let times: Vec<Timestamp> = headers.iter().flatten().map(|meta| meta.header.time).collect();
        let mut averages = (low.max(oldest)..=high).filter_map(|tip| average(&times, first, oldest, tip));
        let is_one = |(sum, intervals): (f64, f64)| (indexer * intervals - sum).abs() < ERROR;
        if averages.clone().any(is_one) {
            return Ok(AverageVerdict::Equal);
        }
        let newest = averages.next_back().map_or(0.0, |(sum, intervals)| sum / intervals.max(1.0));
        Ok(AverageVerdict::Different { node: newest, indexer })
    }
}

/// Returns the sum of the intervals in seconds that an indexer with these blocks averages, and their number. The times
/// are of the blocks from `first` on.
fn average(times: &[Timestamp], first: u64, oldest: u64, tip: u64) -> Option<(f64, f64)> {
    let time = |height: u64| times.get(usize::try_from(height.checked_sub(first)?).ok()?);
    let from = oldest.max(tip.saturating_sub(BLOCKS - 1));
    let intervals = u32::try_from(tip - from).ok()?;
    Some((time(tip)?.since(*time(from)?).as_secs_f64(), f64::from(intervals)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_average_is_over_the_newest_hundred_blocks_that_the_indexer_has() {
        let time = |height: u64| Timestamp::EPOCH.after(Duration::from_secs(height * height));
        let times: Vec<Timestamp> = (5..=300).map(time).collect();
        assert_eq!(average(&times, 5, 5, 300), Some((90_000.0 - 40_401.0, 99.0)));
        assert_eq!(average(&times, 5, 290, 300), Some((90_000.0 - 84_100.0, 10.0)), "the others are not indexed");
        assert_eq!(average(&times, 5, 300, 300), Some((0.0, 0.0)), "one block has no interval");
        assert_eq!(average(&times, 5, 5, 301), None, "the node has no such block");
        assert_eq!(average(&times, 5, 1, 50), None);
    }
}
