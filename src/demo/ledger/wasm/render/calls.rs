//! Calls of contracts that hold tokens.

use super::{
    bank,
    contract::run,
    nfts,
    requests::{asset_name, collection},
};
use crate::demo::ledger::{
    common::{
        record::{PartyId, TokenId},
        render::{RenderView, event_writer::EventWriter},
        world::Party,
    },
    wasm::{
        apply::swap_assets,
        catalogue::{APPLICATIONS, PRICE_TOKEN, REWARD_TOKEN, SAVED_TOKEN, STAKED},
        record::{ContractCall, Cw20, PoolAsset, Swap},
        world::{self, Account, SingleContract},
    },
};

pub(crate) fn events(view: &RenderView<'_>, events: &mut EventWriter, sender: PartyId, call: &ContractCall) {
    let caller = view.party(sender);
    let name = |id: PartyId| view.party(id).bech32.to_string();
    match *call {
        ContractCall::Transfer { token, to, amount } => {
            let said = vec![("from", name(sender)), ("to", name(to)), ("amount", amount.to_string())];
            run(events, cw20(view, token), "transfer", said);
        }
        ContractCall::Allow { token, spender, amount } => {
            let said = vec![("owner", name(sender)), ("spender", name(spender)), ("amount", amount.to_string())];
            run(events, cw20(view, token), "increase_allowance", said);
        }
        ContractCall::TransferFrom { token, owner, to, amount } => {
            let mut said = vec![("from", name(owner)), ("to", name(to))];
            said.extend([("by", name(sender)), ("amount", amount.to_string())]);
            run(events, cw20(view, token), "transfer_from", said);
        }
        ContractCall::Burn { token, amount } => {
            run(events, cw20(view, token), "burn", vec![("from", name(sender)), ("amount", amount.to_string())]);
        }
        ContractCall::Mint { token, to, amount } => {
            run(events, cw20(view, token), "mint", vec![("to", name(to)), ("amount", amount.to_string())]);
        }
        ContractCall::Stake { amount } => {
            let vault = single_contract(view, SingleContract::Vault);
            send(view, events, STAKED, [caller, vault], amount);
            run(events, vault, "bond", vec![("staker", name(sender)), ("amount", amount.to_string())]);
        }
        ContractCall::Unstake { amount } => {
            let vault = single_contract(view, SingleContract::Vault);
            run(events, vault, "unbond", vec![("staker", name(sender)), ("amount", amount.to_string())]);
            hand_over(view, events, PoolAsset::Contract(STAKED), [vault, caller], amount);
        }
        ContractCall::Save { amount } => save(view, events, caller, amount),
        ContractCall::TakeOut { amount } => {
            let savings = single_contract(view, SingleContract::Savings);
            run(events, savings, "take_out", vec![("saver", name(sender)), ("amount", amount.to_string())]);
            bank::transfer_inside(view, events, SAVED_TOKEN, [savings, caller], amount);
        }
        ContractCall::HandOn { token, to, amount } => hand_on(view, events, token, [caller, view.party(to)], amount),
        ContractCall::Claim { amount } => {
            let airdrop = single_contract(view, SingleContract::Airdrop);
            run(events, airdrop, "claim", vec![("address", name(sender)), ("amount", amount.to_string())]);
            bank::transfer_inside(view, events, REWARD_TOKEN, [airdrop, caller], amount);
        }
        ContractCall::Swap(swap) => trade(view, events, caller, &swap),
        ContractCall::Launch { collection: place, id, price } => {
            let launchpad = single_contract(view, SingleContract::Launchpad);
            let artist = view.party(world::account(view.world, Account::Artist));
            bank::transfer(view, events, PRICE_TOKEN, [caller, launchpad], price);
            let contract = collection(view, place).bech32.to_string();
            let said = vec![("collection", contract), ("buyer", name(sender)), ("price", price.to_string())];
            run(events, launchpad, "launch", said);
            bank::transfer_inside(view, events, PRICE_TOKEN, [launchpad, artist], price);
            nfts::mint(view, events, place, id, caller);
        }
        ContractCall::Ping { application, argument } => {
            let contract = view.party(world::application(view.world, application));
            let action = APPLICATIONS.get(usize::from(application)).map_or("", |(_, action)| action);
            run(events, contract, action, vec![("sender", name(sender)), ("round", (argument % 100_000).to_string())]);
        }
        _ => nfts::events(view, events, caller, call),
    }
}

