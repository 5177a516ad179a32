//! JSON text as Go's encoder writes it: strings escape `<`, `>`, `&` and the two line separators.

use std::fmt::Write as _;

/// Bytes that may need an escape inside a string; 0xE2 starts the line separators and other characters.
const IN_STRING: [bool; 256] = marked(true);

/// Bytes that may need an escape in existing JSON text.
const IN_JSON: [bool; 256] = marked(false);

#[expect(clippy::indexing_slicing, reason = "evaluated at compile time, where an index out of range fails the build")]
const fn marked(is_plain_text: bool) -> [bool; 256] {
    let mut table = [false; 256];
    table[b'<' as usize] = true;
    table[b'>' as usize] = true;
    table[b'&' as usize] = true;
    table[0xe2] = true;
    if is_plain_text {
        table[b'"' as usize] = true;
        table[b'\\' as usize] = true;
        let mut control = 0;
        while control < 0x20 {
            table[control] = true;
            control += 1;
        }
    }
    table
}

/// Appends a JSON string with quotes. NUL becomes U+FFFD, because the real indexer's database rejects it.
pub(crate) fn push_string(out: &mut String, text: &str) {
    out.push('"');
    push(out, text, &IN_STRING);
    out.push('"');
}

/// Appends JSON text with Go's escapes; the escaped characters occur only inside strings.
pub(crate) fn push_escaped(out: &mut String, json: &str) {
    push(out, json, &IN_JSON);
}

/// Appends text and escapes the marked characters. Most text needs no escape, so it is copied in long runs.
fn push(out: &mut String, text: &str, marks: &[bool; 256]) {
    let mut rest = text;
    while let Some(at) = rest.bytes().position(|byte| marks.get(usize::from(byte)) == Some(&true)) {
        let (plain, from) = rest.split_at(at);
        out.push_str(plain);
        let mut characters = from.chars();
        if let Some(character) = characters.next() {
            push_character(out, character);
        }
        rest = characters.as_str();
    }
    out.push_str(rest);
}

fn push_character(out: &mut String, character: char) {
    match character {
        '"' => out.push_str("\\\""),
        '\\' => out.push_str("\\\\"),
        '\n' => out.push_str("\\n"),
        '\r' => out.push_str("\\r"),
        '\t' => out.push_str("\\t"),
        '\0' => out.push('\u{fffd}'),
        '\u{1}'..='\u{1f}' | '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => {
            let _ = write!(out, "\\u{:04x}", u32::from(character));
        }
        other => out.push(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_are_escaped_as_go_does_and_read_back() {
        let text = "a<b>&\"q\"\\ \n\t\r\u{1}\u{1f} é\u{2028}\u{2029}\u{20ac}☃";
        let mut out = String::new();
        push_string(&mut out, text);
        assert!(out.starts_with(r#""a\u003cb\u003e\u0026\"q\"\\ \n\t\r\u0001\u001f é\u2028\u2029€☃"#), "{out}");
        assert_eq!(serde_json::from_str::<String>(&out).unwrap(), text);
    }

    #[test]
    fn raw_json_keeps_its_value() {
        let json = r#"{"a":["<x>&",1,"\u2028\\"],"b":"é"}"#;
        let mut out = String::new();
        push_escaped(&mut out, json);
        assert!(!out.contains(['<', '>', '&']));
        assert_eq!(
            serde_json::from_str::<serde_json::Value>(&out).unwrap(),
            serde_json::from_str::<serde_json::Value>(json).unwrap()
        );
    }

    #[test]
    fn nul_becomes_the_replacement_character() {
        let mut out = String::new();
        push_string(&mut out, "a\0b");
        assert_eq!(out, "\"a\u{fffd}b\"");
    }
}
