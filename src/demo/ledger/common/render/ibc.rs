//! IBC messages: packets that leave, arrive, are answered or expire, and light clients.

use super::{
    Render, View, base64, body, header, lower, nft,
    packet::{Letter, answer, letter, nft_letter, refusal, wrapped, wrapped_answer},
    scribe::{Attributes, Scribe},
};
use crate::{
    demo::ledger::{
        common::{
            apply::is_voucher,
            record::{Arrival, Memo, Msg, Packet, PartyId},
            world::{Party, Role},
        },
        derive,
        json::Json,
    },
    wire::protobuf::ProtoWriter,
};

/// Done, in a relayer's response.
const DONE: u64 = 2;
/// Done before by another relayer.
const DONE_BEFORE: u64 = 1;

/// The fields of an IBC message.
pub(crate) fn fields<F: Render>(view: &View<'_>, json: &mut Json, msg: &Msg<F>) {
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
            let letter = letter::<F>(view, packet, false, *arrival == Arrival::Refused);
            packet_fields(view, json, &letter, ["proof_commitment", ""], *signer);
        }
        Msg::NftReceive { signer, packet } => {
            let letter = nft_letter(view, packet, false);
            packet_fields(view, json, &letter, ["proof_commitment", ""], *signer);
        }
        Msg::Acknowledge { signer, packet, accepted } => {
            let letter = letter::<F>(view, packet, true, false);
            packet_fields(view, json, &letter, ["proof_acked", &wrapped_answer(*accepted)], *signer);
        }
        Msg::NftAcknowledge { signer, packet } => {
            let letter = nft_letter(view, packet, true);
            packet_fields(view, json, &letter, ["proof_acked", &wrapped_answer(true)], *signer);
        }
        Msg::Timeout { signer, packet } => {
            let letter = letter::<F>(view, packet, true, false);
            packet_fields(view, json, &letter, ["proof_unreceived", ""], *signer);
        }
        _ => {}
    }
}

fn transfer_fields<F: Render>(view: &View<'_>, json: &mut Json, packet: &Packet) {
    let letter = letter::<F>(view, packet, true, false);
    let channels = view.world.catalogue.channels;
    let known = channels.get(usize::from(packet.channel)).map_or("channel-99", |channel| channel.id);
    json.field("source_port", letter.channel.port).field("source_channel", known);
    json.key("token");
    body::coin(view, json, packet.token, packet.amount);
    json.field("sender", &letter.sender).field("receiver", &letter.receiver);
    no_timeout_height(json);
    json.number("timeout_timestamp", letter.timeout).field("memo", &letter.memo);
}

/// Packets here expire by time only.
pub(crate) fn no_timeout_height(json: &mut Json) {
    json.key("timeout_height").object(|json| {
        json.field("revision_number", "0").field("revision_height", "0");
    });
}

/// The fields of a relayer's message about a packet: the packet, an answer, a proof, the next number, the signer.
pub(crate) fn packet_fields(
    view: &View<'_>,
    json: &mut Json,
    letter: &Letter,
    [proof, answer]: [&str; 2],
    signer: PartyId,
) {
    let (source, destination) = letter.ends();
    let (source_port, destination_port) = letter.ports();
    json.key("packet").object(|json| {
        json.number("sequence", letter.sequence);
        json.field("source_port", source_port).field("source_channel", source);
        json.field("destination_port", destination_port).field("destination_channel", destination);
        json.field("data", &base64(&letter.data));
        no_timeout_height(json);
        json.number("timeout_timestamp", letter.timeout);
    });
    if !answer.is_empty() {
        json.field("acknowledgement", &base64(answer));
    }
    json.field(proof, &base64(derive::filler(proof, &[view.height, letter.sequence], 420)));
    json.key("proof_height").object(|json| {
        json.number("revision_number", letter.channel.revision);
        json.number("revision_height", header::height(view, letter.channel, view.height));
    });
    if proof == "proof_unreceived" {
        json.number("next_sequence_recv", letter.sequence);
    }
    json.field("signer", &view.party(signer).bech32);
}

/// The events of an IBC message and its response.
pub(crate) fn packet<F: Render>(view: &View<'_>, scribe: &mut Scribe, msg: &Msg<F>) -> Vec<u8> {
    match msg {
        Msg::Transfer(packet) => return transfer::<F>(view, scribe, packet),
        Msg::NftTransfer(packet) => return nft::transfer::<F>(view, scribe, packet),
        Msg::UpdateClient { channel: place, sent, .. } => {
            update_client(view, scribe, *place, *sent);
            return Vec::new();
        }
        Msg::Receive { arrival: Arrival::Repeated, .. } => return ProtoWriter::new().uint(1, DONE_BEFORE).finish(),
        Msg::Receive { packet, arrival, .. } => receive::<F>(view, scribe, packet, *arrival == Arrival::Accepted),
        Msg::NftReceive { packet, .. } => nft::receive::<F>(view, scribe, packet),
        Msg::Acknowledge { packet, accepted, .. } => acknowledge::<F>(view, scribe, packet, *accepted),
        Msg::NftAcknowledge { packet, .. } => nft::acknowledge(view, scribe, packet),
        Msg::Timeout { packet, .. } => timeout::<F>(view, scribe, packet),
        _ => {}
    }
    ProtoWriter::new().uint(1, DONE).finish()
}

