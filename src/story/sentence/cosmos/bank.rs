use crate::story::proof::Proof;
use serde_json::Value;

use crate::{
    domain::{Coin, parse_coins, text::count_of},
    story::{
        DecodedEvent,
        context::{Clause, MessageRef, TxContext, coin_of},
        sentence::{
            clauses::{MessageEvents, clause_by, same_account},
            verb,
        },
    },
};

/// "{from} sent {C} to {to}"; to itself it changes nothing.
pub(super) fn send(context: &TxContext<'_>, message: MessageRef<'_>) -> Clause {
    let (from, to) = (message.text("from_address").unwrap_or_default(), message.text("to_address").unwrap_or_default());
    let seen = MessageEvents::of(context, message);
    let is_party =
        |event: &DecodedEvent, key: &str, text: &str| event.value(key).is_some_and(|value| same_account(value, text));
    let matching = |event: &DecodedEvent| is_party(event, "sender", &from) && is_party(event, "recipient", &to);
    let places = seen.places("transfer", matching);
    let told_coins = message.coins("amount");
    let coins = match (places.as_slice(), seen.that("transfer", matching)) {
        ([_], Some((_, event))) => moved(event).unwrap_or(told_coins),
        _ => told_coins,
    };
    let rest = context.words().coins(&coins).by(places.iter().copied());
    let rest = if from == to {
        rest.text(if context.is_failed() { " to itself" } else { " to itself (no net change)" })
    } else {
        rest.text(" to ").party(&to).by(places)
    };
    clause_by(context, message, "from_address", verb::SEND, rest.done(), Proof::Unjudged)
}

/// The coins of an event, where it has some.
fn moved(event: &DecodedEvent) -> Option<Vec<Coin>> {
    parse_coins(event.value("amount")?).ok().filter(|coins| !coins.is_empty())
}

/// "{input} sent {C} to {n} accounts".
pub(super) fn multi_send(context: &TxContext<'_>, message: MessageRef<'_>) -> Clause {
    let items = |name: &str| message.fields.get(name).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let (inputs, outputs) = (items("inputs"), items("outputs"));
    let input = inputs.first();
    let from = input.and_then(|input| input.get("address")).and_then(Value::as_str).unwrap_or_default();
    let coins = input.and_then(|input| input.get("coins")).and_then(Value::as_array);
    let coins: Vec<Coin> = coins.into_iter().flatten().filter_map(coin_of).collect();
    let seen = MessageEvents::of(context, message);
    let places = seen.places("transfer", |_| true);
    let rest = context.words().coins(&coins).by(seen.places("coin_spent", |_| true));
    let receiver = |output: &Value| output.get("address").and_then(Value::as_str).map(ToOwned::to_owned);
    let rest = match outputs {
        [only] => rest.text(" to ").party(&receiver(only).unwrap_or_default()),
        many => rest.text(format!(" to {}", count_of(many.len(), "account", "accounts"))),
    };
    Clause::new(context.words().party(from).done(), verb::SEND, rest.by(places).done(), Proof::Unjudged)
}
