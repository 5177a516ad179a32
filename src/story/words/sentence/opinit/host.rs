//! OPinit messages of the L1.

use crate::{
    domain::Address,
    events::{
        keys::{self, AttributeKey},
        names::{
            CREATE_BRIDGE, DELETE_OUTPUT, FINALIZE_TOKEN_WITHDRAWAL, INITIATE_TOKEN_DEPOSIT, PROPOSE_OUTPUT,
            RECORD_BATCH,
        },
        opinit::BridgeTransfer,
    },
    story::{
        context::{MessageRef, TxContext},
        decode::DecodedEvent,
        words::{
            builder::PhraseBuilder,
            clause::{Clause, VerbForms},
            phrase::Phrase,
            sentence::{
                clauses::{MessageEvents, clause_with, names, places_of, subject, told},
                generic::generic,
                verb,
            },
        },
    },
};

pub(super) fn render(context: &TxContext<'_>, message: MessageRef<'_>, name: &str) -> Clause {
    match name {
        "MsgInitiateTokenDeposit" => deposit(context, message),
        "MsgFinalizeTokenWithdrawal" => claim(context, message),
        "MsgProposeOutput" => {
            by_event(context, message, PROPOSE_OUTPUT, keys::PROPOSER, verb::PROPOSE, |event, words| {
                let words = words.then(output(context, message, event)).text(" up to its block ");
                words.plain(&told(event, keys::L2_HEIGHT, message.text("l2_block_number"))).by(places_of(event))
            })
        }
        "MsgRecordBatch" => by_event(context, message, RECORD_BATCH, keys::SUBMITTER, verb::RECORD, |event, words| {
            words.text("a batch of transactions of ").then(rollup(context, message, event)).by(places_of(event))
        }),
        "MsgDeleteOutput" => {
            by_event(context, message, DELETE_OUTPUT, keys::CHALLENGER, verb::CHALLENGE_AND_DELETE, |event, words| {
                words.then(output(context, message, event))
            })
        }
        "MsgCreateBridge" => by_event(context, message, CREATE_BRIDGE, keys::CREATOR, verb::CREATE, |event, words| {
            match event.and_then(|(_, event)| event.text(keys::BRIDGE_ID)) {
                Some(number) => words.text("bridge #").plain(number).by(places_of(event)),
                None => words.text("a bridge for a rollup"),
            }
        }),
        _ => generic(context, message),
    }
}

/// Describes "output #{n} of {rollup}".
fn output(context: &TxContext<'_>, message: MessageRef<'_>, event: Option<(usize, &DecodedEvent)>) -> Vec<Phrase> {
    let words = context.words().text("output #").plain(&told(event, keys::OUTPUT_INDEX, message.text("output_index")));
    words.by(places_of(event)).text(" of ").then(rollup(context, message, event)).done()
}

/// Describes a message with one event, whose attributes take precedence over the message's fields.
fn by_event<'s, 'a>(
    context: &'s TxContext<'a>,
    message: MessageRef<'_>,
    kind: &str,
    by: AttributeKey<Address>,
    verb: VerbForms,
    rest: impl FnOnce(Option<(usize, &DecodedEvent)>, PhraseBuilder<'s, 'a>) -> PhraseBuilder<'s, 'a>,
) -> Clause {
    let bridge = message.text("bridge_id");
    let event = MessageEvents::of(context, message).claim_or_only(kind, |event| {
        event.text(keys::BRIDGE_ID).is_none_or(|value| bridge.as_deref().is_none_or(|bridge| bridge == value))
    });
    let who = subject(context, message, by.name(), &told(event, by, message.text(by.name())));
    clause_with(context, who, verb, rest(event, context.words()), &places_of(event))
}

/// Describes the rollup of a bridge, by name if known.
fn rollup(context: &TxContext<'_>, message: MessageRef<'_>, event: Option<(usize, &DecodedEvent)>) -> Vec<Phrase> {
    let bridge = told(event, keys::BRIDGE_ID, message.text("bridge_id"));
    let known = bridge.parse().ok().and_then(|number| context.glossary.chain_of_bridge(number));
    match known {
        Some(chain) => context.words().text(chain.to_string()).done(),
        None => context.words().text("the rollup of bridge #").plain(&bridge).done(),
    }
}

/// Adds the amount in the event, else the requested one.
pub(super) fn amount<'s, 'a>(
    context: &'s TxContext<'a>,
    message: MessageRef<'_>,
    event: Option<(usize, &DecodedEvent)>,
) -> PhraseBuilder<'s, 'a> {
    match event.and_then(|(_, event)| BridgeTransfer::of(event)) {
        Some(transfer) => context.words().bridged(&transfer),
        None => context.words().amounts(message.fields.get("amount")),
    }
}

/// Returns the event of a message about this bridge with these parties.
fn event_of<'e>(
    context: &'e TxContext<'_>,
    message: MessageRef<'_>,
    kind: &str,
    parties: [(AttributeKey<Address>, &str); 2],
) -> Option<(usize, &'e DecodedEvent)> {
    let bridge = message.text("bridge_id").unwrap_or_default();
    MessageEvents::of(context, message).claim_or_only(kind, |event| {
        let is_party = |(attribute, field): &(AttributeKey<Address>, &str)| {
            names(event, *attribute, &message.text(field).unwrap_or_default())
        };
        event.text(keys::BRIDGE_ID).is_none_or(|value| value == bridge) && parties.iter().all(is_party)
    })
}

/// Describes "{sender} deposited {C} to {to} on {rollup} (deposit #{n})".
fn deposit(context: &TxContext<'_>, message: MessageRef<'_>) -> Clause {
    let event = event_of(context, message, INITIATE_TOKEN_DEPOSIT, [(keys::FROM, "sender"), (keys::TO, "to")]);
    let places = places_of(event);
    let words = amount(context, message, event).by(places.iter().copied());
    let words = words.text(" to ").party(&told(event, keys::TO, message.text("to"))).by(places.iter().copied());
    let words = words.text(" on ").then(rollup(context, message, event)).by(places.iter().copied());
    let words = match event.and_then(|(_, event)| event.text(keys::L1_SEQUENCE)) {
        Some(number) => words.text(" (deposit #").plain(number).text(")").by(places.iter().copied()),
        None => words,
    };
    let has_data = message.text("data").is_some_and(|data| !data.is_empty());
    let words = if has_data { words.text("; it carries a signed transaction") } else { words };
    let who = subject(context, message, "sender", &told(event, keys::FROM, message.text("sender")));
    clause_with(context, who, verb::DEPOSIT, words, &places)
}

/// Describes "{sender} claimed withdrawal #{n} of {rollup}: {C} to {to}".
fn claim(context: &TxContext<'_>, message: MessageRef<'_>) -> Clause {
    let event = event_of(context, message, FINALIZE_TOKEN_WITHDRAWAL, [(keys::FROM, "from"), (keys::TO, "to")]);
    let places = places_of(event);
    let words = context.words().text("withdrawal #").plain(&told(event, keys::L2_SEQUENCE, message.text("sequence")));
    let words = words.by(places.iter().copied()).text(" of ").then(rollup(context, message, event)).text(": ");
    let words = words.then(amount(context, message, event).by(places.iter().copied()).done());
    let words = words.text(" to ").party(&told(event, keys::TO, message.text("to"))).by(places.iter().copied());
    clause_with(context, subject(context, message, "sender", ""), verb::CLAIM, words, &places)
}
