use super::Destination;
use crate::{
    app::{
        known_denom::KnownDenom,
        prompt::{EntryPurpose, PickPurpose},
    },
    domain::{Denom, Height, MsgType, TransferId},
    widgets::layout::Pane,
    wire::router::SignedOpHook,
};

/// Event of a page; pages ignore events that they do not match.
#[derive(Debug)]
pub(crate) enum PageEvent<'a> {
    /// Another chain answers: the page drops the data of the old chain. Every page handles this.
    ChainChanged,
    /// A list received rows; a refresh reloads the newest ones.
    ListChanged {
        is_refresh: bool,
    },
    /// The server answers again: failed requests are due.
    Retry,
    /// The index reached this height.
    Grew(Option<Height>),
    /// `r`: request the shown data again; the session does so for lists.
    Refresh,
    /// Mouse click in this pane.
    Focus(Pane),
    /// Mouse click on a tab of the page.
    ClickTab(usize),
    /// Filter text from the find prompt. The session filters a document with the cursor itself.
    Find(&'a str),
    /// Name or id from the search prompt.
    Search(&'a str, SearchStep),
    Chosen(Choice),
    /// Typed line; [`PageCx::refuse_entry`] keeps it open with an error.
    Entered(&'a EntryPurpose, &'a str),
    /// Requests another destination of the same kind.
    TurnTo(Destination),
    Wallet(WalletUpdate),
    /// Answer to [`Place::wanted_denoms`].
    KnowDenoms(Vec<KnownDenom>),
    /// The page is covered: free data that can be requested or built again. The session shrinks its lists.
    Shrink,
}

#[derive(Debug)]
pub(crate) enum WalletUpdate {
    Sent(BroadcastOutcome),
    /// The browser wallet signed the hook.
    HookSigned(SignedOpHook),
}

/// Choice in a picker over the page.
#[derive(Clone, Debug)]
pub(crate) enum Choice {
    /// Message types of the filter; empty shows all.
    Types(Vec<MsgType>),
    Denom(Denom),
    /// Chain id or denom.
    Pick(PickPurpose, String),
}

/// Progress of a search prompt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SearchStep {
    Typing,
    Submitted,
    Abandoned,
}

/// Result of a transaction that the page handed to a wallet.
pub(crate) type BroadcastOutcome = Result<TransferId, String>;
