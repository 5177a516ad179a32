//! The life of collections and their tokens.

use super::{PlannedTx, Planner, calls::call};
use crate::demo::ledger::{
    common::{
        catalogue::FEE_TOKEN,
        plan::ibc::owned,
        record::{PartyId, TokenId},
    },
    movevm::{
        catalogue::{BRIDGED_COLLECTION, COLLECTIONS, LATE_COLLECTION},
        record::ContractCall,
    },
};

/// The creator of a collection made here, if they can pay fees.
fn creator(planner: &Planner<'_>, collection: u8) -> Option<PartyId> {
    let creator = PartyId(u32::from(collection));
    let spare = planner.spendable(TokenId(FEE_TOKEN), creator);
    (spare > planner.world.catalogue.fee_reserve()).then_some(creator)
}

/// Creators mint, mostly for somebody else.
pub(super) fn mint(planner: &mut Planner<'_>) -> Option<PlannedTx> {
    let collection = planner.rng.place(usize::from(BRIDGED_COLLECTION));
    planner.state.since(collection)?;
    let creator = creator(planner, collection)?;
    let number = planner.state.minted(collection) + 1;
    if number > COLLECTIONS.get(usize::from(collection))?.most {
        return None;
    }
    let to = if planner.rng.chance(4, 5) { Some(planner.other(creator)) } else { None };
    Some(call(planner, creator, 214_000, ContractCall::Mint { collection, number, to }))
}

pub(super) fn burn(planner: &mut Planner<'_>) -> Option<PlannedTx> {
    let collection = planner.rng.place(usize::from(BRIDGED_COLLECTION));
    let (number, owner) = owned(planner, collection)?;
    Some(call(planner, owner, 158_000, ContractCall::Burn { collection, number }))
}

pub(super) fn give(planner: &mut Planner<'_>) -> Option<PlannedTx> {
    let collection = planner.rng.place(COLLECTIONS.len());
    let (number, owner) = owned(planner, collection)?;
    let to = planner.other(owner);
    Some(call(planner, owner, 121_000, ContractCall::Give { collection, number, to }))
}

/// One collection comes to be by a transaction.
pub(super) fn create_collection(planner: &mut Planner<'_>) -> Option<PlannedTx> {
    let collection = LATE_COLLECTION;
    if planner.state.since(collection).is_some() {
        return None;
    }
    let creator = creator(planner, collection)?;
    Some(call(planner, creator, 263_000, ContractCall::CreateCollection { collection }))
}
