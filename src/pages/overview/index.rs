//! Gauges that compare the index with the chain's tip.

use ratatui::layout::Rect;
use unicode_width::UnicodeWidthStr as _;

use super::{OverviewPage, draw::label, node};
use crate::{
    app::{
        chain::{
            extent::FillState,
            health::{GapTrend, HealthPart, PartHealth},
        },
        format::{age, age_at, seconds},
        page::Drawing,
        transfers::signs::urgency,
    },
    config::{Command, Meaning},
    domain::{Vm, text},
    panes::hints::{hints, spinner},
    transfers::Urgency,
    widgets::{
        bars,
        canvas::{self, Canvas, Part, row},
        layout::Tier,
    },
    wire::{
        self, ErrorKind,
        opinit::{HostedBridgeConfig, RollupBridge},
    },
};

/// Columns of a gauge's bar on a narrow screen.
const GAUGE: usize = 8;
const NARROW_GAUGE: usize = 4;
/// Minimum columns of a pane for a full gauge.
const WIDE_FROM: u16 = 46;
/// Maximum columns of the strip of distances, and columns of the words around it.
const STRIP: usize = 24;
const AROUND_STRIP: usize = 18;
/// Gap to the tip from which a gauge warns, in blocks.
const FAR: u64 = 10;
pub(super) const LABEL: u16 = 12;

const PARTS: [(HealthPart, &str); 3] =
    [(HealthPart::Blocks, "blocks"), (HealthPart::InternalCalls, "internal"), (HealthPart::RichList, "rich list")];

/// Draws the heights of the index, their speed, and the range of indexed blocks.
pub(super) fn draw(canvas: &mut Canvas<'_>, cx: &Drawing<'_>, page: &OverviewPage, frame: Rect) {
    canvas.frame(frame, cx.regions.tier, false, vec![(Meaning::Heading, "Index".to_owned())], Vec::new());
    let area = cx.regions.inner(frame);
    let Some(status) = cx.context.chain.status.value() else {
        canvas.text(row(area, 0), Meaning::Muted, &format!(" {} loading the status…", spinner(cx.context)));
        return;
    };
    let lines = if cx.regions.tier <= Tier::Compact {
        short_lines(cx, status, area.width)
    } else {
        lines(cx, page, status, area.width)
    };
    for (place, line) in lines.into_iter().enumerate() {
        canvas.parts(row(area, u16::try_from(place).unwrap_or(u16::MAX)), line);
    }
}

fn lines(cx: &Drawing<'_>, page: &OverviewPage, status: &wire::Status, width: u16) -> Vec<Vec<Part>> {
    let mut lines = unanswered(cx, width);
    lines.extend(store(status, width));
    lines.push(tip(cx, width));
    for (part, name) in PARTS {
        match cx.context.chain.health(part, cx.context.now) {
            Some(health) => lines.extend(gauge(cx, part, name, &health, width)),
            None => lines.push(vec![label(name), (Meaning::Muted, absent(cx, part).to_owned())]),
        }
    }
    lines.push(node::missing(status, width).unwrap_or_else(|| holds(cx, status, width)));
    lines.extend(transfers(cx, width));
    lines.extend(claims(cx, width));
    lines.extend(status.node.iter().flat_map(|told| node::lines(told, width)));
    lines.push(version(status));
    let own = cx.context.own_chain();
    let is_own = |bridge: &&RollupBridge| own.as_ref().is_some_and(|own| own.as_str() == bridge.chain_id);
    let bridge = page.bridge.value().and_then(Option::as_deref).filter(is_own);
    lines.extend(bridge.map(|bridge| bridge_line(bridge, width)));
    lines.extend(conflict(cx, width));
    lines
}

