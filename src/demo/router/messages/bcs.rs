//! Arguments of Move functions in BCS, as base64.

use base64::{Engine, prelude::BASE64_STANDARD};

use crate::domain::Amount;

/// A list of arguments, encoded one by one.
#[derive(Debug, Default)]
pub(super) struct Arguments(Vec<String>);

impl Arguments {
    fn push(mut self, bytes: &[u8]) -> Self {
        self.0.push(BASE64_STANDARD.encode(bytes));
        self
    }

    /// An address or object.
    pub(super) fn address(self, word: [u8; 32]) -> Self {
        self.push(&word)
    }

    /// A list of addresses or objects.
    pub(super) fn addresses(self, words: &[[u8; 32]]) -> Self {
        let mut bytes = count(words.len());
        bytes.extend(words.iter().flatten());
        self.push(&bytes)
    }

    /// A number of 64 bits; more than that is cut to the most, which the quote never exceeds on Move chains.
    pub(super) fn amount(self, amount: Amount) -> Self {
        self.number(amount.get().saturating_to())
    }

    /// A number of 64 bits.
    pub(super) fn number(self, number: u64) -> Self {
        self.push(&number.to_le_bytes())
    }

    /// A number of 64 bits that is there.
    pub(super) fn some_amount(self, amount: Amount) -> Self {
        let number: u64 = amount.get().saturating_to();
        self.push(&[[1].as_slice(), &number.to_le_bytes()].concat())
    }

    /// Text, or bytes.
    pub(super) fn text(self, text: impl AsRef<[u8]>) -> Self {
        let mut bytes = count(text.as_ref().len());
        bytes.extend_from_slice(text.as_ref());
        self.push(&bytes)
    }

    /// The list.
    pub(super) fn finish(self) -> Vec<String> {
        self.0
    }
}

/// A length, seven bits to the byte.
fn count(length: usize) -> Vec<u8> {
    let (mut rest, mut bytes) = (length, Vec::new());
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

#[cfg(test)]
mod tests {
    use super::{Amount, Arguments, count};

    #[test]
    fn lengths_take_seven_bits_to_the_byte() {
        assert_eq!((count(0), count(127), count(128), count(300)), (vec![0], vec![127], vec![128, 1], vec![172, 2]));
    }

    #[test]
    fn arguments_are_those_of_real_swaps() {
        let arguments =
            Arguments::default().amount(Amount::from(90_000_000_000)).some_amount(Amount::from(8_176_367_745));
        assert_eq!(arguments.finish(), ["AARr9BQAAAA=", "AYF4WecBAAAA"]);
    }
}
