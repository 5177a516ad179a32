//! What the messages of the Wasm modules do to the state.

use super::{
    catalogue::{BRIDGED_COLLECTION, POOLS, PRICE_TOKEN, REWARD_TOKEN, SAVED_TOKEN, STAKED},
    record::{Asset, Call, Made, Swap, Vm, Voyage},
    state::{Contract, Offer, State},
    world::{Account, Single, account, pool, single},
};
use crate::demo::ledger::common::{
    catalogue::NFT_CHANNEL,
    record::{Deposit, PartyId},
    state::Fate,
    world::World,
};

/// Does what a successful message does.
pub(crate) fn apply(state: &mut State, world: &World, message: &Vm) {
    match message {
        Vm::Execute { sender, call } => apply_call(state, world, *sender, call),
        Vm::StoreCode { .. } => state.own.codes += 1,
        Vm::Instantiate { contract, .. } => make(state, *contract),
        Vm::Migrate { contract, code, .. } => {
            if let Some(contract) = state.own.contract(*contract) {
                contract.code = *code;
            }
        }
        Vm::SetAdmin { contract, admin: Some(admin), .. } => {
            if let Some(contract) = state.own.contract(*contract) {
                contract.admin = *admin;
            }
        }
        Vm::SetAdmin { contract, admin: None, .. } => state.own.made.retain(|other| other.made != *contract),
        Vm::CreateDenom { sender, number } => {
            state.own.denoms += 1;
            state.own.newest_denom = Some((*sender, *number));
        }
        Vm::Mint { token, amount, to, .. } => state.mint(*token, *to, *amount),
        Vm::Burn { sender, token, amount } => state.burn(*token, *sender, *amount),
        Vm::ChangeAdmin { token, admin, .. } => state.own.set_denom_admin(token.0, *admin),
        Vm::ReceiveNft { voyage, .. } => {
            state.set_owner(voyage.collection, voyage.id, Some(voyage.local));
            if voyage.is_first {
                state.set_since(voyage.collection, Some(state.height));
            }
            state.incoming[NFT_CHANNEL] += 1;
        }
        Vm::AnswerNft { voyage, fate, .. } => answer(state, voyage, *fate),
        Vm::MintUnknown { .. } | Vm::SetLabel { .. } | Vm::SetMetadata { .. } | Vm::SetSendHook { .. } => {}
    }
}

/// The maker is the admin of what they made.
fn make(state: &mut State, made: Made) {
    if made.is_salted {
        state.own.salts += 1;
    } else {
        state.own.instances += 1;
    }
    state.own.made.push(Contract { made, code: made.code, admin: made.maker });
}

fn apply_call(state: &mut State, world: &World, sender: PartyId, call: &Call) {
    match call {
        Call::Transfer { token, to, amount } => state.own.transfer(*token, sender, *to, *amount),
        Call::Allow { token, spender, amount } => state.own.allowed.push((*token, sender, *spender, *amount)),
        Call::TransferFrom { token, owner, to, amount } => {
            state.own.allowed.retain(|allowed| *allowed != (*token, *owner, sender, *amount));
            state.own.transfer(*token, *owner, *to, *amount);
        }
        Call::Burn { token, amount } => state.own.burn(*token, sender, *amount),
        Call::Mint { token, to, amount } => state.own.mint(*token, *to, *amount),
        Call::Stake { amount } => {
            state.own.transfer(STAKED, sender, single(world, Single::Vault), *amount);
            state.set_staked(sender, state.staked(sender) + amount);
        }
        Call::Unstake { amount } => {
            state.own.transfer(STAKED, single(world, Single::Vault), sender, *amount);
            state.set_staked(sender, state.staked(sender).saturating_sub(*amount));
        }
        Call::Save { amount } => save(state, world, sender, *amount),
        Call::TakeOut { amount } => {
            state.transfer(SAVED_TOKEN, single(world, Single::Savings), sender, *amount);
            state.own.take_saved(sender, *amount);
        }
        Call::HandOn { token, to, amount } => state.transfer(*token, sender, *to, *amount),
        Call::Claim { amount } => state.transfer(REWARD_TOKEN, single(world, Single::Airdrop), sender, *amount),
        Call::Swap(swap) => apply_swap(state, world, sender, *swap),
        _ => apply_nft_call(state, world, sender, call),
    }
}

