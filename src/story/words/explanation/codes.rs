use std::{collections::HashMap, sync::LazyLock};

use super::{Case, Predicate, Reason, place::FailedPart, quote, said};

/// Names and meanings of modules' codes, one per line: codespace, code, name, meaning (`docs/apis/story.md` §5.1).
const TABLE: &str = include_str!("../../../../assets/codes.tsv");

pub(super) struct CodeEntry {
    /// `out of gas`.
    pub(super) name: &'static str,
    /// Clause for users: "the gas limit was too low".
    pub(super) meaning: &'static str,
}

static ENTRIES: LazyLock<HashMap<&'static str, HashMap<u32, CodeEntry>>> = LazyLock::new(|| {
    let entry = |line: &'static str| {
        let mut columns = line.split('\t');
        let (codespace, code) = (columns.next()?, columns.next()?.parse().ok()?);
        Some((codespace, code, CodeEntry { name: columns.next()?, meaning: columns.next()? }))
    };
    let mut entries: HashMap<&str, HashMap<u32, CodeEntry>> = HashMap::new();
    for (codespace, code, entry) in TABLE.lines().filter_map(entry) {
        entries.entry(codespace).or_default().insert(code, entry);
    }
    entries
});

pub(super) fn entry(codespace: &str, code: u32) -> Option<&'static CodeEntry> {
    ENTRIES.get(codespace)?.get(&code)
}

/// Returns codespace and code of an error by the registered name at the end of its log, for answers without a code.
/// Several modules have errors of one name; the SDK's counts then.
pub(in crate::story) fn code_of_log(log: &str) -> Option<(&'static str, u32)> {
    let name = log.rsplit_once(": ").map_or(log, |(_, name)| name).trim();
    let named = |(codespace, codes): (&&'static str, &HashMap<u32, CodeEntry>)| {
        let found = codes.iter().find(|(_, entry)| entry.name.eq_ignore_ascii_case(name));
        found.map(|(code, _)| (*codespace, *code))
    };
    let found: Vec<(&str, u32)> = ENTRIES.iter().filter_map(named).collect();
    match found.as_slice() {
        [only] => Some(*only),
        _ => found.into_iter().find(|(codespace, _)| *codespace == "sdk"),
    }
}

/// Explains a failure by the table alone; an unlisted code by its number and the log.
pub(super) fn general(case: &Case<'_>) -> Reason {
    let detail = detail(case);
    let Some(entry) = entry(case.codespace, case.code) else {
        let codespace = if case.codespace.is_empty() { String::new() } else { format!("{} ", said(case.codespace)) };
        let words = match case.log.trim() {
            "" => format!("failed with code {codespace}{}, without a reason", case.code),
            log => format!("failed with code {codespace}{}: {}", case.code, quote(log)),
        };
        return Reason::new(Predicate::Verb(words));
    };
    let meaning = match (case.codespace, case.code, case.message) {
        // Signatures are checked long before messages run. Within another message its sender is not the signer.
        ("sdk", 4, Some(_)) if case.part == FailedPart::Message => "the signer may not do this",
        ("sdk", 4, Some(_)) => "the sender may not do this",
        _ => entry.meaning,
    };
    let words = match detail {
        "" => meaning.to_owned(),
        detail => format!("{meaning} — {}", quote(detail)),
    };
    Reason::new(case.cause(words))
}

/// Returns the log without the registered text at its end, for which the table has plainer words. Keeps a log that is
/// only the registered text.
pub(super) fn detail<'a>(case: &Case<'a>) -> &'a str {
    if case.codespace == "undefined" {
        return case.log;
    }
    case.log.rsplit_once(": ").map_or(case.log, |(detail, _)| detail)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_an_entry_of_its_own() {
        let rows = TABLE.lines().filter(|line| !line.starts_with('#'));
        assert_eq!(ENTRIES.values().map(HashMap::len).sum::<usize>(), rows.count());
        for (code, entry) in ENTRIES.values().flatten() {
            assert!(!entry.name.is_empty() && !entry.meaning.ends_with('.'), "{code}");
        }
        assert_eq!(entry("sdk", 11).map(|entry| entry.name), Some("out of gas"));
        assert!(entry("sdk", 9_999).is_none());
    }
}
