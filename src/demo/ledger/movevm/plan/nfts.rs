//! Plans for collections and their tokens.

use super::{PlannedTx, Planner, calls::call};
use crate::demo::ledger::{
    common::{
        catalogue::FEE_TOKEN,
        plan::ibc::owned,
        record::{PartyId, SignMode, TokenId},
    },
    movevm::{
        Msg,
        catalogue::{BRIDGED_COLLECTION, COLLECTIONS, LATE_COLLECTION},
        record::{ContractCall, VmMessage},
    },
};

/// Returns the creator of a native collection, if the creator can pay fees.
fn creator(planner: &Planner<'_>, collection: u8) -> Option<PartyId> {
    let creator = PartyId(u32::from(collection));
    let spare = planner.spendable(TokenId(FEE_TOKEN), creator);
    (spare > planner.world.catalogue.fee_reserve()).then_some(creator)
}

/// Plans a mint by a creator, usually for another account.
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

/// Plans a transaction that mints many of a collection's initial tokens.
pub(in crate::demo::ledger::movevm) fn opening(planner: &mut Planner<'_>) -> Option<PlannedTx> {
    let (collection, numbers) = planner.unminted(25)?;
    let sender = PartyId(u32::from(collection));
    let mint = |number| ContractCall::Mint { collection, number, to: Some(planner.anybody()) };
    let message = |call| Msg::Vm(VmMessage::Execute { sender, json: false, call });
    let messages: Vec<Msg> = numbers.map(mint).map(message).collect();
    let gas = 40_000 + 142_000 * u32::try_from(messages.len()).ok()?;
    Some(PlannedTx::of(sender, SignMode::Personal, gas, messages))
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

pub(super) fn create_collection(planner: &mut Planner<'_>) -> Option<PlannedTx> {
    let collection = LATE_COLLECTION;
    if planner.state.since(collection).is_some() {
        return None;
    }
    let creator = creator(planner, collection)?;
    Some(call(planner, creator, 263_000, ContractCall::CreateCollection { collection }))
}
