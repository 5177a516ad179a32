use crate::{config::Key, msg::Report, widgets::Hit};

/// Everything that can change the state.
#[derive(Clone, Debug)]
pub enum Event {
    /// A key was pressed.
    Key(Key),
    /// Text was pasted (bracketed paste).
    Paste(String),
    /// A click on something that the last screen showed.
    Click(Hit),
    /// The wheel: rows down, negative is up, over what lay under the pointer.
    Scroll(i32, Option<Hit>),
    /// The terminal has this many columns and rows now.
    Resize(u16, u16),
    /// The terminal window is looked at again, or no longer.
    Focus(bool),
    /// Time passed; sent when [`super::App::next_tick`] asked for it.
    Tick,
    /// The worker brings something.
    Report(Report),
    /// The shell did what [`super::HostEffect`] asked: a sentence for the user, or why it failed.
    Done(Result<String, String>),
}
