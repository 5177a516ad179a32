use super::Destination;
use crate::{
    app::{
        known_denom::KnownDenom,
        prompt::{EntryPurpose, PickPurpose},
    },
    domain::{Denom, Height, MsgType, TransferId, TxView},
    widgets::layout::Pane,
    wire::router::SignedOpHook,
};

/// Event for a page. A page ignores events that do not concern it.
#[derive(Debug)]
pub(crate) enum PageEvent<'a> {
    /// Another chain answers. Every page must drop the old chain's data.
    ChainChanged,
    /// A list received rows. A refresh replaced its newest rows.
    ListChanged {
        is_refresh: bool,
    },
    /// The server answers again: repeat failed requests.
    Retry,
    /// The index has reached this height.
    Grew(Option<Height>),
    /// The user asked to refresh (`r`). The session refreshes the lists.
    Refresh,
    /// The user clicked into this pane.
    Focus(Pane),
    ClickTab(usize),
    /// The user filters by this text. The session itself filters a document that has the cursor.
    Find(&'a str),
    /// The user searches for this name or ID.
    Search(&'a str, SearchStep),
    Chosen(Choice),
    /// The user typed this line. [`PageCx::refuse_entry`] keeps it open, with an error.
    Entered(&'a EntryPurpose, &'a str),
    /// Filter the transactions as a saved view does.
    ShowView(&'a TxView),
    /// Show another destination of this page's kind.
    TurnTo(Destination),
    Wallet(WalletUpdate),
    /// Denoms that [`Place::wanted_denoms`] asked for.
    KnowDenoms(Vec<KnownDenom>),
    /// Another page covers this page, which then drops data that it can request or build again. The session shrinks the
    /// lists.
    Shrink,
}

#[derive(Debug)]
pub(crate) enum WalletUpdate {
    Sent(BroadcastOutcome),
    HookSigned(SignedOpHook),
}

/// Choice that the user made in a picker over the page.
#[derive(Clone, Debug)]
pub(crate) enum Choice {
    /// Message types to filter by; an empty list shows all.
    Types(Vec<MsgType>),
    Denom(Denom),
    /// Chain ID or denom.
    Pick(PickPurpose, String),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SearchStep {
    Typing,
    Submitted,
    Abandoned,
}

/// Result of a transaction that the page gave to a wallet.
pub(crate) type BroadcastOutcome = Result<TransferId, String>;
