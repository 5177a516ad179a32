//! Swaps and liquidity of the standard library's exchanges.

use super::call::{MoveFunctionCall, MoveRun};
use crate::{
    domain::Coin,
    story::{
        context::{TxContext, proof::Proof},
        move_events::MoveEvent,
        names::move_address::narrow,
        words::{clause::Clause, phrase::Phrase, sentence::verb},
    },
};

/// Maximum swaps of a call described; a route may have many.
const MOST_SWAPS: usize = 4;

pub(super) fn clause(call: &MoveFunctionCall<'_>) -> Option<Clause> {
    match call.function.as_str() {
        "swap_script" | "swap" => Some(swap(call)),
        "provide_liquidity_script" | "provide_liquidity" => Some(provide(call)),
        "single_asset_provide_liquidity_script" => Some(provide_one(call)),
        "withdraw_liquidity_script" | "withdraw_liquidity" => Some(withdraw(call)),
        _ => None,
    }
}

/// Describes "swapped 1 INIT for 2 USDC".
fn swap(call: &MoveFunctionCall<'_>) -> Clause {
    let context = call.context;
    let event = call.of_caller(&format!("0x1::{}::SwapEvent", call.module));
    let swapped = event.as_ref().and_then(|event| Some((event.place, sides(context, event)?)));
    if let Some((place, [offer, back])) = swapped {
        let words = context.words().coin(&offer).by([place]).text(" for ").coin(&back).by([place]);
        return call.clause(verb::SWAP, words.done(), Proof::Shown);
    }
    // Without its event only the input and the pool are known; a minitswap names no pool.
    let (token, amount) = match call.module.as_str() {
        "minitswap" => (call.arguments.word(0), call.arguments.number(2)),
        "dex" => (call.arguments.word(1), call.arguments.number(2)),
        _ => (call.arguments.word(1), call.arguments.number(3)),
    };
    let words = match token.zip(amount) {
        Some((token, amount)) => context.words().coin(&Coin { denom: context.denom_of(&token), amount }),
        None => context.words().text("tokens"),
    };
    if call.module == "minitswap" {
        return call.clause(verb::SWAP, words.done(), Proof::Absent);
    }
    call.clause(verb::SWAP, in_pool(call, words.text(" in ").done()), Proof::Absent)
}

/// Returns input and output of a swap.
fn sides(context: &TxContext<'_>, event: &MoveEvent) -> Option<[Coin; 2]> {
    Some([event.coin(context, "offer_coin", "offer_amount")?, event.coin(context, "return_coin", "return_amount")?])
}

/// Describes swaps in another module's call: ", with a swap of 1 INIT for 2 USDC". The words do not name the trader.
pub(super) fn aside(run: &MoveRun<'_>) -> Option<Vec<Phrase>> {
    const SWAPS: [&str; 3] = ["0x1::dex::SwapEvent", "0x1::stableswap::SwapEvent", "0x1::minitswap::SwapEvent"];
    let context = run.context;
    let swaps = run.events(|tag| SWAPS.contains(&tag));
    let (first, last) = (swaps.first()?, swaps.last()?);
    let is_route = swaps.len() <= MOST_SWAPS && swaps.windows(2).all(follows);
    let words = context.words().text(", with a swap ");
    if !is_route {
        let places = swaps.iter().map(|event| event.place);
        return Some(words.text(format!("in {} steps", swaps.len())).by(places).done());
    }
    let ([offer, _], [_, back]) = (sides(context, first)?, sides(context, last)?);
    Some(words.text("of ").coin(&offer).by([first.place]).text(" for ").coin(&back).by([last.place]).done())
}

/// Whether the second swap's input is the first swap's output.
fn follows(pair: &[MoveEvent]) -> bool {
    let [one, other] = pair else { return false };
    one.word("return_coin") == other.word("offer_coin") && one.number("return_amount") == other.number("offer_amount")
}

/// Returns the tokens of a liquidity event, in either module's format.
fn tokens(context: &TxContext<'_>, event: &MoveEvent) -> Option<Vec<Coin>> {
    let pair =
        || Some(vec![event.coin(context, "coin_a", "coin_a_amount")?, event.coin(context, "coin_b", "coin_b_amount")?]);
    event.coins(context, "coins", "coin_amounts").or_else(pair)
}

