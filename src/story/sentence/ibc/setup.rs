//! Clients, connections, channels, and what relayers and accounts of other chains arrange.

use serde_json::Value;

use super::cargo::chain;
use crate::{
    domain::Coin,
    story::{
        Phrase,
        scene::{Clause, Scene, Told, Verb, coin_of},
        sentence::{
            cosmos,
            say::{Seen, actor, by_field, say},
            verb,
        },
    },
};

/// The messages that prepare IBC.
pub(super) fn tell(scene: &Scene<'_>, told: Told<'_>) -> Clause {
    let kind = told.kind.as_str();
    match told.kind.short() {
        "MsgUpdateClient" => update_client(scene, told),
        "MsgCreateClient" => create_client(scene, told),
        name if name.starts_with("MsgConnection") => connection(scene, told),
        name if name.starts_with("MsgChannel") => channel(scene, told, name),
        "MsgRegisterInterchainAccount" => {
            let rest =
                scene.words().text(format!("an interchain account over {}", field(told, "connection_id"))).done();
            by_field(scene, told, "owner", verb::REGISTER, rest)
        }
        "MsgSendTx" if kind.starts_with("ibc.applications.interchain_accounts") => {
            let packet = Seen::of(scene, told).one("send_packet");
            let number = packet.and_then(|(_, event)| event.value("packet_sequence"));
            let number = number.map(|number| format!(" (packet #{number})")).unwrap_or_default();
            let rest = format!("messages to its interchain account over {}{number}", field(told, "connection_id"));
            let rest = scene.words().text(rest).by(packet.map(|(place, _)| place)).done();
            by_field(scene, told, "owner", verb::SEND, rest)
        }
        "MsgPayPacketFee" | "MsgPayPacketFeeAsync" => packet_fee(scene, told),
        "MsgRegisterPayee" => payee(scene, told, "payee"),
        "MsgRegisterCounterpartyPayee" => payee(scene, told, "counterparty_payee"),
        name if kind.starts_with("noble.forwarding.") => forwarding(scene, told, name),
        _ => cosmos::generic(scene, told),
    }
}

fn field(told: Told<'_>, name: &str) -> String {
    told.text(name).unwrap_or_default().into_owned()
}

fn relayer(scene: &Scene<'_>) -> Vec<Phrase> {
    scene.words().text("Relayer").done()
}

/// "Relayer brought {client} to height {h}": noise.
fn update_client(scene: &Scene<'_>, told: Told<'_>) -> Clause {
    let event = Seen::of(scene, told).one("update_client");
    let client = field(told, "client_id");
    let height = event.and_then(|(_, event)| event.value("consensus_height"));
    let said = match height {
        Some(height) => format!("{client} to height {height}"),
        None => format!("{client} to a newer height"),
    };
    let rest = scene.words().text(said).by(event.map(|(place, _)| place)).done();
    Clause { is_noise: true, ..say(relayer(scene), verb::BRING, rest) }
}

/// "Relayer created client {id} of {chain}".
fn create_client(scene: &Scene<'_>, told: Told<'_>) -> Clause {
    let event = Seen::of(scene, told).one("create_client");
    let client = event.and_then(|(_, event)| event.value("client_id"));
    let words = match client {
        Some(client) => scene.words().text(format!("client {client}")).by(event.map(|(place, _)| place)),
        None => scene.words().text("a client"),
    };
    let state = told.fields.get("client_state");
    let words = match state.and_then(|state| state.get("chain_id")).and_then(Value::as_str) {
        Some(chain) => words.text(format!(" of {chain}")),
        None => words,
    };
    say(relayer(scene), verb::CREATE, words.done())
}

/// Which step of a handshake: only the last one on each side opens.
fn step(name: &str) -> Verb {
    if name.ends_with("OpenAck") || name.ends_with("OpenConfirm") {
        verb::OPEN
    } else if name.contains("Close") {
        verb::CLOSE
    } else {
        verb::BEGIN_TO_OPEN
    }
}

fn connection(scene: &Scene<'_>, told: Told<'_>) -> Clause {
    let seen = Seen::of(scene, told);
    let event = seen.events.iter().find(|(_, event)| event.kind.starts_with("connection_open"));
    let known = event.and_then(|(_, event)| event.value("connection_id")).filter(|id| !id.is_empty());
    let id = known.map_or_else(|| field(told, "connection_id"), ToOwned::to_owned);
    let words = if id.is_empty() { "a connection".to_owned() } else { id };
    let client = event.and_then(|(_, event)| event.value("client_id")).map(ToOwned::to_owned);
    let client = client.unwrap_or_else(|| field(told, "client_id"));
    let words = if client.is_empty() { words } else { format!("{words} over {client}") };
    let rest = scene.words().text(words).by(event.map(|(place, _)| *place)).done();
    say(relayer(scene), step(told.kind.short()), rest)
}

