//! Swaps of pools that speak as the common exchanges do.

use super::{VerbPhrase, WasmCall};
use crate::{
    domain::{Address, Coin, Denom},
    story::{DecodedEvent, Phrase, sentence::verb},
};

/// A swap that the called contract did.
pub(super) fn verb_phrase(call: &WasmCall<'_>) -> Option<VerbPhrase> {
    (call.name == "swap").then(|| swapped(call, call.contract)).flatten()
}

/// A swap of which the pool's own event gives both sides: "swapped 1 INIT for 2 USDC in the pool Q".
pub(super) fn swapped(call: &WasmCall<'_>, pool: &str) -> Option<VerbPhrase> {
    let mut wasm = call.context.events_of(call.message).filter(|(_, event)| event.kind == "wasm");
    let (place, event) = wasm
        .find(|(_, event)| event.value("_contract_address") == Some(pool) && event.value("action") == Some("swap"))?;
    let [offer, back] = sides(event)?;
    let words = call.context.words().coin(&offer).by([place]).text(" for ").coin(&back).by([place]);
    Some((verb::SWAP, words.text(" in the pool ").party(pool).by([place]).done()))
}

/// What another contract's call swapped: ", which swapped 1 INIT for 2 USDC".
pub(super) fn aside(call: &WasmCall<'_>) -> Option<Vec<Phrase>> {
    let context = call.context;
    let wasm = context.events_of(call.message).filter(|(_, event)| event.kind == "wasm");
    let swaps: Vec<(usize, [Coin; 2])> = wasm
        .filter(|(_, event)| event.value("action") == Some("swap"))
        .filter_map(|(place, event)| Some((place, sides(event)?)))
        .collect();
    let ((first, [offer, _]), (last, [_, back])) = (swaps.first()?, swaps.last()?);
    let is_route = swaps.windows(2).all(|pair| matches!(pair, [(_, [_, had]), (_, [gave, _])] if had == gave));
    let words = context.words().text(", which swapped ");
    if !is_route {
        let places = swaps.iter().map(|(place, _)| *place);
        return Some(words.text(format!("in {} steps", swaps.len())).by(places).done());
    }
    Some(words.coin(offer).by([*first]).text(" for ").coin(back).by([*last]).done())
}

/// What was offered and what came back.
fn sides(event: &DecodedEvent) -> Option<[Coin; 2]> {
    let coin = |asset: &str, amount: &str| {
        Some(Coin { denom: denom(event.value(asset)?), amount: event.value(amount)?.parse().ok()? })
    };
    Some([coin("offer_asset", "offer_amount")?, coin("ask_asset", "return_amount")?])
}

/// A pool names a coin by its denom and a CW-20 token by its contract.
fn denom(asset: &str) -> Denom {
    match asset.parse() {
        Ok(Address::Long(_)) => Denom::new(format!("cw20:{asset}")),
        _ => Denom::new(asset),
    }
}
