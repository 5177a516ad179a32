use alloy_primitives::hex;

use super::{Case, Predicate, Reason, gas, quote, revert};

/// Beginnings of common revert reasons of contracts, with their meanings.
const REASONS: [(&str, &str); 12] = [
    ("transfer amount exceeds balance", "the account holds less than it tried to move"),
    ("transfer amount exceeds allowance", "the amount exceeds the owner's allowance"),
    ("insufficient allowance", "the amount exceeds the owner's allowance"),
    ("burn amount exceeds balance", "the account holds less than it tried to burn"),
    ("burn amount exceeds", "the amount exceeds the balance or the owner's allowance"),
    ("transfer to blocked address", "the recipient may not receive tokens"),
    ("mint to blocked address", "the recipient may not receive tokens"),
    ("burn from module address", "a module account's tokens are not burnable"),
    ("caller is not the chain", "only the chain itself may do this"),
    ("caller is not the authority", "only the chain's authority may do this"),
    ("dust amount should be zero", "the amount has more decimals than the token's other form"),
    ("caller is not the owner", "only the contract's owner may do this"),
];

/// Beginnings of the EVM interpreter's errors, with their meanings.
const STOPS: [(&str, &str); 9] = [
    ("invalid opcode", "the code ran an invalid instruction"),
    ("insufficient balance for transfer", "the sender holds less than the value to send along"),
    ("stack underflow", "broken code: stack underflow"),
    ("stack limit reached", "broken code: stack overflow"),
    ("invalid jump destination", "broken code: invalid jump target"),
    ("write protection", "a read-only call tried to write"),
    ("max code size exceeded", "the contract's code is too large"),
    ("contract address collision", "the address already has a contract"),
    ("return data out of bounds", "the code read past the end of the returned data"),
];

pub(super) fn is_own(codespace: &str) -> bool {
    codespace == "evm"
}

/// Explains failures of the EVM module. Nodes since 2025 have a code for reverts; older ones use one code for all
/// calls.
pub(super) fn explained(case: &Case<'_>) -> Option<Reason> {
    if !is_own(case.codespace) {
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

/// Strips the code names at the end of a log: each wrapping error adds its own.
pub(super) fn own_words(log: &str) -> &str {
    const CALLS: [&str; 2] = ["EVMCall failed", "EVMCreate failed"];
    let cut = |words: &'_ str, end: &str| -> Option<usize> {
        let rest = words.strip_suffix(end)?.trim_end();
        Some(rest.strip_suffix(':').unwrap_or(rest).trim_end().len())
    };
    let mut words = log.trim();
    while let Some(length) = CALLS.iter().find_map(|end| cut(words, end)) {
        words = words.get(..length).unwrap_or_default();
    }
    // Only once: a contract may return the same word.
    match cut(words, "Reverted") {
        Some(length) => words.get(..length).unwrap_or_default(),
        None => words,
    }
}

/// Returns an older node's revert text; `None` for a call that stopped otherwise.
pub(super) fn reverting(words: &str) -> Option<&str> {
    let is_it =
        words == "execution reverted" || words.starts_with("execution reverted: ") || words.starts_with("revert: ");
    is_it.then_some(words)
}

/// Parses `revert: <reason>` or `execution reverted: <reason>`, or an unrecorded reason. Old nodes keep the data of a
/// custom error.
pub(super) fn reverted(case: &Case<'_>, words: &str) -> Reason {
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

/// Adds the usual meaning to a contract's reason. Any contract may return any reason.
pub(super) fn in_words(reason: &str) -> String {
    if reason.is_empty() {
        return "its reason is empty".to_owned();
    }
    // Libraries put their name before it: "ERC20: ".
    let own = reason.split_once(": ").filter(|(library, _)| !library.contains(' ')).map_or(reason, |(_, own)| own);
    let known = REASONS.iter().find(|(start, _)| own.starts_with(start)).map(|(_, plain)| (*plain).to_owned());
    let plain = known.or_else(|| revert::panic_in_words(reason));
    match plain {
        Some(plain) => format!("{} — usually: {plain}", quote(reason)),
        None => quote(reason),
    }
}

/// Parses a stopped call or deployment: `<words>: EVMCall failed`.
fn stopped(case: &Case<'_>) -> Reason {
    let words = own_words(case.log);
    let what = if case.code == 4 { "deployment" } else { "call" };
    let place = match words {
        "out of gas" => Some("while the EVM ran"),
        "contract creation code storage out of gas" => Some("storing the contract's code"),
        _ => None,
    };
    if let Some(place) = place {
        let words = format!("ran out of gas {place}: {}", gas::spent_by_the_evm(case));
        return Reason::named("out of gas", Predicate::Verb(words));
    }
    let plain = STOPS.iter().find(|(start, _)| words.starts_with(start)).map(|(_, plain)| format!(" — {plain}"));
    let words = format!("the EVM stopped the {what}: {}{}", quote(words), plain.unwrap_or_default());
    Reason::new(case.ran_cause(&words))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_reason_that_fits_is_the_one_meant() {
        for (place, (part, _)) in REASONS.iter().enumerate() {
            let first = REASONS.iter().position(|(earlier, _)| part.starts_with(earlier));
            assert_eq!(first, Some(place), "{part} is hidden by an earlier line");
        }
    }
}
