//! JSON within strings of a record, plain or in base64 or hex (`docs/apis/story.md` §3), and arguments of Move calls
//! (§1.5).

use base64::{Engine as _, prelude::BASE64_STANDARD};
use serde_json::Value;

use crate::domain::Address;

/// Maximum bytes of a string to decode.
const MOST_BYTES: usize = 1 << 20;

/// Decoded content of a string.
#[derive(Clone, Debug, PartialEq)]
pub struct Opened {
    /// Encoding.
    pub form: TextForm,
    /// Object or list, never empty.
    pub value: Value,
}

/// Encoding of JSON in a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::Display)]
pub enum TextForm {
    #[strum(serialize = "JSON")]
    Plain,
    #[strum(serialize = "JSON in base64")]
    Base64,
    #[strum(serialize = "JSON in hex")]
    Hex,
}

/// Decodes a string that holds a JSON object or list. Invalid or empty content stays a string.
pub fn open_text(text: &str) -> Option<Opened> {
    if text.len() > MOST_BYTES {
        return None;
    }
    let text = text.trim();
    let opened = |form, json: &[u8]| {
        let value: Value = serde_json::from_slice(json).ok()?;
        let is_filled = match &value {
            Value::Object(fields) => !fields.is_empty(),
            Value::Array(items) => !items.is_empty(),
            _ => false,
        };
        is_filled.then_some(Opened { form, value })
    };
    // In every encoding an opening bracket begins with one of these bytes, which rules out most strings quickly.
    match text.as_bytes() {
        [b'{' | b'[', ..] => opened(TextForm::Plain, text.as_bytes()),
        [b'e' | b'W', ..] if text.len() >= 8 => opened(TextForm::Base64, &BASE64_STANDARD.decode(text).ok()?),
        [b'7' | b'5', b'b' | b'B', ..] | [b'0', b'x', b'7' | b'5', b'b' | b'B', ..] => {
            let digits = text.strip_prefix("0x").unwrap_or(text);
            opened(TextForm::Hex, &alloy_primitives::hex::decode(digits).ok()?)
        }
        _ => None,
    }
}

/// Returns possible readings of a Move call's argument whose type is unknown: base64 bytes are ambiguous. Each reading
/// names its type, so that none looks like a fact.
pub fn move_argument(base64: &str) -> Option<String> {
    const MOST_SHOWN: usize = 400;
    if base64.len() > MOST_BYTES {
        return None;
    }
    let bytes = BASE64_STANDARD.decode(base64).ok()?;
    if let Some(reading) = reading(&bytes) {
        return Some(reading);
    }
    if let Some((1, inside)) = bytes.split_first()
        && let Some(inside) = reading(inside)
    {
        return Some(format!("some: {inside}"));
    }
    let hex = alloy_primitives::hex::encode(bytes.get(..bytes.len().min(MOST_SHOWN))?);
    let more = if bytes.len() > MOST_SHOWN { "…" } else { "" };
    let count = if bytes.len() == 1 { "1 byte".to_owned() } else { format!("{} bytes", bytes.len()) };
    (!bytes.is_empty()).then(|| format!("0x{hex}{more} ({count})"))
}

fn reading(bytes: &[u8]) -> Option<String> {
    match bytes {
        [0] => Some("false, none, an empty list or 0".to_owned()),
        [1] => Some("true or 1".to_owned()),
        _ if text_of(bytes).is_some() => text_of(bytes),
        _ if bytes.len() == 32 => {
            let hex = alloy_primitives::hex::encode(bytes);
            let trimmed = hex.trim_start_matches('0');
            Some(format!("0x{} (address or object)", if trimmed.is_empty() { "0" } else { trimmed }))
        }
        _ => {
            let number = u64::from_le_bytes(bytes.try_into().ok()?);
            Some(format!("{} (if a u64)", crate::domain::text::group(number)))
        }
    }
}

/// Decodes a length-prefixed printable string.
fn text_of(bytes: &[u8]) -> Option<String> {
    let (length, digits) = length_of(bytes)?;
    let text = std::str::from_utf8(bytes.get(digits..)?).ok()?;
    let is_printable = text.chars().all(|sign| !sign.is_control());
    // In full, within quotes that it cannot close.
    let quoted = || format!("“{}”", text.replace(['“', '”', '„', '‟'], "\""));
    (length > 0 && text.len() == length && is_printable).then(quoted)
}

/// Decodes a ULEB128 length; returns it with its size in bytes.
fn length_of(bytes: &[u8]) -> Option<(usize, usize)> {
    let mut length = 0_usize;
    for (place, byte) in bytes.iter().take(4).enumerate() {
        length |= usize::from(byte & 0x7f) << (7 * place);
        if byte & 0x80 == 0 {
            return Some((length, place + 1));
        }
    }
    None
}

/// Returns the account in a 32-byte Move argument; 20-byte accounts are zero-padded.
pub fn move_account(base64: &str) -> Option<Address> {
    let bytes = BASE64_STANDARD.decode(base64).ok().filter(|bytes| bytes.len() == 32)?;
    let digits = alloy_primitives::hex::encode(&bytes);
    let short = digits.strip_prefix("000000000000000000000000");
    format!("0x{}", short.unwrap_or(&digits)).parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_is_found_in_every_form_and_nothing_else_is() {
        let plain = r#"{"amount":"1"}"#;
        let in_base64 = BASE64_STANDARD.encode(plain);
        let in_hex = alloy_primitives::hex::encode(plain);
        for (text, form) in [
            (plain.to_owned(), TextForm::Plain),
            (in_base64, TextForm::Base64),
            (format!("0x{in_hex}"), TextForm::Hex),
            (in_hex.to_uppercase(), TextForm::Hex),
            (BASE64_STANDARD.encode(r#"[{"a":1}]"#), TextForm::Base64),
        ] {
            assert_eq!(open_text(&text).map(|opened| opened.form), Some(form), "{text}");
        }
        for text in ["", "{}", "[]", "{", "e30=", "Wrong", "7b7d", "7b", "5", "eyJh", "init1veaum", "W10=", "0x7bé"] {
            assert_eq!(open_text(text), None, "{text}");
        }
        assert_eq!(open_text(&"[".repeat(4000)), None, "nested beyond reason");
    }

    #[test]
    fn arguments_of_move_say_what_they_may_be() {
        let read = |bytes: &[u8]| move_argument(&BASE64_STANDARD.encode(bytes)).unwrap_or_default();
        assert_eq!(read(&[0]), "false, none, an empty list or 0");
        assert_eq!(read(&[1]), "true or 1");
        assert_eq!(read(&100_000_u64.to_le_bytes()), "100,000 (if a u64)");
        assert_eq!(read(b"\x05hello"), "“hello”");
        assert_eq!(read("\u{e}me” (a fact)".as_bytes()), "“me\" (a fact)”", "no text closes its quotes");
        assert_eq!(read(&[&[1_u8][..], &270_301_u64.to_le_bytes()].concat()), "some: 270,301 (if a u64)");
        let mut padded = [0_u8; 32];
        padded[31] = 1;
        assert_eq!(read(&padded), "0x1 (address or object)");
        assert_eq!(read(&[2, 3, 4]), "0x020304 (3 bytes)");
        assert_eq!(read(&[]), "");
        assert_eq!(move_argument("not base64"), None);
    }
}
