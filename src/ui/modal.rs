//! Drawing of overlays: inputs, menus, help, the inspector.

use ratatui::layout::{Position, Rect};
use tui_input::Input;
use unicode_width::UnicodeWidthStr as _;

use super::{chrome::shown, export, go_to, inspector, pickers};
use crate::{
    app::{
        App,
        modal::{ColumnsChooser, Modal, Palette, PaletteRow},
        page::Export,
        prompt::{CopyChoice, Prompt, TypeChoice},
    },
    config::Meaning,
    domain::text,
    widgets::{
        canvas::{Canvas, row},
        input::draw_input,
        layout::overlay,
        overlay::open,
        picker::{self, Picker, PickerLook},
    },
};

/// Terminal columns that the column chooser takes.
const COLUMNS_WIDTH: u16 = 64;

/// Draws the overlay; returns the position of the cursor in its input.
pub(super) fn draw(canvas: &mut Canvas<'_>, app: &App, area: Rect) -> Option<Position> {
    let modal = app.modal.as_ref()?;
    // A line of input, and the column chooser, belong to the page that stays legible behind them.
    if !matches!(modal, Modal::Prompt(Prompt::Find(_) | Prompt::Search(..)) | Modal::Columns(_)) {
        canvas.dim(Rect { height: area.height.saturating_sub(1), ..area });
    }
    match modal {
        Modal::GoTo(go_to) => go_to::draw(canvas, app, area, go_to),
        Modal::Palette(palette) => draw_palette(canvas, app, area, palette),
        Modal::Prompt(Prompt::Find(input)) => Some(draw_find(canvas, area, " find: ", input)),
        Modal::Prompt(Prompt::Search(prompt, input)) => Some(draw_find(canvas, area, prompt, input)),
        Modal::Prompt(Prompt::Types(picker)) => draw_types(canvas, area, picker),
        Modal::Prompt(Prompt::Denoms(picker)) => pickers::draw_denoms(canvas, area, picker),
        Modal::Prompt(Prompt::Entry(entry)) => Some(pickers::draw_entry(canvas, area, entry)),
        Modal::Prompt(Prompt::Pick(pick)) => pickers::draw_pick(canvas, area, pick),
        Modal::Columns(chooser) => {
            draw_columns(canvas, area, chooser);
            None
        }
        Modal::Copy(picker) => draw_copy(canvas, area, picker),
        Modal::Export(picker) => draw_export(canvas, area, picker, &app.context.folder),
        Modal::ExportRows(dialog) => export::draw(canvas, area, dialog),
        Modal::Help(lines) => {
            let inner = open(canvas, overlay(area), "Help", "Esc close");
            crate::widgets::document::draw::draw(canvas, inner, lines, true, 0);
            None
        }
        Modal::Inspector(inspector) => {
            inspector::draw(canvas, app, area, inspector);
            None
        }
    }
}

fn draw_palette(canvas: &mut Canvas<'_>, app: &App, area: Rect, palette: &Palette) -> Option<Position> {
    let picker = &palette.picker;
    let refused = palette.refused.as_ref().map(|hint| {
        let why = hint.refusal.as_deref().unwrap_or_default();
        format!("  {} is not available: {why}", hint.command)
    });
    let none = refused.unwrap_or_else(|| "  unknown command".to_owned());
    let look = PickerLook {
        rows: Some(picker.choices().len()),
        empty: Some((Meaning::Muted, none)),
        ..PickerLook::new("Commands", "Enter run · Esc close", ": ")
    };
    picker::draw(canvas, area, picker, &look, |row, _| {
        let parts = match row.item {
            PaletteRow::GoTo(target) => vec![(Meaning::Link, format!("  go to {}", target.understood))],
            PaletteRow::Line { told, .. } => vec![(Meaning::Link, format!("  {told}"))],
            PaletteRow::Command(command) => vec![
                (Meaning::Kind, format!("  {:<18}", command.to_string())),
                (Meaning::Shortcut, format!("{:<5} ", shown(app, *command))),
                (Meaning::Text, command.help().to_owned()),
            ],
        };
        (parts, Vec::new())
    })
}

fn draw_find(canvas: &mut Canvas<'_>, area: Rect, prompt: &str, input: &Input) -> Position {
    let line = row(area, area.height.saturating_sub(1));
    canvas.clear(line);
    draw_input(canvas, line, prompt, input)
}

