//! Charts of the newest blocks, above the failures among the newest transactions.

use std::{collections::BTreeMap, sync::Arc};

use ratatui::layout::Rect;

use super::{OverviewPage, draw::label, failures, index::LABEL};
use crate::{
    app::{format::age, page::Drawing},
    config::Meaning,
    domain::{Height, text},
    panes::rows::BlockRow,
    widgets::{
        bars::{BarChart, ChartBar},
        canvas::{Canvas, Part, row, width_of},
        layout::{Pane, Regions, Tier, cut_columns, cut_rows},
    },
    wire::Block,
};

/// Rows of the charts on a low screen: one strip each for block time and transactions.
const STRIPS: u16 = 2;
/// Rows of the pane from which transactions have a chart with a scale, and gas a strip.
const CHART_FROM: u16 = 12;
/// Rows of the pane from which that chart is higher.
const HIGH_CHART_FROM: u16 = 16;

/// Rows of the bars of transactions, with an axis below and a strip of gas; 0 for a strip of transactions alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct ChartRows(u16);

impl ChartRows {
    fn of(height: u16) -> Self {
        match height {
            HIGH_CHART_FROM.. => Self(5),
            CHART_FROM.. => Self(3),
            _ => Self(0),
        }
    }

    fn all(self) -> u16 {
        if self.0 == 0 { STRIPS } else { self.0 + 3 }
    }
}

pub(super) fn draw(canvas: &mut Canvas<'_>, cx: &Drawing<'_>, page: &OverviewPage, area: Rect) {
    let regions = cx.regions;
    let inside = regions.inner(area);
    let charts = Charts::of(page, &cx.context.chain.recent, inside);
    let left = vec![(Meaning::Heading, "Activity".to_owned())];
    canvas.frame(area, regions.tier, page.types.has_focus, left, charts.window());
    if charts.blocks.is_empty() {
        return;
    }
    let rows = ChartRows::of(inside.height);
    let mut next = 0;
    let mut take = |height: u16| {
        let taken = Rect { height, ..row(inside, next) };
        next += height;
        taken
    };
    if rows.0 > 0 {
        charts.draw_txs(canvas, take(rows.0 + 1));
        charts.draw_strip(canvas, take(1), "gas", |block| block.gas_used, text::group);
    }
    charts.draw_strip(canvas, take(1), "block time", millis, |value| {
        let tenths = (value + 50) / 100;
        format!("{}.{} s", tenths / 10, tenths % 10)
    });
    if rows.0 == 0 {
        charts.draw_strip(canvas, take(1), "txs/block", |block| block.tx_count, text::group);
    }
    failures::draw(canvas, cut_rows(inside, rows.all()).1, &page.txs, &page.types);
}

fn millis(block: &Block) -> u64 {
    u64::try_from(block.block_time).unwrap_or(0)
}

/// Returns the columns right of the bars: for the value of the selected block, in a wide pane also for the largest.
fn figures(area: Rect) -> u16 {
    if area.width < 80 { 11 } else { 19 }
}

/// Returns the area of failure rate, causes and message types, if it fits.
pub(super) fn failures_area(regions: &Regions, focus: Pane) -> Option<Rect> {
    let (top, ..) = regions.overview(focus);
    let inside = regions.inner(cut_columns(top, top.width / 2).1);
    let is_shown = regions.tier > Tier::Compact && top.height > 3;
    is_shown.then(|| cut_rows(inside, ChartRows::of(inside.height).all()).1)
}

/// Newest blocks, whichever the list beside them holds, newest first and over the same columns.
struct Charts<'a> {
    page: &'a OverviewPage,
    blocks: Vec<Option<&'a Block>>,
    newest: u64,
    failed: BTreeMap<Height, u64>,
}

impl<'a> Charts<'a> {
    fn of(page: &'a OverviewPage, recent: &'a BTreeMap<Height, Arc<Block>>, inside: Rect) -> Self {
        let room = u64::from(Self::bars(inside).width);
        let newest = recent.last_key_value().map_or(0, |(height, _)| height.get());
        let oldest = recent.keys().map(|height| height.get()).find(|height| newest - height < room).unwrap_or(newest);
        let heights = (oldest..=newest).rev().filter_map(Height::new);
        let blocks = heights.map(|height| recent.get(&height).map(AsRef::as_ref)).collect();
        let mut failed = BTreeMap::new();
        for tx in page.txs.rows().iter().filter(|row| !row.tx.is_success() && !row.tx.is_injected()) {
            *failed.entry(tx.tx.height).or_default() += 1;
        }
        Self { page, blocks, newest, failed }
    }

    fn bars(area: Rect) -> Rect {
        let width = area.width.saturating_sub(LABEL + figures(area));
        Rect { x: area.x + LABEL.min(area.width), width, ..area }
    }

