//! State changes of the Wasm modules' messages.

use super::{
    catalogue::{BRIDGED_COLLECTION, POOLS, PRICE_TOKEN, REWARD_TOKEN, SAVED_TOKEN, STAKED},
    record::{ContractCall, CreatedContract, NftTransfer, PoolAsset, Swap, VmMessage},
    state::{Contract, LedgerState, MarketOffer},
    world::{Account, SingleContract, account, pool, single_contract},
};
use crate::demo::ledger::PacketOutcome;
use crate::demo::ledger::common::{
    catalogue::NFT_CHANNEL,
    record::{DepositRecord, PartyId},
    world::World,
};

pub(crate) fn apply(state: &mut LedgerState, world: &World, message: &VmMessage) {
    match message {
        VmMessage::Execute { sender, call } => apply_call(state, world, *sender, call),
        VmMessage::StoreCode { .. } => state.own.codes += 1,
        VmMessage::Instantiate { contract, .. } => make(state, *contract),
        VmMessage::Migrate { contract, code, .. } => {
            if let Some(contract) = state.own.contract(*contract) {
                contract.code = *code;
            }
        }
        VmMessage::SetAdmin { contract, admin: Some(admin), .. } => {
            if let Some(contract) = state.own.contract(*contract) {
                contract.admin = *admin;
            }
        }
        VmMessage::SetAdmin { contract, admin: None, .. } => state.own.made.retain(|other| other.made != *contract),
        VmMessage::CreateDenom { sender, number } => {
            state.own.denoms += 1;
            state.own.newest_denom = Some((*sender, *number));
        }
        VmMessage::Mint { token, amount, to, .. } => state.mint(*token, *to, *amount),
        VmMessage::Burn { sender, token, amount } => state.burn(*token, *sender, *amount),
        VmMessage::ChangeAdmin { token, admin, .. } => state.own.set_denom_admin(token.0, *admin),
        VmMessage::ReceiveNft { nft_transfer, .. } => {
            state.set_owner(nft_transfer.collection, nft_transfer.id, Some(nft_transfer.local));
            if nft_transfer.is_first {
                state.set_since(nft_transfer.collection, Some(state.height));
            }
            state.incoming[NFT_CHANNEL] += 1;
        }
        VmMessage::AnswerNft { nft_transfer, packet_outcome, .. } => answer(state, nft_transfer, *packet_outcome),
        VmMessage::MintUnknown { .. }
        | VmMessage::SetLabel { .. }
        | VmMessage::SetMetadata { .. }
        | VmMessage::SetSendHook { .. } => {}
    }
}

/// Adds a contract with its creator as admin.
fn make(state: &mut LedgerState, made: CreatedContract) {
    if made.is_salted {
        state.own.salts += 1;
    } else {
        state.own.instances += 1;
    }
    state.own.made.push(Contract { made, code: made.code, admin: made.maker });
}

fn apply_call(state: &mut LedgerState, world: &World, sender: PartyId, call: &ContractCall) {
    match call {
        ContractCall::Transfer { token, to, amount } => state.own.transfer(*token, sender, *to, *amount),
        ContractCall::Allow { token, spender, amount } => state.own.allowed.push((*token, sender, *spender, *amount)),
        ContractCall::TransferFrom { token, owner, to, amount } => {
            state.own.allowed.retain(|allowed| *allowed != (*token, *owner, sender, *amount));
            state.own.transfer(*token, *owner, *to, *amount);
        }
        ContractCall::Burn { token, amount } => state.own.burn(*token, sender, *amount),
        ContractCall::Mint { token, to, amount } => state.own.mint(*token, *to, *amount),
        ContractCall::Stake { amount } => {
            state.own.transfer(STAKED, sender, single_contract(world, SingleContract::Vault), *amount);
            state.set_staked(sender, state.staked(sender) + amount);
        }
        ContractCall::Unstake { amount } => {
            state.own.transfer(STAKED, single_contract(world, SingleContract::Vault), sender, *amount);
            state.set_staked(sender, state.staked(sender).saturating_sub(*amount));
        }
        ContractCall::Save { amount } => save(state, world, sender, *amount),
        ContractCall::TakeOut { amount } => {
            state.transfer(SAVED_TOKEN, single_contract(world, SingleContract::Savings), sender, *amount);
            state.own.take_saved(sender, *amount);
        }
        ContractCall::HandOn { token, to, amount } => state.transfer(*token, sender, *to, *amount),
        ContractCall::Claim { amount } => {
            state.transfer(REWARD_TOKEN, single_contract(world, SingleContract::Airdrop), sender, *amount);
        }
        ContractCall::Swap(swap) => apply_swap(state, world, sender, *swap),
        _ => apply_nft_call(state, world, sender, call),
    }
}

