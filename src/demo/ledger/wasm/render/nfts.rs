//! Calls of CW-721 collections and of the marketplace.

use super::{bank, calls::single_contract, contract::run, nft_transfers, requests::collection};
use crate::demo::ledger::{
    common::{
        render::{RenderView, event_writer::EventWriter},
        world::Party,
    },
    wasm::{
        catalogue::PRICE_TOKEN,
        record::ContractCall,
        world::{self, SingleContract},
    },
};

/// Writes the events of a call about an NFT.
pub(super) fn events(view: &RenderView<'_>, events: &mut EventWriter, caller: &Party, call: &ContractCall) {
    let name = |party: &Party| party.bech32.to_string();
    match *call {
        ContractCall::MintNft { collection: place, id, owner } => mint(view, events, place, id, view.party(owner)),
        ContractCall::GiveNft { collection: place, id, to } => give(view, events, place, id, [caller, view.party(to)]),
        ContractCall::OfferNft { collection: place, id, price } => {
            let market = single_contract(view, SingleContract::Marketplace);
            send(view, events, place, id, [caller, market]);
            let mut said = vec![("seller", name(caller)), ("collection", name(collection(view, place)))];
            said.extend([("token", id.to_string()), ("price", view.coin(PRICE_TOKEN, price))]);
            run(events, market, "offer", said);
        }
        ContractCall::BuyNft { collection: place, id, price, seller } => {
            let (market, seller) = (single_contract(view, SingleContract::Marketplace), view.party(seller));
            bank::transfer(view, events, PRICE_TOKEN, [caller, market], price);
            let mut said = vec![("buyer", name(caller)), ("seller", name(seller))];
            said.extend([("collection", name(collection(view, place))), ("token", id.to_string())]);
            said.push(("price", view.coin(PRICE_TOKEN, price)));
            run(events, market, "buy", said);
            bank::transfer_inside(view, events, PRICE_TOKEN, [market, seller], price);
            give(view, events, place, id, [market, caller]);
        }
        ContractCall::BurnNft { collection: place, id } => burn(view, events, place, id, caller),
        ContractCall::ApproveNft { collection: place, id, spender } => {
            let spender = name(view.party(spender));
            let said = vec![("sender", name(caller)), ("spender", spender), ("token_id", id.to_string())];
            run(events, collection(view, place), "approve", said);
        }
        ContractCall::ApproveAll { collection: place, approved } => {
            let operator = name(single_contract(view, SingleContract::Marketplace));
            let action = if approved { "approve_all" } else { "revoke_all" };
            run(events, collection(view, place), action, vec![("sender", name(caller)), ("operator", operator)]);
        }
        ContractCall::BridgeNft { ref nft_transfer, .. } => {
            send(
                view,
                events,
                nft_transfer.collection,
                nft_transfer.id,
                [caller, single_contract(view, SingleContract::Ics721)],
            );
            nft_transfers::sent(view, events, nft_transfer);
        }
        _ => {}
    }
}

/// Writes a CW-721 mint by the collection's minter.
pub(super) fn mint(view: &RenderView<'_>, events: &mut EventWriter, place: u8, id: u32, owner: &Party) {
    let minter = view.party(world::minter(view.world, place)).bech32.to_string();
    let said = vec![("minter", minter), ("owner", owner.bech32.to_string()), ("token_id", id.to_string())];
    run(events, collection(view, place), "mint", said);
}

/// Writes a CW-721 `transfer_nft`.
pub(super) fn give(view: &RenderView<'_>, events: &mut EventWriter, place: u8, id: u32, parties: [&Party; 2]) {
    run(events, collection(view, place), "transfer_nft", moved(id, parties));
}

/// Writes a CW-721 `transfer_nft` of a returning token by the ICS-721 contract, with the receiver first.
pub(super) fn redeem(view: &RenderView<'_>, events: &mut EventWriter, place: u8, id: u32, parties: [&Party; 2]) {
    let mut said = moved(id, parties);
    said.swap(0, 1);
    run(events, collection(view, place), "transfer_nft", said);
}

/// Writes a CW-721 `send_nft`: the transfer, then the call of the receiver.
fn send(view: &RenderView<'_>, events: &mut EventWriter, place: u8, id: u32, parties: [&Party; 2]) {
    run(events, collection(view, place), "send_nft", moved(id, parties));
}

fn moved(id: u32, [from, to]: [&Party; 2]) -> Vec<(&'static str, String)> {
    vec![("sender", from.bech32.to_string()), ("recipient", to.bech32.to_string()), ("token_id", id.to_string())]
}

/// Writes a CW-721 burn.
pub(super) fn burn(view: &RenderView<'_>, events: &mut EventWriter, place: u8, id: u32, owner: &Party) {
    let said = vec![("sender", owner.bech32.to_string()), ("token_id", id.to_string())];
    run(events, collection(view, place), "burn", said);
}
