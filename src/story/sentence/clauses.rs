//! What the families of messages share in telling.

use std::borrow::Cow;

use serde_json::Value;

use super::verb;
pub(super) use crate::domain::same_account;
use crate::{
    domain::{Coin, Timestamp, parse_coins, text::quoted},
    story::{
        DecodedEvent, Phrase,
        context::{Clause, MessageRef, PhraseBuilder, TxContext, VerbForms},
        proof::{Claims, Proof, TracePlace},
    },
};

pub(super) fn clause_by(
    context: &TxContext<'_>,
    message: MessageRef<'_>,
    field: &str,
    verb: VerbForms,
    rest: Vec<Phrase>,
    proof: Proof,
) -> Clause {
    Clause::new(actor(context, message, field), verb, rest, proof)
}

/// A clause of a message that always leaves events. Where none of them is in the record, it says so besides.
pub(super) fn clause_with(
    context: &TxContext<'_>,
    subject: Vec<Phrase>,
    verb: VerbForms,
    rest: PhraseBuilder<'_, '_>,
    events: &[usize],
) -> Clause {
    let clause = Clause::new(subject, verb, rest.done(), Proof::by(events));
    lacking(context, clause)
}

/// The same clause, which says so where the record has none of the events that such a message always leaves.
pub(super) fn lacking(context: &TxContext<'_>, clause: Clause) -> Clause {
    Clause { is_lacking: clause.proof == Proof::Absent && !context.is_failed(), ..clause }
}

/// What such a clause ends with.
pub(super) const LACKS: &str = "; the record has no event of it";

/// What is said of a message that leaves no event of its own: "{actor} ran {type} ({details})".
pub(super) fn ran(context: &TxContext<'_>, message: MessageRef<'_>, field: &str, details: Vec<Phrase>) -> Clause {
    let rest = context.words().code(message.kind.short());
    let rest = if details.is_empty() { rest } else { rest.text(" (").then(details).text(")") };
    clause_by(context, message, field, verb::RUN, rest.done(), Proof::Ran)
}

/// Whoever a field names. A field that is missing or empty names the transaction's signer, as messages leave out what
/// the signature says; where the record has no signer either it is nobody by name.
pub(super) fn actor(context: &TxContext<'_>, message: MessageRef<'_>, field: &str) -> Vec<Phrase> {
    match (message.text(field), context.decoded.signer) {
        (Some(name), _) if !name.is_empty() => context.words().party(&name),
        (_, Some(signer)) => context.words().word(context.account(signer)),
        _ => context.words().text("Somebody unnamed"),
    }
    .done()
}

/// An event with its place, where there is one.
pub(super) type PlacedEvent<'e> = Option<(usize, &'e DecodedEvent)>;

/// The events of a message, looked through once.
pub(super) struct MessageEvents<'e> {
    /// With their places.
    pub(super) events: Vec<(usize, &'e DecodedEvent)>,
    claims: &'e Claims,
}

impl<'e> MessageEvents<'e> {
    /// Takes the events of a message. One of a transaction that failed left none, whatever the record holds.
    pub(super) fn of(context: &'e TxContext<'_>, message: MessageRef<'_>) -> Self {
        let events = if context.is_failed() { Vec::new() } else { context.events_of(message).collect() };
        Self { events, claims: &context.claims }
    }

    /// The first event of this type for which something holds and that bears out nothing yet; from now on it does. Where
    /// it holds for none, the only event of the type is it: the event decides, and not what the message says.
    pub(super) fn take(&self, kind: &str, holds: impl Fn(&DecodedEvent) -> bool) -> Option<(usize, &'e DecodedEvent)> {
        self.claim(kind, holds).or_else(|| {
            let mut all = self.events.iter().copied().filter(|(_, event)| event.kind == kind);
            let only = all.next().filter(|_| all.next().is_none())?;
            self.claims.take(TracePlace::event(only.0)).then_some(only)
        })
    }

    /// The first event of this type for which something holds and that bears out nothing yet; from now on it does.
    pub(super) fn claim(&self, kind: &str, holds: impl Fn(&DecodedEvent) -> bool) -> Option<(usize, &'e DecodedEvent)> {
        let mut fitting = self.events.iter().copied().filter(|(_, event)| event.kind == kind && holds(event));
        let found = fitting.find(|(place, _)| self.claims.is_free(TracePlace::event(*place)))?;
        self.claims.take(TracePlace::event(found.0));
        Some(found)
    }

    /// The first event of this type.
    pub(super) fn one(&self, kind: &str) -> Option<(usize, &'e DecodedEvent)> {
        self.that(kind, |_| true)
    }

    /// The first event of this type for which something holds.
    pub(super) fn that(&self, kind: &str, holds: impl Fn(&DecodedEvent) -> bool) -> Option<(usize, &'e DecodedEvent)> {
        self.events.iter().copied().find(|(_, event)| event.kind == kind && holds(event))
    }

    /// The places of all events of this type for which something holds.
    pub(super) fn places(&self, kind: &str, holds: impl Fn(&DecodedEvent) -> bool) -> Vec<usize> {
        let all = self.events.iter().filter(|(_, event)| event.kind == kind && holds(event));
        all.map(|(place, _)| *place).collect()
    }

