//! One line to be typed for a bridge screen: an amount, an address, a hash. What it is for says who takes it.

use tui_input::Input;

use crate::{
    app::{App, modal::Modal},
    config::{Key, KeyCode},
    domain::TransferId,
};

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
}

/// A line being typed.
#[derive(Debug)]
pub(crate) struct Entry {
    /// What for.
    pub(crate) purpose: EntryPurpose,
    /// What stands before it.
    pub(crate) prompt: String,
    /// The text.
    pub(crate) input: Input,
    /// Why the text was not taken.
    pub(crate) problem: Option<String>,
}

impl App {
    /// Asks for a line.
    pub(in crate::app) fn ask_for(&mut self, purpose: EntryPurpose, prompt: impl Into<String>, text: &str) {
        let input = Input::new(text.to_owned());
        self.open_modal(Modal::Entry(Entry { purpose, prompt: prompt.into(), input, problem: None }));
    }

    pub(in crate::app) fn press_in_entry(&mut self, key: Key) {
        match key.code {
            KeyCode::Esc => self.modal = None,
            KeyCode::Enter => self.submit_entry(),
            _ => {
                if let Some(Modal::Entry(entry)) = &mut self.modal {
                    entry.problem = None;
                }
                self.edit(key);
            }
        }
    }

    /// Hands the line to who asked for it; what cannot be used stays, with the reason below it.
    fn submit_entry(&mut self) {
        let Some(Modal::Entry(entry)) = &self.modal else { return };
        let (purpose, text) = (entry.purpose.clone(), entry.input.value().trim().to_owned());
        let taken = match purpose {
            EntryPurpose::Amount => self.enter_amount(&text),
            EntryPurpose::Slippage => self.enter_slippage(&text),
            EntryPurpose::Address(place) => self.enter_address(place, &text),
            EntryPurpose::SignedHook => self.enter_signed_hook(&text),
            EntryPurpose::SentHash(place) => self.enter_sent_hash(place, &text),
            EntryPurpose::TrackHash => self.enter_track_hash(&text),
            EntryPurpose::Label(id) => self.enter_label(&id, &text),
        };
        match (taken, &mut self.modal) {
            // Who took it may have opened something else already.
            (Ok(()), Some(Modal::Entry(_))) => self.modal = None,
            (Err(problem), Some(Modal::Entry(entry))) => entry.problem = Some(problem),
            _ => {}
        }
    }
}
