//! Messages of the OPinit bridge (`docs/apis/story.md` §1.2).

mod deposit;
mod governed;
mod host;
mod oracle;
#[cfg(test)]
mod tests;
mod withdrawal;

use crate::{
    domain::{Address, text::count_of},
    story::{
        context::{MessageRef, TxContext, proof::Proof},
        words::{
            clause::Clause,
            phrase::{Phrase, Word},
        },
    },
};
use serde_json::Value;

use super::{
    clauses::actor,
    nested::{InnerMessage, SentenceContext, facts, weakest},
    verb,
};

pub(super) fn render(context: &SentenceContext<'_>, message: MessageRef<'_>) -> Option<Clause> {
    if let Some(name) = message.kind.as_str().strip_prefix("opinit.ophost.v1.") {
        return Some(host::render(context, message, name));
    }
    let name = message.kind.as_str().strip_prefix("opinit.opchild.v1.")?;
    match name {
        "MsgFinalizeTokenDeposit" => Some(deposit::finalize(context, message)),
        "MsgInitiateTokenWithdrawal" => Some(withdrawal::initiate(context, message)),
        "MsgMigrateToken" => Some(withdrawal::migrate(context, message)),
        "MsgExecuteMessages" => Some(execute_messages(context, message)),
        "MsgUpdateOracle" => Some(oracle::update(context, message)),
        "MsgRelayOracleData" => Some(oracle::relay(context, message)),
        name => Some(governed::render(context, message, name)),
    }
}

/// Describes "Admin executed {n} messages as the opchild module: {effects}".
fn execute_messages(context: &SentenceContext<'_>, message: MessageRef<'_>) -> Clause {
    let values = message.fields.get("messages").and_then(Value::as_array);
    let count = values.map_or(0, Vec::len);
    let mut clauses = Vec::new();
    for value in values.into_iter().flatten() {
        if !context.work.takes_nested(message.depth) {
            break;
        }
        let Some(inner) = InnerMessage::of(value) else { continue };
        let child = message.nested(&inner.kind, &inner.fields);
        let mut told = context.clause(child);
        // All act as the module, which the sentence says once.
        if !context.is_failed() && told.subject == actor(context, child, "authority") {
            told.subject.clear();
        }
        clauses.push(told);
    }
    let unread = count - clauses.len();
    let within = weakest(&clauses);
    let said = format!("{} as the opchild module", count_of(count, "message", "messages"));
    let mut rest = context.words().text(said);
    if !clauses.is_empty() {
        rest = rest.text(": ").then(if context.is_failed() { attempts(context, clauses) } else { facts(clauses) });
    }
    if unread > 0 {
        rest = rest.text(format!("; and {unread} more"));
    }
    // After a failure the sender may not be the admin; often that is the reason.
    let sender = actor(context, message, "sender");
    // A labelled account needs no title.
    let is_known = |address: &Address| context.glossary.known_label(*address).is_some();
    let is_named =
        sender.iter().any(|phrase| matches!(&phrase.word, Word::Account { address, .. } if is_known(address)));
    let title = if context.is_failed() || is_named { "" } else { "Admin " };
    let subject = context.words().text(title).then(sender);
    Clause { within, ..Clause::new(subject.done(), verb::EXECUTE, rest.done(), Proof::Shown) }
}

/// Lists attempts: "to pay 1 INIT to A; to update the oracle".
fn attempts(context: &TxContext<'_>, clauses: Vec<Clause>) -> Vec<Phrase> {
    let mut words = context.words();
    for (place, clause) in clauses.into_iter().enumerate() {
        words = words.text(if place > 0 { "; to " } else { "to " }).then(clause.infinitive());
    }
    words.done()
}
