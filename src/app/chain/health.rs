//! Distance of the index from the tip, and its trend: growing, constant, shrinking or stalled.
//!
//! A speed covers a window of sufficient length that begins after the start-up. An arrival time exists only while the
//! gap closes: the gap divided by the difference of the speeds.

use std::{collections::VecDeque, fmt, time::Duration};

use super::rhythm::ChainRhythm;
use crate::domain::{Timestamp, text};

/// How many blocks the real indexer's rich list lags behind its blocks (`docs/apis/indexer.md` §7).
const RICH_LIST_DISTANCE: u64 = 5;
/// Minimum length of the window. [`WINDOW_BLOCKS`] block times count if they are longer, up to [`LONGEST_WINDOW`].
const SHORTEST_WINDOW: Duration = Duration::from_secs(15);
const WINDOW_BLOCKS: u32 = 15;
const LONGEST_WINDOW: Duration = Duration::from_secs(300);
/// Minimum number of statuses for a speed.
const FEWEST: usize = 4;
/// Maximum number of statuses to keep.
const MOST: usize = 400;
/// Maximum number of distances from the tip to keep, for a strip.
const DISTANCES: usize = 60;
/// Gap in blocks up to which the index does not count as catching up.
const NEAR: u64 = 3;
/// Tolerance in thousandths of a block, since statuses and blocks come at different moments.
const SLACK: u64 = 2000;
/// Step in blocks that is a jump, as in a backfill, if it also dominates the window. A jump does not count as speed.
const JUMP: u64 = 20;

/// Height that an index reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HealthPart {
    Blocks,
    InternalCalls,
    RichList,
}

/// Newest block of the chain, known or estimated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ChainTip {
    pub(crate) height: u64,
    /// Whether the height is estimated from the block time.
    pub(crate) is_estimate: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TipDistance {
    pub(crate) blocks: u64,
    pub(crate) is_estimate: bool,
    /// Whether the real indexer usually lags this much. The current lag may have another cause.
    pub(crate) is_usual: bool,
}

impl TipDistance {
    /// Returns the distance of a rich list. The real indexer's always lags some blocks.
    pub(crate) fn of_rich_list(tip: ChainTip, reached: u64) -> Self {
        let behind = Self::of(tip, reached);
        Self { is_usual: (1..=RICH_LIST_DISTANCE).contains(&behind.blocks), ..behind }
    }

    pub(super) fn of(tip: ChainTip, reached: u64) -> Self {
        let blocks = tip.height.saturating_sub(reached);
        Self { blocks, is_estimate: tip.is_estimate && blocks > 0, is_usual: false }
    }

    /// Formats the distance without a unit, as in `≈ 42 behind`.
    pub(crate) fn brief(&self) -> String {
        let about = if self.is_estimate { "≈ " } else { "" };
        match self.blocks {
            0 => "at the tip".to_owned(),
            blocks if self.is_usual => format!("{about}{} behind (usual)", text::group(blocks)),
            blocks => format!("{about}{} behind", text::group(blocks)),
        }
    }
}

impl fmt::Display for TipDistance {
    /// Formats the distance with its unit, as in `≈ 42 blocks behind`.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.blocks == 0 {
            return formatter.write_str("at the tip");
        }
        let about = if self.is_estimate { "≈ " } else { "" };
        let unit = if self.blocks == 1 { "block" } else { "blocks" };
        write!(formatter, "{about}{} {unit} behind", text::group(self.blocks))
    }
}

/// Speed in thousandths of a block per second.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct BlockRate(u64);

impl BlockRate {
    /// Returns the speed for this many thousandths of a block in this time.
    fn over(thousandths: u64, span: Duration) -> Self {
        Self(thousandths.saturating_mul(1000).checked_div(millis(span)).unwrap_or(0))
    }

    /// Returns the speed of a chain with this block time.
    fn of(block_time: Duration) -> Self {
        Self::over(1000, block_time)
    }
}

