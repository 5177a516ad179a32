//! Text input of a bridge page: an amount, an address, a hash.

use tui_input::Input;

use crate::domain::{Address, TransferId};

/// Purpose of the text, which determines its recipient.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum EntryPurpose {
    /// Amount of the quote form, in display units.
    Amount,
    /// Slippage of the prepared route, in percent.
    Slippage,
    /// Address for the chain at this index of the route's `required_chain_addresses`.
    Address(usize),
    /// Signed hook: the JSON object, the string form, or a file name.
    SignedHook,
    /// Hash of the transaction with this index, signed and broadcast elsewhere.
    SentHash(usize),
    /// Hash to track, preceded by its chain unless it is the network's chain.
    TrackHash,
    Label(TransferId),
    AccountLabel(Address),
}

#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) purpose: EntryPurpose,
    pub(crate) prompt: String,
    pub(crate) input: Input,
    /// Why the text is invalid.
    pub(crate) problem: Option<String>,
}

impl Entry {
    /// Creates an input with an initial text.
    pub(crate) fn new(purpose: EntryPurpose, prompt: impl Into<String>, text: &str) -> Self {
        Self { purpose, prompt: prompt.into(), input: Input::new(text.to_owned()), problem: None }
    }
}
