//! Messages and events of NFT transfers over the ICS-721 contract.

use super::{
    base64,
    calls::single_contract,
    contract::{execute, named, says},
    lower, nfts,
    requests::{collection, nft_uri},
};
use crate::{
    demo::ledger::{
        PacketOutcome,
        common::{
            catalogue::NFT_CHANNEL,
            record::PartyId,
            render::{
                RenderView,
                event_writer::EventWriter,
                ibc::{bare_packet_event, packet_event, packet_fields},
                packet::{PacketView, answer, foreign, wrapped, wrapped_answer},
            },
        },
        json::Json,
        wasm::{
            catalogue::{BRIDGED_COLLECTION, COLLECTION_CODE, COLLECTIONS, TICKERS},
            record::NftTransfer,
            world::{self, SingleContract},
        },
    },
    events::names::{
        ACKNOWLEDGE_PACKET, IBC_PACKET_RECEIVED, RECV_PACKET, SEND_PACKET, TIMEOUT_PACKET, WRITE_ACKNOWLEDGEMENT,
    },
};

/// Success acknowledgement of the ICS-721 contract; modules use another byte.
const TAKEN: &str = r#"{"result":"MQ=="}"#;

/// Returns the class on the sending side.
fn class(view: &RenderView<'_>, nft_transfer: &NftTransfer) -> String {
    let origin = COLLECTIONS.get(usize::from(nft_transfer.collection)).and_then(|spec| spec.origin);
    let contract = &collection(view, nft_transfer.collection).bech32;
    let channel = &view.world.catalogue.channels[NFT_CHANNEL];
    match (origin, nft_transfer.is_outgoing) {
        (Some(_), true) => world::bridged_class(&single_contract(view, SingleContract::Ics721).address),
        (Some(origin), false) => origin.to_owned(),
        (None, true) => contract.to_string(),
        (None, false) => format!("{}/{}/{contract}", channel.port, channel.there),
    }
}

