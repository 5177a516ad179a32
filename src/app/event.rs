use crate::{config::Key, msg::Report};

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

/// Something on the screen that the mouse can hit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hit {
    /// A tab of the top line, from 0.
    Tab(usize),
    /// A tab of a page, from 0.
    PageTab(usize),
    /// A row of a list or document: the pane (0 or 1) and the row's place among the rows held.
    Row(usize, usize),
}
