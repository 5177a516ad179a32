//! Whether the index keeps up with the chain: how far each of its heights is behind the chain's tip, and whether that
//! grows, stays, shrinks, or the height stands still.
//!
//! Speeds are of a window that is long enough and begins after the start-up. A time of arrival is told only while the gap
//! closes, and is the gap divided by how much faster than the chain the index is.

use std::{collections::VecDeque, fmt, time::Duration};

use super::rhythm::ChainRhythm;
use crate::domain::{Timestamp, text};

/// How far the real indexer keeps its rich list behind its blocks (`docs/apis/indexer.md` §7).
const RICH_LIST_DISTANCE: u64 = 5;
/// A window is at least so long, and so many block times, and at most so long.
const SHORTEST_WINDOW: Duration = Duration::from_secs(15);
const WINDOW_BLOCKS: u32 = 15;
const LONGEST_WINDOW: Duration = Duration::from_secs(300);
/// With fewer statuses than this no speed is told.
const FEWEST: usize = 4;
/// Statuses that are kept at the most.
const MOST: usize = 400;
/// A gap of so many blocks is no way to catch up.
const NEAR: u64 = 3;
/// Statuses and blocks do not come at the same moments: so many thousandths of a block are no difference.
const SLACK: u64 = 2000;
/// A step of more blocks than this, and of most of what a window has, is no speed: the index was filled, or put in place.
const JUMP: u64 = 20;

/// The heights that an index has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HealthPart {
    Blocks,
    InternalCalls,
    RichList,
}

/// The newest block of the chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ChainTip {
    pub(crate) height: u64,
    /// Whether it is by the clock: no server has told of this block.
    pub(crate) is_estimate: bool,
}

/// How far something is behind the chain's tip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TipDistance {
    pub(crate) blocks: u64,
    pub(crate) is_estimate: bool,
    /// Whether the real indexer keeps such a distance too: usual, which does not say why this one has it.
    pub(crate) is_usual: bool,
}

impl TipDistance {
    /// Of a rich list: the real indexer's is so many blocks behind at every time.
    pub(crate) fn of_rich_list(tip: ChainTip, reached: u64) -> Self {
        let behind = Self::of(tip, reached);
        Self { is_usual: (1..=RICH_LIST_DISTANCE).contains(&behind.blocks), ..behind }
    }

    pub(super) fn of(tip: ChainTip, reached: u64) -> Self {
        let blocks = tip.height.saturating_sub(reached);
        Self { blocks, is_estimate: tip.is_estimate && blocks > 0, is_usual: false }
    }

    /// `≈ 42 behind`, for where the line says of what.
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
    /// `≈ 42 blocks behind`.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.blocks == 0 {
            return formatter.write_str("at the tip");
        }
        let about = if self.is_estimate { "≈ " } else { "" };
        let unit = if self.blocks == 1 { "block" } else { "blocks" };
        write!(formatter, "{about}{} {unit} behind", text::group(self.blocks))
    }
}

/// Thousandths of a block per second.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct BlockRate(u64);

impl BlockRate {
    /// So many thousandths of a block in this time.
    fn over(thousandths: u64, span: Duration) -> Self {
        Self(thousandths.saturating_mul(1000).checked_div(millis(span)).unwrap_or(0))
    }

    /// Of a chain with this time between blocks.
    fn of(block_time: Duration) -> Self {
        Self::over(1000, block_time)
    }
}

impl fmt::Display for BlockRate {
    /// `0.8 blocks/s`; slower than a block in ten seconds `1.2 blocks/min`.
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

/// A speed, and the time over which it was measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MeasuredPace {
    pub(crate) speed: BlockRate,
    pub(crate) over: Duration,
}

/// What becomes of the gap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GapTrend {
    /// Not enough was seen yet.
    Measuring,
    /// Older blocks are coming in: no speed would tell of the head.
    Filling,
    /// It moves; how fast the chain does nobody knows.
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
        /// Whether it may be longer: it was never seen to move.
        is_least: bool,
        by: Option<BlockRate>,
    },
}

/// How one of the index's heights fares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PartHealth {
    pub(crate) reached: u64,
    /// `None` where the chain's tip is not known.
    pub(crate) behind: Option<TipDistance>,
    pub(crate) trend: GapTrend,
}

/// How one of the index's heights moved in this session.
#[derive(Debug)]
pub(crate) struct HeightProgress {
    value: Option<u64>,
    /// When it came to this value, and whether it was seen to come there.
    since: Timestamp,
    has_grown: bool,
    /// When each status came, and what it said.
    window: VecDeque<(Timestamp, u64)>,
}

impl HeightProgress {
    pub(super) fn new(now: Timestamp) -> Self {
        Self { value: None, since: now, has_grown: false, window: VecDeque::new() }
    }

