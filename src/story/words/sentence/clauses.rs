//! Shared helpers of the message families.

use std::borrow::Cow;

use serde_json::Value;

use super::verb;
use crate::{
    domain::{Coin, Timestamp, same_account, text::quoted},
    events::{
        bank::{BankChange, BankEvent},
        keys::{self, AttributeKey},
        names::SUBMSG,
    },
    story::{
        context::{
            MessageRef, TxContext,
            proof::{Claims, Proof, TracePlace},
        },
        decode::DecodedEvent,
        words::{
            builder::PhraseBuilder,
            clause::{Clause, VerbForms},
            phrase::Phrase,
        },
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

/// Builds a clause for a message that always emits events; without any, the sentence says so.
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

/// Adds to the clause that the record lacks the message's events.
pub(super) fn lacking(context: &TxContext<'_>, clause: Clause) -> Clause {
    Clause { is_lacking: clause.proof == Proof::Absent && !context.is_failed(), ..clause }
}

/// Builds "{actor} ran {type} ({details})" for a message without events of its own.
pub(super) fn ran(context: &TxContext<'_>, message: MessageRef<'_>, field: &str, details: Vec<Phrase>) -> Clause {
    let rest = context.words().code(message.kind.short());
    let rest = if details.is_empty() { rest } else { rest.text(" (").then(details).text(")") };
    clause_by(context, message, field, verb::RUN, rest.done(), Proof::Ran)
}

/// Returns the account in a field. A missing or empty field means the transaction's signer; without one the actor is
/// unnamed.
pub(super) fn actor(context: &TxContext<'_>, message: MessageRef<'_>, field: &str) -> Vec<Phrase> {
    match (message.text(field), context.decoded.signer) {
        (Some(name), _) if !name.is_empty() => context.words().party(&name),
        (_, Some(signer)) => context.words().word(context.account(signer)),
        _ => context.words().text("An unknown account"),
    }
    .done()
}

/// Optional event with its index.
pub(super) type PlacedEvent<'e> = Option<(usize, &'e DecodedEvent)>;

#[derive(Clone, Copy)]
pub(super) enum SentOutcome<'e> {
    /// No event reports its failure; with the event of its success, if any.
    Ran(Option<usize>),
    Failed(usize, &'e DecodedEvent),
    /// Some of several sent messages failed, and no event tells whether this message did.
    Unknown,
}

impl SentOutcome<'_> {
    /// Limits the evidence for an effect by the outcome: execution alone proves nothing.
    pub(super) fn limits(self, proof: Proof) -> Proof {
        match self {
            Self::Ran(_) => proof,
            Self::Unknown if proof > Proof::Ran => proof,
            Self::Failed(..) | Self::Unknown => Proof::Absent,
        }
    }

    /// Returns "; it failed on its own: “{reason}”", or that the record has no outcome for an unproven effect.
    pub(super) fn note(self, context: &TxContext<'_>, proof: Proof) -> Vec<Phrase> {
        match self {
            Self::Unknown if proof == Proof::Absent => {
                context.words().text("; the record does not show its outcome").done()
            }
            Self::Ran(_) | Self::Unknown => Vec::new(),
            Self::Failed(place, event) => {
                let words = context.words().text("; it failed on its own").by([place]);
                let reason = event.text(keys::REASON).or_else(|| event.text(keys::ERROR));
                match reason.filter(|reason| !reason.is_empty()) {
                    Some(reason) => words.text(": ").quote(reason).by([place]).done(),
                    None => words.done(),
                }
            }
        }
    }
}

/// Events of a message, scanned once.
pub(super) struct MessageEvents<'e> {
    pub(super) events: Vec<(usize, &'e DecodedEvent)>,
    claims: &'e Claims,
}

impl<'e> MessageEvents<'e> {
    /// Collects the events of a message. A failed transaction has none, whatever its record contains.
    pub(super) fn of(context: &'e TxContext<'_>, message: MessageRef<'_>) -> Self {
        let events = if context.is_failed() { Vec::new() } else { context.events_of(message).collect() };
        Self { events, claims: &context.claims }
    }

