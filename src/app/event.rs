use super::kept_name::KeptName;
use crate::{config::Key, domain::ClockShift, msg::Report, widgets::Hit};

/// Input of the state machine.
#[derive(Clone, Debug)]
pub enum Event {
    Key(Key),
    Paste(String),
    /// Click on a target of the last frame.
    Click(Hit),
    /// Turn of the mouse wheel: rows, negative for up, and the target under the pointer.
    Scroll(i32, Option<Hit>),
    /// New columns and rows of the terminal.
    Resize(u16, u16),
    /// Whether the terminal's window has the focus.
    Focus(bool),
    /// Timer that [`super::App::next_tick`] set.
    Tick,
    /// The wall clock was set; `None` when it agrees with the elapsed time again. The session's time goes on steadily.
    ClockShifted(Option<ClockShift>),
    /// First event after another network was shown; the time since the last event has passed without ticks.
    Return {
        /// Columns and rows of the terminal.
        size: (u16, u16),
        /// Networks that the user left, the last first.
        kept: Vec<KeptName>,
        warnings: Vec<String>,
    },
    Report(Report),
    /// Result of an [`super::Effect`]: a success message, or an error.
    Done(Result<String, String>),
}