/// "Relayer opened {channel} to {chain}".
fn channel(scene: &Scene<'_>, told: Told<'_>, name: &str) -> Clause {
    let seen = Seen::of(scene, told);
    let event = seen.events.iter().find(|(_, event)| event.kind.starts_with("channel_"));
    let of = |key: &str, name: &str| {
        let of_event = event.and_then(|(_, event)| event.value(key)).filter(|text| !text.is_empty());
        of_event.map_or_else(|| field(told, name), ToOwned::to_owned)
    };
    let (port, id) = (of("port_id", "port_id"), of("channel_id", "channel_id"));
    let words = if id.is_empty() { "a channel".to_owned() } else { id.clone() };
    let words = if port.is_empty() { words } else { format!("{words} of port {port}") };
    let there = of("counterparty_channel_id", "counterparty_channel_id");
    let words = match (chain(scene, &port, &id), there.as_str()) {
        (Some(chain), _) => format!("{words} to {chain}"),
        (None, "") => words,
        (None, there) => format!("{words} to {there} on the other side"),
    };
    let rest = scene.words().text(words).by(event.map(|(place, _)| *place)).done();
    say(relayer(scene), step(name), rest)
}

/// "{signer} put up {C} for the relayers of {channel}".
fn packet_fee(scene: &Scene<'_>, told: Told<'_>) -> Clause {
    let holder = told.fields.get("packet_fee").or_else(|| told.fields.get("fee"));
    let fee = holder.and_then(|holder| holder.get("fee")).or(holder);
    let id = told.fields.get("packet_id");
    let of_id = |name: &str| id.and_then(|id| id.get(name)).and_then(Value::as_str).map(ToOwned::to_owned);
    let list = |name: &str| -> Vec<Coin> {
        let coins = fee.and_then(|fee| fee.get(name)).and_then(Value::as_array);
        coins.into_iter().flatten().filter_map(coin_of).collect()
    };
    let mut coins: Vec<Coin> = Vec::new();
    for coin in ["recv_fee", "ack_fee", "timeout_fee"].into_iter().flat_map(list) {
        match coins.iter_mut().find(|known| known.denom == coin.denom) {
            Some(known) => known.amount = known.amount.checked_add(coin.amount).unwrap_or(known.amount),
            None => coins.push(coin),
        }
    }
    let channel = of_id("channel_id").unwrap_or_else(|| field(told, "source_channel_id"));
    let what = match of_id("sequence") {
        Some(number) => format!(" for whoever relays packet #{number} of {channel}"),
        None => format!(" for whoever relays the next packet of {channel}"),
    };
    let rest = scene.words().text("at most ").coins(&coins).text(what).done();
    let payer = holder.and_then(|holder| holder.get("refund_address")).and_then(Value::as_str);
    let subject = match payer {
        Some(payer) => scene.words().party(payer).done(),
        None => actor(scene, told, "signer"),
    };
    say(subject, verb::PUT_UP, rest)
}

/// "{relayer} has its fees over {channel} paid to {payee}".
fn payee(scene: &Scene<'_>, told: Told<'_>, name: &str) -> Clause {
    let rest = scene.words().text(format!("its fees over {} paid to ", field(told, "channel_id")));
    let rest = rest.party(&field(told, name)).done();
    by_field(scene, told, "relayer", verb::ASK_TO_HAVE, rest)
}

/// "{signer} created a forwarding address to {recipient} over {channel}".
fn forwarding(scene: &Scene<'_>, told: Told<'_>, name: &str) -> Clause {
    let words = scene.words();
    let (verb, words) = match name {
        "MsgRegisterAccount" => {
            let words = words.text("a forwarding address to ").party(&field(told, "recipient"));
            let words = words.text(format!(" over {}", field(told, "channel")));
            let fallback = field(told, "fallback");
            let words = if fallback.is_empty() { words } else { words.text(", or back to ").party(&fallback) };
            (verb::CREATE, words)
        }
        "MsgClearAccount" => {
            (verb::SEND_ON, words.text("what lay on the forwarding address ").party(&field(told, "address")))
        }
        "MsgSetAllowedDenoms" => {
            let denoms = told.fields.get("denoms").and_then(Value::as_array);
            let denoms: Vec<&str> = denoms.into_iter().flatten().filter_map(Value::as_str).collect();
            let denoms = if denoms.is_empty() { "none".to_owned() } else { denoms.join(", ") };
            (verb::SET, words.text("the denoms that may be forwarded: ").code(denoms))
        }
        "MsgSetMemo" => (verb::SET, words.text("a memo for what is forwarded: ").text(field(told, "memo"))),
        _ => return cosmos::generic(scene, told),
    };
    by_field(scene, told, "signer", verb, words.done())
}
