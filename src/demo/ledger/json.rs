//! Minimal JSON writer, and text formats of bytes.

use std::fmt::{Display, Write};

use alloy_primitives::hex;
use base64::{Engine as _, prelude::BASE64_STANDARD};

/// JSON that is being written. The writer adds commas, and closes nested values when their closure returns.
#[derive(Debug, Default)]
pub(super) struct Json {
    text: String,
    comma: bool,
}

impl Json {
    /// Creates a buffer for a message of typical size.
    pub(super) fn new() -> Self {
        Self { text: String::with_capacity(1024), comma: false }
    }

    pub(super) fn finish(self) -> String {
        self.text
    }

    pub(super) fn object(&mut self, fill: impl FnOnce(&mut Self)) -> &mut Self {
        self.nest('{', '}', fill)
    }

    pub(super) fn list(&mut self, fill: impl FnOnce(&mut Self)) -> &mut Self {
        self.nest('[', ']', fill)
    }

    pub(super) fn key(&mut self, name: &str) -> &mut Self {
        self.separate();
        quote(&mut self.text, name);
        self.text.push(':');
        self.comma = false;
        self
    }

    pub(super) fn string(&mut self, value: &str) -> &mut Self {
        self.separate();
        quote(&mut self.text, value);
        self.comma = true;
        self
    }

    /// Writes JSON text verbatim.
    pub(super) fn raw(&mut self, json: impl Display) -> &mut Self {
        self.separate();
        write!(self.text, "{json}").unwrap_or_default();
        self.comma = true;
        self
    }

    pub(super) fn field(&mut self, name: &str, value: &str) -> &mut Self {
        self.key(name).string(value)
    }

    /// Writes a number as a string field, as proto JSON does for 64-bit numbers and amounts.
    pub(super) fn number(&mut self, name: &str, value: impl Display) -> &mut Self {
        self.key(name);
        write!(self.text, "\"{value}\"").unwrap_or_default();
        self.comma = true;
        self
    }

    /// Writes a field whose value is JSON text.
    pub(super) fn value(&mut self, name: &str, json: impl Display) -> &mut Self {
        self.key(name).raw(json)
    }

    fn nest(&mut self, open: char, close: char, fill: impl FnOnce(&mut Self)) -> &mut Self {
        self.separate();
        self.text.push(open);
        self.comma = false;
        fill(self);
        self.text.push(close);
        self.comma = true;
        self
    }

    fn separate(&mut self) {
        if self.comma {
            self.text.push(',');
        }
        self.comma = false;
    }
}

/// Appends an escaped JSON string.
fn quote(text: &mut String, value: &str) {
    text.push('"');
    let mut plain = 0;
    for (at, byte) in value.bytes().enumerate() {
        if byte >= 0x20 && byte != b'"' && byte != b'\\' {
            continue;
        }
        text.push_str(&value[plain..at]);
        match byte {
            b'"' => text.push_str("\\\""),
            b'\\' => text.push_str("\\\\"),
            b'\n' => text.push_str("\\n"),
            _ => write!(text, "\\u{byte:04x}").unwrap_or_default(),
        }
        plain = at + 1;
    }
    text.push_str(&value[plain..]);
    text.push('"');
}

/// Returns a text as a JSON string, quoted and escaped.
pub(super) fn quoted(value: &str) -> String {
    let mut text = String::with_capacity(value.len() + 2);
    quote(&mut text, value);
    text
}

pub(crate) fn base64(bytes: impl AsRef<[u8]>) -> String {
    BASE64_STANDARD.encode(bytes)
}

pub(crate) fn lower(bytes: impl AsRef<[u8]>) -> String {
    hex::encode(bytes)
}

#[cfg(test)]
mod tests {
    use super::Json;

    #[test]
    fn nested_values_are_separated_and_escaped() {
        let mut json = Json::new();
        json.object(|json| {
            json.field("a", "x\"\\\n\u{1}é").number("n", 5);
            json.key("l").list(|json| {
                json.string("1").object(|_| {}).raw(2);
            });
            json.value("z", "null");
        });
        assert_eq!(json.finish(), r#"{"a":"x\"\\\n\u0001é","n":"5","l":["1",{},2],"z":null}"#);
    }
}
