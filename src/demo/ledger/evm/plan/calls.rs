//! Plans for calls and deployments of contracts.

#![expect(clippy::similar_names, reason = "granter and grantee, sender and spender are the field's words")]

use super::{PlannedTx, Planner, evm_style};
use crate::demo::ledger::{
    common::{
        catalogue::FEE_TOKEN,
        plan::ibc::owned,
        pool::bought,
        record::{PartyId, SignMode, TokenId},
        state::LedgerState,
        world::PartyRole,
    },
    evm::{
        Msg,
        apply::{reserves, swap_tokens, wrap_tokens},
        catalogue::{
            APPLICATIONS, BRIDGED_COLLECTION, COLLECTIONS, ITEM_KINDS, ITEMS, ITEMS_SINCE, POOLS, REWARD_TOKEN,
            UNLISTED_TOKEN, WRAP_FACTOR, WRAPS,
        },
        record::{ContractCall, Swap, VmMessage},
    },
};

/// ERC-20 tokens that users transfer by contract calls.
const SENT: [u8; 8] = [0, 1, 3, 8, 9, 10, 10, 11];

fn call(planner: &mut Planner<'_>, sender: PartyId, gas: u32, call: ContractCall) -> PlannedTx {
    let style = evm_style(planner);
    PlannedTx::new(sender, style, gas, Msg::Vm(VmMessage::Call { sender, call }))
}

pub(super) fn transfer(planner: &mut Planner<'_>) -> Option<PlannedTx> {
    let (sender, token, amount) = planner.holder(&SENT, 60)?;
    let to = planner.other(sender);
    Some(call(planner, sender, 92_000, ContractCall::Transfer { token, to, amount }))
}

pub(super) fn approve(planner: &mut Planner<'_>) -> Option<PlannedTx> {
    let (sender, token, amount) = planner.holder(&SENT, 500)?;
    let role = if planner.rng.chance(3, 4) { PartyRole::Disperser } else { PartyRole::Vault };
    let spender = planner.world.role(role);
    let amount = if planner.rng.chance(1, 8) { 0 } else { amount };
    Some(call(planner, sender, 74_000, ContractCall::Approve { token, spender, amount: Some(amount) }))
}

/// Returns an unlimited approval for a contract that the sender will use; `None` if it exists.
fn first_approve(planner: &mut Planner<'_>, sender: PartyId, token: TokenId, spender: PartyId) -> Option<PlannedTx> {
    if planner.state.approvals.contains(&(token, sender, spender)) {
        return None;
    }
    Some(call(planner, sender, 74_000, ContractCall::Approve { token, spender, amount: None }))
}

pub(super) fn pay(planner: &mut Planner<'_>) -> Option<PlannedTx> {
    let (sender, _, amount) = planner.holder(&[FEE_TOKEN], 40)?;
    let to = planner.other(sender);
    Some(call(planner, sender, 61_000, ContractCall::Pay { to, amount }))
}

pub(super) fn mint(planner: &mut Planner<'_>) -> Option<PlannedTx> {
    let sender = planner.user()?;
    let collection = planner.rng.place(usize::from(BRIDGED_COLLECTION));
    let id = planner.state.minted(collection) + 1;
    if id > COLLECTIONS.get(usize::from(collection))?.most {
        return None;
    }
    Some(call(planner, sender, 148_000, ContractCall::Mint { collection, id, to: sender }))
}

/// Plans a transaction that mints many of a collection's initial tokens.
pub(in crate::demo::ledger::evm) fn opening(planner: &mut Planner<'_>) -> Option<PlannedTx> {
    let (collection, ids) = planner.unminted(50)?;
    let sender = planner.world.role(PartyRole::Admin);
    let mint = |id| ContractCall::Mint { collection, id, to: planner.anybody() };
    let messages: Vec<Msg> = ids.map(mint).map(|call| Msg::Vm(VmMessage::Call { sender, call })).collect();
    let gas = 40_000 + 96_000 * u32::try_from(messages.len()).ok()?;
    Some(PlannedTx::of(sender, SignMode::Direct, gas, messages))
}

pub(super) fn give(planner: &mut Planner<'_>) -> Option<PlannedTx> {
    let collection = planner.rng.place(COLLECTIONS.len());
    let (id, owner) = owned(planner, collection)?;
    let to = planner.other(owner);
    Some(call(planner, owner, 112_000, ContractCall::Give { collection, id, to }))
}

pub(super) fn approve_all(planner: &mut Planner<'_>) -> Option<PlannedTx> {
    let sender = planner.user()?;
    let collection = planner.rng.place(COLLECTIONS.len());
    let approved = planner.rng.chance(9, 10);
    Some(call(planner, sender, 69_000, ContractCall::ApproveAll { collection, approved }))
}

