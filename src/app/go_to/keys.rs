use tui_input::Input;

use super::{
    super::{App, modal::Modal},
    GoTo,
};
use crate::{
    config::{Command, Key, KeyCode},
    domain::{several, text},
};

/// Characters that a paste may bring: a hundred hashes and what stands between them.
const PASTE: usize = 16_000;
/// Characters that an input without suggestions takes.
const SHORT_PASTE: usize = 2000;

impl App {
    pub(in crate::app) fn press_in_go_to(&mut self, key: Key) {
        let Some(Modal::GoTo(go_to)) = &mut self.modal else { return };
        match (key.code, key.ctrl) {
            (KeyCode::Esc, _) => self.close_go_to(),
            (KeyCode::Enter, _) => self.submit_go_to(),
            (KeyCode::Up | KeyCode::BackTab, _) | (KeyCode::Char('p'), true) => go_to.mark(-1),
            (KeyCode::Down | KeyCode::Tab, _) | (KeyCode::Char('n'), true) => go_to.mark(1),
            _ => self.edit(key),
        }
    }

    /// Puts a pasted text where the cursor is; with no input open, into the go-to input, whatever is read or chosen.
    pub(in crate::app) fn paste(&mut self, pasted: &str) {
        if self.modal_input().is_none() {
            self.act(Command::GoTo);
        }
        let is_go_to = matches!(self.modal, Some(Modal::GoTo(_)));
        let is_entry = matches!(self.modal, Some(Modal::Entry(_)));
        let Some(input) = self.modal_input() else { return };
        let clean = if is_go_to { one_line(pasted) } else { plain(pasted) };
        // A signed hook is as long as a transaction.
        let room = if is_go_to || is_entry { PASTE } else { SHORT_PASTE };
        insert(input, &clean, room);
        self.effects.redraw = true;
        self.input_changed();
    }

    /// Closes the input and stops its look-ups.
    pub(in crate::app) fn close_go_to(&mut self) {
        self.cancel_go_to();
        self.modal = None;
        self.effects.redraw = true;
    }
}

fn plain(pasted: &str) -> String {
    text::clean(pasted.trim()).into_owned()
}

/// Line breaks tell the things of a list apart; in one line a semicolon does.
fn one_line(pasted: &str) -> String {
    match several(pasted) {
        Some(several) => several.pieces.iter().map(|piece| piece.text.as_str()).collect::<Vec<_>>().join("; "),
        None => plain(pasted),
    }
}

/// In one step: key by key a long paste would cost its length squared.
fn insert(input: &mut Input, text: &str, room: usize) {
    let text: String = text.chars().take(room.saturating_sub(input.value().chars().count())).collect();
    let cursor = input.cursor();
    let mut value: String = input.value().chars().take(cursor).collect();
    value.push_str(&text);
    value.extend(input.value().chars().skip(cursor));
    *input = Input::new(value).with_cursor(cursor + text.chars().count());
}

impl GoTo {
    /// Moves the mark by whole rows, as the wheel does.
    pub(in crate::app) fn scroll(&mut self, rows: isize) {
        let last = self.suggestions.len().saturating_sub(1);
        self.marked =
            (!self.suggestions.is_empty()).then(|| self.marked.unwrap_or(0).saturating_add_signed(rows).min(last));
    }
}
