//! Swaps of pools that use the common attributes. A report counts as a swap only if both sides moved.

use super::call::{CoinSide, WasmCall};
use crate::{
    domain::{Address, Amount, Coin, Denom},
    events::{
        bank::BankChange,
        keys::{self, AttributeKey},
        wasm::ContractAction,
    },
    story::{
        context::proof::{Proof, TracePlace},
        words::{builder::PhraseBuilder, clause::Clause, phrase::Phrase, sentence::verb},
    },
};

/// Maximum swaps of a call whose sides are checked; each check scans all events.
const MOST_SWAPS: usize = 8;

struct PoolSwap<'a> {
    trace: TracePlace,
    pool: &'a str,
    offer: Coin,
    back: Coin,
}

/// Describes a swap by the called contract.
pub(super) fn clause(call: &WasmCall<'_>) -> Option<Clause> {
    (call.name == "swap").then(|| swapped(call, call.contract)).flatten()
}

/// Describes a swap confirmed by other events: "swapped 1 INIT for 2 USDC in the pool Q". Else "called swap on Q, which
/// reports a swap of 1 INIT for 2 USDC".
pub(super) fn swapped(call: &WasmCall<'_>, pool: &str) -> Option<Clause> {
    let swap = swaps(call).find(|swap| swap.pool == pool && call.context.claims.is_free(swap.trace))?;
    call.context.claims.take(swap.trace);
    let sender = call.message.text("sender").unwrap_or_default();
    let given = call.shown(&swap.offer, &sender, CoinSide::Gave);
    let Some(((proof, places), (given, spent))) = sides(call, &swap, &swap).zip(given) else {
        return Some(call.clause(verb::CALL, reported(call.called(), &swap).done(), Proof::Reported));
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

/// Describes swaps in another contract's call: ", with a swap of 1 INIT for 2 USDC". The words do not name the trader.
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
    let words = context.words().text(", with a swap of ").coin(&first.offer).by([first.trace.event, given]);
    let words = words.text(" for ").coin(&last.back).by([last.trace.event, got]);
    let words = if proof == Proof::Shown { words } else { words.text(", as the contracts report") };
    Some((words.done(), proof))
}

/// Returns the events that confirm both ends of a route: the input of the first pool and the output of the last.
fn sides(call: &WasmCall<'_>, first: &PoolSwap<'_>, last: &PoolSwap<'_>) -> Option<(Proof, [usize; 2])> {
    let (given, into) = call.shown(&first.offer, first.pool, CoinSide::Got)?;
    let (got, out_of) = call.shown(&last.back, last.pool, CoinSide::Gave)?;
    Some((given.min(got), [into, out_of]))
}

/// Returns the recipient of the output, named by the event after the pool's.
fn taker<'c>(call: &'c WasmCall<'_>, swap: &PoolSwap<'_>, spent: usize) -> Option<&'c str> {
    if let Some(contract) = swap.back.denom.as_str().strip_prefix("cw20:") {
        let told = call.actions().find(|(trace, action)| trace.event == spent && action.contract == contract);
        return told.and_then(|(_, action)| action.text(keys::TO));
    }
    call.seen.bank(BankChange::Received).find(|(place, _)| *place > spent)?.1.account
}

fn reported<'s, 'a>(words: PhraseBuilder<'s, 'a>, swap: &PoolSwap<'_>) -> PhraseBuilder<'s, 'a> {
    let place = [swap.trace.event];
    let words = words.text(", which reports a swap of ").coin(&swap.offer).by(place);
    words.text(" for ").coin(&swap.back).by(place)
}

/// Returns the swaps that pools report, in order.
fn swaps<'c>(call: &'c WasmCall<'_>) -> impl Iterator<Item = PoolSwap<'c>> {
    call.actions().filter(|(_, action)| action.name == "swap").filter_map(|(trace, action)| {
        let offer = said(&action, keys::OFFER_ASSET, keys::OFFER_AMOUNT)?;
        let back = said(&action, keys::ASK_ASSET, keys::RETURN_AMOUNT)?;
        Some(PoolSwap { trace, pool: action.contract, offer, back })
    })
}

fn said(action: &ContractAction<'_>, asset: AttributeKey<String>, amount: AttributeKey<Amount>) -> Option<Coin> {
    Some(Coin { denom: denom(action.text(asset)?), amount: action.get(amount)? })
}

/// Returns the denom of an asset, which pools name by a bank denom or a CW-20 contract.
fn denom(asset: &str) -> Denom {
    match asset.parse() {
        Ok(Address::Long(_)) => Denom::of_cw20(asset),
        _ => Denom::new(asset),
    }
}
