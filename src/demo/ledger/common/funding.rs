//! What the demo wallet has at genesis.

use super::{
    Flavour,
    catalogue::{FEE_TOKEN, OriginSpec, WRAP_FACTOR},
    record::{PartyId, TokenId},
    state::LedgerState,
    world::{PartyRole, WALLET, World},
};

/// Of fewer tokens than this the wallet is given some.
const ENOUGH: u128 = 1_000;
/// What it then has.
const PLENTY: u128 = 25_000;
/// The part of all that the virtual machine can count that is plenty at any rate, however many decimals there are.
const PART: u128 = 10_000;

/// Gives the wallet's account what chance left it without: the fee token and all that can be bridged. Comes after
/// everything else, so that where nothing is missing nothing changes.
pub(crate) fn fund_wallet<F: Flavour>(state: &mut LedgerState<F::Own>, world: &World) {
    let wallet = PartyId(WALLET);
    for (token, _) in (0..).zip(world.catalogue.tokens) {
        let wrap = F::WRAPS.iter().find(|(_, local)| *local == token);
        if token != FEE_TOKEN && wrap.is_none() && world.catalogue.origin(token) == OriginSpec::Native {
            continue;
        }
        let limit = world.catalogue.largest / PART;
        let (whole, held) = (world.catalogue.whole(token), state.balance(TokenId(token), wallet));
        if held >= (ENOUGH * whole).min(limit) {
            continue;
        }
        let missing = (PLENTY * whole).min(limit).saturating_sub(held);
        state.mint(TokenId(token), wallet, missing);
        if let Some((remote, _)) = wrap {
            state.mint(TokenId(*remote), world.role(PartyRole::Wrapper), missing.div_ceil(WRAP_FACTOR));
        }
    }
}