pub(super) fn swap(planner: &mut Planner<'_>) -> Option<PlannedTx> {
    let pool = planner.rng.place(POOLS.len());
    let forward = planner.rng.chance(1, 2);
    let mut swap = Swap { pool, forward, sold: 0, bought: 0, reserves: [0; 2] };
    let (token, _) = swap_tokens(&swap);
    let (sender, token, amount) = planner.holder(&[token.0], 120)?;
    let router = planner.world.role(PartyRole::Router);
    if let Some(planned) = first_approve(planner, sender, token, router) {
        return Some(planned);
    }
    let [first, second] = reserves(planner.state, planner.world, pool);
    let (reserve_in, reserve_out) = if forward { (first, second) } else { (second, first) };
    swap.sold = amount.min(reserve_in / 50);
    swap.bought = bought(swap.sold, reserve_in, reserve_out);
    if swap.bought == 0 {
        return None;
    }
    let (after_in, after_out) = (reserve_in + swap.sold, reserve_out - swap.bought);
    swap.reserves = if forward { [after_in, after_out] } else { [after_out, after_in] };
    Some(call(planner, sender, 214_000, ContractCall::Swap(Box::new(swap))))
}

pub(super) fn to_local(planner: &mut Planner<'_>) -> Option<PlannedTx> {
    let wrap = planner.rng.place(WRAPS.len());
    let (remote, _) = wrap_tokens(wrap);
    let (sender, token, amount) = planner.holder(&[remote.0], 300)?;
    let wrapper = planner.world.role(PartyRole::Wrapper);
    if let Some(planned) = first_approve(planner, sender, token, wrapper) {
        return Some(planned);
    }
    Some(call(planner, sender, 231_000, ContractCall::ToLocal { wrap, amount }))
}

/// Returns an amount of the local token that converts to the foreign one without a remainder, and that the wrapper can
/// pay.
pub(super) fn whole_local(planner: &mut Planner<'_>, wrap: u8) -> Option<(PartyId, TokenId, u128)> {
    let (remote, local) = wrap_tokens(wrap);
    let (sender, _, amount) = planner.holder(&[local.0], 300)?;
    let locked = planner.state.balance(remote, planner.world.role(PartyRole::Wrapper));
    let whole = (amount / WRAP_FACTOR).min(locked);
    (whole > 0).then_some((sender, local, whole * WRAP_FACTOR))
}

pub(super) fn to_remote(planner: &mut Planner<'_>) -> Option<PlannedTx> {
    let wrap = planner.rng.place(WRAPS.len());
    let (sender, token, amount) = whole_local(planner, wrap)?;
    let wrapper = planner.world.role(PartyRole::Wrapper);
    if let Some(planned) = first_approve(planner, sender, token, wrapper) {
        return Some(planned);
    }
    Some(call(planner, sender, 226_000, ContractCall::ToRemote { wrap, amount }))
}

pub(super) fn stake(planner: &mut Planner<'_>) -> Option<PlannedTx> {
    let (sender, token, amount) = planner.holder(&[REWARD_TOKEN], 200)?;
    let vault = planner.world.role(PartyRole::Vault);
    if let Some(planned) = first_approve(planner, sender, token, vault) {
        return Some(planned);
    }
    Some(call(planner, sender, 128_000, ContractCall::Stake { amount }))
}

pub(super) fn unstake(planner: &mut Planner<'_>) -> Option<PlannedTx> {
    let (sender, amount) = planner.holder_of_some(LedgerState::staked)?;
    Some(call(planner, sender, 119_000, ContractCall::Unstake { amount }))
}

pub(super) fn claim(planner: &mut Planner<'_>) -> Option<PlannedTx> {
    let sender = planner.user()?;
    let left = planner.state.balance(TokenId(REWARD_TOKEN), planner.world.role(PartyRole::Airdrop));
    let amount = planner.rng.share(left / 20_000, 900);
    (amount > 0).then(|| call(planner, sender, 97_000, ContractCall::Claim { amount }))
}

pub(super) fn disperse(planner: &mut Planner<'_>) -> Option<PlannedTx> {
    let (sender, token, amount) = planner.holder(&SENT, 200)?;
    let disperser = planner.world.role(PartyRole::Disperser);
    if let Some(planned) = first_approve(planner, sender, token, disperser) {
        return Some(planned);
    }
    let count = 3 + planner.rng.index(9);
    let each = amount / u128::from(count);
    let mut to: Vec<PartyId> = Vec::with_capacity(count as usize);
    while to.len() < count as usize {
        let drawn = planner.other(sender);
        if !to.contains(&drawn) {
            to.push(drawn);
        }
    }
    let to = to.into_boxed_slice();
    (each > 0).then(|| call(planner, sender, 70_000 + 31_000 * count, ContractCall::Disperse { token, each, to }))
}

