//! Swaps of pools that speak as the common exchanges do. What a pool says is a swap only where both sides moved.

use super::{CoinSide, WasmCall};
use crate::{
    domain::{Address, Coin, Denom},
    story::{
        Phrase,
        context::{Clause, PhraseBuilder},
        proof::{Proof, TracePlace},
        sentence::verb,
        wasm_actions::{ContractAction, token_of},
    },
};

/// Swaps of one call whose sides are looked for; each costs a glance at all its events.
const MOST_SWAPS: usize = 8;

/// What a pool says that it swapped.
struct PoolSwap<'a> {
    trace: TracePlace,
    pool: &'a str,
    offer: Coin,
    back: Coin,
}

/// A swap that the called contract did.
pub(super) fn clause(call: &WasmCall<'_>) -> Option<Clause> {
    (call.name == "swap").then(|| swapped(call, call.contract)).flatten()
}

/// A swap of which the pool gives both sides and other events show them: "swapped 1 INIT for 2 USDC in the pool Q".
/// Else "called swap on Q, which reports a swap of 1 INIT for 2 USDC".
pub(super) fn swapped(call: &WasmCall<'_>, pool: &str) -> Option<Clause> {
    let swap = swaps(call).find(|swap| swap.pool == pool && call.context.claims.is_free(swap.trace))?;
    call.context.claims.take(swap.trace);
    let sender = call.message.text("sender").unwrap_or_default();
    let given = call.shown(&swap.offer, &sender, CoinSide::Gave);
    let Some(((proof, places), (given, spent))) = sides(call, &swap, &swap).zip(given) else {
        let words = reported(call.called(), &swap);
        let words = if call.moved_anything() { words } else { words.text("; no token moved") };
        return Some(call.clause(verb::CALL, words.done(), Proof::Reported));
    };
    let words = call.context.words().coin(&swap.offer).by([swap.trace.event, spent, places[0]]);
    let words = words.text(" for ").coin(&swap.back).by([swap.trace.event, places[1]]);
    let words = words.text(" in the pool ").party(pool).by([swap.trace.event]);
    let words = match taker(call, &swap, places[1]).filter(|taker| !call.is_sender(taker)) {
        Some(taker) => words.text(", which went to ").party(taker),
        None => words,
    };
    let proof = proof.min(given);
    let words = if proof == Proof::Shown { words } else { words.text(", as the contracts report") };
    Some(call.clause(verb::SWAP, words.done(), proof))
}

/// What another contract's call swapped: ", which swapped 1 INIT for 2 USDC".
pub(super) fn aside(call: &WasmCall<'_>) -> Option<(Vec<Phrase>, Proof)> {
    let swaps: Vec<PoolSwap<'_>> = swaps(call).collect();
    let (first, last) = (swaps.first()?, swaps.last()?);
    let is_route = swaps.len() <= MOST_SWAPS
        && swaps.windows(2).all(|pair| matches!(pair, [one, other] if one.back == other.offer));
    let context = call.context;
    if !is_route {
        let places = swaps.iter().map(|swap| swap.trace.event);
        let words = context.words().text(format!(", in which contracts report {} swaps", swaps.len())).by(places);
        return Some((words.done(), Proof::Reported));
    }
    let Some((proof, [given, got])) = sides(call, first, last) else {
        let words =
            context.words().text(", in which ").party(last.pool).by([last.trace.event]).text(" reports a swap of ");
        let words = words.coin(&first.offer).by([first.trace.event]).text(" for ").coin(&last.back);
        return Some((words.by([last.trace.event]).done(), Proof::Reported));
    };
    let words = context.words().text(", which swapped ").coin(&first.offer).by([first.trace.event, given]);
    let words = words.text(" for ").coin(&last.back).by([last.trace.event, got]);
    let words = if proof == Proof::Shown { words } else { words.text(", as the contracts report") };
    Some((words.done(), proof))
}

/// That the first pool of a route got what was offered and the last gave what came back, with the event of each.
fn sides(call: &WasmCall<'_>, first: &PoolSwap<'_>, last: &PoolSwap<'_>) -> Option<(Proof, [usize; 2])> {
    let (given, into) = call.shown(&first.offer, first.pool, CoinSide::Got)?;
    let (got, out_of) = call.shown(&last.back, last.pool, CoinSide::Gave)?;
    Some((given.min(got), [into, out_of]))
}

/// Who got what came back: whom the event right behind the pool's names.
fn taker<'c>(call: &'c WasmCall<'_>, swap: &PoolSwap<'_>, spent: usize) -> Option<&'c str> {
    if let Some(contract) = swap.back.denom.as_str().strip_prefix("cw20:") {
        let told = call.actions().find(|(trace, action)| trace.event == spent && action.contract == contract);
        return told.and_then(|(_, action)| action.value("to"));
    }
    let (_, next) = call.seen.events.iter().find(|(place, event)| *place > spent && event.kind == "coin_received")?;
    next.value("receiver")
}

fn reported<'s, 'a>(words: PhraseBuilder<'s, 'a>, swap: &PoolSwap<'_>) -> PhraseBuilder<'s, 'a> {
    let place = [swap.trace.event];
    let words = words.text(", which reports a swap of ").coin(&swap.offer).by(place);
    words.text(" for ").coin(&swap.back).by(place)
}

/// What pools say that they swapped, in order.
fn swaps<'c>(call: &'c WasmCall<'_>) -> impl Iterator<Item = PoolSwap<'c>> {
    call.actions().filter(|(_, action)| action.name == "swap").filter_map(|(trace, action)| {
        let coin = |asset: &str, amount: &str| said(&action, asset, amount);
        let (offer, back) = (coin("offer_asset", "offer_amount")?, coin("ask_asset", "return_amount")?);
        Some(PoolSwap { trace, pool: action.contract, offer, back })
    })
}

fn said(action: &ContractAction<'_>, asset: &str, amount: &str) -> Option<Coin> {
    Some(Coin { denom: denom(action.value(asset)?), amount: action.value(amount)?.parse().ok()? })
}

/// A pool names a coin by its denom and a CW-20 token by its contract.
fn denom(asset: &str) -> Denom {
    match asset.parse() {
        Ok(Address::Long(_)) => token_of(asset),
        _ => Denom::new(asset),
    }
}
