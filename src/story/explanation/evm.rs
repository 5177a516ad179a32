use alloy_primitives::hex;

use super::{Case, Predicate, Reason, gas, quote, revert};

/// What contracts give as reasons, and what that means to a person.
const REASONS: [(&str, &str); 21] = [
    ("generic panic", "an internal check of the contract failed"),
    ("assert(false)", "an internal check of the contract failed"),
    ("arithmetic underflow or overflow", "a number went below zero or above its limit"),
    ("enum overflow", "a choice was none of those that exist"),
    ("invalid encoded storage byte array accessed", "the contract's stored bytes are damaged"),
    ("out-of-bounds array access; popping on an empty array", "something was to be taken from an empty list"),
    ("out-of-bounds access of an array or bytesN", "an index was outside the list"),
    ("out of memory", "the contract asked for too much memory"),
    ("uninitialized function", "the contract called a function that was never set"),
    ("transfer amount exceeds balance", "the account holds less than it tried to move"),
    ("transfer amount exceeds allowance", "more was to be moved than its owner allowed"),
    ("insufficient allowance", "more was to be moved than its owner allowed"),
    ("burn amount exceeds balance", "the account holds less than it tried to burn"),
    ("burn amount exceeds", "more was to be burned than there is, or than its owner allowed"),
    ("transfer to blocked address", "the receiver may not receive tokens"),
    ("mint to blocked address", "the receiver may not receive tokens"),
    ("burn from module address", "tokens of a module account cannot be burned"),
    ("caller is not the chain", "only the chain itself may do this"),
    ("caller is not the authority", "only the chain's authority may do this"),
    ("dust amount should be zero", "the amount has more decimals than the other form of the token can hold"),
    ("caller is not the owner", "only the contract's owner may do this"),
];

/// What the EVM itself says where it stops, and what that means.
const STOPS: [(&str, &str); 9] = [
    ("invalid opcode", "the code hit an instruction that always fails"),
    ("insufficient balance for transfer", "the sender holds less than the value to send along"),
    ("stack underflow", "the code is broken: it took a value that was not there"),
    ("stack limit reached", "the code is broken: it piled up too many values"),
    ("invalid jump destination", "the code is broken: it jumped to where no code is"),
    ("write protection", "a call that may only read tried to write"),
    ("max code size exceeded", "the contract's code is too large"),
    ("contract address collision", "there is a contract at that address already"),
    ("return data out of bounds", "the code read more of an answer than there was"),
];

/// The failures of the EVM's module: nodes of 2025 and later have a code for reverts, older ones one for all calls.
pub(super) fn explained(case: &Case<'_>) -> Option<Reason> {
    if case.codespace != "evm" {
        return None;
    }
    match case.code {
        23 => Some(reverted(case, own_words(case.log))),
        3 | 4 => match reverting(own_words(case.log)) {
            Some(words) => Some(reverted(case, words)),
            None => Some(stopped(case)),
        },
        _ => None,
    }
}

/// A log without the names of codes that end it: each error that wraps another adds its own.
fn own_words(log: &str) -> &str {
    const CALLS: [&str; 2] = ["EVMCall failed", "EVMCreate failed"];
    let cut = |words: &'_ str, end: &str| -> Option<usize> {
        let rest = words.strip_suffix(end)?.trim_end();
        Some(rest.strip_suffix(':').unwrap_or(rest).trim_end().len())
    };
    let mut words = log.trim();
    while let Some(length) = CALLS.iter().find_map(|end| cut(words, end)) {
        words = words.get(..length).unwrap_or_default();
    }
    // Only once: a contract may give the word itself.
    match cut(words, "Reverted") {
        Some(length) => words.get(..length).unwrap_or_default(),
        None => words,
    }
}

/// What an older node writes of a revert; none of a call that stopped otherwise.
fn reverting(words: &str) -> Option<&str> {
    let is_it =
        words == "execution reverted" || words.starts_with("execution reverted: ") || words.starts_with("revert: ");
    is_it.then_some(words)
}

/// `revert: <reason>` or `execution reverted: <reason>`, or nothing, where nobody recorded what the contract gave. Old
/// nodes keep the data of a custom error.
fn reverted(case: &Case<'_>, words: &str) -> Reason {
    let reason = ["execution reverted:", "revert:"].into_iter().find_map(|begin| words.strip_prefix(begin));
    let reason = match (reason, words) {
        (Some(reason), _) => Some(reason.trim()),
        (None, "" | "execution reverted" | "revert") => None,
        (None, other) => Some(other),
    };
    let told = reason.map(|reason| {
        let data = reason.strip_prefix("0x").and_then(|digits| hex::decode(digits).ok());
        let known = data.and_then(|data| revert::reason(&data, case.context.glossary));
        known.unwrap_or_else(|| in_words(reason))
    });
    Reason::named("reverted", Predicate::Reverted(told))
}

/// A contract's reason, with what it usually means. Any contract may give any.
pub(super) fn in_words(reason: &str) -> String {
    if reason.is_empty() {
        return "its reason is an empty text".to_owned();
    }
    let plain = REASONS.iter().find(|(part, _)| reason.contains(part)).map(|(_, plain)| plain);
    match plain {
        Some(plain) => format!("{} — usually: {plain}", quote(reason)),
        None => quote(reason),
    }
}

/// A call or deployment that the EVM stopped: `<words>: EVMCall failed`.
fn stopped(case: &Case<'_>) -> Reason {
    let words = own_words(case.log);
    let what = if case.code == 4 { "deployment" } else { "call" };
    if words.ends_with("out of gas") {
        let place = if words.contains("code storage") { "storing the contract's code" } else { "while the EVM ran" };
        let words = format!("ran out of gas {place}: {}", gas::spent_by_the_evm(case));
        return Reason::named("out of gas", Predicate::Verb(words));
    }
    let plain = STOPS.iter().find(|(part, _)| words.contains(part)).map(|(_, plain)| format!(" — {plain}"));
    let words = format!("the EVM stopped the {what}: {}{}", quote(words), plain.unwrap_or_default());
    Reason::new(Predicate::Cause(words))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_reason_that_fits_is_the_one_meant() {
        for (place, (part, _)) in REASONS.iter().enumerate() {
            let first = REASONS.iter().position(|(earlier, _)| part.contains(earlier));
            assert_eq!(first, Some(place), "{part} is hidden by an earlier line");
        }
    }
}
