//! Abort codes of Move modules (`docs/apis/story.md` §5.3).

use std::{collections::HashMap, sync::LazyLock};

use super::said;

/// Meanings of the standard library's codes, one per line: module, code, meaning. Facts from the public Initia registry
/// in our own words.
const TABLE: &str = include_str!("../../../../assets/move-errors.tsv");

static MEANINGS: LazyLock<HashMap<&'static str, HashMap<u64, &'static str>>> = LazyLock::new(|| {
    let entry = |line: &'static str| {
        let mut columns = line.split('\t');
        Some((columns.next()?, columns.next()?.parse().ok()?, columns.next()?))
    };
    let mut meanings: HashMap<&str, HashMap<u64, &str>> = HashMap::new();
    for (module, code, meaning) in TABLE.lines().filter_map(entry) {
        meanings.entry(module).or_default().insert(code, meaning);
    }
    meanings
});

/// Categories in the upper half of a code, by convention: name and meaning.
const CATEGORIES: [(&str, &str); 13] = [
    ("INVALID_ARGUMENT", "an argument was not valid"),
    ("OUT_OF_RANGE", "a value was outside its limits"),
    ("INVALID_STATE", "wrong state for this call"),
    ("UNAUTHENTICATED", "the account is not authenticated"),
    ("PERMISSION_DENIED", "the account may not do this"),
    ("NOT_FOUND", "a required item does not exist"),
    ("ABORTED", "the call conflicted with another operation"),
    ("ALREADY_EXISTS", "the item already exists"),
    ("RESOURCE_EXHAUSTED", "a quota is exhausted"),
    ("CANCELLED", "the call was cancelled"),
    ("INTERNAL", "the module's state is inconsistent"),
    ("NOT_IMPLEMENTED", "the module does not support this call"),
    ("UNAVAILABLE", "the module does not support this call at the moment"),
];

/// Returns `0x1::fungible_asset: the account holds less than it tried to move (code 65540: INVALID_ARGUMENT, reason
/// 4)`.
///
/// Codes of an unknown module are arbitrary, so their category is called a convention.
pub(super) fn sentence(place: &str, digits: &str) -> String {
    let place = location(place);
    let code: Option<u64> = digits.parse().ok();
    let category = code.and_then(|code| CATEGORIES.get(usize::try_from(code >> 16).ok()?.checked_sub(1)?));
    let (Some(code), Some(&(name, meaning))) = (code, category) else {
        return format!("{place} with code {digits}, which the module defines");
    };
    let reason = code & 0xffff;
    let Some(module) = place.strip_prefix("0x1::") else {
        return format!("{place} with code {code}, by the usual convention {name}, reason {reason}: {meaning}");
    };
    let known = MEANINGS.get(module).and_then(|codes| codes.get(&code).copied());
    format!("{place}: {} (code {code}: {name}, reason {reason})", known.unwrap_or(meaning))
}

/// Formats `0x1::dex`, without leading zeros of the address; any other text stays.
pub(super) fn location(text: &str) -> String {
    let text = text.trim();
    let Some((address, module)) = text.split_once("::") else { return said(text) };
    let digits = address.strip_prefix("0x").unwrap_or(address);
    if digits.is_empty() || digits.len() > 64 || !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return said(text);
    }
    let short = digits.trim_start_matches('0').to_ascii_lowercase();
    format!("0x{}::{}", if short.is_empty() { "0" } else { &short }, said(module))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_an_entry_of_its_own() {
        let rows = TABLE.lines().filter(|line| !line.starts_with('#'));
        assert_eq!(MEANINGS.values().map(HashMap::len).sum::<usize>(), rows.count());
        assert!(MEANINGS.values().flatten().all(|(_, meaning)| !meaning.is_empty() && !meaning.ends_with('.')));
    }

    #[test]
    fn a_code_is_named_by_the_library_then_by_convention() {
        let std = format!("{:0>64}", 1);
        assert_eq!(
            sentence(&format!("{std}::fungible_asset"), "65540"),
            "0x1::fungible_asset: the account holds less than it tried to move (code 65540: INVALID_ARGUMENT, reason 4)"
        );
        assert_eq!(
            sentence(&format!("{std}::dex"), "196611"),
            "0x1::dex: slippage: the swap would return less than the requested minimum (code 196611: INVALID_STATE, \
             reason 3)"
        );
        assert_eq!(
            sentence("00AB::dex", "327681"),
            "0xab::dex with code 327681, by the usual convention PERMISSION_DENIED, reason 1: the account may not do this"
        );
        assert_eq!(sentence("ab::arena", "7"), "0xab::arena with code 7, which the module defines");
        assert_eq!(
            sentence("ab::arena", &u64::MAX.to_string()),
            "0xab::arena with code 18446744073709551615, which the module defines"
        );
    }
}
