use crate::widgets::document;

pub(super) type Line = document::Line<SendLine>;

/// Identity of a line; determines the effect of Enter.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(in crate::pages) enum SendLine {
    Notice,
    Changes,
    Route,
    Warnings,
    /// Warning by its key, and the number of earlier warnings with that key.
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
    Browser,
    /// Hash of the transaction with this index.
    Hash(usize),
    /// Search for the transaction on the chain.
    Sought,
    /// Transaction that the search found, by index.
    Found(usize),
    Link,
    /// Transfer that began with this route.
    Transfer,
}
