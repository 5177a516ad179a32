//! Explanation of a failed transaction, or of a successful transaction with a problem (`docs/apis/story.md` §5).

mod aborts;
mod case;
mod chain;
pub(in crate::story) mod codes;
mod evm;
mod gas;
mod mistyped;
mod movevm;
mod partial;
mod place;
mod reason;
pub(in crate::story) mod revert;
mod signing;
mod wasm;

#[cfg(test)]
mod tests;

use self::{
    case::{Case, between, quote, said},
    reason::{Predicate, Reason, sentences},
};
use crate::story::{context::TxContext, decode::failure::TxFailure};

pub use reason::{Explanation, FailureEffect};

/// Returns the registered name of a code: `out of gas`.
pub fn code_name(codespace: &str, code: u32) -> Option<&'static str> {
    codes::entry(codespace, code).map(|entry| entry.name)
}

type ReasonReader = fn(&Case<'_>) -> Option<Reason>;

/// Readers by codespace and code. In a log only the error's own beginning and end decide: contracts and senders control
/// the rest.
const READERS: [ReasonReader; 15] = [
    gas::ran_out,
    gas::intrinsic,
    gas::panicked,
    signing::sequence,
    signing::fee,
    signing::funds,
    signing::permission,
    signing::authority,
    chain::client,
    chain::missing,
    movevm::stopped,
    movevm::aborted,
    evm::explained,
    wasm::explained,
    movevm::other,
];

pub(crate) fn explanation(context: &TxContext<'_>) -> Option<Explanation> {
    match context.decoded.failure.as_ref() {
        Some(failure) => Some(failed(context, failure)),
        None => partial::problem(context),
    }
}

fn failed(context: &TxContext<'_>, failure: &TxFailure) -> Explanation {
    let (codespace, code) = (context.tx.codespace.as_received(), context.tx.code);
    let is_of_vm = evm::is_own(codespace) || movevm::is_own(codespace, code);
    let case = Case::of(context, failure, wasm::is_of_contract(codespace, code), is_of_vm);
    let read = || READERS.iter().find_map(|read| read(&case));
    let reason = case.has_start.then(read).flatten().unwrap_or_else(|| codes::general(&case));
    let name = reason.name.unwrap_or_else(|| code_name(case.codespace, case.code).unwrap_or("unknown code"));
    let (predicate, has_no_reason) = match reason.predicate {
        Predicate::Reverted(None) => revert::looked_up(context),
        known => (known, false),
    };
    let (effect, end) = match reason.advice {
        Some(advice) => (None, advice),
        None => (Some(case.effect()), case.effect().to_string()),
    };
    // If the messages never ran, none of them is to blame.
    let is_refused = matches!(predicate, Predicate::Refused(_));
    let subject = if is_refused { "The transaction".to_owned() } else { case.subject() };
    Explanation {
        text: sentences(&subject, &predicate, &end),
        name: name.to_owned(),
        code: Some(failure.code.clone()),
        reason: predicate.alone(name),
        effect,
        is_partial: false,
        events: Vec::new(),
        has_no_reason,
    }
}
