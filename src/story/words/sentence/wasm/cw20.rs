//! Tokens of CW-20 contracts, by the contracts' own reports.

use super::{
    call::{WasmCall, WasmReport},
    pools,
};
use crate::{
    domain::{Coin, Denom},
    events::keys,
    story::{
        context::proof::Proof,
        words::{
            clause::{Clause, VerbForms},
            sentence::verb,
        },
    },
};

/// Actions of token contracts that move tokens.
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

/// Returns an amount of the contract's own token, or an error if unreadable; `None` for an event without an amount.
fn coin(call: &WasmCall<'_>, report: WasmReport<'_>) -> Option<Result<Coin, Clause>> {
    let text = call.value(report, keys::AMOUNT, "amount")?;
    let Ok(amount) = text.parse() else {
        let words = call.called().text(", which reports an unreadable amount, ").quote(&text);
        return Some(Err(call.clause(verb::CALL, words.done(), Proof::Ran)));
    };
    Some(Ok(Coin { denom: Denom::of_cw20(call.contract), amount }))
}

/// Describes "sent 1000 TOKEN to A, as the contract reports", with the attached call.
fn moved(call: &WasmCall<'_>, to: &str) -> Option<Clause> {
    let report = call.report(call.name)?;
    let place = report.place();
    let coin = match coin(call, report)? {
        Ok(coin) => coin,
        Err(unreadable) => return Some(unreadable),
    };
    let (from, to) = (call.value(report, keys::FROM, "from"), call.value(report, keys::TO, to)?);
    let is_from = from.as_ref().map_or(report.0.is_none(), |from| call.is_sender(from));
    let is_own = is_from && call.is_sender(&to);
    let words = call.context.words().coin(&coin).by(place).text(" to ");
    let words = if is_own { words.text("itself (no net change)") } else { words.party(&to) }.by(place);
    let words = match call.follow_up().filter(|_| call.name == "send") {
        Some(name) => words.text(" for ").code(name),
        None => words,
    };
    Some(call.reported(report, keys::FROM, verb::SEND, words.done()))
}

/// Describes tokens sent to a pool, with the pool's report of its payment.
fn sold(call: &WasmCall<'_>) -> Option<Clause> {
    let (_, said) = call.said("send")?;
    pools::swapped(call, said.text(keys::TO)?)
}

/// Describes "moved 1000 TOKEN from O to A".
fn moved_for(call: &WasmCall<'_>, to: &str) -> Option<Clause> {
    let report = call.report(call.name)?;
    let place = report.place();
    let coin = match coin(call, report)? {
        Ok(coin) => coin,
        Err(unreadable) => return Some(unreadable),
    };
    let (owner, to) = (call.value(report, keys::FROM, "owner")?, call.value(report, keys::TO, to)?);
    let words = call.context.words().coin(&coin).by(place).text(" from ").party(&owner).by(place);
    let words = words.text(" to ").party(&to).by(place);
    Some(call.reported(report, keys::APPROVER, verb::MOVE, words.done()))
}

/// Describes "minted 1000 TOKEN to A".
fn mint(call: &WasmCall<'_>) -> Option<Clause> {
    let report = call.report("mint")?;
    let place = report.place();
    let coin = match coin(call, report)? {
        Ok(coin) => coin,
        Err(unreadable) => return Some(unreadable),
    };
    let to = call.value(report, keys::TO, "recipient")?;
    let words = call.context.words().coin(&coin).by(place).text(" to ").party(&to).by(place);
    Some(call.reported(report, keys::MINTER, verb::MINT, words.done()))
}

/// Describes "burned 1000 TOKEN", also of another account.
fn burn(call: &WasmCall<'_>) -> Option<Clause> {
    let report = call.report(call.name)?;
    let place = report.place();
    let coin = match coin(call, report)? {
        Ok(coin) => coin,
        Err(unreadable) => return Some(unreadable),
    };
    let words = call.context.words().coin(&coin).by(place);
    let is_of_other = call.name == "burn_from";
    let words = match call.value(report, keys::FROM, "owner").filter(|_| is_of_other) {
        Some(owner) => words.text(" of ").party(&owner).by(place),
        None => words,
    };
    let doer = if is_of_other { keys::APPROVER } else { keys::FROM };
    Some(call.reported(report, doer, verb::BURN, words.done()))
}

/// Describes "raised S's allowance by 1000 TOKEN".
fn allowance(call: &WasmCall<'_>, verb: VerbForms) -> Option<Clause> {
    let report = call.report(call.name)?;
    let place = report.place();
    let spender = call.value(report, keys::SPENDER, "spender")?;
    let coin = match coin(call, report)? {
        Ok(coin) => coin,
        Err(unreadable) => return Some(unreadable),
    };
    let words = call.context.words().party(&spender).by(place).text("'s allowance by ").coin(&coin).by(place);
    Some(call.reported(report, keys::OWNER, verb, words.done()))
}
