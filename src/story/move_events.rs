//! Contents of Move events (`docs/apis/story.md` §2.3).

use serde_json::{Map, Value};

use super::{context::TxContext, decode::DecodedEvent, names::move_address::padded};
use crate::domain::{Amount, Coin};
use crate::events::movevm::ModuleEvent;

/// Event of a Move module, with its index in the transaction.
pub(super) struct MoveEvent {
    pub(super) place: usize,
    /// `0x1::dex::SwapEvent`.
    pub(super) tag: String,
    data: Map<String, Value>,
}

impl MoveEvent {
    pub(super) fn of(place: usize, event: &DecodedEvent, is_wanted: impl Fn(&str) -> bool) -> Option<Self> {
        let event = ModuleEvent::of(event).filter(|event| is_wanted(event.tag))?;
        Some(Self { place, tag: event.tag.to_owned(), data: serde_json::from_str(event.data).ok()? })
    }

    /// Returns a field that is a string or a number.
    pub(super) fn text(&self, name: &str) -> Option<String> {
        scalar(self.data.get(name)?)
    }

    /// Returns a field that is an address or object, zero-padded.
    pub(super) fn word(&self, name: &str) -> Option<[u8; 32]> {
        padded(self.data.get(name)?.as_str()?)
    }

    /// Returns a numeric field.
    pub(super) fn number(&self, name: &str) -> Option<Amount> {
        self.text(name)?.parse().ok()
    }

    /// Returns the coin in two fields: metadata object and amount.
    pub(super) fn coin(&self, context: &TxContext<'_>, metadata: &str, amount: &str) -> Option<Coin> {
        Some(Coin { denom: context.denom_of(&self.word(metadata)?), amount: self.number(amount)? })
    }

    /// Returns the coins in two parallel lists; none if their lengths differ.
    pub(super) fn coins(&self, context: &TxContext<'_>, metadata: &str, amounts: &str) -> Option<Vec<Coin>> {
        const MOST: usize = 16;
        let list = |name: &str| self.data.get(name).and_then(Value::as_array);
        let (tokens, amounts) = (list(metadata)?, list(amounts)?);
        if tokens.len() != amounts.len() || tokens.len() > MOST {
            return None;
        }
        let coin = |(token, amount): (&Value, &Value)| {
            Some(Coin { denom: context.denom_of(&padded(token.as_str()?)?), amount: scalar(amount)?.parse().ok()? })
        };
        tokens.iter().zip(amounts).map(coin).collect()
    }

    /// Returns a boolean field.
    pub(super) fn flag(&self, name: &str) -> Option<bool> {
        self.data.get(name)?.as_bool()
    }

    /// Returns the length of a list field.
    pub(super) fn count(&self, name: &str) -> Option<usize> {
        self.data.get(name)?.as_array().map(Vec::len)
    }

    /// Returns a field of the first structure in a list.
    pub(super) fn first(&self, list: &str, name: &str) -> Option<String> {
        scalar(self.data.get(list)?.as_array()?.first()?.get(name)?)
    }
}

fn scalar(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}
