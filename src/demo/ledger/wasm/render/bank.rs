//! The bank, which is the Cosmos SDK's own on Wasm rollups.

use crate::demo::ledger::common::{
    record::{PartyId, TokenId},
    render::{RenderView, event_writer::EventWriter},
    world::Party,
};

/// A movement asked for by a message.
pub(crate) fn transfer(
    view: &RenderView<'_>,
    events: &mut EventWriter,
    token: TokenId,
    [from, to]: [&Party; 2],
    amount: u128,
) {
    events.moved(from, to, view.coin(token, amount));
}

/// A movement asked for by a contract: nodes drop `message` events there.
pub(crate) fn transfer_inside(
    view: &RenderView<'_>,
    events: &mut EventWriter,
    token: TokenId,
    [from, to]: [&Party; 2],
    amount: u128,
) {
    let coin = view.coin(token, amount);
    let (sender, recipient) = (from.bech32.to_string(), to.bech32.to_string());
    events.emit("coin_spent", vec![("spender", sender.clone()), ("amount", coin.clone())]);
    events.emit("coin_received", vec![("receiver", recipient.clone()), ("amount", coin.clone())]);
    events.emit("transfer", vec![("recipient", recipient), ("sender", sender), ("amount", coin)]);
}

/// Tokens made by a module.
pub(crate) fn mint(view: &RenderView<'_>, events: &mut EventWriter, token: TokenId, module: &Party, amount: u128) {
    let (coin, module) = (view.coin(token, amount), module.bech32.to_string());
    events.emit("coin_received", vec![("receiver", module.clone()), ("amount", coin.clone())]);
    events.emit("coinbase", vec![("minter", module), ("amount", coin)]);
}

/// Tokens unmade by a module.
pub(crate) fn burn(view: &RenderView<'_>, events: &mut EventWriter, token: TokenId, module: &Party, amount: u128) {
    let (coin, module) = (view.coin(token, amount), module.bech32.to_string());
    events.emit("coin_spent", vec![("spender", module.clone()), ("amount", coin.clone())]);
    events.emit("burn", vec![("burner", module), ("amount", coin)]);
}

/// A send to several accounts: one is debited at once, and each of the others has two events.
pub(crate) fn multi_send(
    view: &RenderView<'_>,
    events: &mut EventWriter,
    token: TokenId,
    from: &Party,
    outputs: &[(PartyId, u128)],
) {
    let whole = outputs.iter().map(|(_, amount)| amount).sum();
    let sender = from.bech32.to_string();
    events.emit("coin_spent", vec![("spender", sender.clone()), ("amount", view.coin(token, whole))]);
    events.emit("message", vec![("sender", sender.clone())]);
    for (to, amount) in outputs {
        let (recipient, coin) = (view.party(*to).bech32.to_string(), view.coin(token, *amount));
        events.emit("coin_received", vec![("receiver", recipient.clone()), ("amount", coin.clone())]);
        events.emit("transfer", vec![("recipient", recipient), ("sender", sender.clone()), ("amount", coin)]);
    }
}
