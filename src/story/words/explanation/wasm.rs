use super::{Case, Reason, codes, mistyped, place::FailedPart, quote, said};

/// Beginnings of common errors of contracts, with their meanings.
const WORDS: [(&str, &str); 9] = [
    ("Overflow: Cannot Sub", "the amount exceeds the balance"),
    ("Cannot Sub with given operands", "the amount exceeds the balance"),
    ("Overflow: Cannot Add", "a number exceeded its limit"),
    ("Overflow: Cannot Mul", "a number exceeded its limit"),
    ("Divide by zero", "division by zero"),
    ("Operation exceeds max spread limit", "the price would move more than allowed"),
    ("token_id already claimed", "an NFT with this number already exists"),
    ("Caller is not the contract's current owner", "only the contract's owner may do this"),
    ("Unauthorized", "the sender may not do this"),
];

/// Whether the error begins with the words of a contract, which may imitate the chain's.
pub(super) fn is_of_contract(codespace: &str, code: u32) -> bool {
    codespace == "wasm" && matches!(code, 4 | 5 | 11)
}

/// Explains failures of the Wasm module. The contract wrote the text before the registered text.
pub(super) fn explained(case: &Case<'_>) -> Option<Reason> {
    if !is_of_contract(case.codespace, case.code) {
        return None;
    }
    let words = codes::detail(case);
    // A contract can write "dispatch: submessages: " itself, so these words do not prove an inner contract.
    let (part, which) = match case.part {
        FailedPart::Sent => (FailedPart::Message, "a"),
        part => (part, "the"),
    };
    let what = match case.code {
        4 => format!("{which} contract's creation failed"),
        11 => format!("{which} contract's upgrade failed"),
        _ => format!("{which} contract refused the call"),
    };
    let refused = |why: String| Reason::new(Case { part, ..*case }.ran_cause(&format!("{what} — {why}")));
    if let Some(unknown) = unknown_message(words) {
        return Some(refused(unknown));
    }
    let mut reason = refused(match plain(words) {
        Some(plain) => format!("{}, which usually means: {plain}", quote(words)),
        None => quote(words),
    });
    if words.contains("addr_validate") || words.contains("bech32") {
        reason.advice = mistyped::advice(case, words);
    }
    Some(reason)
}

fn plain(words: &str) -> Option<&'static str> {
    let own = words.strip_prefix("Generic error: ").unwrap_or(words);
    WORDS.iter().find(|(start, _)| own.starts_with(start)).map(|(_, plain)| *plain)
}

/// Parses "Error parsing into type T: unknown variant x, expected one of a, b", with names in backticks: a contract's
/// rejection of a message.
fn unknown_message(words: &str) -> Option<String> {
    const MOST_NAMED: usize = 8;
    let (_, rest) = words.strip_prefix("Error parsing into type ")?.split_once(": unknown variant `")?;
    let (name, rest) = rest.split_once('`')?;
    let known = rest.split_once("expected ").map(|(_, known)| known.trim_start_matches("one of "));
    let known: Vec<&str> =
        known.into_iter().flat_map(|known| known.split(", ")).map(|it| it.trim_matches('`')).collect();
    let known: Vec<&str> = known.into_iter().filter(|name| !name.trim().is_empty()).collect();
    let mut named: Vec<String> = known.iter().take(MOST_NAMED).map(|name| said(name)).collect();
    if known.len() > MOST_NAMED {
        named.push("…".to_owned());
    }
    let ends = if named.is_empty() { String::new() } else { format!("; it knows {}", named.join(", ")) };
    Some(format!("it does not know the message {}{ends}", said(name)))
}
