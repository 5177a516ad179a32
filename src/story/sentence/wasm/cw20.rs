//! Tokens of CW-20 contracts: what happened to them only their contracts tell.

use super::{WasmCall, WasmReport, pools};
use crate::{
    domain::Coin,
    story::{
        context::{Clause, VerbForms},
        proof::Proof,
        sentence::verb,
        wasm_actions::token_of,
    },
};

/// What is asked of a contract that keeps tokens, where it moves some.
pub(super) const NAMES: [&str; 7] = ["transfer", "send", "transfer_from", "send_from", "mint", "burn", "burn_from"];

pub(super) fn clause(call: &WasmCall<'_>) -> Option<Clause> {
    match call.name {
        "transfer" => moved(call, "recipient"),
        "send" => sold(call).or_else(|| moved(call, "contract")),
        "transfer_from" => moved_for(call, "recipient"),
        "send_from" => moved_for(call, "contract"),
        "mint" => mint(call),
        "burn" | "burn_from" => burn(call),
        "increase_allowance" => allowance(call, verb::RAISE),
        "decrease_allowance" => allowance(call, verb::LOWER),
        _ => None,
    }
}

/// An amount of the contract's own token, or that it cannot be read; an event without an amount is about something
/// else.
fn coin(call: &WasmCall<'_>, report: WasmReport<'_>) -> Option<Result<Coin, Clause>> {
    let text = call.value(report, "amount", "amount")?;
    let Ok(amount) = text.parse() else {
        let words = call.called().text(", which reports an amount that cannot be read, ").quote(&text);
        return Some(Err(call.clause(verb::CALL, words.done(), Proof::Ran)));
    };
    Some(Ok(Coin { denom: token_of(call.contract), amount }))
}

/// "sent 1000 TOKEN to A, as the contract reports", and what a contract was asked to do with it.
fn moved(call: &WasmCall<'_>, to: &str) -> Option<Clause> {
    let report = call.report(call.name)?;
    let place = report.place();
    let coin = match coin(call, report)? {
        Ok(coin) => coin,
        Err(unreadable) => return Some(unreadable),
    };
    let (from, to) = (call.value(report, "from", "from"), call.value(report, "to", to)?);
    let is_own = from.as_ref().is_none_or(|from| call.is_sender(from)) && call.is_sender(&to);
    let words = call.context.words().coin(&coin).by(place).text(" to ");
    let words = if is_own { words.text("itself (no net change)") } else { words.party(&to) }.by(place);
    let words = match call.follow_up().filter(|_| call.name == "send") {
        Some(name) => words.text(" for ").code(name),
        None => words,
    };
    Some(call.reported(report, "from", verb::SEND, words.done()))
}

/// Tokens that were sent to a pool, which says what it gave for them.
fn sold(call: &WasmCall<'_>) -> Option<Clause> {
    let (_, said) = call.said("send")?;
    pools::swapped(call, said.value("to")?)
}

/// "moved 1000 TOKEN from O to A".
fn moved_for(call: &WasmCall<'_>, to: &str) -> Option<Clause> {
    let report = call.report(call.name)?;
    let place = report.place();
    let coin = match coin(call, report)? {
        Ok(coin) => coin,
        Err(unreadable) => return Some(unreadable),
    };
    let (owner, to) = (call.value(report, "from", "owner")?, call.value(report, "to", to)?);
    let words = call.context.words().coin(&coin).by(place).text(" from ").party(&owner).by(place);
    let words = words.text(" to ").party(&to).by(place);
    Some(call.reported(report, "by", verb::MOVE, words.done()))
}

/// "minted 1000 TOKEN to A".
fn mint(call: &WasmCall<'_>) -> Option<Clause> {
    let report = call.report("mint")?;
    let place = report.place();
    let coin = match coin(call, report)? {
        Ok(coin) => coin,
        Err(unreadable) => return Some(unreadable),
    };
    let to = call.value(report, "to", "recipient")?;
    let words = call.context.words().coin(&coin).by(place).text(" to ").party(&to).by(place);
    Some(call.reported(report, "minter", verb::MINT, words.done()))
}

/// "burned 1000 TOKEN", of somebody else's.
fn burn(call: &WasmCall<'_>) -> Option<Clause> {
    let report = call.report(call.name)?;
    let place = report.place();
    let coin = match coin(call, report)? {
        Ok(coin) => coin,
        Err(unreadable) => return Some(unreadable),
    };
    let words = call.context.words().coin(&coin).by(place);
    let owner = call.value(report, "from", "owner").filter(|_| call.name == "burn_from");
    let words = match owner {
        Some(owner) => words.text(" of ").party(&owner).by(place),
        None => words,
    };
    let doer = if call.name == "burn_from" { "by" } else { "from" };
    Some(call.reported(report, doer, verb::BURN, words.done()))
}

/// "raised S's allowance by 1000 TOKEN".
fn allowance(call: &WasmCall<'_>, verb: VerbForms) -> Option<Clause> {
    let report = call.report(call.name)?;
    let place = report.place();
    let spender = call.value(report, "spender", "spender")?;
    let coin = match coin(call, report)? {
        Ok(coin) => coin,
        Err(unreadable) => return Some(unreadable),
    };
    let words = call.context.words().party(&spender).by(place).text("'s allowance by ").coin(&coin).by(place);
    Some(call.reported(report, "owner", verb, words.done()))
}