    /// The places of the events that brought a coin to somebody.
    pub(super) fn received(&self, receiver: &str, coin: &Coin) -> Vec<usize> {
        self.places("coin_received", |event| {
            event.value("receiver").is_some_and(|text| same_account(text, receiver)) && holds_coin(event, coin)
        })
    }

    /// The places of the events that took a coin from somebody.
    pub(super) fn spent(&self, spender: &str, coin: &Coin) -> Vec<usize> {
        self.places("coin_spent", |event| {
            event.value("spender").is_some_and(|text| same_account(text, spender)) && holds_coin(event, coin)
        })
    }
}

fn holds_coin(event: &DecodedEvent, coin: &Coin) -> bool {
    event.value("amount").and_then(|text| parse_coins(text).ok()).is_some_and(|coins| coins.contains(coin))
}

/// How many items a field that is a list has.
pub(super) fn length(message: MessageRef<'_>, field: &str) -> usize {
    message.fields.get(field).and_then(Value::as_array).map_or(0, Vec::len)
}

/// A time as people read it: `2026-01-31 14:03:21 UTC`; what is none is quoted.
pub(super) fn moment(text: &str) -> String {
    text.parse::<Timestamp>().map_or_else(|_| quoted(text), |time| format!("{} UTC", time.day_and_clock()))
}

/// The value of an attribute of a typed event, which is JSON.
pub(super) fn unwrapped(value: &str) -> String {
    serde_json::from_str::<String>(value).unwrap_or_else(|_| value.to_owned())
}

/// Whether an attribute of an event names this account; an event without the attribute does not contradict.
pub(super) fn names(event: &DecodedEvent, attribute: &str, account: &str) -> bool {
    event.value(attribute).is_none_or(|value| same_account(&unwrapped(value), account))
}

/// An attribute of an event, and where there is none a field of the message.
pub(super) fn told(event: Option<(usize, &DecodedEvent)>, attribute: &str, field: Option<Cow<'_, str>>) -> String {
    let value = event.and_then(|(_, event)| event.value(attribute)).filter(|value| !value.is_empty()).map(unwrapped);
    value.or_else(|| field.map(Cow::into_owned)).unwrap_or_default()
}

/// Whoever a text names, as the subject; nobody by name where it is empty.
pub(super) fn subject(context: &TxContext<'_>, message: MessageRef<'_>, field: &str, name: &str) -> Vec<Phrase> {
    if name.is_empty() { actor(context, message, field) } else { context.words().party(name).done() }
}

/// The place of an event, where there is one.
pub(super) fn places_of(event: Option<(usize, &DecodedEvent)>) -> Vec<usize> {
    event.iter().map(|(place, _)| *place).collect()
}

/// Texts in a row: `a, b and c`.
pub(super) fn row(parts: &[String]) -> String {
    match parts {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use crate::story::sentence::test_records::{ALICE, BOB, record, said};

    /// A message of each family, without the field that says whose it is.
    fn messages() -> Vec<(&'static str, Value)> {
        let cases = [
            ("from_address", json!({"@type": "/cosmos.bank.v1beta1.MsgSend", "to_address": BOB})),
            ("grantee", json!({"@type": "/cosmos.authz.v1beta1.MsgExec"})),
            ("sender", json!({"@type": "/ibc.applications.transfer.v1.MsgTransfer", "receiver": BOB})),
            ("sender", json!({"@type": "/opinit.ophost.v1.MsgInitiateTokenDeposit", "to": BOB})),
            ("sender", json!({"@type": "/minievm.evm.v1.MsgCall", "contract_addr": BOB, "input": "0x01020304"})),
            ("sender", json!({"@type": "/minievm.evm.v1.MsgCreate"})),
            ("authority", json!({"@type": "/minievm.evm.v1.MsgUpdateParams"})),
            ("sender", json!({"@type": "/initia.move.v1.MsgExecute", "module_name": "m", "function_name": "f"})),
            ("sender", json!({"@type": "/initia.move.v1.MsgPublish"})),
            ("sender", json!({"@type": "/cosmwasm.wasm.v1.MsgExecuteContract", "contract": BOB, "msg": {"a": {}}})),
            ("sender", json!({"@type": "/miniwasm.tokenfactory.v1.MsgCreateDenom", "subdenom": "x"})),
        ];
        cases.into()
    }

    #[test]
    fn an_empty_sender_is_the_signer_in_every_family_and_else_nobody_by_name() {
        let signed = ("tx", json!({"acc_seq": format!("{ALICE}/7"), "msg_index": ""}));
        for (field, message) in messages() {
            let mut empty = message.clone();
            empty[field] = json!("");
            let mut named = message.clone();
            named[field] = json!(BOB);
            for absent in [&message, &empty] {
                let told = said(&record(std::slice::from_ref(absent), std::slice::from_ref(&signed)));
                assert!(told.starts_with("A "), "{absent}: {told}");
                let told = said(&record(std::slice::from_ref(absent), &[]));
                assert!(told.starts_with("Somebody unnamed "), "{absent}: {told}");
            }
            let told = said(&record(&[named], std::slice::from_ref(&signed)));
            assert!(told.starts_with("B "), "who is named is not the signer: {told}");
        }
    }
}
