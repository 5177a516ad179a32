//! Coins of the standard library. The stores of the named accounts show the movements.

use super::call::{MoveFunctionCall, shown};
use crate::{
    domain::{Address, Coin},
    story::{
        context::proof::{Proof, TracePlace},
        decode::DecodedEvent,
        move_events::MoveEvent,
        names::move_address::{derived, wide},
        words::{clause::Clause, phrase::Phrase, sentence::verb},
    },
};

/// Domain separator of an account's primary store.
const PRIMARY_STORE: u8 = 0xfc;
/// Domain separator of an object derived from a name.
const NAMED_OBJECT: u8 = 0xfe;

const WITHDRAW: &str = "0x1::fungible_asset::WithdrawEvent";
const DEPOSIT: &str = "0x1::fungible_asset::DepositEvent";

pub(super) fn clause(call: &MoveFunctionCall<'_>) -> Option<Clause> {
    match (call.module.as_str(), call.function.as_str()) {
        ("coin", "transfer") => transfer(call),
        ("managed_coin", "initialize") => Some(initialize(call)),
        ("managed_coin", "mint") => mint(call),
        ("managed_coin", "burn") => burn(call),
        _ => None,
    }
}

/// Returns the coin at these argument indices: token and amount.
pub(super) fn coin(call: &MoveFunctionCall<'_>, token: usize, amount: usize) -> Option<Coin> {
    let (token, amount) = (call.arguments.word(token)?, call.arguments.number(amount)?);
    Some(Coin { denom: call.context.denom_of(&token), amount })
}

/// Claims an asset's withdrawal from, or deposit into, this account's store.
fn moved(call: &MoveFunctionCall<'_>, tag: &'static str, party: [u8; 32], token: [u8; 32]) -> Option<(usize, Coin)> {
    let store = derived(&party, &token, PRIMARY_STORE);
    let owner = if tag == WITHDRAW { "WithdrawOwnerEvent" } else { "DepositOwnerEvent" };
    let found = call.taken(tag, |event| {
        event.word("metadata_addr") == Some(token)
            && (event.word("store_addr") == Some(store) || names_owner(call, event, owner, party))
    })?;
    Some((found.place, found.coin(call.context, "metadata_addr", "amount")?))
}

/// Whether an event moves an asset out of or into the account's primary store.
pub(crate) fn is_store_of(place: usize, event: &DecodedEvent, account: Address) -> bool {
    let moved = MoveEvent::of(place, event, |tag| matches!(tag, WITHDRAW | DEPOSIT));
    let parts = moved.and_then(|event| Some((event.word("store_addr")?, event.word("metadata_addr")?)));
    parts.is_some_and(|(store, token)| derived(&wide(account), &token, PRIMARY_STORE) == store)
}

/// Whether the event after a movement names this account as the store's owner.
fn names_owner(call: &MoveFunctionCall<'_>, event: &MoveEvent, name: &str, party: [u8; 32]) -> bool {
    let events = &call.run.seen.events;
    let next = events.binary_search_by_key(&(event.place + 1), |(place, _)| *place).ok();
    let next = next.and_then(|place| events.get(place));
    let owner = next.and_then(|(place, event)| {
        MoveEvent::of(*place, event, |tag| tag.strip_prefix("0x1::fungible_asset::") == Some(name))
    });
    owner.is_some_and(|event| event.word("owner") == Some(party))
}

/// Describes "sent 1 INIT to A".
fn transfer(call: &MoveFunctionCall<'_>) -> Option<Clause> {
    let (to, token) = (call.arguments.word(0)?, call.arguments.word(1)?);
    let asked = coin(call, 1, 2)?;
    let sender = call.run.sender();
    let sent = sender.and_then(|sender| moved(call, WITHDRAW, sender, token));
    let got = sent.as_ref().and_then(|_| moved(call, DEPOSIT, to, token));
    let words = call.context.words();
    let words = match &sent {
        Some((place, coin)) => words.coin(coin).by([*place]),
        None => words.coin(&asked),
    };
    let place = got.as_ref().map(|(place, _)| *place);
    let words = if sender == Some(to) {
        words.text(" to itself (no net change)").by(place)
    } else {
        words.text(" to ").word(call.party(to)).by(place)
    };
    let words = match (&sent, &got) {
        (Some((_, sent)), Some((place, got))) if sent != got => {
            words.text(", where ").coin(got).by([*place]).text(" arrived")
        }
        _ => words,
    };
    let proof = if got.is_some() { Proof::Shown } else { Proof::Absent };
    Some(call.clause(verb::SEND, words.done(), proof))
}

