//! Calls of CW-721 collections and of the marketplace.

use super::{bank, calls::single, contract::run, requests::collection, voyages};
use crate::demo::ledger::{
    common::{
        render::{View, scribe::Scribe},
        world::Party,
    },
    wasm::{
        catalogue::PRICE_TOKEN,
        record::Call,
        world::{self, Single},
    },
};

/// The events of a call about an NFT.
pub(super) fn events(view: &View<'_>, scribe: &mut Scribe, caller: &Party, call: &Call) {
    let name = |party: &Party| party.bech32.to_string();
    match *call {
        Call::MintNft { collection: place, id, owner } => mint(view, scribe, place, id, view.party(owner)),
        Call::GiveNft { collection: place, id, to } => give(view, scribe, place, id, [caller, view.party(to)]),
        Call::OfferNft { collection: place, id, price } => {
            let market = single(view, Single::Marketplace);
            send(view, scribe, place, id, [caller, market]);
            let mut said = vec![("seller", name(caller)), ("collection", name(collection(view, place)))];
            said.extend([("token", id.to_string()), ("price", view.coin(PRICE_TOKEN, price))]);
            run(scribe, market, "offer", said);
        }
        Call::BuyNft { collection: place, id, price, seller } => {
            let (market, seller) = (single(view, Single::Marketplace), view.party(seller));
            bank::transfer(view, scribe, PRICE_TOKEN, [caller, market], price);
            let mut said = vec![("buyer", name(caller)), ("seller", name(seller))];
            said.extend([("collection", name(collection(view, place))), ("token", id.to_string())]);
            said.push(("price", view.coin(PRICE_TOKEN, price)));
            run(scribe, market, "buy", said);
            bank::transfer_inside(view, scribe, PRICE_TOKEN, [market, seller], price);
            give(view, scribe, place, id, [market, caller]);
        }
        Call::BurnNft { collection: place, id } => burn(view, scribe, place, id, caller),
        Call::ApproveNft { collection: place, id, spender } => {
            let spender = name(view.party(spender));
            let said = vec![("sender", name(caller)), ("spender", spender), ("token_id", id.to_string())];
            run(scribe, collection(view, place), "approve", said);
        }
        Call::ApproveAll { collection: place, approved } => {
            let operator = name(single(view, Single::Marketplace));
            let action = if approved { "approve_all" } else { "revoke_all" };
            run(scribe, collection(view, place), action, vec![("sender", name(caller)), ("operator", operator)]);
        }
        Call::BridgeNft { ref voyage, .. } => {
            send(view, scribe, voyage.collection, voyage.id, [caller, single(view, Single::Ics721)]);
            voyages::sent(view, scribe, voyage);
        }
        _ => {}
    }
}

/// CW-721 mint, by the collection's minter.
pub(super) fn mint(view: &View<'_>, scribe: &mut Scribe, place: u8, id: u32, owner: &Party) {
    let minter = view.party(world::minter(view.world, place)).bech32.to_string();
    let said = vec![("minter", minter), ("owner", owner.bech32.to_string()), ("token_id", id.to_string())];
    run(scribe, collection(view, place), "mint", said);
}

/// CW-721 `transfer_nft`.
pub(super) fn give(view: &View<'_>, scribe: &mut Scribe, place: u8, id: u32, parties: [&Party; 2]) {
    run(scribe, collection(view, place), "transfer_nft", moved(id, parties));
}

/// CW-721 `send_nft`: the token moves, then its receiver is called.
fn send(view: &View<'_>, scribe: &mut Scribe, place: u8, id: u32, parties: [&Party; 2]) {
    run(scribe, collection(view, place), "send_nft", moved(id, parties));
}

fn moved(id: u32, [from, to]: [&Party; 2]) -> Vec<(&'static str, String)> {
    vec![("sender", from.bech32.to_string()), ("recipient", to.bech32.to_string()), ("token_id", id.to_string())]
}

/// CW-721 burn.
pub(super) fn burn(view: &View<'_>, scribe: &mut Scribe, place: u8, id: u32, owner: &Party) {
    let said = vec![("sender", owner.bech32.to_string()), ("token_id", id.to_string())];
    run(scribe, collection(view, place), "burn", said);
}
