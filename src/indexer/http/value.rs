use alloy_primitives::hex;

use super::reply::HttpRefusal;
use crate::{
    domain::{Address, Height, TxHash},
    indexer::index::address_of_digits,
};

/// Parses a height: a signed decimal number of at least 1.
pub(super) fn height(text: &str) -> Result<Height, HttpRefusal> {
    let refuse =
        |why| HttpRefusal::Bad(format!("[INVALID_VALUE] invalid value for height: {text} (must be a {why} integer)"));
    let number: i64 = text.parse().map_err(|_| refuse("valid"))?;
    u64::try_from(number).ok().and_then(Height::new).ok_or_else(|| refuse("positive"))
}

/// Pattern of an address, without the checksum.
pub(super) const ADDRESS: &str =
    "^(0x[0-9a-fA-F]{1,64}|[0-9a-fA-F]{1,64}|init1([02-9ac-hj-np-z]{38}|[02-9ac-hj-np-z]{58}))$";

/// Pattern of an address as in [`ADDRESS`], or of empty text.
pub(super) const MAYBE_ADDRESS: &str =
    "^(0x[0-9a-fA-F]{1,64}|[0-9a-fA-F]{1,64}|init1([02-9ac-hj-np-z]{38}|[02-9ac-hj-np-z]{58}))?$";

/// Whether a text looks like a bech32 address; the checksum is not checked.
fn is_bech32(text: &str) -> bool {
    text.strip_prefix("init1").is_some_and(|data| {
        let is_of_alphabet = |byte| b"qpzry9x8gf2tvdw0s3jn54khce6mua7l".contains(&byte);
        matches!(data.len(), 38 | 58) && data.bytes().all(is_of_alphabet)
    })
}

/// Parses an account: bech32, or else hex with or without `0x`, padded or cut to an address's length. Rejects a wrong
/// checksum.
pub(super) fn account(text: &str) -> Result<Address, HttpRefusal> {
    let digits = match text.strip_prefix("0x") {
        Some(digits) => digits,
        None => match text.parse::<Address>() {
            Ok(address) if text.get(..5).is_some_and(|start| start.eq_ignore_ascii_case("init1")) => {
                return Ok(address);
            }
            _ => text,
        },
    };
    let kind = if is_bech32(text) { HttpRefusal::Unknown } else { HttpRefusal::Bad };
    address_of_digits(digits)
        .ok_or_else(|| kind(format!("[INVALID_VALUE] invalid value for account: {text} (invalid address format)")))
}

/// Parses a collection's address in any format of an account; errors have the words of the real server.
pub(super) fn collection(text: &str) -> Result<Address, HttpRefusal> {
    if let Ok(address) = account(text) {
        return Ok(address);
    }
    let kind = if is_bech32(text) { HttpRefusal::Unknown } else { HttpRefusal::Bad };
    let digits = text.strip_prefix("0x").unwrap_or(text).trim_start_matches('0');
    match digits.bytes().find(|byte| !byte.is_ascii_hexdigit()) {
        Some(byte) if digits.len() <= 64 => {
            let character = char::from(byte);
            let shown = if character.is_control() { String::new() } else { format!(" '{character}'") };
            Err(kind(format!("encoding/hex: invalid byte: U+{byte:04X}{shown}")))
        }
        _ => {
            let sentence = format!("[INVALID_VALUE] invalid value for address: {text} (invalid address format)");
            Err(kind(sentence))
        }
    }
}

/// Parses a hash; `None` if it does not have 32 bytes.
pub(super) fn tx_hash(text: &str) -> Result<Option<TxHash>, HttpRefusal> {
    let digits = text.strip_prefix("0x").unwrap_or(text);
    let even = if digits.len().is_multiple_of(2) { digits.to_owned() } else { format!("0{digits}") };
    let valid = even.bytes().all(|byte| byte.is_ascii_hexdigit());
    let bytes = valid.then(|| hex::decode(&even).ok()).flatten();
    let bytes = bytes.ok_or_else(|| HttpRefusal::Bad("invalid hash format".to_owned()))?;
    Ok(<[u8; 32]>::try_from(bytes).ok().map(TxHash::new))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heights_are_strict_numbers_from_one() {
        for (text, expected) in
            [("5", Some(5)), ("+5", Some(5)), ("007", Some(7)), ("0", None), ("-1", None), ("x", None), ("1.0", None)]
        {
            assert_eq!(height(text).ok().map(Height::get), expected, "{text}");
        }
        let sentence = |text| height(text).unwrap_err().to_string();
        assert_eq!(sentence("0"), "[INVALID_VALUE] invalid value for height: 0 (must be a positive integer)");
        assert_eq!(sentence("a"), "[INVALID_VALUE] invalid value for height: a (must be a valid integer)");
        assert_eq!(
            sentence("9223372036854775808"),
            "[INVALID_VALUE] invalid value for height: 9223372036854775808 (must be a valid integer)"
        );
    }

    #[test]
    fn every_form_of_an_account_means_the_same() {
        let mut bytes = [0; 20];
        bytes[19] = 1;
        let one = Address::Short(bytes);
        let padded = format!("0x{:0>64}", "1");
        for text in ["1", "0x1", "0x01", padded.as_str(), &one.bech32(), &one.bech32().to_uppercase()] {
            assert_eq!(account(text).unwrap(), one, "{text}");
        }
        assert_eq!(account("0x").unwrap(), Address::Short([0; 20]));
        assert_eq!(account(&"a".repeat(41)).unwrap().bytes().len(), 32);
        for text in ["zzz", "0X1", &"a".repeat(65), "init1qqqq", "é"] {
            assert!(account(text).is_err(), "{text}");
        }
    }

    #[test]
    fn collections_are_refused_in_the_words_of_go() {
        let sentence = |text: &str| collection(text).unwrap_err().to_string();
        assert_eq!(sentence("zz"), "encoding/hex: invalid byte: U+007A 'z'");
        assert_eq!(sentence("0x0012 4"), "encoding/hex: invalid byte: U+0020 ' '");
        let long = "f".repeat(65);
        assert_eq!(
            sentence(&long),
            format!("[INVALID_VALUE] invalid value for address: {long} (invalid address format)")
        );
        assert_eq!(collection("0x12").unwrap(), account("12").unwrap());
    }

    #[test]
    fn hashes_are_bytes_in_hexadecimal() {
        let hash = TxHash::new([0xab; 32]);
        for text in [hash.to_string(), hash.to_string().to_lowercase(), format!("0x{hash}")] {
            assert_eq!(tx_hash(&text).unwrap(), Some(hash));
        }
        assert_eq!(tx_hash("abc").unwrap(), None);
        let odd = tx_hash(&"1".repeat(63)).unwrap();
        assert_eq!(odd.map(|hash| (hash.bytes()[0], hash.bytes()[31])), Some((0x01, 0x11)));
        for text in ["zz", "0X00", "0x0x12"] {
            assert_eq!(tx_hash(text).unwrap_err().to_string(), "invalid hash format");
        }
    }
}
