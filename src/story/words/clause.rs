//! Parts of a sentence about a message, before its success is known.

use super::phrase::{Phrase, SentenceKind};
use crate::story::context::{TxContext, proof::Proof};

/// Parts of a sentence about a message, before its success is known: "{subject} {past} {rest}".
///
/// In a failed transaction it becomes "{subject} tried to {base} {rest}; it failed", within another message "{past}
/// {rest}". If the subject only exists on success, such as coins that arrived, the clause itself must describe the
/// attempt when [`TxContext::is_failed`].
pub(crate) struct Clause {
    /// Actor, or the arriving asset.
    pub(crate) subject: Vec<Phrase>,
    pub(crate) verb: VerbForms,
    /// Text after the verb, without leading blank and full stop.
    pub(crate) rest: Vec<Phrase>,
    /// Evidence for the clause, if the message was executed; the wording depends on it.
    pub(crate) proof: Proof,
    /// Weakest evidence of nested clauses; each nested clause is worded by its own evidence.
    pub(crate) within: Proof,
    /// Whether the record lacks the events that such a message always emits; the text after the verb states this.
    pub(crate) is_lacking: bool,
    /// Whether the message is maintenance ([`super::phrase::Sentence::is_noise`]).
    pub(crate) is_noise: bool,
}

/// Verb in the two forms that clauses need.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct VerbForms {
    /// Past tense: "sent".
    pub(crate) past: &'static str,
    /// Infinitive after "tried to": "send".
    pub(crate) base: &'static str,
}

impl VerbForms {
    /// Returns the form for a list of effects: past tense, or the infinitive in a failed transaction.
    pub(crate) fn of(self, context: &TxContext<'_>) -> &'static str {
        if context.is_failed() { self.base } else { self.past }
    }
}

impl Clause {
    /// Creates a clause that is not maintenance.
    pub(crate) fn new(subject: Vec<Phrase>, verb: VerbForms, rest: Vec<Phrase>, proof: Proof) -> Self {
        Self { subject, verb, rest, proof, within: Proof::Shown, is_lacking: false, is_noise: false }
    }

    /// Returns the weakest evidence, including nested clauses.
    pub(crate) fn weakest(&self) -> Proof {
        self.proof.min(self.within)
    }
}

impl Proof {
    pub(crate) fn kind(self) -> SentenceKind {
        match self {
            Self::Absent | Self::Ran => SentenceKind::Asked,
            Self::Reported => SentenceKind::Reported,
            Self::Shown => SentenceKind::Proven,
        }
    }
}
