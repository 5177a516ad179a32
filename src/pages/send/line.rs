use crate::widgets::document;

pub(super) type Line = document::Line<SendLine>;

/// What a line is, and so what Enter does on it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(in crate::pages) enum SendLine {
    Notice,
    Changes,
    Route,
    Warnings,
    /// By its key, and how many with the same key come before it.
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
    /// Signing with the wallet in the browser.
    SignInBrowser,
    /// What the page in the browser does.
    Browser,
    /// The hash of the transaction with this number.
    Hash(usize),
    /// What is looked for on the chain.
    Sought,
    /// A transaction that may be it.
    Found(usize),
    /// The link to a web bridge.
    Link,
    /// The transfer that the route became.
    Transfer,
}
