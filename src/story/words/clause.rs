use std::borrow::Cow;

use super::phrase::{Phrase, SentenceKind, Word};
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

/// End of a clause about a message without its usual events.
pub(crate) const LACKS: &str = "; the record has no such event";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct VerbForms {
    /// Past tense: "sent".
    pub(crate) past: &'static str,
    /// Infinitive after "tried to": "send".
    pub(crate) base: &'static str,
}

impl Clause {
    /// Creates a clause that is not maintenance.
    pub(crate) fn new(subject: Vec<Phrase>, verb: VerbForms, rest: Vec<Phrase>, proof: Proof) -> Self {
        Self { subject, verb, rest, proof, within: Proof::Shown, is_lacking: false, is_noise: false }
    }

    pub(crate) fn weakest(&self) -> Proof {
        self.proof.min(self.within)
    }

    /// Returns "{subject} {past} {rest}", or without evidence "{subject} asked to {base} {rest}".
    pub(crate) fn statement(mut self) -> Vec<Phrase> {
        let mut phrases = std::mem::take(&mut self.subject);
        if !phrases.is_empty() {
            phrases.push(text(" "));
        }
        phrases.extend(self.verb_phrase());
        phrases
    }

    /// Returns "{past} {rest}", or without evidence "asked to {base} {rest}".
    pub(crate) fn verb_phrase(self) -> Vec<Phrase> {
        let mut phrases = match self.proof {
            Proof::Absent => vec![text("asked to "), text(self.verb.base)],
            _ => vec![text(self.verb.past)],
        };
        push_rest(&mut phrases, self.rest);
        phrases.extend(self.is_lacking.then(|| text(LACKS)));
        phrases
    }

    /// Returns "{base} {rest}".
    pub(crate) fn infinitive(self) -> Vec<Phrase> {
        let mut phrases = vec![text(self.verb.base)];
        push_rest(&mut phrases, self.rest);
        phrases
    }

    /// Returns the verb phrase, or in a failed transaction the infinitive.
    pub(crate) fn effect(self, context: &TxContext<'_>) -> Vec<Phrase> {
        if context.is_failed() { self.infinitive() } else { self.verb_phrase() }
    }
}

/// Adds the text after the verb; punctuation follows without a blank.
fn push_rest(phrases: &mut Vec<Phrase>, rest: Vec<Phrase>) {
    let is_joined =
        matches!(rest.first(), Some(Phrase { word: Word::Text(text), .. }) if text.starts_with([':', ',', ';', '.']));
    if !rest.is_empty() && !is_joined {
        phrases.push(text(" "));
    }
    phrases.extend(rest);
}

pub(crate) fn text(words: impl Into<Cow<'static, str>>) -> Phrase {
    Phrase { word: Word::Text(words.into()), events: Vec::new() }
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
