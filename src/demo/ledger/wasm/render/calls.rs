//! Calls of contracts that keep tokens.

use super::{
    bank,
    contract::run,
    nfts,
    requests::{asset_name, collection},
};
use crate::demo::ledger::{
    common::{
        record::{PartyId, TokenId},
        render::{View, scribe::Scribe},
        world::Party,
    },
    wasm::{
        apply::swap_assets,
        catalogue::{APPLICATIONS, PRICE_TOKEN, REWARD_TOKEN, SAVED_TOKEN, STAKED},
        record::{Asset, Call, Cw20, Swap},
        world::{self, Account, Single},
    },
};

/// The events of a call.
pub(crate) fn events(view: &View<'_>, scribe: &mut Scribe, sender: PartyId, call: &Call) {
    let caller = view.party(sender);
    let name = |id: PartyId| view.party(id).bech32.to_string();
    match *call {
        Call::Transfer { token, to, amount } => {
            let said = vec![("from", name(sender)), ("to", name(to)), ("amount", amount.to_string())];
            run(scribe, cw20(view, token), "transfer", said);
        }
        Call::Allow { token, spender, amount } => {
            let said = vec![("owner", name(sender)), ("spender", name(spender)), ("amount", amount.to_string())];
            run(scribe, cw20(view, token), "increase_allowance", said);
        }
        Call::TransferFrom { token, owner, to, amount } => {
            let mut said = vec![("from", name(owner)), ("to", name(to))];
            said.extend([("by", name(sender)), ("amount", amount.to_string())]);
            run(scribe, cw20(view, token), "transfer_from", said);
        }
        Call::Burn { token, amount } => {
            run(scribe, cw20(view, token), "burn", vec![("from", name(sender)), ("amount", amount.to_string())]);
        }
        Call::Mint { token, to, amount } => {
            run(scribe, cw20(view, token), "mint", vec![("to", name(to)), ("amount", amount.to_string())]);
        }
        Call::Stake { amount } => {
            let vault = single(view, Single::Vault);
            send(view, scribe, STAKED, [caller, vault], amount);
            run(scribe, vault, "bond", vec![("staker", name(sender)), ("amount", amount.to_string())]);
        }
        Call::Unstake { amount } => {
            let vault = single(view, Single::Vault);
            run(scribe, vault, "unbond", vec![("staker", name(sender)), ("amount", amount.to_string())]);
            hand_over(view, scribe, Asset::Contract(STAKED), [vault, caller], amount);
        }
        Call::Save { amount } => save(view, scribe, caller, amount),
        Call::TakeOut { amount } => {
            let savings = single(view, Single::Savings);
            run(scribe, savings, "take_out", vec![("saver", name(sender)), ("amount", amount.to_string())]);
            bank::transfer_inside(view, scribe, SAVED_TOKEN, [savings, caller], amount);
        }
        Call::HandOn { token, to, amount } => hand_on(view, scribe, token, [caller, view.party(to)], amount),
        Call::Claim { amount } => {
            let airdrop = single(view, Single::Airdrop);
            run(scribe, airdrop, "claim", vec![("address", name(sender)), ("amount", amount.to_string())]);
            bank::transfer_inside(view, scribe, REWARD_TOKEN, [airdrop, caller], amount);
        }
        Call::Swap(swap) => trade(view, scribe, caller, &swap),
        Call::Launch { collection: place, id, price } => {
            let launchpad = single(view, Single::Launchpad);
            let artist = view.party(world::account(view.world, Account::Artist));
            bank::transfer(view, scribe, PRICE_TOKEN, [caller, launchpad], price);
            let contract = collection(view, place).bech32.to_string();
            let said = vec![("collection", contract), ("buyer", name(sender)), ("price", price.to_string())];
            run(scribe, launchpad, "launch", said);
            bank::transfer_inside(view, scribe, PRICE_TOKEN, [launchpad, artist], price);
            nfts::mint(view, scribe, place, id, caller);
        }
        Call::Ping { application, argument } => {
            let contract = view.party(world::application(view.world, application));
            let action = APPLICATIONS.get(usize::from(application)).map_or("", |(_, action)| action);
            run(scribe, contract, action, vec![("sender", name(sender)), ("round", (argument % 100_000).to_string())]);
        }
        _ => nfts::events(view, scribe, caller, call),
    }
}

/// A contract that there is one of.
pub(super) fn single<'a>(view: &View<'a>, single: Single) -> &'a Party {
    view.party(world::single(view.world, single))
}

/// A CW-20 token's contract.
fn cw20<'a>(view: &View<'a>, token: Cw20) -> &'a Party {
    view.party(world::cw20(view.world, token))
}

/// CW-20 send: the tokens move, then their receiver is called.
fn send(view: &View<'_>, scribe: &mut Scribe, token: Cw20, [from, to]: [&Party; 2], amount: u128) {
    let said = vec![("from", from.bech32.to_string()), ("to", to.bech32.to_string()), ("amount", amount.to_string())];
    run(scribe, cw20(view, token), "send", said);
}

/// What a contract hands over of its own accord.
fn hand_over(view: &View<'_>, scribe: &mut Scribe, asset: Asset, [from, to]: [&Party; 2], amount: u128) {
    match asset {
        Asset::Coin(token) => bank::transfer_inside(view, scribe, token, [from, to], amount),
        Asset::Contract(token) => {
            let mut said = vec![("from", from.bech32.to_string()), ("to", to.bech32.to_string())];
            said.push(("amount", amount.to_string()));
            run(scribe, cw20(view, token), "transfer", said);
        }
    }
}

/// Saving, by a call or by a deposit's hook.
pub(super) fn save(view: &View<'_>, scribe: &mut Scribe, saver: &Party, amount: u128) {
    let savings = single(view, Single::Savings);
    bank::transfer(view, scribe, SAVED_TOKEN, [saver, savings], amount);
    run(scribe, savings, "save", vec![("saver", saver.bech32.to_string()), ("amount", amount.to_string())]);
}

/// What comes over IBC with a hook: the account that runs it has the postbox hand it to the receiver.
pub(super) fn hand_on(view: &View<'_>, scribe: &mut Scribe, token: TokenId, [account, to]: [&Party; 2], amount: u128) {
    let postbox = single(view, Single::Postbox);
    bank::transfer(view, scribe, token, [account, postbox], amount);
    run(scribe, postbox, "hand_on", vec![("recipient", to.bech32.to_string()), ("amount", amount.to_string())]);
    bank::transfer_inside(view, scribe, token, [postbox, to], amount);
}

/// A swap: what is sold comes as funds or by a CW-20 send, what is bought goes out.
fn trade(view: &View<'_>, scribe: &mut Scribe, trader: &Party, swap: &Swap) {
    let (sold, bought) = swap_assets(swap);
    let pool = view.party(world::pool(view.world, swap.pool));
    match sold {
        Asset::Coin(token) => bank::transfer(view, scribe, token, [trader, pool], swap.sold),
        Asset::Contract(token) => send(view, scribe, token, [trader, pool], swap.sold),
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
    run(scribe, pool, "swap", said);
    hand_over(view, scribe, bought, [pool, trader], swap.bought);
}
