/// Normalises a name: keeps only letters, marks and digits, in lower case (`docs/apis/indexer.md` §6.3).
pub fn sought(name: &str) -> String {
    name.chars()
        .filter(|character| character.is_alphanumeric() || is_mark(*character))
        .flat_map(char::to_lowercase)
        .collect()
}

/// Whether a character is a combining mark of any script; marks of a single script already count as alphabetic.
fn is_mark(character: char) -> bool {
    matches!(
        character,
        '\u{300}'..='\u{36f}'
            | '\u{1ab0}'..='\u{1aff}'
            | '\u{1dc0}'..='\u{1dff}'
            | '\u{20d0}'..='\u{20ff}'
            | '\u{fe20}'..='\u{fe2f}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_letters_marks_and_digits_count() {
        for (name, expected) in [
            ("Foo Bar #1", "foobar1"),
            ("foo-bar 2", "foobar2"),
            ("あいう", "あいう"),
            ("É e\u{301}", "ée\u{301}"),
            ("- !", ""),
        ] {
            assert_eq!(sought(name), expected);
        }
    }
}
