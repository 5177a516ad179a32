//! Steps of NFT transfers over the ICS-721 contract.

use super::{
    catalogue::{BRIDGED_COLLECTION, COLLECTION_CODE, nft_uri},
    packets::{channel, class, class_data, ends},
    record::NftTransfer,
    steps::{Fields, Steps},
    world::{self, SingleContract, single_contract},
};
use crate::{
    demo::ledger::{
        PacketOutcome,
        common::{
            catalogue::NFT_CHANNEL,
            record::PartyId,
            render::{lower, packet},
        },
    },
    events::names::{
        ACKNOWLEDGE_PACKET, IBC_PACKET_RECEIVED, RECV_PACKET, SEND_PACKET, TIMEOUT_PACKET, WRITE_ACKNOWLEDGEMENT,
    },
};

fn ics721(out: &Steps<'_>) -> PartyId {
    single_contract(out.world, SingleContract::Ics721)
}

/// Adds the steps with which the ICS-721 contract sends away a token that it received.
pub(super) fn leave(out: &mut Steps<'_>, nft_transfer: &NftTransfer) {
    let bridge = ics721(out);
    out.change(|state| state.outgoing[NFT_CHANNEL] += 1);
    out.execute(bridge);
    let said = vec![
        ("method", "execute_receive_nft".into()),
        ("token_id", nft_transfer.id.into()),
        ("class_id", class(out.world, nft_transfer).into()),
        ("class_data", format!("Binary({})", lower(class_data(nft_transfer))).into()),
        ("channel_id", channel(out.world).id.into()),
    ];
    out.says(bridge, said);
    out.packet(SEND_PACKET, nft_transfer);
}

pub(super) fn arrive(out: &mut Steps<'_>, nft_transfer: &NftTransfer) {
    let (bridge, channel) = (ics721(out), channel(out.world));
    out.change(|state| state.incoming[NFT_CHANNEL] += 1);
    out.packet(RECV_PACKET, nft_transfer);
    let is_home = nft_transfer.collection != BRIDGED_COLLECTION;
    let said = vec![
        ("method", "receive_ibc_packet".into()),
        ("nft_contract", out.world.collection(nft_transfer.collection).into()),
        ("is_redemption", is_home.to_string().into()),
        ("class_id", class(out.world, nft_transfer).into()),
        ("local_channel", channel.id.into()),
        ("counterparty_channel", channel.there.into()),
    ];
    out.says(bridge, said);
    out.execute(bridge);
    out.execute(bridge);
    if is_home {
        redeem(out, nft_transfer);
    } else {
        create(out, nft_transfer);
    }
    out.named("reply", bridge, Vec::new());
    let mut said: Fields = vec![("module", "wasm".into()), ("_contract_address", bridge.into())];
    said.push(("success", "true".into()));
    out.emit(IBC_PACKET_RECEIVED, said);
    out.packet(WRITE_ACKNOWLEDGEMENT, nft_transfer);
}

fn method(out: &mut Steps<'_>, name: &'static str) {
    out.says(ics721(out), vec![("method", name.into())]);
}

/// Adds the contract's event about a class and its tokens.
fn vouchers(out: &mut Steps<'_>, kind: &'static str, class: String, nft_transfer: &NftTransfer, ids: String) {
    let contract = out.world.collection(nft_transfer.collection);
    let said = vec![("class_id", class.into()), ("nft_contract", contract.into()), ("token_ids", ids.into())];
    out.named(kind, ics721(out), said);
}

/// Adds the steps that release a returning token.
fn redeem(out: &mut Steps<'_>, nft_transfer: &NftTransfer) {
    let NftTransfer { collection, id, local, .. } = *nft_transfer;
    let bridge = ics721(out);
    method(out, "callback_redeem_vouchers");
    let class = out.world.party(out.world.collection(collection)).bech32.to_string();
    vouchers(out, "wasm-ics721_receive_redeem_vouchers", class, nft_transfer, format!("[TokenId(\"{id}\")]"));
    out.nft("transfer_nft", collection, id, &[("recipient", local), ("sender", bridge)]);
    out.execute(bridge);
    method(out, "callback_redeem_outgoing_channel_entries");
}

/// Adds the steps that mint an L1 token. The first arrival creates the collection.
fn create(out: &mut Steps<'_>, nft_transfer: &NftTransfer) {
    let NftTransfer { collection, id, local, is_first, .. } = *nft_transfer;
    let bridge = ics721(out);
    let class = world::bridged_class(&world::bridge());
    method(out, "callback_create_vouchers");
    let uri = nft_uri(collection, id);
    let ids = format!("[Token {{ id: TokenId(\"{id}\"), uri: Some(\"{uri}\"), data: None }}]");
    vouchers(out, "wasm-ics721_receive_create_vouchers", class.clone(), nft_transfer, ids);
    if is_first {
        let contract = out.world.collection(collection);
        out.change(move |state| state.set_since(collection, Some(state.height)));
        out.named("instantiate", contract, vec![("code_id", COLLECTION_CODE.into())]);
        out.says(contract, vec![("minter", bridge.into()), ("creator", bridge.into())]);
        out.named("reply", bridge, Vec::new());
        let mut said = vec![("method", "instantiate_cw721_reply".into()), ("class_id", class.into())];
        said.push(("cw721_addr", contract.into()));
        out.says(bridge, said);
    }
    out.execute(bridge);
    method(out, "callback_mint");
    out.nft("mint", collection, id, &[("minter", bridge), ("owner", local)]);
    out.execute(bridge);
    method(out, "callback_save_incoming_channel_entries");
}

/// Adds the steps after the acknowledgement or timeout of a sent token: it was delivered, or it returns.
pub(super) fn answer(out: &mut Steps<'_>, nft_transfer: &NftTransfer, packet_outcome: PacketOutcome) {
    let NftTransfer { collection, id, local, .. } = *nft_transfer;
    let bridge = ics721(out);
    let is_expired = packet_outcome == PacketOutcome::Expired;
    out.packet(if is_expired { TIMEOUT_PACKET } else { ACKNOWLEDGE_PACKET }, nft_transfer);
    let ids = ("token_ids", format!("[TokenId(\"{id}\")]").into());
    let class = class(out.world, nft_transfer).into();
    let (sender, receiver) = ends(out.world, nft_transfer);
    if packet_outcome == PacketOutcome::Accepted {
        let mut said = vec![("method", "acknowledge".into()), ("sender", sender.into())];
        said.extend([("receiver", receiver.into()), ("classId", class), ids]);
        out.says(bridge, said);
        if collection == BRIDGED_COLLECTION {
            out.nft("burn", collection, id, &[("sender", bridge)]);
        }
        return;
    }
    let said = vec![
        ("method", "handle_packet_fail".into()),
        ids,
        ("class_id", class),
        ("channel_id", channel(out.world).id.into()),
        ("address_refunded", sender.into()),
        ("error", if is_expired { "packet timeout" } else { packet::answer(false) }.into()),
    ];
    out.says(bridge, said);
    out.nft("transfer_nft", collection, id, &[("sender", bridge), ("recipient", local)]);
}
