//! Accounts named in a transaction's events.

use std::collections::{HashMap, HashSet};

use alloy_primitives::hex;

use crate::{
    domain::Address,
    story::{
        decode::{DecodedEvent, EventPhase},
        limits::Work,
    },
};

/// Hex digits of a 32-byte word.
const WORD: usize = 64;
/// Hex digits of a 20-byte account.
const ACCOUNT: usize = 40;

/// Accounts that the events of each message name in any format, truncated to 20 bytes as in logs; `None` holds those
/// outside messages. A message's own claim proves nothing about an account.
#[derive(Debug, Default)]
pub(crate) struct NamedAccounts(HashMap<Option<usize>, HashSet<[u8; 20]>>);

impl NamedAccounts {
    /// Scans all events once.
    pub(crate) fn of(events: &[DecodedEvent], work: &Work) -> Self {
        let mut named = Self::default();
        for event in events.iter().take_while(|_| work.takes_event()) {
            let message = match event.phase {
                EventPhase::Message(message) => Some(message),
                EventPhase::Before | EventPhase::After => None,
            };
            let accounts = named.0.entry(message).or_default();
            for (_, value) in &event.attributes {
                read(value, accounts);
                // Packets contain hex too, on some chains only hex.
                if let Some(text) = hex::decode(value).ok().and_then(|bytes| String::from_utf8(bytes).ok()) {
                    read(&text, accounts);
                }
            }
        }
        named
    }

    /// Whether an event of this message, or one outside messages such as the signature's, names the account.
    pub(crate) fn has(&self, message: usize, account: Address) -> bool {
        let is_in = |key| self.0.get(&key).is_some_and(|accounts| accounts.contains(&account.tail()));
        is_in(Some(message)) || is_in(None)
    }
}

/// Extracts accounts from a text: bech32, hex of 20 or 32 bytes, words of log data, and Move addresses without leading
/// zeros.
fn read(text: &str, accounts: &mut HashSet<[u8; 20]>) {
    for word in text.split(|sign: char| !sign.is_ascii_alphanumeric()) {
        let digits = match word.strip_prefix("0x") {
            Some(digits) if !digits.is_empty() && digits.len() < WORD => {
                accounts.extend(tail(&format!("{digits:0>WORD$}")));
                continue;
            }
            Some(digits) => digits,
            None if word.len() == ACCOUNT => {
                accounts.extend(tail(word));
                continue;
            }
            None => {
                accounts.extend(word.parse::<Address>().ok().map(|account| account.tail()));
                continue;
            }
        };
        let mut rest = digits;
        while let Some((word, more)) = rest.split_at_checked(WORD) {
            accounts.extend(tail(word));
            rest = more;
        }
    }
}

/// Decodes the last 20 bytes of hex digits.
fn tail(digits: &str) -> Option<[u8; 20]> {
    let mut bytes = [0; 20];
    hex::decode_to_slice(digits.get(digits.len().checked_sub(ACCOUNT)?..)?, &mut bytes).ok().map(|()| bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accounts_are_found_in_every_form_that_events_write() {
        let account = Address::Short([7; 20]);
        let (long, hex) = (Address::Long([9; 32]), alloy_primitives::hex::encode([7; 20]));
        let zeros = "0".repeat(24);
        let packet = format!(r#"{{"sender":"{}"}}"#, account.bech32());
        let forms = [
            account.bech32(),
            account.checksummed(),
            format!("evm/{hex}"),
            format!("{}/7", account.bech32()),
            format!(r#"{{"topics":["0x{zeros}{hex}"]}}"#),
            format!(r#"{{"data":"0x{}{zeros}{hex}"}}"#, "0".repeat(64)),
            packet.clone(),
            alloy_primitives::hex::encode(packet),
            long.bech32(),
            format!(r#"{{"owner":"{}"}}"#, long.hex()),
        ];
        for form in forms {
            let attributes = vec![("key".to_owned(), form.clone())];
            let event = DecodedEvent::new("any".to_owned(), attributes, EventPhase::Message(2));
            let named = NamedAccounts::of(&[event], &Work::default());
            assert!(named.has(2, account) || named.has(2, long), "{form}");
            assert!(!named.has(1, account) && !named.has(1, long), "of another message: {form}");
        }
        let short = vec![("data".to_owned(), r#"{"to":"0x1"}"#.to_owned())];
        let event = DecodedEvent::new("move".to_owned(), short, EventPhase::Before);
        let named = NamedAccounts::of(&[event], &Work::default());
        assert!(named.has(5, "0x1".parse().unwrap()) && !named.has(5, account));
    }
}
