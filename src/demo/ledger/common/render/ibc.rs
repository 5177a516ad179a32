//! Renders IBC messages: packets, acknowledgements, timeouts and client updates.

use super::{
    Render, RenderView, base64, body,
    event_writer::{Attributes, EventWriter},
    header, lower, nft,
    packet::{PacketView, answer, forwarder, nft_packet_view, packet_view, refusal, wrapped, wrapped_answer},
};
use crate::{
    demo::ledger::{
        common::{
            apply::{is_returning, is_voucher},
            record::{MemoKind, Msg, Packet, PacketArrival, PartyId},
            world::{Party, PartyRole},
        },
        derive,
        json::Json,
    },
    events::names::{
        ACKNOWLEDGE_PACKET, FUNGIBLE_TOKEN_PACKET, IBC_TRANSFER, RECV_PACKET, SEND_PACKET, TIMEOUT_PACKET,
        UPDATE_CLIENT, WRITE_ACKNOWLEDGEMENT,
    },
    wire::protobuf::ProtoWriter,
};

/// Result in a relayer's response: the packet was processed.
const DONE: u64 = 2;
/// Result in a relayer's response: another relayer processed the packet before.
const DONE_BEFORE: u64 = 1;

pub(crate) fn fields<F: Render>(view: &RenderView<'_>, json: &mut Json, msg: &Msg<F>) {
    match msg {
        Msg::Transfer(packet) => transfer_fields::<F>(view, json, packet),
        Msg::NftTransfer(packet) => nft::fields(view, json, packet),
        Msg::UpdateClient { signer, channel: place, sent } => {
            let channel = view.world.catalogue.channel(*place);
            json.field("client_id", channel.client);
            json.key("client_message");
            header::write(view, json, channel, *sent);
            json.field("signer", &view.party(*signer).bech32);
        }
        Msg::Receive { signer, packet, arrival } => {
            let packet_view = packet_view::<F>(view, packet, false, *arrival == PacketArrival::Refused);
            packet_fields(view, json, &packet_view, ["proof_commitment", ""], *signer);
        }
        Msg::NftReceive { signer, packet } => {
            let packet_view = nft_packet_view(view, packet, false);
            packet_fields(view, json, &packet_view, ["proof_commitment", ""], *signer);
        }
        Msg::Acknowledge { signer, packet, accepted } => {
            let packet_view = packet_view::<F>(view, packet, true, false);
            packet_fields(view, json, &packet_view, ["proof_acked", &wrapped_answer(*accepted)], *signer);
        }
        Msg::NftAcknowledge { signer, packet } => {
            let packet_view = nft_packet_view(view, packet, true);
            packet_fields(view, json, &packet_view, ["proof_acked", &wrapped_answer(true)], *signer);
        }
        Msg::Timeout { signer, packet } => {
            let packet_view = packet_view::<F>(view, packet, true, false);
            packet_fields(view, json, &packet_view, ["proof_unreceived", ""], *signer);
        }
        _ => {}
    }
}

fn transfer_fields<F: Render>(view: &RenderView<'_>, json: &mut Json, packet: &Packet) {
    let packet_view = packet_view::<F>(view, packet, true, false);
    let channels = view.world.catalogue.channels;
    let known = channels.get(usize::from(packet.channel)).map_or("channel-99", |channel| channel.id);
    json.field("source_port", packet_view.channel.port).field("source_channel", known);
    json.key("token");
    body::coin(view, json, packet.token, packet.amount);
    json.field("sender", &packet_view.sender).field("receiver", &packet_view.receiver);
    no_timeout_height(json);
    json.number("timeout_timestamp", packet_view.timeout).field("memo", &packet_view.memo);
}

/// Writes a zero timeout height, since these packets time out only by time.
pub(crate) fn no_timeout_height(json: &mut Json) {
    json.key("timeout_height").object(|json| {
        json.field("revision_number", "0").field("revision_height", "0");
    });
}

