//! Messages without words of their own.

use super::{clauses::actor, verb};
use crate::story::{
    context::{MessageRef, TxContext, proof::Proof},
    words::{
        clause::Clause,
        phrase::{Phrase, Word},
    },
};

/// Fields that may name a message's sender, the most common first.
const SIGNERS: [&str; 12] = [
    "sender",
    "signer",
    "authority",
    "from_address",
    "granter",
    "proposer",
    "voter",
    "admin",
    "executor",
    "address",
    "owner",
    "creator",
];

fn signer(context: &TxContext<'_>, message: MessageRef<'_>) -> Vec<Phrase> {
    let field = SIGNERS.into_iter().find(|name| message.text(name).is_some_and(|text| !text.is_empty()));
    actor(context, message, field.unwrap_or_default())
}

/// Builds "{signer} ran {name}" with details, for known types without specific words.
pub(super) fn generic(context: &TxContext<'_>, message: MessageRef<'_>) -> Clause {
    const ABOUT: [(&str, &str); 2] = [("proposal_id", " on proposal #"), ("group_id", " of group #")];
    let mut rest = context.words().code(message.kind.short());
    for (field, words) in ABOUT {
        if let Some(number) = message.text(field).filter(|number| !number.is_empty() && number != "0") {
            rest = rest.text(words).plain(&number);
        }
    }
    Clause::new(signer(context, message), verb::RUN, rest.done(), Proof::Ran)
}

pub(super) fn unknown(context: &TxContext<'_>, message: MessageRef<'_>) -> Clause {
    // The full name: its last part may equal that of a known type.
    let rest = match message.kind.as_str() {
        "" | "unknown" => context.words().text("a message without a type"),
        name => context.words().text("a message of the unknown type ").code(name),
    };
    let who = signer(context, message);
    // The sender's field is unknown, so only accounts confirmed elsewhere count.
    let is_named = |phrase: &Phrase| match phrase.word {
        Word::Account { address, .. } => context.is_named(message, address),
        _ => true,
    };
    let signer = context.decoded.signer.filter(|_| !who.iter().all(is_named));
    let who = signer.map_or(who, |signer| context.words().word(context.account(signer)).done());
    Clause::new(who, verb::SEND, rest.done(), Proof::Ran)
}