/// Describes "added 0.1 milkINIT and 0.168935 INIT to the stableswap pool Q and received 265227 L".
fn provide(call: &MoveFunctionCall<'_>) -> Clause {
    let context = call.context;
    let event = call.of_caller(&format!("0x1::{}::ProvideEvent", call.module));
    let given = event.as_ref().and_then(|event| Some((event, tokens(context, event)?)));
    let Some((event, given)) = given else {
        return call.clause(verb::ADD, in_pool(call, context.words().text("liquidity to ").done()), Proof::Absent);
    };
    let words = received(call, event, by(context.words().coins(&given).done(), event), " to ");
    call.clause(verb::ADD, words, Proof::Shown)
}

fn provide_one(call: &MoveFunctionCall<'_>) -> Clause {
    let context = call.context;
    let event = call.of_caller(&format!("0x1::{}::SingleAssetProvideEvent", call.module));
    let given = event.as_ref().and_then(|event| Some((event, event.coin(context, "provide_coin", "provide_amount")?)));
    if let Some((event, coin)) = given {
        let words = received(call, event, context.words().coin(&coin).by([event.place]).done(), " to ");
        return call.clause(verb::ADD, words, Proof::Shown);
    }
    let words = match call.arguments.word(1).zip(call.arguments.number(2)) {
        Some((token, amount)) => context.words().coin(&Coin { denom: context.denom_of(&token), amount }),
        None => context.words().text("liquidity"),
    };
    call.clause(verb::ADD, in_pool(call, words.text(" to ").done()), Proof::Absent)
}

/// Describes "{given} to the pool Q and received 265227 L".
fn received(call: &MoveFunctionCall<'_>, event: &MoveEvent, given: Vec<Phrase>, before: &'static str) -> Vec<Phrase> {
    let context = call.context;
    let mut words = context.words().then(given).text(before);
    words = match event.word("liquidity_token") {
        Some(pool) => words.text(pool_kind(call)).word(call.party(pool)).by([event.place]),
        None => words.text("a pool"),
    };
    match event.coin(context, "liquidity_token", "liquidity") {
        Some(shares) => words.text(" and received ").coin(&shares).by([event.place]).done(),
        None => words.done(),
    }
}

/// Describes "withdrew 0.1 milkINIT and 0.168935 INIT from the stableswap pool Q for 265227 L".
fn withdraw(call: &MoveFunctionCall<'_>) -> Clause {
    let context = call.context;
    let event = call.of_caller(&format!("0x1::{}::WithdrawEvent", call.module));
    let taken = event.as_ref().and_then(|event| Some((event, tokens(context, event)?)));
    let Some((event, taken)) = taken else {
        let words = in_pool(call, context.words().text("liquidity from ").done());
        return call.clause(verb::WITHDRAW, words, Proof::Absent);
    };
    let words = context.words().then(by(context.words().coins(&taken).done(), event)).text(" from ");
    let words = match event.word("liquidity_token") {
        Some(pool) => words.text(pool_kind(call)).word(call.party(pool)).by([event.place]),
        None => words.text("a pool"),
    };
    let words = match event.coin(context, "liquidity_token", "liquidity") {
        Some(shares) => words.text(" for ").coin(&shares).by([event.place]),
        None => words,
    };
    call.clause(verb::WITHDRAW, words.done(), Proof::Shown)
}

/// Adds the pool in the first argument.
fn in_pool(call: &MoveFunctionCall<'_>, before: Vec<Phrase>) -> Vec<Phrase> {
    let words = call.context.words().then(before);
    match call.arguments.word(0) {
        Some(pool) => words.text(pool_kind(call)).word(call.context.account(narrow(pool))).done(),
        None => words.text("a pool").done(),
    }
}

fn pool_kind(call: &MoveFunctionCall<'_>) -> &'static str {
    if call.module == "stableswap" { "the stableswap pool " } else { "the pool " }
}

fn by(mut phrases: Vec<Phrase>, event: &MoveEvent) -> Vec<Phrase> {
    for phrase in &mut phrases {
        phrase.events.push(event.place);
    }
    phrases
}
