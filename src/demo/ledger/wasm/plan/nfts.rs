//! Plans for CW-721 collections, launchpad and marketplace.

use super::{PlannedTx, Planner, call, tokens::can_pay};
use crate::demo::ledger::{
    common::{
        plan::TRIES,
        record::{Msg, PartyId, SignMode},
    },
    wasm::{
        Wasm,
        catalogue::{BRIDGED_COLLECTION, COLLECTIONS, FIRST_OF_ARTIST, PRICE_TOKEN},
        record::{ContractCall, VmMessage},
        world::{Account, account},
    },
};

/// Maximum number of open offers.
const OPEN: usize = 60;

/// Returns the next ID of a collection; `None` if it is full.
fn next_id(planner: &Planner<'_>, collection: u8) -> Option<u32> {
    let id = planner.state.minted(collection) + 1;
    COLLECTIONS.get(usize::from(collection)).filter(|spec| id <= spec.most).map(|_| id)
}

/// Returns a random price, in tenths of a coin.
fn price(planner: &mut Planner<'_>) -> u128 {
    planner.world.catalogue.whole(PRICE_TOKEN.0) / 10 * u128::from(1 + planner.rng.below(80))
}

pub(super) fn launch(planner: &mut Planner<'_>) -> Option<PlannedTx> {
    let collection = planner.rng.place(usize::from(FIRST_OF_ARTIST));
    let id = next_id(planner, collection)?;
    let (sender, price) = (planner.user()?, price(planner));
    if planner.spendable(PRICE_TOKEN, sender) < price {
        return None;
    }
    Some(call(planner, sender, 347_000, ContractCall::Launch { collection, id, price }))
}

pub(super) fn mint(planner: &mut Planner<'_>) -> Option<PlannedTx> {
    let collection = FIRST_OF_ARTIST + planner.rng.place(usize::from(BRIDGED_COLLECTION - FIRST_OF_ARTIST));
    let id = next_id(planner, collection)?;
    let artist = account(planner.world, Account::Artist);
    let owner = planner.other(artist);
    Some(call(planner, artist, 192_000, ContractCall::MintNft { collection, id, owner }))
}

/// Plans a transaction that mints many of a collection's initial tokens. The artist mints for any account; the
/// launchpad mints for a user who buys several.
pub(in crate::demo::ledger::wasm) fn opening(planner: &mut Planner<'_>) -> Option<PlannedTx> {
    let (collection, ids) = planner.unminted(20)?;
    let is_launch = collection < FIRST_OF_ARTIST;
    let price = planner.world.catalogue.whole(PRICE_TOKEN.0) / 10;
    let sender = if is_launch { buyer(planner, price * 20)? } else { account(planner.world, Account::Artist) };
    let call_of = |id| {
        if is_launch {
            ContractCall::Launch { collection, id, price }
        } else {
            ContractCall::MintNft { collection, id, owner: planner.anybody() }
        }
    };
    let messages: Vec<Msg<Wasm>> = ids.map(call_of).map(|call| Msg::Vm(VmMessage::Execute { sender, call })).collect();
    let gas = 60_000 + 176_000 * u32::try_from(messages.len()).ok()?;
    Some(PlannedTx::of(sender, SignMode::Direct, gas, messages))
}

/// Returns a user who can pay the price: a random one, else the first who can.
fn buyer(planner: &mut Planner<'_>, cost: u128) -> Option<PartyId> {
    let can_buy = |planner: &Planner<'_>, user| can_pay(planner, user) && planner.spendable(PRICE_TOKEN, user) >= cost;
    for _ in 0..TRIES {
        let user = planner.anybody();
        if can_buy(planner, user) {
            return Some(user);
        }
    }
    (0..planner.world.users()).map(PartyId).find(|user| can_buy(planner, *user))
}

/// Returns a token of a collection and its owner, who can pay fees.
pub(super) fn owned(planner: &mut Planner<'_>, collection: u8) -> Option<(u32, PartyId)> {
    for _ in 0..TRIES {
        let id = 1 + planner.rng.index(planner.state.minted(collection));
        let owner = planner.state.owner(collection, id).filter(|owner| owner.0 < planner.world.users());
        if let Some(owner) = owner.filter(|owner| can_pay(planner, *owner)) {
            return Some((id, owner));
        }
    }
    None
}

/// Returns a token of any collection and its owner.
fn any_owned(planner: &mut Planner<'_>) -> Option<(u8, u32, PartyId)> {
    let collection = planner.rng.place(COLLECTIONS.len());
    owned(planner, collection).map(|(id, owner)| (collection, id, owner))
}

pub(super) fn give(planner: &mut Planner<'_>) -> Option<PlannedTx> {
    let (collection, id, owner) = any_owned(planner)?;
    let to = planner.other(owner);
    Some(call(planner, owner, 148_000, ContractCall::GiveNft { collection, id, to }))
}

pub(super) fn offer(planner: &mut Planner<'_>) -> Option<PlannedTx> {
    if planner.state.own.offers.len() > OPEN {
        return None;
    }
    let (collection, id, owner) = any_owned(planner)?;
    let price = price(planner);
    Some(call(planner, owner, 231_000, ContractCall::OfferNft { collection, id, price }))
}

pub(super) fn buy(planner: &mut Planner<'_>) -> Option<PlannedTx> {
    let offer = planner.rng.pick(&planner.state.own.offers).copied()?;
    let buyer = planner.user().filter(|buyer| *buyer != offer.seller)?;
    if planner.spendable(PRICE_TOKEN, buyer) < offer.price {
        return None;
    }
    let buy =
        ContractCall::BuyNft { collection: offer.collection, id: offer.id, price: offer.price, seller: offer.seller };
    Some(call(planner, buyer, 318_000, buy))
}

pub(super) fn burn(planner: &mut Planner<'_>) -> Option<PlannedTx> {
    let (collection, id, owner) = any_owned(planner)?;
    if collection == BRIDGED_COLLECTION {
        return None;
    }
    Some(call(planner, owner, 141_000, ContractCall::BurnNft { collection, id }))
}

pub(super) fn approve(planner: &mut Planner<'_>) -> Option<PlannedTx> {
    let (collection, id, owner) = any_owned(planner)?;
    let spender = planner.other(owner);
    Some(call(planner, owner, 139_000, ContractCall::ApproveNft { collection, id, spender }))
}

pub(super) fn approve_all(planner: &mut Planner<'_>) -> Option<PlannedTx> {
    let sender = planner.user()?;
    let collection = planner.rng.place(usize::from(BRIDGED_COLLECTION));
    let approved = planner.rng.chance(3, 4);
    Some(call(planner, sender, 134_000, ContractCall::ApproveAll { collection, approved }))
}
