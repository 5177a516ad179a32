//! What lies over a screen: inputs, menus, help, the inspector.

use ratatui::layout::{Position, Rect};
use tui_input::Input;
use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

use super::{bridge, go_to, rich_list};
use crate::{
    app::{
        App,
        modal::{CopyChoice, Inspector, Modal, Palette, TypePicker},
        view::View,
    },
    config::Meaning,
    domain::text,
    widgets::{
        canvas::{Canvas, Part, centered, row},
        layout::{Tier, overlay},
    },
    wire::ExchangeOutcome,
};

/// Draws what lies over the screen; gives where the terminal's cursor belongs, if in an input.
pub(super) fn draw(canvas: &mut Canvas<'_>, app: &App, area: Rect) -> Option<Position> {
    match app.modal.as_ref()? {
        Modal::GoTo(go_to) => Some(go_to::draw(canvas, app, area, go_to)),
        Modal::Palette(palette) => Some(draw_palette(canvas, app, area, palette)),
        Modal::Find(input) => Some(draw_find(canvas, area, " find: ", input)),
        Modal::Search(input) => {
            let prompt = if matches!(app.navigation.current(), View::Nfts(_)) { " name: " } else { " token id: " };
            Some(draw_find(canvas, area, prompt, input))
        }
        Modal::Types(picker) => Some(draw_types(canvas, area, picker)),
        Modal::Denoms(picker) => Some(rich_list::draw_picker(canvas, area, picker)),
        Modal::Entry(entry) => Some(bridge::draw_entry(canvas, area, entry)),
        Modal::Pick(pick) => Some(bridge::draw_pick(canvas, area, pick)),
        Modal::Copy(choices) => {
            draw_copy(canvas, area, choices);
            None
        }
        Modal::Help(lines) => {
            let inner = open(canvas, overlay(area), "Help", "Esc closes");
            crate::widgets::document::draw::draw(canvas, inner, lines, true, 0);
            None
        }
        Modal::Inspector(inspector) => {
            draw_inspector(canvas, app, area, inspector);
            None
        }
    }
}

