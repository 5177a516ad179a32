use std::{
    io,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use crossterm::event::{
    Event, KeyCode as TerminalKey, KeyEvent, KeyEventKind, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use futures_util::{Stream, stream};
use rollscope::config::{Key, KeyCode};
use tokio::sync::mpsc::{self, UnboundedSender};

use super::shared::Shared;

enum Item {
    Event(Event),
    /// Behind everything that was sent before it.
    Mark(u64),
}

/// The test's end of the explorer's keyboard. Dropped, it ends the explorer.
pub(super) struct Input {
    sender: UnboundedSender<Item>,
    marks: AtomicU64,
}

impl Input {
    /// An explorer that has ended takes no input: the next wait says so.
    fn push(&self, item: Item) {
        let _ = self.sender.send(item);
    }

    pub(super) fn send(&self, event: Event) {
        self.push(Item::Event(event));
    }

    pub(super) fn press(&self, key: Key) {
        self.send(Event::Key(terminal_key(key)));
    }

    pub(super) fn click(&self, column: u16, row: u16) {
        let kind = MouseEventKind::Down(MouseButton::Left);
        self.send(Event::Mouse(MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE }));
    }

    /// Puts a mark behind everything sent so far, and returns its number.
    pub(super) fn mark(&self) -> u64 {
        let mark = self.marks.fetch_add(1, Ordering::SeqCst) + 1;
        self.push(Item::Mark(mark));
        mark
    }
}

/// The keyboard's two ends.
pub(super) fn channel(shared: Arc<Shared>) -> (Input, impl Stream<Item = io::Result<Event>> + Unpin) {
    let (sender, mut receiver) = mpsc::unbounded_channel();
    let events = stream::poll_fn(move |context| {
        receiver.poll_recv(context).map(|item: Option<Item>| match item? {
            Item::Event(event) => Some(Ok(event)),
            Item::Mark(mark) => {
                shared.change(|state| state.mark = mark);
                // The release of a key means nothing to the explorer, but takes the loop round once.
                let kind = KeyEventKind::Release;
                Some(Ok(Event::Key(KeyEvent::new_with_kind(TerminalKey::Null, KeyModifiers::NONE, kind))))
            }
        })
    });
    (Input { sender, marks: AtomicU64::new(0) }, events)
}

/// The key as a terminal reports it.
fn terminal_key(key: Key) -> KeyEvent {
    let mut modifiers = KeyModifiers::NONE;
    modifiers.set(KeyModifiers::CONTROL, key.ctrl);
    modifiers.set(KeyModifiers::ALT, key.alt);
    let code = match key.code {
        KeyCode::Char(character) => {
            modifiers.set(KeyModifiers::SHIFT, character.is_uppercase());
            TerminalKey::Char(character)
        }
        KeyCode::BackTab => {
            modifiers.insert(KeyModifiers::SHIFT);
            TerminalKey::BackTab
        }
        KeyCode::F(number) => TerminalKey::F(number),
        KeyCode::Enter => TerminalKey::Enter,
        KeyCode::Esc => TerminalKey::Esc,
        KeyCode::Backspace => TerminalKey::Backspace,
        KeyCode::Delete => TerminalKey::Delete,
        KeyCode::Tab => TerminalKey::Tab,
        KeyCode::Up => TerminalKey::Up,
        KeyCode::Down => TerminalKey::Down,
        KeyCode::Left => TerminalKey::Left,
        KeyCode::Right => TerminalKey::Right,
        KeyCode::Home => TerminalKey::Home,
        KeyCode::End => TerminalKey::End,
        KeyCode::PageUp => TerminalKey::PageUp,
        KeyCode::PageDown => TerminalKey::PageDown,
    };
    KeyEvent::new(code, modifiers)
}
