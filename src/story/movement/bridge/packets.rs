//! IBC packets sent, received, acknowledged or timed out (`docs/apis/story.md` §3).

use serde_json::Value;

use super::{BridgeEvent, BridgeIdentity, BridgeMove, MovedPacket, PacketWay, query};
use crate::{
    domain::{LocalPacket, MsgType, PacketSide, same_account},
    events::{
        ChainEvent,
        bank::BankChange,
        ibc::{PacketEvent, PacketStep},
        names::{ACKNOWLEDGE_PACKET, RECV_PACKET, SEND_PACKET, TIMEOUT_PACKET, WRITE_ACKNOWLEDGEMENT},
    },
    story::{
        context::TxContext,
        decode::EventPhase,
        packet::{Acknowledgement, Memo, PacketData, PacketId},
        partial_failure::is_refusal,
        words::{
            builder::PhraseBuilder,
            phrase::Phrase,
            sentence::{arrived, left, on_acceptance, parties, receiver},
        },
    },
};

pub(super) fn packet(context: &TxContext<'_>, moved: BridgeEvent, event: PacketEvent<'_>) -> Option<BridgeMove> {
    let data = PacketData::of_packet(&event);
    let (side, is_local, bytes, expiry) = (event.step.side(), event.is_local, event.bytes(), event.expiry);
    let name = event.id?;
    let mut is_confirmed = true;
    let (way, data, answer) = match event.step {
        PacketStep::Answered => {
            if is_answered_at_once(context, moved, &name) {
                return None;
            }
            let answer = event.acknowledgement.as_deref().map(Acknowledgement::of);
            let is_refused = matches!(answer, Some(Acknowledgement::Refused(_)));
            (if is_refused { PacketWay::Refused } else { PacketWay::Answered }, data, None)
        }
        PacketStep::Sent => (PacketWay::Sent, data, None),
        PacketStep::Received => {
            let answer = answer_here(context, moved, &name);
            let is_refused = matches!(&answer, Some((_, Acknowledgement::Refused(_))));
            let way = if is_refused { PacketWay::Refused } else { PacketWay::Received };
            (way, data, answer.map(|(place, _)| place))
        }
        PacketStep::Acknowledged => {
            let told = message_of(context, moved.message, &name);
            let answer = told.as_ref().and_then(Acknowledgement::of_message);
            let is_refused = match &answer {
                Some(answer) => matches!(answer, Acknowledgement::Refused(_)),
                None => refused_by_event(context, moved),
            };
            is_confirmed = answer == Some(Acknowledgement::Accepted);
            let way = if is_refused { PacketWay::Rejected } else { PacketWay::Acknowledged };
            (way, data_of(told.as_ref()), None)
        }
        PacketStep::TimedOut => {
            (PacketWay::TimedOut, data_of(message_of(context, moved.message, &name).as_ref()), None)
        }
    };
    let end = name.end(side);
    let counterparty = context.glossary.chain_behind(&end.port, &end.channel).map(ToString::to_string);
    let there = match &counterparty {
        Some(chain) => context.words().text(chain.clone()).done(),
        None => context.words().text("the chain behind ").plain(&end.channel).done(),
    };
    let state = PacketState { way, side, is_confirmed };
    let outcome = outcome_words(context, moved, state, &name, &data);
    let words = line(context, moved, state, (&name, &data), (outcome, &there));
    let search = other_half(way).and_then(|kind| search(kind, &name));
    let mut events = vec![moved.place];
    events.extend(answer);
    Some(BridgeMove {
        message: moved.message,
        phrases: words.done(),
        counterparty,
        search,
        events,
        packet: Some(MovedPacket { end, state: outcome, id: name.clone(), data: bytes, is_local, expiry, relay: None }),
        identity: BridgeIdentity::Packet {
            way,
            source_port: name.source_port,
            source_channel: name.source_channel,
            destination_port: name.destination_port,
            destination_channel: name.destination_channel,
            sequence: name.sequence,
        },
    })
}

/// State of a packet, and whether its acknowledgement is a standard success.
#[derive(Clone, Copy)]
struct PacketState {
    way: PacketWay,
    side: PacketSide,
    is_confirmed: bool,
}

