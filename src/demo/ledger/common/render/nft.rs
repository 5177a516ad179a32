//! NFTs of the bridged class that leave and arrive over IBC.

use super::{
    Render, View,
    ibc::{answered, no_timeout_height, packet_event, told},
    packet::{Letter, nft_letter},
    scribe::{Attributes, Scribe},
};
use crate::{
    demo::ledger::{common::record::NftPacket, json::Json},
    wire::protobuf::ProtoWriter,
};

/// The fields of a message that sends an NFT.
pub(crate) fn fields(view: &View<'_>, json: &mut Json, packet: &NftPacket) {
    let letter = nft_letter(view, packet, true);
    json.field("source_port", letter.channel.port).field("source_channel", letter.channel.id);
    json.field("class_id", &view.world.bridged_class);
    json.key("token_ids").list(|json| {
        json.string(&packet.id.to_string());
    });
    json.field("sender", &letter.sender).field("receiver", &letter.receiver);
    no_timeout_height(json);
    json.number("timeout_timestamp", letter.timeout).field("memo", &letter.memo);
}

/// The events of sending an NFT and the response.
pub(crate) fn transfer<F: Render>(view: &View<'_>, scribe: &mut Scribe, packet: &NftPacket) -> Vec<u8> {
    let letter = nft_letter(view, packet, true);
    F::nft_left(view, scribe, packet);
    packet_event(scribe, "send_packet", &letter, true, Vec::new());
    let attributes = vec![
        ("sender", letter.sender),
        ("receiver", letter.receiver),
        ("class_id", view.world.bridged_class.clone()),
        ("token_ids", packet.id.to_string()),
    ];
    scribe.emit("ibc_nft_transfer", attributes);
    scribe.module("nonfungibletokentransfer");
    ProtoWriter::new().uint(1, packet.sequence).finish()
}

/// What a packet with an NFT said, as the NFT transfer module's event.
fn attributes_of(letter: &Letter, packet: &NftPacket) -> Attributes {
    vec![
        ("module", "nonfungibletokentransfer".to_owned()),
        ("sender", letter.sender.clone()),
        ("receiver", letter.receiver.clone()),
        ("class_id", letter.denom.clone()),
        ("token_ids", packet.id.to_string()),
        ("memo", letter.memo.clone()),
    ]
}

/// The events of an NFT's arrival.
pub(crate) fn receive<F: Render>(view: &View<'_>, scribe: &mut Scribe, packet: &NftPacket) {
    let letter = nft_letter(view, packet, false);
    packet_event(scribe, "recv_packet", &letter, true, Vec::new());
    let class = view.world.bridged_class.clone();
    let hash = class.trim_start_matches("ibc/").to_owned();
    scribe.emit("class_trace", vec![("trace_hash", hash), ("class_id", class)]);
    F::nft_arrived(view, scribe, packet);
    let mut attributes = attributes_of(&letter, packet);
    attributes.push(("success", "true".to_owned()));
    scribe.emit("non_fungible_token_packet", attributes);
    answered(scribe, &letter, true);
}

/// The events of the answer to an NFT that left.
pub(crate) fn acknowledge(view: &View<'_>, scribe: &mut Scribe, packet: &NftPacket) {
    let letter = nft_letter(view, packet, true);
    packet_event(scribe, "acknowledge_packet", &letter, false, Vec::new());
    let mut attributes = attributes_of(&letter, packet);
    attributes.push(("acknowledgement", told(true)));
    scribe.emit("non_fungible_token_packet", attributes);
    scribe.emit("non_fungible_token_packet", vec![("success", "\u{1}".to_owned())]);
}
