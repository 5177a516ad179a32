//! Column charts of eighth blocks, newest at the right: a strip is one row high, a chart several.

use ratatui::layout::Rect;

use unicode_width::UnicodeWidthStr as _;

use super::{
    canvas::{Canvas, Hit, Part, row},
    layout::{cut_columns, cut_rows},
};
use crate::config::Meaning;

const EIGHTHS: [&str; 9] = [" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"];

/// Value of one column.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ChartBar {
    pub(crate) value: u64,
    /// Share of the value that failed, drawn from the bottom.
    pub(crate) failed: u64,
}

impl From<u64> for ChartBar {
    fn from(value: u64) -> Self {
        Self { value, failed: 0 }
    }
}

/// Bars with room for a scale at the left and for values at the right.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BarChart<'a> {
    /// Newest first; `None` is unknown.
    pub(crate) bars: &'a [Option<ChartBar>],
    /// Value that fills the height.
    pub(crate) most: u64,
    /// Index of the selected bar.
    pub(crate) cursor: usize,
    /// Columns of the scale.
    pub(crate) scale: u16,
    /// Columns of the values.
    pub(crate) values: u16,
}

/// Returns the column of a bar, counted from the newest; `None` left of the area.
pub(crate) fn column(area: Rect, place: usize) -> Option<Rect> {
    let back = u16::try_from(place).ok().filter(|back| *back < area.width)?;
    Some(Rect { x: area.right() - 1 - back, width: 1, ..area })
}

/// Returns bars of one row as text, in the order of the values; `most` fills the row.
pub(crate) fn strip(values: &[u64], most: u64) -> String {
    let symbol = |value: &u64| usize::try_from(eighths(*value, most, 1)).ok().and_then(|height| EIGHTHS.get(height));
    values.iter().filter_map(symbol).copied().collect()
}

impl BarChart<'_> {
    /// Splits an area into scale, bars and values.
    pub(crate) fn split(&self, area: Rect) -> [Rect; 3] {
        let (scale, rest) = cut_columns(area, self.scale);
        let (bars, values) = cut_columns(rest, rest.width.saturating_sub(self.values));
        [scale, bars, values]
    }

    /// Draws bars of one row, with a name at the left.
    pub(crate) fn draw_strip(
        &self,
        canvas: &mut Canvas<'_>,
        area: Rect,
        name: Part,
        shown_place: impl Fn(usize) -> Option<usize>,
    ) {
        let [_, bars, _] = self.split(area);
        canvas.parts(area, [name]);
        canvas.bars(bars, self.bars, self.most);
        self.mark(canvas, bars, shown_place);
    }

    /// Draws bars above an axis. `least` and `most` stand at the scale's ends, `oldest` and `newest` below the bars.
    /// `shown_place` returns the row of the list that a click on a bar selects, if the list has it.
    pub(crate) fn draw(
        &self,
        canvas: &mut Canvas<'_>,
        area: Rect,
        name: Part,
        [least, most]: [&str; 2],
        ends: [&str; 2],
        shown_place: impl Fn(usize) -> Option<usize>,
    ) {
        let (chart, axis) = cut_rows(area, area.height.saturating_sub(1));
        canvas.parts(row(chart, 0), [name]);
        let [scale, bars, _] = self.split(chart);
        for place in 0..chart.height {
            let sign = if place == 0 { format!("{most} ┤") } else { " │".to_owned() };
            canvas.parts_right(row(scale, place), vec![(Meaning::Muted, sign)]);
        }
        canvas.bars(bars, self.bars, self.most);
        self.mark(canvas, bars, shown_place);
        self.draw_axis(canvas, axis, least, ends);
    }

    /// Draws the line below the bars with the names of its ends.
    fn draw_axis(&self, canvas: &mut Canvas<'_>, area: Rect, least: &str, [oldest, newest]: [&str; 2]) {
        let [scale, bars, _] = self.split(area);
        canvas.parts_right(scale, vec![(Meaning::Muted, format!("{least} └"))]);
        canvas.text(bars, Meaning::Muted, &"─".repeat(bars.width.into()));
        let start = column(bars, self.bars.len().saturating_sub(1)).map_or(bars, |first| Rect {
            x: first.x,
            width: bars.right() - first.x,
            ..bars
        });
        if usize::from(start.width) > oldest.width() + newest.width() + 2 {
            canvas.text(start, Meaning::Muted, oldest);
        }
        canvas.parts_right(start, vec![(Meaning::Muted, newest.to_owned())]);
    }

    /// Marks the selected bar, and lets a click select the row of a bar.
    fn mark(&self, canvas: &mut Canvas<'_>, area: Rect, shown_place: impl Fn(usize) -> Option<usize>) {
        for place in 0..self.bars.len() {
            let Some(column) = column(area, place) else { break };
            if place == self.cursor {
                canvas.mark_row(column, true);
            }
            if let Some(row) = shown_place(place) {
                canvas.hit(column, Hit::Row(0, row));
            }
        }
    }
}

impl Canvas<'_> {
    /// Draws bars, newest first, from the right; `most` fills the area's height. An unknown value is a point, and one
    /// above 0 at least an eighth of a row.
    pub(crate) fn bars(&mut self, area: Rect, bars: &[Option<ChartBar>], most: u64) {
        for (place, bar) in bars.iter().enumerate() {
            let Some(column) = column(area, place) else { break };
            let Some(bar) = bar else {
                let lowest = Rect { y: area.bottom().saturating_sub(1), height: area.height.min(1), ..column };
                self.text(lowest, Meaning::Muted, "·");
                continue;
            };
            let height = eighths(bar.value, most, area.height);
            let failed = eighths(bar.failed.min(bar.value), most, area.height);
            for from_bottom in 0..area.height {
                let filled = height.saturating_sub(u32::from(from_bottom) * 8).min(8);
                let cell = Rect { y: area.bottom() - 1 - from_bottom, height: 1, ..column };
                let meaning = if failed > u32::from(from_bottom) * 8 { Meaning::Bad } else { Meaning::Number };
                let symbol = usize::try_from(filled).ok().and_then(|filled| EIGHTHS.get(filled));
                self.text(cell, meaning, symbol.unwrap_or(&" "));
            }
        }
    }
}

/// Returns the height of a bar in eighths of a row.
fn eighths(value: u64, most: u64, rows: u16) -> u32 {
    let full = u32::from(rows) * 8;
    let height = u128::from(value.min(most)) * u128::from(full) / u128::from(most.max(1));
    u32::try_from(height).unwrap_or(full).max(u32::from(value > 0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_are_as_high_as_their_share_and_never_vanish() {
        assert_eq!([0, 1, 50, 100, 900].map(|value| eighths(value, 100, 3)), [0, 1, 12, 24, 24]);
        assert_eq!((eighths(7, 0, 3), eighths(0, 0, 3)), (1, 0));
        assert_eq!(eighths(u64::MAX, u64::MAX, 1), 8);
        assert_eq!(strip(&[0, 1, 2, 4], 4), " ▂▄█");
    }

    #[test]
    fn the_newest_bar_is_at_the_right_and_old_ones_fall_out_at_the_left() {
        let area = Rect::new(10, 2, 3, 4);
        assert_eq!(column(area, 0), Some(Rect::new(12, 2, 1, 4)));
        assert_eq!((column(area, 2), column(area, 3)), (Some(Rect::new(10, 2, 1, 4)), None));
    }
}