/// Returns the acknowledgement written by this chain in the same message.
fn answer_here(context: &TxContext<'_>, moved: BridgeEvent, name: &PacketId) -> Option<(usize, Acknowledgement)> {
    let later = context.decoded.events.iter().enumerate().skip(moved.place);
    let mut later = later.take_while(|(_, event)| event.phase == EventPhase::Message(moved.message));
    let is_answer = |packet: &PacketEvent<'_>| packet.step == PacketStep::Answered && context.work.takes_event();
    later.find_map(|(place, event)| {
        let answer = PacketEvent::of(event).filter(is_answer).filter(|packet| packet.id.as_ref() == Some(name))?;
        answer.acknowledgement.as_deref().map(|text| (place, Acknowledgement::of(text)))
    })
}

/// Whether the message of this acknowledgement also received the packet.
fn is_answered_at_once(context: &TxContext<'_>, moved: BridgeEvent, name: &PacketId) -> bool {
    let mut own = context.places.of(moved.message, None).take_while(|_| context.work.takes_event());
    own.any(|(_, event)| {
        PacketEvent::of(event)
            .is_some_and(|packet| packet.step == PacketStep::Received && packet.id.as_ref() == Some(name))
    })
}

/// Relates each received packet with the packet that passes its content on: sent by the same message, as the received
/// packet's memo asks.
pub(super) fn relate_passed_on(context: &TxContext<'_>, moves: &mut [BridgeMove]) {
    let data = |moved: &BridgeMove| {
        let event = context.decoded.events.get(*moved.events.first()?)?;
        Some(PacketData::of_event(event))
    };
    let mut pairs = Vec::new();
    for (received, moved) in moves.iter().enumerate() {
        let is_received = moved.packet.as_ref().is_some_and(|packet| packet.end.side == PacketSide::Received);
        let Some(memo) = data(moved).filter(|_| is_received).map(|data| Memo::of(data.memo(), context.work)) else {
            continue;
        };
        let Memo::Forward { receiver, channel, port, .. } = memo else { continue };
        let is_onward = |sent: &BridgeMove| {
            let is_there =
                |end: &LocalPacket| (end.side, &end.port, &end.channel) == (PacketSide::Sent, &port, &channel);
            sent.message == moved.message
                && sent.packet.as_ref().is_some_and(|packet| is_there(&packet.end))
                && data(sent).is_some_and(|data| parties(&data).is_some_and(|(_, to)| same_account(to, &receiver)))
        };
        pairs.extend(moves.iter().position(is_onward).map(|sent| (received, sent)));
    }
    for (received, sent) in pairs {
        let end = |place: usize| moves.get(place)?.packet.as_ref().map(|packet| packet.end.clone());
        let ends = [end(sent), end(received)];
        for (place, relay) in [received, sent].into_iter().zip(ends) {
            if let Some(packet) = moves.get_mut(place).and_then(|moved| moved.packet.as_mut()) {
                packet.relay = relay;
            }
        }
    }
}

/// Whether the application reports a rejection by the counterparty, in the second of its two events.
fn refused_by_event(context: &TxContext<'_>, moved: BridgeEvent) -> bool {
    let later = context.decoded.events.iter().skip(moved.place);
    let mut later = later.take_while(|event| event.phase == EventPhase::Message(moved.message));
    later.any(is_refusal)
}

/// Returns the fields of the message about a packet: the transaction's message or a nested message.
fn message_of(context: &TxContext<'_>, message: usize, name: &PacketId) -> Option<serde_json::Map<String, Value>> {
    let own = context.decoded.messages.get(message)?;
    let is_it = |fields: &serde_json::Map<String, Value>| {
        let packet = fields.get("packet").and_then(Value::as_object);
        packet.and_then(PacketId::of_message).as_ref() == Some(name)
    };
    if is_it(&own.fields) {
        return Some(own.fields.clone());
    }
    let is_wrapper = |kind: &MsgType| matches!(kind.short(), "MsgExec" | "MsgExecuteMessages");
    let inner = ["msgs", "messages"].iter().find_map(|field| own.fields.get(*field)?.as_array());
    let mut inner = inner.filter(|_| is_wrapper(&own.kind)).into_iter().flatten().filter_map(Value::as_object);
    inner.find(|fields| context.work.takes_nested(0) && is_it(fields)).cloned()
}

