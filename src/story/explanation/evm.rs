use super::{Case, Predicate, Reason, codes, gas, said};

/// What contracts give as reasons, and what that means to a person.
const REASONS: [(&str, &str); 22] = [
    ("generic panic", "an internal check of the contract failed"),
    ("assert(false)", "an internal check of the contract failed"),
    ("arithmetic underflow or overflow", "a number went below zero or above its limit"),
    ("division or modulo by zero", "division by zero"),
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

/// The failures of the EVM's module.
pub(super) fn explained(case: &Case<'_>) -> Option<Reason> {
    if case.codespace != "evm" {
        return None;
    }
    match case.code {
        23 => Some(reverted(case)),
        3 | 4 => Some(stopped(case)),
        _ => None,
    }
}

/// `revert: <reason>: Reverted`, or bare `Reverted`, where nobody recorded what the contract gave.
fn reverted(case: &Case<'_>) -> Reason {
    let log = case.log.trim().trim_end_matches("Reverted").trim_end_matches([':', ' ']);
    let reason = log.split_once("revert: ").map_or(log, |(_, reason)| reason);
    let is_recorded = !matches!(reason, "" | "execution reverted");
    Reason::named("reverted", Predicate::Reverted(is_recorded.then(|| in_words(reason))))
}

/// A reason, with what it means where that is known.
pub(super) fn in_words(reason: &str) -> String {
    let plain = REASONS.iter().find(|(part, _)| reason.contains(part)).map(|(_, plain)| plain);
    match plain {
        Some(plain) => format!("{} — {plain}", said(reason)),
        None => said(reason),
    }
}

/// A call or deployment that the EVM stopped: `<words>: EVMCall failed`.
fn stopped(case: &Case<'_>) -> Reason {
    let words = codes::detail(case);
    let what = if case.code == 4 { "deployment" } else { "call" };
    if words.contains("out of gas") {
        let place = if words.contains("code storage") { "storing the contract's code" } else { "while the EVM ran" };
        let words = format!("ran out of gas {place}: {}", gas::spent(case));
        return Reason::named("out of gas", Predicate::Verb(words));
    }
    let plain = STOPS.iter().find(|(part, _)| words.contains(part)).map(|(_, plain)| format!(" — {plain}"));
    let words = format!("the EVM stopped the {what}: {}{}", said(words), plain.unwrap_or_default());
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
