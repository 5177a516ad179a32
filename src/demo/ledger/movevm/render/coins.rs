//! Renders movements of coins: events of both stores, and bank events.

use super::{
    effects::{executed, moved},
    short,
};
use crate::{
    demo::ledger::{
        common::{
            record::{PartyId, TokenId},
            render::{BankEvents, RenderView, event_writer::EventWriter},
            world::Party,
        },
        derive,
        movevm::Move,
    },
    events::names::{COIN_RECEIVED, COIN_SPENT, COINBASE},
};

fn store_event(
    view: &RenderView<'_>,
    events: &mut EventWriter,
    kinds: [&'static str; 2],
    (token, owner): (TokenId, &Party),
    amount: u128,
) {
    let metadata = view.contract(token).word();
    let store = derive::primary_store(owner.word(), metadata);
    let tag = |kind: &str| format!("0x1::fungible_asset::{kind}");
    moved(events, tag(kinds[0]), |json| {
        json.field("store_addr", &short(store)).field("metadata_addr", &short(metadata)).number("amount", amount);
    });
    moved(events, tag(kinds[1]), |json| {
        json.field("owner", &short(owner.word()));
    });
}

/// Writes the events of a withdrawal from an owner's store.
pub(crate) fn withdraw(view: &RenderView<'_>, events: &mut EventWriter, token: TokenId, owner: &Party, amount: u128) {
    store_event(view, events, ["WithdrawEvent", "WithdrawOwnerEvent"], (token, owner), amount);
}

/// Writes the events of a deposit into an owner's store. The first deposit creates the store.
pub(crate) fn deposit(view: &RenderView<'_>, events: &mut EventWriter, token: TokenId, owner: &Party, amount: u128) {
    let is_first = owner.id.is_some_and(|id| view.firsts.of(token, id) == Some(view.number));
    if is_first && view.number > 0 {
        open_store(view, events, token, owner);
    }
    store_event(view, events, ["DepositEvent", "DepositOwnerEvent"], (token, owner), amount);
}

/// Writes the events that create an owner's store, once per transaction.
fn open_store(view: &RenderView<'_>, events: &mut EventWriter, token: TokenId, owner: &Party) {
    let metadata = view.contract(token).word();
    let store = short(derive::primary_store(owner.word(), metadata));
    let holder = short(owner.word());
    if events.has_said("move", &store) {
        return;
    }
    moved(events, "0x1::object::CreateEvent".to_owned(), |json| {
        json.field("object", &store).field("owner", &holder).field("version", "1");
    });
    moved(events, "0x1::primary_fungible_store::PrimaryStoreCreatedEvent".to_owned(), |json| {
        json.field("owner_addr", &holder).field("store_addr", &store).field("metadata_addr", &short(metadata));
    });
}

/// Writes the events of a movement between two stores.
pub(crate) fn pass(
    view: &RenderView<'_>,
    events: &mut EventWriter,
    token: TokenId,
    [from, to]: [&Party; 2],
    amount: u128,
) {
    withdraw(view, events, token, from, amount);
    deposit(view, events, token, to, amount);
}

/// Writes the supply's event of a mint or burn.
pub(crate) fn supply(view: &RenderView<'_>, events: &mut EventWriter, kind: &str, token: TokenId, amount: u128) {
    let metadata = short(view.contract(token).word());
    moved(events, format!("0x1::fungible_asset::{kind}"), |json| {
        json.field("metadata_addr", &metadata).number("amount", amount);
    });
}

/// Returns the sender that the coin module's event names when the bank acts for an account.
fn for_account(party: &Party) -> String {
    format!("0x1,{}", short(party.word()))
}

impl BankEvents for Move {
    /// Writes the events of a bank transfer, which calls the coin module.
    fn bank_transfer(
        view: &RenderView<'_>,
        events: &mut EventWriter,
        token: TokenId,
        [from, to]: [&Party; 2],
        amount: u128,
    ) {
        executed(events, &for_account(from), "0x1", "coin", "sudo_transfer");
        pass(view, events, token, [from, to], amount);
        events.moved(from, to, view.coin(token, amount));
    }

    fn bank_mint(view: &RenderView<'_>, events: &mut EventWriter, token: TokenId, module: &Party, amount: u128) {
        executed(events, "0x1", "0x1", "managed_coin", "sudo_mint");
        supply(view, events, "MintEvent", token, amount);
        deposit(view, events, token, module, amount);
        let (minter, coin) = (module.bech32.to_string(), view.coin(token, amount));
        events.emit(COINBASE, vec![("minter", minter), ("amount", coin)]);
    }

    fn bank_burn(view: &RenderView<'_>, events: &mut EventWriter, token: TokenId, module: &Party, amount: u128) {
        executed(events, &for_account(module), "0x1", "managed_coin", "sudo_burn");
        withdraw(view, events, token, module, amount);
        supply(view, events, "BurnEvent", token, amount);
        let (burner, coin) = (module.bech32.to_string(), view.coin(token, amount));
        events.emit("burn", vec![("burner", burner), ("amount", coin)]);
    }

    /// Writes the events of a bank transfer to several accounts. The bank's events are in order, the coin module's in
    /// reverse.
    fn bank_multi_send(
        view: &RenderView<'_>,
        events: &mut EventWriter,
        token: TokenId,
        from: &Party,
        outputs: &[(PartyId, u128)],
    ) {
        let sender = from.bech32.to_string();
        let whole: u128 = outputs.iter().map(|(_, amount)| amount).sum();
        events.emit("message", vec![("sender", sender.clone())]);
        events.emit(COIN_SPENT, vec![("spender", sender), ("amount", view.coin(token, whole))]);
        for (to, amount) in outputs {
            let (to, coin) = (view.party(*to).bech32.to_string(), view.coin(token, *amount));
            events.emit(COIN_RECEIVED, vec![("receiver", to.clone()), ("amount", coin.clone())]);
            events.emit("transfer", vec![("recipient", to), ("amount", coin)]);
        }
        executed(events, &for_account(from), "0x1", "coin", "sudo_multisend");
        for (to, amount) in outputs.iter().rev() {
            pass(view, events, token, [from, view.party(*to)], *amount);
        }
    }
}
