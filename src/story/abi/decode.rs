use alloy_primitives::{I256, U256};

use super::{
    kind::{Kind, Parameter},
    value::{AbiValue, Argument},
};
use crate::domain::{Address, Amount};

const WORD: usize = 32;

/// Reads values by their types; `None` where the bytes do not fit them: an offset or length that points outside, dirt in
/// the padding of a number, address or bool.
///
/// The work is linear in the bytes: an encoder never writes a word that no value needs, so the values and the bytes taken
/// are never more than there are, and offsets that share one place many times over end the reading.
pub(super) fn decode(parameters: &[Parameter], data: &[u8]) -> Option<Vec<Argument>> {
    let words = data.len() / WORD;
    let mut reader =
        Reader { data, values: words.saturating_mul(4).saturating_add(parameters.len()), bytes: data.len() };
    reader.sequence(parameters, 0)
}

/// Reads a word of an event's topics; of a type without a fixed size it is the digest.
pub(super) fn decode_topic(kind: &Kind, word: &[u8; 32]) -> Option<AbiValue> {
    match kind {
        Kind::Bytes | Kind::Text | Kind::List(_) | Kind::Array(..) | Kind::Tuple(_) => Some(AbiValue::Digest(*word)),
        kind => single(kind, word),
    }
}

struct Reader<'a> {
    data: &'a [u8],
    /// Values that may still be read.
    values: usize,
    /// Bytes that may still be copied.
    bytes: usize,
}

impl Reader<'_> {
    /// Values one after another, with their offsets counted from the first.
    fn sequence(&mut self, parameters: &[Parameter], base: usize) -> Option<Vec<Argument>> {
        let mut at = base;
        let mut read = Vec::new();
        for parameter in parameters {
            let value = self.value(&parameter.kind, base, at)?;
            at = at.checked_add(parameter.kind.head())?;
            read.push(Argument {
                name: parameter.name.clone(),
                kind: parameter.label.clone(),
                value,
                is_indexed: parameter.is_indexed,
            });
        }
        Some(read)
    }

    fn value(&mut self, kind: &Kind, base: usize, at: usize) -> Option<AbiValue> {
        self.values = self.values.checked_sub(1)?;
        if !kind.is_dynamic() {
            return match kind {
                Kind::Array(inner, count) => self.items(inner, *count, at),
                Kind::Tuple(fields) => self.sequence(fields, at).map(AbiValue::Tuple),
                kind => single(kind, &self.word(at)?),
            };
        }
        let start = base.checked_add(self.size(at)?)?;
        match kind {
            Kind::Array(inner, count) => self.items(inner, *count, start),
            Kind::Tuple(fields) => self.sequence(fields, start).map(AbiValue::Tuple),
            Kind::List(inner) => {
                let count = self.size(start)?;
                self.items(inner, count, start.checked_add(WORD)?)
            }
            kind => self.text_or_bytes(kind, start),
        }
    }

    fn items(&mut self, inner: &Kind, count: usize, start: usize) -> Option<AbiValue> {
        let head = inner.head();
        let end = start.checked_add(head.checked_mul(count)?)?;
        if end > self.data.len() {
            return None;
        }
        let mut items = Vec::new();
        for place in 0..count {
            items.push(self.value(inner, start, start.checked_add(place.checked_mul(head)?)?)?);
        }
        Some(AbiValue::List(items))
    }

    fn text_or_bytes(&mut self, kind: &Kind, start: usize) -> Option<AbiValue> {
        let length = self.size(start)?;
        self.bytes = self.bytes.checked_sub(length)?;
        let from = start.checked_add(WORD)?;
        let bytes = self.data.get(from..from.checked_add(length)?)?;
        Some(match (kind, std::str::from_utf8(bytes)) {
            (Kind::Text, Ok(text)) => AbiValue::Text(text.to_owned()),
            _ => AbiValue::Bytes(bytes.to_vec()),
        })
    }

    fn word(&self, at: usize) -> Option<[u8; 32]> {
        self.data.get(at..at.checked_add(WORD)?)?.try_into().ok()
    }

    /// An offset or a length.
    fn size(&self, at: usize) -> Option<usize> {
        usize::try_from(U256::from_be_bytes(self.word(at)?)).ok()
    }
}

/// A value of one word.
fn single(kind: &Kind, word: &[u8; 32]) -> Option<AbiValue> {
    let number = U256::from_be_bytes(*word);
    let is_empty = |bytes: &[u8]| bytes.iter().all(|&byte| byte == 0);
    match kind {
        Kind::Address => {
            let (padding, bytes) = word.split_at(12);
            Address::from_bytes(bytes).filter(|_| is_empty(padding)).map(AbiValue::Address)
        }
        Kind::Bool => match u8::try_from(number).ok()? {
            0 => Some(AbiValue::Bool(false)),
            1 => Some(AbiValue::Bool(true)),
            _ => None,
        },
        Kind::Uint(bits) => (number.bit_len() <= usize::from(*bits)).then(|| AbiValue::Number(Amount::new(number))),
        Kind::Int(bits) => {
            let number = I256::from_raw(number);
            (number.bits() <= u32::from(*bits)).then_some(AbiValue::Signed(number))
        }
        Kind::Word(size) => {
            let (bytes, padding) = word.split_at_checked(usize::from(*size))?;
            is_empty(padding).then(|| AbiValue::Bytes(bytes.to_vec()))
        }
        _ => None,
    }
}
