use crate::msg::Instruction;

/// What is to be done after an update.
#[derive(Debug, Default)]
pub struct Effects {
    /// For the worker, in order.
    pub instructions: Vec<Instruction>,
    /// For the terminal's side, in order.
    pub host: Vec<HostEffect>,
    /// Whether the screen changed.
    pub redraw: bool,
}

/// What only the imperative shell can do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HostEffect {
    /// End the explorer.
    Quit,
    /// End it as failed, for this reason.
    Fail(String),
    /// Stop like any program at Ctrl-Z, and come back at `fg`.
    Suspend,
    /// Put this into the clipboard.
    Copy(String),
    /// Open this address in the browser.
    Open(String),
    /// Write a file and report how it went with [`super::Event::Done`].
    WriteFile {
        /// Its name, without a folder: it goes to the working directory.
        name: String,
        /// Its contents.
        contents: String,
    },
    /// Ring.
    Bell,
    /// Give the terminal this title; empty gives back the one that it had.
    Title(String),
}
