//! JSON text as Go's encoder writes it: `<`, `>`, `&` and the two line separators are escaped inside strings.

use std::fmt::Write as _;

/// Appends a JSON string with its quotes. NUL becomes U+FFFD, as the real indexer's database needs it.
pub(super) fn push_string(out: &mut String, text: &str) {
    out.push('"');
    let mut plain = 0;
    for (at, byte) in text.bytes().enumerate() {
        let escape = match byte {
            b'"' => "\\\"",
            b'\\' => "\\\\",
            b'\n' => "\\n",
            b'\r' => "\\r",
            b'\t' => "\\t",
            0 => "\u{fffd}",
            0x01..=0x1f => "",
            _ => match html_escape(text.as_bytes(), at) {
                Some(escape) => escape,
                None => continue,
            },
        };
        out.push_str(text.get(plain..at).unwrap_or_default());
        if escape.is_empty() {
            let _ = write!(out, "\\u{byte:04x}");
        } else {
            out.push_str(escape);
        }
        plain = at + width(byte);
    }
    out.push_str(text.get(plain..).unwrap_or_default());
    out.push('"');
}

/// Appends JSON text with the characters escaped that Go escapes; they occur only inside strings.
pub(super) fn push_escaped(out: &mut String, json: &str) {
    let mut plain = 0;
    for (at, byte) in json.bytes().enumerate() {
        if let Some(escape) = html_escape(json.as_bytes(), at) {
            out.push_str(json.get(plain..at).unwrap_or_default());
            out.push_str(escape);
            plain = at + width(byte);
        }
    }
    out.push_str(json.get(plain..).unwrap_or_default());
}

/// The escape of the character that starts at this byte, where Go has one.
fn html_escape(text: &[u8], at: usize) -> Option<&'static str> {
    match text.get(at)? {
        b'<' => Some("\\u003c"),
        b'>' => Some("\\u003e"),
        b'&' => Some("\\u0026"),
        0xe2 => match text.get(at + 1..at + 3)? {
            [0x80, 0xa8] => Some("\\u2028"),
            [0x80, 0xa9] => Some("\\u2029"),
            _ => None,
        },
        _ => None,
    }
}

/// How many bytes an escaped character had.
fn width(first: u8) -> usize {
    if first == 0xe2 { 3 } else { 1 }
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
