//! Clients, connections, channels, and setup by relayers and interchain accounts.

use serde_json::Value;

use crate::{
    domain::{Address, Coin},
    events::{
        keys::{self, AttributeKey},
        names::{CHANNEL_OPEN_INIT, CREATE_CLIENT, INCENTIVIZED_IBC_PACKET, SEND_PACKET, UPDATE_CLIENT},
    },
    story::{
        context::{MessageRef, TxContext, coin_of, proof::Proof},
        decode::DecodedEvent,
        words::{
            clause::{Clause, VerbForms},
            phrase::Phrase,
            sentence::{
                clauses::{MessageEvents, actor, clause_by, clause_with, names, places_of, ran, subject, told},
                generic::generic,
                verb,
            },
        },
    },
};

pub(super) fn render(context: &TxContext<'_>, message: MessageRef<'_>) -> Clause {
    let kind = message.kind.as_str();
    match message.kind.short() {
        "MsgUpdateClient" => update_client(context, message),
        "MsgCreateClient" => create_client(context, message),
        name if name.starts_with("MsgConnection") => connection(context, message),
        name if name.starts_with("MsgChannel") => channel(context, message, name),
        "MsgRegisterInterchainAccount" => {
            let event = MessageEvents::of(context, message).claim_or_only(CHANNEL_OPEN_INIT, |_| true);
            let rest = context.words().text("an interchain account over ").plain(&field(message, "connection_id"));
            let rest = rest.by(places_of(event));
            clause_with(context, actor(context, message, "owner"), verb::REGISTER, rest, &places_of(event))
        }
        "MsgSendTx" if kind.starts_with("ibc.applications.interchain_accounts") => {
            let packet = MessageEvents::of(context, message).claim_or_only(SEND_PACKET, |_| true);
            let rest = context.words().text("messages to its interchain account over ");
            let rest = rest.plain(&field(message, "connection_id"));
            let rest = match packet.and_then(|(_, event)| event.text(keys::PACKET_SEQUENCE)) {
                Some(number) => rest.text(" (packet #").plain(number).text(")").by(places_of(packet)),
                None => rest,
            };
            clause_with(context, actor(context, message, "owner"), verb::SEND, rest, &places_of(packet))
        }
        "MsgPayPacketFee" | "MsgPayPacketFeeAsync" => packet_fee(context, message),
        "MsgRegisterPayee" => payee(context, message, keys::PAYEE, "register_payee"),
        "MsgRegisterCounterpartyPayee" => {
            payee(context, message, keys::COUNTERPARTY_PAYEE, "register_counterparty_payee")
        }
        name if kind.starts_with("noble.forwarding.") => forwarding(context, message, name),
        _ => generic(context, message),
    }
}

fn field(message: MessageRef<'_>, name: &str) -> String {
    message.text(name).unwrap_or_default().into_owned()
}

fn relayer(context: &TxContext<'_>) -> Vec<Phrase> {
    context.words().text("Relayer").done()
}

/// Describes "Relayer updated IBC client {client} to height {h}", as maintenance.
fn update_client(context: &TxContext<'_>, message: MessageRef<'_>) -> Clause {
    let wanted = field(message, "client_id");
    let event = MessageEvents::of(context, message)
        .claim_or_only(UPDATE_CLIENT, |event| event.text(keys::CLIENT_ID).is_none_or(|client| client == wanted));
    let rest = context.words().plain(&told(event, keys::CLIENT_ID, Some(wanted.into())));
    let rest = match event.and_then(|(_, event)| event.text(keys::CONSENSUS_HEIGHT)) {
        Some(height) => rest.text(" to height ").plain(height).by(places_of(event)),
        None => rest.by(places_of(event)),
    };
    let clause = clause_with(context, relayer(context), verb::UPDATE_IBC_CLIENT, rest, &places_of(event));
    Clause { is_noise: true, ..clause }
}

