//! Messages within messages, which a family describes without knowing the other families.

use std::ops::Deref;

use serde_json::{Map, Value};

use crate::{
    domain::MsgType,
    story::{
        context::{MessageRef, TxContext, proof::Proof},
        words::{
            clause::{Clause, text},
            phrase::{Phrase, Word},
        },
    },
};

/// Context of a sentence: the transaction, and the function that describes a message of any family.
pub(super) struct SentenceContext<'a> {
    pub(super) tx: &'a TxContext<'a>,
    pub(super) describe: fn(&SentenceContext<'_>, MessageRef<'_>) -> Clause,
}

impl<'a> Deref for SentenceContext<'a> {
    type Target = TxContext<'a>;

    fn deref(&self) -> &TxContext<'a> {
        self.tx
    }
}

impl SentenceContext<'_> {
    /// Returns the clause of a message by its family.
    pub(super) fn clause(&self, message: MessageRef<'_>) -> Clause {
        (self.describe)(self, message)
    }
}

/// Nested message, from its JSON.
pub(super) struct InnerMessage {
    pub(super) kind: MsgType,
    /// Fields without `@type`.
    pub(super) fields: Map<String, Value>,
}

impl InnerMessage {
    /// Parses an `Any` in the JSON format of records.
    pub(super) fn of(value: &Value) -> Option<Self> {
        let mut fields = value.as_object()?.clone();
        let kind = MsgType::new(fields.shift_remove("@type")?.as_str()?);
        Some(Self { kind, fields })
    }

    pub(super) fn signer(&self) -> Option<&str> {
        const SIGNERS: [&str; 9] = [
            "from_address",
            "sender",
            "signer",
            "authority",
            "granter",
            "delegator_address",
            "voter",
            "proposer",
            "owner",
        ];
        SIGNERS.iter().find_map(|name| self.fields.get(*name)?.as_str())
    }
}

/// Returns the weakest evidence of the clauses; without clauses `Ran`.
pub(super) fn weakest(clauses: &[Clause]) -> Proof {
    clauses.iter().map(Clause::weakest).min().unwrap_or(Proof::Ran)
}

pub(super) fn facts(clauses: Vec<Clause>) -> Vec<Phrase> {
    let mut phrases = Vec::new();
    for (place, clause) in clauses.into_iter().enumerate() {
        if place > 0 {
            phrases.push(text("; "));
        }
        let mut message = clause.statement();
        if let Some(Phrase { word: Word::Text(text), .. }) = message.first_mut() {
            *text = within(text).into();
        }
        phrases.extend(message);
    }
    phrases
}

/// Lowercases the start of a former sentence: "Fee pool" to "fee pool", but keeps "NFT".
fn within(text: &str) -> String {
    let mut letters = text.chars();
    match (letters.next(), letters.clone().next()) {
        (Some(first), Some('a'..='z')) => first.to_lowercase().chain(letters).collect(),
        _ => text.to_owned(),
    }
}
