//! BCS encoding of Move function arguments (`docs/apis/story.md` §1.5).

use alloy_primitives::U256;
use base64::{Engine as _, prelude::BASE64_STANDARD};

use crate::domain::Amount;

/// Decodes a little-endian number of any Move width.
pub fn number(bytes: &[u8]) -> Option<Amount> {
    matches!(bytes.len(), 1 | 2 | 4 | 8 | 16 | 32).then(|| Amount::new(U256::from_le_slice(bytes)))
}

/// Decodes bytes after their ULEB128 length; trailing bytes are an error.
pub fn sized(bytes: &[u8]) -> Option<&[u8]> {
    let (length, rest) = count(bytes)?;
    (rest.len() == length).then_some(rest)
}

/// Decodes text after its length; trailing bytes are an error.
pub fn text(bytes: &[u8]) -> Option<&str> {
    std::str::from_utf8(sized(bytes)?).ok()
}

/// Decodes the length of a list; returns the length and the bytes of the items.
pub fn count(bytes: &[u8]) -> Option<(usize, &[u8])> {
    let mut length: usize = 0;
    for (place, byte) in bytes.iter().enumerate().take(4) {
        length |= usize::from(byte & 0x7f) << (7 * place);
        if byte & 0x80 == 0 {
            return Some((length, bytes.get(place + 1..)?));
        }
    }
    None
}

/// Encodes bytes or text after their length.
pub fn encode_bytes(bytes: impl AsRef<[u8]>) -> Vec<u8> {
    let bytes = bytes.as_ref();
    let mut encoded = encode_count(bytes.len());
    encoded.extend_from_slice(bytes);
    encoded
}

fn encode_count(length: usize) -> Vec<u8> {
    let (mut rest, mut bytes) = (length, Vec::with_capacity(4));
    loop {
        let low = u8::try_from(rest & 0x7f).unwrap_or_default();
        rest >>= 7;
        if rest == 0 {
            bytes.push(low);
            return bytes;
        }
        bytes.push(low | 0x80);
    }
}

pub fn encode_option(value: Option<&[u8]>) -> Vec<u8> {
    value.map_or_else(|| vec![0], |value| [&[1], value].concat())
}

/// Arguments of a Move function, each as base64 of its BCS bytes.
#[derive(Debug, Default)]
pub struct BcsArguments(Vec<String>);

impl BcsArguments {
    fn push(mut self, bytes: &[u8]) -> Self {
        self.0.push(BASE64_STANDARD.encode(bytes));
        self
    }

    #[must_use]
    pub fn address(self, word: [u8; 32]) -> Self {
        self.push(&word)
    }

    #[must_use]
    pub fn addresses(self, words: &[[u8; 32]]) -> Self {
        let mut bytes = encode_count(words.len());
        bytes.extend(words.iter().flatten());
        self.push(&bytes)
    }

    /// Adds an amount as u64, saturating; amounts on Move chains never exceed it.
    #[must_use]
    pub fn amount(self, amount: Amount) -> Self {
        self.number(amount.get().saturating_to())
    }

    #[must_use]
    pub fn number(self, number: u64) -> Self {
        self.push(&number.to_le_bytes())
    }

    /// Adds an optional amount that is present, as u64.
    #[must_use]
    pub fn some_amount(self, amount: Amount) -> Self {
        let number: u64 = amount.get().saturating_to();
        self.push(&encode_option(Some(&number.to_le_bytes())))
    }

    /// Adds text or bytes.
    #[must_use]
    pub fn text(self, text: impl AsRef<[u8]>) -> Self {
        self.push(&encode_bytes(text))
    }

    pub fn finish(self) -> Vec<String> {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_exact() {
        let long = [&[0xac, 0x02][..], &[b'x'; 300]].concat();
        assert_eq!(text(&long).map(str::len), Some(300));
        assert_eq!(text(&long[..200]), None);
        assert_eq!(sized(&[0xff, 0xff, 0xff, 0xff, 0xff]), None);
        assert_eq!(number(&[1, 2]), Some(Amount::from(513)));
        assert_eq!(number(&[1, 2, 3]), None);
    }

    #[test]
    fn lengths_take_seven_bits_to_the_byte() {
        assert_eq!(
            (encode_count(0), encode_count(127), encode_count(128), encode_count(300)),
            (vec![0], vec![127], vec![128, 1], vec![172, 2])
        );
        let long = vec![b'x'; 70_000];
        assert_eq!(sized(&encode_bytes(&long)), Some(long.as_slice()), "what is written is read");
    }

    #[test]
    fn arguments_are_those_of_real_swaps() {
        let arguments =
            BcsArguments::default().amount(Amount::from(90_000_000_000)).some_amount(Amount::from(8_176_367_745));
        assert_eq!(arguments.finish(), ["AARr9BQAAAA=", "AYF4WecBAAAA"]);
    }
}
