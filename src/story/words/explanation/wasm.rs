use super::{Case, Predicate, Reason, codes, mistyped, quote, said};

/// Common errors of contracts, with their meanings.
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

/// Explains failures of the Wasm module: the text before the registered one comes from the contract.
pub(super) fn explained(case: &Case<'_>) -> Option<Reason> {
    if case.codespace != "wasm" || !matches!(case.code, 4 | 5 | 11) {
        return None;
    }
    let (depth, words) = inside(codes::detail(case));
    let what = match (case.code, depth) {
        (4, _) => "the contract's creation failed",
        (11, _) => "the contract's upgrade failed",
        (_, 0) => "the contract refused the call",
        (_, _) => "an inner contract refused",
    };
    if let Some(unknown) = unknown_message(words) {
        return Some(Reason::new(Predicate::Cause(format!("{what} — {unknown}"))));
    }
    let mut reason = Reason::new(Predicate::Cause(match plain(words) {
        Some(plain) => format!("{what} — {}, which usually means: {plain}", quote(words)),
        None => format!("{what} — {}", quote(words)),
    }));
    if words.contains("addr_validate") || words.contains("bech32") {
        reason.advice = mistyped::advice(case, words);
    }
    Some(reason)
}

/// Returns the nesting depth of the failed contract and its error.
fn inside(text: &str) -> (usize, &str) {
    let (mut depth, mut rest) = (0, text);
    while let Some(inner) = rest.strip_prefix("dispatch: submessages: ") {
        (depth, rest) = (depth + 1, inner);
    }
    (depth, rest)
}

fn plain(words: &str) -> Option<&'static str> {
    WORDS.iter().find(|(part, _)| words.contains(part)).map(|(_, plain)| *plain)
}

/// Parses "Error parsing into type T: unknown variant x, expected one of a, b", with names in backticks: a contract's
/// rejection of a message.
fn unknown_message(words: &str) -> Option<String> {
    const MOST_NAMED: usize = 8;
    let (_, rest) = words.split_once("unknown variant `")?;
    let (name, rest) = rest.split_once('`')?;
    let known = rest.split_once("expected ").map(|(_, known)| known.trim_start_matches("one of "));
    let known: Vec<&str> =
        known.into_iter().flat_map(|known| known.split(", ")).map(|it| it.trim_matches('`')).collect();
    let known: Vec<&str> = known.into_iter().filter(|name| !name.trim().is_empty()).collect();
    let mut named: Vec<String> = known.iter().take(MOST_NAMED).map(|name| said(name)).collect();
    if known.len() > MOST_NAMED {
        named.push("…".to_owned());
    }
    let ends = if named.is_empty() { String::new() } else { format!(", and knows {}", named.join(", ")) };
    Some(format!("it does not know the message {}{ends}", said(name)))
}
