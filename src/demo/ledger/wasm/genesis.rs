//! Balances at genesis.

use super::{
    catalogue::{CW20S, POOLS, REWARD_TOKEN, TOKENS},
    record::{Cw20, PoolAsset},
    state::{LedgerState, Own},
    world::{Account, SingleContract, account, pool, single_contract},
};
use crate::demo::ledger::{
    common::{
        catalogue::FEE_TOKEN,
        record::{PartyId, TokenId},
        world::{PartyRole, World},
    },
    rng::Rng,
};

/// Balance of accounts with a role, in the fee token's smallest unit.
const GENESIS_FEES: u128 = 50_000_000_000;

/// Returns the state before the first block.
pub(crate) fn state(seed: u64, world: &World) -> LedgerState {
    let mut rng = Rng::new(seed, 1);
    let mut state = LedgerState::with(world, Own::empty(world));
    for user in (0..world.users()).map(PartyId) {
        fund_user(&mut state, user, &mut rng);
    }
    fund_contracts(&mut state, world);
    state
}

/// Returns how much of a token a user gets. The first users are rich.
fn amount(rng: &mut Rng, user: PartyId, decimals: u8) -> u128 {
    let unit = 10u128.pow(u32::from(decimals)) / 1000;
    let richness = u128::from(1 + 40_000 / (u64::from(user.0) + 1));
    unit * (20_000 + u128::from(rng.below(180_000))) * richness + u128::from(rng.below(1000)) * (unit / 1000).max(1)
}

/// Gives a user the fee token, and some other tokens.
fn fund_user(state: &mut LedgerState, user: PartyId, rng: &mut Rng) {
    let share = if user.0 < 64 { 9 } else { 3 };
    for (place, spec) in (0..).zip(&TOKENS) {
        if place == FEE_TOKEN || rng.chance(share, 10) {
            let amount = amount(rng, user, spec.decimals);
            state.mint(TokenId(place), user, amount);
        }
    }
    for (place, decimals) in (0..).zip(CW20S) {
        if rng.chance(share, 10) {
            let amount = amount(rng, user, decimals);
            state.own.mint(Cw20(place), user, amount);
        }
    }
}

/// Funds the pools, the airdrop, the escrow and the accounts with a role.
fn fund_contracts(state: &mut LedgerState, world: &World) {
    for (place, (first, second)) in (0..).zip(POOLS) {
        for asset in [first, second] {
            match asset {
                PoolAsset::Coin(token) => state.mint(token, pool(world, place), state.supply(token) / 8),
                PoolAsset::Contract(token) => state.own.mint(token, pool(world, place), state.own.supply(token) / 8),
            }
        }
    }
    let fee = TokenId(FEE_TOKEN);
    for party in [
        world.role(PartyRole::Admin),
        world.role(PartyRole::Executor),
        account(world, Account::Issuer),
        account(world, Account::Artist),
    ] {
        state.mint(fee, party, GENESIS_FEES);
    }
    state.mint(REWARD_TOKEN, single_contract(world, SingleContract::Airdrop), state.supply(REWARD_TOKEN) / 5);
    for token in [0, 1, 9] {
        let token = TokenId(token);
        state.mint(token, world.role(PartyRole::Escrow), state.supply(token) / 50);
    }
}