/// Returns one line per height. A problem of the followed node, a backfill, a transfer or an unclaimed withdrawal
/// replaces the last line.
fn short_lines(cx: &Drawing<'_>, status: &wire::Status, width: u16) -> Vec<Vec<Part>> {
    let mut lines: Vec<_> = PARTS.into_iter().map(|(part, name)| short_gauge(cx, part, name, width)).collect();
    let problem = unanswered(cx, width).into_iter().next().or_else(|| store(status, width));
    if let Some(line) = problem.or_else(|| node::short(status, width)) {
        lines.truncate(PARTS.len() - 1);
        lines.push(line);
    } else if let Some(line) = transfers(cx, width).or_else(|| claims(cx, width)) {
        lines.truncate(PARTS.len() - 1);
        lines.push(line);
    }
    lines
}

/// Returns the line about the user's transfers that are not done.
fn transfers(cx: &Drawing<'_>, width: u16) -> Option<Vec<Part>> {
    const WORDS: [(Urgency, &str, &str); 5] = [
        (Urgency::Yours, "needs you", "need you"),
        (Urgency::Failed, "failed", "failed"),
        (Urgency::Late, "late", "late"),
        (Urgency::Unknown, "unknown", "unknown"),
        (Urgency::Moving, "moving", "moving"),
    ];
    let all: Vec<Urgency> =
        cx.context.transfers.all().iter().map(|transfer| urgency(transfer, cx.context.now)).collect();
    let most_urgent = all.iter().min().filter(|urgency| **urgency != Urgency::Done)?;
    let meaning = if *most_urgent <= Urgency::Late { Meaning::Warning } else { Meaning::Text };
    let counts = WORDS.into_iter().filter_map(|(urgency, one, several)| {
        match all.iter().filter(|found| **found == urgency).count() {
            0 => None,
            1 => Some(format!("1 {one}")),
            count => Some(format!("{count} {several}")),
        }
    });
    let counts = counts.collect::<Vec<_>>().join(" · ");
    let key = hints(cx, &[(Command::TabTransfers, "shows them")]);
    Some(vec![label("transfers"), (meaning, fitting(width, &[format!("{counts} · {key}"), counts]))])
}

/// Returns the line about unclaimed withdrawals of the user's accounts.
fn claims(cx: &Drawing<'_>, width: u16) -> Option<Vec<Part>> {
    let open = cx.context.transfers.open.summary(cx.context.now)?;
    let key = hints(cx, &[(Command::TabTransfers, "shows them")]);
    Some(vec![label("claims"), (open.words().0, fitting(width, &open.short(&key)))])
}

