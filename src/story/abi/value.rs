use std::sync::Arc;

use alloy_primitives::{I256, hex};

use crate::domain::{Address, Amount};

/// A value of the EVM's ABI. Text is hostile.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AbiValue {
    /// An account or contract.
    Address(Address),
    /// Whether.
    Bool(bool),
    /// A number that cannot be negative.
    Number(Amount),
    /// A number that can.
    Signed(I256),
    /// Bytes; also what should be text and is none.
    Bytes(Vec<u8>),
    /// Text.
    Text(String),
    /// Values of one type.
    List(Vec<AbiValue>),
    /// Named values.
    Tuple(Vec<Argument>),
    /// Only the Keccak-256 of a value: so much of it is in an event's topics.
    Digest([u8; 32]),
}

/// A value with its name and type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Argument {
    /// As the ABI names it; empty where it does not. From a user's file, so hostile.
    pub name: Arc<str>,
    /// `uint256`, `(address,bytes)[]`.
    pub kind: Arc<str>,
    /// What it is.
    pub value: AbiValue,
    /// Whether it is among an event's topics.
    pub is_indexed: bool,
}

impl AbiValue {
    /// The account, if it is one.
    pub fn address(&self) -> Option<Address> {
        match self {
            Self::Address(address) => Some(*address),
            _ => None,
        }
    }

    /// The number, if it is one that cannot be negative.
    pub fn number(&self) -> Option<Amount> {
        match self {
            Self::Number(number) => Some(*number),
            _ => None,
        }
    }

    /// The text, if it is one.
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The bytes, if it is some.
    pub fn bytes(&self) -> Option<&[u8]> {
        match self {
            Self::Bytes(bytes) => Some(bytes),
            _ => None,
        }
    }

    /// The values of a list; of anything else none.
    pub fn items(&self) -> &[AbiValue] {
        match self {
            Self::List(items) => items,
            _ => &[],
        }
    }

    /// The values of a tuple; of anything else none.
    pub fn fields(&self) -> &[Argument] {
        match self {
            Self::Tuple(fields) => fields,
            _ => &[],
        }
    }

    /// Writes it whole and exactly: addresses in EIP-55, numbers without grouping, bytes in hex, text in quotes.
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
