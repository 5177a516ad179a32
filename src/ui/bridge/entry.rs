//! What is typed and chosen for the bridge screens.

use ratatui::layout::{Position, Rect};

use crate::{
    app::modal::{Choice, Entry, Pick},
    config::Meaning,
    domain::text::{clip, wrap},
    widgets::{
        canvas::{Canvas, Part, centered, row},
        input::draw_input,
        overlay::open,
        picker::{self, PickerLook},
    },
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
pub(in crate::ui) fn draw_pick(canvas: &mut Canvas<'_>, area: Rect, pick: &Pick) -> Option<Position> {
    let hint = match pick.picker.count() {
        0 => "nothing listed: what is typed is taken as it is",
        _ => "others are taken as typed",
    };
    let look = PickerLook {
        width: WIDTH,
        below: vec![(Meaning::Muted, hint.to_owned())],
        ..PickerLook::new(&pick.title, "Enter chooses · Esc leaves", "› ")
    };
    picker::draw(canvas, area, &pick.picker, &look, |row, width| {
        let parts = if row.is_typed {
            let typed = clip(&row.item.value, width.saturating_sub(14));
            vec![(Meaning::Muted, "  as typed  ".to_owned()), (Meaning::Kind, typed)]
        } else {
            parts(row.item, width)
        };
        (parts, Vec::new())
    })
}

fn parts(choice: &Choice, width: usize) -> Vec<Part> {
    let label = clip(&choice.label, 24);
    let room = width.saturating_sub(2 + 24 + 1);
    vec![(Meaning::Kind, format!("  {label:<24} ")), (Meaning::Muted, clip(&choice.detail, room))]
}
