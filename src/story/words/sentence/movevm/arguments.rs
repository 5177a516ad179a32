use base64::{Engine, prelude::BASE64_STANDARD};
use serde_json::Value;

use crate::{
    domain::Amount,
    story::{context::MessageRef, names::move_address::any_form},
    wire::bcs,
};

/// Arguments of a call with known types, in either encoding: BCS in base64, or JSON.
pub(super) struct MoveArguments<'a> {
    items: &'a [Value],
    is_json: bool,
}

impl<'a> MoveArguments<'a> {
    pub(super) fn of(message: MessageRef<'a>) -> Self {
        let items = message.fields.get("args").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        Self { items, is_json: message.kind.as_str().ends_with("JSON") }
    }

    fn json(&self, place: usize) -> Option<Value> {
        serde_json::from_str(self.items.get(place)?.as_str()?).ok()
    }

    fn bytes(&self, place: usize) -> Option<Vec<u8>> {
        BASE64_STANDARD.decode(self.items.get(place)?.as_str()?).ok()
    }

    pub(super) fn word(&self, place: usize) -> Option<[u8; 32]> {
        if self.is_json {
            return any_form(self.json(place)?.as_str()?);
        }
        self.bytes(place)?.try_into().ok()
    }

    /// Returns an optional account.
    pub(super) fn maybe_word(&self, place: usize) -> Option<[u8; 32]> {
        if self.is_json {
            return self.word(place);
        }
        match self.bytes(place)?.as_slice() {
            [1, word @ ..] => word.try_into().ok(),
            _ => None,
        }
    }

    pub(super) fn number(&self, place: usize) -> Option<Amount> {
        if self.is_json {
            return match self.json(place)? {
                Value::String(text) => text.parse().ok(),
                Value::Number(number) => number.to_string().parse().ok(),
                _ => None,
            };
        }
        bcs::number(&self.bytes(place)?)
    }

    pub(super) fn text(&self, place: usize) -> Option<String> {
        if self.is_json {
            return self.json(place)?.as_str().map(ToOwned::to_owned);
        }
        bcs::text(&self.bytes(place)?).map(ToOwned::to_owned)
    }

    pub(super) fn flag(&self, place: usize) -> Option<bool> {
        if self.is_json {
            return self.json(place)?.as_bool();
        }
        match self.bytes(place)?.as_slice() {
            [0] => Some(false),
            [1] => Some(true),
            _ => None,
        }
    }

    /// Returns the length of a list.
    pub(super) fn count(&self, place: usize) -> Option<usize> {
        if self.is_json {
            return self.json(place)?.as_array().map(Vec::len);
        }
        bcs::count(&self.bytes(place)?).map(|(count, _)| count)
    }

    pub(super) fn texts(&self, place: usize) -> Option<Vec<String>> {
        if self.is_json {
            let list = self.json(place)?;
            return list.as_array()?.iter().map(|item| item.as_str().map(ToOwned::to_owned)).collect();
        }
        let bytes = self.bytes(place)?;
        let (count, mut rest) = bcs::count(&bytes)?;
        let mut texts = Vec::new();
        for _ in 0..count {
            let (length, after) = bcs::count(rest)?;
            let (text, after) = after.split_at_checked(length)?;
            texts.push(std::str::from_utf8(text).ok()?.to_owned());
            rest = after;
        }
        rest.is_empty().then_some(texts)
    }

    /// Parses bytes that contain JSON.
    pub(super) fn document(&self, place: usize) -> Option<Value> {
        if self.is_json {
            return match self.json(place)? {
                Value::String(text) => serde_json::from_slice(&digits_or_text(&text)).ok(),
                Value::Array(bytes) => {
                    let bytes: Option<Vec<u8>> =
                        bytes.iter().map(|byte| byte.as_u64().and_then(|byte| byte.try_into().ok())).collect();
                    serde_json::from_slice(&bytes?).ok()
                }
                _ => None,
            };
        }
        serde_json::from_slice(bcs::sized(&self.bytes(place)?)?).ok()
    }
}

/// Decodes bytes of a JSON argument: hex, else the text's bytes.
fn digits_or_text(text: &str) -> Vec<u8> {
    alloy_primitives::hex::decode(text).unwrap_or_else(|_| text.as_bytes().to_vec())
}