pub(super) fn burn(planner: &mut Planner<'_>) -> Option<PlannedTx> {
    let (sender, token, amount) = planner.holder(&[9, 10, 11], 20)?;
    Some(call(planner, sender, 64_000, ContractCall::Burn { token, amount }))
}

pub(super) fn ping(planner: &mut Planner<'_>) -> Option<PlannedTx> {
    let sender = planner.user()?;
    let application = planner.rng.place(APPLICATIONS.len());
    let argument = planner.rng.next();
    let returning = || returning_player(planner, argument);
    let sender = (application == ITEMS && argument.is_multiple_of(6)).then(returning).flatten().unwrap_or(sender);
    let made = match application {
        ITEMS if planner.height >= ITEMS_SINCE => items(planner, sender, argument),
        ITEMS => None,
        _ => unlisted(planner, sender, argument),
    };
    Some(call(planner, sender, 58_000, made.unwrap_or(ContractCall::Ping { application, argument })))
}

/// Returns a transfer of the token that no list names; `None` for two of three. `drawn` is a random number.
fn unlisted(planner: &Planner<'_>, sender: PartyId, drawn: u64) -> Option<ContractCall> {
    let held = planner.state.balance(UNLISTED_TOKEN, sender);
    let amount = held * u128::from(1 + (drawn >> 8) % 60) / 1_000;
    let to = PartyId(u32::try_from((drawn >> 24) % u64::from(planner.world.users())).ok()?);
    let is_moved = drawn.is_multiple_of(3) && amount > 0 && to != sender;
    is_moved.then_some(ContractCall::Transfer { token: UNLISTED_TOKEN, to, amount })
}

/// Returns an owner of items who can pay fees; `drawn` is a random number.
fn returning_player(planner: &Planner<'_>, drawn: u64) -> Option<PartyId> {
    let reserve = planner.world.catalogue.fee_reserve();
    let has_fee = |player: &PartyId| planner.spendable(TokenId(FEE_TOKEN), *player) > reserve;
    let holding = planner.state.items.iter().filter(|(_, count)| **count > 0).map(|((player, _), _)| *player);
    let players: Vec<PartyId> = holding.filter(has_fee).collect();
    let place = usize::try_from((drawn >> 8) % u64::try_from(players.len()).ok().filter(|count| *count > 0)?).ok()?;
    players.get(place).copied()
}

/// Returns a player's ERC-1155 call; `None` if the player only plays, as half of them do. `drawn` is a random number.
fn items(planner: &Planner<'_>, sender: PartyId, drawn: u64) -> Option<ContractCall> {
    let kind = u8::try_from((drawn >> 8) % ITEM_KINDS).ok()?;
    let count = 1 + (drawn >> 16) % 9;
    let held = planner.state.items.range((sender, 0)..=(sender, u8::MAX)).find(|(_, count)| **count > 0);
    match (drawn % 6, held) {
        (0 | 3, Some(((_, kind), held))) => {
            let to = PartyId(u32::try_from((drawn >> 24) % u64::from(planner.world.users())).ok()?);
            (to != sender).then(|| ContractCall::GiveItems { kind: *kind, count: count.min(*held), to })
        }
        (1, _) => {
            let other = u8::try_from((u64::from(kind) + 1 + (drawn >> 40) % (ITEM_KINDS - 1)) % ITEM_KINDS).ok()?;
            Some(ContractCall::MintBatch { kinds: [kind, other], count })
        }
        (0 | 2 | 3, _) => Some(ContractCall::MintItems { kind, count }),
        _ => None,
    }
}

pub(super) fn create(planner: &mut Planner<'_>) -> Option<PlannedTx> {
    let sender = planner.user()?;
    let nonce = planner.state.sequence(sender);
    let style = evm_style(planner);
    Some(PlannedTx::new(sender, style, 812_000, Msg::Vm(VmMessage::Create { sender, nonce, salt: None })))
}

pub(super) fn create2(planner: &mut Planner<'_>) -> Option<PlannedTx> {
    let sender = planner.user()?;
    let nonce = planner.state.sequence(sender);
    let salt = Some(planner.rng.next());
    Some(PlannedTx::new(sender, SignMode::Personal, 846_000, Msg::Vm(VmMessage::Create { sender, nonce, salt })))
}
