//! The chain and its index at a glance.

use crate::app::page::Drawing;
use crate::panes::hints::spinner;
use std::{collections::BTreeMap, time::Duration};

use ratatui::layout::Rect;

use super::{block, tx};
use crate::{
    app::{App, chain::Sample, format::age, view::OverviewView},
    columns::List,
    config::Meaning,
    domain::{Vm, text},
    panes::{
        rows::{BlockRow, TxRow},
        table::Listing,
    },
    widgets::{
        Hit,
        canvas::{Canvas, Part, row},
        layout::{Pane, Regions, Tier},
    },
};

const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
/// Columns of a gauge's bar.
const GAUGE: usize = 8;

/// Gauges and strips above, the newest blocks and transactions below.
pub(super) fn draw(canvas: &mut Canvas<'_>, cx: &Drawing<'_>, view: &OverviewView, regions: &Regions) {
    let (top, blocks, txs) = regions.overview(view.focus);
    if regions.tier > Tier::Compact && top.height > 3 {
        let left = Rect { width: top.width / 2, ..top };
        let right = Rect { x: top.x + left.width, width: top.width - left.width, ..top };
        draw_index(canvas, cx, regions, left);
        draw_activity(canvas, view, regions, right);
    }
    let listing = Listing {
        pane: blocks,
        place: 0,
        title: "Newest blocks".to_owned(),
        is_focused: view.focus == Pane::First,
        empty: "nothing is indexed yet",
        is_sifted: false,
    };
    block::draw_rows(canvas, cx, regions, &view.blocks, &listing);
    let listing = Listing {
        pane: txs,
        place: 1,
        title: "Newest transactions".to_owned(),
        is_focused: view.focus == Pane::Second,
        empty: "no transactions yet",
        is_sifted: false,
    };
    tx::draw_rows(canvas, cx, regions, &view.txs, List::Txs, &listing);
}

fn draw_index(canvas: &mut Canvas<'_>, cx: &Drawing<'_>, regions: &Regions, pane: Rect) {
    canvas.frame(pane, regions.tier, false, vec![(Meaning::Heading, "Index".to_owned())], Vec::new());
    let area = regions.inner(pane);
    let Some(status) = cx.chain.status.value() else {
        canvas.text(row(area, 0), Meaning::Muted, &format!(" {} asking for the status…", spinner(cx)));
        return;
    };
    let height = status.height.get();
    let tip = cx.chain.expected_tip(cx.now).unwrap_or(height).max(height);
    let samples = &cx.chain.samples;
    let mut lines = gauge("blocks", height, tip, &slope(samples, |sample| sample.height, height, tip));
    match status.internal_tx_height {
        Some(internal) => lines.extend(gauge(
            "internal",
            internal,
            height,
            &slope(samples, |sample| sample.internal, internal, height),
        )),
        None if cx.network.vm.is_some_and(|vm| vm != Vm::Evm) => {
            lines.push(absent("internal", "only EVM rollups have internal calls"));
        }
        None => lines.push(absent("internal", "not given by this server")),
    }
    match status.rich_list_height {
        Some(rich) => {
            lines.extend(gauge("rich list", rich, height, &slope(samples, |sample| sample.rich_list, rich, height)));
        }
        None => lines.push(absent("rich list", "not given by this server")),
    }
    lines.push(history(cx, height));
    let version = if status.version.is_empty() { "unknown" } else { &status.version };
    lines.push(vec![
        label("version"),
        (Meaning::Text, text::clip(version, 24)),
        (Meaning::Muted, format!("  {}", text::clip(&status.commit_hash, 12))),
    ]);
    for (place, line) in lines.into_iter().enumerate() {
        canvas.parts(row(area, u16::try_from(place).unwrap_or(u16::MAX)), line);
    }
}

fn label(name: &str) -> Part {
    (Meaning::Key, format!(" {name:<10} "))
}

fn absent(name: &str, why: &str) -> Vec<Part> {
    vec![label(name), (Meaning::Muted, why.to_owned())]
}

/// A bar of how far something came, and a line of how fast it goes.
fn gauge(name: &str, reached: u64, of: u64, pace: &str) -> Vec<Vec<Part>> {
    let eighths =
        usize::try_from(reached.saturating_mul(GAUGE as u64).checked_div(of).unwrap_or(0)).unwrap_or(0).min(GAUGE);
    let bar = format!("{}{}", "█".repeat(eighths), "░".repeat(GAUGE - eighths));
    let behind = of.saturating_sub(reached);
    let (meaning, state) = match behind {
        0 => (Meaning::Good, "at the tip".to_owned()),
        _ => (if behind > 10 { Meaning::Warning } else { Meaning::Text }, format!("{} behind", text::group(behind))),
    };
    vec![
        vec![
            label(name),
            (meaning, bar),
            (Meaning::Number, format!(" {}", text::group(reached))),
            (meaning, format!("  {state}")),
        ],
        vec![(Meaning::Muted, format!("{:12}{pace}", ""))],
    ]
}

/// How fast a height moved over the samples, and when it will have caught up.
fn slope(
    samples: &std::collections::VecDeque<Sample>,
    of: impl Fn(&Sample) -> u64,
    reached: u64,
    target: u64,
) -> String {
    let (Some(first), Some(last)) = (samples.front(), samples.back()) else { return String::new() };
    let span = last.at.since(first.at);
    if span < Duration::from_secs(2) {
        return "measuring its pace…".to_owned();
    }
    let millis = u64::try_from(span.as_millis()).unwrap_or(u64::MAX).max(1);
    let moved = of(last).saturating_sub(of(first));
    let tenths = (moved.saturating_mul(10_000) + millis / 2) / millis;
    let behind = target.saturating_sub(reached);
    let sentence = format!("{}.{} blocks/s over {}", tenths / 10, tenths % 10, age(span));
    match behind.saturating_mul(millis).checked_div(moved) {
        Some(wait) if behind > 10 => format!("{sentence}, there in ≈ {}", age(Duration::from_millis(wait))),
        _ => sentence,
    }
}

