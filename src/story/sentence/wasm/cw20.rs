//! Tokens of CW-20 contracts.

use super::{VerbPhrase, WasmCall, WasmProof, pools};
use crate::domain::{Amount, Coin, Denom};
use crate::story::context::VerbForms;
use crate::story::sentence::verb;

pub(super) fn verb_phrase(call: &WasmCall<'_>) -> Option<VerbPhrase> {
    match call.name {
        "transfer" => moved(call, "transfer", "recipient"),
        "send" => sold(call).or_else(|| moved(call, "send", "contract")),
        "transfer_from" => moved_for(call, "transfer_from", "recipient"),
        "send_from" => moved_for(call, "send_from", "contract"),
        "mint" => mint(call),
        "burn" => burn(call, "burn"),
        "burn_from" => burn(call, "burn_from"),
        "increase_allowance" => allowance(call, verb::ALLOW, " to spend ", " more"),
        "decrease_allowance" => allowance(call, verb::ALLOW, " to spend ", " less"),
        _ => None,
    }
}

/// The amount of the contract's own token; an event without an amount is about something else.
fn coin(call: &WasmCall<'_>, proof: WasmProof<'_>) -> Option<Coin> {
    let is_other = proof.event().is_some_and(|event| event.value("amount").is_none());
    if is_other {
        return None;
    }
    let amount: Amount = call.value(proof, "amount", "amount")?.parse().ok()?;
    Some(Coin { denom: Denom::new(format!("cw20:{}", call.contract)), amount })
}

/// "sent 1000 TOKEN to A", and what a contract was asked to do with it.
fn moved(call: &WasmCall<'_>, action: &str, to: &str) -> Option<VerbPhrase> {
    let proof = call.proof(action)?;
    let place = proof.place();
    let coin = coin(call, proof)?;
    let to = call.value(proof, "to", to)?;
    let words = call.context.words().coin(&coin).by(place).text(" to ");
    let words = if call.message.text("sender").as_deref() == Some(to.as_str()) {
        words.text("itself (no net change)").by(place)
    } else {
        words.party(&to).by(place)
    };
    let words = match call.follow_up().filter(|_| action == "send") {
        Some(name) => words.text(" for ").code(name),
        None => words,
    };
    Some((verb::SEND, words.done()))
}

/// Tokens that were sent to a pool, which says what it gave for them.
fn sold(call: &WasmCall<'_>) -> Option<VerbPhrase> {
    let (_, event) = call.said("send")?;
    pools::swapped(call, event.value("to")?)
}

/// "sent 1000 TOKEN of O to A".
fn moved_for(call: &WasmCall<'_>, action: &str, to: &str) -> Option<VerbPhrase> {
    let proof = call.proof(action)?;
    let place = proof.place();
    let coin = coin(call, proof)?;
    let (owner, to) = (call.value(proof, "from", "owner")?, call.value(proof, "to", to)?);
    let words = call.context.words().coin(&coin).by(place).text(" of ").party(&owner).by(place);
    Some((verb::SEND, words.text(" to ").party(&to).by(place).done()))
}

/// "minted 1000 TOKEN to A".
fn mint(call: &WasmCall<'_>) -> Option<VerbPhrase> {
    let proof = call.proof("mint")?;
    let place = proof.place();
    let coin = coin(call, proof)?;
    let to = call.value(proof, "to", "recipient")?;
    Some((verb::MINT, call.context.words().coin(&coin).by(place).text(" to ").party(&to).by(place).done()))
}

/// "burned 1000 TOKEN", of somebody else's.
fn burn(call: &WasmCall<'_>, action: &str) -> Option<VerbPhrase> {
    let proof = call.proof(action)?;
    let place = proof.place();
    let words = call.context.words().coin(&coin(call, proof)?).by(place);
    let words = match call.value(proof, "from", "owner").filter(|_| action == "burn_from") {
        Some(owner) => words.text(" of ").party(&owner).by(place),
        None => words,
    };
    Some((verb::BURN, words.done()))
}

/// "allowed S to spend 1000 TOKEN more".
fn allowance(call: &WasmCall<'_>, verbs: VerbForms, middle: &'static str, end: &'static str) -> Option<VerbPhrase> {
    let proof = call.proof(call.name)?;
    let place = proof.place();
    let spender = call.value(proof, "spender", "spender")?;
    let words = call.context.words().party(&spender).by(place).text(middle).coin(&coin(call, proof)?).by(place);
    Some((verbs, words.text(end).done()))
}
