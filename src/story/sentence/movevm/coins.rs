//! Coins of the standard library.

use super::{MoveFunctionCall, VerbPhrase};
use crate::{
    domain::Coin,
    story::{Phrase, context::PhraseBuilder, sentence::verb},
};

pub(super) fn verb_phrase(call: &MoveFunctionCall<'_>) -> Option<VerbPhrase> {
    match (call.module.as_str(), call.function.as_str()) {
        ("coin", "transfer") => transfer(call),
        ("managed_coin", "initialize") => Some(initialize(call)),
        ("managed_coin", "mint") => mint(call),
        ("managed_coin", "burn") => burn(call),
        _ => None,
    }
}

/// An amount of the coin and the number at these places.
fn coin(call: &MoveFunctionCall<'_>, token: usize, amount: usize) -> Option<Coin> {
    let (token, amount) = (call.arguments.word(token)?, call.arguments.number(amount)?);
    Some(Coin { denom: call.context.denom_of(&token), amount })
}

/// "sent 1 INIT to A".
fn transfer(call: &MoveFunctionCall<'_>) -> Option<VerbPhrase> {
    let (to, coin) = (call.arguments.word(0)?, coin(call, 1, 2)?);
    let is_own = call.message.text("sender").and_then(|text| super::object(&text)) == Some(to);
    let words = moved(call, &coin, call.context.words());
    let words = if is_own {
        words.text(" to itself (no net change)")
    } else {
        words.text(" to ").word(call.party(to)).by(places(call, "0x1::fungible_asset::DepositEvent", &coin))
    };
    Some((verb::SEND, words.done()))
}

/// "minted 1 TOKEN to A".
fn mint(call: &MoveFunctionCall<'_>) -> Option<VerbPhrase> {
    let (to, coin) = (call.arguments.word(0)?, coin(call, 1, 2)?);
    let words = call.context.words().coin(&coin).by(places(call, "0x1::fungible_asset::MintEvent", &coin));
    let words = words.text(" to ").word(call.party(to)).by(places(call, "0x1::fungible_asset::DepositEvent", &coin));
    Some((verb::MINT, words.done()))
}

/// "burned 1 TOKEN".
fn burn(call: &MoveFunctionCall<'_>) -> Option<VerbPhrase> {
    let coin = coin(call, 0, 1)?;
    let words = call.context.words().coin(&coin).by(places(call, "0x1::fungible_asset::BurnEvent", &coin));
    Some((verb::BURN, words.done()))
}

/// "created the token Fake Money (FMD) with 6 decimals".
fn initialize(call: &MoveFunctionCall<'_>) -> VerbPhrase {
    let words = call.context.words().text("the token ");
    let created = || call.events("0x1::object::CreateEvent").into_iter().map(|event| event.place);
    let words = match (call.arguments.text(1), call.arguments.text(2)) {
        (Some(name), Some(symbol)) if name != symbol => {
            words.code(name).by(created()).text(" (").code(symbol).text(")")
        }
        (_, Some(symbol)) => words.code(symbol).by(created()),
        _ => words.text("of this message").by(created()),
    };
    let words = match call.arguments.number(3) {
        Some(decimals) => words.text(format!(" with {decimals} decimals")),
        None => words,
    };
    (verb::CREATE, words.done())
}

fn moved<'s, 'a>(call: &MoveFunctionCall<'_>, coin: &Coin, words: PhraseBuilder<'s, 'a>) -> PhraseBuilder<'s, 'a> {
    words.coin(coin).by(places(call, "0x1::fungible_asset::WithdrawEvent", coin))
}

/// The call's events of this type about this coin.
fn places(call: &MoveFunctionCall<'_>, tag: &str, coin: &Coin) -> Vec<usize> {
    let fits = call.events(tag).into_iter().filter(|event| {
        event.number("amount") == Some(coin.amount)
            && event.word("metadata_addr").is_some_and(|word| call.context.denom_of(&word) == coin.denom)
    });
    fits.map(|event| event.place).collect()
}

/// Phrases of an amount at these places of the arguments.
pub(super) fn amount(call: &MoveFunctionCall<'_>, token: usize, number: usize) -> Option<Vec<Phrase>> {
    let coin = coin(call, token, number)?;
    let spent =
        call.context.events_of(call.message).find(|(_, event)| event.kind == "coin_spent").map(|(place, _)| place);
    Some(call.context.words().coin(&coin).by(spent).done())
}