impl fmt::Display for BlockRate {
    /// Formats the speed as `0.8 blocks/s`, or as `1.2 blocks/min` if it is below a block in ten seconds.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (value, time) = match self.0 {
            thousandths @ 1..100 => (thousandths * 60, "min"),
            thousandths => (thousandths, "s"),
        };
        let tenths = (value + 50) / 100;
        let unit = if tenths == 10 { "block" } else { "blocks" };
        write!(formatter, "{}.{} {unit}/{time}", text::group(tenths / 10), tenths % 10)
    }
}

/// Speed, and the time over which it was measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MeasuredPace {
    pub(crate) speed: BlockRate,
    pub(crate) over: Duration,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GapTrend {
    /// The latest statuses failed, so that neither distance nor speed is known.
    Unanswered,
    /// Too few statuses for a speed.
    Measuring,
    /// The index is backfilling, so its speed does not apply to the newest block.
    Filling,
    /// The height moves, but the chain's own speed is unknown.
    Moving(MeasuredPace),
    Level(MeasuredPace),
    Growing {
        pace: MeasuredPace,
        by: BlockRate,
    },
    Shrinking {
        pace: MeasuredPace,
        arrival: Duration,
    },
    Stalled {
        since: Duration,
        /// Whether the time is a lower bound, because the height has not moved in this session.
        is_least: bool,
        by: Option<BlockRate>,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PartHealth {
    pub(crate) reached: u64,
    /// Distance from the tip; `None` if the tip is unknown.
    pub(crate) behind: Option<TipDistance>,
    pub(crate) trend: GapTrend,
}

/// Progress of one index height in this session.
#[derive(Debug)]
pub(crate) struct HeightProgress {
    value: Option<u64>,
    /// When the height reached its value, and whether the session saw that.
    since: Timestamp,
    has_grown: bool,
    /// Time and height of each kept status.
    window: VecDeque<(Timestamp, u64)>,
    /// Distance from the tip at the latest statuses, newest first.
    distances: VecDeque<u64>,
}

impl HeightProgress {
    pub(super) fn new(now: Timestamp) -> Self {
        Self { value: None, since: now, has_grown: false, window: VecDeque::new(), distances: VecDeque::new() }
    }

    pub(super) fn take(&mut self, value: Option<u64>, now: Timestamp, rhythm: &ChainRhythm) {
        match (self.value, value) {
            (Some(before), Some(value)) if value > before => (self.since, self.has_grown) = (now, true),
            (Some(before), Some(value)) if value == before => {}
            _ => {
                (self.since, self.has_grown) = (now, false);
                self.window.clear();
                self.distances.clear();
            }
        }
        self.value = value;
        let Some(value) = value else { return };
        self.window.push_back((now, value));
        let longest = window(rhythm) * 2;
        while self.window.len() > MOST || self.window.front().is_some_and(|(at, _)| now.since(*at) > longest) {
            self.window.pop_front();
        }
    }

    /// Drops the statuses of the start-up.
    pub(super) fn begin_measuring(&mut self) {
        if let Some(last) = self.window.pop_back() {
            self.window = VecDeque::from([last]);
        }
    }

    /// Returns how long the height has not moved, up to the latest status, and whether that is a lower bound.
    pub(super) fn still(&self) -> Option<(Duration, bool)> {
        let (at, _) = self.window.back()?;
        Some((at.since(self.since), !self.has_grown))
    }

    /// Returns the time per block, the maximum without progress; `None` before the window is long enough.
    fn pace(&self, rhythm: &ChainRhythm) -> Option<Duration> {
        let steps: Vec<(Timestamp, u64)> = self.window.iter().copied().collect();
        let whole = Stretch::of(&steps).filter(|whole| whole.span >= window(rhythm))?;
        let moved = u32::try_from(whole.moved).unwrap_or(u32::MAX);
        Some(whole.span.checked_div(moved).unwrap_or(Duration::MAX))
    }

    pub(super) fn health(&self, tip: Option<ChainTip>, rhythm: &ChainRhythm, is_filling: bool) -> Option<PartHealth> {
        let reached = self.value?;
        let behind = tip.map(|tip| TipDistance::of(tip, reached));
        Some(PartHealth { reached, behind, trend: self.trend(behind.map(|behind| behind.blocks), rhythm, is_filling) })
    }

    fn trend(&self, gap: Option<u64>, rhythm: &ChainRhythm, is_filling: bool) -> GapTrend {
        if let Some((since, is_least)) = self.still()
            && since >= rhythm.patience()
            && gap != Some(0)
        {
            let pace = gap.and(rhythm.tip_time()).filter(|time| *time < Duration::MAX);
            return GapTrend::Stalled { since, is_least, by: pace.map(BlockRate::of) };
        }
        if is_filling {
            return GapTrend::Filling;
        }
        let steps = self.measured();
        let Some(whole) = Stretch::of(&steps).filter(|whole| whole.span >= window(rhythm) && steps.len() >= FEWEST)
        else {
            return GapTrend::Measuring;
        };
        let pace =
            MeasuredPace { speed: BlockRate::over(whole.moved.saturating_mul(1000), whole.span), over: whole.span };
        let (Some(block_time), Some(gap)) = (rhythm.tip_time(), gap) else { return GapTrend::Moving(pace) };
        // Recent statuses decide, since an index that has slowed down will not arrive.
        let since =
            |part: usize| steps.get(steps.len().saturating_sub((steps.len() / part).max(2))..).and_then(Stretch::of);
        let (Some(half), Some(lately)) = (since(2), since(3)) else { return GapTrend::Level(pace) };
        let is_closing_now = matches!(half.closing(block_time, SLACK / 2), Closing::By(_))
            && !matches!(lately.closing(block_time, SLACK), Closing::Opening(_));
        match (whole.closing(block_time, SLACK), lately.closing(block_time, SLACK)) {
            _ if gap <= NEAR => GapTrend::Level(pace),
            (Closing::By(blocks), _) if is_closing_now => {
                GapTrend::Shrinking { pace, arrival: arrival(gap, blocks, whole.span) }
            }
            (Closing::Opening(blocks), _) if !is_closing_now => {
                GapTrend::Growing { pace, by: BlockRate::over(blocks, whole.span) }
            }
            (_, Closing::Opening(blocks)) => GapTrend::Growing { pace, by: BlockRate::over(blocks, lately.span) },
            _ => GapTrend::Level(pace),
        }
    }

    /// Returns the statuses from which the speed is measured: those after the last jump.
    fn measured(&self) -> Vec<(Timestamp, u64)> {
        let mut all: Vec<(Timestamp, u64)> = self.window.iter().copied().collect();
        let total = match (all.first(), all.last()) {
            (Some((_, first)), Some((_, last))) => last.saturating_sub(*first),
            _ => 0,
        };
        let steps = all.iter().zip(all.iter().skip(1)).map(|((_, height), (_, next))| next.saturating_sub(*height));
        let largest = steps.enumerate().max_by_key(|(_, step)| *step);
        match largest {
            Some((place, step)) if step > JUMP && step.saturating_mul(2) > total => all.split_off(place + 1),
            _ => all,
        }
    }
}

/// Returns the minimum length of the window for a speed.
fn window(rhythm: &ChainRhythm) -> Duration {
    let blocks = rhythm.block_time().map_or(SHORTEST_WINDOW, |time| time.saturating_mul(WINDOW_BLOCKS));
    blocks.clamp(SHORTEST_WINDOW, LONGEST_WINDOW)
}

fn millis(span: Duration) -> u64 {
    u64::try_from(span.as_millis()).unwrap_or(u64::MAX)
}

/// Returns the time until the gap closes, if it closed by `closed` thousandths of a block in `span`.
fn arrival(gap: u64, closed: u64, span: Duration) -> Duration {
    let wait = u128::from(gap) * 1000 * span.as_millis() / u128::from(closed.max(1));
    Duration::from_millis(u64::try_from(wait).unwrap_or(u64::MAX))
}

/// Change of a height between two statuses.
#[derive(Clone, Copy, Debug)]
struct Stretch {
    span: Duration,
    moved: u64,
}

/// How the gap changes, in thousandths of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Closing {
    By(u64),
    Steady,
    Opening(u64),
}

impl Stretch {
    fn of(steps: &[(Timestamp, u64)]) -> Option<Self> {
        let ((from, first), (to, last)) = (steps.first()?, steps.last()?);
        let span = to.since(*from);
        (!span.is_zero()).then(|| Self { span, moved: last.saturating_sub(*first) })
    }

    /// Compares with a chain of this block time. A difference below `slack` thousandths of a block, or below 5 %, does
    /// not count.
    fn closing(self, block_time: Duration, slack: u64) -> Closing {
        let made = self.span.as_millis().saturating_mul(1_000_000) / block_time.as_micros().max(1);
        let made = u64::try_from(made).unwrap_or(u64::MAX);
        let moved = self.moved.saturating_mul(1000);
        let slack = slack.max(made / 20);
        match (moved.checked_sub(made), made.checked_sub(moved)) {
            (Some(closed), _) if closed > slack => Closing::By(closed),
            (_, Some(opened)) if opened > slack => Closing::Opening(opened),
            _ => Closing::Steady,
        }
    }
}

/// Progress of the index's three heights and of the node.
#[derive(Debug)]
pub(crate) struct IndexHealth {
    blocks: HeightProgress,
    internal_calls: HeightProgress,
    rich_list: HeightProgress,
    /// Height of the node that the server follows.
    node: HeightProgress,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct IndexHeights {
    pub(super) blocks: u64,
    pub(super) internal_calls: Option<u64>,
    pub(super) rich_list: Option<u64>,
    pub(super) node: Option<u64>,
}

impl IndexHealth {
    pub(super) fn new(now: Timestamp) -> Self {
        let progress = || HeightProgress::new(now);
        Self { blocks: progress(), internal_calls: progress(), rich_list: progress(), node: progress() }
    }

    pub(super) fn take(&mut self, heights: IndexHeights, now: Timestamp, rhythm: &ChainRhythm) {
        self.blocks.take(Some(heights.blocks), now, rhythm);
        self.internal_calls.take(heights.internal_calls, now, rhythm);
        self.rich_list.take(heights.rich_list, now, rhythm);
        self.node.take(heights.node, now, rhythm);
    }

    /// Notes how far the heights of the latest status are from the tip.
    pub(super) fn note_distances(&mut self, tip: u64) {
        for progress in [&mut self.blocks, &mut self.internal_calls, &mut self.rich_list] {
            if let Some(value) = progress.value {
                progress.distances.push_front(tip.saturating_sub(value));
                progress.distances.truncate(DISTANCES);
            }
        }
    }

    pub(super) fn begin_measuring(&mut self) {
        [&mut self.blocks, &mut self.internal_calls, &mut self.rich_list]
            .into_iter()
            .for_each(HeightProgress::begin_measuring);
    }

    pub(super) fn node_pace(&self, rhythm: &ChainRhythm) -> Option<Duration> {
        self.node.pace(rhythm)
    }

    pub(super) fn part(&self, part: HealthPart) -> &HeightProgress {
        match part {
            HealthPart::Blocks => &self.blocks,
            HealthPart::InternalCalls => &self.internal_calls,
            HealthPart::RichList => &self.rich_list,
        }
    }

    /// Returns how far a height was from the tip at the latest statuses, newest first.
    pub(super) fn distances(&self, part: HealthPart) -> impl Iterator<Item = u64> {
        self.part(part).distances.iter().copied()
    }

    /// Returns the state of one height against the tip; `None` if the server does not report it.
    pub(super) fn health(
        &self,
        part: HealthPart,
        tip: Option<ChainTip>,
        rhythm: &ChainRhythm,
        is_filling: bool,
    ) -> Option<PartHealth> {
        let health = self.part(part).health(tip, rhythm, is_filling)?;
        Some(match (part, tip) {
            (HealthPart::RichList, Some(tip)) => {
                PartHealth { behind: Some(TipDistance::of_rich_list(tip, health.reached)), ..health }
            }
            _ => health,
        })
    }
}

#[cfg(test)]
mod tests;