fn apply_nft_call(state: &mut LedgerState, world: &World, sender: PartyId, call: &ContractCall) {
    match *call {
        ContractCall::MintNft { collection, id, owner } => state.set_owner(collection, id, Some(owner)),
        ContractCall::Launch { collection, id, price } => {
            state.transfer(PRICE_TOKEN, sender, single_contract(world, SingleContract::Launchpad), price);
            state.transfer(
                PRICE_TOKEN,
                single_contract(world, SingleContract::Launchpad),
                account(world, Account::Artist),
                price,
            );
            state.set_owner(collection, id, Some(sender));
        }
        ContractCall::GiveNft { collection, id, to } => state.set_owner(collection, id, Some(to)),
        ContractCall::OfferNft { collection, id, price } => {
            state.set_owner(collection, id, Some(single_contract(world, SingleContract::Marketplace)));
            state.own.offers.push(MarketOffer { collection, id, price, seller: sender });
        }
        ContractCall::BuyNft { collection, id, price, seller } => {
            state.transfer(PRICE_TOKEN, sender, single_contract(world, SingleContract::Marketplace), price);
            state.transfer(PRICE_TOKEN, single_contract(world, SingleContract::Marketplace), seller, price);
            state.set_owner(collection, id, Some(sender));
            state.own.close(collection, id);
        }
        ContractCall::BurnNft { collection, id } => state.set_owner(collection, id, None),
        ContractCall::BridgeNft { ref nft_transfer, packet_outcome, wait } => {
            state.set_owner(
                nft_transfer.collection,
                nft_transfer.id,
                Some(single_contract(world, SingleContract::Ics721)),
            );
            state.own.away.push((state.height + u64::from(wait), **nft_transfer, packet_outcome));
            state.outgoing[NFT_CHANNEL] += 1;
        }
        _ => {}
    }
}

/// Applies the outcome for a sent NFT: delivered, or returned.
fn answer(state: &mut LedgerState, nft_transfer: &NftTransfer, packet_outcome: PacketOutcome) {
    match packet_outcome {
        PacketOutcome::Accepted if nft_transfer.collection == BRIDGED_COLLECTION => {
            state.set_owner(nft_transfer.collection, nft_transfer.id, None);
        }
        PacketOutcome::Accepted => {}
        PacketOutcome::Refused | PacketOutcome::Expired => {
            state.set_owner(nft_transfer.collection, nft_transfer.id, Some(nft_transfer.local));
        }
    }
}

/// Returns the sold and the bought asset of a swap.
pub(crate) fn swap_assets(swap: &Swap) -> (PoolAsset, PoolAsset) {
    let (first, second) = POOLS.get(usize::from(swap.pool)).copied().unwrap_or(POOLS[0]);
    if swap.forward { (first, second) } else { (second, first) }
}

pub(crate) fn holding(state: &LedgerState, asset: PoolAsset, party: PartyId) -> u128 {
    match asset {
        PoolAsset::Coin(token) => state.balance(token, party),
        PoolAsset::Contract(token) => state.own.balance(token, party),
    }
}

/// Returns a pool's reserves of the sold and the bought asset.
pub(crate) fn reserves(state: &LedgerState, world: &World, swap: &Swap) -> (u128, u128) {
    let (sold, bought) = swap_assets(swap);
    let pool = pool(world, swap.pool);
    (holding(state, sold, pool), holding(state, bought, pool))
}

fn transfer(state: &mut LedgerState, asset: PoolAsset, from: PartyId, to: PartyId, amount: u128) {
    match asset {
        PoolAsset::Coin(token) => state.transfer(token, from, to, amount),
        PoolAsset::Contract(token) => state.own.transfer(token, from, to, amount),
    }
}

fn apply_swap(state: &mut LedgerState, world: &World, trader: PartyId, swap: Swap) {
    let (sold, bought) = swap_assets(&swap);
    let pool = pool(world, swap.pool);
    transfer(state, sold, trader, pool, swap.sold);
    transfer(state, bought, pool, trader, swap.bought);
}

/// Applies a deposit's hook: the receiver saves the deposit.
pub(crate) fn apply_deposit_hook(state: &mut LedgerState, world: &World, deposit: &DepositRecord, amount: u128) {
    save(state, world, deposit.to, amount);
    state.advance_sequence(deposit.to, 1);
}

fn save(state: &mut LedgerState, world: &World, saver: PartyId, amount: u128) {
    state.transfer(SAVED_TOKEN, saver, single_contract(world, SingleContract::Savings), amount);
    state.own.add_saved(saver, amount);
}
