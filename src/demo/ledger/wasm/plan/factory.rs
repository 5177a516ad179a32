//! Plans for the token factory: denoms of users and of the issuer.

use super::{PlannedTx, Planner, tokens::can_pay, vm};
use crate::demo::ledger::{
    common::record::{PartyId, TokenId},
    wasm::{catalogue::FACTORY, record::VmMessage},
};

/// Returns a factory token and its admin, who can pay fees.
fn administered(planner: &mut Planner<'_>) -> Option<(TokenId, PartyId)> {
    let (token, _) = planner.rng.pick(&FACTORY).copied()?;
    let admin = planner.state.own.denom_admin(token)?;
    can_pay(planner, admin).then_some((TokenId(token), admin))
}

pub(super) fn create(planner: &mut Planner<'_>) -> Option<PlannedTx> {
    let sender = planner.user()?;
    let number = planner.state.own.denoms + 1;
    Some(vm(planner, sender, 173_000, VmMessage::CreateDenom { sender, number }))
}

pub(super) fn mint(planner: &mut Planner<'_>) -> Option<PlannedTx> {
    let (token, sender) = administered(planner)?;
    let to = if planner.rng.chance(1, 3) { sender } else { planner.other(sender) };
    let amount = planner.rng.share(planner.state.supply(token) / 10_000, 900);
    (amount > 0).then(|| vm(planner, sender, 148_000, VmMessage::Mint { sender, token, amount, to }))
}

pub(super) fn burn(planner: &mut Planner<'_>) -> Option<PlannedTx> {
    let (token, sender) = administered(planner)?;
    let amount = planner.rng.share(planner.state.balance(token, sender), 400);
    (amount > 0).then(|| vm(planner, sender, 137_000, VmMessage::Burn { sender, token, amount }))
}

pub(super) fn change_admin(planner: &mut Planner<'_>) -> Option<PlannedTx> {
    let (token, sender) = administered(planner)?;
    let admin = planner.user().filter(|admin| *admin != sender)?;
    Some(vm(planner, sender, 92_000, VmMessage::ChangeAdmin { sender, token, admin }))
}

pub(super) fn set_metadata(planner: &mut Planner<'_>) -> Option<PlannedTx> {
    let (token, sender) = administered(planner)?;
    Some(vm(planner, sender, 108_000, VmMessage::SetMetadata { sender, token }))
}

pub(super) fn set_send_hook(planner: &mut Planner<'_>) -> Option<PlannedTx> {
    let (token, sender) = administered(planner)?;
    Some(vm(planner, sender, 99_000, VmMessage::SetSendHook { sender, token }))
}
