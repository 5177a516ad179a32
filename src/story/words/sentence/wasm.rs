mod call;
mod codes;
mod cw20;
mod cw721;
mod factory;
mod ics721;
mod pools;

use std::borrow::Cow;

use serde_json::{Map, Value};

use self::call::{WasmCall, asked_funds, is_of, parsed};
use super::{
    clauses::{MessageEvents, clause_by, lacking},
    nested::SentenceContext,
    verb,
};
use crate::{
    events::names::SUDO,
    story::{
        context::{MessageRef, TxContext, proof::Proof},
        words::clause::Clause,
    },
};

/// Renders the messages of Wasm (`docs/apis/story.md` §1.6).
pub(super) fn render(context: &SentenceContext<'_>, message: MessageRef<'_>) -> Option<Clause> {
    let kind = message.kind.as_str();
    if let Some(name) = kind.strip_prefix("miniwasm.tokenfactory.v1.Msg") {
        return factory::render(context, message, name);
    }
    match kind.strip_prefix("cosmwasm.wasm.v1.Msg")? {
        "ExecuteContract" => Some(execute(context, message)),
        "SudoContract" => Some(sudo(context, message)),
        name => codes::render(context, message, name),
    }
}

fn execute(context: &TxContext<'_>, message: MessageRef<'_>) -> Clause {
    let contract = message.text("contract").unwrap_or_default();
    let decoded = contract_message(message);
    let empty = Map::new();
    let (name, body) = decoded.as_ref().map_or(("", &empty), |fields| first(fields, &empty));
    let seen = MessageEvents::of(context, message);
    let asks_to_move = cw20::NAMES.contains(&name) || cw721::NAMES.contains(&name) || name == "swap";
    let call = WasmCall { context, message, contract: &contract, name, body, seen, asks_to_move };
    let clause = cw721::clause(&call).or_else(|| cw20::clause(&call)).or_else(|| pools::clause(&call));
    let clause = clause.unwrap_or_else(|| called(&call));
    // Events without a run of this contract say nothing about it.
    let is_named = contract.parse().is_ok_and(|contract| context.is_named(message, contract));
    if clause.proof > Proof::Ran && !is_named && !context.is_failed() {
        return lacking(context, Clause { proof: Proof::Absent, ..clause });
    }
    clause
}

/// Returns the message for the contract: inline JSON, or its bytes.
fn contract_message(message: MessageRef<'_>) -> Option<Cow<'_, Map<String, Value>>> {
    match message.fields.get("msg")? {
        Value::Object(fields) => Some(Cow::Borrowed(fields)),
        Value::String(text) => parsed(text).map(Cow::Owned),
        _ => None,
    }
}

/// Returns the action: the message's first key with its value.
fn first<'a>(fields: &'a Map<String, Value>, empty: &'a Map<String, Value>) -> (&'a str, &'a Map<String, Value>) {
    match fields.iter().next() {
        Some((name, Value::Object(body))) => (name, body),
        Some((name, _)) => (name, empty),
        None => ("", empty),
    }
}

/// Describes "called `enter_match` on K with 1 INIT", with swaps and NFTs from its events.
fn called(call: &WasmCall<'_>) -> Clause {
    let words = call.called();
    let Some(funds) = call.funds() else {
        let words = words.then(asked_funds(call.context, call.message));
        return call.clause(verb::CALL, words.done(), Proof::Absent);
    };
    let words = words.then(funds);
    if let Some((aside, proof)) = pools::aside(call).or_else(|| cw721::aside(call)) {
        return call.clause(verb::CALL, words.then(aside).done(), proof);
    }
    let is_idle = call.asks_to_move && !call.context.is_failed() && call.is_silent();
    let words = if is_idle { words.text("; no event tells of a movement") } else { words };
    call.clause(verb::CALL, words.done(), Proof::Ran)
}

/// Describes a call by the chain's own authority.
fn sudo(context: &TxContext<'_>, message: MessageRef<'_>) -> Clause {
    let contract = message.text("contract").unwrap_or_default();
    let decoded = contract_message(message);
    let empty = Map::new();
    let (name, _) = decoded.as_ref().map_or(("", &empty), |fields| first(fields, &empty));
    let place = MessageEvents::of(context, message).claim(SUDO, |event| is_of(event, &contract));
    let place = place.map(|(place, _)| place);
    let words = context.words();
    let words = if name.is_empty() { words } else { words.code(name).by(place).text(" on ") };
    let words = words.party(&contract).by(place).text(" with the chain's own rights");
    clause_by(context, message, "authority", verb::CALL, words.done(), Proof::Ran)
}
