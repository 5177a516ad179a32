use std::sync::Arc;

use alloy_primitives::hex;

use super::{
    AbiRegistry,
    decode::{decode, decode_topic},
    item::{AbiItem, ItemKind},
    parameter::Parameter,
    value::{AbiValue, Argument},
};
use crate::{domain::Address, story::ContractLog};

/// What the book says of a call, a log or an error.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AbiReading {
    /// What it begins with: `0x` and 8 digits, of a log its first topic. `None` where there is nothing.
    pub selector: Option<String>,
    /// The function, event or error, where the book knows the selector.
    pub name: Option<Arc<str>>,
    /// `transfer(address,uint256)`, likewise.
    pub signature: Option<Arc<str>>,
    /// The user's file that says so; `None` for the embedded ones.
    pub source: Option<Arc<str>>,
    /// The values. `None` where the selector is unknown, or where the words do not fit what it stands for: then they are
    /// shown as they are.
    pub arguments: Option<Vec<Argument>>,
}

impl AbiReading {
    /// Whether the selector is known and yet the words do not fit it.
    pub fn is_misfit(&self) -> bool {
        self.name.is_some() && self.arguments.is_none()
    }

    /// The name where it is known, else the selector; empty where there is neither.
    pub fn title(&self) -> &str {
        self.name.as_deref().or(self.selector.as_deref()).unwrap_or_default()
    }

    /// The value at a place among the arguments.
    pub fn value(&self, place: usize) -> Option<&AbiValue> {
        Some(&self.arguments.as_ref()?.get(place)?.value)
    }
}

impl AbiRegistry {
    /// Reads a call's input, hex with or without `0x`, to this contract. Takes time linear in the input.
    pub fn decode_call(&self, to: Option<Address>, input: &str) -> AbiReading {
        self.decode_bytes(ItemKind::Function, to, input)
    }

    /// Reads what a call returned that was reverted, as [`AbiRegistry::decode_call`] does.
    pub fn decode_error(&self, from: Option<Address>, output: &str) -> AbiReading {
        self.decode_bytes(ItemKind::Error, from, output)
    }

    /// Reads a log. Its first topic decides, then how many topics it has and whether its data fit.
    pub fn decode_log(&self, log: &ContractLog) -> AbiReading {
        let Some((topic, indexed)) = log.topics.split_first() else { return AbiReading::default() };
        let hash = bare(topic).to_ascii_lowercase();
        let items = self.candidates(ItemKind::Event, log.address.parse().ok(), &hash);
        let words: Option<Vec<[u8; 32]>> = indexed.iter().map(|topic| word(topic)).collect();
        let data = hex::decode(bare(&log.data)).ok();
        // Contracts differ in what they index of a known event; where no item says it, all or nothing is still sure.
        let count = indexed.len();
        let is_exact =
            items.iter().any(|item| item.parameters.iter().filter(|parameter| parameter.is_indexed).count() == count);
        let is_indexed = |item: &AbiItem, parameter: &Parameter| {
            let is_all = !is_exact && count == item.parameters.len();
            count > 0 && (is_all || parameter.is_indexed)
        };
        let arguments = |item: &AbiItem| {
            log_arguments(item, |parameter| is_indexed(item, parameter), words.as_deref()?, data.as_deref()?)
        };
        read(format!("0x{hash}"), &items, arguments)
    }

    fn decode_bytes(&self, kind: ItemKind, contract: Option<Address>, text: &str) -> AbiReading {
        let digits = bare(text);
        let Some((selector, rest)) = digits.split_at_checked(8) else { return AbiReading::default() };
        let hash = selector.to_ascii_lowercase();
        let items = self.candidates(kind, contract, &hash);
        let data = if items.is_empty() { None } else { hex::decode(rest).ok() };
        read(format!("0x{hash}"), &items, |item| decode(&item.parameters, data.as_deref()?))
    }
}

/// The first item that the words fit; where none is, the first says the name.
fn read(selector: String, items: &[&AbiItem], arguments: impl Fn(&AbiItem) -> Option<Vec<Argument>>) -> AbiReading {
    let fitting = items.iter().find_map(|item| Some((*item, arguments(item)?)));
    let (item, arguments) = match fitting {
        Some((item, arguments)) => (Some(item), Some(arguments)),
        None => (items.first().copied(), None),
    };
    AbiReading {
        selector: Some(selector),
        name: item.map(|item| item.name.clone()),
        signature: item.map(|item| item.signature.clone()),
        source: item.and_then(|item| item.source.clone()),
        arguments,
    }
}

/// An event's values in the order of its signature, from its topics and its data.
fn log_arguments(
    item: &AbiItem,
    is_indexed: impl Fn(&Parameter) -> bool,
    topics: &[[u8; 32]],
    data: &[u8],
) -> Option<Vec<Argument>> {
    let plain: Vec<_> = item.parameters.iter().filter(|parameter| !is_indexed(parameter)).cloned().collect();
    if item.parameters.len() - plain.len() != topics.len() {
        return None;
    }
    let mut topics = topics.iter();
    let mut of_data = decode(&plain, data)?.into_iter();
    let argument = |parameter: &Parameter| {
        if !is_indexed(parameter) {
            return of_data.next().map(|argument| Argument { is_indexed: false, ..argument });
        }
        let value = decode_topic(&parameter.kind, topics.next()?)?;
        Some(Argument { name: parameter.name.clone(), kind: parameter.label.clone(), value, is_indexed: true })
    };
    item.parameters.iter().map(argument).collect()
}

fn bare(hex: &str) -> &str {
    hex.strip_prefix("0x").unwrap_or(hex)
}

fn word(topic: &str) -> Option<[u8; 32]> {
    hex::decode(bare(topic)).ok()?.try_into().ok()
}
