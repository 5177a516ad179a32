//! What is typed and chosen for the bridge screens.

use ratatui::layout::{Position, Rect};

use crate::{
    app::bridge::{
        entry::Entry,
        pick::{Choice, Pick},
    },
    config::Meaning,
    domain::text::{clip, wrap},
    ui::modal::{draw_input, open},
    widgets::canvas::{Canvas, Part, centered, row},
};

/// Columns of a typed line's frame at the most.
const WIDTH: u16 = 84;

/// A line being typed; gives where its cursor is.
pub(in crate::ui) fn draw_entry(canvas: &mut Canvas<'_>, area: Rect, entry: &Entry) -> Position {
    let inner = open(canvas, centered(area, WIDTH, 5), &entry.prompt, "Enter applies · Esc leaves");
    let position = draw_input(canvas, row(inner, 0), "› ", &entry.input);
    let problem = entry.problem.as_deref().unwrap_or_default();
    for (place, line) in (1..).zip(wrap(problem, usize::from(inner.width), 2)) {
        canvas.text(row(inner, place), Meaning::Bad, &line);
    }
    position
}

/// A list that is narrowed by typing; gives where its cursor is.
pub(in crate::ui) fn draw_pick(canvas: &mut Canvas<'_>, area: Rect, pick: &Pick) -> Position {
    let height = u16::try_from(pick.rows()).unwrap_or(u16::MAX).saturating_add(4);
    let place = centered(area, WIDTH, height.clamp(6, area.height.saturating_sub(2).max(6)));
    let inner = open(canvas, place, &pick.title, "Enter chooses · Esc leaves");
    let position = draw_input(canvas, row(inner, 0), "› ", &pick.input);
    let rows = usize::from(inner.height.saturating_sub(2));
    let first = (pick.marked + 1).saturating_sub(rows);
    let width = usize::from(inner.width);
    let known = pick.matching().map(|choice| parts(choice, width));
    let typed = pick.typed().map(|typed| {
        vec![(Meaning::Muted, "  as typed  ".to_owned()), (Meaning::Kind, clip(typed, width.saturating_sub(14)))]
    });
    for (index, parts) in known.chain(typed).enumerate().skip(first).take(rows) {
        let line = row(inner, u16::try_from(index - first + 1).unwrap_or(u16::MAX));
        canvas.parts(line, parts);
        if index == pick.marked {
            canvas.mark_row(line, true);
        }
    }
    let hint =
        if pick.rows() == 0 { "nothing listed: what is typed is taken as it is" } else { "others are taken as typed" };
    canvas.text(row(inner, inner.height.saturating_sub(1)), Meaning::Muted, hint);
    position
}

fn parts(choice: &Choice, width: usize) -> Vec<Part> {
    let label = clip(&choice.label, 24);
    let room = width.saturating_sub(2 + 24 + 1);
    vec![(Meaning::Kind, format!("  {label:<24} ")), (Meaning::Muted, clip(&choice.detail, room))]
}