fn draw_types(canvas: &mut Canvas<'_>, area: Rect, picker: &Picker<TypeChoice>) -> Option<Position> {
    let hint = if picker.count() == 0 || picker.rows().all(|row| row.is_typed) {
        "type a full name, such as cosmos.bank.v1beta1.MsgSend"
    } else if picker.ticked().next().is_none() {
        "no type marked: the list shows all transactions"
    } else {
        "server filters known types; rollscope filters the others"
    };
    let look = PickerLook {
        width: 76,
        below: vec![(Meaning::Muted, hint.to_owned())],
        ..PickerLook::new("Message types", "space mark · Enter apply · Esc leave", "f ")
    };
    picker::draw(canvas, area, picker, &look, |row, _| {
        let seen = match (row.is_typed, row.item.seen) {
            (true, _) => "  as typed".to_owned(),
            (false, 0) => String::new(),
            (false, seen) => format!("  {seen} here"),
        };
        (vec![(Meaning::Kind, text::clip(row.item.kind.as_str(), 56)), (Meaning::Muted, seen)], Vec::new())
    })
}

/// Draws the column chooser at the right, so that the list below stays visible.
fn draw_columns(canvas: &mut Canvas<'_>, area: Rect, chooser: &ColumnsChooser) {
    let rows = u16::try_from(chooser.rows().len()).unwrap_or(u16::MAX);
    let (width, height) = (COLUMNS_WIDTH.min(area.width), rows.saturating_add(4).min(area.height.saturating_sub(2)));
    let frame = Rect::new(area.right() - width, area.bottom().saturating_sub(height + 1), width, height);
    let inner = open(canvas, frame, &format!("Columns of {}", chooser.list()), "Enter keep · Esc discard");
    let room = usize::from(inner.height.saturating_sub(2));
    let first = (chooser.marked() + 1).saturating_sub(room);
    for (place, shown) in chooser.rows().iter().enumerate().skip(first).take(room) {
        let line = row(inner, u16::try_from(place - first).unwrap_or(u16::MAX));
        let tick = if shown.is_shown { "[x]" } else { "[ ]" };
        let is_shared = chooser.rows().iter().filter(|other| other.heading == shown.heading).count() > 1;
        let heading = if shown.heading.is_empty() || is_shared { shown.id } else { shown.heading };
        canvas.parts(
            line,
            [
                (Meaning::Shortcut, format!(" {tick} ")),
                (Meaning::Text, format!("{heading:<18} ")),
                (Meaning::Muted, shown.id.to_owned()),
            ],
        );
        if place == chooser.marked() {
            canvas.mark_row(line, true);
        }
    }
    let setting = text::clip(&format!(" {}", chooser.setting()), usize::from(inner.width));
    canvas.text(row(inner, inner.height.saturating_sub(1)), Meaning::Muted, &setting);
    canvas.text(row(inner, inner.height.saturating_sub(2)), Meaning::Muted, " y copies this line for config.toml:");
}

/// Draws the files and their folder. Nothing is written before Enter.
fn draw_export(canvas: &mut Canvas<'_>, area: Rect, picker: &Picker<Export>, folder: &str) -> Option<Position> {
    let look = PickerLook {
        width: 72,
        least: 0,
        below: text::wrap(&format!(" to {folder}"), 68, 2).into_iter().map(|line| (Meaning::Muted, line)).collect(),
        ..PickerLook::new("Write", "Enter write · m mask addresses · Esc leave", "")
    };
    picker::draw(canvas, area, picker, &look, |row, _| {
        let export = row.item;
        let lines = export.contents.lines().count();
        let size = format!("{}, {} bytes ", text::count(lines, "line"), text::group(export.contents.len() as u64));
        (vec![(Meaning::Text, format!(" {}", text::clip(&export.name, 44)))], vec![(Meaning::Muted, size)])
    })
}

fn draw_copy(canvas: &mut Canvas<'_>, area: Rect, picker: &Picker<CopyChoice>) -> Option<Position> {
    let look = PickerLook { width: 72, least: 0, ..PickerLook::new("Copy", "Esc close", "") };
    let widest = picker.choices().iter().map(|choice| choice.label.width()).max().unwrap_or_default();
    let label = (widest + 1).max(28);
    picker::draw(canvas, area, picker, &look, |row, _| {
        let choice = row.item;
        let parts = vec![
            (Meaning::Shortcut, format!(" {} ", choice.key)),
            (Meaning::Text, format!("{}{}", choice.label, " ".repeat(label - choice.label.width()))),
            (
                Meaning::Muted,
                text::clip(&choice.text.chars().take(120).collect::<String>(), 66_usize.saturating_sub(label)),
            ),
        ];
        (parts, Vec::new())
    })
}
