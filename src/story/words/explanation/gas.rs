use super::{Case, Predicate, Reason, between, quote, said};
use crate::domain::text::{group, group_digits};

/// Parses `out of gas in location: <where>; gasWanted: X, gasUsed: Y: out of gas`, or the bare code.
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

/// Parses `intrinsic gas too low: have A, want B`, for transactions of Ethereum wallets.
pub(super) fn intrinsic(case: &Case<'_>) -> Option<Reason> {
    if (case.codespace, case.code) != ("undefined", 1) {
        return None;
    }
    let (have, rest) = between(case.log, "intrinsic gas too low: have ", ", want ")?;
    let want: String = rest.chars().take_while(char::is_ascii_digit).collect();
    let words = format!(
        "had too little gas to start: limit {}, needed at least {} (intrinsic gas, charged before any code runs)",
        number(have),
        number(&want)
    );
    Some(Reason::named("intrinsic gas too low", Predicate::Verb(words)))
}

/// Explains a panic from which the node recovered; the log has no reason.
pub(super) fn panicked(case: &Case<'_>) -> Option<Reason> {
    if (case.codespace, case.code) != ("undefined", 111_222) {
        return None;
    }
    let words = match case.log {
        log if log.is_empty() || log.starts_with("panic message redacted") => {
            "panicked and was rolled back; the node withholds the reason".to_owned()
        }
        log => format!("panicked and was rolled back: {}", quote(log)),
    };
    Some(Reason::new(Predicate::Verb(words)))
}

pub(super) fn spent(case: &Case<'_>) -> String {
    let tx = case.context.tx;
    format!("limit {}, used {}", group(tx.gas_wanted), group(tx.gas_used))
}

/// Returns the gas at which the EVM stopped: an inner call's own limit may be lower than the transaction's.
pub(super) fn spent_by_the_evm(case: &Case<'_>) -> String {
    let tx = case.context.tx;
    let note = if tx.gas_used < tx.gas_wanted { " (part of the limit does not reach the EVM)" } else { "" };
    format!("{}{note}", spent(case))
}

/// Groups the digits of a number; any other text stays.
fn number(text: &str) -> String {
    if !text.is_empty() && text.len() < 80 && text.bytes().all(|byte| byte.is_ascii_digit()) {
        group_digits(text)
    } else {
        said(text)
    }
}

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
