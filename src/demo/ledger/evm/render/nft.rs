//! Renders the actions of the bridged class's contract when NFTs leave and arrive over IBC.

use super::{
    abi::{AbiLog, ZERO},
    calls::{init_code, nft_word},
    logs::{call, logs},
};
use crate::{
    demo::ledger::{
        common::{
            record::NftPacket,
            render::{NftEvents, RenderView, event_writer::EventWriter},
            world::Party,
        },
        evm::{Evm, catalogue::BRIDGED_COLLECTION},
    },
    events::names::{CONTRACT_CREATED, ERC721_CREATED, ERC721_MINTED},
};

fn contract_of_class<'a>(view: &RenderView<'a>) -> &'a Party {
    view.party(view.world.collection(BRIDGED_COLLECTION))
}

/// Formats an ERC-721 token ID as a decimal number.
pub(crate) fn decimal_id(word: [u8; 32]) -> String {
    alloy_primitives::U256::from_be_bytes(word).to_string()
}

impl NftEvents for Evm {
    fn nft_left(view: &RenderView<'_>, events: &mut EventWriter, packet: &NftPacket) {
        let (contract, id) = (contract_of_class(view), nft_word(BRIDGED_COLLECTION, packet.id));
        call(events, contract, &[]);
        logs(events, &[AbiLog::nft_transfer(contract, view.party(packet.local).word(), ZERO, id)]);
        events.emit("erc721_burned", vec![("contract", contract.hex.to_string()), ("token_id", decimal_id(id))]);
    }

    /// Writes the events that mint an arriving NFT. The first arrival deploys the contract.
    fn nft_arrived(view: &RenderView<'_>, events: &mut EventWriter, packet: &NftPacket) {
        let (contract, id) = (contract_of_class(view), nft_word(BRIDGED_COLLECTION, packet.id));
        if packet.first {
            deploy_class(view, events, contract);
        }
        call(events, contract, &[]);
        logs(events, &[AbiLog::nft_transfer(contract, ZERO, view.party(packet.local).word(), id)]);
        let attributes = vec![
            ("contract", contract.hex.to_string()),
            ("token_id", decimal_id(id)),
            ("token_origin_id", packet.id.to_string()),
        ];
        events.emit(ERC721_MINTED, attributes);
    }
}

/// Writes the events that deploy a class's contract. Like real nodes, puts the code into the address field.
fn deploy_class(view: &RenderView<'_>, events: &mut EventWriter, contract: &Party) {
    let code = alloy_primitives::hex::encode_prefixed(init_code(contract, 0));
    let (address, class) = (contract.hex.to_string(), view.world.bridged_class.clone());
    events.emit(CONTRACT_CREATED, vec![("contract", address.clone())]);
    events.emit("create", vec![("contract", address), ("ret", code.clone())]);
    logs(events, &[]);
    events.emit(ERC721_CREATED, vec![("class_id", class), ("contract", code)]);
}
