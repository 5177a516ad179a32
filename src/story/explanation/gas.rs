use super::{Case, Predicate, Reason, between, quote, said};
use crate::domain::text::{group, group_digits};

/// `out of gas in location: <where>; gasWanted: X, gasUsed: Y: out of gas`, or only its code.
pub(super) fn ran_out(case: &Case<'_>) -> Option<Reason> {
    if (case.codespace, case.code) != ("sdk", 11) {
        return None;
    }
    if let Some((place, rest)) = between(case.log, "out of gas in location: ", "; gasWanted: ") {
        let (limit, rest) = rest.split_once(", gasUsed: ")?;
        let used: String = rest.chars().take_while(char::is_ascii_digit).collect();
        let words =
            format!("ran out of gas: limit {}, needed at least {} ({})", number(limit), number(&used), location(place));
        return Some(Reason::named("out of gas", Predicate::Verb(words)));
    }
    Some(Reason::new(Predicate::Verb(format!("ran out of gas: {}", spent(case)))))
}

/// `intrinsic gas too low: have A, want B`, which an Ethereum wallet's transaction may end with.
pub(super) fn intrinsic(case: &Case<'_>) -> Option<Reason> {
    if (case.codespace, case.code) != ("undefined", 1) {
        return None;
    }
    let (have, rest) = between(case.log, "intrinsic gas too low: have ", ", want ")?;
    let want: String = rest.chars().take_while(char::is_ascii_digit).collect();
    let words = format!(
        "had too little gas even to begin: limit {}, needed at least {} (a transaction's own price before any code runs)",
        number(have),
        number(&want)
    );
    Some(Reason::named("intrinsic gas too low", Predicate::Verb(words)))
}

/// A panic that the node recovered from; it tells nobody why.
pub(super) fn panicked(case: &Case<'_>) -> Option<Reason> {
    if (case.codespace, case.code) != ("undefined", 111_222) {
        return None;
    }
    let words = match case.log {
        log if log.is_empty() || log.starts_with("panic message redacted") => {
            "made the node panic, and it was rolled back; the reason is not published".to_owned()
        }
        log => format!("made the node panic, and it was rolled back: {}", quote(log)),
    };
    Some(Reason::new(Predicate::Verb(words)))
}

/// What the record itself says of the gas.
pub(super) fn spent(case: &Case<'_>) -> String {
    let tx = case.context.tx;
    format!("limit {}, used {}", group(tx.gas_wanted), group(tx.gas_used))
}

/// The same where the EVM ran out: a call within has a budget of its own, which may be gone before the transaction's.
pub(super) fn spent_by_the_evm(case: &Case<'_>) -> String {
    let tx = case.context.tx;
    let note = if tx.gas_used < tx.gas_wanted { " (the EVM had less than the limit for itself)" } else { "" };
    format!("{}{note}", spent(case))
}

/// A count as the log writes it, grouped; what is none stays as it is.
fn number(text: &str) -> String {
    if !text.is_empty() && text.len() < 80 && text.bytes().all(|byte| byte.is_ascii_digit()) {
        group_digits(text)
    } else {
        said(text)
    }
}

/// Where the gas ran out, with what that place does.
fn location(place: &str) -> String {
    let doing = match place {
        "EVM gas consumption" => "while the EVM ran",
        "move runtime" => "while Move code ran",
        "wasm contract" | "Wasm contract" | "Wasm engine function execution" => "while the contract ran",
        "txSize" => "for the transaction's own size",
        "ReadFlat" | "ReadPerByte" | "Has" | "IterNextCostFlat" => "reading the chain's state",
        "WriteFlat" | "WritePerByte" | "Delete" => "writing the chain's state",
        _ if place.starts_with("Loading CosmWasm module") => return "loading the contract's code".to_owned(),
        _ => return said(place),
    };
    format!("{place}: {doing}")
}
