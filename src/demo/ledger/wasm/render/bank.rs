//! Renders the bank of the Cosmos SDK, as on Wasm rollups.

use crate::{
    demo::ledger::{
        common::{
            record::{PartyId, TokenId},
            render::{BankEvents, RenderView, event_writer::EventWriter},
            world::Party,
        },
        wasm::Wasm,
    },
    events::names::{COIN_RECEIVED, COIN_SPENT, COINBASE},
};

/// Writes the events of a transfer by a contract, for which nodes omit the `message` events.
pub(crate) fn transfer_inside(
    view: &RenderView<'_>,
    events: &mut EventWriter,
    token: TokenId,
    [from, to]: [&Party; 2],
    amount: u128,
) {
    let coin = view.coin(token, amount);
    let (sender, recipient) = (from.bech32.to_string(), to.bech32.to_string());
    events.emit(COIN_SPENT, vec![("spender", sender.clone()), ("amount", coin.clone())]);
    events.emit(COIN_RECEIVED, vec![("receiver", recipient.clone()), ("amount", coin.clone())]);
    events.emit("transfer", vec![("recipient", recipient), ("sender", sender), ("amount", coin)]);
}

impl BankEvents for Wasm {
    /// Writes the events of a transfer by a bank message.
    fn bank_transfer(
        view: &RenderView<'_>,
        events: &mut EventWriter,
        token: TokenId,
        [from, to]: [&Party; 2],
        amount: u128,
    ) {
        events.moved(from, to, view.coin(token, amount));
    }

    fn bank_mint(view: &RenderView<'_>, events: &mut EventWriter, token: TokenId, module: &Party, amount: u128) {
        let (coin, module) = (view.coin(token, amount), module.bech32.to_string());
        events.emit(COIN_RECEIVED, vec![("receiver", module.clone()), ("amount", coin.clone())]);
        events.emit(COINBASE, vec![("minter", module), ("amount", coin)]);
    }

    fn bank_burn(view: &RenderView<'_>, events: &mut EventWriter, token: TokenId, module: &Party, amount: u128) {
        let (coin, module) = (view.coin(token, amount), module.bech32.to_string());
        events.emit(COIN_SPENT, vec![("spender", module.clone()), ("amount", coin.clone())]);
        events.emit("burn", vec![("burner", module), ("amount", coin)]);
    }

    /// Writes the events of a transfer to several accounts: one debit, and two events per recipient.
    fn bank_multi_send(
        view: &RenderView<'_>,
        events: &mut EventWriter,
        token: TokenId,
        from: &Party,
        outputs: &[(PartyId, u128)],
    ) {
        let whole = outputs.iter().map(|(_, amount)| amount).sum();
        let sender = from.bech32.to_string();
        events.emit(COIN_SPENT, vec![("spender", sender.clone()), ("amount", view.coin(token, whole))]);
        events.emit("message", vec![("sender", sender.clone())]);
        for (to, amount) in outputs {
            let (recipient, coin) = (view.party(*to).bech32.to_string(), view.coin(token, *amount));
            events.emit(COIN_RECEIVED, vec![("receiver", recipient.clone()), ("amount", coin.clone())]);
            events.emit("transfer", vec![("recipient", recipient), ("sender", sender.clone()), ("amount", coin)]);
        }
    }
}
