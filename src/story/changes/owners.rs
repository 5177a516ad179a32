//! Owners of Move stores that no event names: an account's primary store derives from its address (`docs/apis/story.md`
//! §2.3, step 3), so every address in the transaction is tried.

use std::collections::{HashMap, HashSet};

use base64::{Engine, prelude::BASE64_STANDARD};
use serde_json::Value;

use super::fee::COLLECTOR;
use crate::{
    domain::Address,
    events::{EventClass, EventRecord},
    story::{
        decode::{Decoded, DecodedEvent},
        limits::{MOST_EVENTS, Work},
        names::move_address::{account, derived, padded, wide},
    },
    wire::Tx,
};

/// Domain separator of an account's primary store.
const PRIMARY_STORE: u8 = 0xfc;

/// Search for owners. It costs one hash per address and asset, however many stores there are;
/// [`crate::story::MOST_OWNER_TESTS`] limits it.
pub(super) struct Owners<'a> {
    pub(super) found: HashMap<[u8; 32], Address>,
    unknown: HashMap<[u8; 32], HashSet<[u8; 32]>>,
    words: HashSet<&'a str>,
    tried: HashSet<[u8; 32]>,
    work: &'a Work,
}

impl<'a> Owners<'a> {
    /// Creates a search for these stores, each with its metadata object.
    pub(super) fn new(stores: impl Iterator<Item = ([u8; 32], [u8; 32])>, work: &'a Work) -> Self {
        let mut unknown: HashMap<_, HashSet<_>> = HashMap::new();
        for (store, metadata) in stores {
            unknown.entry(metadata).or_default().insert(store);
        }
        Self { found: HashMap::new(), unknown, words: HashSet::new(), tried: HashSet::new(), work }
    }

    /// Tries the addresses of the transaction, likely ones first, until every store has an owner.
    pub(super) fn search(&mut self, tx: &'a Tx, decoded: &'a Decoded) {
        let events = || decoded.events.iter().take(MOST_EVENTS);
        let is_move = |event: &DecodedEvent| matches!(event.class(), EventClass::Move);
        for event in events().filter(|event| !is_move(event)) {
            event.attributes.iter().for_each(|(_, value)| self.try_text(value));
        }
        for event in events().filter(|event| is_move(event)) {
            event.attributes.iter().for_each(|(_, value)| self.try_text(value));
        }
        if !self.unknown.is_empty() {
            self.try_text(tx.tx.get());
            decoded.messages.iter().for_each(|message| self.try_arguments(message.fields.get("args")));
            self.try_address(wide(COLLECTOR));
        }
    }

    /// Tries every address in a text: `init1…` or `0x…`.
    fn try_text(&mut self, text: &'a str) {
        if self.unknown.is_empty() {
            return;
        }
        for word in text.split(|character: char| !character.is_ascii_alphanumeric()) {
            let is_bech32 = word.starts_with("init1") && matches!(word.len(), 43 | 63);
            let is_hex = word.starts_with("0x") && (3..=66).contains(&word.len());
            if !(is_bech32 || is_hex) || !self.words.insert(word) {
                continue;
            }
            if self.unknown.is_empty() || !self.work.takes_owner_test() {
                return;
            }
            let address = if is_bech32 { word.parse().ok().map(wide) } else { padded(word) };
            if let Some(address) = address {
                self.try_address(address);
            }
        }
    }

    /// Tries the 32-byte addresses in BCS arguments.
    fn try_arguments(&mut self, arguments: Option<&Value>) {
        for argument in arguments.and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str) {
            let bytes = if argument.len() == 44 { BASE64_STANDARD.decode(argument).ok() } else { None };
            if let Some(address) = bytes.and_then(|bytes| bytes.try_into().ok()) {
                self.try_address(address);
            }
        }
    }

    fn try_address(&mut self, address: [u8; 32]) {
        if !self.tried.insert(address) {
            return;
        }
        let Some(owner) = account_of(&address) else { return };
        let (found, work) = (&mut self.found, self.work);
        self.unknown.retain(|metadata, stores| {
            if work.takes_owner_test() {
                let store = derived(&address, metadata, PRIMARY_STORE);
                if stores.remove(&store) {
                    found.insert(store, owner);
                }
            }
            !stores.is_empty()
        });
    }
}

/// Returns the account at a Move address: zero-padded 20 bytes belong to a user.
fn account_of(bytes: &[u8; 32]) -> Option<Address> {
    account(&alloy_primitives::hex::encode_prefixed(bytes))
}
