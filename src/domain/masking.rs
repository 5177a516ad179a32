//! Masks addresses in texts that leave the machine, such as a support ticket.

use std::collections::HashMap;

/// Hex digits of an address of 20 bytes.
const DIGITS: usize = 40;
/// Hex digits of a 32-byte word that holds an address.
const WORD: usize = 64;
/// Number of characters of a bech32 address after its prefix: 20 or 32 bytes and the checksum.
const BECH32: [usize; 2] = [38, 58];
const ALPHABET: &str = "qpzry9x8gf2tvdw0s3jn54khce6mua7l";

/// Replaces each address in a text, in every spelling, by a number: `address-1`. Hashes stay.
pub fn mask_addresses(text: &str) -> String {
    let mut numbers: HashMap<String, usize> = HashMap::new();
    let mut result = String::with_capacity(text.len());
    let mut rest = text;
    while !rest.is_empty() {
        let end = rest.find(|sign: char| !sign.is_ascii_alphanumeric()).unwrap_or(rest.len());
        let (word, behind) = rest.split_at(end);
        match address_in(word) {
            Some(address) => {
                let count = numbers.len() + 1;
                let number = *numbers.entry(address.to_lowercase()).or_insert(count);
                result.push_str("address-");
                result.push_str(&number.to_string());
            }
            None => result.push_str(word),
        }
        let mut signs = behind.chars();
        result.extend(signs.next());
        rest = signs.as_str();
    }
    result
}

/// Returns the address in a word, without `0x`; `None` if the word contains no address.
fn address_in(word: &str) -> Option<&str> {
    let digits = word.strip_prefix("0x").unwrap_or(word);
    if digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        let head = digits.get(..WORD - DIGITS).filter(|_| digits.len() == WORD);
        let is_word = head.is_some_and(|head| head.bytes().all(|byte| byte == b'0'));
        return match digits.len() {
            DIGITS => Some(digits),
            WORD if is_word => digits.get(WORD - DIGITS..),
            _ => None,
        };
    }
    let (prefix, rest) = word.split_once('1')?;
    let is_prefix = !prefix.is_empty() && prefix.bytes().all(|byte| byte.is_ascii_lowercase());
    let is_address = BECH32.contains(&rest.len()) && rest.chars().all(|sign| ALPHABET.contains(sign));
    (is_prefix && is_address).then_some(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_masked_in_every_form_and_hashes_are_not() {
        let bech32 = "init19986clfn43f9pka870erxanxx7kp3lmfcrz898";
        let (hex, hash) = ("ab".repeat(20), "CD".repeat(32));
        let text =
            format!("{{\"a\":\"{bech32}\",\"b\":\"0x{hex}\",\"c\":\"evm/{}\",\"d\":\"{bech32}\"}}", hex.to_uppercase());
        assert_eq!(mask_addresses(&text), r#"{"a":"address-1","b":"address-2","c":"evm/address-2","d":"address-1"}"#);
        let word = format!("0x{}{hex}", "0".repeat(24));
        assert_eq!(mask_addresses(&word), "address-1");
        for kept in [hash.as_str(), "channel-1", "noble-1", "l2/df41", "1234567890", "ünit1", ""] {
            assert_eq!(mask_addresses(kept), kept);
        }
    }
}