/// From which height the index holds blocks; while it moves, the index is filling up.
fn history(cx: &Drawing<'_>, height: u64) -> Vec<Part> {
    let Some(oldest) = cx.chain.oldest.value().and_then(|block| block.as_ref()).map(|block| block.height.get()) else {
        return vec![label("holds"), (Meaning::Muted, "…".to_owned())];
    };
    let range = format!("{} to {}", text::group(oldest), text::group(height));
    let (meaning, state) = match oldest {
        1 => (Meaning::Good, "  complete".to_owned()),
        _ if is_filling(&cx.chain.samples) => (Meaning::Warning, "  catching up with older blocks".to_owned()),
        _ => (Meaning::Muted, "  older blocks are not indexed".to_owned()),
    };
    vec![label("holds"), (Meaning::Number, range), (meaning, state)]
}

fn is_filling(samples: &std::collections::VecDeque<Sample>) -> bool {
    let mut recent = samples.iter().rev().map(|sample| sample.oldest).filter(|oldest| *oldest > 0).take(4);
    recent.next().is_some_and(|newest| recent.any(|before| before > newest))
}

fn draw_activity(canvas: &mut Canvas<'_>, view: &OverviewView, regions: &Regions, pane: Rect) {
    canvas.frame(pane, regions.tier, false, vec![(Meaning::Heading, "Activity".to_owned())], Vec::new());
    let area = regions.inner(pane);
    if view.blocks.rows().is_empty() {
        return;
    }
    let millis = |block: &BlockRow| u64::try_from(block.0.block_time).unwrap_or(0);
    draw_strip(canvas, row(area, 0), view, "block time", millis, |value| {
        let tenths = (value + 50) / 100;
        format!("{}.{} s", tenths / 10, tenths % 10)
    });
    draw_strip(canvas, row(area, 1), view, "txs/block", |block| block.0.tx_count, text::group);
    draw_failures(canvas, row(area, 2), view);
    let counts = message_mix(view.txs.rows().iter());
    let most = counts.first().map_or(1, |(_, count)| *count).max(1);
    let width = usize::from(area.width).saturating_sub(28).clamp(16, 30);
    for (place, (kind, count)) in counts.into_iter().enumerate() {
        let line = row(area, u16::try_from(place + 3).unwrap_or(u16::MAX));
        let name = if place == 0 { label("messages") } else { (Meaning::Text, " ".repeat(12)) };
        let bar = "▪".repeat((count * 10).div_ceil(most));
        canvas.parts(
            line,
            [
                name,
                (Meaning::Kind, format!("{:<width$}", text::clip(&kind, width))),
                (Meaning::Number, format!("{count:>4} ")),
                (Meaning::Muted, bar),
            ],
        );
    }
}

/// One bar a block, the newest at the right; the selected block's bar is marked and a click selects.
fn draw_strip(
    canvas: &mut Canvas<'_>,
    area: Rect,
    view: &OverviewView,
    name: &str,
    value: impl Fn(&BlockRow) -> u64,
    write: impl Fn(u64) -> String,
) {
    let room = usize::from(area.width).saturating_sub(22);
    let blocks: Vec<&BlockRow> = view.blocks.rows().iter().take(room).collect();
    let most = blocks.iter().map(|block| value(block)).max().unwrap_or(0);
    canvas.parts(area, [label(name)]);
    for (place, block) in blocks.iter().enumerate() {
        let level = (value(block).saturating_mul(7)).checked_div(most).unwrap_or(0);
        let bar = if value(block) == 0 { ' ' } else { BARS[usize::try_from(level).unwrap_or(0).min(7)] };
        let x = area.x + 12 + u16::try_from(blocks.len() - 1 - place).unwrap_or(0);
        let cell = Rect::new(x, area.y, 1, area.height.min(1));
        canvas.text(cell, Meaning::Link, &bar.to_string());
        if place == view.blocks.cursor() {
            canvas.mark_row(cell, true);
        }
        canvas.hit(cell, Hit::Row(0, place));
    }
    let newest = blocks.first().map_or(0, |block| value(block));
    canvas.parts_right(area, vec![(Meaning::Muted, format!("{} ", write(newest)))]);
}

fn draw_failures(canvas: &mut Canvas<'_>, area: Rect, view: &OverviewView) {
    let sample = view.txs.rows().len();
    let failed = view.txs.rows().iter().filter(|row| !row.tx.is_success()).count();
    let permille = (failed * 1000).checked_div(sample).unwrap_or(0);
    let share = format!("{}.{} %", permille / 10, permille % 10);
    let meaning = if failed == 0 { Meaning::Good } else { Meaning::Bad };
    canvas.parts(
        area,
        [label("failed"), (meaning, share), (Meaning::Muted, format!("  {failed} of {sample} newest txs"))],
    );
}

/// How often each message type comes among these transactions, most frequent first.
fn message_mix<'a>(rows: impl Iterator<Item = &'a TxRow>) -> Vec<(String, usize)> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for kind in rows.flat_map(|row| &row.headline.types) {
        *counts.entry(kind.short()).or_default() += 1;
    }
    let mut counts: Vec<_> = counts.into_iter().map(|(kind, count)| (kind.to_owned(), count)).collect();
    counts.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    counts
}
