mod codes;
mod cw20;
mod cw721;
mod factory;
mod pools;

use crate::story::proof::Proof;
use std::borrow::Cow;

use base64::{Engine, prelude::BASE64_STANDARD};
use serde_json::{Map, Value};

use super::{clauses::clause_by, verb};
use crate::story::{
    DecodedEvent,
    context::{Clause, MessageRef, PhraseBuilder, TxContext, VerbPhrase},
};

/// A call of a contract.
struct WasmCall<'a> {
    context: &'a TxContext<'a>,
    message: MessageRef<'a>,
    contract: &'a str,
    /// What is asked: the first key of the message, and what it holds.
    name: &'a str,
    body: &'a Map<String, Value>,
}

/// What a contract says that it did: its event, where the call worked.
#[derive(Clone, Copy)]
struct WasmProof<'a>(Option<(usize, &'a DecodedEvent)>);

impl<'a> WasmProof<'a> {
    fn place(self) -> Option<usize> {
        self.0.map(|(place, _)| place)
    }

    fn event(self) -> Option<&'a DecodedEvent> {
        self.0.map(|(_, event)| event)
    }
}

/// The messages of Wasm (`docs/apis/story.md` §1.6).
pub(super) fn render(context: &TxContext<'_>, message: MessageRef<'_>) -> Option<Clause> {
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
    let call = WasmCall { context, message, contract: &contract, name, body };
    let verb_phrase =
        cw721::verb_phrase(&call).or_else(|| cw20::verb_phrase(&call)).or_else(|| pools::verb_phrase(&call));
    let (verbs, rest) = verb_phrase.unwrap_or_else(|| called(&call));
    clause_by(context, message, "sender", verbs, rest, Proof::Unjudged)
}

/// The message for the contract: JSON inline, or as its bytes.
fn contract_message(message: MessageRef<'_>) -> Option<Cow<'_, Map<String, Value>>> {
    match message.fields.get("msg")? {
        Value::Object(fields) => Some(Cow::Borrowed(fields)),
        Value::String(text) => parsed(text).map(Cow::Owned),
        _ => None,
    }
}

/// JSON in base64, or as it is.
fn parsed(text: &str) -> Option<Map<String, Value>> {
    let bytes = BASE64_STANDARD.decode(text).unwrap_or_else(|_| text.as_bytes().to_vec());
    serde_json::from_slice(&bytes).ok()
}

/// What a message asks: its one key, and what that holds.
fn first<'a>(fields: &'a Map<String, Value>, empty: &'a Map<String, Value>) -> (&'a str, &'a Map<String, Value>) {
    match fields.iter().next() {
        Some((name, Value::Object(body))) => (name, body),
        Some((name, _)) => (name, empty),
        None => ("", empty),
    }
}

/// "called `enter_match` on K with 1 INIT", and what its events tell of swaps and NFTs.
fn called(call: &WasmCall<'_>) -> VerbPhrase {
    let context = call.context;
    let execute = call.events("execute").next().map(|(place, _)| place);
    let words = context.words();
    let words = match call.name {
        "" => words.party(call.contract).by(execute),
        name => words.code(name).by(execute).text(" on ").party(call.contract).by(execute),
    };
    let aside = pools::aside(call).or_else(|| cw721::aside(call)).unwrap_or_default();
    (verb::CALL, call.with_funds(words).then(aside).done())
}

/// What the chain asks of a contract with its own rights.
fn sudo(context: &TxContext<'_>, message: MessageRef<'_>) -> Clause {
    let contract = message.text("contract").unwrap_or_default();
    let decoded = contract_message(message);
    let empty = Map::new();
    let (name, _) = decoded.as_ref().map_or(("", &empty), |fields| first(fields, &empty));
    let words = context.words();
    let words = if name.is_empty() { words.party(&contract) } else { words.code(name).text(" on ").party(&contract) };
    clause_by(
        context,
        message,
        "authority",
        verb::CALL,
        words.text(" with the chain's own rights").done(),
        Proof::Unjudged,
    )
}

impl WasmCall<'_> {
    /// The events of the called contract of this type, in order.
    fn events(&self, kind: &'static str) -> impl Iterator<Item = (usize, &DecodedEvent)> {
        let own = self.context.events_of(self.message);
        own.filter(move |(_, event)| event.kind == kind && event.value("_contract_address") == Some(self.contract))
    }

    /// What the called contract says that it did, where it is this.
    fn said(&self, action: &str) -> Option<(usize, &DecodedEvent)> {
        self.events("wasm").find(|(_, event)| event.value("action") == Some(action))
    }

    /// What the called contract says that it did. Of a call that failed the form of the message must do; one that
    /// worked and says nothing of the kind is another kind of contract's.
    fn proof(&self, action: &str) -> Option<WasmProof<'_>> {
        let found = self.said(action);
        (found.is_some() || self.context.is_failed()).then_some(WasmProof(found))
    }

    /// A field of what is asked that is text, or a number written as one.
    fn text(&self, name: &str) -> Option<String> {
        match self.body.get(name)? {
            Value::String(text) => Some(text.clone()),
            Value::Number(number) => Some(number.to_string()),
            _ => None,
        }
    }

    /// An attribute of the event, else the field of what is asked.
    fn value(&self, proof: WasmProof<'_>, attribute: &str, field: &str) -> Option<String> {
        let said = proof.event().and_then(|event| event.value(attribute));
        said.map(ToOwned::to_owned).or_else(|| self.text(field))
    }

    /// " with 1 INIT": what is sent along.
    fn with_funds<'s, 'a>(&self, words: PhraseBuilder<'s, 'a>) -> PhraseBuilder<'s, 'a> {
        let funds = self.message.coins("funds");
        if funds.is_empty() {
            return words;
        }
        let spent = self.context.event_of(self.message, "coin_spent").map(|(place, _)| place);
        words.text(" with ").coins(&funds).by(spent)
    }

    /// What a contract shall do that is sent something: ", which called bond there".
    fn follow_up(&self) -> Option<String> {
        let inner = parsed(self.body.get("msg")?.as_str()?)?;
        inner.into_iter().next().map(|(name, _)| name)
    }
}
