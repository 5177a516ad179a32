//! Movements of coins: what the stores of both sides say, and what the bank says of its own.

use super::{
    effects::{executed, moved},
    short,
};
use crate::demo::ledger::{
    common::{
        record::{PartyId, TokenId},
        render::{View, scribe::Scribe},
        world::Party,
    },
    derive,
};

/// A store's event with its owner's after it.
fn store_event(
    view: &View<'_>,
    scribe: &mut Scribe,
    kinds: [&'static str; 2],
    (token, owner): (TokenId, &Party),
    amount: u128,
) {
    let metadata = view.contract(token).word();
    let store = derive::primary_store(owner.word(), metadata);
    let tag = |kind: &str| format!("0x1::fungible_asset::{kind}");
    moved(scribe, tag(kinds[0]), |json| {
        json.field("store_addr", &short(store)).field("metadata_addr", &short(metadata)).number("amount", amount);
    });
    moved(scribe, tag(kinds[1]), |json| {
        json.field("owner", &short(owner.word()));
    });
}

/// Coins leave an owner's store.
pub(crate) fn withdraw(view: &View<'_>, scribe: &mut Scribe, token: TokenId, owner: &Party, amount: u128) {
    store_event(view, scribe, ["WithdrawEvent", "WithdrawOwnerEvent"], (token, owner), amount);
}

/// Coins come to an owner's store, which is made when it is their first.
pub(crate) fn deposit(view: &View<'_>, scribe: &mut Scribe, token: TokenId, owner: &Party, amount: u128) {
    let is_first = owner.id.is_some_and(|id| view.firsts.of(token, id) == Some(view.number));
    if is_first && view.number > 0 {
        open_store(view, scribe, token, owner);
    }
    store_event(view, scribe, ["DepositEvent", "DepositOwnerEvent"], (token, owner), amount);
}

/// The events of an owner's store that is made, once in a transaction.
fn open_store(view: &View<'_>, scribe: &mut Scribe, token: TokenId, owner: &Party) {
    let metadata = view.contract(token).word();
    let store = short(derive::primary_store(owner.word(), metadata));
    let holder = short(owner.word());
    if scribe.has_said("move", &store) {
        return;
    }
    moved(scribe, "0x1::object::CreateEvent".to_owned(), |json| {
        json.field("object", &store).field("owner", &holder).field("version", "1");
    });
    moved(scribe, "0x1::primary_fungible_store::PrimaryStoreCreatedEvent".to_owned(), |json| {
        json.field("owner_addr", &holder).field("store_addr", &store).field("metadata_addr", &short(metadata));
    });
}

/// Coins go from one store to another.
pub(crate) fn pass(view: &View<'_>, scribe: &mut Scribe, token: TokenId, [from, to]: [&Party; 2], amount: u128) {
    withdraw(view, scribe, token, from, amount);
    deposit(view, scribe, token, to, amount);
}

/// Coins are made or unmade, as the supply says.
pub(crate) fn supply(view: &View<'_>, scribe: &mut Scribe, kind: &str, token: TokenId, amount: u128) {
    let metadata = short(view.contract(token).word());
    moved(scribe, format!("0x1::fungible_asset::{kind}"), |json| {
        json.field("metadata_addr", &metadata).number("amount", amount);
    });
}

/// The sender of what the bank has the coin module do for an account.
fn for_account(party: &Party) -> String {
    format!("0x1,{}", short(party.word()))
}

/// A movement by the bank, which calls the coin module.
pub(crate) fn bank_transfer(
    view: &View<'_>,
    scribe: &mut Scribe,
    token: TokenId,
    [from, to]: [&Party; 2],
    amount: u128,
) {
    executed(scribe, &for_account(from), "0x1", "coin", "sudo_transfer");
    pass(view, scribe, token, [from, to], amount);
    scribe.moved(from, to, view.coin(token, amount));
}

/// Tokens made by a module.
pub(crate) fn bank_mint(view: &View<'_>, scribe: &mut Scribe, token: TokenId, module: &Party, amount: u128) {
    executed(scribe, "0x1", "0x1", "managed_coin", "sudo_mint");
    supply(view, scribe, "MintEvent", token, amount);
    deposit(view, scribe, token, module, amount);
    let (minter, coin) = (module.bech32.to_string(), view.coin(token, amount));
    scribe.emit("coinbase", vec![("minter", minter), ("amount", coin)]);
}

/// Tokens unmade by a module.
pub(crate) fn bank_burn(view: &View<'_>, scribe: &mut Scribe, token: TokenId, module: &Party, amount: u128) {
    executed(scribe, &for_account(module), "0x1", "managed_coin", "sudo_burn");
    withdraw(view, scribe, token, module, amount);
    supply(view, scribe, "BurnEvent", token, amount);
    let (burner, coin) = (module.bech32.to_string(), view.coin(token, amount));
    scribe.emit("burn", vec![("burner", burner), ("amount", coin)]);
}

/// A bank send to several accounts: the bank names them in order, the coin module moves to them from the last.
pub(crate) fn bank_multi_send(
    view: &View<'_>,
    scribe: &mut Scribe,
    token: TokenId,
    from: &Party,
    outputs: &[(PartyId, u128)],
) {
    let sender = from.bech32.to_string();
    let whole: u128 = outputs.iter().map(|(_, amount)| amount).sum();
    scribe.emit("message", vec![("sender", sender.clone())]);
    scribe.emit("coin_spent", vec![("spender", sender), ("amount", view.coin(token, whole))]);
    for (to, amount) in outputs {
        let (to, coin) = (view.party(*to).bech32.to_string(), view.coin(token, *amount));
        scribe.emit("coin_received", vec![("receiver", to.clone()), ("amount", coin.clone())]);
        scribe.emit("transfer", vec![("recipient", to), ("amount", coin)]);
    }
    executed(scribe, &for_account(from), "0x1", "coin", "sudo_multisend");
    for (to, amount) in outputs.iter().rev() {
        pass(view, scribe, token, [from, view.party(*to)], *amount);
    }
}
