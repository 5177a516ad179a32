//! Applies contract calls to the state.

use super::{
    catalogue::{POOLS, REWARD_TOKEN, WRAP_FACTOR, WRAPS},
    record::{ContractCall, Swap, VmMessage},
    world::pool,
};
use crate::demo::ledger::common::{
    catalogue::FEE_TOKEN,
    record::{DepositHook, DepositRecord, Packet, PartyId, TokenId},
    state::LedgerState,
    world::{PartyRole, World},
};

pub(crate) fn apply(state: &mut LedgerState, world: &World, message: &VmMessage) {
    match message {
        VmMessage::Call { sender, call } => apply_call(state, world, *sender, call),
        VmMessage::Create { .. } => {}
    }
}

fn apply_call(state: &mut LedgerState, world: &World, sender: PartyId, call: &ContractCall) {
    match call {
        ContractCall::Transfer { token, to, amount } => state.transfer(*token, sender, *to, *amount),
        ContractCall::Approve { token, spender, amount: None } => {
            state.approvals.insert((*token, sender, *spender));
        }
        ContractCall::Burn { token, amount } => state.burn(*token, sender, *amount),
        ContractCall::Pay { to, amount } => state.transfer(TokenId(FEE_TOKEN), sender, *to, *amount),
        ContractCall::Mint { collection, id, to } | ContractCall::Give { collection, id, to } => {
            state.set_owner(*collection, *id, Some(*to));
        }
        ContractCall::Swap(swap) => {
            let (sold, bought) = swap_tokens(swap);
            let reserves = pool(world, swap.pool);
            state.transfer(sold, sender, reserves, swap.sold);
            state.transfer(bought, reserves, sender, swap.bought);
        }
        ContractCall::ToLocal { wrap, amount } => to_local(state, world, sender, *wrap, *amount),
        ContractCall::ToRemote { wrap, amount } => {
            let (remote, local) = wrap_tokens(*wrap);
            state.burn(local, sender, *amount);
            state.transfer(remote, world.role(PartyRole::Wrapper), sender, amount / WRAP_FACTOR);
        }
        ContractCall::Stake { amount } => {
            state.transfer(TokenId(REWARD_TOKEN), sender, world.role(PartyRole::Vault), *amount);
            state.set_staked(sender, state.staked(sender) + amount);
        }
        ContractCall::Unstake { amount } => {
            state.transfer(TokenId(REWARD_TOKEN), world.role(PartyRole::Vault), sender, *amount);
            state.set_staked(sender, state.staked(sender).saturating_sub(*amount));
        }
        ContractCall::Claim { amount } => {
            state.transfer(TokenId(REWARD_TOKEN), world.role(PartyRole::Airdrop), sender, *amount);
        }
        ContractCall::Disperse { token, each, to } => {
            to.iter().for_each(|to| state.transfer(*token, sender, *to, *each));
        }
        ContractCall::MintItems { kind, count } => *state.items.entry((sender, *kind)).or_default() += count,
        ContractCall::MintBatch { kinds: [first, second], count } => {
            *state.items.entry((sender, *first)).or_default() += count;
            *state.items.entry((sender, *second)).or_default() += count * 2;
        }
        ContractCall::GiveItems { kind, count, to } => {
            let held = state.items.entry((sender, *kind)).or_default();
            *held = held.saturating_sub(*count);
            *state.items.entry((*to, *kind)).or_default() += count;
        }
        ContractCall::Approve { .. } | ContractCall::ApproveAll { .. } | ContractCall::Ping { .. } => {}
    }
}

/// Returns the token that a swap sells and the token that it buys.
pub(crate) fn swap_tokens(swap: &Swap) -> (TokenId, TokenId) {
    let (first, second) = POOLS.get(usize::from(swap.pool)).copied().unwrap_or_default();
    if swap.forward { (TokenId(first), TokenId(second)) } else { (TokenId(second), TokenId(first)) }
}

/// Returns the tokens of a wrapped pair: the foreign token, then the local token.
pub(crate) fn wrap_tokens(wrap: u8) -> (TokenId, TokenId) {
    let (remote, local) = WRAPS.get(usize::from(wrap)).copied().unwrap_or_default();
    (TokenId(remote), TokenId(local))
}

fn to_local(state: &mut LedgerState, world: &World, owner: PartyId, wrap: u8, amount: u128) {
    let (remote, local) = wrap_tokens(wrap);
    state.transfer(remote, owner, world.role(PartyRole::Wrapper), amount);
    state.mint(local, owner, amount * WRAP_FACTOR);
}

/// Applies a deposit's hook: the receiver approves the wrapper and converts what it may take, which uses up an exact
/// allowance.
pub(crate) fn apply_deposit_hook(state: &mut LedgerState, world: &World, deposit: &DepositRecord, converted: u128) {
    let given = (deposit.token, deposit.to, world.role(PartyRole::Wrapper));
    if matches!(deposit.hook, DepositHook::RunExact { .. }) {
        state.approvals.remove(&given);
    } else {
        state.approvals.insert(given);
    }
    to_local(state, world, deposit.to, 0, converted);
    state.advance_sequence(deposit.to, 2);
}

/// Applies a packet's hook, which converts the tokens for the receiver.
pub(crate) fn apply_arrival_hook(state: &mut LedgerState, world: &World, packet: &Packet, wrap: u8) {
    let (remote, local) = wrap_tokens(wrap);
    state.mint(remote, world.role(PartyRole::Wrapper), packet.amount);
    state.mint(local, packet.local, packet.amount * WRAP_FACTOR);
}

/// Returns a pool's reserves, in the order of its tokens.
pub(crate) fn reserves(state: &LedgerState, world: &World, place: u8) -> [u128; 2] {
    let (first, second) = POOLS.get(usize::from(place)).copied().unwrap_or_default();
    [first, second].map(|token| state.balance(TokenId(token), pool(world, place)))
}
