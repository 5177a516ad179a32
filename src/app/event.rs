use crate::{config::Key, msg::Report, widgets::Hit};

/// Input of the state machine.
#[derive(Clone, Debug)]
pub enum Event {
    Key(Key),
    /// Bracketed paste.
    Paste(String),
    /// Click on an element of the last frame.
    Click(Hit),
    /// Mouse wheel: rows down, negative for up, and the element under the pointer.
    Scroll(i32, Option<Hit>),
    /// New size of the terminal in columns and rows.
    Resize(u16, u16),
    /// Focus change of the terminal window.
    Focus(bool),
    /// Timer that [`super::App::next_tick`] requested.
    Tick,
    Report(Report),
    /// Result of an [`super::Effect`]: a message for the toast, or an error.
    Done(Result<String, String>),
}
