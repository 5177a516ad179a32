//! Arguments of Move functions, encoded as BCS and read without the function's types (`wire/story.md` §1.5).

use alloy_primitives::{U256, hex};

use super::nft_moves::narrow;
use crate::domain::{Address, Amount};

/// What encoded bytes look like. The types are not in the record, so this may be wrong: it is shown beside the bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BcsGuess {
    /// 32 bytes: an account or object.
    Address(Address),
    /// 8 bytes: a number of 64 bits.
    Number(u64),
    /// One byte, 0 or 1: no or yes; a 0 may also be an empty option or list.
    Flag(bool),
    /// Printable text behind its length.
    Text(String),
    /// What follows the mark of an option that holds something.
    Some(Box<BcsGuess>),
    /// Anything else.
    Bytes(Vec<u8>),
}

/// Reads one argument.
pub fn guess_bcs(bytes: &[u8]) -> BcsGuess {
    // Text first: a number or address that reads as its own length and printable letters is rarer than such a text.
    if let Some(text) = text(bytes).filter(|text| text.len() > 1 && text.chars().all(is_printable)) {
        return BcsGuess::Text(text.to_owned());
    }
    if let Ok(word) = <[u8; 32]>::try_from(bytes) {
        return BcsGuess::Address(narrow(word));
    }
    if let Ok(number) = bytes.try_into().map(u64::from_le_bytes) {
        return BcsGuess::Number(number);
    }
    match bytes {
        [0] => BcsGuess::Flag(false),
        [1] => BcsGuess::Flag(true),
        [1, inner @ ..] => match guess_bcs_inner(inner) {
            Some(inner) => BcsGuess::Some(Box::new(inner)),
            None => BcsGuess::Bytes(bytes.to_vec()),
        },
        _ => BcsGuess::Bytes(bytes.to_vec()),
    }
}

/// What an option may hold; only one mark is taken off.
fn guess_bcs_inner(bytes: &[u8]) -> Option<BcsGuess> {
    match bytes {
        [1, ..] if bytes.len() > 1 && !matches!(bytes.len(), 8 | 32) => None,
        _ => Some(guess_bcs(bytes)).filter(|guess| !matches!(guess, BcsGuess::Bytes(_))),
    }
}

impl std::fmt::Display for BcsGuess {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Address(address) => write!(formatter, "{address}"),
            Self::Number(number) => write!(formatter, "{number}"),
            Self::Flag(true) => formatter.write_str("true"),
            Self::Flag(false) => formatter.write_str("false or none"),
            Self::Text(text) => write!(formatter, "\"{text}\""),
            Self::Some(inner) => write!(formatter, "some {inner}"),
            Self::Bytes(bytes) => formatter.write_str(&hex::encode_prefixed(bytes)),
        }
    }
}

fn is_printable(character: char) -> bool {
    !character.is_control() && character != '\u{fffd}'
}

/// A number of any of Move's widths, least byte first.
pub(super) fn number(bytes: &[u8]) -> Option<Amount> {
    matches!(bytes.len(), 1 | 2 | 4 | 8 | 16 | 32).then(|| Amount::new(U256::from_le_slice(bytes)))
}

/// Bytes behind their length, which takes seven bits to the byte; nothing may follow them.
pub(super) fn sized(bytes: &[u8]) -> Option<&[u8]> {
    let (length, rest) = count(bytes)?;
    (rest.len() == length).then_some(rest)
}

/// The same, where it is text.
pub(super) fn text(bytes: &[u8]) -> Option<&str> {
    std::str::from_utf8(sized(bytes)?).ok()
}

/// How many items a list has.
pub(super) fn count(bytes: &[u8]) -> Option<(usize, &[u8])> {
    let mut length: usize = 0;
    for (place, byte) in bytes.iter().enumerate().take(4) {
        length |= usize::from(byte & 0x7f) << (7 * place);
        if byte & 0x80 == 0 {
            return Some((length, bytes.get(place + 1..)?));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guess(digits: &str) -> String {
        guess_bcs(&hex::decode(digits).unwrap()).to_string()
    }

    #[test]
    fn arguments_are_read_by_their_form() {
        assert_eq!(guess("7300000000000000"), "115");
        assert_eq!(guess("00"), "false or none");
        assert_eq!(guess("01"), "true");
        assert_eq!(guess("01a086010000000000"), "some 100000");
        assert_eq!(guess("026869"), "\"hi\"");
        assert_eq!(guess(&format!("{:064x}", 1)), "init1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqpqr5e3d");
        assert_eq!(guess("0101"), "some true");
        assert_eq!(guess("010101"), "0x010101", "an option of an option is not guessed");
        assert_eq!(guess("ff00"), "0xff00");
        assert_eq!(guess(""), "0x");
    }

    #[test]
    fn lengths_are_exact() {
        let long = [&[0xac, 0x02][..], &[b'x'; 300]].concat();
        assert_eq!(text(&long).map(str::len), Some(300));
        assert_eq!(text(&long[..200]), None);
        assert_eq!(sized(&[0xff, 0xff, 0xff, 0xff, 0xff]), None);
        assert_eq!(number(&[1, 2]), Some(Amount::from(513)));
        assert_eq!(number(&[1, 2, 3]), None);
    }
}