/// Writes the fields of a relayer's message: packet, acknowledgement, proof, next sequence number, signer.
pub(crate) fn packet_fields(
    view: &RenderView<'_>,
    json: &mut Json,
    packet_view: &PacketView,
    [proof, answer]: [&str; 2],
    signer: PartyId,
) {
    let (source, destination) = packet_view.ends();
    let (source_port, destination_port) = packet_view.ports();
    json.key("packet").object(|json| {
        json.number("sequence", packet_view.sequence);
        json.field("source_port", source_port).field("source_channel", source);
        json.field("destination_port", destination_port).field("destination_channel", destination);
        json.field("data", &base64(&packet_view.data));
        no_timeout_height(json);
        json.number("timeout_timestamp", packet_view.timeout);
    });
    if !answer.is_empty() {
        json.field("acknowledgement", &base64(answer));
    }
    json.field(proof, &base64(derive::filler(proof, &[view.height, packet_view.sequence], 420)));
    json.key("proof_height").object(|json| {
        json.number("revision_number", packet_view.channel.revision);
        json.number("revision_height", header::height(view, packet_view.channel, view.height));
    });
    if proof == "proof_unreceived" {
        json.number("next_sequence_recv", packet_view.sequence);
    }
    json.field("signer", &view.party(signer).bech32);
}

/// Writes the events of an IBC message. Returns its response.
pub(crate) fn packet<F: Render>(view: &RenderView<'_>, events: &mut EventWriter, msg: &Msg<F>) -> Vec<u8> {
    match msg {
        Msg::Transfer(packet) => return transfer::<F>(view, events, packet, view.party(packet.local)),
        Msg::NftTransfer(packet) => return nft::transfer::<F>(view, events, packet),
        Msg::UpdateClient { channel: place, sent, .. } => {
            update_client(view, events, *place, *sent);
            return Vec::new();
        }
        Msg::Receive { arrival: PacketArrival::Repeated, .. } => {
            return ProtoWriter::new().uint(1, DONE_BEFORE).finish();
        }
        Msg::Receive { packet, arrival, .. } => receive::<F>(view, events, packet, *arrival == PacketArrival::Accepted),
        Msg::NftReceive { packet, .. } => nft::receive::<F>(view, events, packet),
        Msg::Acknowledge { packet, accepted, .. } => acknowledge::<F>(view, events, packet, *accepted),
        Msg::NftAcknowledge { packet, .. } => nft::acknowledge(view, events, packet),
        Msg::Timeout { packet, .. } => timeout::<F>(view, events, packet),
        _ => {}
    }
    ProtoWriter::new().uint(1, DONE).finish()
}

/// Writes an event with the packet's attributes. `middle` comes between the channel's ends and the connection.
pub(crate) fn packet_event(
    events: &mut EventWriter,
    kind: &'static str,
    packet_view: &PacketView,
    with_data: bool,
    middle: Attributes,
) {
    bare_packet_event(events, kind, packet_view, with_data, middle);
    events.module("ibc_channel");
}

/// Writes the packet event without the module's `message` event, which nodes omit for packets of contracts.
pub(crate) fn bare_packet_event(
    events: &mut EventWriter,
    kind: &'static str,
    packet_view: &PacketView,
    with_data: bool,
    middle: Attributes,
) {
    let (source, destination) = packet_view.ends();
    let (source_port, destination_port) = packet_view.ports();
    let mut attributes = Vec::with_capacity(16);
    if with_data {
        attributes.push(("packet_data", packet_view.data.clone()));
        attributes.push(("packet_data_hex", lower(&packet_view.data)));
    }
    attributes.extend([
        ("packet_timeout_height", "0-0".to_owned()),
        ("packet_timeout_timestamp", packet_view.timeout.to_string()),
        ("packet_sequence", packet_view.sequence.to_string()),
        ("packet_src_port", source_port.to_owned()),
        ("packet_src_channel", source.to_owned()),
        ("packet_dst_port", destination_port.to_owned()),
        ("packet_dst_channel", destination.to_owned()),
    ]);
    attributes.extend(middle);
    let connection = packet_view.channel.connection.to_owned();
    if kind == TIMEOUT_PACKET {
        attributes.push(("connection_id", connection));
        attributes.push(("packet_channel_ordering", "ORDER_UNORDERED".to_owned()));
    } else {
        attributes.push(("packet_channel_ordering", "ORDER_UNORDERED".to_owned()));
        attributes.push(("packet_connection", connection.clone()));
        attributes.push(("connection_id", connection));
    }
    events.emit(kind, attributes);
}

/// Writes the event of an acknowledgement that this chain wrote.
pub(crate) fn answered(events: &mut EventWriter, packet_view: &PacketView, accepted: bool) {
    answered_with(events, packet_view, wrapped_answer(accepted));
}

