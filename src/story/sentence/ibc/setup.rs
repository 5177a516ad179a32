//! Clients, connections, channels, and what relayers and accounts of other chains arrange.

use crate::story::proof::Proof;
use serde_json::Value;

use super::packet_words::chain;
use crate::{
    domain::Coin,
    story::{
        Phrase,
        context::{Clause, MessageRef, TxContext, VerbForms, coin_of},
        sentence::{
            clauses::{MessageEvents, actor, clause_by},
            cosmos, verb,
        },
    },
};

/// The messages that prepare IBC.
pub(super) fn render(context: &TxContext<'_>, message: MessageRef<'_>) -> Clause {
    let kind = message.kind.as_str();
    match message.kind.short() {
        "MsgUpdateClient" => update_client(context, message),
        "MsgCreateClient" => create_client(context, message),
        name if name.starts_with("MsgConnection") => connection(context, message),
        name if name.starts_with("MsgChannel") => channel(context, message, name),
        "MsgRegisterInterchainAccount" => {
            let rest =
                context.words().text(format!("an interchain account over {}", field(message, "connection_id"))).done();
            clause_by(context, message, "owner", verb::REGISTER, rest, Proof::Unjudged)
        }
        "MsgSendTx" if kind.starts_with("ibc.applications.interchain_accounts") => {
            let packet = MessageEvents::of(context, message).one("send_packet");
            let number = packet.and_then(|(_, event)| event.value("packet_sequence"));
            let number = number.map(|number| format!(" (packet #{number})")).unwrap_or_default();
            let rest = format!("messages to its interchain account over {}{number}", field(message, "connection_id"));
            let rest = context.words().text(rest).by(packet.map(|(place, _)| place)).done();
            clause_by(context, message, "owner", verb::SEND, rest, Proof::Unjudged)
        }
        "MsgPayPacketFee" | "MsgPayPacketFeeAsync" => packet_fee(context, message),
        "MsgRegisterPayee" => payee(context, message, "payee"),
        "MsgRegisterCounterpartyPayee" => payee(context, message, "counterparty_payee"),
        name if kind.starts_with("noble.forwarding.") => forwarding(context, message, name),
        _ => cosmos::generic(context, message),
    }
}

fn field(message: MessageRef<'_>, name: &str) -> String {
    message.text(name).unwrap_or_default().into_owned()
}

fn relayer(context: &TxContext<'_>) -> Vec<Phrase> {
    context.words().text("Relayer").done()
}

/// "Relayer brought {client} to height {h}": noise.
fn update_client(context: &TxContext<'_>, message: MessageRef<'_>) -> Clause {
    let event = MessageEvents::of(context, message).one("update_client");
    let client = field(message, "client_id");
    let height = event.and_then(|(_, event)| event.value("consensus_height"));
    let said = match height {
        Some(height) => format!("{client} to height {height}"),
        None => format!("{client} to a newer height"),
    };
    let rest = context.words().text(said).by(event.map(|(place, _)| place)).done();
    Clause { is_noise: true, ..Clause::new(relayer(context), verb::BRING, rest, Proof::Unjudged) }
}

/// "Relayer created client {id} of {chain}".
fn create_client(context: &TxContext<'_>, message: MessageRef<'_>) -> Clause {
    let event = MessageEvents::of(context, message).one("create_client");
    let client = event.and_then(|(_, event)| event.value("client_id"));
    let words = match client {
        Some(client) => context.words().text(format!("client {client}")).by(event.map(|(place, _)| place)),
        None => context.words().text("a client"),
    };
    let state = message.fields.get("client_state");
    let words = match state.and_then(|state| state.get("chain_id")).and_then(Value::as_str) {
        Some(chain) => words.text(format!(" of {chain}")),
        None => words,
    };
    Clause::new(relayer(context), verb::CREATE, words.done(), Proof::Unjudged)
}

/// Which step of a handshake: only the last one on each side opens.
fn step(name: &str) -> VerbForms {
    if name.ends_with("OpenAck") || name.ends_with("OpenConfirm") {
        verb::OPEN
    } else if name.contains("Close") {
        verb::CLOSE
    } else {
        verb::BEGIN_TO_OPEN
    }
}

