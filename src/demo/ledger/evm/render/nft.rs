//! What the contract of the bridged class does when NFTs leave and arrive over IBC.

use super::{
    abi::{AbiLog, ZERO},
    calls::{init_code, nft_word},
    logs::{call, logs},
};
use crate::demo::ledger::{
    common::{
        record::NftPacket,
        render::{RenderView, event_writer::EventWriter},
        world::Party,
    },
    evm::catalogue::BRIDGED_COLLECTION,
};

fn contract_of_class<'a>(view: &RenderView<'a>) -> &'a Party {
    view.party(view.world.collection(BRIDGED_COLLECTION))
}

/// An ERC-721 id in decimal.
pub(crate) fn decimal_id(word: [u8; 32]) -> String {
    alloy_primitives::U256::from_be_bytes(word).to_string()
}

/// An NFT is burned before it leaves.
pub(crate) fn left(view: &RenderView<'_>, events: &mut EventWriter, packet: &NftPacket) {
    let (contract, id) = (contract_of_class(view), nft_word(BRIDGED_COLLECTION, packet.id));
    call(events, contract, &[]);
    logs(events, &[AbiLog::nft_transfer(contract, view.party(packet.local).word(), ZERO, id)]);
    events.emit("erc721_burned", vec![("contract", contract.hex.to_string()), ("token_id", decimal_id(id))]);
}

/// An NFT is minted when it arrives, after a contract was deployed for the first one.
pub(crate) fn arrived(view: &RenderView<'_>, events: &mut EventWriter, packet: &NftPacket) {
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
    events.emit("erc721_minted", attributes);
}

/// A class gets its contract. Real nodes write the code where the contract's address belongs, and so do we.
fn deploy_class(view: &RenderView<'_>, events: &mut EventWriter, contract: &Party) {
    let code = alloy_primitives::hex::encode_prefixed(init_code(contract, 0));
    let (address, class) = (contract.hex.to_string(), view.world.bridged_class.clone());
    events.emit("contract_created", vec![("contract", address.clone())]);
    events.emit("create", vec![("contract", address), ("ret", code.clone())]);
    logs(events, &[]);
    events.emit("erc721_created", vec![("class_id", class), ("contract", code)]);
}
