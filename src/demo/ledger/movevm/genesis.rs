//! Balances at genesis.

use super::{
    catalogue::{LATE_COLLECTION, POOLS, REWARD_TOKEN, TOKENS},
    world::reserves,
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
const ADMIN_FUNDS: u128 = 1_000_000_000_000;
/// Number of shareholders of each pool.
const PROVIDERS: u32 = 40;

/// Returns the state before the first block.
pub(crate) fn state(seed: u64, world: &World) -> LedgerState {
    let mut rng = Rng::new(seed, 1);
    let mut state = LedgerState::empty(world);
    fund_users(&mut state, world, &mut rng);
    fund_others(&mut state, world);
    state.set_since(LATE_COLLECTION, None);
    state
}

/// Whether a token is a pool share, which only liquidity providers get.
fn is_share(token: u8) -> bool {
    POOLS.iter().any(|pool| pool.shares == token)
}

/// Returns a thousandth of a token, or less for 18 decimals: 64 bits hold only 18 such tokens.
fn small_unit(decimals: u8) -> u128 {
    if decimals > 9 { 100_000_000 } else { 10u128.pow(u32::from(decimals)) / 1000 }
}

/// Gives every user the fee token, and some users other tokens. The first users are rich.
fn fund_users(state: &mut LedgerState, world: &World, rng: &mut Rng) {
    for user in 0..world.users() {
        for (place, spec) in (0..).zip(&TOKENS).filter(|(place, _)| !is_share(*place)) {
            if place != FEE_TOKEN && !rng.chance(if user < 64 { 9 } else { 3 }, 10) {
                continue;
            }
            let unit = small_unit(spec.decimals);
            let richness = u128::from(1 + 40_000 / (u64::from(user) + 1));
            let amount = unit * (20_000 + u128::from(rng.below(180_000))) * richness;
            state.mint(TokenId(place), PartyId(user), amount + u128::from(rng.below(1000)));
        }
    }
}

/// Funds the pools, the escrow, the airdrop and the admin, and opens the fee collector's account.
fn fund_others(state: &mut LedgerState, world: &World) {
    for (place, pool) in (0..).zip(POOLS) {
        let whole = pool.sides.map(|token| state.supply(TokenId(token)) / 8);
        for (token, whole) in pool.sides.into_iter().zip(whole) {
            state.mint(TokenId(token), reserves(world, place), whole);
        }
        for user in 0..PROVIDERS.min(world.users()) {
            state.mint(TokenId(pool.shares), PartyId(user), whole[0] / u128::from(PROVIDERS));
        }
    }
    state.mint(TokenId(FEE_TOKEN), world.role(PartyRole::Admin), ADMIN_FUNDS);
    state.mint(TokenId(FEE_TOKEN), world.role(PartyRole::FeeCollector), 0);
    let reward = state.supply(TokenId(REWARD_TOKEN)) / 5;
    state.mint(TokenId(REWARD_TOKEN), world.role(PartyRole::Airdrop), reward);
    for token in [0, 1, 6] {
        let left = state.supply(TokenId(token)) / 50;
        state.mint(TokenId(token), world.role(PartyRole::Escrow), left);
    }
}
