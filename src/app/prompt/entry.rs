//! One line to be typed for a bridge screen: an amount, an address, a hash. What it is for says who takes it.

use tui_input::Input;

use crate::domain::{Address, TransferId};

/// What a typed line is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum EntryPurpose {
    /// The amount of the quote form, in display units.
    Amount,
    /// The slippage of the route that is made ready, in percent.
    Slippage,
    /// The address for the chain at this place of the route's `required_chain_addresses`.
    Address(usize),
    /// The signed hook: the JSON object, the string form, or the name of a file.
    SignedHook,
    /// The hash of the transaction with this number, which was signed and broadcast elsewhere.
    SentHash(usize),
    /// A hash to track, with its chain before it where it is not the network's own.
    TrackHash,
    /// A name for a transfer.
    Label(TransferId),
    /// The person's own name for an account.
    AccountLabel(Address),
}

/// A line being typed.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) purpose: EntryPurpose,
    /// What stands before it.
    pub(crate) prompt: String,
    pub(crate) input: Input,
    /// Why the text was not taken.
    pub(crate) problem: Option<String>,
}

impl Entry {
    /// A line with this text at first.
    pub(crate) fn new(purpose: EntryPurpose, prompt: impl Into<String>, text: &str) -> Self {
        Self { purpose, prompt: prompt.into(), input: Input::new(text.to_owned()), problem: None }
    }
}