/// Describes "Relayer created IBC client {id}, whose chain calls itself {id}": the creator writes that id.
fn create_client(context: &TxContext<'_>, message: MessageRef<'_>) -> Clause {
    let event = MessageEvents::of(context, message).claim_or_only(CREATE_CLIENT, |_| true);
    let words = match event.and_then(|(_, event)| event.text(keys::CLIENT_ID)) {
        Some(client) => context.words().text("IBC client ").plain(client).by(places_of(event)),
        None => context.words().text("an IBC client"),
    };
    let state = message.fields.get("client_state");
    let words = match state.and_then(|state| state.get("chain_id")).and_then(Value::as_str) {
        Some(chain) => words.text(", whose chain calls itself ").plain(chain),
        None => words,
    };
    clause_with(context, relayer(context), verb::CREATE, words, &places_of(event))
}

/// Returns the verb for a handshake step: only the last step on each side opens.
fn step(name: &str) -> VerbForms {
    if name.ends_with("OpenAck") || name.ends_with("OpenConfirm") {
        verb::OPEN
    } else if name.contains("Close") {
        verb::CLOSE
    } else {
        verb::BEGIN_TO_OPEN
    }
}

/// Returns the event of a handshake step: `MsgChannelOpenTry` emits `channel_open_try`; a close emits one of several
/// events.
fn handshake<'e>(
    context: &'e TxContext<'_>,
    message: MessageRef<'_>,
    object: &str,
    name: &str,
) -> Option<(usize, &'e DecodedEvent)> {
    let ends = ["OpenInit", "OpenTry", "OpenAck", "OpenConfirm", "CloseInit", "CloseConfirm"];
    let ends_with =
        ends.into_iter().zip(["open_init", "open_try", "open_ack", "open_confirm", "close_init", "close_confirm"]);
    let (_, step) = ends_with.into_iter().find(|(end, _)| name.ends_with(end))?;
    MessageEvents::of(context, message).claim_or_only(&format!("{object}_{step}"), |_| true)
}

fn connection(context: &TxContext<'_>, message: MessageRef<'_>) -> Clause {
    let event = handshake(context, message, "connection", message.kind.short());
    let of = |key: AttributeKey<String>| told(event, key, message.text(key.name()));
    let (id, client) = (of(keys::CONNECTION_ID), of(keys::CLIENT_ID));
    let words = if id.is_empty() { context.words().text("a connection") } else { context.words().plain(&id) };
    let words = words.by(places_of(event));
    let words = if client.is_empty() { words } else { words.text(" over ").plain(&client).by(places_of(event)) };
    clause_with(context, relayer(context), step(message.kind.short()), words, &places_of(event))
}

/// Describes "Relayer opened {channel} to {chain}".
fn channel(context: &TxContext<'_>, message: MessageRef<'_>, name: &str) -> Clause {
    let event = handshake(context, message, "channel", name);
    let of = |key: AttributeKey<String>| told(event, key, message.text(key.name()));
    let (port, id) = (of(keys::PORT_ID), of(keys::CHANNEL_ID));
    let words = if id.is_empty() { context.words().text("a channel") } else { context.words().plain(&id) };
    let words = words.by(places_of(event));
    let words = if port.is_empty() { words } else { words.text(" of port ").plain(&port).by(places_of(event)) };
    let chain = words.chain_behind(&port, &id);
    let words = match (chain, of(keys::COUNTERPARTY_CHANNEL_ID).as_str()) {
        (Some(chain), _) => words.text(format!(" to {chain}")),
        (None, "") => words,
        (None, there) => words.text(" to ").plain(there).text(" on the other side"),
    };
    clause_with(context, relayer(context), step(name), words, &places_of(event))
}

/// Describes "{signer} put up {C} for the relayers of {channel}".
fn packet_fee(context: &TxContext<'_>, message: MessageRef<'_>) -> Clause {
    let holder = message.fields.get("packet_fee").or_else(|| message.fields.get("fee"));
    let fee = holder.and_then(|holder| holder.get("fee")).or(holder);
    let id = message.fields.get("packet_id");
    let of_id = |name: &str| id.and_then(|id| id.get(name)).and_then(Value::as_str).map(ToOwned::to_owned);
    let event = MessageEvents::of(context, message).claim_or_only(INCENTIVIZED_IBC_PACKET, |_| true);
    let channel = of_id("channel_id").unwrap_or_else(|| field(message, "source_channel_id"));
    let words = most(context, fee).by(places_of(event)).text(" for any relayer ");
    let words = match of_id("sequence") {
        Some(number) => words.text("packet #").plain(&number).text(" of "),
        None => words.text("the next packet of "),
    };
    let payer = holder.and_then(|holder| holder.get("refund_address")).and_then(Value::as_str);
    let who = subject(context, message, "signer", payer.unwrap_or_default());
    clause_with(context, who, verb::PUT_UP, words.plain(&channel), &places_of(event))
}