fn data_of(fields: Option<&serde_json::Map<String, Value>>) -> PacketData {
    let packet = fields.and_then(|fields| fields.get("packet")?.as_object());
    packet.map_or(PacketData::Other, PacketData::of_message)
}

fn line<'s, 'a>(
    context: &'s TxContext<'a>,
    moved: BridgeEvent,
    state: PacketState,
    (name, data): (&PacketId, &PacketData),
    (outcome, there): (&'static str, &[Phrase]),
) -> PhraseBuilder<'s, 'a> {
    let way = state.way;
    let there = || there.iter().cloned();
    let is_source = state.side == PacketSide::Sent;
    let what = if is_source { left(context, data) } else { arrived(context, data, name) };
    let words = context.words().then(what).by([moved.place]);
    let words = match (is_source, parties(data)) {
        (true, Some((_, account))) => words.text(" to ").party_elsewhere(account).text(" on ").then(there()),
        (true, None) => words.text(" to ").then(there()),
        (false, Some((_, account))) => {
            words.text(" from ").then(there()).text(" to ").then(receiver(context, data, account))
        }
        (false, None) => words.text(" from ").then(there()),
    };
    let words = words.text(format!(": packet #{} of ", name.sequence)).by([moved.place]);
    let words = words.plain(&name.source_port).text("/").plain(&name.source_channel).text(" → ");
    let words = words.plain(&name.destination_port).text("/").plain(&name.destination_channel).text(", ");
    let words = words.text(outcome).by([moved.place]);
    match way {
        PacketWay::Acknowledged if state.is_confirmed => on_acceptance(words, &Memo::of(data.memo(), context.work)),
        PacketWay::Sent => words.text("; left for ").then(there()).text(", this record does not show its arrival"),
        _ => words,
    }
}

fn outcome_words(
    context: &TxContext<'_>,
    moved: BridgeEvent,
    state: PacketState,
    name: &PacketId,
    data: &PacketData,
) -> &'static str {
    let way = state.way;
    let path = match data {
        PacketData::Tokens(tokens) => Some(tokens.path.as_str()),
        PacketData::Nfts(nfts) => Some(nfts.class.as_str()),
        PacketData::Messages | PacketData::Other => None,
    };
    let is_returning = path.is_some_and(|path| {
        path.strip_prefix(name.source_port.as_str())
            .and_then(|rest| rest.strip_prefix('/')?.strip_prefix(name.source_channel.as_str()))
            .is_some_and(|rest| rest.starts_with('/'))
    });
    let is_moved = || has_movement(context, moved, way, (name, data));
    // Any contract can open its own channel: only it knows what it did with unknown tokens.
    let is_contracts = |port: &str, channel: &str| {
        port.starts_with("wasm.") && path.is_some() && !context.glossary.is_port_known(port, channel)
    };
    match way {
        PacketWay::Sent if is_contracts(&name.source_port, &name.source_channel) => return "sent by a contract",
        PacketWay::Received if is_contracts(&name.destination_port, &name.destination_channel) => {
            return "received by a contract; only the contract knows the effect";
        }
        _ => {}
    }
    match (way, path) {
        (PacketWay::Sent, None) => "sent",
        (PacketWay::Sent, Some(_)) if !is_moved() => "sent",
        (PacketWay::Sent, _) if is_returning => "burned here",
        (PacketWay::Sent, _) => "held in escrow here",
        (PacketWay::Received, Some(_)) if !is_moved() => "received; no event shows a credit",
        (PacketWay::Received, None) => "arrived",
        (PacketWay::Received, _) if is_returning => "released from escrow here",
        (PacketWay::Received, _) => "minted here as a voucher",
        (PacketWay::Answered, _) => "acknowledged here",
        (PacketWay::Refused, _) if data.has_assets() => "refused here; the source chain must refund the sender",
        (PacketWay::Refused, _) => "refused here",
        (PacketWay::Acknowledged, _) if state.is_confirmed => "accepted there",
        (PacketWay::Acknowledged, _) => "acknowledged there; the acknowledgement does not show the arrival",
        (PacketWay::Rejected, Some(_)) if is_moved() => "refused there and refunded here",
        (PacketWay::TimedOut, Some(_)) if is_moved() => "timed out and refunded here",
        (PacketWay::Rejected, Some(_)) => "refused there; no event shows a refund here",
        (PacketWay::TimedOut, Some(_)) => "timed out; no event shows a refund here",
        (PacketWay::Rejected, None) => "refused there",
        (PacketWay::TimedOut, None) => "timed out",
    }
}

