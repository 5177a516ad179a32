use alloy_dyn_abi::{DynSolType, DynSolValue, DynToken};

use super::{
    parameter::Parameter,
    value::{AbiValue, Argument},
    weigh::{fits, weigh},
};
use crate::domain::{Address, Amount};

/// Bytes of a word.
const WORD: usize = 32;

/// Decodes values by their types; `None` if the bytes do not fit: an offset or length out of range, non-zero padding,
/// or more values than the bytes can hold.
pub(super) fn decode(parameters: &[Parameter], data: &[u8]) -> Option<Vec<Argument>> {
    weigh(parameters, data)?;
    let kinds = parameters.iter().map(|parameter| text_as_bytes(&parameter.kind)).collect();
    match DynSolType::Tuple(kinds).abi_decode_params(data).ok()? {
        DynSolValue::Tuple(values) => arguments(parameters, values),
        _ => None,
    }
}

/// Returns the one text, bytes or list that the data is by its shape; `None` if it has another shape, or several. The
/// encoding of the value must be the data, byte for byte.
pub(super) fn guess(data: &[u8]) -> Option<Argument> {
    let is_exact = |kind: &str| {
        let encoded = || {
            let kind = DynSolType::Tuple(vec![DynSolType::parse(kind).ok()?]);
            Some(kind.abi_decode_params(data).ok()?.abi_encode_params())
        };
        guessed(kind, data).is_some() && encoded().is_some_and(|encoded| encoded == data)
    };
    let text = || {
        let argument = guessed("string", data)?;
        argument.value.text().filter(|text| !text.chars().any(|sign| sign.is_control() && !sign.is_whitespace()))?;
        Some(argument)
    };
    match (is_exact("bytes"), is_exact("bytes32[]")) {
        (true, false) => text().or_else(|| guessed("bytes", data)),
        (false, true) => guessed(list_kind(data.get(2 * WORD..)?), data),
        _ => None,
    }
}

fn guessed(kind: &str, data: &[u8]) -> Option<Argument> {
    decode(&[Parameter::new("", kind, Vec::new(), false)?], data)?.pop()
}

/// Returns the type of a list by its words: all of them look like addresses, like numbers, or like neither.
fn list_kind(words: &[u8]) -> &'static str {
    let all = |looks: fn(&[u8]) -> bool| words.chunks(WORD).all(looks);
    let is_address = |word: &[u8]| {
        let (padding, address) = word.split_at(12.min(word.len()));
        padding.iter().all(|byte| *byte == 0) && address.iter().take(4).any(|byte| *byte != 0)
    };
    match () {
        () if all(is_address) => "address[]",
        () if all(|word| word.iter().take(WORD / 2).all(|byte| *byte == 0)) => "uint256[]",
        () => "bytes32[]",
    }
}

/// Decodes a topic of an event; a value of dynamic size is only present as its digest.
pub(super) fn decode_topic(kind: &DynSolType, word: &[u8; 32]) -> Option<AbiValue> {
    match kind {
        DynSolType::Bytes
        | DynSolType::String
        | DynSolType::Array(_)
        | DynSolType::FixedArray(..)
        | DynSolType::Tuple(_) => Some(AbiValue::Digest(*word)),
        kind if fits(kind, word) => single(kind.detokenize(DynToken::Word((*word).into())).ok()?),
        _ => None,
    }
}

/// Returns the type with `bytes` in place of `string`, because the library replaces invalid UTF-8.
fn text_as_bytes(kind: &DynSolType) -> DynSolType {
    match kind {
        DynSolType::String => DynSolType::Bytes,
        DynSolType::Array(inner) => DynSolType::Array(Box::new(text_as_bytes(inner))),
        DynSolType::FixedArray(inner, count) => DynSolType::FixedArray(Box::new(text_as_bytes(inner)), *count),
        DynSolType::Tuple(kinds) => DynSolType::Tuple(kinds.iter().map(text_as_bytes).collect()),
        kind => kind.clone(),
    }
}

fn arguments(parameters: &[Parameter], values: Vec<DynSolValue>) -> Option<Vec<Argument>> {
    let argument = |(parameter, read): (&Parameter, DynSolValue)| {
        Some(Argument {
            name: parameter.name.clone(),
            kind: parameter.label.clone(),
            value: value(&parameter.kind, &parameter.fields, read)?,
            is_indexed: parameter.is_indexed,
        })
    };
    parameters.iter().zip(values).map(argument).collect()
}

fn value(kind: &DynSolType, fields: &[Parameter], read: DynSolValue) -> Option<AbiValue> {
    match (kind, read) {
        (
            DynSolType::Array(inner) | DynSolType::FixedArray(inner, _),
            DynSolValue::Array(items) | DynSolValue::FixedArray(items),
        ) => items.into_iter().map(|item| value(inner, fields, item)).collect::<Option<_>>().map(AbiValue::List),
        (DynSolType::Tuple(_), DynSolValue::Tuple(values)) => arguments(fields, values).map(AbiValue::Tuple),
        (DynSolType::String, DynSolValue::Bytes(bytes)) => Some(match String::from_utf8(bytes) {
            Ok(text) => AbiValue::Text(text),
            Err(error) => AbiValue::Bytes(error.into_bytes()),
        }),
        (_, read) => single(read),
    }
}

/// Converts a value without nested values.
fn single(read: DynSolValue) -> Option<AbiValue> {
    Some(match read {
        DynSolValue::Address(address) => AbiValue::Address(Address::from_bytes(address.as_slice())?),
        DynSolValue::Bool(value) => AbiValue::Bool(value),
        DynSolValue::Uint(number, _) => AbiValue::Number(Amount::new(number)),
        DynSolValue::Int(number, _) => AbiValue::Signed(number),
        DynSolValue::FixedBytes(word, size) => AbiValue::Bytes(word.get(..size)?.to_vec()),
        DynSolValue::Function(bytes) => AbiValue::Bytes(bytes.to_vec()),
        DynSolValue::Bytes(bytes) => AbiValue::Bytes(bytes),
        _ => return None,
    })
}

#[cfg(test)]
mod tests;