pub(super) fn single_contract<'a>(view: &RenderView<'a>, single_contract: SingleContract) -> &'a Party {
    view.party(world::single_contract(view.world, single_contract))
}

/// Returns a CW-20 token's contract.
fn cw20<'a>(view: &RenderView<'a>, token: Cw20) -> &'a Party {
    view.party(world::cw20(view.world, token))
}

/// Writes a CW-20 send: the transfer, then the call of the receiver.
fn send(view: &RenderView<'_>, events: &mut EventWriter, token: Cw20, [from, to]: [&Party; 2], amount: u128) {
    let said = vec![("from", from.bech32.to_string()), ("to", to.bech32.to_string()), ("amount", amount.to_string())];
    run(events, cw20(view, token), "send", said);
}

/// Writes a contract's own payment of an asset.
fn hand_over(view: &RenderView<'_>, events: &mut EventWriter, asset: PoolAsset, [from, to]: [&Party; 2], amount: u128) {
    match asset {
        PoolAsset::Coin(token) => bank::transfer_inside(view, events, token, [from, to], amount),
        PoolAsset::Contract(token) => {
            let mut said = vec![("from", from.bech32.to_string()), ("to", to.bech32.to_string())];
            said.push(("amount", amount.to_string()));
            run(events, cw20(view, token), "transfer", said);
        }
    }
}

/// Writes a deposit into savings, by a call or a deposit's hook.
pub(super) fn save(view: &RenderView<'_>, events: &mut EventWriter, saver: &Party, amount: u128) {
    let savings = single_contract(view, SingleContract::Savings);
    bank::transfer(view, events, SAVED_TOKEN, [saver, savings], amount);
    run(events, savings, "save", vec![("saver", saver.bech32.to_string()), ("amount", amount.to_string())]);
}

/// Writes the hook of a packet: its account has the postbox forward the coins to the receiver.
pub(super) fn hand_on(
    view: &RenderView<'_>,
    events: &mut EventWriter,
    token: TokenId,
    [account, to]: [&Party; 2],
    amount: u128,
) {
    let postbox = single_contract(view, SingleContract::Postbox);
    bank::transfer(view, events, token, [account, postbox], amount);
    run(events, postbox, "hand_on", vec![("recipient", to.bech32.to_string()), ("amount", amount.to_string())]);
    bank::transfer_inside(view, events, token, [postbox, to], amount);
}

/// Writes a swap: the input arrives as funds or by a CW-20 send, then the output leaves.
fn trade(view: &RenderView<'_>, events: &mut EventWriter, trader: &Party, swap: &Swap) {
    let (sold, bought) = swap_assets(swap);
    let pool = view.party(world::pool(view.world, swap.pool));
    match sold {
        PoolAsset::Coin(token) => bank::transfer(view, events, token, [trader, pool], swap.sold),
        PoolAsset::Contract(token) => send(view, events, token, [trader, pool], swap.sold),
    }
    let said = vec![
        ("sender", trader.bech32.to_string()),
        ("receiver", trader.bech32.to_string()),
        ("offer_asset", asset_name(view, sold)),
        ("ask_asset", asset_name(view, bought)),
        ("offer_amount", swap.sold.to_string()),
        ("return_amount", swap.bought.to_string()),
        ("commission_amount", (swap.bought / 997 * 3).to_string()),
    ];
    run(events, pool, "swap", said);
    hand_over(view, events, bought, [pool, trader], swap.bought);
}