/// Describes "minted 1 TOKEN to A".
fn mint(call: &MoveFunctionCall<'_>) -> Option<Clause> {
    let (to, token) = (call.arguments.word(0)?, call.arguments.word(1)?);
    let asked = coin(call, 1, 2)?;
    let minted = supplied(call, "0x1::fungible_asset::MintEvent", token);
    let got = minted.as_ref().and_then(|_| moved(call, DEPOSIT, to, token));
    let words = call.context.words();
    let words = match &minted {
        Some((place, coin)) => words.coin(coin).by([*place]),
        None => words.coin(&asked),
    };
    let words = words.text(" to ").word(call.party(to)).by(got.as_ref().map(|(place, _)| *place));
    let proof = if got.is_some() { Proof::Shown } else { Proof::Absent };
    Some(call.clause(verb::MINT, words.done(), proof))
}

/// Describes "burned 1 TOKEN".
fn burn(call: &MoveFunctionCall<'_>) -> Option<Clause> {
    let (token, asked) = (call.arguments.word(0)?, coin(call, 0, 1)?);
    let burned = supplied(call, "0x1::fungible_asset::BurnEvent", token);
    let given = call.run.sender().filter(|_| burned.is_some()).and_then(|sender| moved(call, WITHDRAW, sender, token));
    let words = call.context.words();
    let words = match &burned {
        Some((place, coin)) => words.coin(coin).by([*place]).by(given.as_ref().map(|(place, _)| *place)),
        None => words.coin(&asked),
    };
    let proof = if burned.is_some() && given.is_some() { Proof::Shown } else { Proof::Absent };
    Some(call.clause(verb::BURN, words.done(), proof))
}

/// Claims the mint or burn of an asset.
fn supplied(call: &MoveFunctionCall<'_>, tag: &str, token: [u8; 32]) -> Option<(usize, Coin)> {
    let found = call.taken(tag, |event| event.word("metadata_addr") == Some(token))?;
    Some((found.place, found.coin(call.context, "metadata_addr", "amount")?))
}

/// Describes "created the token “Fake Money” (“FMD”) with 6 decimals".
fn initialize(call: &MoveFunctionCall<'_>) -> Clause {
    const CREATE: &str = "0x1::object::CreateEvent";
    let symbol = call.arguments.text(2);
    let object = call
        .run
        .sender()
        .zip(symbol.as_ref())
        .map(|(sender, symbol)| derived(&sender, symbol.as_bytes(), NAMED_OBJECT));
    let created = call.taken(CREATE, |event| event.word("object") == object);
    let place = created.as_ref().map(|event| event.place);
    let words = call.context.words().text("the token ");
    let words = match (call.arguments.text(1), symbol) {
        (Some(name), Some(symbol)) if name != symbol => {
            words.quote(&name).by(place).text(" (").quote(&symbol).text(")")
        }
        (_, Some(symbol)) => words.quote(&symbol).by(place),
        _ => words.text("of this message").by(place),
    };
    let words = match call.arguments.number(3) {
        Some(decimals) => words.text(format!(" with {decimals} decimals")),
        None => words,
    };
    call.clause(verb::CREATE, words.done(), shown(created.as_ref()))
}

/// Returns a coin that left the caller for a Cosmos message, with the bank's event if any.
pub(super) fn spent(call: &MoveFunctionCall<'_>, token: usize, number: usize) -> Option<(Vec<Phrase>, Option<usize>)> {
    let coin = coin(call, token, number)?;
    let sender = call.run.message.text("sender").unwrap_or_default();
    let place = call
        .run
        .seen
        .spent(&sender, &coin)
        .into_iter()
        .find(|place| call.context.claims.take(TracePlace::event(*place)));
    Some((call.context.words().coin(&coin).by(place).done(), place))
}