/// The attributes that say which packet; `middle` stands between the ends and the connection.
pub(crate) fn packet_event(
    scribe: &mut Scribe,
    kind: &'static str,
    letter: &Letter,
    with_data: bool,
    middle: Attributes,
) {
    bare_packet_event(scribe, kind, letter, with_data, middle);
    scribe.module("ibc_channel");
}

/// The same without the module's own event, which nodes drop where a contract sends.
pub(crate) fn bare_packet_event(
    scribe: &mut Scribe,
    kind: &'static str,
    letter: &Letter,
    with_data: bool,
    middle: Attributes,
) {
    let (source, destination) = letter.ends();
    let (source_port, destination_port) = letter.ports();
    let mut attributes = Vec::with_capacity(16);
    if with_data {
        attributes.push(("packet_data", letter.data.clone()));
        attributes.push(("packet_data_hex", lower(&letter.data)));
    }
    attributes.extend([
        ("packet_timeout_height", "0-0".to_owned()),
        ("packet_timeout_timestamp", letter.timeout.to_string()),
        ("packet_sequence", letter.sequence.to_string()),
        ("packet_src_port", source_port.to_owned()),
        ("packet_src_channel", source.to_owned()),
        ("packet_dst_port", destination_port.to_owned()),
        ("packet_dst_channel", destination.to_owned()),
    ]);
    attributes.extend(middle);
    let connection = letter.channel.connection.to_owned();
    if kind == "timeout_packet" {
        attributes.push(("connection_id", connection));
        attributes.push(("packet_channel_ordering", "ORDER_UNORDERED".to_owned()));
    } else {
        attributes.push(("packet_channel_ordering", "ORDER_UNORDERED".to_owned()));
        attributes.push(("packet_connection", connection.clone()));
        attributes.push(("connection_id", connection));
    }
    scribe.emit(kind, attributes);
}

/// The event of an answer given here.
pub(crate) fn answered(scribe: &mut Scribe, letter: &Letter, accepted: bool) {
    answered_with(scribe, letter, wrapped_answer(accepted));
}

fn answered_with(scribe: &mut Scribe, letter: &Letter, answer: String) {
    let hex = lower(&answer);
    packet_event(scribe, "write_acknowledgement", letter, true, vec![("packet_ack", answer), ("packet_ack_hex", hex)]);
}

fn transfer<F: Render>(view: &View<'_>, scribe: &mut Scribe, packet: &Packet) -> Vec<u8> {
    let letter = letter::<F>(view, packet, true, false);
    let sender = view.party(packet.local);
    if is_voucher(view.world, packet.token) {
        let module = view.role(Role::TransferModule);
        F::bank_transfer(view, scribe, packet.token, [sender, module], packet.amount);
        F::bank_burn(view, scribe, packet.token, module, packet.amount);
    } else {
        F::bank_transfer(view, scribe, packet.token, [sender, view.role(Role::Escrow)], packet.amount);
    }
    packet_event(scribe, "send_packet", &letter, true, Vec::new());
    let attributes = vec![
        ("sender", letter.sender),
        ("receiver", letter.receiver),
        ("amount", packet.amount.to_string()),
        ("denom", view.denom(packet.token).to_owned()),
        ("memo", letter.memo),
    ];
    scribe.emit("ibc_transfer", attributes);
    scribe.module("transfer");
    ProtoWriter::new().uint(1, packet.sequence).finish()
}

fn update_client(view: &View<'_>, scribe: &mut Scribe, place: u8, sent: u64) {
    let channel = view.world.catalogue.channel(place);
    let height = format!("{}-{}", channel.revision, header::height(view, channel, sent));
    let attributes = vec![
        ("client_id", channel.client.to_owned()),
        ("client_type", "07-tendermint".to_owned()),
        ("consensus_height", height.clone()),
        ("consensus_heights", height),
        ("header", lower(header::encode(view, channel, sent))),
    ];
    scribe.emit("update_client", attributes);
    scribe.module("ibc_client");
}

/// What a packet of tokens said, as the transfer module's event.
fn packet_attributes(letter: &Letter, amount: u128) -> Attributes {
    vec![
        ("module", "transfer".to_owned()),
        ("sender", letter.sender.clone()),
        ("receiver", letter.receiver.clone()),
        ("denom", letter.denom.clone()),
        ("amount", amount.to_string()),
        ("memo", letter.memo.clone()),
    ]
}

