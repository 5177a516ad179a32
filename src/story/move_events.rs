//! What Move's events hold (`docs/apis/story.md` §2.3).

use serde_json::{Map, Value};

use super::{DecodedEvent, context::TxContext, nft_moves::padded};
use crate::domain::{Amount, Coin};

/// An event of a module, with its place among the transaction's events.
pub(super) struct MoveEvent {
    pub(super) place: usize,
    /// `0x1::dex::SwapEvent`.
    pub(super) tag: String,
    data: Map<String, Value>,
}

impl MoveEvent {
    /// An event of Move whose type is wanted. Only the first type tag and the first data count, as newer nodes repeat
    /// the fields behind them.
    pub(super) fn of(place: usize, event: &DecodedEvent, is_wanted: impl Fn(&str) -> bool) -> Option<Self> {
        let tag = event.value("type_tag").filter(|tag| event.kind == "move" && is_wanted(tag))?;
        let data = serde_json::from_str(event.value("data")?).ok()?;
        Some(Self { place, tag: tag.to_owned(), data })
    }

    /// A field that is text, or a number written as one.
    pub(super) fn text(&self, name: &str) -> Option<String> {
        scalar(self.data.get(name)?)
    }

    /// A field that is an address or object, with the zeros before it.
    pub(super) fn word(&self, name: &str) -> Option<[u8; 32]> {
        padded(self.data.get(name)?.as_str()?)
    }

    /// A field that is a number.
    pub(super) fn number(&self, name: &str) -> Option<Amount> {
        self.text(name)?.parse().ok()
    }

    /// An amount of the token whose metadata and number are in these fields.
    pub(super) fn coin(&self, context: &TxContext<'_>, metadata: &str, amount: &str) -> Option<Coin> {
        Some(Coin { denom: context.denom_of(&self.word(metadata)?), amount: self.number(amount)? })
    }

    /// Amounts of the tokens that two lists name together; a list of another length than the other names none.
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

    /// A field that says yes or no.
    pub(super) fn flag(&self, name: &str) -> Option<bool> {
        self.data.get(name)?.as_bool()
    }

    /// How many a list holds.
    pub(super) fn count(&self, name: &str) -> Option<usize> {
        self.data.get(name)?.as_array().map(Vec::len)
    }

    /// A field of the first in a list of structures.
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
