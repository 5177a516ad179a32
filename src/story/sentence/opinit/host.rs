//! The side of the bridge on the L1.

use crate::story::proof::Proof;
use crate::story::{
    Phrase,
    context::{Clause, MessageRef, TxContext},
    sentence::{
        clauses::{MessageEvents, clause_by},
        verb,
    },
};

/// The messages of the L1's side of the bridge.
pub(super) fn render(context: &TxContext<'_>, message: MessageRef<'_>, name: &str) -> Clause {
    let text = |name: &str| message.text(name).unwrap_or_default().into_owned();
    let rollup = || rollup(context, &text("bridge_id"));
    match name {
        "MsgInitiateTokenDeposit" => deposit(context, message),
        "MsgFinalizeTokenWithdrawal" => claim(context, message),
        "MsgProposeOutput" => {
            let place = MessageEvents::of(context, message).one("propose_output").map(|(place, _)| place);
            let words = context.words().text(format!("output #{} of ", text("output_index"))).by(place).then(rollup());
            let rest = words.text(format!(" up to its block {}", text("l2_block_number"))).done();
            clause_by(context, message, "proposer", verb::PROPOSE, rest, Proof::Unjudged)
        }
        "MsgRecordBatch" => {
            let rest = context.words().text("a batch of transactions of ").then(rollup()).done();
            clause_by(context, message, "submitter", verb::RECORD, rest, Proof::Unjudged)
        }
        "MsgDeleteOutput" => {
            let rest = context.words().text(format!("output #{} of ", text("output_index"))).then(rollup()).done();
            clause_by(context, message, "challenger", verb::CHALLENGE_AND_DELETE, rest, Proof::Unjudged)
        }
        "MsgCreateBridge" => {
            let event = MessageEvents::of(context, message).one("create_bridge");
            let number = event.and_then(|(_, event)| event.value("bridge_id"));
            let rest = match number {
                Some(number) => format!("bridge #{number}"),
                None => "a bridge for a rollup".to_owned(),
            };
            let rest = context.words().text(rest).by(event.map(|(place, _)| place)).done();
            clause_by(context, message, "creator", verb::CREATE, rest, Proof::Unjudged)
        }
        _ => super::super::cosmos::generic(context, message),
    }
}

/// The rollup behind a bridge, by name where it is known.
fn rollup(context: &TxContext<'_>, bridge: &str) -> Vec<Phrase> {
    let known = bridge.parse().ok().and_then(|number| context.glossary.chain_of_bridge(number));
    let name = known.map_or_else(|| format!("the rollup of bridge #{bridge}"), ToString::to_string);
    context.words().text(name).done()
}

/// "{sender} deposited {C} to {to} on {rollup} (deposit #{n})".
fn deposit(context: &TxContext<'_>, message: MessageRef<'_>) -> Clause {
    let event = MessageEvents::of(context, message).one("initiate_token_deposit");
    let place = event.map(|(place, _)| place);
    let words = match message.coin("amount") {
        Some(coin) => context.words().coin(&coin).by(place),
        None => context.words().text("tokens"),
    };
    let words = words.text(" to ").party(&message.text("to").unwrap_or_default()).by(place).text(" on ");
    let mut words = words.then(rollup(context, &message.text("bridge_id").unwrap_or_default())).by(place);
    if let Some(number) = event.and_then(|(_, event)| event.value("l1_sequence")) {
        words = words.text(format!(" (deposit #{number})")).by(place);
    }
    if message.text("data").is_some_and(|data| !data.is_empty()) {
        words = words.text("; a signed transaction goes with it");
    }
    clause_by(context, message, "sender", verb::DEPOSIT, words.done(), Proof::Unjudged)
}

/// "{sender} claimed withdrawal #{n} of {rollup}: {C} to {to}".
fn claim(context: &TxContext<'_>, message: MessageRef<'_>) -> Clause {
    let seen = MessageEvents::of(context, message);
    let event = seen.one("finalize_token_withdrawal");
    let place: Vec<usize> = event.iter().map(|(place, _)| *place).collect();
    let (sequence, to) = (message.text("sequence").unwrap_or_default(), message.text("to").unwrap_or_default());
    let words = context.words().text(format!("withdrawal #{sequence} of ")).by(place.iter().copied());
    let words = words.then(rollup(context, &message.text("bridge_id").unwrap_or_default())).text(": ");
    let words = match message.coin("amount") {
        Some(coin) => {
            let received = seen.received(&to, &coin);
            words.coin(&coin).by(place.iter().copied().chain(received))
        }
        None => words.text("tokens"),
    };
    clause_by(context, message, "sender", verb::CLAIM, words.text(" to ").party(&to).by(place).done(), Proof::Unjudged)
}
