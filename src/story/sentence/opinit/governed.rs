//! What an admin or the executor sets on a rollup.

use serde_json::Value;

use crate::domain::text::count_of;
use crate::story::{
    Phrase,
    scene::{Clause, Scene, Told, Verb, Words},
    sentence::{
        say::{Seen, actor, by_field, length, say},
        verb,
    },
};

/// The messages that govern a rollup.
pub(super) fn tell(scene: &Scene<'_>, told: Told<'_>, name: &str) -> Clause {
    let text = |name: &str| told.text(name).unwrap_or_default();
    match name {
        "MsgSetBridgeInfo" => bridge_info(scene, told),
        "MsgUpdateSequencer" => passive(scene, told, "Sequencer", verb::CHANGE_SEQUENCER, sequencer(scene, told)),
        "MsgAddValidator" => by_field(scene, told, "authority", verb::ADD, validator(scene, told, "add_validator")),
        "MsgRemoveValidator" => {
            by_field(scene, told, "authority", verb::REMOVE, validator(scene, told, "remove_validator"))
        }
        "MsgAddFeeWhitelistAddresses" => list(scene, told, verb::ADD, "to the fee whitelist"),
        "MsgRemoveFeeWhitelistAddresses" => list(scene, told, verb::REMOVE, "from the fee whitelist"),
        "MsgAddBridgeExecutor" => list(scene, told, verb::ADD, "to the bridge executors"),
        "MsgRemoveBridgeExecutor" => list(scene, told, verb::REMOVE, "from the bridge executors"),
        "MsgUpdateMinGasPrices" => {
            let prices = scene.words().code(gas_prices(told)).done();
            passive(scene, told, "Minimum gas prices", verb::SET_GAS_PRICES, prices)
        }
        "MsgUpdateAdmin" => {
            let admin = scene.words().party(&text("new_admin")).done();
            passive(scene, told, "The rollup's admin", verb::MAKE_ADMIN, admin)
        }
        "MsgUpdateParams" => passive(scene, told, "The rollup's parameters", verb::CHANGE_PARAMETERS, Vec::new()),
        "MsgSpendFeePool" => fee_pool(scene, told),
        "MsgRegisterMigrationInfo" => {
            let info = told.fields.get("migration_info");
            let part = |name: &str| info.and_then(|info| info.get(name)).and_then(Value::as_str).unwrap_or_default();
            let rest = scene.words().text("the move of ").code(part("denom")).text(" to its IBC form over ");
            let rest = rest.code(part("ibc_channel_id")).done();
            by_field(scene, told, "authority", verb::REGISTER, rest)
        }
        _ => super::super::cosmos::generic(scene, told),
    }
}

/// Of what changed: "{thing} {past} {rest}"; where it failed, of who tried: "{authority} tried to {base} {rest}".
fn passive(scene: &Scene<'_>, told: Told<'_>, thing: &'static str, verb: Verb, rest: Vec<Phrase>) -> Clause {
    let subject = if scene.is_failed() { actor(scene, told, "authority") } else { scene.words().text(thing).done() };
    say(subject, verb, rest)
}

/// "{sender} linked this rollup to bridge #{id} of {l1}".
fn bridge_info(scene: &Scene<'_>, told: Told<'_>) -> Clause {
    let event = Seen::of(scene, told).one("set_bridge_info");
    let info = told.fields.get("bridge_info");
    let part = |name: &str| {
        let of_event = event.and_then(|(_, event)| event.value(name));
        of_event.or_else(|| info?.get(name)?.as_str()).unwrap_or_default().to_owned()
    };
    let rest = scene.words().text(format!("this rollup to bridge #{} of ", part("bridge_id")));
    let rest = rest.text(part("l1_chain_id")).by(event.map(|(place, _)| place));
    by_field(scene, told, "sender", verb::LINK, rest.done())
}

fn sequencer(scene: &Scene<'_>, told: Told<'_>) -> Vec<Phrase> {
    let words = scene.words().text("to ");
    match told.text("moniker").filter(|moniker| !moniker.is_empty()) {
        Some(moniker) => words.text(moniker.into_owned()).done(),
        None => words.party(&told.text("sequencer_address").unwrap_or_default()).done(),
    }
}

fn validator(scene: &Scene<'_>, told: Told<'_>, kind: &str) -> Vec<Phrase> {
    let name =
        ["moniker", "validator_address"].into_iter().find_map(|name| told.text(name).filter(|it| !it.is_empty()));
    let place = Seen::of(scene, told).one(kind).map(|(place, _)| place);
    scene.words().text("validator ").code(name.unwrap_or_default()).by(place).done()
}

/// "{n} addresses were added to the fee whitelist".
fn list(scene: &Scene<'_>, told: Told<'_>, verb: Verb, end: &'static str) -> Clause {
    let count = count_of(length(told, "addresses"), "address", "addresses");
    let addresses = told.fields.get("addresses").and_then(Value::as_array);
    let mut named = scene.words();
    // A few are named; of many the message itself has the list.
    for (place, name) in addresses.into_iter().flatten().filter_map(Value::as_str).take(3).enumerate() {
        named = named.text(if place == 0 { ": " } else { ", " }).party(name);
    }
    let named = if length(told, "addresses") > 3 { named.text(", …") } else { named };
    if scene.is_failed() {
        let rest = scene.words().text(format!("{count} {end}")).then(named.done());
        return say(actor(scene, told, "authority"), verb, rest.done());
    }
    let auxiliary = if length(told, "addresses") == 1 { " was" } else { " were" };
    say(scene.words().text(count).text(auxiliary).done(), verb, scene.words().text(end).then(named.done()).done())
}

/// "Fee pool paid {C} to {recipient}".
fn fee_pool(scene: &Scene<'_>, told: Told<'_>) -> Clause {
    let seen = Seen::of(scene, told);
    let (coins, recipient) = (told.coins("amount"), told.text("recipient").unwrap_or_default());
    let places = coins.iter().flat_map(|coin| seen.received(&recipient, coin));
    let paid = |words: Words<'_, '_>| words.coins(&coins).by(places).text(" to ").party(&recipient).done();
    if scene.is_failed() {
        let rest = scene.words().then(paid(scene.words())).text(" from the fee pool").done();
        return say(actor(scene, told, "authority"), verb::PAY, rest);
    }
    say(scene.words().text("Fee pool").done(), verb::PAY, paid(scene.words()))
}

/// Prices are decimals of the smallest unit: `0.015uinit`, without the zeros at the end.
fn gas_prices(told: Told<'_>) -> String {
    let prices = told.fields.get("min_gas_prices").and_then(Value::as_array);
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