/// Whether the message's events show the movement: on arrival and return the credit or refund itself, else any coins,
/// stores or NFTs.
fn has_movement(
    context: &TxContext<'_>,
    moved: BridgeEvent,
    way: PacketWay,
    (name, data): (&PacketId, &PacketData),
) -> bool {
    let mut own = context.places.of(moved.message, None).take_while(|_| context.work.takes_event());
    match (way, data) {
        (PacketWay::Received, PacketData::Tokens(tokens)) => !tokens.credits(own, name).is_empty(),
        (PacketWay::Received, PacketData::Nfts(nfts)) => !nfts.credits(own, name).is_empty(),
        (PacketWay::Rejected | PacketWay::TimedOut, PacketData::Tokens(tokens)) => {
            own.any(|(_, event)| tokens.is_refunded_by(event))
        }
        (PacketWay::Rejected | PacketWay::TimedOut, PacketData::Nfts(nfts)) => {
            own.any(|(_, event)| nfts.is_refunded_by(event))
        }
        _ => own.any(|(_, event)| match ChainEvent::of(event) {
            ChainEvent::Bank(event) => event.change != BankChange::Minted,
            ChainEvent::Evm(_) | ChainEvent::Move(_) | ChainEvent::Wasm => true,
            _ => false,
        }),
    }
}

/// Returns the event of the packet on the other chain; `None` for a packet that never arrived.
fn other_half(way: PacketWay) -> Option<&'static str> {
    match way {
        PacketWay::Sent | PacketWay::Acknowledged | PacketWay::Rejected => Some(RECV_PACKET),
        PacketWay::Received | PacketWay::Answered | PacketWay::Refused => Some(SEND_PACKET),
        PacketWay::TimedOut => None,
    }
}

fn search(kind: &str, name: &PacketId) -> Option<String> {
    if name.is_between_clients() {
        let sequence = name.sequence.to_string();
        let clients = [("packet_source_client", &*name.source_channel), ("packet_sequence", &*sequence)];
        return query(kind, &[clients[0], clients[1], ("packet_dest_client", &*name.destination_channel)]);
    }
    query(
        kind,
        &[
            ("packet_src_channel", &name.source_channel),
            ("packet_sequence", &name.sequence.to_string()),
            ("packet_src_port", &name.source_port),
            ("packet_dst_port", &name.destination_port),
            ("packet_dst_channel", &name.destination_channel),
        ],
    )
}

/// Returns queries that find the steps of a packet's end in a node's index of transactions.
pub fn packet_queries(packet: &LocalPacket) -> Vec<String> {
    let (kinds, side): (&[&str], _) = match packet.side {
        PacketSide::Sent => (&[SEND_PACKET, ACKNOWLEDGE_PACKET, TIMEOUT_PACKET], "src"),
        PacketSide::Received => (&[RECV_PACKET, WRITE_ACKNOWLEDGEMENT], "dst"),
    };
    let [port, channel] = ["port", "channel"].map(|part| format!("packet_{side}_{part}"));
    let number = packet.sequence.to_string();
    let attributes = [("packet_sequence", &*number), (&*port, &*packet.port), (&*channel, &*packet.channel)];
    kinds.iter().filter_map(|kind| query(kind, &attributes)).collect()
}

/// Returns queries that find where packets with this number were sent or received.
pub(super) fn numbered_queries(number: u64) -> Vec<String> {
    let number = number.to_string();
    [SEND_PACKET, RECV_PACKET].iter().filter_map(|kind| query(kind, &[("packet_sequence", &number)])).collect()
}
