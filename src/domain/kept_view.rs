/// View at the end of a session, which the next session restores.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptView {
    pub tab: String,
    /// Subject of the page as a tagged target; `None` on a tab's own page.
    pub of: Option<String>,
}
