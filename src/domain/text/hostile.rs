//! Removal of characters from external text that control a terminal or disguise the text.

use std::{borrow::Cow, iter::Peekable, str::Chars};

use unicode_width::UnicodeWidthChar;

/// Maximum combining marks on one character; real scripts need fewer.
const MOST_MARKS: usize = 6;

const ESCAPE: char = '\u{1b}';
const BELL: char = '\u{7}';
/// Character that ends a terminal's string sequence (ST).
const STRING_END: char = '\u{9c}';

/// Whether a character may control a terminal, reorder a line, or be invisible: controls, bidi marks and overrides,
/// line separators, joiners, fillers, variation selectors.
fn is_hostile(character: char) -> bool {
    if character.is_ascii() {
        return character.is_ascii_control();
    }
    character.is_control()
        || matches!(character,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{70f}' | '\u{8e2}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
            | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
            | '\u{2800}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff9}'..='\u{fffb}'
            | '\u{110bd}' | '\u{110cd}' | '\u{e0000}'..='\u{e0fff}')
}

/// Whether a character combines with the previous character.
fn is_mark(character: char) -> bool {
    !character.is_ascii() && character.width() == Some(0)
}

/// Whether a character is neither ASCII nor a sign of our own texts, so that a name with it may imitate another name.
pub fn is_odd(character: char) -> bool {
    !character.is_ascii() && !matches!(character, '“' | '”' | '–' | '…' | '·' | '→' | '≈')
}

/// Removes control characters, escapes and bidi overrides from text; keeps line breaks and tabs.
pub fn clean_lines(text: &str) -> Cow<'_, str> {
    let stays = |character: char| matches!(character, '\n' | '\t') || !is_hostile(character);
    if text.chars().all(stays) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.chars().filter(|character| stays(*character)).collect())
}

/// Removes escape sequences, control characters, bidi overrides and invisible characters. Replaces a tab or line break
/// by a space, and drops surplus combining marks.
pub fn clean(text: &str) -> Cow<'_, str> {
    if !text.chars().any(|character| is_hostile(character) || is_mark(character)) {
        return Cow::Borrowed(text);
    }
    let mut cleaned = String::with_capacity(text.len());
    let mut marks = 0;
    let mut rest = text.chars().peekable();
    while let Some(character) = rest.next() {
        match character {
            '\n' | '\t' | '\r' => cleaned.push(' '),
            ESCAPE => pass_sequence(&mut rest),
            '\u{9b}' => pass_parameters(&mut rest),
            '\u{90}' | '\u{98}' | '\u{9d}'..='\u{9f}' => pass_string(&mut rest),
            _ if is_hostile(character) => {}
            _ if is_mark(character) => {
                marks += 1;
                if marks <= MOST_MARKS {
                    cleaned.push(character);
                }
                continue;
            }
            _ => cleaned.push(character),
        }
        marks = 0;
    }
    Cow::Owned(cleaned)
}

fn pass_sequence(rest: &mut Peekable<Chars<'_>>) {
    match rest.peek() {
        Some('[') => {
            rest.next();
            pass_parameters(rest);
        }
        Some(']' | 'P' | 'X' | '^' | '_') => {
            rest.next();
            pass_string(rest);
        }
        _ => {
            while rest.next_if(|character| matches!(character, ' '..='/')).is_some() {}
            rest.next_if(|character| matches!(character, '0'..='~'));
        }
    }
}

/// Skips parameters and final character of an escape sequence: `2J`, `38;5;1m`.
fn pass_parameters(rest: &mut Peekable<Chars<'_>>) {
    while rest.next_if(|character| matches!(character, '0'..='?')).is_some() {}
    while rest.next_if(|character| matches!(character, ' '..='/')).is_some() {}
    rest.next_if(|character| matches!(character, '@'..='~'));
}

/// Skips a string for the terminal, such as a title, up to and including its terminator. A string without a terminator
/// counts as text.
fn pass_string(rest: &mut Peekable<Chars<'_>>) {
    let mut ahead = rest.clone();
    while let Some(character) = ahead.next() {
        let is_end = match character {
            BELL | STRING_END => true,
            ESCAPE => ahead.next_if_eq(&'\\').is_some(),
            _ => false,
        };
        if is_end {
            *rest = ahead;
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::clean;

    #[test]
    fn an_escape_sequence_goes_as_a_whole() {
        for (text, cleaned) in [
            ("\u{1b}[2JEvil 世界", "Evil 世界"),
            ("a\u{1b}[31mred\u{1b}[0m", "ared"),
            ("a\u{1b}[38;5;1;?mb", "ab"),
            ("\u{1b}]0;title\u{7}name", "name"),
            ("\u{1b}]8;;http://evil\u{1b}\\name", "name"),
            ("\u{1b}Pq#0\u{9c}x", "x"),
            ("\u{9b}2Jx\u{9d}0;t\u{9c}y", "xy"),
            ("a\u{1b}(Bb\u{1b}cc", "abc"),
            ("a\u{1b}", "a"),
            ("a\u{1b}[", "a"),
            ("\u{1b}]0;no end", "0;no end"),
            ("a\tb\r\nc\u{0}d", "a b  cd"),
            ("plain [2J text", "plain [2J text"),
        ] {
            assert_eq!(clean(text), cleaned, "{text:?}");
        }
    }

    #[test]
    fn what_is_not_seen_goes_and_marks_are_bounded() {
        for hostile in
            ['\u{2028}', '\u{34f}', '\u{115f}', '\u{3164}', '\u{2800}', '\u{fe0f}', '\u{e0100}', '\u{ad}', '\u{180e}']
        {
            assert_eq!(clean(&format!("a{hostile}b")), "ab", "{hostile:?}");
        }
        let marks = |count: usize| "\u{301}".repeat(count);
        assert_eq!(clean(&format!("e{}x", marks(2))), format!("e{}x", marks(2)));
        assert_eq!(clean(&format!("e{}xe{}", marks(4000), marks(9))), format!("e{}xe{}", marks(6), marks(6)));
    }
}
