/// View at the end of a session, restored by the next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptView {
    pub tab: String,
    /// Subject of the page as a tagged target; `None` on a tab's own page.
    pub of: Option<String>,
}
