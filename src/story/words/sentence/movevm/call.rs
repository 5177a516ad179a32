//! Run of Move code and call of a known function, with their events.

use super::arguments::MoveArguments;
use crate::story::{
    context::{
        MessageRef, TxContext,
        proof::{Proof, TracePlace},
    },
    move_events::MoveEvent,
    names::move_address::{any_form, narrow},
    words::{
        clause::{Clause, VerbForms},
        phrase::{Phrase, Word},
        sentence::{
            clauses::{MessageEvents, clause_by, lacking},
            nested::SentenceContext,
        },
    },
};

/// Message that ran Move code, with its events.
pub(super) struct MoveRun<'a> {
    pub(super) context: &'a SentenceContext<'a>,
    pub(super) message: MessageRef<'a>,
    pub(super) actor: &'static str,
    pub(super) seen: MessageEvents<'a>,
}

/// Call of a standard library function, as input of the function families.
pub(super) struct MoveFunctionCall<'a> {
    pub(super) run: &'a MoveRun<'a>,
    pub(super) context: &'a SentenceContext<'a>,
    pub(super) module: String,
    pub(super) function: String,
    pub(super) arguments: MoveArguments<'a>,
}

impl MoveRun<'_> {
    /// Builds the clause, with " as S" if the chain's authority ran it for S.
    pub(super) fn clause(&self, verb: VerbForms, mut rest: Vec<Phrase>, proof: Proof) -> Clause {
        if let Some(name) = self.message.text("sender").filter(|_| self.actor == "authority") {
            rest.extend(self.context.words().text(" as ").party(&name).done());
        }
        lacking(self.context, clause_by(self.context, self.message, self.actor, verb, rest, proof))
    }

    /// Returns the message's Move events of wanted types, in order. Only the standard library can emit types of `0x1`.
    pub(super) fn events(&self, is_wanted: impl Fn(&str) -> bool) -> Vec<MoveEvent> {
        let events = self.seen.events.iter();
        events.filter_map(|(place, event)| MoveEvent::of(*place, event, &is_wanted)).collect()
    }

    pub(super) fn sender(&self) -> Option<[u8; 32]> {
        any_form(&self.message.text("sender").or_else(|| self.message.text(self.actor))?)
    }
}

impl MoveFunctionCall<'_> {
    pub(super) fn clause(&self, verb: VerbForms, rest: Vec<Phrase>, proof: Proof) -> Clause {
        self.run.clause(verb, rest, proof)
    }

    pub(super) fn events(&self, tag: &str) -> Vec<MoveEvent> {
        self.run.events(|found| found == tag)
    }

    /// Claims the first unused matching event of this type.
    pub(super) fn taken(&self, tag: &str, fits: impl Fn(&MoveEvent) -> bool) -> Option<MoveEvent> {
        let is_free = |event: &MoveEvent| self.context.claims.is_free(TracePlace::event(event.place));
        let found = self.events(tag).into_iter().find(|event| is_free(event) && fits(event))?;
        self.context.claims.take(TracePlace::event(found.place));
        Some(found)
    }

    /// Returns the first event of this type that names the caller or no account.
    pub(super) fn of_caller(&self, tag: &str) -> Option<MoveEvent> {
        let sender = self.run.sender();
        self.taken(tag, |event| event.word("account").is_none_or(|account| Some(account) == sender))
    }

    pub(super) fn party(&self, word: [u8; 32]) -> Word {
        self.context.account(narrow(word))
    }
}

/// Formats an address in hex without leading zeros.
pub(super) fn trimmed(word: &[u8; 32]) -> String {
    let digits = alloy_primitives::hex::encode(word);
    let digits = digits.trim_start_matches('0');
    format!("0x{}", if digits.is_empty() { "0" } else { digits })
}

/// Returns the evidence for a standard library call that always emits this event.
pub(super) fn shown(event: Option<&MoveEvent>) -> Proof {
    if event.is_some() { Proof::Shown } else { Proof::Absent }
}

/// Describes a collection with its self-chosen name if known: "K (“Moths”)".
pub(super) fn collection(context: &TxContext<'_>, collection: [u8; 32], name: Option<&str>) -> Vec<Phrase> {
    let address = narrow(collection);
    let words = context.words().word(context.account(address));
    match name.or_else(|| context.glossary.own_name(address).map(AsRef::as_ref)) {
        Some(name) => words.text(" (").quote(name).text(")").done(),
        None => words.done(),
    }
}
