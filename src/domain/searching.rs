//! Text search that does not find short words by chance inside an address.

/// Maximum letters of a word that may occur in an address or hash by chance.
const BY_CHANCE: usize = 5;
/// Minimum length of an unbroken run of letters and digits that counts as an address or hash.
const LONG: usize = 38;

/// Finds a lower-case needle in a lower-case text. A short needle that is not hex, such as a symbol, does not match
/// inside addresses and hashes: `init` is not found in `init1k4l…`.
pub fn places_of<'t>(text: &'t str, needle: &'t str) -> impl Iterator<Item = usize> + 't {
    let is_word = is_word(needle);
    let found = text.match_indices(needle).map(|(place, _)| place).filter(move |_| !needle.is_empty());
    found.filter(move |place| !is_word || !is_opaque(run_at(text, *place)))
}

/// Whether [`places_of`] finds a lower-case needle in a lower-case text.
pub fn holds(text: &str, needle: &str) -> bool {
    needle.is_empty() || places_of(text, needle).next().is_some()
}

fn is_word(needle: &str) -> bool {
    needle.len() <= BY_CHANCE
        && needle.bytes().all(|byte| byte.is_ascii_alphabetic())
        && !needle.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Returns the unbroken run of letters and digits around an index.
fn run_at(text: &str, place: usize) -> &str {
    let (before, after) = text.split_at(place);
    let start = before.rfind(|sign: char| !sign.is_alphanumeric());
    let start = start.and_then(|at| Some(at + before.get(at..)?.chars().next()?.len_utf8())).unwrap_or(0);
    let end = after.find(|sign: char| !sign.is_alphanumeric()).unwrap_or(after.len());
    text.get(start..place + end).unwrap_or_default()
}

/// Whether a run is an address or hash, or its beginning.
fn is_opaque(run: &str) -> bool {
    let has_digits = |prefix: &str| run.strip_prefix(prefix).is_some_and(|rest| rest.len() >= BY_CHANCE);
    run.len() >= LONG || has_digits("init1") || has_digits("initvaloper1") || has_digits("0x")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_symbol_is_not_found_in_addresses_and_hashes() {
        for text in ["init18g67a…0aejne → init1k4l2zz…9qe0ab", "0xinit12345", &"a".repeat(20).replace('a', "initx")]
        {
            assert!(!holds(text, "init"), "{text}");
        }
        for text in ["1 init", "uinit", "sent 5 init to init18g67a…0aejne", "init1"] {
            assert!(holds(text, "init"), "{text}");
        }
    }

    #[test]
    fn addresses_and_digits_are_found_in_addresses() {
        for needle in ["init1", "init18g", "8g67", "dead", "67a", ""] {
            assert!(holds("init18g67adead…0aejne", needle), "{needle}");
        }
        assert_eq!(places_of("init to init18g67a to init", "init").collect::<Vec<_>>(), [0, 22]);
    }
}
