//! Gauges of how far the index came, against the chain's tip.

use ratatui::layout::Rect;
use unicode_width::UnicodeWidthStr as _;

use super::{draw::label, node};
use crate::{
    app::{
        chain::{
            extent::FillState,
            health::{GapTrend, HealthPart, PartHealth},
        },
        format::{age, age_at, seconds},
        page::Drawing,
    },
    config::Meaning,
    domain::{Vm, text},
    panes::hints::spinner,
    widgets::{
        canvas::{Canvas, Part, row},
        layout::Tier,
    },
    wire,
};

/// Columns of a gauge's bar, and where there is little room.
const GAUGE: usize = 8;
const NARROW_GAUGE: usize = 4;
/// Columns of a pane from which a gauge is as long as it can be.
const WIDE_FROM: u16 = 46;
/// A gap of more blocks than this is a warning.
const FAR: u64 = 10;
/// Columns of a line's name.
pub(super) const LABEL: u16 = 12;

const PARTS: [(HealthPart, &str); 3] =
    [(HealthPart::Blocks, "blocks"), (HealthPart::InternalCalls, "internal"), (HealthPart::RichList, "rich list")];

/// How far the index came, how fast it goes, and what it holds.
pub(super) fn draw(canvas: &mut Canvas<'_>, cx: &Drawing<'_>, pane: Rect) {
    canvas.frame(pane, cx.regions.tier, false, vec![(Meaning::Heading, "Index".to_owned())], Vec::new());
    let area = cx.regions.inner(pane);
    let Some(status) = cx.chain.status.value() else {
        canvas.text(row(area, 0), Meaning::Muted, &format!(" {} asking for the status…", spinner(cx)));
        return;
    };
    let lines = if cx.regions.tier <= Tier::Compact {
        short_lines(cx, status, area.width)
    } else {
        lines(cx, status, area.width)
    };
    for (place, line) in lines.into_iter().enumerate() {
        canvas.parts(row(area, u16::try_from(place).unwrap_or(u16::MAX)), line);
    }
}

fn lines(cx: &Drawing<'_>, status: &wire::Status, width: u16) -> Vec<Vec<Part>> {
    let mut lines = vec![tip(cx, width)];
    for (part, name) in PARTS {
        match cx.chain.health(part, cx.now) {
            Some(health) => lines.extend(gauge(name, &health, width)),
            None => lines.push(vec![label(name), (Meaning::Muted, absent(cx, part).to_owned())]),
        }
    }
    lines.push(node::missing(status, width).unwrap_or_else(|| holds(cx, status, width)));
    lines.extend(status.node.iter().flat_map(|told| node::lines(told, width)));
    lines.push(version(status));
    lines.extend(conflict(cx, width));
    lines
}

/// A line for each height; the last one gives way to what a followed node lacks.
fn short_lines(cx: &Drawing<'_>, status: &wire::Status, width: u16) -> Vec<Vec<Part>> {
    let mut lines: Vec<_> = PARTS.into_iter().map(|(part, name)| short_gauge(cx, part, name, width)).collect();
    if let Some(line) = node::short(status, width) {
        lines.truncate(PARTS.len() - 1);
        lines.push(line);
    }
    lines
}

