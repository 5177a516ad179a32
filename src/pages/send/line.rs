use crate::widgets::document;

pub(super) type Line = document::Line<SendLine>;

/// Identity of a line, which determines the effect of Enter.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(in crate::pages) enum SendLine {
    Notice,
    Changes,
    Route,
    Warnings,
    /// Key of the warning, and the number of earlier warnings with the same key.
    Warning(String, usize),
    Slippage,
    Addresses,
    Address(usize),
    Hook,
    HookMessage(usize),
    SignHook,
    PasteHook,
    Messages,
    Tx(usize),
    Send,
    DemoSend,
    SignInBrowser,
    /// State of the signing page.
    Browser,
    /// Hash of the transaction with this index.
    Hash(usize),
    /// Search on the chain.
    Sought,
    /// Candidate of the search.
    Found(usize),
    /// Link to a web bridge.
    Link,
    /// Transfer created from the route.
    Transfer,
}
