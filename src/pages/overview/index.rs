//! Gauges of how far the index came.

use std::{collections::VecDeque, time::Duration};

use ratatui::layout::Rect;

use super::draw::label;
use crate::{
    app::{chain::StatusSample, format::age, page::Drawing},
    config::Meaning,
    domain::{Vm, text},
    panes::hints::spinner,
    widgets::canvas::{Canvas, Part, row},
};

/// Columns of a gauge's bar.
const GAUGE: usize = 8;

/// How far the index came, how fast it goes, and what it holds.
pub(super) fn draw(canvas: &mut Canvas<'_>, cx: &Drawing<'_>, pane: Rect) {
    canvas.frame(pane, cx.regions.tier, false, vec![(Meaning::Heading, "Index".to_owned())], Vec::new());
    let area = cx.regions.inner(pane);
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
fn slope(samples: &VecDeque<StatusSample>, of: impl Fn(&StatusSample) -> u64, reached: u64, target: u64) -> String {
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

fn is_filling(samples: &VecDeque<StatusSample>) -> bool {
    let mut recent = samples.iter().rev().map(|sample| sample.oldest).filter(|oldest| *oldest > 0).take(4);
    recent.next().is_some_and(|newest| recent.any(|before| before > newest))
}
