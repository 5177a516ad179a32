/// What was on screen when a session ended: the next one begins with it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptView {
    /// The tab's name.
    pub tab: String,
    /// What the page on it was of, with its kind before it, as recents are written; `None` on a tab's own page.
    pub of: Option<String>,
}