fn answered_with(events: &mut EventWriter, packet_view: &PacketView, answer: String) {
    let hex = lower(&answer);
    packet_event(
        events,
        WRITE_ACKNOWLEDGEMENT,
        packet_view,
        true,
        vec![("packet_ack", answer), ("packet_ack_hex", hex)],
    );
}

fn transfer<F: Render>(view: &RenderView<'_>, events: &mut EventWriter, packet: &Packet, sender: &Party) -> Vec<u8> {
    let packet_view = packet_view::<F>(view, packet, true, false);
    if is_returning(view.world, packet) {
        let module = view.role(PartyRole::TransferModule);
        F::bank_transfer(view, events, packet.token, [sender, module], packet.amount);
        F::bank_burn(view, events, packet.token, module, packet.amount);
    } else {
        F::bank_transfer(view, events, packet.token, [sender, view.role(PartyRole::Escrow)], packet.amount);
    }
    packet_event(events, SEND_PACKET, &packet_view, true, Vec::new());
    let attributes = vec![
        ("sender", packet_view.sender),
        ("receiver", packet_view.receiver),
        ("amount", packet.amount.to_string()),
        ("denom", view.denom(packet.token).to_owned()),
        ("memo", packet_view.memo),
    ];
    events.emit(IBC_TRANSFER, attributes);
    events.module("transfer");
    ProtoWriter::new().uint(1, packet.sequence).finish()
}

fn update_client(view: &RenderView<'_>, events: &mut EventWriter, place: u8, sent: u64) {
    let channel = view.world.catalogue.channel(place);
    let height = format!("{}-{}", channel.revision, header::height(view, channel, sent));
    let attributes = vec![
        ("client_id", channel.client.to_owned()),
        ("client_type", "07-tendermint".to_owned()),
        ("consensus_height", height.clone()),
        ("consensus_heights", height),
        ("header", lower(header::encode(view, channel, sent))),
    ];
    events.emit(UPDATE_CLIENT, attributes);
    events.module("ibc_client");
}

/// Returns the attributes of the transfer module's packet event.
fn packet_attributes(packet_view: &PacketView, amount: u128) -> Attributes {
    vec![
        ("module", "transfer".to_owned()),
        ("sender", packet_view.sender.clone()),
        ("receiver", packet_view.receiver.clone()),
        ("denom", packet_view.denom.clone()),
        ("amount", amount.to_string()),
        ("memo", packet_view.memo.clone()),
    ]
}

fn receive<F: Render>(view: &RenderView<'_>, events: &mut EventWriter, packet: &Packet, accepted: bool) {
    let packet_view = packet_view::<F>(view, packet, false, !accepted);
    packet_event(events, RECV_PACKET, &packet_view, true, Vec::new());
    if accepted {
        credit_arrival::<F>(view, events, packet, &packet_view);
        // What is passed on is acknowledged when the next chain has acknowledged it.
        if packet.onward().is_none() {
            answered(events, &packet_view, true);
        }
    } else {
        let (reason, answer) = refusal(packet, &packet_view.receiver);
        let attributes = vec![
            ("ibccallbackerror-module", "transfer".to_owned()),
            ("ibccallbackerror-sender", packet_view.sender.clone()),
            ("ibccallbackerror-receiver", packet_view.receiver.clone()),
            ("ibccallbackerror-denom", packet_view.denom.clone()),
            ("ibccallbackerror-amount", packet.amount.to_string()),
            ("ibccallbackerror-memo", packet_view.memo.clone()),
            ("ibccallbackerror-success", "false".to_owned()),
            ("ibccallbackerror-error", reason),
        ];
        events.emit("ibccallbackerror-fungible_token_packet", attributes);
        answered_with(events, &packet_view, wrapped(answer, false));
    }
}