/// Adds "at most {C}": the sum of the fees for all outcomes.
fn most<'s, 'a>(
    context: &'s TxContext<'a>,
    fee: Option<&Value>,
) -> crate::story::words::builder::PhraseBuilder<'s, 'a> {
    let items =
        ["recv_fee", "ack_fee", "timeout_fee"].into_iter().filter_map(|name| fee?.get(name)?.as_array()).flatten();
    let mut coins: Vec<Coin> = Vec::new();
    for item in items {
        let sum = coin_of(item).and_then(|coin| {
            if let Some(known) = coins.iter_mut().find(|known| known.denom == coin.denom) {
                return known.amount.checked_add(coin.amount).map(|sum| known.amount = sum);
            }
            coins.push(coin);
            Some(())
        });
        if sum.is_none() {
            return context.words().text("an unreadable amount");
        }
    }
    context.words().text("at most ").coins(&coins)
}

/// Describes "{relayer} has its fees over {channel} paid to {payee}".
fn payee(context: &TxContext<'_>, message: MessageRef<'_>, payee: AttributeKey<Address>, kind: &str) -> Clause {
    let relayer = message.text("relayer").unwrap_or_default();
    let event = MessageEvents::of(context, message).claim_or_only(kind, |event| names(event, keys::RELAYER, &relayer));
    let rest = context.words().text("its fees over ").plain(&told(event, keys::CHANNEL_ID, message.text("channel_id")));
    let rest = rest.text(" paid to ").party(&told(event, payee, message.text(payee.name()))).by(places_of(event));
    let who = subject(context, message, "relayer", &told(event, keys::RELAYER, Some(relayer)));
    clause_with(context, who, verb::ASK_TO_HAVE, rest, &places_of(event))
}

/// Describes "{signer} created a forwarding address to {recipient} over {channel}" if the module confirms it; else only
/// the execution.
fn forwarding(context: &TxContext<'_>, message: MessageRef<'_>, name: &str) -> Clause {
    let words = context.words();
    let (verb, words) = match name {
        "MsgRegisterAccount" => {
            let words = words.text("a forwarding address to ").party(&field(message, "recipient"));
            let words = words.text(" over ").plain(&field(message, "channel"));
            let fallback = field(message, "fallback");
            let words = if fallback.is_empty() { words } else { words.text(", or back to ").party(&fallback) };
            (verb::CREATE, words)
        }
        "MsgClearAccount" => {
            (verb::SEND_ON, words.text("the balance of the forwarding address ").party(&field(message, "address")))
        }
        "MsgSetAllowedDenoms" => {
            let denoms = message.fields.get("denoms").and_then(Value::as_array);
            let denoms: Vec<String> =
                denoms.into_iter().flatten().filter_map(Value::as_str).map(ToOwned::to_owned).collect();
            let words = words.text("the denoms allowed for forwarding: ");
            (verb::SET, if denoms.is_empty() { words.text("none") } else { words.listed(&denoms) })
        }
        "MsgSetMemo" => (verb::SET, words.text("a memo for forwarding: ").quote(&field(message, "memo"))),
        _ => return generic(context, message),
    };
    let seen = MessageEvents::of(context, message);
    let event = seen.events.iter().copied().find(|(_, event)| event.kind.starts_with("noble.forwarding."));
    match (event, context.is_failed()) {
        (Some((place, _)), _) => {
            let words = words.by([place]);
            clause_by(context, message, "signer", verb, words.done(), Proof::Shown)
        }
        (None, true) => clause_by(context, message, "signer", verb, words.done(), Proof::Absent),
        (None, false) => {
            let asked = context.words().text("asking to ").text(verb.base).text(" ").then(words.done());
            ran(context, message, "signer", asked.done())
        }
    }
}
