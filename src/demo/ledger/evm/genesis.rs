//! Balances at genesis.

use super::{
    catalogue::{POOLS, REWARD_TOKEN, TOKENS, UNLISTED, UNLISTED_TOKEN, WRAP_FACTOR, WRAPS},
    world::pool,
};
use crate::demo::ledger::{
    common::{
        catalogue::FEE_TOKEN,
        record::{PartyId, TokenId},
        state::LedgerState,
        world::{PartyRole, World},
    },
    rng::Rng,
};

/// Balance of the admin in the fee token, in the smallest unit.
const ADMIN_FUNDS: u128 = 100_000_000_000_000_000_000_000;

/// Returns the state before the first block.
pub(crate) fn state(seed: u64, world: &World) -> LedgerState {
    let mut rng = Rng::new(seed, 1);
    let mut state = LedgerState::empty(world);
    fund_users(&mut state, world, &mut rng);
    fund_contracts(&mut state, world);
    state
}

/// Gives every user the fee token, and some users other tokens. The first users are rich.
fn fund_users(state: &mut LedgerState, world: &World, rng: &mut Rng) {
    for user in 0..world.users() {
        for (place, spec) in (0..).zip(&TOKENS) {
            if place != FEE_TOKEN && !rng.chance(if user < 64 { 9 } else { 3 }, 10) {
                continue;
            }
            let unit = 10u128.pow(u32::from(spec.decimals)) / 1000;
            let richness = u128::from(1 + 40_000 / (u64::from(user) + 1));
            let amount = unit * (20_000 + u128::from(rng.below(180_000))) * richness;
            state.mint(TokenId(place), PartyId(user), amount + u128::from(rng.below(1000)) * (unit / 1000).max(1));
        }
        let (_, _, decimals) = UNLISTED;
        let whole = 50 + 1_000_000 / (u128::from(user) + 1);
        state.mint(UNLISTED_TOKEN, PartyId(user), whole * 10u128.pow(u32::from(decimals)));
    }
}

/// Funds the pools, the wrapper, the escrow, the reward contract and the admin.
fn fund_contracts(state: &mut LedgerState, world: &World) {
    for (place, (first, second)) in (0..).zip(POOLS) {
        for token in [first, second] {
            let whole = state.supply(TokenId(token)) / 8;
            state.mint(TokenId(token), pool(world, place), whole);
        }
    }
    for (remote, local) in WRAPS {
        let locked = state.supply(TokenId(local)) / WRAP_FACTOR + 1;
        state.mint(TokenId(remote), world.role(PartyRole::Wrapper), locked);
    }
    state.mint(TokenId(FEE_TOKEN), world.role(PartyRole::Admin), ADMIN_FUNDS);
    let reward = state.supply(TokenId(REWARD_TOKEN)) / 5;
    state.mint(TokenId(REWARD_TOKEN), world.role(PartyRole::Airdrop), reward);
    for token in [2, 3, 9] {
        let left = state.supply(TokenId(token)) / 50;
        state.mint(TokenId(token), world.role(PartyRole::Escrow), left);
    }
}
