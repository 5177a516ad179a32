//! The messages of the optimistic bridge (`wire/story.md` §1.2).

mod deposit;
mod governed;
mod host;
mod oracle;
#[cfg(test)]
mod tests;
mod withdrawal;

use serde_json::Value;

use super::{
    clause,
    cosmos::{Inner, facts},
    say::{actor, say},
};
use crate::domain::text::count_of;
use crate::story::{
    Phrase, Word,
    scene::{Clause, Scene, Told},
    sentence::verb,
};

/// The messages of both sides of the optimistic bridge.
pub(super) fn tell(scene: &Scene<'_>, told: Told<'_>) -> Option<Clause> {
    if let Some(name) = told.kind.as_str().strip_prefix("opinit.ophost.v1.") {
        return Some(host::tell(scene, told, name));
    }
    let name = told.kind.as_str().strip_prefix("opinit.opchild.v1.")?;
    match name {
        "MsgFinalizeTokenDeposit" => Some(deposit::finalize(scene, told)),
        "MsgInitiateTokenWithdrawal" => Some(withdrawal::initiate(scene, told)),
        "MsgMigrateToken" => Some(withdrawal::migrate(scene, told)),
        "MsgExecuteMessages" => Some(execute_messages(scene, told)),
        "MsgUpdateOracle" => Some(oracle::update(scene, told)),
        "MsgRelayOracleData" => Some(oracle::relay(scene, told)),
        name => Some(governed::tell(scene, told, name)),
    }
}

/// "Admin executed {n} messages as the opchild module: {what they did}".
fn execute_messages(scene: &Scene<'_>, told: Told<'_>) -> Clause {
    let values = told.fields.get("messages").and_then(Value::as_array);
    let count = values.map_or(0, Vec::len);
    let mut clauses = Vec::new();
    for value in values.into_iter().flatten() {
        if !scene.work.takes_nested(told.depth) {
            break;
        }
        let Some(inner) = Inner::of(value) else { continue };
        let child = Told { depth: told.depth + 1, kind: &inner.kind, fields: &inner.fields, ..told };
        clauses.push(clause(scene, child));
    }
    let unread = count - clauses.len();
    let said = format!("{} as the opchild module", count_of(count, "message", "messages"));
    let mut rest = scene.words().text(said);
    if !clauses.is_empty() {
        rest = rest.text(": ").then(if scene.is_failed() { attempts(scene, clauses) } else { facts(clauses) });
    }
    if unread > 0 {
        rest = rest.text(format!("; and {unread} more"));
    }
    // Where it failed nothing tells whether the sender is the admin; often that is why.
    let sender = actor(scene, told, "sender");
    // One who is known by name is not given a title besides.
    let is_named = sender.iter().any(|phrase| matches!(phrase.word, Word::Account { label: Some(_), .. }));
    let title = if scene.is_failed() || is_named { "" } else { "Admin " };
    let subject = scene.words().text(title).then(sender);
    say(subject.done(), verb::EXECUTE, rest.done())
}

/// What clauses would have done: "to pay 1 INIT to A; to update the oracle".
fn attempts(scene: &Scene<'_>, clauses: Vec<Clause>) -> Vec<Phrase> {
    let mut words = scene.words();
    for (place, clause) in clauses.into_iter().enumerate() {
        words = words.text(if place > 0 { "; to " } else { "to " }).text(clause.verb.base).text(" ").then(clause.rest);
    }
    words.done()
}
