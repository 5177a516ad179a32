use std::sync::Arc;

use alloy_primitives::hex;

use super::{
    AbiRegistry,
    decode::{decode, decode_topic, guess},
    item::{AbiItem, ItemKind},
    parameter::Parameter,
    value::{AbiValue, Argument},
};
use crate::{domain::Address, story::ContractLog};

/// Decoded call, log or error.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AbiReading {
    /// Selector with `0x`, or for a log its first topic. `None` for empty input.
    pub selector: Option<String>,
    /// Function, event or error, if the registry knows the selector.
    pub name: Option<Arc<str>>,
    /// Signature such as `transfer(address,uint256)`, if known.
    pub signature: Option<Arc<str>>,
    /// User's file with the item; `None` for embedded items.
    pub source: Option<Arc<str>>,
    /// Argument values. `None` for an unknown selector, or if the data does not fit the known item; the raw data is
    /// then shown.
    pub arguments: Option<Vec<Argument>>,
    /// Whether the one argument of an unknown function is read by the shape of its data alone.
    pub is_guess: bool,
}

impl AbiReading {
    /// Whether the selector is known but the data does not fit.
    pub fn is_misfit(&self) -> bool {
        self.name.is_some() && self.arguments.is_none()
    }

    /// Returns the name, else the selector; empty without either.
    pub fn title(&self) -> &str {
        self.name.as_deref().or(self.selector.as_deref()).unwrap_or_default()
    }

    /// Returns the argument at this index.
    pub fn value(&self, place: usize) -> Option<&AbiValue> {
        Some(&self.arguments.as_ref()?.get(place)?.value)
    }
}

impl AbiRegistry {
    /// Decodes the input of a call to this contract, hex with or without `0x`. Linear in the input.
    pub fn decode_call(&self, to: Option<Address>, input: &str) -> AbiReading {
        self.decode_bytes(ItemKind::Function, to, input)
    }

    /// Decodes the return data of a reverted call, like [`AbiRegistry::decode_call`].
    pub fn decode_error(&self, from: Option<Address>, output: &str) -> AbiReading {
        self.decode_bytes(ItemKind::Error, from, output)
    }

    /// Decodes a log by its first topic, then by the number of topics and the fit of its data.
    pub fn decode_log(&self, log: &ContractLog) -> AbiReading {
        let Some((topic, indexed)) = log.topics.split_first() else { return AbiReading::default() };
        let hash = bare(topic).to_ascii_lowercase();
        let items = self.candidates(ItemKind::Event, log.address.parse().ok(), &hash);
        let words: Option<Vec<[u8; 32]>> = indexed.iter().map(|topic| word(topic)).collect();
        let data = hex::decode(bare(&log.data)).ok();
        // Contracts vary the indexed parameters of a known event; without a matching item, all or none indexed is still
        // unambiguous.
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
        let data = hex::decode(rest).ok();
        let mut reading = read(format!("0x{hash}"), &items, |item| decode(&item.parameters, data.as_deref()?));
        if items.is_empty() && kind == ItemKind::Function {
            reading.arguments = data.and_then(|data| guess(&data)).map(|argument| vec![argument]);
            reading.is_guess = reading.arguments.is_some();
        }
        reading
    }
}

/// Decodes by the first item that fits; if none fits, only the name of the first is known.
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
        is_guess: false,
    }
}

/// Returns an event's values in signature order, from topics and data.
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