/// Returns why a height is missing.
fn absent(cx: &Drawing<'_>, part: HealthPart) -> &'static str {
    match part {
        HealthPart::InternalCalls if cx.context.network.vm.is_some_and(|vm| vm != Vm::Evm) => "on EVM rollups only",
        _ if cx.context.chain.extent.may_be_filling() => "not reported yet",
        _ => "not reported by this server",
    }
}

/// Returns the longest of the texts that fits beside the label, or cuts the last one.
pub(super) fn fitting(width: u16, texts: &[String]) -> String {
    canvas::fitting(usize::from(width.saturating_sub(LABEL)), texts)
}

/// Returns why there is no newer status, and since when; nothing while the indexer answers.
fn unanswered(cx: &Drawing<'_>, width: u16) -> Vec<Vec<Part>> {
    let chain = &cx.context.chain;
    let Some((error, since)) = chain.status.error().zip(chain.failing_since) else { return Vec::new() };
    let detail = if let ErrorKind::Offline { detail, .. } = &error.kind { Some(text::clip(detail, 80)) } else { None };
    let reasons: Vec<String> = std::iter::once(error.about("the indexer")).chain(detail).collect();
    let since = format!("since {}", cx.context.zone.clock(since));
    let known = chain.status.at().filter(|_| cx.context.has_ages()).map(|at| age_at(at, cx.context.now));
    let ages: Vec<String> =
        known.map(|age| format!("{since}, last status {age} old")).into_iter().chain([since]).collect();
    vec![
        vec![label("indexer"), (Meaning::Bad, fitting(width, &reasons))],
        vec![(Meaning::Text, " ".repeat(LABEL.into())), (Meaning::Bad, fitting(width, &ages))],
    ]
}

/// Returns what keeps the index from being written; `None` while nothing does.
fn store(status: &wire::Status, width: u16) -> Option<Vec<Part>> {
    let trouble = status.store_trouble.as_ref()?.clipped(400);
    Some(vec![label("store"), (Meaning::Bad, fitting(width, &[trouble]))])
}

/// Returns the line of the tip, which the gauges measure against.
fn tip(cx: &Drawing<'_>, width: u16) -> Vec<Part> {
    let Some(tip) = cx.context.chain.tip(cx.context.now) else {
        return vec![label("tip"), (Meaning::Muted, fitting(width, &["unknown".to_owned()]))];
    };
    let number = text::group(tip.height);
    if tip.is_estimate {
        let age = cx
            .context
            .chain
            .newest_block
            .as_ref()
            .map(|block| age_at(block.timestamp, cx.context.now))
            .unwrap_or_default();
        let texts = [format!("≈ {number} estimated; newest block {age} old"), format!("≈ {number} estimated")];
        return vec![label("tip"), (Meaning::Warning, fitting(width, &texts))];
    }
    let wait = cx
        .context
        .chain
        .next_block_in(cx.context.now)
        .filter(|_| cx.context.has_ages())
        .map(|wait| wait.as_secs())
        .filter(|wait| *wait > 0);
    let next = wait.map_or_else(String::new, |wait| format!(", next block in ≈ {wait} s"));
    vec![label("tip"), (Meaning::Text, fitting(width, &[format!("{number}{next}"), number]))]
}

/// Returns two lines: height with progress bar and gap, and the gap's trend with the latest distances.
fn gauge(cx: &Drawing<'_>, part: HealthPart, name: &str, health: &PartHealth, width: u16) -> [Vec<Part>; 2] {
    let (meaning, state) = state(health);
    let cells = if width < WIDE_FROM { NARROW_GAUGE } else { GAUGE };
    let of = health.reached.saturating_add(health.behind.map_or(0, |behind| behind.blocks));
    let reached = health.reached.saturating_mul(cells as u64).checked_div(of).unwrap_or(0);
    let reached = usize::try_from(reached).unwrap_or(0).min(cells);
    let bar = format!("{}{}", "█".repeat(reached), "░".repeat(cells - reached));
    let (trend_meaning, trend) = trend_of(part, &health.trend, width);
    [
        vec![
            label(name),
            (meaning, bar),
            (Meaning::Number, format!(" {}", text::group(health.reached))),
            (meaning, format!("  {state}")),
        ],
        distances(cx, part, health, (trend_meaning, trend), width),
    ]
}

/// Returns a gap's trend, and at the right, where there is room, how far the height is behind and was at the latest
/// statuses.
fn distances(cx: &Drawing<'_>, part: HealthPart, health: &PartHealth, trend: Part, width: u16) -> Vec<Part> {
    let left = usize::from(width).saturating_sub(usize::from(LABEL) + trend.1.width());
    let room = STRIP.min(left.saturating_sub(AROUND_STRIP));
    // The newest is the gauge's own figure, which grows between two statuses. Without it, none is known.
    let newest = health.behind.map(|behind| behind.blocks);
    let earlier = cx.context.chain.distances(part).skip(1);
    let mut behind: Vec<u64> = newest.into_iter().chain(earlier.filter(|_| newest.is_some())).take(room).collect();
    behind.reverse();
    let most = behind.iter().copied().max().unwrap_or(0);
    let mut line = vec![(Meaning::Text, " ".repeat(LABEL.into())), trend];
    let (before, after) = ("behind ", format!(" max {} ", text::group(most)));
    let gap = left.saturating_sub(before.width() + behind.len() + after.width());
    if most > 0 && gap > 0 {
        line.push((Meaning::Muted, format!("{}{before}", " ".repeat(gap))));
        line.push((Meaning::Number, bars::strip(&behind, most)));
        line.push((Meaning::Muted, after));
    }
    line
}

/// Returns height, gap and trend in one line for a small screen.
fn short_gauge(cx: &Drawing<'_>, part: HealthPart, name: &str, width: u16) -> Vec<Part> {
    let Some(health) = cx.context.chain.health(part, cx.context.now) else {
        return vec![label(name), (Meaning::Muted, absent(cx, part).to_owned())];
    };
    let (meaning, state) = state(&health);
    let height = text::group(health.reached);
    let used = u16::try_from(height.width() + state.width() + 4).unwrap_or(u16::MAX);
    let (trend_meaning, trend) = match health.trend {
        GapTrend::Level(_) | GapTrend::Measuring | GapTrend::Moving(_) | GapTrend::Filling | GapTrend::Unanswered => {
            (Meaning::Muted, String::new())
        }
        news => trend(&news, width.saturating_sub(used)),
    };
    let comma = if trend.is_empty() { "" } else { ", " };
    vec![
        label(name),
        (Meaning::Number, height),
        (meaning, format!("  {state}")),
        (trend_meaning, format!("{comma}{trend}")),
    ]
}

/// Formats the gap to the tip.
fn state(health: &PartHealth) -> (Meaning, String) {
    let is_stalled = matches!(health.trend, GapTrend::Stalled { .. });
    match health.behind {
        None => (Meaning::Text, String::new()),
        Some(behind) => {
            let meaning = match behind.blocks {
                0 => Meaning::Good,
                blocks if blocks > FAR || is_stalled => Meaning::Warning,
                _ => Meaning::Text,
            };
            (meaning, behind.brief())
        }
    }
}

/// Formats the gap's trend in a gauge; the first one tells for all that their speed is being measured.
fn trend_of(part: HealthPart, gap: &GapTrend, width: u16) -> (Meaning, String) {
    if part != HealthPart::Blocks && matches!(gap, GapTrend::Measuring | GapTrend::Unanswered) {
        return (Meaning::Muted, String::new());
    }
    trend(gap, width)
}

/// Formats the gap's trend, in the longest text that fits.
fn trend(trend: &GapTrend, width: u16) -> (Meaning, String) {
    let (meaning, texts) = match trend {
        GapTrend::Measuring => (Meaning::Muted, vec!["measuring speed…".to_owned()]),
        // The line of the block range reports the backfill, once for all heights.
        GapTrend::Filling => (Meaning::Muted, Vec::new()),
        GapTrend::Moving(pace) => {
            (Meaning::Muted, vec![format!("{} over {}", pace.speed, age(pace.over)), pace.speed.to_string()])
        }
        GapTrend::Level(pace) => (
            Meaning::Muted,
            vec![format!("keeping up, {} over {}", pace.speed, age(pace.over)), format!("keeping up, {}", pace.speed)],
        ),
        GapTrend::Growing { pace, by } => (
            Meaning::Warning,
            vec![
                format!("falling behind {by}, at {} over {}", pace.speed, age(pace.over)),
                format!("falling behind {by}"),
                format!("losing {by}"),
            ],
        ),
        GapTrend::Shrinking { pace, arrival } => (
            Meaning::Good,
            vec![
                format!("catching up, done in ≈ {} at {} over {}", age(*arrival), pace.speed, age(pace.over)),
                format!("catching up, done in ≈ {}", age(*arrival)),
                format!("done in ≈ {}", age(*arrival)),
            ],
        ),
        GapTrend::Unanswered => (
            Meaning::Muted,
            vec!["no newer status: distance and speed unknown".to_owned(), "distance unknown".to_owned()],
        ),
        GapTrend::Stalled { since, is_least, by } => {
            let least = if *is_least { "at least " } else { "" };
            let stalled = format!("stalled for {least}{}", age(*since));
            let falling = by.map(|by| format!("{stalled}, falling behind {by}"));
            let losing = by.filter(|_| !is_least).map(|by| format!("stalled {}, losing {by}", age(*since)));
            (Meaning::Bad, falling.into_iter().chain(losing).chain([stalled]).collect())
        }
    };
    (meaning, fitting(width, &texts))
}

/// Returns the line with the range of indexed blocks; no line during a backfill.
fn holds(cx: &Drawing<'_>, status: &wire::Status, width: u16) -> Vec<Part> {
    let extent = &cx.context.chain.extent;
    let oldest = match (extent.filling(), extent.oldest()) {
        (FillState::Over, Some(oldest)) => oldest,
        (FillState::Moving { .. }, _) => {
            let texts = ["the index is loading older blocks".to_owned()];
            return vec![label("holds"), (Meaning::Warning, fitting(width, &texts))];
        }
        (FillState::Unknowable, _) => {
            let texts = ["the server cannot show its first block".to_owned(), "first block unknown".to_owned()];
            return vec![label("holds"), (Meaning::Warning, fitting(width, &texts))];
        }
        _ => return vec![label("holds"), (Meaning::Muted, fitting(width, &["looking…".to_owned()]))],
    };
    let range = format!("{} to {}", text::group(oldest.get()), text::group(status.height.get()));
    let faults = extent.faults();
    let listed = text::group(extent.listed());
    let mut texts = Vec::new();
    let pruned: u64 = status.gaps.iter().map(|gap| gap.to.get() + 1 - gap.from.get()).sum();
    let meaning = if pruned > 0 && faults.doubled == 0 && faults.missing <= pruned {
        let lacks = format!("without {} that the node had pruned", text::count_large(pruned, "block"));
        texts.extend([format!("{range}, {lacks}"), lacks, format!("{} missing", text::group(pruned))]);
        Meaning::Warning
    } else if !faults.is_none() {
        let missing = (faults.missing > 0).then(|| format!("{} missing", text::group(faults.missing)));
        let doubled = (faults.doubled > 0).then(|| format!("{} duplicate", text::group(faults.doubled as u64)));
        let what = missing.into_iter().chain(doubled).collect::<Vec<_>>().join(", ");
        texts.extend([format!("{range}, but {what} of {listed} seen"), format!("{what} of {listed} seen"), what]);
        Meaning::Bad
    } else if extent.has_all_to(status.height) {
        texts.extend([format!("{range}, complete: all blocks seen"), format!("{range}, complete")]);
        Meaning::Good
    } else {
        if oldest > crate::domain::Height::FIRST {
            texts.push(format!("{range}, no older blocks; no gap in {listed} seen"));
        }
        texts.extend([format!("{range}, no gap in {listed} seen"), format!("{range}, no gap seen")]);
        Meaning::Text
    };
    if !matches!(meaning, Meaning::Bad | Meaning::Warning) {
        texts.push(range);
    }
    vec![label("holds"), (meaning, fitting(width, &texts))]
}

/// Returns the server's version, without the commit if the server does not know it.
fn version(status: &wire::Status) -> Vec<Part> {
    let version = if status.version.is_empty() { "unknown" } else { &status.version };
    let mut parts = vec![label("version"), (Meaning::Text, text::clip(version, 24))];
    if !matches!(status.commit_hash.as_str(), "" | "unknown") {
        parts.push((Meaning::Muted, format!("  {}", text::clip(&status.commit_hash, 12))));
    }
    parts
}

/// Returns the state of the OPinit bridge, from the rollup's node.
fn bridge_line(bridge: &RollupBridge, width: u16) -> Vec<Part> {
    let name = format!("{} on {}", text::clip(&bridge.bridge_id, 20), text::clip(&bridge.l1_chain_id, 24));
    let period = bridge.bridge_config.as_ref().and_then(HostedBridgeConfig::challenge_period);
    let period = period.map(|period| format!("{name}, challenge period {}", text::span(period.as_secs())));
    let texts: Vec<String> = period.into_iter().chain([name]).collect();
    vec![label("bridge"), (Meaning::Text, fitting(width, &texts))]
}

/// Returns the server's average block time and the measured one, if they differ.
fn conflict(cx: &Drawing<'_>, width: u16) -> Option<Vec<Part>> {
    let conflict = cx.context.chain.rhythm.conflict()?;
    let (told, seen) = (seconds(conflict.told), seconds(conflict.seen));
    let texts = [
        format!("the server reports {told}; {} blocks show {seen}", conflict.blocks),
        format!("{told} reported, {seen} seen"),
    ];
    Some(vec![label("block time"), (Meaning::Warning, fitting(width, &texts))])
}
