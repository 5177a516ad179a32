//! Renders IBC transfers of bridged NFTs.

use super::{
    Render, RenderView,
    event_writer::{Attributes, EventWriter},
    ibc::{answered, no_timeout_height, packet_event, told},
    packet::{PacketView, nft_packet_view},
};
use crate::{
    demo::ledger::{common::record::NftPacket, json::Json},
    events::names::{ACKNOWLEDGE_PACKET, NON_FUNGIBLE_TOKEN_PACKET, RECV_PACKET, SEND_PACKET},
    wire::protobuf::ProtoWriter,
};

/// Writes the fields of an outgoing transfer's message.
pub(crate) fn fields(view: &RenderView<'_>, json: &mut Json, packet: &NftPacket) {
    let packet_view = nft_packet_view(view, packet, true);
    json.field("source_port", packet_view.channel.port).field("source_channel", packet_view.channel.id);
    json.field("class_id", &view.world.bridged_class);
    json.key("token_ids").list(|json| {
        json.string(&packet.id.to_string());
    });
    json.field("sender", &packet_view.sender).field("receiver", &packet_view.receiver);
    no_timeout_height(json);
    json.number("timeout_timestamp", packet_view.timeout).field("memo", &packet_view.memo);
}

/// Writes the events of an outgoing transfer. Returns its response.
pub(crate) fn transfer<F: Render>(view: &RenderView<'_>, events: &mut EventWriter, packet: &NftPacket) -> Vec<u8> {
    let packet_view = nft_packet_view(view, packet, true);
    F::nft_left(view, events, packet);
    packet_event(events, SEND_PACKET, &packet_view, true, Vec::new());
    let attributes = vec![
        ("sender", packet_view.sender),
        ("receiver", packet_view.receiver),
        ("class_id", view.world.bridged_class.clone()),
        ("token_ids", packet.id.to_string()),
    ];
    events.emit("ibc_nft_transfer", attributes);
    events.module("nonfungibletokentransfer");
    ProtoWriter::new().uint(1, packet.sequence).finish()
}

/// Returns the attributes of the NFT transfer module's packet event.
fn attributes_of(packet_view: &PacketView, packet: &NftPacket) -> Attributes {
    vec![
        ("module", "nonfungibletokentransfer".to_owned()),
        ("sender", packet_view.sender.clone()),
        ("receiver", packet_view.receiver.clone()),
        ("class_id", packet_view.denom.clone()),
        ("token_ids", packet.id.to_string()),
        ("memo", packet_view.memo.clone()),
    ]
}

pub(crate) fn receive<F: Render>(view: &RenderView<'_>, events: &mut EventWriter, packet: &NftPacket) {
    let packet_view = nft_packet_view(view, packet, false);
    packet_event(events, RECV_PACKET, &packet_view, true, Vec::new());
    let class = view.world.bridged_class.clone();
    let hash = class.trim_start_matches("ibc/").to_owned();
    events.emit("class_trace", vec![("trace_hash", hash), ("class_id", class)]);
    F::nft_arrived(view, events, packet);
    let mut attributes = attributes_of(&packet_view, packet);
    attributes.push(("success", "true".to_owned()));
    events.emit(NON_FUNGIBLE_TOKEN_PACKET, attributes);
    answered(events, &packet_view, true);
}

/// Writes the events of the acknowledgement for an outgoing NFT.
pub(crate) fn acknowledge(view: &RenderView<'_>, events: &mut EventWriter, packet: &NftPacket) {
    let packet_view = nft_packet_view(view, packet, true);
    packet_event(events, ACKNOWLEDGE_PACKET, &packet_view, false, Vec::new());
    let mut attributes = attributes_of(&packet_view, packet);
    attributes.push(("acknowledgement", told(true)));
    events.emit(NON_FUNGIBLE_TOKEN_PACKET, attributes);
    events.emit(NON_FUNGIBLE_TOKEN_PACKET, vec![("success", "\u{1}".to_owned())]);
}
