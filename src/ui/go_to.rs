//! The go-to input: what was typed, what it was understood as, and what matches it.

use ratatui::layout::{Position, Rect};

use super::{
    chrome::spinner,
    modal::{draw_input, open},
};
use crate::{
    app::{
        App,
        go_to::{GoTo, Suggestion, word_for},
    },
    config::Meaning,
    domain::text,
    widgets::canvas::{Canvas, centered, row},
};

/// Columns of the box where there are as many.
const WIDTH: u16 = 92;

/// Draws the box; gives where the cursor is in its input.
pub(super) fn draw(canvas: &mut Canvas<'_>, app: &App, area: Rect, go_to: &GoTo) -> Position {
    let room = usize::from(area.width.min(WIDTH).saturating_sub(2));
    let problem =
        go_to.problem.as_ref().map(|problem| text::wrap(&format!("✗ {problem}"), room, 5)).unwrap_or_default();
    let below = u16::try_from(problem.len()).unwrap_or(0).max(1);
    let height = u16::try_from(go_to.suggestions.len()).unwrap_or(0) + 4 + below;
    let place = centered(area, WIDTH, height);
    let place = Rect { y: area.y + (area.height / 6).min(area.height.saturating_sub(place.height)), ..place };
    let inner = open(canvas, place, "Go to", "anything that has a page");
    let position = draw_input(canvas, row(inner, 0), "/ ", &go_to.input);
    let understood = match &go_to.understood {
        // Said below already.
        Some(_) if go_to.understood == go_to.problem => String::new(),
        Some(sentence) => text::clip(&format!("  → {sentence}"), room),
        None => "  a height · hash · address · denom · collection · collection/token · URL".to_owned(),
    };
    let meaning = if go_to.understood.is_some() { Meaning::Text } else { Meaning::Muted };
    canvas.text(row(inner, 1), meaning, &understood);
    let lines = inner.height.saturating_sub(2 + below);
    for (line, (place, suggestion)) in (2..2 + lines).zip(go_to.suggestions.iter().enumerate()) {
        draw_suggestion(canvas, row(inner, line), suggestion, go_to.marked == Some(place));
    }
    if problem.is_empty() {
        draw_state(canvas, app, row(inner, inner.height.saturating_sub(1)), go_to);
    }
    for (line, text) in (inner.height.saturating_sub(below)..).zip(&problem) {
        canvas.text(row(inner, line), Meaning::Bad, text);
    }
    position
}

/// Kind, name, and at the right where it is known from.
fn draw_suggestion(canvas: &mut Canvas<'_>, line: Rect, suggestion: &Suggestion, is_marked: bool) {
    let kind = word_for(&suggestion.targets);
    let source = canvas.parts_right(line, vec![(Meaning::Muted, format!(" {} ", suggestion.source))]);
    let room = Rect { width: line.width.saturating_sub(source), ..line };
    let name = text::clip(&suggestion.label, usize::from(room.width.saturating_sub(13)));
    canvas.parts(room, [(Meaning::Kind, format!("  {kind:<11}")), (Meaning::Link, name)]);
    if is_marked {
        canvas.mark_row(line, true);
    }
}

fn draw_state(canvas: &mut Canvas<'_>, app: &App, line: Rect, go_to: &GoTo) {
    if go_to.is_waiting() {
        let count = go_to.probes.len();
        canvas.text(line, Meaning::Muted, &format!("{} looking for {count} things that it may be…", spinner(app)));
    } else if go_to.is_choice() {
        canvas.text(line, Meaning::Warning, "all of these exist: choose with ↓ and Enter");
    }
}