    /// Claims the first unused matching event of this type, else the only event of the type: the event decides, not the
    /// message.
    pub(super) fn claim_or_only(
        &self,
        kind: &str,
        holds: impl Fn(&DecodedEvent) -> bool,
    ) -> Option<(usize, &'e DecodedEvent)> {
        self.claim_view_or_only(|event| Some(event).filter(|event| event.kind == kind), |event| holds(event))
    }

    /// Claims the first unused matching event of this type.
    pub(super) fn claim(&self, kind: &str, holds: impl Fn(&DecodedEvent) -> bool) -> Option<(usize, &'e DecodedEvent)> {
        self.claim_view(|event| Some(event).filter(|event| event.kind == kind), |event| holds(event))
    }

    /// Claims the event that the chain writes at the end of a sent message. Events of messages that this message sent
    /// come before. The last event certainly belongs to it only if no other code of the transaction's message sent
    /// anything (`is_only`).
    pub(super) fn claim_sent(&self, is_only: bool) -> SentOutcome<'e> {
        let is_free = |(place, _): &(usize, &DecodedEvent)| self.claims.is_free(TracePlace::event(*place));
        let ends = self.events.iter().copied().filter(|(_, event)| event.kind == SUBMSG).filter(is_free);
        let ends: Vec<_> = ends.collect();
        let has_failed = |(_, event): &&(usize, &DecodedEvent)| event.get(keys::SUCCESS) == Some(false);
        let failures = ends.iter().filter(has_failed).count();
        if !is_only && failures > 0 && failures < ends.len() {
            return SentOutcome::Unknown;
        }
        let Some((place, event)) = (if is_only { ends.last() } else { ends.first() }) else {
            return SentOutcome::Ran(None);
        };
        self.claims.take(TracePlace::event(*place));
        match event.get(keys::SUCCESS) {
            Some(false) => SentOutcome::Failed(*place, event),
            _ => SentOutcome::Ran(Some(*place)),
        }
    }

    /// Claims the first unused matching event with this typed view, else the only event with it.
    pub(super) fn claim_view_or_only<T>(
        &self,
        view: impl Fn(&'e DecodedEvent) -> Option<T>,
        holds: impl Fn(&T) -> bool,
    ) -> Option<(usize, T)> {
        self.claim_view(&view, holds).or_else(|| {
            let mut all = self.views(view);
            let only = all.next().filter(|_| all.next().is_none())?;
            self.claims.take(TracePlace::event(only.0)).then_some(only)
        })
    }

    /// Claims the first unused matching event with this typed view.
    pub(super) fn claim_view<T>(
        &self,
        view: impl Fn(&'e DecodedEvent) -> Option<T>,
        holds: impl Fn(&T) -> bool,
    ) -> Option<(usize, T)> {
        let mut fitting = self.views(view).filter(|(_, view)| holds(view));
        fitting.find(|(place, _)| self.claims.take(TracePlace::event(*place)))
    }

    /// Returns the events that have this typed view, with their indices.
    pub(super) fn views<T>(&self, view: impl Fn(&'e DecodedEvent) -> Option<T>) -> impl Iterator<Item = (usize, T)> {
        self.events.iter().filter_map(move |(place, event)| Some((*place, view(event)?)))
    }

    pub(super) fn first(&self, kind: &str) -> Option<(usize, &'e DecodedEvent)> {
        self.first_where(kind, |_| true)
    }

    /// Returns the first matching event of this type.
    pub(super) fn first_where(
        &self,
        kind: &str,
        holds: impl Fn(&DecodedEvent) -> bool,
    ) -> Option<(usize, &'e DecodedEvent)> {
        self.events.iter().copied().find(|(_, event)| event.kind == kind && holds(event))
    }

    /// Returns the indices of all matching events of this type.
    pub(super) fn places(&self, kind: &str, holds: impl Fn(&DecodedEvent) -> bool) -> Vec<usize> {
        let all = self.events.iter().filter(|(_, event)| event.kind == kind && holds(event));
        all.map(|(place, _)| *place).collect()
    }

    /// Returns the indices of the events that credit a coin to this account.
    pub(super) fn received(&self, receiver: &str, coin: &Coin) -> Vec<usize> {
        self.bank_places(BankChange::Received, receiver, coin)
    }

    /// Returns the indices of the events that debit a coin from this account.
    pub(super) fn spent(&self, spender: &str, coin: &Coin) -> Vec<usize> {
        self.bank_places(BankChange::Spent, spender, coin)
    }

    fn bank_places(&self, change: BankChange, account: &str, coin: &Coin) -> Vec<usize> {
        let own = self.bank(change).filter(|(_, event)| event.is_of(account) && event.holds(coin));
        own.map(|(place, _)| place).collect()
    }

    /// Returns the bank's events of this kind, with their indices.
    pub(super) fn bank(&self, change: BankChange) -> impl Iterator<Item = (usize, BankEvent<'e>)> {
        self.views(BankEvent::of).filter(move |(_, event)| event.change == change)
    }
}

pub(super) fn length(message: MessageRef<'_>, field: &str) -> usize {
    message.fields.get(field).and_then(Value::as_array).map_or(0, Vec::len)
}

/// Formats a time: `2026-01-31 14:03:21 UTC`; any other text is quoted.
pub(super) fn moment(text: &str) -> String {
    text.parse::<Timestamp>().map_or_else(|_| quoted(text), |time| format!("{} UTC", time.day_and_clock()))
}

/// Unquotes an attribute of a typed event, which is JSON.
pub(super) fn unwrapped(value: &str) -> String {
    serde_json::from_str::<String>(value).unwrap_or_else(|_| value.to_owned())
}

/// Whether an attribute names this account; a missing attribute does not contradict.
pub(super) fn names<T>(event: &DecodedEvent, attribute: AttributeKey<T>, account: &str) -> bool {
    event.text(attribute).is_none_or(|value| same_account(&unwrapped(value), account))
}

/// Parses the only choice of a vote in its event: JSON with a number.
pub(super) fn vote_choice(option: &str) -> Option<&'static str> {
    let value: Value = serde_json::from_str(option).ok()?;
    match value.as_array()?.as_slice() {
        [only] => match only.get("option")?.as_u64()? {
            1 => Some("yes"),
            2 => Some("abstain"),
            3 => Some("no"),
            4 => Some("no with veto"),
            _ => None,
        },
        _ => None,
    }
}

/// Whether an event names this account; without a name it does not contradict.
pub(super) fn agrees(named: Option<&str>, account: &str) -> bool {
    named.is_none_or(|named| same_account(named, account))
}

/// Returns an attribute of an event or, without the attribute, a field of the message.
pub(super) fn told<T>(
    event: Option<(usize, &DecodedEvent)>,
    attribute: AttributeKey<T>,
    field: Option<Cow<'_, str>>,
) -> String {
    or_field(event.and_then(|(_, event)| event.text(attribute)).map(unwrapped), field)
}

/// Returns an event's value or, if the value is absent or empty, a field of the message.
pub(super) fn or_field(told: Option<impl ToString>, field: Option<Cow<'_, str>>) -> String {
    let told = told.map(|told| told.to_string()).filter(|told| !told.is_empty());
    told.or_else(|| field.map(Cow::into_owned)).unwrap_or_default()
}

/// Returns the account in a text as the subject; unnamed if the text is empty.
pub(super) fn subject(context: &TxContext<'_>, message: MessageRef<'_>, field: &str, name: &str) -> Vec<Phrase> {
    if name.is_empty() { actor(context, message, field) } else { context.words().party(name).done() }
}

/// Returns the index of an optional event as a list.
pub(super) fn places_of<T: Copy>(event: Option<(usize, T)>) -> Vec<usize> {
    event.iter().map(|(place, _)| *place).collect()
}

/// Joins texts: `a, b and c`.
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

    use crate::story::words::sentence::test_records::{ALICE, BOB, record, said};

    /// Returns a message of each family, without the field that names its sender.
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
                assert!(told.starts_with("An unknown account "), "{absent}: {told}");
            }
            let told = said(&record(&[named], std::slice::from_ref(&signed)));
            assert!(told.starts_with("B "), "who is named is not the signer: {told}");
        }
    }
}
