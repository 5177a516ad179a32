//! Frames that overlay a screen.

use ratatui::layout::Rect;

use unicode_width::UnicodeWidthStr as _;

use super::{Hit, canvas::Canvas, layout::Tier};
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
    // The keys in the frame are buttons. A space stands on either side of them.
    let mut x = area.right().saturating_sub(u16::try_from(hint.width() + 2).unwrap_or(u16::MAX));
    for part in hint.split(" · ") {
        let width = u16::try_from(part.width()).unwrap_or(u16::MAX);
        let key = part.split(' ').next().unwrap_or_default().to_lowercase();
        if let Ok(key) = key.parse() {
            canvas.hit(Rect { x, width, height: 1, ..area }.intersection(area), Hit::Press(key));
        }
        x = x.saturating_add(width + 3);
    }
    Rect::new(
        area.x + 1.min(area.width),
        area.y + 1.min(area.height),
        area.width.saturating_sub(2),
        area.height.saturating_sub(2),
    )
}
