//! The side of the bridge on the L1.

use crate::{
    domain::{Coin, Denom},
    story::{
        DecodedEvent, Phrase,
        context::{Clause, MessageRef, PhraseBuilder, TxContext, VerbForms},
        sentence::{
            clauses::{MessageEvents, clause_with, names, places_of, subject, told},
            verb,
        },
    },
};

/// The messages of the L1's side of the bridge.
pub(super) fn render(context: &TxContext<'_>, message: MessageRef<'_>, name: &str) -> Clause {
    match name {
        "MsgInitiateTokenDeposit" => deposit(context, message),
        "MsgFinalizeTokenWithdrawal" => claim(context, message),
        "MsgProposeOutput" => {
            by_event(context, message, "propose_output", "proposer", verb::PROPOSE, |event, words| {
                let words = words.then(output(context, message, event)).text(" up to its block ");
                words.plain(&told(event, "l2_block_number", message.text("l2_block_number"))).by(places_of(event))
            })
        }
        "MsgRecordBatch" => by_event(context, message, "record_batch", "submitter", verb::RECORD, |event, words| {
            words.text("a batch of transactions of ").then(rollup(context, message, event)).by(places_of(event))
        }),
        "MsgDeleteOutput" => {
            by_event(context, message, "delete_output", "challenger", verb::CHALLENGE_AND_DELETE, |event, words| {
                words.then(output(context, message, event))
            })
        }
        "MsgCreateBridge" => by_event(context, message, "create_bridge", "creator", verb::CREATE, |event, words| {
            match event.and_then(|(_, event)| event.value("bridge_id")) {
                Some(number) => words.text("bridge #").plain(number).by(places_of(event)),
                None => words.text("a bridge for a rollup"),
            }
        }),
        _ => super::super::cosmos::generic(context, message),
    }
}

/// "output #{n} of {rollup}".
fn output(context: &TxContext<'_>, message: MessageRef<'_>, event: Option<(usize, &DecodedEvent)>) -> Vec<Phrase> {
    let words = context.words().text("output #").plain(&told(event, "output_index", message.text("output_index")));
    words.by(places_of(event)).text(" of ").then(rollup(context, message, event)).done()
}

/// A message that leaves one event, whose attributes count before the message's fields.
fn by_event<'s, 'a>(
    context: &'s TxContext<'a>,
    message: MessageRef<'_>,
    kind: &str,
    field: &str,
    verb: VerbForms,
    rest: impl FnOnce(Option<(usize, &DecodedEvent)>, PhraseBuilder<'s, 'a>) -> PhraseBuilder<'s, 'a>,
) -> Clause {
    let bridge = message.text("bridge_id");
    let event = MessageEvents::of(context, message).take(kind, |event| {
        event.value("bridge_id").is_none_or(|value| bridge.as_deref().is_none_or(|bridge| bridge == value))
    });
    let who = subject(context, message, field, &told(event, field, message.text(field)));
    clause_with(context, who, verb, rest(event, context.words()), &places_of(event))
}

/// The rollup behind a bridge, by name where it is known.
fn rollup(context: &TxContext<'_>, message: MessageRef<'_>, event: Option<(usize, &DecodedEvent)>) -> Vec<Phrase> {
    let bridge = told(event, "bridge_id", message.text("bridge_id"));
    let known = bridge.parse().ok().and_then(|number| context.glossary.chain_of_bridge(number));
    match known {
        Some(chain) => context.words().text(chain.to_string()).done(),
        None => context.words().text("the rollup of bridge #").plain(&bridge).done(),
    }
}

/// The amount as the event has it, and where there is none as the message asks for.
fn amount<'s, 'a>(
    context: &'s TxContext<'a>,
    message: MessageRef<'_>,
    event: Option<(usize, &DecodedEvent)>,
) -> PhraseBuilder<'s, 'a> {
    let Some((_, event)) = event else { return context.words().amounts(message.fields.get("amount")) };
    let written = event.value("amount").unwrap_or_default();
    match (event.value("l1_denom"), written.parse()) {
        (Some(denom), Ok(amount)) => context.words().coin(&Coin { denom: Denom::new(denom), amount }),
        _ => context.words().text("an amount that cannot be read, ").quote(written),
    }
}

/// The event of a message about this bridge with these parties.
fn event_of<'e>(
    context: &'e TxContext<'_>,
    message: MessageRef<'_>,
    kind: &str,
    parties: [(&str, &str); 2],
) -> Option<(usize, &'e DecodedEvent)> {
    let bridge = message.text("bridge_id").unwrap_or_default();
    MessageEvents::of(context, message).take(kind, |event| {
        let is_party =
            |(attribute, field): &(&str, &str)| names(event, attribute, &message.text(field).unwrap_or_default());
        event.value("bridge_id").is_none_or(|value| value == bridge) && parties.iter().all(is_party)
    })
}

/// "{sender} deposited {C} to {to} on {rollup} (deposit #{n})".
fn deposit(context: &TxContext<'_>, message: MessageRef<'_>) -> Clause {
    let event = event_of(context, message, "initiate_token_deposit", [("from", "sender"), ("to", "to")]);
    let places = places_of(event);
    let words = amount(context, message, event).by(places.iter().copied());
    let words = words.text(" to ").party(&told(event, "to", message.text("to"))).by(places.iter().copied());
    let words = words.text(" on ").then(rollup(context, message, event)).by(places.iter().copied());
    let words = match event.and_then(|(_, event)| event.value("l1_sequence")) {
        Some(number) => words.text(" (deposit #").plain(number).text(")").by(places.iter().copied()),
        None => words,
    };
    let has_data = message.text("data").is_some_and(|data| !data.is_empty());
    let words = if has_data { words.text("; a signed transaction goes with it") } else { words };
    let who = subject(context, message, "sender", &told(event, "from", message.text("sender")));
    clause_with(context, who, verb::DEPOSIT, words, &places)
}

/// "{sender} claimed withdrawal #{n} of {rollup}: {C} to {to}".
fn claim(context: &TxContext<'_>, message: MessageRef<'_>) -> Clause {
    let event = event_of(context, message, "finalize_token_withdrawal", [("from", "from"), ("to", "to")]);
    let places = places_of(event);
    let words = context.words().text("withdrawal #").plain(&told(event, "l2_sequence", message.text("sequence")));
    let words = words.by(places.iter().copied()).text(" of ").then(rollup(context, message, event)).text(": ");
    let words = words.then(amount(context, message, event).by(places.iter().copied()).done());
    let words = words.text(" to ").party(&told(event, "to", message.text("to"))).by(places.iter().copied());
    clause_with(context, subject(context, message, "sender", ""), verb::CLAIM, words, &places)
}