/// Why a height is not named.
fn absent(cx: &Drawing<'_>, part: HealthPart) -> &'static str {
    match part {
        HealthPart::InternalCalls if cx.network.vm.is_some_and(|vm| vm != Vm::Evm) => "on EVM rollups only",
        _ if cx.chain.extent.may_be_filling() => "not named yet",
        _ => "not named by this server",
    }
}

/// The longest of these that has room beside the line's name; the last one is cut.
pub(super) fn fitting(width: u16, texts: &[String]) -> String {
    let room = usize::from(width.saturating_sub(LABEL));
    texts.iter().find(|text| text.width() <= room).or(texts.last()).cloned().unwrap_or_default()
}

/// What the heights are measured against.
fn tip(cx: &Drawing<'_>, width: u16) -> Vec<Part> {
    let Some(tip) = cx.chain.tip(cx.now) else {
        return vec![label("tip"), (Meaning::Muted, fitting(width, &["not known yet".to_owned()]))];
    };
    let number = text::group(tip.height);
    if tip.is_estimate {
        let age = cx.chain.newest_block.as_ref().map(|block| age_at(block.timestamp, cx.now)).unwrap_or_default();
        let texts =
            [format!("≈ {number} by the clock; the newest block is {age} old"), format!("≈ {number} by the clock")];
        return vec![label("tip"), (Meaning::Warning, fitting(width, &texts))];
    }
    let wait =
        cx.chain.next_block_in(cx.now).filter(|_| !cx.frozen).map(|wait| wait.as_secs()).filter(|wait| *wait > 0);
    let next = wait.map_or_else(String::new, |wait| format!(", the next block in ≈ {wait} s"));
    vec![label("tip"), (Meaning::Text, fitting(width, &[format!("{number}{next}"), number]))]
}

/// A bar of how far something came, and a line of what becomes of the gap.
fn gauge(name: &str, health: &PartHealth, width: u16) -> [Vec<Part>; 2] {
    let (meaning, state) = state(health);
    let cells = if width < WIDE_FROM { NARROW_GAUGE } else { GAUGE };
    let of = health.reached.saturating_add(health.behind.map_or(0, |behind| behind.blocks));
    let reached = health.reached.saturating_mul(cells as u64).checked_div(of).unwrap_or(0);
    let reached = usize::try_from(reached).unwrap_or(0).min(cells);
    let bar = format!("{}{}", "█".repeat(reached), "░".repeat(cells - reached));
    let (trend_meaning, trend) = trend(&health.trend, width);
    [
        vec![
            label(name),
            (meaning, bar),
            (Meaning::Number, format!(" {}", text::group(health.reached))),
            (meaning, format!("  {state}")),
        ],
        vec![(Meaning::Text, " ".repeat(LABEL.into())), (trend_meaning, trend)],
    ]
}

/// Name, height, gap and trend in one line, for a small screen.
fn short_gauge(cx: &Drawing<'_>, part: HealthPart, name: &str, width: u16) -> Vec<Part> {
    let Some(health) = cx.chain.health(part, cx.now) else {
        return vec![label(name), (Meaning::Muted, absent(cx, part).to_owned())];
    };
    let (meaning, state) = state(&health);
    let height = text::group(health.reached);
    let used = u16::try_from(height.width() + state.width() + 4).unwrap_or(u16::MAX);
    let (trend_meaning, trend) = match health.trend {
        GapTrend::Level(_) | GapTrend::Measuring | GapTrend::Moving(_) | GapTrend::Filling => {
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

/// How far it is behind the tip.
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

/// What becomes of the gap, in as many words as have room.
fn trend(trend: &GapTrend, width: u16) -> (Meaning, String) {
    let (meaning, texts) = match trend {
        GapTrend::Measuring => (Meaning::Muted, vec!["measuring its pace…".to_owned()]),
        // The line of what it holds says it once for all heights.
        GapTrend::Filling => (Meaning::Muted, Vec::new()),
        GapTrend::Moving(pace) => {
            (Meaning::Muted, vec![format!("{} over {}", pace.speed, age(pace.over)), pace.speed.to_string()])
        }
        GapTrend::Level(pace) => (
            Meaning::Muted,
            vec![format!("level, {} over {}", pace.speed, age(pace.over)), format!("level, {}", pace.speed)],
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
                format!("catching up, there in ≈ {} at {} over {}", age(*arrival), pace.speed, age(pace.over)),
                format!("catching up, there in ≈ {}", age(*arrival)),
                format!("there in ≈ {}", age(*arrival)),
            ],
        ),
        GapTrend::Stalled { since, is_least, by } => {
            let least = if *is_least { "at least " } else { "" };
            let stalled = format!("stalled for {least}{}", age(*since));
            let falling = by.map(|by| format!("{stalled}, falling behind {by}"));
            let losing = by.filter(|_| !is_least).map(|by| format!("stalled {}, −{by}", age(*since)));
            (Meaning::Bad, falling.into_iter().chain(losing).chain([stalled]).collect())
        }
    };
    (meaning, fitting(width, &texts))
}

/// Which blocks the index holds, as far as that was seen; nothing while older ones are coming in.
fn holds(cx: &Drawing<'_>, status: &wire::Status, width: u16) -> Vec<Part> {
    let extent = &cx.chain.extent;
    let oldest = match (extent.filling(), extent.oldest()) {
        (FillState::Over, Some(oldest)) => oldest,
        (FillState::Moving { .. }, _) => {
            let texts = ["older blocks are coming in".to_owned()];
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
    let meaning = if !faults.is_none() {
        let missing = (faults.missing > 0).then(|| format!("{} missing", text::group(faults.missing)));
        let doubled = (faults.doubled > 0).then(|| format!("{} doubled", text::group(faults.doubled as u64)));
        let what = missing.into_iter().chain(doubled).collect::<Vec<_>>().join(", ");
        texts.extend([format!("{range}, but {what} of {listed} seen"), format!("{what} of {listed} seen"), what]);
        Meaning::Bad
    } else if extent.has_all_to(status.height) {
        texts.extend([format!("{range}, complete: all seen"), format!("{range}, complete")]);
        Meaning::Good
    } else {
        if oldest > crate::domain::Height::FIRST {
            texts.push(format!("{range}, nothing older; no gap in {listed} seen"));
        }
        texts.extend([format!("{range}, no gap in {listed} seen"), format!("{range}, no gap seen")]);
        Meaning::Text
    };
    if meaning != Meaning::Bad {
        texts.push(range);
    }
    vec![label("holds"), (meaning, fitting(width, &texts))]
}

/// The server's own version; a commit that it does not know is left out.
fn version(status: &wire::Status) -> Vec<Part> {
    let version = if status.version.is_empty() { "not named" } else { &status.version };
    let mut parts = vec![label("version"), (Meaning::Text, text::clip(version, 24))];
    if !matches!(status.commit_hash.as_str(), "" | "unknown") {
        parts.push((Meaning::Muted, format!("  {}", text::clip(&status.commit_hash, 12))));
    }
    parts
}

/// The server's average and what its blocks show, where these differ.
fn conflict(cx: &Drawing<'_>, width: u16) -> Option<Vec<Part>> {
    let conflict = cx.chain.rhythm.conflict()?;
    let (told, seen) = (seconds(conflict.told), seconds(conflict.seen));
    let texts = [
        format!("the server says {told}, {} blocks show {seen}", conflict.blocks),
        format!("{told} told, {seen} seen"),
    ];
    Some(vec![label("block time"), (Meaning::Warning, fitting(width, &texts))])
}