    /// Returns the columns right of the bars.
    fn figures(area: Rect) -> Rect {
        Rect { x: Self::bars(area).right(), width: figures(area).min(area.width), ..area }
    }

    fn chart<'b>(&self, bars: &'b [Option<ChartBar>], most: u64, area: Rect) -> BarChart<'b> {
        BarChart { bars, most, cursor: self.cursor(), scale: LABEL, values: figures(area) }
    }

    /// Returns the column of the block under the cursor; beyond all columns for an older one.
    fn cursor(&self) -> usize {
        let height = self.page.blocks.selected().map(|row| row.0.height.get());
        let back = height.and_then(|height| self.newest.checked_sub(height));
        back.and_then(|back| usize::try_from(back).ok()).unwrap_or(usize::MAX)
    }

    /// Returns the row of the list that a click on a column selects; `None` if the list lacks its block.
    fn shown_place(&self, column: usize) -> Option<usize> {
        let height = self.newest.saturating_sub(column as u64);
        let is_it = |row: &BlockRow| row.0.height.get() == height;
        let held = self.page.blocks.rows().listed().position(|row| row.read().is_some_and(is_it));
        held.map(|held| self.page.blocks.shown_place(held))
    }

    /// Returns the number of blocks and the time that they took, for the title.
    fn window(&self) -> Vec<Part> {
        let known = || self.blocks.iter().flatten();
        let Some((newest, oldest)) = known().next().zip(known().last()).filter(|_| self.blocks.len() > 1) else {
            return Vec::new();
        };
        let blocks = text::count(self.blocks.len(), "block");
        if newest.timestamp < oldest.timestamp {
            return vec![(Meaning::Warning, format!("{blocks}, times run backwards"))];
        }
        vec![(Meaning::Muted, format!("{blocks} in {}", age(newest.timestamp.since(oldest.timestamp))))]
    }

    fn values(&self, value: impl Fn(&Block) -> u64) -> (Vec<Option<ChartBar>>, u64) {
        let bars: Vec<Option<ChartBar>> =
            self.blocks.iter().map(|block| block.map(|block| ChartBar::from(value(block)))).collect();
        let most = bars.iter().flatten().map(|bar| bar.value).max().unwrap_or(0);
        (bars, most)
    }

    /// Draws one bar per block, with what the selected block has and the largest value at the right.
    fn draw_strip(
        &self,
        canvas: &mut Canvas<'_>,
        area: Rect,
        name: &str,
        value: impl Fn(&Block) -> u64,
        write: impl Fn(u64) -> String,
    ) {
        let (bars, most) = self.values(value);
        self.chart(&bars, most, area).draw_strip(canvas, area, label(name), |column| self.shown_place(column));
        let selected = bars.get(self.cursor()).or(bars.first()).copied().flatten();
        let selected = selected.map_or_else(String::new, |bar| write(bar.value));
        Self::draw_figures(canvas, area, &selected, &write(most));
    }

    /// Draws the value of the selected block, and the largest where there is room.
    fn draw_figures(canvas: &mut Canvas<'_>, area: Rect, selected: &str, most: &str) {
        let most = format!(" of {most}");
        let mut parts = vec![(Meaning::Number, format!(" {selected:>9}")), (Meaning::Muted, most)];
        if width_of(&parts) > figures(area) {
            parts.truncate(1);
        }
        canvas.parts(Self::figures(area), parts);
    }

    /// Draws the transactions per block with a scale at the left and the heights below.
    fn draw_txs(&self, canvas: &mut Canvas<'_>, area: Rect) {
        let (mut bars, most) = self.values(|block| block.tx_count);
        for (bar, block) in bars.iter_mut().zip(&self.blocks) {
            if let (Some(bar), Some(block)) = (bar, block) {
                bar.failed = self.failed.get(&block.height).copied().unwrap_or(0);
            }
        }
        let height = |block: Option<&&Block>| block.map(|block| text::group(block.height.get())).unwrap_or_default();
        let newest = height(self.blocks.iter().flatten().next());
        let oldest = height(self.blocks.iter().flatten().last());
        let shown_place = |column| self.shown_place(column);
        let scale = ["0", &*text::group(most)];
        self.chart(&bars, most, area).draw(canvas, area, label("txs"), scale, [&oldest, &newest], shown_place);
        let selected = bars.get(self.cursor()).or(bars.first()).copied().flatten().unwrap_or_default();
        Self::draw_figures(canvas, row(area, 0), &text::group(selected.value), &text::group(most));
        if selected.failed > 0 {
            let failed = format!(" {:>7} ✗ ", text::group(selected.failed));
            canvas.parts(Self::figures(row(area, 1)), vec![(Meaning::Bad, failed)]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn charts_leave_rows_for_the_failures() {
        for height in 0..40 {
            let rows = ChartRows::of(height);
            assert!(rows.all() <= STRIPS.max(height / 2), "{height}: {rows:?}");
        }
    }
}
