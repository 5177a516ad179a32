use crossterm::event::{
    Event as TerminalEvent, KeyCode as TerminalKey, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEventKind,
};

use crate::{
    app::Event,
    config::{Key, KeyCode},
    widgets::Hit,
};

/// Number of rows per notch of the wheel.
const WHEEL_ROWS: i32 = 3;

/// Translates a terminal event for the state machine; `None` if it is irrelevant. `hit_at` returns the target at a
/// column and row of the last screen.
pub(super) fn translate(event: TerminalEvent, hit_at: impl Fn(u16, u16) -> Option<Hit>) -> Option<Event> {
    match event {
        TerminalEvent::Key(key) => translate_key(key).map(Event::Key),
        TerminalEvent::Paste(text) => Some(Event::Paste(text)),
        TerminalEvent::Resize(columns, rows) => Some(Event::Resize(columns, rows)),
        TerminalEvent::FocusGained => Some(Event::Focus(true)),
        TerminalEvent::FocusLost => Some(Event::Focus(false)),
        TerminalEvent::Mouse(mouse) => {
            let hit = || hit_at(mouse.column, mouse.row);
            match mouse.kind {
                MouseEventKind::Down(MouseButton::Left) => hit().map(Event::Click),
                MouseEventKind::ScrollDown => Some(Event::Scroll(WHEEL_ROWS, hit())),
                MouseEventKind::ScrollUp => Some(Event::Scroll(-WHEEL_ROWS, hit())),
                _ => None,
            }
        }
    }
}

pub(super) fn translate_key(key: KeyEvent) -> Option<Key> {
    if key.kind == KeyEventKind::Release {
        return None;
    }
    let ctrl = key.modifiers.contains(KeyModifiers::CONTROL);
    let code = match key.code {
        TerminalKey::Char(character) if ctrl => KeyCode::Char(character.to_ascii_lowercase()),
        TerminalKey::Char(character) => KeyCode::Char(character),
        TerminalKey::F(number) => KeyCode::F(number),
        TerminalKey::Tab if key.modifiers.contains(KeyModifiers::SHIFT) => KeyCode::BackTab,
        TerminalKey::Enter => KeyCode::Enter,
        TerminalKey::Esc => KeyCode::Esc,
        TerminalKey::Backspace => KeyCode::Backspace,
        TerminalKey::Delete => KeyCode::Delete,
        TerminalKey::Tab => KeyCode::Tab,
        TerminalKey::BackTab => KeyCode::BackTab,
        TerminalKey::Up => KeyCode::Up,
        TerminalKey::Down => KeyCode::Down,
        TerminalKey::Left => KeyCode::Left,
        TerminalKey::Right => KeyCode::Right,
        TerminalKey::Home => KeyCode::Home,
        TerminalKey::End => KeyCode::End,
        TerminalKey::PageUp => KeyCode::PageUp,
        TerminalKey::PageDown => KeyCode::PageDown,
        _ => return None,
    };
    Some(Key { code, ctrl, alt: key.modifiers.contains(KeyModifiers::ALT) })
}

#[cfg(test)]
mod tests {
    use crossterm::event::MouseEvent;

    use super::*;

    fn key(code: TerminalKey, modifiers: KeyModifiers) -> Option<Key> {
        translate_key(KeyEvent::new(code, modifiers))
    }

    #[test]
    fn shift_is_part_of_the_character_or_of_back_tab() {
        assert_eq!(key(TerminalKey::Char('G'), KeyModifiers::SHIFT), Some(Key::char('G')));
        assert_eq!(key(TerminalKey::Tab, KeyModifiers::SHIFT), Some(Key::plain(KeyCode::BackTab)));
        assert_eq!(key(TerminalKey::BackTab, KeyModifiers::SHIFT), Some(Key::plain(KeyCode::BackTab)));
    }

    #[test]
    fn letters_with_ctrl_are_lower_case() {
        let modifiers = KeyModifiers::CONTROL | KeyModifiers::SHIFT;
        assert_eq!(key(TerminalKey::Char('D'), modifiers), Some(Key::ctrl('d')));
    }

    #[test]
    fn a_released_key_and_unknown_keys_mean_nothing() {
        let release = KeyEvent::new_with_kind(TerminalKey::Char('q'), KeyModifiers::NONE, KeyEventKind::Release);
        let repeat = KeyEvent::new_with_kind(TerminalKey::Char('j'), KeyModifiers::NONE, KeyEventKind::Repeat);
        assert_eq!(translate_key(release), None);
        assert_eq!(translate_key(repeat), Some(Key::char('j')));
        assert_eq!(key(TerminalKey::CapsLock, KeyModifiers::NONE), None);
    }

    #[test]
    fn the_mouse_acts_on_what_was_drawn_under_it() {
        let hit_at = |column, row| (column == 3 && row == 1).then_some(Hit::Tab(2));
        let mouse = |kind, column| {
            let event = MouseEvent { kind, column, row: 1, modifiers: KeyModifiers::NONE };
            format!("{:?}", translate(TerminalEvent::Mouse(event), hit_at))
        };
        let press = MouseEventKind::Down(MouseButton::Left);
        assert_eq!(mouse(press, 3), "Some(Click(Tab(2)))");
        assert_eq!(mouse(press, 4), "None");
        assert_eq!(mouse(MouseEventKind::ScrollUp, 3), "Some(Scroll(-3, Some(Tab(2))))");
        assert_eq!(mouse(MouseEventKind::ScrollDown, 4), "Some(Scroll(3, None))");
        assert_eq!(mouse(MouseEventKind::Moved, 3), "None");
    }
}
