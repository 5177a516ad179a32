use std::sync::Arc;

use alloy_primitives::{I256, hex};

use crate::domain::{Address, Amount};

/// Value of the EVM's ABI. Text is hostile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AbiValue {
    Address(Address),
    Bool(bool),
    /// Unsigned number.
    Number(Amount),
    Signed(I256),
    /// Bytes, also text that is not valid UTF-8.
    Bytes(Vec<u8>),
    Text(String),
    List(Vec<AbiValue>),
    Tuple(Vec<Argument>),
    /// Keccak-256 of a value: an event's topics contain only the hash.
    Digest([u8; 32]),
}

/// Value with its name and type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Argument {
    /// Name in the ABI; empty if missing. Hostile, since it may come from a user's file.
    pub name: Arc<str>,
    /// `uint256`, `(address,bytes)[]`.
    pub kind: Arc<str>,
    pub value: AbiValue,
    /// Whether the argument is an event's topic.
    pub is_indexed: bool,
}

impl AbiValue {
    pub fn address(&self) -> Option<Address> {
        match self {
            Self::Address(address) => Some(*address),
            _ => None,
        }
    }

    pub fn number(&self) -> Option<Amount> {
        match self {
            Self::Number(number) => Some(*number),
            _ => None,
        }
    }

    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    pub fn bytes(&self) -> Option<&[u8]> {
        match self {
            Self::Bytes(bytes) => Some(bytes),
            _ => None,
        }
    }

    /// Returns the values of a list; empty for other types.
    pub fn items(&self) -> &[AbiValue] {
        match self {
            Self::List(items) => items,
            _ => &[],
        }
    }

    /// Returns the values of a tuple; empty for other types.
    pub fn fields(&self) -> &[Argument] {
        match self {
            Self::Tuple(fields) => fields,
            _ => &[],
        }
    }

    /// Formats the value exactly: addresses in EIP-55, numbers ungrouped, bytes in hex, text in quotes.
    pub fn write(&self) -> String {
        let mut out = String::new();
        self.write_to(&mut out);
        out
    }

    fn write_to(&self, out: &mut String) {
        match self {
            Self::Address(address) => out.push_str(&address.checksummed()),
            Self::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
            Self::Number(number) => out.push_str(&number.to_string()),
            Self::Signed(number) => out.push_str(&number.to_string()),
            Self::Bytes(bytes) => out.push_str(&hex::encode_prefixed(bytes)),
            Self::Digest(word) => out.push_str(&hex::encode_prefixed(word)),
            Self::Text(text) => {
                out.push('"');
                out.push_str(text);
                out.push('"');
            }
            Self::List(items) => {
                out.push('[');
                write_items(out, items.iter(), |_, _| {});
                out.push(']');
            }
            Self::Tuple(fields) => {
                let values = fields.iter().map(|field| &field.value);
                out.push('(');
                write_items(out, values, |out, place| {
                    if let Some(name) = fields.get(place).map(|field| &field.name).filter(|name| !name.is_empty()) {
                        out.push_str(name);
                        out.push_str(": ");
                    }
                });
                out.push(')');
            }
        }
    }
}

fn write_items<'a>(out: &mut String, items: impl Iterator<Item = &'a AbiValue>, name: impl Fn(&mut String, usize)) {
    for (place, item) in items.enumerate() {
        if place > 0 {
            out.push_str(", ");
        }
        name(out, place);
        item.write_to(out);
    }
}
