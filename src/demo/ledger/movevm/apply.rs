//! Applies module calls to the state.

use super::{
    catalogue::{REWARD_TOKEN, pool},
    record::{ContractCall, Liquidity, Swap, VmMessage},
    world::reserves,
};
use crate::demo::ledger::common::{
    apply::refund,
    record::{DepositRecord, Packet, PartyId, TokenId},
    state::LedgerState,
    world::{PartyRole, World},
};

pub(crate) fn apply(state: &mut LedgerState, world: &World, message: &VmMessage) {
    match message {
        VmMessage::Execute { sender, call, .. } => apply_call(state, world, *sender, call),
        VmMessage::Script { sender, token, half, to } => {
            for to in to {
                state.transfer(*token, *sender, *to, *half);
            }
        }
        VmMessage::Publish { .. } => {}
    }
}

fn apply_call(state: &mut LedgerState, world: &World, sender: PartyId, call: &ContractCall) {
    let reward = TokenId(REWARD_TOKEN);
    match call {
        ContractCall::Transfer { token, to, amount } => state.transfer(*token, sender, *to, *amount),
        ContractCall::Swap(swap) => {
            let [sold, bought] = swap_tokens(swap);
            let reserves = reserves(world, swap.pool);
            state.transfer(sold, sender, reserves, swap.sold);
            state.transfer(bought, reserves, sender, swap.bought);
        }
        ContractCall::Provide(liquidity) => {
            for (token, amount) in sides(liquidity) {
                state.transfer(token, sender, reserves(world, liquidity.pool), amount);
            }
            state.mint(TokenId(pool(liquidity.pool).shares), sender, liquidity.shares);
        }
        ContractCall::Leave(liquidity) => {
            state.burn(TokenId(pool(liquidity.pool).shares), sender, liquidity.shares);
            for (token, amount) in sides(liquidity) {
                state.transfer(token, reserves(world, liquidity.pool), sender, amount);
            }
        }
        ContractCall::CreateCollection { collection } => state.set_since(*collection, Some(state.height)),
        ContractCall::Mint { collection, number, to } => {
            state.set_owner(*collection, *number, Some(to.unwrap_or(sender)));
        }
        ContractCall::Burn { collection, number } => state.set_owner(*collection, *number, None),
        ContractCall::Give { collection, number, to } => state.set_owner(*collection, *number, Some(*to)),
        ContractCall::Stake { amount } => {
            state.transfer(reward, sender, world.role(PartyRole::Vault), *amount);
            state.set_staked(sender, state.staked(sender) + amount);
        }
        ContractCall::Unstake { amount } => {
            state.transfer(reward, world.role(PartyRole::Vault), sender, *amount);
            state.set_staked(sender, state.staked(sender).saturating_sub(*amount));
        }
        ContractCall::Claim { amount } => state.transfer(reward, world.role(PartyRole::Airdrop), sender, *amount),
        ContractCall::Supply { token, amount } => state.transfer(*token, sender, market(world), *amount),
        ContractCall::Ping { .. } => {}
    }
}

/// Returns the lending market's account.
pub(crate) fn market(world: &World) -> PartyId {
    world.role(PartyRole::Wrapper)
}

/// Returns the token that a swap sells and the token that it buys.
pub(crate) fn swap_tokens(swap: &Swap) -> [TokenId; 2] {
    let [first, second] = pool(swap.pool).sides.map(TokenId);
    if swap.forward { [first, second] } else { [second, first] }
}

/// Returns both tokens of a change in liquidity, with their amounts.
pub(crate) fn sides(liquidity: &Liquidity) -> [(TokenId, u128); 2] {
    let [first, second] = pool(liquidity.pool).sides.map(TokenId);
    let [one, other] = liquidity.sides;
    [(first, one), (second, other)]
}

/// Applies a deposit's hook, which lends the deposit to the market.
pub(crate) fn apply_deposit_hook(state: &mut LedgerState, world: &World, deposit: &DepositRecord, used: u128) {
    state.transfer(deposit.token, deposit.to, market(world), used);
    state.advance_sequence(deposit.to, 1);
}

/// Applies a packet's hook, which lends the tokens to the market for the receiver.
pub(crate) fn apply_arrival_hook(state: &mut LedgerState, world: &World, packet: &Packet) {
    refund(state, world, &Packet { local: market(world), ..packet.clone() });
}
