//! Column charts of eighth blocks, newest at the right: a strip is one row high, a chart several.

use ratatui::layout::Rect;

use super::canvas::Canvas;
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

impl Canvas<'_> {
    /// Draws bars, newest first, from the right; `most` fills the area's height. An unknown value has no bar, and one
    /// above 0 at least an eighth of a row.
    pub(crate) fn bars(&mut self, area: Rect, bars: &[Option<ChartBar>], most: u64) {
        for (place, bar) in bars.iter().enumerate() {
            let (Some(column), Some(bar)) = (column(area, place), bar) else { continue };
            let height = eighths(bar.value, most, area.height);
            let failed = eighths(bar.failed.min(bar.value), most, area.height);
            for from_bottom in 0..area.height {
                let filled = height.saturating_sub(u32::from(from_bottom) * 8).min(8);
                let cell = Rect { y: area.bottom() - 1 - from_bottom, height: 1, ..column };
                let meaning = if failed > u32::from(from_bottom) * 8 { Meaning::Bad } else { Meaning::Link };
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
