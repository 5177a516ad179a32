//! Plans for CW-20 tokens, pools, and contracts that hold tokens.

#![expect(clippy::similar_names, reason = "sender and spender are the field's words")]

use super::{PlannedTx, Planner, call};
use crate::demo::ledger::{
    common::{
        catalogue::FEE_TOKEN,
        plan::TRIES,
        pool::bought,
        record::{PartyId, TokenId},
    },
    wasm::{
        catalogue::{CW20S, POOLS, REWARD_TOKEN, SAVED_TOKEN, STAKED, swap_assets},
        record::{ContractCall, Cw20, PoolAsset, Swap},
        state::LedgerState,
        world::{self, Account, SingleContract, account, single_contract},
    },
};

/// Maximum number of unused allowances.
const OPEN: usize = 100;

/// Returns a user, and an amount of an asset that the user can spend.
fn holder(planner: &mut Planner<'_>, asset: PoolAsset, most: u64) -> Option<(PartyId, u128)> {
    for _ in 0..TRIES {
        let user = planner.user()?;
        let balance = match asset {
            PoolAsset::Coin(token) => planner.spendable(token, user),
            PoolAsset::Contract(_) => planner.state.asset_balance(asset, user),
        };
        let amount = planner.rng.share(balance, most);
        if amount > 0 {
            return Some((user, amount));
        }
    }
    None
}

fn any_cw20(planner: &mut Planner<'_>) -> Cw20 {
    Cw20(planner.rng.place(CW20S.len()))
}

pub(super) fn transfer(planner: &mut Planner<'_>) -> Option<PlannedTx> {
    let token = any_cw20(planner);
    let (sender, amount) = holder(planner, PoolAsset::Contract(token), 60)?;
    let to = planner.other(sender);
    Some(call(planner, sender, 143_000, ContractCall::Transfer { token, to, amount }))
}

pub(super) fn allow(planner: &mut Planner<'_>) -> Option<PlannedTx> {
    if planner.state.own.allowed.len() > OPEN {
        return None;
    }
    let token = any_cw20(planner);
    let (sender, amount) = holder(planner, PoolAsset::Contract(token), 40)?;
    let spender = planner.user().filter(|spender| *spender != sender)?;
    Some(call(planner, sender, 131_000, ContractCall::Allow { token, spender, amount }))
}

pub(super) fn transfer_from(planner: &mut Planner<'_>) -> Option<PlannedTx> {
    let (token, owner, spender, amount) = planner.rng.pick(&planner.state.own.allowed).copied()?;
    if planner.state.own.balance(token, owner) < amount {
        return None;
    }
    let to = planner.other(owner);
    Some(call(planner, spender, 158_000, ContractCall::TransferFrom { token, owner, to, amount }))
}

pub(super) fn burn(planner: &mut Planner<'_>) -> Option<PlannedTx> {
    let token = any_cw20(planner);
    let (sender, amount) = holder(planner, PoolAsset::Contract(token), 20)?;
    Some(call(planner, sender, 127_000, ContractCall::Burn { token, amount }))
}

pub(super) fn mint(planner: &mut Planner<'_>) -> Option<PlannedTx> {
    let token = any_cw20(planner);
    let issuer = account(planner.world, Account::Issuer);
    let to = planner.other(issuer);
    let amount = planner.rng.share(planner.state.own.supply(token) / 10_000, 900);
    (amount > 0).then(|| call(planner, issuer, 136_000, ContractCall::Mint { token, to, amount }))
}

pub(super) fn stake(planner: &mut Planner<'_>) -> Option<PlannedTx> {
    let (sender, amount) = holder(planner, PoolAsset::Contract(STAKED), 200)?;
    Some(call(planner, sender, 224_000, ContractCall::Stake { amount }))
}

pub(super) fn unstake(planner: &mut Planner<'_>) -> Option<PlannedTx> {
    let (sender, amount) = planner.holder_of_some(LedgerState::staked)?;
    Some(call(planner, sender, 218_000, ContractCall::Unstake { amount }))
}

pub(super) fn save(planner: &mut Planner<'_>) -> Option<PlannedTx> {
    let (sender, amount) = holder(planner, PoolAsset::Coin(SAVED_TOKEN), 150)?;
    Some(call(planner, sender, 176_000, ContractCall::Save { amount }))
}

pub(super) fn take_out(planner: &mut Planner<'_>) -> Option<PlannedTx> {
    let (sender, amount) = planner.holder_of_some(|state, user| state.own.saved(user))?;
    Some(call(planner, sender, 187_000, ContractCall::TakeOut { amount }))
}

pub(super) fn claim(planner: &mut Planner<'_>) -> Option<PlannedTx> {
    let sender = planner.user()?;
    let left = planner.state.balance(REWARD_TOKEN, single_contract(planner.world, SingleContract::Airdrop));
    let amount = planner.rng.share(left / 20_000, 900);
    (amount > 0).then(|| call(planner, sender, 169_000, ContractCall::Claim { amount }))
}

pub(super) fn swap(planner: &mut Planner<'_>) -> Option<PlannedTx> {
    let (pool, forward) = (planner.rng.place(POOLS.len()), planner.rng.chance(1, 2));
    let mut swap = Swap { pool, forward, sold: 0, bought: 0 };
    let (sold, bought_asset) = swap_assets(&swap);
    let (sender, amount) = holder(planner, sold, 120)?;
    let party = world::pool(planner.world, pool);
    let [reserve_in, reserve_out] = [sold, bought_asset].map(|asset| planner.state.asset_balance(asset, party));
    swap.sold = amount.min(reserve_in / 50);
    swap.bought = bought(swap.sold, reserve_in, reserve_out);
    (swap.bought > 0).then(|| call(planner, sender, 312_000, ContractCall::Swap(swap)))
}

/// Whether an account can pay the fee of a transaction.
pub(super) fn can_pay(planner: &Planner<'_>, party: PartyId) -> bool {
    planner.spendable(TokenId(FEE_TOKEN), party) > planner.world.catalogue.fee_reserve()
}
