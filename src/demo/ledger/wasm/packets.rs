//! NFT packets of the ICS-721 contract, as messages and events contain them.

use super::{
    catalogue::{COLLECTIONS, TICKERS, nft_uri},
    record::NftTransfer,
    world,
};
use crate::{
    demo::ledger::{
        PacketOutcome,
        common::{
            catalogue::{ChannelSpec, NFT_CHANNEL},
            record::PartyId,
            render::{
                RenderView, base64,
                event_writer::EventWriter,
                ibc::{bare_packet_event, packet_event, packet_fields},
                lower,
                packet::{PacketView, foreign, wrapped, wrapped_answer},
            },
            world::World,
        },
        json::Json,
    },
    events::names::{RECV_PACKET, SEND_PACKET, WRITE_ACKNOWLEDGEMENT},
};

/// Success acknowledgement of the ICS-721 contract. Modules acknowledge with another byte.
const TAKEN: &str = r#"{"result":"MQ=="}"#;

pub(super) fn channel(world: &World) -> &'static ChannelSpec {
    &world.catalogue.channels[NFT_CHANNEL]
}

/// Returns the class as the sending chain names it.
pub(super) fn class(world: &World, nft_transfer: &NftTransfer) -> String {
    let origin = COLLECTIONS.get(usize::from(nft_transfer.collection)).and_then(|spec| spec.origin);
    let contract = &world.party(world.collection(nft_transfer.collection)).bech32;
    match (origin, nft_transfer.is_outgoing) {
        (Some(_), true) => world::bridged_class(&world::bridge()),
        (Some(origin), false) => origin.to_owned(),
        (None, true) => contract.to_string(),
        (None, false) => format!("{}/{}/{contract}", channel(world).port, channel(world).there),
    }
}

/// Encodes a collection's name and symbol.
pub(super) fn class_data(nft_transfer: &NftTransfer) -> String {
    let place = usize::from(nft_transfer.collection);
    let name = COLLECTIONS.get(place).map_or("", |spec| spec.name);
    let ticker = TICKERS.get(place).copied().unwrap_or_default();
    format!(r#"{{"name":"{name}","symbol":"{ticker}","num_tokens":null}}"#)
}

/// Returns sender and receiver.
pub(super) fn ends(world: &World, nft_transfer: &NftTransfer) -> (String, String) {
    let local = world.party(nft_transfer.local);
    let (here, there) = (local.bech32.to_string(), foreign(channel(world), local));
    if nft_transfer.is_outgoing { (here, there) } else { (there, here) }
}

pub(super) fn packet_view(view: &RenderView<'_>, nft_transfer: &NftTransfer) -> PacketView {
    let class = class(view.world, nft_transfer);
    let (sender, receiver) = ends(view.world, nft_transfer);
    let mut json = Json::new();
    json.object(|json| {
        json.field("classId", &class).field("classData", &base64(class_data(nft_transfer)));
        json.key("tokenIds").list(|json| {
            json.string(&nft_transfer.id.to_string());
        });
        json.key("tokenUris").list(|json| {
            json.string(&nft_uri(nft_transfer.collection, nft_transfer.id));
        });
        json.field("sender", &sender).field("receiver", &receiver);
    });
    let timeout = match nft_transfer.patience {
        Some(blocks) => view.clock.nanos_after(nft_transfer.sent + u64::from(blocks), 0),
        None => view.clock.nanos_after(nft_transfer.sent, 600),
    };
    PacketView {
        channel: channel(view.world),
        port_here: world::nft_port(&world::bridge()),
        outgoing: nft_transfer.is_outgoing,
        sequence: nft_transfer.sequence,
        data: json.finish(),
        timeout,
        sender,
        receiver,
        memo: String::new(),
        denom: class,
    }
}

/// Encodes the order with which a departing token goes to the ICS-721 contract.
pub(super) fn order(view: &RenderView<'_>, nft_transfer: &NftTransfer) -> String {
    let packet_view = packet_view(view, nft_transfer);
    let mut json = Json::new();
    json.object(|json| {
        json.field("receiver", &packet_view.receiver).field("channel_id", packet_view.channel.id);
        json.key("timeout").object(|json| {
            json.value("block", "null").number("timestamp", packet_view.timeout);
        });
        json.value("memo", "null");
    });
    json.finish()
}

/// Writes the fields of a relayer's message: an acknowledgement or timeout or, with `None`, an arrival.
pub(super) fn fields(
    view: &RenderView<'_>,
    json: &mut Json,
    signer: PartyId,
    nft_transfer: &NftTransfer,
    packet_outcome: Option<PacketOutcome>,
) {
    let packet_view = packet_view(view, nft_transfer);
    match packet_outcome {
        None => packet_fields(view, json, &packet_view, ["proof_commitment", ""], signer),
        Some(PacketOutcome::Expired) => packet_fields(view, json, &packet_view, ["proof_unreceived", ""], signer),
        Some(packet_outcome) => {
            let answer = wrapped_answer(packet_outcome == PacketOutcome::Accepted);
            packet_fields(view, json, &packet_view, ["proof_acked", &answer], signer);
        }
    }
}

pub(super) fn event(view: &RenderView<'_>, events: &mut EventWriter, kind: &'static str, nft_transfer: &NftTransfer) {
    let packet_view = packet_view(view, nft_transfer);
    match kind {
        SEND_PACKET => bare_packet_event(events, kind, &packet_view, true, Vec::new()),
        WRITE_ACKNOWLEDGEMENT => {
            let ack = wrapped(TAKEN, true);
            let hex = lower(&ack);
            packet_event(events, kind, &packet_view, true, vec![("packet_ack", ack), ("packet_ack_hex", hex)]);
        }
        _ => packet_event(events, kind, &packet_view, kind == RECV_PACKET, Vec::new()),
    }
}
