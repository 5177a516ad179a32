//! Dialog that writes the rows of a list to a file.

use ratatui::layout::{Position, Rect};
use strum::IntoEnumIterator as _;

use crate::{
    app::modal::{ExportDialog, ExportField, ExportState},
    config::Meaning,
    domain::{RowsFormat, rows_text, text},
    msg::Total,
    widgets::{
        canvas::{Canvas, Part, centered, row},
        input::draw_input,
        overlay::open,
    },
};

const WIDTH: u16 = 76;
/// Width of the fields' names, in terminal columns.
const NAMES: usize = 11;

pub(super) fn draw(canvas: &mut Canvas<'_>, area: Rect, dialog: &ExportDialog) -> Option<Position> {
    let room = usize::from(WIDTH.min(area.width).saturating_sub(4));
    let below = below(dialog, room);
    let fields = u16::try_from(ExportField::iter().count()).unwrap_or(u16::MAX);
    let height = fields + u16::try_from(below.len()).unwrap_or(u16::MAX) + 3;
    let inner = open(canvas, centered(area, WIDTH, height), "Export", hint(dialog));
    let mut cursor = None;
    for (place, field) in (0..).zip(ExportField::iter()) {
        let line = row(inner, place);
        let is_chosen = field == dialog.field && matches!(dialog.state, ExportState::Choosing | ExportState::Failed(_));
        let (name, choices) = match field {
            ExportField::Rows => ("rows", rows(dialog)),
            ExportField::Format => ("format", formats(dialog)),
            ExportField::Addresses => ("addresses", addresses(dialog)),
            ExportField::Path => ("file", Vec::new()),
        };
        let name = format!(" {name:<NAMES$}");
        if field == ExportField::Path {
            let position = draw_input(canvas, line, &name, &dialog.path);
            cursor = is_chosen.then_some(position);
        } else {
            canvas.parts(line, std::iter::once((Meaning::Shortcut, name)).chain(choices));
        }
        if is_chosen {
            canvas.mark_row(line, true);
        }
    }
    for (place, (meaning, line)) in (fields + 1..).zip(below) {
        canvas.text(row(inner, place), meaning, &format!(" {line}"));
    }
    cursor
}

fn hint(dialog: &ExportDialog) -> &'static str {
    match dialog.state {
        ExportState::Writing(..) => "Esc cancel",
        ExportState::Done(_) => "Esc close",
        _ if dialog.field == ExportField::Path => "Enter write · ↑↓ move · Esc close",
        _ => "Enter write · ↑↓ move · ←→ change · Esc close",
    }
}

fn choice(is_taken: bool, text: &str) -> [Part; 2] {
    let meaning = if is_taken { Meaning::Text } else { Meaning::Muted };
    [(meaning, format!("({}) {text}", if is_taken { '•' } else { ' ' })), (Meaning::Muted, "   ".to_owned())]
}

fn rows(dialog: &ExportDialog) -> Vec<Part> {
    let list = &dialog.list;
    let loaded = format!("loaded {}", text::group(list.loaded as u64));
    let all = match list.total {
        Total::Exact(total) => format!("all {}", text::group(total)),
        Total::About(total) => format!("all, ≈ {}", text::group(total)),
        Total::Unknown => "all".to_owned(),
    };
    let mut parts = choice(!dialog.is_whole, &loaded).to_vec();
    if list.whole.is_some() {
        parts.extend(choice(dialog.is_whole, &all));
        parts.push((Meaning::Muted, "a".to_owned()));
    }
    parts
}

fn formats(dialog: &ExportDialog) -> Vec<Part> {
    let choices = RowsFormat::iter().flat_map(|format| choice(format == dialog.format, &format.to_string()));
    choices.chain([(Meaning::Muted, "f".to_owned())]).collect()
}

fn addresses(dialog: &ExportDialog) -> Vec<Part> {
    let choices = [choice(!dialog.is_masked, "complete"), choice(dialog.is_masked, "masked")];
    choices.into_iter().flatten().chain([(Meaning::Muted, "m".to_owned())]).collect()
}

/// Returns the lines below the fields: the folder, the progress, or the end.
fn below(dialog: &ExportDialog, room: usize) -> Vec<Part> {
    let wrapped = |meaning, text: &str, most| -> Vec<Part> {
        text::wrap(text, room, most).into_iter().map(|line| (meaning, line)).collect()
    };
    match &dialog.state {
        ExportState::Choosing => wrapped(Meaning::Muted, &format!("in {}", dialog.folder), 2),
        ExportState::Failed(reason) => wrapped(Meaning::Bad, &format!("✗ {reason}"), 4),
        ExportState::Writing(rows, total) => {
            let of = match total {
                Total::Exact(total) => format!(" of {}", text::group(*total)),
                Total::About(total) => format!(" of ≈ {}", text::group(*total)),
                Total::Unknown => String::new(),
            };
            vec![(Meaning::Text, format!("reading: {}{of}", rows_text(*rows)))]
        }
        ExportState::Done(written) => {
            let path = text::clean(&written.path.display().to_string()).into_owned();
            let saved = format!("✓ {} · saved {path}", rows_text(written.rows));
            let notes = written.notes.iter().flat_map(|note| wrapped(Meaning::Warning, &format!("! {note}"), 3));
            wrapped(Meaning::Good, &saved, 3).into_iter().chain(notes).collect()
        }
    }
}
