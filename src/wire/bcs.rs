//! BCS, read and written: how arguments of Move functions are encoded (`docs/apis/story.md` §1.5).

use alloy_primitives::U256;
use base64::{Engine as _, prelude::BASE64_STANDARD};

use crate::domain::Amount;

/// A number of any of Move's widths, least byte first.
pub fn number(bytes: &[u8]) -> Option<Amount> {
    matches!(bytes.len(), 1 | 2 | 4 | 8 | 16 | 32).then(|| Amount::new(U256::from_le_slice(bytes)))
}

/// Bytes behind their length, which takes seven bits to the byte; nothing may follow them.
pub fn sized(bytes: &[u8]) -> Option<&[u8]> {
    let (length, rest) = count(bytes)?;
    (rest.len() == length).then_some(rest)
}

/// Text behind its length; nothing may follow it.
pub fn text(bytes: &[u8]) -> Option<&str> {
    std::str::from_utf8(sized(bytes)?).ok()
}

/// How many items a list has, and the bytes of the items.
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

/// Bytes or text behind their length.
pub fn encode_bytes(bytes: impl AsRef<[u8]>) -> Vec<u8> {
    let bytes = bytes.as_ref();
    let mut encoded = encode_count(bytes.len());
    encoded.extend_from_slice(bytes);
    encoded
}

/// A length, seven bits to the byte.
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

/// An option that holds this encoded value, or nothing.
pub fn encode_option(value: Option<&[u8]>) -> Vec<u8> {
    value.map_or_else(|| vec![0], |value| [&[1], value].concat())
}

/// A function's arguments, encoded one by one, as the base64 texts of a message.
#[derive(Debug, Default)]
pub struct BcsArguments(Vec<String>);

impl BcsArguments {
    fn push(mut self, bytes: &[u8]) -> Self {
        self.0.push(BASE64_STANDARD.encode(bytes));
        self
    }

    /// An address or object.
    #[must_use]
    pub fn address(self, word: [u8; 32]) -> Self {
        self.push(&word)
    }

    /// A list of addresses or objects.
    #[must_use]
    pub fn addresses(self, words: &[[u8; 32]]) -> Self {
        let mut bytes = encode_count(words.len());
        bytes.extend(words.iter().flatten());
        self.push(&bytes)
    }

    /// A number of 64 bits; more than that is cut to the most, which amounts on Move chains never exceed.
    #[must_use]
    pub fn amount(self, amount: Amount) -> Self {
        self.number(amount.get().saturating_to())
    }

    /// A number of 64 bits.
    #[must_use]
    pub fn number(self, number: u64) -> Self {
        self.push(&number.to_le_bytes())
    }

    /// A number of 64 bits that is there.
    #[must_use]
    pub fn some_amount(self, amount: Amount) -> Self {
        let number: u64 = amount.get().saturating_to();
        self.push(&encode_option(Some(&number.to_le_bytes())))
    }

    /// Text, or bytes.
    #[must_use]
    pub fn text(self, text: impl AsRef<[u8]>) -> Self {
        self.push(&encode_bytes(text))
    }

    /// The texts.
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