pub(super) fn open(canvas: &mut Canvas<'_>, area: Rect, title: &str, hint: &str) -> Rect {
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

/// An input line after a prompt; gives where its cursor is.
pub(super) fn draw_input(canvas: &mut Canvas<'_>, line: Rect, prompt: &str, input: &Input) -> Position {
    let used = u16::try_from(prompt.width()).unwrap_or(0).min(line.width);
    canvas.text(line, Meaning::Shortcut, prompt);
    let room = Rect { x: line.x + used, width: line.width - used, ..line };
    let scroll = input.visual_scroll(usize::from(room.width).saturating_sub(1));
    let mut skipped = 0;
    let shown: String = input
        .value()
        .chars()
        .skip_while(|character| {
            let before = skipped;
            skipped += character.width().unwrap_or(0);
            before < scroll
        })
        .collect();
    canvas.text(room, Meaning::Text, &shown);
    let column =
        u16::try_from(input.visual_cursor().saturating_sub(scroll)).unwrap_or(0).min(room.width.saturating_sub(1));
    Position::new(room.x + column, room.y)
}

fn draw_palette(canvas: &mut Canvas<'_>, app: &App, area: Rect, palette: &Palette) -> Position {
    let rows = u16::try_from(palette.most()).unwrap_or(u16::MAX).saturating_add(3);
    let place = centered(area, 84, rows.clamp(5, area.height.saturating_sub(4).max(5)));
    let inner = open(canvas, place, "Commands", "Enter runs · Esc closes");
    let position = draw_input(canvas, row(inner, 0), ": ", &palette.input);
    let rows = usize::from(inner.height.saturating_sub(1));
    let first = (palette.marked + 1).saturating_sub(rows);
    let target = palette.target.iter().map(|target| vec![(Meaning::Link, format!("  go to {}", target.understood))]);
    let commands = palette.matches.iter().map(|command| {
        let key = app.keymap.shown(app.layers(), *command).unwrap_or_default();
        vec![
            (Meaning::Kind, format!("  {:<18}", command.to_string())),
            (Meaning::Shortcut, format!("{key:<6}")),
            (Meaning::Text, command.help().to_owned()),
        ]
    });
    for (index, parts) in target.chain(commands).enumerate().skip(first).take(rows) {
        let line = row(inner, u16::try_from(index - first + 1).unwrap_or(u16::MAX));
        canvas.parts(line, parts);
        if index == palette.marked {
            canvas.mark_row(line, true);
        }
    }
    if palette.rows() == 0 {
        let why = palette.refused.as_ref().map(|hint| {
            let why = hint.refusal.as_deref().unwrap_or_default();
            format!("  {} cannot be done now: {why}", hint.command)
        });
        canvas.text(row(inner, 1), Meaning::Muted, why.as_deref().unwrap_or("  no such command"));
    }
    position
}

fn draw_find(canvas: &mut Canvas<'_>, area: Rect, prompt: &str, input: &Input) -> Position {
    let line = row(area, area.height.saturating_sub(1));
    canvas.clear(line);
    draw_input(canvas, line, prompt, input)
}

fn draw_types(canvas: &mut Canvas<'_>, area: Rect, picker: &TypePicker) -> Position {
    let matching = picker.matching();
    let height = u16::try_from(matching.len()).unwrap_or(u16::MAX).saturating_add(4);
    let place = centered(area, 76, height.clamp(6, area.height.saturating_sub(2).max(6)));
    let inner = open(canvas, place, "Message types", "space marks · Enter applies · Esc leaves");
    let position = draw_input(canvas, row(inner, 0), "f ", &picker.input);
    let rows = usize::from(inner.height.saturating_sub(2));
    let first = (picker.marked + 1).saturating_sub(rows);
    for (index, choice) in
        matching.iter().filter_map(|&place| picker.choices.get(place)).enumerate().skip(first).take(rows)
    {
        let line = row(inner, u16::try_from(index - first + 1).unwrap_or(u16::MAX));
        let mark = if choice.chosen { "[x] " } else { "[ ] " };
        let seen = if choice.seen == 0 { String::new() } else { format!("  {} here", choice.seen) };
        canvas.parts(
            line,
            [
                (Meaning::Shortcut, mark.to_owned()),
                (Meaning::Kind, text::clip(choice.kind.as_str(), 56)),
                (Meaning::Muted, seen),
            ],
        );
        if index == picker.marked {
            canvas.mark_row(line, true);
        }
    }
    let last = row(inner, inner.height.saturating_sub(1));
    let hint = if matching.is_empty() {
        "not seen yet: a full name such as cosmos.bank.v1beta1.MsgSend is taken as typed"
    } else if picker.chosen().is_empty() {
        "none marked: all transactions are shown"
    } else {
        "the server filters; unknown names are checked here"
    };
    canvas.text(last, Meaning::Muted, hint);
    position
}

fn draw_copy(canvas: &mut Canvas<'_>, area: Rect, choices: &[CopyChoice]) {
    let height = u16::try_from(choices.len()).unwrap_or(0) + 2;
    let inner = open(canvas, centered(area, 72, height), "Copy", "Esc closes");
    for (index, choice) in choices.iter().enumerate() {
        let line = row(inner, u16::try_from(index).unwrap_or(u16::MAX));
        canvas.parts(
            line,
            [
                (Meaning::Shortcut, format!(" {} ", choice.key)),
                (Meaning::Text, format!("{:<28}", choice.label)),
                (Meaning::Muted, text::clip(&choice.text.chars().take(120).collect::<String>(), 38)),
            ],
        );
    }
}

fn draw_inspector(canvas: &mut Canvas<'_>, app: &App, area: Rect, inspector: &Inspector) {
    if let Some(lines) = &inspector.detail {
        let inner = open(canvas, overlay(area), "Request", "y copies the line · Esc back");
        crate::widgets::document::draw::draw(canvas, inner, lines, true, 0);
        return;
    }
    let inner = open(canvas, overlay(area), "Requests", "Enter opens · y copies as curl · Esc closes");
    canvas.parts(row(inner, 0), latency(app));
    let rows = usize::from(inner.height.saturating_sub(1));
    let first = (inspector.marked + 1).saturating_sub(rows);
    for (index, exchange) in app.exchanges.iter().enumerate().skip(first).take(rows) {
        let line = row(inner, u16::try_from(index - first + 1).unwrap_or(u16::MAX));
        let outcome: Part = match &exchange.outcome {
            ExchangeOutcome::Status(status @ 200..300) => (Meaning::Good, format!(" {status}      ")),
            ExchangeOutcome::Status(status) => (Meaning::Bad, format!(" {status}      ")),
            ExchangeOutcome::Failed(_) => (Meaning::Bad, " failed   ".to_owned()),
            ExchangeOutcome::Cancelled => (Meaning::Muted, " cancelled".to_owned()),
        };
        let path = exchange.url.strip_prefix(app.network.indexer.as_str()).unwrap_or(&exchange.url);
        canvas.parts(
            line,
            [
                (Meaning::Muted, format!(" {}", exchange.at.clock())),
                outcome,
                (
                    Meaning::Number,
                    format!("{:>6} ms {:>9} B  ", exchange.elapsed.as_millis(), text::group(exchange.bytes)),
                ),
                (Meaning::Text, text::clip(path, 160)),
            ],
        );
        if index == inspector.marked {
            canvas.mark_row(line, true);
        }
    }
}

/// Median and slowest of what was answered.
fn latency(app: &App) -> Vec<Part> {
    let mut times: Vec<u128> = app
        .exchanges
        .iter()
        .filter(|exchange| matches!(exchange.outcome, ExchangeOutcome::Status(_)))
        .map(|exchange| exchange.elapsed.as_millis())
        .collect();
    times.sort_unstable();
    let Some(slowest) = times.last() else {
        return vec![(Meaning::Muted, " nothing was answered yet".to_owned())];
    };
    let median = times[times.len() / 2];
    vec![
        (Meaning::Muted, format!(" the last {}: half within ", app.exchanges.len())),
        (Meaning::Number, format!("{median} ms")),
        (Meaning::Muted, ", slowest ".to_owned()),
        (Meaning::Number, format!("{slowest} ms")),
    ]
}
