//! Sentences about messages: the families of messages produce clauses, and this module turns clauses into sentences.
//!
//! Helpers of `clauses`: start with `MessageEvents::of` and claim the event that proves the action. Use `claim` if the
//! message determines the event's content, or `claim_or_only` if the only event of the type is proof enough. An event
//! with a typed view is claimed in it: `claim_view` and `claim_view_or_only`. Then build the clause with `clause_with`
//! for a message that always emits events, which the sentence mentions if they are missing. Use `clause_by` if the
//! caller has determined the [`Proof`], or `ran` for a message without events of its own, of which only the execution
//! is certain. `lacking` adds missing events to a clause built otherwise. `subject` returns the actor in an event, else
//! the field's account; `actor` reads the field alone. `told` prefers an event's attribute to a field of the message,
//! and `or_field` a value of its typed view. `names` and `agrees` check that an event does not contradict the message.
//! A verb is a constant of `verb` in both forms; look for one there before adding another.
//!
//! The families do not know each other: they describe a nested message with [`SentenceContext::clause`].

mod clauses;
mod cosmos;
mod evm;
mod generic;
mod ibc;
mod movevm;
mod nested;
mod opinit;
#[cfg(test)]
mod test_records;
mod verb;
mod wasm;

pub(crate) use ibc::{arrived, left, on_acceptance, parties, receiver};

use self::nested::SentenceContext;
use super::{
    clause::{Clause, text},
    phrase::{Phrase, Sentence, SentenceKind, Word},
};
use crate::{
    domain::Address,
    story::context::{MessageRef, TxContext, proof::Proof},
};

/// Returns the sentences about all messages, in order.
pub(crate) fn sentences(context: &TxContext<'_>) -> Vec<Sentence> {
    let messages = context.decoded.messages.iter().enumerate();
    messages
        .take_while(|(place, _)| context.work.takes_sentence(*place))
        .map(|(place, message)| {
            sentence(context, MessageRef { place, authz: None, depth: 0, kind: &message.kind, fields: &message.fields })
        })
        .collect()
}

/// Returns the words about the leading message at this index; empty if unreadable.
pub(crate) fn leading_phrases(context: &TxContext<'_>, leading: usize) -> Vec<Phrase> {
    let Some(message) = context.decoded.messages.get(leading) else { return Vec::new() };
    let message = MessageRef { place: leading, authz: None, depth: 0, kind: &message.kind, fields: &message.fields };
    sentence(context, message).phrases
}

/// Whether the record has the events that its messages always emit.
pub(crate) fn is_complete(context: &TxContext<'_>) -> bool {
    !sentences(context).iter().any(|sentence| sentence.lacks_events)
}

/// Returns the sentence about one of the transaction's own messages.
pub(crate) fn sentence(context: &TxContext<'_>, message: MessageRef<'_>) -> Sentence {
    let clause = clause(&SentenceContext { tx: context, describe: clause }, message);
    let (is_noise, proof) = (clause.is_noise, clause.weakest());
    let mut phrases =
        if context.is_failed() { failed_statement(context, message.place, clause) } else { clause.statement() };
    let ends = |phrase: &Phrase| matches!(&phrase.word, Word::Text(text) if text.ends_with('.'));
    if !phrases.last().is_some_and(ends) {
        phrases.push(text("."));
    }
    let kind = if context.is_failed() { SentenceKind::Asked } else { proof.kind() };
    let lacks_events = !context.is_failed() && proof == Proof::Absent;
    Sentence { message: message.place, phrases, kind, lacks_events, is_noise }
}

/// Returns the clause of a message by its family; for an unknown type, the clause only says that it was sent.
fn clause(context: &SentenceContext<'_>, message: MessageRef<'_>) -> Clause {
    type Renderer = fn(&SentenceContext<'_>, MessageRef<'_>) -> Option<Clause>;
    const FAMILIES: [Renderer; 6] =
        [cosmos::render, opinit::render, ibc::render, evm::render, movevm::render, wasm::render];
    let clause = FAMILIES
        .iter()
        .find_map(|render| render(context, message))
        .unwrap_or_else(|| generic::unknown(context, message));
    if context.is_failed() {
        return clause;
    }
    let is_claimed = clause.proof > Proof::Ran && !are_known(context, message, &clause.subject);
    if is_claimed || (clause.weakest() > Proof::Ran && !are_known(context, message, &clause.rest)) {
        return clauses::lacking(context, Clause { proof: Proof::Absent, ..clause });
    }
    clause
}

/// Whether every named account signed the transaction or appears in an event of the message: the message's own claim
/// proves nothing.
fn are_known(context: &TxContext<'_>, message: MessageRef<'_>, phrases: &[Phrase]) -> bool {
    // Some records lack the signer; then nothing contradicts the message.
    if context.decoded.signer.is_none() {
        return true;
    }
    phrases.iter().all(|phrase| match &phrase.word {
        // The chain's own accounts have labels; they act by its rules and sign nothing. The user's names prove nothing.
        Word::Account { address, .. } if context.glossary.known_label(*address).is_none() => {
            is_in(context, phrase, *address) || context.is_named(message, *address)
        }
        _ => true,
    })
}

/// Whether the events of a phrase name an account in bech32, or its primary store on Move.
fn is_in(context: &TxContext<'_>, phrase: &Phrase, account: Address) -> bool {
    let text = if phrase.events.is_empty() { String::new() } else { account.bech32() };
    let is_shown = |place: &usize| {
        context.decoded.events.get(*place).is_some_and(|event| {
            event.attributes.iter().any(|(_, value)| *value == text) || movevm::is_store_of(*place, event, account)
        })
    };
    phrase.events.iter().any(is_shown)
}

/// Returns "{subject} tried to {base} {rest}; it failed".
fn failed_statement(context: &TxContext<'_>, message: usize, mut clause: Clause) -> Vec<Phrase> {
    let failed = context.decoded.failure.as_ref().and_then(|failure| failure.message_index);
    let end = match failed.filter(|failed| *failed < context.decoded.messages.len()) {
        None => "; it failed".to_owned(),
        Some(failed) if failed == message => "; it failed".to_owned(),
        Some(failed) if failed > message => format!("; undone, because message {} failed", failed.saturating_add(1)),
        Some(failed) => format!("; not reached, because message {} failed", failed.saturating_add(1)),
    };
    let mut phrases = std::mem::take(&mut clause.subject);
    phrases.push(text(" tried to "));
    phrases.extend(clause.infinitive());
    phrases.push(text(end));
    phrases
}