fn apply_nft_call(state: &mut State, world: &World, sender: PartyId, call: &Call) {
    match *call {
        Call::MintNft { collection, id, owner } => state.set_owner(collection, id, Some(owner)),
        Call::Launch { collection, id, price } => {
            state.transfer(PRICE_TOKEN, sender, single(world, Single::Launchpad), price);
            state.transfer(PRICE_TOKEN, single(world, Single::Launchpad), account(world, Account::Artist), price);
            state.set_owner(collection, id, Some(sender));
        }
        Call::GiveNft { collection, id, to } => state.set_owner(collection, id, Some(to)),
        Call::OfferNft { collection, id, price } => {
            state.set_owner(collection, id, Some(single(world, Single::Marketplace)));
            state.own.offers.push(Offer { collection, id, price, seller: sender });
        }
        Call::BuyNft { collection, id, price, seller } => {
            state.transfer(PRICE_TOKEN, sender, single(world, Single::Marketplace), price);
            state.transfer(PRICE_TOKEN, single(world, Single::Marketplace), seller, price);
            state.set_owner(collection, id, Some(sender));
            state.own.close(collection, id);
        }
        Call::BurnNft { collection, id } => state.set_owner(collection, id, None),
        Call::BridgeNft { ref voyage, fate, wait } => {
            state.set_owner(voyage.collection, voyage.id, Some(single(world, Single::Ics721)));
            state.own.away.push((state.height + u64::from(wait), **voyage, fate));
            state.outgoing[NFT_CHANNEL] += 1;
        }
        _ => {}
    }
}

/// What the other chain said about an NFT that left: it is home there, or it comes back.
fn answer(state: &mut State, voyage: &Voyage, fate: Fate) {
    match fate {
        Fate::Accepted if voyage.collection == BRIDGED_COLLECTION => {
            state.set_owner(voyage.collection, voyage.id, None);
        }
        Fate::Accepted => {}
        Fate::Refused | Fate::Expired => state.set_owner(voyage.collection, voyage.id, Some(voyage.local)),
    }
}

/// What a swap sells and buys.
pub(crate) fn swap_assets(swap: &Swap) -> (Asset, Asset) {
    let (first, second) = POOLS.get(usize::from(swap.pool)).copied().unwrap_or(POOLS[0]);
    if swap.forward { (first, second) } else { (second, first) }
}

/// What a party holds of an asset.
pub(crate) fn holding(state: &State, asset: Asset, party: PartyId) -> u128 {
    match asset {
        Asset::Coin(token) => state.balance(token, party),
        Asset::Contract(token) => state.own.balance(token, party),
    }
}

/// What a pool holds of what a swap sells and buys.
pub(crate) fn reserves(state: &State, world: &World, swap: &Swap) -> (u128, u128) {
    let (sold, bought) = swap_assets(swap);
    let pool = pool(world, swap.pool);
    (holding(state, sold, pool), holding(state, bought, pool))
}

fn transfer(state: &mut State, asset: Asset, from: PartyId, to: PartyId, amount: u128) {
    match asset {
        Asset::Coin(token) => state.transfer(token, from, to, amount),
        Asset::Contract(token) => state.own.transfer(token, from, to, amount),
    }
}

fn apply_swap(state: &mut State, world: &World, trader: PartyId, swap: Swap) {
    let (sold, bought) = swap_assets(&swap);
    let pool = pool(world, swap.pool);
    transfer(state, sold, trader, pool, swap.sold);
    transfer(state, bought, pool, trader, swap.bought);
}

/// A deposit's hook: the receiver saves what arrives.
pub(crate) fn apply_deposit_hook(state: &mut State, world: &World, deposit: &Deposit, amount: u128) {
    save(state, world, deposit.to, amount);
    state.advance_sequence(deposit.to, 1);
}

fn save(state: &mut State, world: &World, saver: PartyId, amount: u128) {
    state.transfer(SAVED_TOKEN, saver, single(world, Single::Savings), amount);
    state.own.add_saved(saver, amount);
}
