//! Draws every picker: a frame, the input, the rows around the selection, and lines below.

use ratatui::layout::{Position, Rect};

use super::{AnyPicker as _, Pickable, Picker, PickerRow};
use crate::{
    config::Meaning,
    widgets::{
        canvas::{Canvas, Part, centered, row},
        input::draw_input,
        overlay::open,
    },
};

#[derive(Debug)]
pub(crate) struct PickerLook<'a> {
    pub(crate) title: &'a str,
    /// Keys shown in the frame's top right corner.
    pub(crate) hint: &'a str,
    /// Text before the input.
    pub(crate) prompt: &'a str,
    /// Preferred columns of the frame.
    pub(crate) width: u16,
    /// Maximum visible rows; `None` shows all that fit.
    pub(crate) rows: Option<usize>,
    /// Minimum visible rows.
    pub(crate) least: u16,
    /// Line between input and rows.
    pub(crate) above: Option<Part>,
    /// Text in place of the rows of an empty list.
    pub(crate) empty: Option<Part>,
    pub(crate) below: Vec<Part>,
    /// Whether the picker lies in the upper part of the screen instead of its middle.
    pub(crate) is_high: bool,
}

impl<'a> PickerLook<'a> {
    pub(crate) fn new(title: &'a str, hint: &'a str, prompt: &'a str) -> Self {
        Self {
            title,
            hint,
            prompt,
            width: 84,
            rows: None,
            least: 2,
            above: None,
            empty: None,
            below: Vec::new(),
            is_high: false,
        }
    }
}

type RowParts = (Vec<Part>, Vec<Part>);

/// Draws the picker; `parts` formats a row for its columns. Returns the input's cursor position.
pub(crate) fn draw<T: Pickable>(
    canvas: &mut Canvas<'_>,
    area: Rect,
    picker: &Picker<T>,
    look: &PickerLook<'_>,
    parts: impl Fn(&PickerRow<'_, T>, usize) -> RowParts,
) -> Option<Position> {
    let lines = |count: usize| u16::try_from(count).unwrap_or(u16::MAX);
    let head = u16::from(picker.has_input()) + u16::from(look.above.is_some());
    let below = lines(look.below.len());
    let height = lines(look.rows.unwrap_or(picker.count())).saturating_add(2 + head + below);
    let least = 2 + head + look.least + below;
    let place = centered(area, look.width, height.clamp(least, area.height.saturating_sub(2).max(least)));
    let place = if look.is_high {
        Rect { y: area.y + (area.height / 6).min(area.height.saturating_sub(place.height)), ..place }
    } else {
        place
    };
    let inner = open(canvas, place, look.title, look.hint);
    let position = picker.has_input().then(|| draw_input(canvas, row(inner, 0), look.prompt, &picker.input));
    if let Some((meaning, text)) = &look.above {
        canvas.text(row(inner, head - 1), *meaning, text);
    }
    let room = usize::from(inner.height.saturating_sub(head + below));
    let first = (picker.marked().unwrap_or(0) + 1).saturating_sub(room);
    for (line, shown) in (head..).zip(picker.rows().skip(first).take(room)) {
        draw_row(canvas, row(inner, line), &shown, parts(&shown, usize::from(inner.width)));
    }
    if let (0, Some((meaning, text))) = (picker.count(), &look.empty) {
        canvas.text(row(inner, head), *meaning, text);
    }
    for (line, (meaning, text)) in (inner.height.saturating_sub(below)..).zip(&look.below) {
        canvas.text(row(inner, line), *meaning, text);
    }
    position
}

fn draw_row<T>(canvas: &mut Canvas<'_>, line: Rect, row: &PickerRow<'_, T>, (left, right): RowParts) {
    let used = canvas.parts_right(line, right);
    let tick = row.is_ticked.map(|is_ticked| (Meaning::Shortcut, if is_ticked { "[x] " } else { "[ ] " }.to_owned()));
    canvas.parts(Rect { width: line.width.saturating_sub(used), ..line }, tick.into_iter().chain(left));
    if row.is_marked {
        canvas.mark_row(line, true);
    }
}
