//! What an admin or the executor sets on a rollup.

use crate::story::proof::Proof;
use serde_json::Value;

use crate::domain::text::count_of;
use crate::story::{
    Phrase,
    context::{Clause, MessageRef, PhraseBuilder, TxContext, VerbForms},
    sentence::{
        clauses::{MessageEvents, actor, clause_by, length},
        verb,
    },
};

/// The messages that govern a rollup.
pub(super) fn render(context: &TxContext<'_>, message: MessageRef<'_>, name: &str) -> Clause {
    let text = |name: &str| message.text(name).unwrap_or_default();
    match name {
        "MsgSetBridgeInfo" => bridge_info(context, message),
        "MsgUpdateSequencer" => {
            passive(context, message, "Sequencer", verb::CHANGE_SEQUENCER, sequencer(context, message))
        }
        "MsgAddValidator" => clause_by(
            context,
            message,
            "authority",
            verb::ADD,
            validator(context, message, "add_validator"),
            Proof::Unjudged,
        ),
        "MsgRemoveValidator" => clause_by(
            context,
            message,
            "authority",
            verb::REMOVE,
            validator(context, message, "remove_validator"),
            Proof::Unjudged,
        ),
        "MsgAddFeeWhitelistAddresses" => list(context, message, verb::ADD, "to the fee whitelist"),
        "MsgRemoveFeeWhitelistAddresses" => list(context, message, verb::REMOVE, "from the fee whitelist"),
        "MsgAddBridgeExecutor" => list(context, message, verb::ADD, "to the bridge executors"),
        "MsgRemoveBridgeExecutor" => list(context, message, verb::REMOVE, "from the bridge executors"),
        "MsgUpdateMinGasPrices" => {
            let prices = context.words().code(gas_prices(message)).done();
            passive(context, message, "Minimum gas prices", verb::SET_GAS_PRICES, prices)
        }
        "MsgUpdateAdmin" => {
            let admin = context.words().party(&text("new_admin")).done();
            passive(context, message, "The rollup's admin", verb::MAKE_ADMIN, admin)
        }
        "MsgUpdateParams" => passive(context, message, "The rollup's parameters", verb::CHANGE_PARAMETERS, Vec::new()),
        "MsgSpendFeePool" => fee_pool(context, message),
        "MsgRegisterMigrationInfo" => {
            let info = message.fields.get("migration_info");
            let part = |name: &str| info.and_then(|info| info.get(name)).and_then(Value::as_str).unwrap_or_default();
            let rest = context.words().text("the move of ").code(part("denom")).text(" to its IBC form over ");
            let rest = rest.code(part("ibc_channel_id")).done();
            clause_by(context, message, "authority", verb::REGISTER, rest, Proof::Unjudged)
        }
        _ => super::super::cosmos::generic(context, message),
    }
}

/// Of what changed: "{thing} {past} {rest}"; where it failed, of who tried: "{authority} tried to {base} {rest}".
fn passive(
    context: &TxContext<'_>,
    message: MessageRef<'_>,
    thing: &'static str,
    verb: VerbForms,
    rest: Vec<Phrase>,
) -> Clause {
    let subject =
        if context.is_failed() { actor(context, message, "authority") } else { context.words().text(thing).done() };
    Clause::new(subject, verb, rest, Proof::Unjudged)
}

/// "{sender} linked this rollup to bridge #{id} of {l1}".
fn bridge_info(context: &TxContext<'_>, message: MessageRef<'_>) -> Clause {
    let event = MessageEvents::of(context, message).one("set_bridge_info");
    let info = message.fields.get("bridge_info");
    let part = |name: &str| {
        let of_event = event.and_then(|(_, event)| event.value(name));
        of_event.or_else(|| info?.get(name)?.as_str()).unwrap_or_default().to_owned()
    };
    let rest = context.words().text(format!("this rollup to bridge #{} of ", part("bridge_id")));
    let rest = rest.text(part("l1_chain_id")).by(event.map(|(place, _)| place));
    clause_by(context, message, "sender", verb::LINK, rest.done(), Proof::Unjudged)
}

fn sequencer(context: &TxContext<'_>, message: MessageRef<'_>) -> Vec<Phrase> {
    let words = context.words().text("to ");
    match message.text("moniker").filter(|moniker| !moniker.is_empty()) {
        Some(moniker) => words.text(moniker.into_owned()).done(),
        None => words.party(&message.text("sequencer_address").unwrap_or_default()).done(),
    }
}

fn validator(context: &TxContext<'_>, message: MessageRef<'_>, kind: &str) -> Vec<Phrase> {
    let name =
        ["moniker", "validator_address"].into_iter().find_map(|name| message.text(name).filter(|it| !it.is_empty()));
    let place = MessageEvents::of(context, message).one(kind).map(|(place, _)| place);
    context.words().text("validator ").code(name.unwrap_or_default()).by(place).done()
}

/// "{n} addresses were added to the fee whitelist".
fn list(context: &TxContext<'_>, message: MessageRef<'_>, verb: VerbForms, end: &'static str) -> Clause {
    let count = count_of(length(message, "addresses"), "address", "addresses");
    let addresses = message.fields.get("addresses").and_then(Value::as_array);
    let mut named = context.words();
    // A few are named; of many the message itself has the list.
    for (place, name) in addresses.into_iter().flatten().filter_map(Value::as_str).take(3).enumerate() {
        named = named.text(if place == 0 { ": " } else { ", " }).party(name);
    }
    let named = if length(message, "addresses") > 3 { named.text(", …") } else { named };
    if context.is_failed() {
        let rest = context.words().text(format!("{count} {end}")).then(named.done());
        return Clause::new(actor(context, message, "authority"), verb, rest.done(), Proof::Unjudged);
    }
    let auxiliary = if length(message, "addresses") == 1 { " was" } else { " were" };
    Clause::new(
        context.words().text(count).text(auxiliary).done(),
        verb,
        context.words().text(end).then(named.done()).done(),
        Proof::Unjudged,
    )
}

/// "Fee pool paid {C} to {recipient}".
fn fee_pool(context: &TxContext<'_>, message: MessageRef<'_>) -> Clause {
    let seen = MessageEvents::of(context, message);
    let (coins, recipient) = (message.coins("amount"), message.text("recipient").unwrap_or_default());
    let places = coins.iter().flat_map(|coin| seen.received(&recipient, coin));
    let paid = |words: PhraseBuilder<'_, '_>| words.coins(&coins).by(places).text(" to ").party(&recipient).done();
    if context.is_failed() {
        let rest = context.words().then(paid(context.words())).text(" from the fee pool").done();
        return Clause::new(actor(context, message, "authority"), verb::PAY, rest, Proof::Unjudged);
    }
    Clause::new(context.words().text("Fee pool").done(), verb::PAY, paid(context.words()), Proof::Unjudged)
}

/// Prices are decimals of the smallest unit: `0.015uinit`, without the zeros at the end.
fn gas_prices(message: MessageRef<'_>) -> String {
    let prices = message.fields.get("min_gas_prices").and_then(Value::as_array);
    let texts: Vec<String> = prices
        .into_iter()
        .flatten()
        .filter_map(|price| {
            let amount = price.get("amount")?.as_str()?;
            let amount = if amount.contains('.') { amount.trim_end_matches('0').trim_end_matches('.') } else { amount };
            Some(format!("{amount} {}", price.get("denom")?.as_str()?))
        })
        .collect();
    if texts.is_empty() { "none".to_owned() } else { texts.join(", ") }
}
