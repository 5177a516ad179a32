//! Plans for module calls, scripts and publications.

use super::{PlannedTx, Planner};
use crate::demo::ledger::{
    common::{
        pool::bought,
        record::{PartyId, TokenId},
        state::LedgerState,
        world::PartyRole,
    },
    movevm::{
        Msg,
        apply::swap_tokens,
        catalogue::{MODULES, POOLS, REWARD_TOKEN, pool},
        record::{ContractCall, Liquidity, Swap, VmMessage},
        world::reserves,
    },
};

/// Tokens that users transfer by the coin module.
const SENT: [u8; 9] = [0, 1, 3, 4, 5, 6, 7, 8, 9];
/// Tokens that the market accepts.
const LENT: [u8; 4] = [0, 1, 3, 6];

/// Plans a wallet's call. Every third call has JSON arguments.
pub(super) fn call(planner: &mut Planner<'_>, sender: PartyId, gas: u32, call: ContractCall) -> PlannedTx {
    let style = planner.cosmos_style();
    let json = planner.rng.chance(1, 3);
    PlannedTx::new(sender, style, gas, Msg::Vm(VmMessage::Execute { sender, json, call }))
}

pub(super) fn transfer(planner: &mut Planner<'_>) -> Option<PlannedTx> {
    let (sender, token, amount) = planner.holder(&SENT, 60)?;
    let to = planner.other(sender);
    Some(call(planner, sender, 128_000, ContractCall::Transfer { token, to, amount }))
}

/// Returns a pool's reserves, in the order of its tokens.
fn reserves_of(planner: &Planner<'_>, place: u8) -> [u128; 2] {
    let holder = reserves(planner.world, place);
    pool(place).sides.map(|token| planner.state.balance(TokenId(token), holder))
}

pub(super) fn swap(planner: &mut Planner<'_>) -> Option<PlannedTx> {
    let place = planner.rng.place(POOLS.len());
    let forward = planner.rng.chance(1, 2);
    let mut swap = Swap { pool: place, forward, sold: 0, bought: 0, least: 0 };
    let [token, _] = swap_tokens(&swap);
    let (sender, _, amount) = planner.holder(&[token.0], 120)?;
    let [first, second] = reserves_of(planner, place);
    let (reserve_in, reserve_out) = if forward { (first, second) } else { (second, first) };
    swap.sold = amount.min(reserve_in / 50);
    swap.bought = bought(swap.sold, reserve_in, reserve_out);
    swap.least = swap.bought - swap.bought / 200;
    (swap.bought > 0).then(|| call(planner, sender, 246_000, ContractCall::Swap(Box::new(swap))))
}

pub(super) fn provide(planner: &mut Planner<'_>) -> Option<PlannedTx> {
    let place = planner.rng.place(POOLS.len());
    let pool = pool(place);
    let (sender, _, amount) = planner.holder(&[pool.sides[0]], 100)?;
    let [first, second] = reserves_of(planner, place);
    let one = amount.min(first / 100);
    let other = share_of(second, one, first)?;
    let shares = share_of(planner.state.supply(TokenId(pool.shares)), one, first)?;
    if other > planner.spendable(TokenId(pool.sides[1]), sender) {
        return None;
    }
    let liquidity = Liquidity { pool: place, sides: [one, other], shares };
    Some(call(planner, sender, 318_000, ContractCall::Provide(Box::new(liquidity))))
}

pub(super) fn leave(planner: &mut Planner<'_>) -> Option<PlannedTx> {
    let place = planner.rng.place(POOLS.len());
    let shares_token = pool(place).shares;
    let (sender, token, shares) = planner.holder(&[shares_token], 400)?;
    let supply = planner.state.supply(token);
    let [first, second] = reserves_of(planner, place);
    let sides = [share_of(first, shares, supply)?, share_of(second, shares, supply)?];
    let liquidity = Liquidity { pool: place, sides, shares };
    Some(call(planner, sender, 304_000, ContractCall::Leave(Box::new(liquidity))))
}

/// Returns `whole` × `part` / `of`, rounded down; `None` if that is zero.
fn share_of(whole: u128, part: u128, of: u128) -> Option<u128> {
    whole.checked_mul(part)?.checked_div(of).filter(|share| *share > 0)
}

pub(super) fn stake(planner: &mut Planner<'_>) -> Option<PlannedTx> {
    let (sender, _, amount) = planner.holder(&[REWARD_TOKEN], 200)?;
    Some(call(planner, sender, 171_000, ContractCall::Stake { amount }))
}

pub(super) fn unstake(planner: &mut Planner<'_>) -> Option<PlannedTx> {
    let (sender, amount) = planner.holder_of_some(LedgerState::staked)?;
    Some(call(planner, sender, 168_000, ContractCall::Unstake { amount }))
}

pub(super) fn claim(planner: &mut Planner<'_>) -> Option<PlannedTx> {
    let sender = planner.user()?;
    let left = planner.state.balance(TokenId(REWARD_TOKEN), planner.world.role(PartyRole::Airdrop));
    let amount = planner.rng.share(left / 20_000, 900);
    (amount > 0).then(|| call(planner, sender, 142_000, ContractCall::Claim { amount }))
}

pub(super) fn supply(planner: &mut Planner<'_>) -> Option<PlannedTx> {
    let (sender, token, amount) = planner.holder(&LENT, 90)?;
    Some(call(planner, sender, 193_000, ContractCall::Supply { token, amount }))
}

pub(super) fn ping(planner: &mut Planner<'_>) -> Option<PlannedTx> {
    let sender = planner.user()?;
    let module = planner.rng.place(MODULES.len());
    let argument = planner.rng.next() >> 40;
    Some(call(planner, sender, 96_000, ContractCall::Ping { module, argument }))
}

pub(super) fn script(planner: &mut Planner<'_>) -> Option<PlannedTx> {
    let (sender, token, amount) = planner.holder(&SENT, 40)?;
    let to = [planner.other(sender), planner.other(sender)];
    let half = amount / 2;
    let style = planner.cosmos_style();
    (half > 0).then(|| PlannedTx::new(sender, style, 187_000, Msg::Vm(VmMessage::Script { sender, token, half, to })))
}

pub(super) fn publish(planner: &mut Planner<'_>) -> Option<PlannedTx> {
    let sender = planner.user()?;
    let modules = 1 + u8::try_from(planner.rng.index(3)).ok()?;
    let nonce = planner.state.sequence(sender);
    let style = planner.cosmos_style();
    let gas = 420_000 + 310_000 * u32::from(modules);
    Some(PlannedTx::new(sender, style, gas, Msg::Vm(VmMessage::Publish { sender, modules, nonce })))
}