fn connection(context: &TxContext<'_>, message: MessageRef<'_>) -> Clause {
    let seen = MessageEvents::of(context, message);
    let event = seen.events.iter().find(|(_, event)| event.kind.starts_with("connection_open"));
    let known = event.and_then(|(_, event)| event.value("connection_id")).filter(|id| !id.is_empty());
    let id = known.map_or_else(|| field(message, "connection_id"), ToOwned::to_owned);
    let words = if id.is_empty() { "a connection".to_owned() } else { id };
    let client = event.and_then(|(_, event)| event.value("client_id")).map(ToOwned::to_owned);
    let client = client.unwrap_or_else(|| field(message, "client_id"));
    let words = if client.is_empty() { words } else { format!("{words} over {client}") };
    let rest = context.words().text(words).by(event.map(|(place, _)| *place)).done();
    Clause::new(relayer(context), step(message.kind.short()), rest, Proof::Unjudged)
}

/// "Relayer opened {channel} to {chain}".
fn channel(context: &TxContext<'_>, message: MessageRef<'_>, name: &str) -> Clause {
    let seen = MessageEvents::of(context, message);
    let event = seen.events.iter().find(|(_, event)| event.kind.starts_with("channel_"));
    let of = |key: &str, name: &str| {
        let of_event = event.and_then(|(_, event)| event.value(key)).filter(|text| !text.is_empty());
        of_event.map_or_else(|| field(message, name), ToOwned::to_owned)
    };
    let (port, id) = (of("port_id", "port_id"), of("channel_id", "channel_id"));
    let words = if id.is_empty() { "a channel".to_owned() } else { id.clone() };
    let words = if port.is_empty() { words } else { format!("{words} of port {port}") };
    let there = of("counterparty_channel_id", "counterparty_channel_id");
    let words = match (chain(context, &port, &id), there.as_str()) {
        (Some(chain), _) => format!("{words} to {chain}"),
        (None, "") => words,
        (None, there) => format!("{words} to {there} on the other side"),
    };
    let rest = context.words().text(words).by(event.map(|(place, _)| *place)).done();
    Clause::new(relayer(context), step(name), rest, Proof::Unjudged)
}

/// "{signer} put up {C} for the relayers of {channel}".
fn packet_fee(context: &TxContext<'_>, message: MessageRef<'_>) -> Clause {
    let holder = message.fields.get("packet_fee").or_else(|| message.fields.get("fee"));
    let fee = holder.and_then(|holder| holder.get("fee")).or(holder);
    let id = message.fields.get("packet_id");
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
    let channel = of_id("channel_id").unwrap_or_else(|| field(message, "source_channel_id"));
    let what = match of_id("sequence") {
        Some(number) => format!(" for whoever relays packet #{number} of {channel}"),
        None => format!(" for whoever relays the next packet of {channel}"),
    };
    let rest = context.words().text("at most ").coins(&coins).text(what).done();
    let payer = holder.and_then(|holder| holder.get("refund_address")).and_then(Value::as_str);
    let subject = match payer {
        Some(payer) => context.words().party(payer).done(),
        None => actor(context, message, "signer"),
    };
    Clause::new(subject, verb::PUT_UP, rest, Proof::Unjudged)
}

/// "{relayer} has its fees over {channel} paid to {payee}".
fn payee(context: &TxContext<'_>, message: MessageRef<'_>, name: &str) -> Clause {
    let rest = context.words().text(format!("its fees over {} paid to ", field(message, "channel_id")));
    let rest = rest.party(&field(message, name)).done();
    clause_by(context, message, "relayer", verb::ASK_TO_HAVE, rest, Proof::Unjudged)
}

/// "{signer} created a forwarding address to {recipient} over {channel}".
fn forwarding(context: &TxContext<'_>, message: MessageRef<'_>, name: &str) -> Clause {
    let words = context.words();
    let (verb, words) = match name {
        "MsgRegisterAccount" => {
            let words = words.text("a forwarding address to ").party(&field(message, "recipient"));
            let words = words.text(format!(" over {}", field(message, "channel")));
            let fallback = field(message, "fallback");
            let words = if fallback.is_empty() { words } else { words.text(", or back to ").party(&fallback) };
            (verb::CREATE, words)
        }
        "MsgClearAccount" => {
            (verb::SEND_ON, words.text("what lay on the forwarding address ").party(&field(message, "address")))
        }
        "MsgSetAllowedDenoms" => {
            let denoms = message.fields.get("denoms").and_then(Value::as_array);
            let denoms: Vec<&str> = denoms.into_iter().flatten().filter_map(Value::as_str).collect();
            let denoms = if denoms.is_empty() { "none".to_owned() } else { denoms.join(", ") };
            (verb::SET, words.text("the denoms that may be forwarded: ").code(denoms))
        }
        "MsgSetMemo" => (verb::SET, words.text("a memo for what is forwarded: ").text(field(message, "memo"))),
        _ => return cosmos::generic(context, message),
    };
    clause_by(context, message, "signer", verb, words.done(), Proof::Unjudged)
}