    /// A status came.
    pub(super) fn take(&mut self, value: Option<u64>, now: Timestamp, rhythm: &ChainRhythm) {
        match (self.value, value) {
            (Some(before), Some(value)) if value > before => (self.since, self.has_grown) = (now, true),
            (Some(before), Some(value)) if value == before => {}
            _ => {
                (self.since, self.has_grown) = (now, false);
                self.window.clear();
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

    /// The start-up ended: what was before is of no speed.
    pub(super) fn begin_measuring(&mut self) {
        if let Some(last) = self.window.pop_back() {
            self.window = VecDeque::from([last]);
        }
    }

    /// For how long no status was higher, as of the newest, and whether it may be longer.
    pub(super) fn still(&self) -> Option<(Duration, bool)> {
        let (at, _) = self.window.back()?;
        Some((at.since(self.since), !self.has_grown))
    }

    /// How it fares against the tip.
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
            return GapTrend::Stalled { since, is_least, by: rhythm.block_time().map(BlockRate::of) };
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
        let (Some(block_time), Some(gap)) = (rhythm.block_time(), gap) else { return GapTrend::Moving(pace) };
        // What the gap did lately decides: an index that was fast and is not any more does not arrive.
        let since = |part: usize| Stretch::of(&steps[steps.len() - (steps.len() / part).max(2)..]);
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

    /// The statuses that a speed may be read from: those after a jump, where there is one.
    fn measured(&self) -> Vec<(Timestamp, u64)> {
        let all: Vec<(Timestamp, u64)> = self.window.iter().copied().collect();
        let total = match (all.first(), all.last()) {
            (Some((_, first)), Some((_, last))) => last.saturating_sub(*first),
            _ => 0,
        };
        let steps = all.windows(2).map(|pair| pair[1].1.saturating_sub(pair[0].1));
        let largest = steps.enumerate().max_by_key(|(_, step)| *step);
        match largest {
            Some((place, step)) if step > JUMP && step.saturating_mul(2) > total => all[place + 1..].to_vec(),
            _ => all,
        }
    }
}

/// The window that a speed is measured over, at the least.
fn window(rhythm: &ChainRhythm) -> Duration {
    let blocks = rhythm.block_time().map_or(SHORTEST_WINDOW, |time| time.saturating_mul(WINDOW_BLOCKS));
    blocks.clamp(SHORTEST_WINDOW, LONGEST_WINDOW)
}

fn millis(span: Duration) -> u64 {
    u64::try_from(span.as_millis()).unwrap_or(u64::MAX)
}

/// When a gap is closed that became smaller by so many thousandths of a block in this time.
fn arrival(gap: u64, closed: u64, span: Duration) -> Duration {
    let wait = u128::from(gap) * 1000 * span.as_millis() / u128::from(closed.max(1));
    Duration::from_millis(u64::try_from(wait).unwrap_or(u64::MAX))
}

/// What happened between two statuses.
#[derive(Clone, Copy, Debug)]
struct Stretch {
    span: Duration,
    moved: u64,
}

/// How much smaller the gap became, in thousandths of a block.
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

    /// Against a chain of this block time. A difference of so many thousandths of a block, or of a twentieth, is none.
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

/// How the three heights of the index move.
#[derive(Debug)]
pub(crate) struct IndexHealth {
    blocks: HeightProgress,
    internal_calls: HeightProgress,
    rich_list: HeightProgress,
}

/// The heights of one status.
#[derive(Clone, Copy, Debug)]
pub(super) struct IndexHeights {
    pub(super) blocks: u64,
    pub(super) internal_calls: Option<u64>,
    pub(super) rich_list: Option<u64>,
}

impl IndexHealth {
    pub(super) fn new(now: Timestamp) -> Self {
        let progress = || HeightProgress::new(now);
        Self { blocks: progress(), internal_calls: progress(), rich_list: progress() }
    }

    pub(super) fn take(&mut self, heights: IndexHeights, now: Timestamp, rhythm: &ChainRhythm) {
        self.blocks.take(Some(heights.blocks), now, rhythm);
        self.internal_calls.take(heights.internal_calls, now, rhythm);
        self.rich_list.take(heights.rich_list, now, rhythm);
    }

    pub(super) fn begin_measuring(&mut self) {
        [&mut self.blocks, &mut self.internal_calls, &mut self.rich_list]
            .into_iter()
            .for_each(HeightProgress::begin_measuring);
    }

    pub(super) fn part(&self, part: HealthPart) -> &HeightProgress {
        match part {
            HealthPart::Blocks => &self.blocks,
            HealthPart::InternalCalls => &self.internal_calls,
            HealthPart::RichList => &self.rich_list,
        }
    }

    /// How one of the heights fares against the tip; `None` where the server names no such height.
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