fn receive<F: Render>(view: &View<'_>, scribe: &mut Scribe, packet: &Packet, accepted: bool) {
    let letter = letter::<F>(view, packet, false, !accepted);
    packet_event(scribe, "recv_packet", &letter, true, Vec::new());
    if accepted {
        credit_arrival::<F>(view, scribe, packet, &letter);
        answered(scribe, &letter, true);
    } else {
        let (reason, answer) = refusal(packet, &letter.receiver);
        let attributes = vec![
            ("ibccallbackerror-module", "transfer".to_owned()),
            ("ibccallbackerror-sender", letter.sender.clone()),
            ("ibccallbackerror-receiver", letter.receiver.clone()),
            ("ibccallbackerror-denom", letter.denom.clone()),
            ("ibccallbackerror-amount", packet.amount.to_string()),
            ("ibccallbackerror-memo", letter.memo.clone()),
            ("ibccallbackerror-success", "false".to_owned()),
            ("ibccallbackerror-error", reason),
        ];
        scribe.emit("fungible_token_packet", attributes);
        answered_with(scribe, &letter, wrapped(answer, false));
    }
}

/// The tokens of a packet come to its receiver, or to the account that runs its hook.
fn credit_arrival<F: Render>(view: &View<'_>, scribe: &mut Scribe, packet: &Packet, letter: &Letter) {
    let hook = matches!(packet.memo, Memo::Hook(_)).then(|| F::hook_party(letter));
    let receiver = hook.as_ref().unwrap_or_else(|| view.party(packet.local));
    let voucher = is_voucher(view.world, packet.token);
    if voucher {
        let denom = view.denom(packet.token);
        let hash = denom.trim_start_matches("ibc/").to_owned();
        scribe.emit("denomination_trace", vec![("trace_hash", hash), ("denom", denom.to_owned())]);
    }
    credit::<F>(view, scribe, packet, receiver);
    let mut attributes = packet_attributes(letter, packet.amount);
    if let Some((_, text)) = attributes.iter_mut().find(|(key, _)| *key == "receiver") {
        *text = receiver.bech32.to_string();
    }
    attributes.push(("success", "true".to_owned()));
    scribe.emit("fungible_token_packet", attributes);
    if let (Memo::Hook(hook), Some(account)) = (packet.memo, hook) {
        F::arrival_hook_events(view, scribe, packet, hook, &account);
    }
}

/// Vouchers are made anew; what had left from here comes out of the escrow.
fn credit<F: Render>(view: &View<'_>, scribe: &mut Scribe, packet: &Packet, receiver: &Party) {
    if is_voucher(view.world, packet.token) {
        let module = view.role(Role::TransferModule);
        F::bank_mint(view, scribe, packet.token, module, packet.amount);
        F::bank_transfer(view, scribe, packet.token, [module, receiver], packet.amount);
    } else {
        F::bank_transfer(view, scribe, packet.token, [view.role(Role::Escrow), receiver], packet.amount);
    }
}

fn acknowledge<F: Render>(view: &View<'_>, scribe: &mut Scribe, packet: &Packet, accepted: bool) {
    let letter = letter::<F>(view, packet, true, false);
    packet_event(scribe, "acknowledge_packet", &letter, false, Vec::new());
    if !accepted {
        credit::<F>(view, scribe, packet, view.party(packet.local));
    }
    let mut attributes = packet_attributes(&letter, packet.amount);
    attributes.push(("acknowledgement", told(accepted)));
    scribe.emit("fungible_token_packet", attributes);
    let result = if accepted { ("success", "\u{1}".to_owned()) } else { ("error", error_text()) };
    scribe.emit("fungible_token_packet", vec![result]);
}

fn error_text() -> String {
    let text = answer(false);
    text.trim_start_matches(r#"{"error":""#).trim_end_matches(r#""}"#).to_owned()
}

/// The answer in protobuf's text form, as the event of an acknowledgement has it.
pub(crate) fn told(accepted: bool) -> String {
    if accepted { r#"result:"\001" "#.to_owned() } else { format!(r#"error:"{}" "#, error_text()) }
}

fn timeout<F: Render>(view: &View<'_>, scribe: &mut Scribe, packet: &Packet) {
    let letter = letter::<F>(view, packet, true, false);
    packet_event(scribe, "timeout_packet", &letter, false, Vec::new());
    credit::<F>(view, scribe, packet, view.party(packet.local));
    let attributes = vec![
        ("module", "transfer".to_owned()),
        ("refund_receiver", letter.sender),
        ("refund_denom", letter.denom),
        ("refund_amount", packet.amount.to_string()),
        ("memo", letter.memo),
    ];
    scribe.emit("timeout", attributes);
}
