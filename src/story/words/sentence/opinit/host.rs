//! OPinit messages of the L1.

use crate::{
    domain::Address,
    events::{
        keys::{self, AttributeKey},
        names::{CREATE_BRIDGE, DELETE_OUTPUT, PROPOSE_OUTPUT, RECORD_BATCH},
        opinit::{BridgeStep, BridgeTransfer},
    },
    story::{
        context::{MessageRef, TxContext},
        decode::DecodedEvent,
        words::{
            builder::PhraseBuilder,
            clause::{Clause, VerbForms},
            phrase::Phrase,
            sentence::{
                clauses::{MessageEvents, agrees, clause_with, or_field, places_of, subject, told},
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
            words
                .text("a batch of transactions of ")
                .then(rollup(context, &bridge_of(message, event)))
                .by(places_of(event))
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
    words.by(places_of(event)).text(" of ").then(rollup(context, &bridge_of(message, event))).done()
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

/// Returns the bridge id in the event, else in the message.
fn bridge_of(message: MessageRef<'_>, event: Option<(usize, &DecodedEvent)>) -> String {
    told(event, keys::BRIDGE_ID, message.text("bridge_id"))
}

/// Describes the rollup of a bridge, by name if known.
fn rollup(context: &TxContext<'_>, bridge: &str) -> Vec<Phrase> {
    let known = bridge.parse().ok().and_then(|number| context.glossary.chain_of_bridge(number));
    match known {
        Some(chain) => context.words().text(chain.to_string()).done(),
        None => context.words().text("the rollup of bridge #").plain(bridge).done(),
    }
}

/// Adds the amount in the event, else the requested amount.
pub(super) fn amount<'s, 'a>(
    context: &'s TxContext<'a>,
    message: MessageRef<'_>,
    event: Option<BridgeTransfer<'_>>,
) -> PhraseBuilder<'s, 'a> {
    match event {
        Some(transfer) => context.words().bridged(&transfer),
        None => context.words().amounts(message.fields.get("amount")),
    }
}

/// Tokens of a bridge that a message moves, by its event, else by its fields.
struct HostTransfer<'e> {
    event: Option<BridgeTransfer<'e>>,
    places: Vec<usize>,
    from: String,
    to: String,
    bridge: String,
}

impl<'e> HostTransfer<'e> {
    /// Claims the event of a step about the message's bridge and parties.
    fn of(context: &'e TxContext<'_>, message: MessageRef<'_>, step: BridgeStep, from: &str) -> Self {
        let field = |name: &str| message.text(name).unwrap_or_default();
        let (from, to, bridge) = (field(from), field("to"), field("bridge_id"));
        let event = MessageEvents::of(context, message).claim_view_or_only(
            |event| BridgeTransfer::of(event).filter(|transfer| transfer.step == step),
            |transfer| {
                transfer.bridge_id.is_none_or(|id| bridge == id.to_string())
                    && agrees(transfer.from, &from)
                    && agrees(transfer.to, &to)
            },
        );
        let (places, event) = (places_of(event), event.map(|(_, transfer)| transfer));
        Self {
            places,
            from: or_field(event.and_then(|event| event.from), Some(from)),
            to: or_field(event.and_then(|event| event.to), Some(to)),
            bridge: or_field(event.and_then(|event| event.bridge_id), Some(bridge)),
            event,
        }
    }
}

/// Describes "{sender} deposited {C} to {to} on {rollup} (deposit #{n})".
fn deposit(context: &TxContext<'_>, message: MessageRef<'_>) -> Clause {
    let transfer = HostTransfer::of(context, message, BridgeStep::DepositInitiated, "sender");
    let by = || transfer.places.iter().copied();
    let words = amount(context, message, transfer.event).by(by()).text(" to ").party_elsewhere(&transfer.to).by(by());
    let words = words.text(" on ").then(rollup(context, &transfer.bridge)).by(by());
    let words = match transfer.event.and_then(|event| event.sequence) {
        Some(number) => words.text(" (deposit #").plain(&number.to_string()).text(")").by(by()),
        None => words,
    };
    let has_data = message.text("data").is_some_and(|data| !data.is_empty());
    let words = if has_data { words.text("; it carries a signed transaction") } else { words };
    let who = subject(context, message, "sender", &transfer.from);
    clause_with(context, who, verb::DEPOSIT, words, &transfer.places)
}

/// Describes "{sender} claimed withdrawal #{n} of {rollup}: {C} to {to}".
fn claim(context: &TxContext<'_>, message: MessageRef<'_>) -> Clause {
    let transfer = HostTransfer::of(context, message, BridgeStep::WithdrawalFinalized, "from");
    let by = || transfer.places.iter().copied();
    let number = or_field(transfer.event.and_then(|event| event.sequence), message.text("sequence"));
    let words = context.words().text("withdrawal #").plain(&number).by(by());
    let words = words.text(" of ").then(rollup(context, &transfer.bridge)).text(": ");
    let words = words.then(amount(context, message, transfer.event).by(by()).done());
    let words = words.text(" to ").party(&transfer.to).by(by());
    clause_with(context, subject(context, message, "sender", ""), verb::CLAIM, words, &transfer.places)
}
