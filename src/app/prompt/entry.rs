//! Text input of a bridge page: an amount, an address or a hash.

use tui_input::Input;

use crate::domain::{PersonalKind, Target, TransferId};

/// Purpose of a typed text; decides which page gets the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum EntryPurpose {
    /// Amount of the quote form, in display units.
    Amount,
    Slippage,
    /// Address on the chain with this index in the route's `required_chain_addresses`.
    Address(usize),
    /// Signed hook: a JSON object, a string, or a file's name.
    SignedHook,
    /// Hash of the transaction with this index, which the user sent elsewhere.
    SentHash(usize),
    /// Hash to track. Its chain comes first, unless it is the network's.
    TrackHash,
    Label(TransferId),
    /// Name of a target, or note on it.
    Personal(PersonalKind, Target),
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
    /// Creates an input that contains this text.
    pub(crate) fn new(purpose: EntryPurpose, prompt: impl Into<String>, text: &str) -> Self {
        Self { purpose, prompt: prompt.into(), input: Input::new(text.to_owned()), problem: None }
    }
}
