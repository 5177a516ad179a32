//! Settings of a rollup by its admin or executor. Most of these messages emit no event, so only their execution is
//! certain.

use serde_json::Value;

use crate::{
    domain::text::count_of,
    events::{keys, names::SET_BRIDGE_INFO},
    story::{
        context::{MessageRef, TxContext},
        words::{
            clause::{Clause, VerbForms},
            phrase::Phrase,
            sentence::{
                clauses::{MessageEvents, actor, clause_with, length, places_of, ran, told},
                generic::generic,
                verb,
            },
        },
    },
};

pub(super) fn render(context: &TxContext<'_>, message: MessageRef<'_>, name: &str) -> Clause {
    let text = |name: &str| message.text(name).unwrap_or_default();
    let with = |details: Vec<Phrase>| ran(context, message, "authority", details);
    match name {
        "MsgSetBridgeInfo" => bridge_info(context, message),
        "MsgUpdateSequencer" => with(sequencer(context, message)),
        "MsgAddValidator" => validator(context, message, verb::ADD, "add_validator"),
        "MsgRemoveValidator" => validator(context, message, verb::REMOVE, "remove_validator"),
        "MsgAddFeeWhitelistAddresses"
        | "MsgRemoveFeeWhitelistAddresses"
        | "MsgAddBridgeExecutor"
        | "MsgRemoveBridgeExecutor" => with(addresses(context, message)),
        "MsgUpdateMinGasPrices" => with(context.words().listed(&gas_prices(message)).done()),
        "MsgUpdateAdmin" => with(context.words().text("new admin: ").party(&text("new_admin")).done()),
        "MsgUpdateParams" => with(Vec::new()),
        "MsgSpendFeePool" => fee_pool(context, message),
        "MsgRegisterMigrationInfo" => {
            let info = message.fields.get("migration_info");
            let part = |name: &str| info.and_then(|info| info.get(name)).and_then(Value::as_str).unwrap_or_default();
            let details = context.words().text("for ").code(part("denom")).text(" over ").plain(part("ibc_channel_id"));
            with(details.done())
        }
        _ => generic(context, message),
    }
}

/// Describes "{sender} linked this rollup to bridge #{id} of {l1}".
fn bridge_info(context: &TxContext<'_>, message: MessageRef<'_>) -> Clause {
    let event = MessageEvents::of(context, message).claim_or_only(SET_BRIDGE_INFO, |_| true);
    let info = message.fields.get("bridge_info");
    let field = |name: &str| {
        let field = info.and_then(|info| info.get(name));
        field.map(|field| field.as_str().map_or_else(|| field.to_string(), ToOwned::to_owned).into())
    };
    let rest = context
        .words()
        .text("this rollup to bridge #")
        .plain(&told(event, keys::BRIDGE_ID, field(keys::BRIDGE_ID.name())))
        .by(places_of(event));
    let l1 = told(event, keys::L1_CHAIN_ID, field(keys::L1_CHAIN_ID.name()));
    let rest = if l1.is_empty() { rest } else { rest.text(" of ").plain(&l1) };
    clause_with(context, actor(context, message, "sender"), verb::LINK, rest, &places_of(event))
}

fn sequencer(context: &TxContext<'_>, message: MessageRef<'_>) -> Vec<Phrase> {
    let words = context.words().text("new sequencer: ");
    match message.text("moniker").filter(|moniker| !moniker.is_empty()) {
        Some(moniker) => words.quote(&moniker).done(),
        None => words.party(&message.text("sequencer_address").unwrap_or_default()).done(),
    }
}

/// Describes "{authority} added validator {address} (“{moniker}”)".
fn validator(context: &TxContext<'_>, message: MessageRef<'_>, verb: VerbForms, kind: &str) -> Clause {
    let address = message.text("validator_address").unwrap_or_default();
    let event = MessageEvents::of(context, message)
        .claim_or_only(kind, |event| event.text(keys::VALIDATOR).is_none_or(|value| value == address));
    let words =
        context.words().text("validator ").code(told(event, keys::VALIDATOR, Some(address))).by(places_of(event));
    let words = match message.text("moniker").filter(|moniker| !moniker.is_empty()) {
        Some(moniker) => words.text(" (").quote(&moniker).text(")"),
        None => words,
    };
    clause_with(context, actor(context, message, "authority"), verb, words, &places_of(event))
}

/// Describes "{n} addresses: {A}, {B}".
fn addresses(context: &TxContext<'_>, message: MessageRef<'_>) -> Vec<Phrase> {
    const MOST: usize = 3;
    let count = length(message, "addresses");
    let addresses = message.fields.get("addresses").and_then(Value::as_array);
    let mut words = context.words();
    if count != 1 {
        words = words.text(count_of(count, "address", "addresses"));
    }
    // Names a few addresses; the message has the full list.
    for (place, name) in addresses.into_iter().flatten().filter_map(Value::as_str).take(MOST).enumerate() {
        let joint = match place {
            0 if count == 1 => "",
            0 => ": ",
            _ => ", ",
        };
        words = words.text(joint).party(name);
    }
    if count > MOST { words.text(", …").done() } else { words.done() }
}

/// Describes "Fee pool paid {C} to {recipient}".
fn fee_pool(context: &TxContext<'_>, message: MessageRef<'_>) -> Clause {
    let seen = MessageEvents::of(context, message);
    let recipient = message.text("recipient").unwrap_or_default();
    let coins = message.coins("amount");
    let places: Vec<usize> = coins.iter().filter_map(|coin| seen.received(&recipient, coin).first().copied()).collect();
    let is_shown = !coins.is_empty() && places.len() == coins.len();
    let paid = context.words().amounts(message.fields.get("amount")).by(places.iter().copied());
    let paid = paid.text(" to ").party(&recipient).by(places.iter().copied());
    if !is_shown {
        let rest = paid.text(" from the fee pool");
        return clause_with(context, actor(context, message, "authority"), verb::PAY, rest, &[]);
    }
    clause_with(context, context.words().text("Fee pool").done(), verb::PAY, paid, &places)
}

/// Formats gas prices, which are decimals of the smallest unit, without trailing zeros: `0.015uinit`.
fn gas_prices(message: MessageRef<'_>) -> Vec<String> {
    let prices = message.fields.get("min_gas_prices").and_then(Value::as_array);
    prices
        .into_iter()
        .flatten()
        .filter_map(|price| {
            let amount = price.get("amount")?.as_str()?;
            let amount = if amount.contains('.') { amount.trim_end_matches('0').trim_end_matches('.') } else { amount };
            Some(format!("{amount}{}", price.get("denom")?.as_str()?))
        })
        .collect()
}
