//! NFTs of the bridged class that leave and arrive over IBC.

use super::{
    View,
    abi::{Log, ZERO},
    calls::{init_code, nft_word},
    ibc::{answered, no_timeout_height, packet_event, told},
    packet::{Letter, nft_letter},
    scribe::{Attributes, Scribe},
};
use crate::rollup::ledger::{
    evm::{catalogue::BRIDGED_COLLECTION, record::NftPacket, world::Party},
    json::Json,
    proto::Proto,
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

fn contract_of_class<'a>(view: &View<'a>) -> &'a Party {
    view.party(view.world.collection(BRIDGED_COLLECTION))
}

/// The ERC-721 id of a token of the bridged class, in decimal.
fn decimal_id(word: [u8; 32]) -> String {
    alloy_primitives::U256::from_be_bytes(word).to_string()
}

/// The events of sending an NFT and the response.
pub(crate) fn transfer(view: &View<'_>, scribe: &mut Scribe<'_>, packet: &NftPacket) -> Vec<u8> {
    let letter = nft_letter(view, packet, true);
    let (contract, id) = (contract_of_class(view), nft_word(BRIDGED_COLLECTION, packet.id));
    scribe.call(contract, &[]);
    scribe.logs(&[Log::nft_transfer(contract, view.party(packet.local).word(), ZERO, id)]);
    scribe.emit("erc721_burned", vec![("contract", contract.hex.to_string()), ("token_id", decimal_id(id))]);
    packet_event(scribe, "send_packet", &letter, true, Vec::new());
    let attributes = vec![
        ("sender", letter.sender),
        ("receiver", letter.receiver),
        ("class_id", view.world.bridged_class.clone()),
        ("token_ids", packet.id.to_string()),
    ];
    scribe.emit("ibc_nft_transfer", attributes);
    scribe.module("nonfungibletokentransfer");
    Proto::new().uint(1, packet.sequence).finish()
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
pub(crate) fn receive(view: &View<'_>, scribe: &mut Scribe<'_>, packet: &NftPacket) {
    let letter = nft_letter(view, packet, false);
    packet_event(scribe, "recv_packet", &letter, true, Vec::new());
    let class = view.world.bridged_class.clone();
    let hash = class.trim_start_matches("ibc/").to_owned();
    scribe.emit("class_trace", vec![("trace_hash", hash), ("class_id", class)]);
    let (contract, id) = (contract_of_class(view), nft_word(BRIDGED_COLLECTION, packet.id));
    if packet.first {
        deploy_class(view, scribe, contract);
    }
    scribe.call(contract, &[]);
    scribe.logs(&[Log::nft_transfer(contract, ZERO, view.party(packet.local).word(), id)]);
    let attributes = vec![
        ("contract", contract.hex.to_string()),
        ("token_id", decimal_id(id)),
        ("token_origin_id", packet.id.to_string()),
    ];
    scribe.emit("erc721_minted", attributes);
    let mut attributes = attributes_of(&letter, packet);
    attributes.push(("success", "true".to_owned()));
    scribe.emit("non_fungible_token_packet", attributes);
    answered(scribe, &letter, true);
}

/// A class gets its contract. Real nodes write the code where the contract's address belongs, and so do we.
fn deploy_class(view: &View<'_>, scribe: &mut Scribe<'_>, contract: &Party) {
    let code = alloy_primitives::hex::encode_prefixed(init_code(contract, 0));
    let (address, class) = (contract.hex.to_string(), view.world.bridged_class.clone());
    scribe.emit("contract_created", vec![("contract", address.clone())]);
    scribe.emit("create", vec![("contract", address), ("ret", code.clone())]);
    scribe.logs(&[]);
    scribe.emit("erc721_created", vec![("class_id", class), ("contract", code)]);
}

/// The events of the answer to an NFT that left.
pub(crate) fn acknowledge(view: &View<'_>, scribe: &mut Scribe<'_>, packet: &NftPacket) {
    let letter = nft_letter(view, packet, true);
    packet_event(scribe, "acknowledge_packet", &letter, false, Vec::new());
    let mut attributes = attributes_of(&letter, packet);
    attributes.push(("acknowledgement", told(true)));
    scribe.emit("non_fungible_token_packet", attributes);
    scribe.emit("non_fungible_token_packet", vec![("success", "\u{1}".to_owned())]);
}
