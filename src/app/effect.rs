use crate::msg::Instruction;

/// Network to show in a new session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NetworkSwitch {
    /// Name, URL of an indexer or a node, or what describes the network: a link, or the path of a file.
    pub network: String,
    /// Whether the settings file keeps the network: its URLs and its chain id.
    pub is_kept: bool,
}

/// Effect that the session asks of the shell. The event loop applies effects in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    Worker(Instruction),
    Quit,
    /// End the session and show this network.
    Switch(NetworkSwitch),
    /// End the session with this error.
    Fail(String),
    /// Suspend the process, as Ctrl-Z does. It resumes on `fg`.
    Suspend,
    Copy(String),
    /// Open this URL in the browser.
    Open(String),
    /// Write files with these names, in the working directory, and contents; then report the result as
    /// [`super::Event::Done`].
    WriteFiles(Vec<(String, String)>),
    Bell,
    /// Set the terminal's title. An empty text restores the previous title.
    Title(String),
    /// Draw the screen again.
    Redraw,
}
