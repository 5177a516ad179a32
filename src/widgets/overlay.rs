//! Frames that overlay a screen.

use ratatui::layout::Rect;

use super::{canvas::Canvas, layout::Tier};
use crate::config::Meaning;

/// Clears the area, draws a frame with a title and the closing key, and returns its inside.
pub(crate) fn open(canvas: &mut Canvas<'_>, area: Rect, title: &str, hint: &str) -> Rect {
    canvas.clear(area);
    canvas.frame(
        area,
        Tier::Normal,
        true,
        vec![(Meaning::Heading, title.to_owned())],
        vec![(Meaning::Muted, hint.to_owned())],
    );
    Rect::new(
        area.x + 1.min(area.width),
        area.y + 1.min(area.height),
        area.width.saturating_sub(2),
        area.height.saturating_sub(2),
    )
}
