use super::{Case, Predicate, Reason, between, codes, place::FailedPart};
use crate::domain::parse_coins;

/// Parses `account sequence mismatch, expected N, got M: incorrect account sequence`.
pub(super) fn sequence(case: &Case<'_>) -> Option<Reason> {
    if (case.codespace, case.code, case.message) != ("sdk", 32, None) {
        return None;
    }
    let (expected, given) = mismatch(case.log)?;
    let words = format!(
        "the signature has sequence {given} but the account was {} at {expected}, {}",
        if given < expected { "already" } else { "only" },
        if given < expected {
            format!("because another transaction of this account used sequence {given} first")
        } else {
            "so an earlier transaction of this account is missing".to_owned()
        }
    );
    Some(Reason::named("sequence mismatch", Predicate::Refused(words)))
}

/// Returns the sequences in the log: the account's and the signature's.
pub(super) fn mismatch(log: &str) -> Option<(u64, u64)> {
    let (expected, rest) = between(log, "account sequence mismatch, expected ", ", got ")?;
    let given: String = rest.chars().take_while(char::is_ascii_digit).collect();
    Some((expected.parse().ok()?, given.parse().ok()?))
}

/// Parses `insufficient fees; got: … required: …: insufficient fee`.
pub(super) fn fee(case: &Case<'_>) -> Option<Reason> {
    if (case.codespace, case.code, case.message) != ("sdk", 13, None) {
        return None;
    }
    let (given, rest) = between(case.log, "insufficient fees; got: ", "required: ")?;
    let required = rest.split_once(": ").map_or(rest, |(required, _)| required);
    let words = format!("the fee was too low: offered {}, required {}", case.coins(given), case.coins(required));
    Some(Reason::new(Predicate::Refused(words)))
}

/// Parses `spendable balance A is smaller than B: insufficient funds`, or the older `A is smaller than B`.
pub(super) fn funds(case: &Case<'_>) -> Option<Reason> {
    if (case.codespace, case.code) != ("sdk", 5) {
        return None;
    }
    if codes::detail(case) == "requested amount is more than spend limit" {
        let words = "the request exceeds the limit of the authz grant".to_owned();
        return Some(Reason::named("over the grant's limit", case.cause(words)));
    }
    let (has, wanted) = codes::detail(case).split_once(" is smaller than ")?;
    let has = has.strip_prefix("spendable balance ").unwrap_or(has);
    if parse_coins(has).is_err() || parse_coins(wanted).is_err() {
        return None;
    }
    // Within another message it is not the signer who pays.
    let who = if case.part == FailedPart::Message { "the account" } else { "the paying account" };
    let words = format!("{who} can spend {}, which is less than the {} needed", case.coins(has), case.coins(wanted));
    Some(Reason::new(case.cause(words)))
}

/// Parses `expected included in [A], got B`, `expected A, got B` and `… allowed to be executed by admin A`: the
/// permitted accounts and the actual account.
pub(super) fn permission(case: &Case<'_>) -> Option<Reason> {
    if !matches!((case.codespace, case.code), ("sdk", 4) | ("opchild", 8)) || case.message.is_none() {
        return None;
    }
    let detail = codes::detail(case);
    if let Some(("", admin)) = detail.split_once("the message is allowed to be executed by admin ") {
        let words = format!("only the admin {} may do this", case.party(admin));
        return Some(Reason::new(case.ran_cause(&words)));
    }
    if let Some(account) = detail.strip_suffix(" is not allowed to receive funds") {
        return Some(Reason::new(case.ran_cause(&format!("{} may not receive tokens", case.party(account)))));
    }
    let (may, tried) = detail.strip_prefix("expected ")?.rsplit_once(", got ")?;
    let may = may.strip_prefix("included in ").unwrap_or(may).trim_matches(['[', ']']);
    let may: Vec<String> = may.split([' ', ',']).filter(|name| !name.is_empty()).map(|name| case.party(name)).collect();
    if may.is_empty() || may.len() > 8 {
        return None;
    }
    let words = format!("only {} may do this, and {} tried", may.join(", "), case.party(tried));
    Some(Reason::new(case.ran_cause(&words)))
}

/// Parses `invalid authority; expected A, got B`, for messages that only the chain may send.
pub(super) fn authority(case: &Case<'_>) -> Option<Reason> {
    if !matches!((case.codespace, case.code), ("gov", 13) | ("wasm", 14) | ("move", 8) | ("evm", 9)) {
        return None;
    }
    let names = codes::detail(case).strip_prefix("invalid authority; expected ")?;
    let (may, tried) = names.split_once(", got ")?;
    let words = format!("only {} may send this message, and {} tried", case.party(may), case.party(tried));
    Some(Reason::named("not the authority", case.ran_cause(&words)))
}
