//! Funds of the demo wallet at genesis.

use super::{
    Flavour,
    catalogue::{FEE_TOKEN, OriginSpec, WRAP_FACTOR},
    record::{PartyId, TokenId},
    state::LedgerState,
    world::{PartyRole, WALLET, World},
};

/// Number of whole tokens below which the wallet gets more.
const ENOUGH: u128 = 1_000;
/// Number of whole tokens after a top-up.
const PLENTY: u128 = 25_000;
/// Divisor of the VM's maximum amount; the quotient is enough for any number of decimals.
const PART: u128 = 10_000;

/// Funds the demo wallet with the fee token and the bridged tokens that it lacks. Runs last, so that no other balance
/// changes.
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
