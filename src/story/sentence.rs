//! A sentence for each message: the families of messages give clauses, which are put into words here.

mod clauses;
mod cosmos;
mod evm;
mod ibc;
mod movevm;
mod opinit;
#[cfg(test)]
mod test_records;
mod verb;
mod wasm;

pub(super) use ibc::{arrived, left, parties, receiver};

use super::{
    Phrase, Sentence, SentenceKind, Word,
    context::{Clause, MessageRef, TxContext},
    proof::Proof,
};
use crate::domain::Address;

/// What is said of every message of the transaction, in order.
pub(super) fn sentences(context: &TxContext<'_>) -> Vec<Sentence> {
    let messages = context.decoded.messages.iter().enumerate();
    messages
        .take_while(|(place, _)| context.work.takes_sentence(*place))
        .map(|(place, message)| {
            sentence(context, MessageRef { place, authz: None, depth: 0, kind: &message.kind, fields: &message.fields })
        })
        .collect()
}

/// What is said of one of the transaction's own messages.
pub(super) fn sentence(context: &TxContext<'_>, message: MessageRef<'_>) -> Sentence {
    let clause = clause(context, message);
    let (is_noise, proof) = (clause.is_noise, clause.weakest());
    let mut phrases =
        if context.is_failed() { failed_statement(context, message.place, clause) } else { statement(clause) };
    let ends = |phrase: &Phrase| matches!(&phrase.word, Word::Text(text) if text.ends_with('.'));
    if !phrases.last().is_some_and(ends) {
        phrases.push(text("."));
    }
    let kind = if context.is_failed() { SentenceKind::Asked } else { proof.kind() };
    let lacks_events = !context.is_failed() && proof == Proof::Absent;
    Sentence { message: message.place, phrases, kind, lacks_events, is_noise }
}

/// What a message says, by its family; of a type that no family knows only that it was sent.
pub(super) fn clause(context: &TxContext<'_>, message: MessageRef<'_>) -> Clause {
    type Renderer = fn(&TxContext<'_>, MessageRef<'_>) -> Option<Clause>;
    const FAMILIES: [Renderer; 6] =
        [cosmos::render, opinit::render, ibc::render, evm::render, movevm::render, wasm::render];
    let clause = FAMILIES
        .iter()
        .find_map(|render| render(context, message))
        .unwrap_or_else(|| cosmos::unknown(context, message));
    if context.is_failed() {
        return clause;
    }
    let is_claimed = clause.proof > Proof::Ran && !are_known(context, message, &clause.subject);
    if is_claimed || (clause.weakest() > Proof::Ran && !are_known(context, message, &clause.rest)) {
        return clauses::lacking(context, Clause { proof: Proof::Absent, ..clause });
    }
    clause
}

/// Whether everybody who is named signed the transaction, or is named by an event of the message: what the message says
/// of itself alone shows nothing.
fn are_known(context: &TxContext<'_>, message: MessageRef<'_>, phrases: &[Phrase]) -> bool {
    // Who signed is not in every record: then nothing speaks against what the message says.
    if context.decoded.signer.is_none() {
        return true;
    }
    phrases.iter().all(|phrase| match &phrase.word {
        // The chain's own accounts, which act by its rules and sign nothing, have names.
        Word::Account { address, label: None, .. } => {
            is_in(context, phrase, *address) || context.is_named(message, *address)
        }
        _ => true,
    })
}

/// Whether the events behind a phrase name an account as Cosmos writes it, which most do, or its own store on Move, whose
/// address is made of the account's.
fn is_in(context: &TxContext<'_>, phrase: &Phrase, account: Address) -> bool {
    let text = if phrase.events.is_empty() { String::new() } else { account.bech32() };
    let is_shown = |place: &usize| {
        context.decoded.events.get(*place).is_some_and(|event| {
            event.attributes.iter().any(|(_, value)| *value == text) || movevm::is_store_of(*place, event, account)
        })
    };
    phrase.events.iter().any(is_shown)
}

/// The clause without its subject, for a message within another: "{past} {rest}", and where nothing bears it out "asked
/// to {base} {rest}".
pub(super) fn verb_phrase(clause: Clause) -> Vec<Phrase> {
    let mut phrases = match clause.proof {
        Proof::Absent => vec![text("asked to "), text(clause.verb.base)],
        _ => vec![text(clause.verb.past)],
    };
    push_rest(&mut phrases, clause.rest);
    phrases.extend(clause.is_lacking.then(|| text(clauses::LACKS)));
    phrases
}

/// The clause without its subject, for a message within a call: as it would be said alone, in a failed transaction "{base}
/// {rest}".
pub(super) fn told_within(context: &TxContext<'_>, clause: Clause) -> Vec<Phrase> {
    if !context.is_failed() {
        return verb_phrase(clause);
    }
    let mut phrases = vec![text(clause.verb.base)];
    push_rest(&mut phrases, clause.rest);
    phrases
}

/// "{subject} {past} {rest}", and where nothing bears it out "{subject} asked to {base} {rest}".
pub(super) fn statement(mut clause: Clause) -> Vec<Phrase> {
    let mut phrases = std::mem::take(&mut clause.subject);
    if !phrases.is_empty() {
        phrases.push(text(" "));
    }
    phrases.extend(verb_phrase(clause));
    phrases
}

/// "{subject} tried to {base} {rest}; it failed".
fn failed_statement(context: &TxContext<'_>, message: usize, clause: Clause) -> Vec<Phrase> {
    let failed = context.decoded.failure.as_ref().and_then(|failure| failure.message_index);
    let end = match failed.filter(|failed| *failed < context.decoded.messages.len()) {
        None => "; it failed".to_owned(),
        Some(failed) if failed == message => "; it failed".to_owned(),
        Some(failed) if failed > message => format!("; undone, because message {} failed", failed.saturating_add(1)),
        Some(failed) => format!("; not reached, because message {} failed", failed.saturating_add(1)),
    };
    let mut phrases = clause.subject;
    phrases.push(text(" tried to "));
    phrases.push(text(clause.verb.base));
    push_rest(&mut phrases, clause.rest);
    phrases.push(text(end));
    phrases
}

fn push_rest(phrases: &mut Vec<Phrase>, rest: Vec<Phrase>) {
    let is_joined =
        matches!(rest.first(), Some(Phrase { word: Word::Text(text), .. }) if text.starts_with([':', ',', ';', '.']));
    if !rest.is_empty() && !is_joined {
        phrases.push(text(" "));
    }
    phrases.extend(rest);
}

fn text(words: impl Into<std::borrow::Cow<'static, str>>) -> Phrase {
    Phrase { word: Word::Text(words.into()), events: Vec::new() }
}