/// Encodes a collection's name and symbol.
fn class_data(nft_transfer: &NftTransfer) -> String {
    let place = usize::from(nft_transfer.collection);
    let name = COLLECTIONS.get(place).map_or("", |spec| spec.name);
    let ticker = TICKERS.get(place).copied().unwrap_or_default();
    format!(r#"{{"name":"{name}","symbol":"{ticker}","num_tokens":null}}"#)
}

fn packet_view(view: &RenderView<'_>, nft_transfer: &NftTransfer) -> PacketView {
    let channel = &view.world.catalogue.channels[NFT_CHANNEL];
    let local = view.party(nft_transfer.local);
    let (here, there) = (local.bech32.to_string(), foreign(channel, local));
    let (sender, receiver) = if nft_transfer.is_outgoing { (here, there) } else { (there, here) };
    let class = class(view, nft_transfer);
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
        channel,
        port_here: world::nft_port(&single_contract(view, SingleContract::Ics721).address),
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

/// Encodes the order for the ICS-721 contract with a leaving token.
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

/// Writes the fields of a relayer's message: an outcome, or with `None` an arrival.
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

/// Writes the ICS-721 contract's events for a leaving token.
pub(super) fn sent(view: &RenderView<'_>, events: &mut EventWriter, nft_transfer: &NftTransfer) {
    let bridge = single_contract(view, SingleContract::Ics721);
    let packet_view = packet_view(view, nft_transfer);
    let said = vec![
        ("method", "execute_receive_nft".to_owned()),
        ("token_id", nft_transfer.id.to_string()),
        ("class_id", packet_view.denom.clone()),
        ("class_data", format!("Binary({})", lower(class_data(nft_transfer)))),
        ("channel_id", packet_view.channel.id.to_owned()),
    ];
    execute(events, bridge);
    says(events, bridge, said);
    bare_packet_event(events, SEND_PACKET, &packet_view, true, Vec::new());
}

/// Writes the events of an arrival.
pub(super) fn received(view: &RenderView<'_>, events: &mut EventWriter, nft_transfer: &NftTransfer) {
    let packet_view = packet_view(view, nft_transfer);
    let bridge = single_contract(view, SingleContract::Ics721);
    packet_event(events, RECV_PACKET, &packet_view, true, Vec::new());
    let is_home = nft_transfer.collection != BRIDGED_COLLECTION;
    let said = vec![
        ("method", "receive_ibc_packet".to_owned()),
        ("nft_contract", collection(view, nft_transfer.collection).bech32.to_string()),
        ("is_redemption", is_home.to_string()),
        ("class_id", packet_view.denom.clone()),
        ("local_channel", packet_view.channel.id.to_owned()),
        ("counterparty_channel", packet_view.channel.there.to_owned()),
    ];
    says(events, bridge, said);
    execute(events, bridge);
    execute(events, bridge);
    if is_home {
        redeem(view, events, nft_transfer);
    } else {
        create(view, events, nft_transfer);
    }
    events.emit("reply", vec![("_contract_address", bridge.bech32.to_string())]);
    let mut said = vec![("module", "wasm".to_owned()), ("_contract_address", bridge.bech32.to_string())];
    said.push(("success", "true".to_owned()));
    events.emit(IBC_PACKET_RECEIVED, said);
    let ack = wrapped(TAKEN, true);
    let hex = lower(&ack);
    packet_event(events, WRITE_ACKNOWLEDGEMENT, &packet_view, true, vec![("packet_ack", ack), ("packet_ack_hex", hex)]);
}

fn method(view: &RenderView<'_>, events: &mut EventWriter, name: &str) {
    says(events, single_contract(view, SingleContract::Ics721), vec![("method", name.to_owned())]);
}

/// Writes the contract's report on a class and its tokens.
fn vouchers(
    view: &RenderView<'_>,
    events: &mut EventWriter,
    kind: &'static str,
    class: String,
    nft_transfer: &NftTransfer,
    ids: String,
) {
    let contract = collection(view, nft_transfer.collection).bech32.to_string();
    let said = vec![("class_id", class), ("nft_contract", contract), ("token_ids", ids)];
    named(events, kind, single_contract(view, SingleContract::Ics721), said);
}

/// Writes the release of a returning token.
fn redeem(view: &RenderView<'_>, events: &mut EventWriter, nft_transfer: &NftTransfer) {
    let bridge = single_contract(view, SingleContract::Ics721);
    method(view, events, "callback_redeem_vouchers");
    let class = collection(view, nft_transfer.collection).bech32.to_string();
    let ids = format!("[TokenId(\"{}\")]", nft_transfer.id);
    vouchers(view, events, "wasm-ics721_receive_redeem_vouchers", class, nft_transfer, ids);
    nfts::redeem(view, events, nft_transfer.collection, nft_transfer.id, [bridge, view.party(nft_transfer.local)]);
    execute(events, bridge);
    method(view, events, "callback_redeem_outgoing_channel_entries");
}

/// Writes the mint of an L1 token; the first mint creates its collection.
fn create(view: &RenderView<'_>, events: &mut EventWriter, nft_transfer: &NftTransfer) {
    let bridge = single_contract(view, SingleContract::Ics721);
    let class = world::bridged_class(&bridge.address);
    method(view, events, "callback_create_vouchers");
    let uri = nft_uri(nft_transfer.collection, nft_transfer.id);
    let ids = format!("[Token {{ id: TokenId(\"{}\"), uri: Some(\"{uri}\"), data: None }}]", nft_transfer.id);
    vouchers(view, events, "wasm-ics721_receive_create_vouchers", class.clone(), nft_transfer, ids);
    if nft_transfer.is_first {
        let contract = collection(view, nft_transfer.collection);
        let code = ("code_id", COLLECTION_CODE.to_string());
        named(events, "instantiate", contract, vec![code]);
        let maker = bridge.bech32.to_string();
        says(events, contract, vec![("minter", maker.clone()), ("creator", maker)]);
        named(events, "reply", bridge, Vec::new());
        let said = vec![("method", "instantiate_cw721_reply".to_owned()), ("class_id", class)];
        says(events, bridge, [said, vec![("cw721_addr", contract.bech32.to_string())]].concat());
    }
    execute(events, bridge);
    method(view, events, "callback_mint");
    nfts::mint(view, events, nft_transfer.collection, nft_transfer.id, view.party(nft_transfer.local));
    execute(events, bridge);
    method(view, events, "callback_save_incoming_channel_entries");
}

/// Writes the events of the outcome for a sent token.
pub(super) fn answered(
    view: &RenderView<'_>,
    events: &mut EventWriter,
    nft_transfer: &NftTransfer,
    packet_outcome: PacketOutcome,
) {
    let packet_view = packet_view(view, nft_transfer);
    let bridge = single_contract(view, SingleContract::Ics721);
    let kind = if packet_outcome == PacketOutcome::Expired { TIMEOUT_PACKET } else { ACKNOWLEDGE_PACKET };
    packet_event(events, kind, &packet_view, false, Vec::new());
    let ids = ("token_ids", format!("[TokenId(\"{}\")]", nft_transfer.id));
    if packet_outcome == PacketOutcome::Accepted {
        let said = vec![
            ("method", "acknowledge".to_owned()),
            ("sender", packet_view.sender),
            ("receiver", packet_view.receiver),
            ("classId", packet_view.denom),
            ids,
        ];
        says(events, bridge, said);
        if nft_transfer.collection == BRIDGED_COLLECTION {
            nfts::burn(view, events, nft_transfer.collection, nft_transfer.id, bridge);
        }
        return;
    }
    let error = if packet_outcome == PacketOutcome::Expired { "packet timeout" } else { answer(false) };
    let said = vec![
        ("method", "handle_packet_fail".to_owned()),
        ids,
        ("class_id", packet_view.denom),
        ("channel_id", packet_view.channel.id.to_owned()),
        ("address_refunded", packet_view.sender),
        ("error", error.to_owned()),
    ];
    says(events, bridge, said);
    nfts::give(view, events, nft_transfer.collection, nft_transfer.id, [bridge, view.party(nft_transfer.local)]);
}
