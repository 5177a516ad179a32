//! One-line text input.

use ratatui::layout::{Position, Rect};
use tui_input::{Input, InputRequest};
use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

use super::canvas::Canvas;
use crate::config::{Key, KeyCode, Meaning};

/// Maximum bytes of typed text.
const MOST: usize = 4000;

/// Applies an editing key; returns whether the text may have changed.
pub(crate) fn edit(input: &mut Input, key: Key) -> bool {
    let request = match (key.code, key.ctrl, key.alt) {
        (KeyCode::Char('u'), true, _) => InputRequest::DeleteFromStart,
        (KeyCode::Char('w'), true, _) | (KeyCode::Backspace, _, true) => InputRequest::DeletePrevWord,
        (KeyCode::Char('k'), true, _) => InputRequest::DeleteTillEnd,
        (KeyCode::Char('a'), true, _) | (KeyCode::Home, ..) => InputRequest::GoToStart,
        (KeyCode::Char('e'), true, _) | (KeyCode::End, ..) => InputRequest::GoToEnd,
        (KeyCode::Char('h'), true, _) | (KeyCode::Backspace, ..) => InputRequest::DeletePrevChar,
        (KeyCode::Char('d'), true, _) | (KeyCode::Delete, ..) => InputRequest::DeleteNextChar,
        (KeyCode::Left, true, _) | (KeyCode::Char('b'), _, true) => InputRequest::GoToPrevWord,
        (KeyCode::Right, true, _) | (KeyCode::Char('f'), _, true) => InputRequest::GoToNextWord,
        (KeyCode::Left, ..) | (KeyCode::Char('b'), true, _) => InputRequest::GoToPrevChar,
        (KeyCode::Right, ..) | (KeyCode::Char('f'), true, _) => InputRequest::GoToNextChar,
        (KeyCode::Char(character), false, false) if input.value().len() < MOST => InputRequest::InsertChar(character),
        _ => return false,
    };
    input.handle(request).is_some_and(|change| change.value)
}

/// Inserts text at the cursor, up to `room` characters in all. One insertion keeps a long paste linear in time.
pub(crate) fn insert(input: &mut Input, text: &str, room: usize) {
    let text: String = text.chars().take(room.saturating_sub(input.value().chars().count())).collect();
    let cursor = input.cursor();
    let mut value: String = input.value().chars().take(cursor).collect();
    value.push_str(&text);
    value.extend(input.value().chars().skip(cursor));
    *input = Input::new(value).with_cursor(cursor + text.chars().count());
}

/// Draws an input after its prompt and returns its cursor's position.
pub(crate) fn draw_input(canvas: &mut Canvas<'_>, line: Rect, prompt: &str, input: &Input) -> Position {
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