/// Credits a packet's tokens to the receiver, or to the account that runs its hook or passes them on.
fn credit_arrival<F: Render>(
    view: &RenderView<'_>,
    events: &mut EventWriter,
    packet: &Packet,
    packet_view: &PacketView,
) {
    let acting = match packet.memo {
        MemoKind::Hook(_) => Some(F::hook_party(packet_view)),
        MemoKind::PassOn { .. } => Some(forwarder(packet_view.channel, &packet_view.sender)),
        _ => None,
    };
    let receiver = acting.as_ref().unwrap_or_else(|| view.party(packet.local));
    let voucher = is_voucher(view.world, packet.token);
    if voucher {
        let denom = view.denom(packet.token);
        let hash = denom.trim_start_matches("ibc/").to_owned();
        events.emit("denomination_trace", vec![("trace_hash", hash), ("denom", denom.to_owned())]);
    }
    credit::<F>(view, events, packet, receiver);
    let mut attributes = packet_attributes(packet_view, packet.amount);
    if let Some((_, text)) = attributes.iter_mut().find(|(key, _)| *key == "receiver") {
        *text = receiver.bech32.to_string();
    }
    let onward = packet.onward();
    if let Some((_, text)) = attributes.iter_mut().find(|(key, _)| *key == "memo" && onward.is_some()) {
        text.clear();
    }
    attributes.push(("success", "true".to_owned()));
    events.emit(FUNGIBLE_TOKEN_PACKET, attributes);
    match (packet.memo, acting, onward) {
        (MemoKind::Hook(hook), Some(account), _) => F::arrival_hook_events(view, events, packet, hook, &account),
        (_, Some(account), Some(onward)) => {
            transfer::<F>(view, events, &onward, &account);
        }
        _ => {}
    }
}

/// Mints vouchers, or releases returning tokens from escrow.
fn credit<F: Render>(view: &RenderView<'_>, events: &mut EventWriter, packet: &Packet, receiver: &Party) {
    if is_voucher(view.world, packet.token) {
        let module = view.role(PartyRole::TransferModule);
        F::bank_mint(view, events, packet.token, module, packet.amount);
        F::bank_transfer(view, events, packet.token, [module, receiver], packet.amount);
    } else {
        F::bank_transfer(view, events, packet.token, [view.role(PartyRole::Escrow), receiver], packet.amount);
    }
}

fn acknowledge<F: Render>(view: &RenderView<'_>, events: &mut EventWriter, packet: &Packet, accepted: bool) {
    let packet_view = packet_view::<F>(view, packet, true, false);
    packet_event(events, ACKNOWLEDGE_PACKET, &packet_view, false, Vec::new());
    if let Some(received) = packet.carried() {
        return pass_back::<F>(view, events, &received, accepted);
    }
    if !accepted {
        credit::<F>(view, events, packet, view.party(packet.local));
    }
    let mut attributes = packet_attributes(&packet_view, packet.amount);
    attributes.push(("acknowledgement", told(accepted)));
    events.emit(FUNGIBLE_TOKEN_PACKET, attributes);
    let result = if accepted { ("success", "\u{1}".to_owned()) } else { ("error", error_text()) };
    events.emit(FUNGIBLE_TOKEN_PACKET, vec![result]);
}

/// Writes how the acknowledgement of a packet that passed tokens on becomes that of the received one. The voucher in
/// escrow ends if the next chain refused it.
fn pass_back<F: Render>(view: &RenderView<'_>, events: &mut EventWriter, received: &Packet, accepted: bool) {
    if !accepted {
        let (escrow, module) = (view.role(PartyRole::Escrow), view.role(PartyRole::TransferModule));
        F::bank_transfer(view, events, received.token, [escrow, module], received.amount);
        F::bank_burn(view, events, received.token, module, received.amount);
    }
    answered(events, &packet_view::<F>(view, received, false, false), accepted);
}

fn error_text() -> String {
    let text = answer(false);
    text.trim_start_matches(r#"{"error":""#).trim_end_matches(r#""}"#).to_owned()
}

/// Formats an acknowledgement as in its event, in protobuf's text format.
pub(crate) fn told(accepted: bool) -> String {
    if accepted { r#"result:"\001" "#.to_owned() } else { format!(r#"error:"{}" "#, error_text()) }
}

fn timeout<F: Render>(view: &RenderView<'_>, events: &mut EventWriter, packet: &Packet) {
    let packet_view = packet_view::<F>(view, packet, true, false);
    packet_event(events, TIMEOUT_PACKET, &packet_view, false, Vec::new());
    credit::<F>(view, events, packet, view.party(packet.local));
    let attributes = vec![
        ("module", "transfer".to_owned()),
        ("refund_receiver", packet_view.sender),
        ("refund_denom", packet_view.denom),
        ("refund_amount", packet.amount.to_string()),
        ("memo", packet_view.memo),
    ];
    events.emit("timeout", attributes);
}
