use crate::msg::Instruction;

/// Effect that the session asks of the shell; the terminal's event loop executes effects in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    Worker(Instruction),
    Quit,
    /// Ends the session with this error.
    Fail(String),
    /// Suspends the process as on Ctrl-Z; it resumes at `fg`.
    Suspend,
    /// Copies this text to the clipboard.
    Copy(String),
    /// Opens this URL in the browser.
    Open(String),
    /// Writes a file and reports the result with [`super::Event::Done`].
    WriteFile {
        /// File name in the working directory.
        name: String,
        contents: String,
    },
    Bell,
    /// Sets the terminal's title; an empty text restores the previous one.
    Title(String),
    /// Draws the screen again.
    Redraw,
}
