//! The accounts that a story names, by which a screen decides how much of each address it writes.

use std::collections::BTreeSet;

use super::{BalanceHolder, NftName, Phrase, Story, Word};
use crate::domain::Address;

/// Events whose attributes are looked through.
const MOST_EVENTS: usize = 300;
/// Characters of an address at the least, in either form, and at the most.
const ADDRESS: std::ops::RangeInclusive<usize> = 42..=66;

impl Story {
    /// The accounts that anything said of the transaction may name; some of them more than once.
    pub fn accounts(&self) -> Vec<Address> {
        let changes = &self.changes;
        let mut accounts: Vec<Address> = self.phrases().filter_map(account).map(|(address, _)| address).collect();
        accounts.extend(changes.balances.iter().filter_map(|change| match change.holder {
            BalanceHolder::Account(address) => Some(address),
            BalanceHolder::Store(_) => None,
        }));
        for change in &changes.nfts {
            accounts.extend(change.from.into_iter().chain(change.to));
            accounts.extend(match &change.what {
                NftName::Token { contract, .. } => read(contract),
                NftName::Nft { collection, .. } => read(collection),
                NftName::Object { object } => read(object),
            });
        }
        accounts.extend(changes.fee.payer.into_iter().chain(changes.fee.granter).chain(self.decoded.signer));
        let attributes = self.decoded.events.iter().take(MOST_EVENTS).flat_map(|event| &event.attributes);
        // Each text once: reading an address costs more than comparing it.
        let texts: BTreeSet<&str> =
            attributes.map(|(_, value)| value.as_str()).filter(|text| is_address(text)).collect();
        accounts.extend(texts.into_iter().filter_map(read));
        accounts
    }

    /// Those of them that it tells of as contracts of the EVM.
    pub fn contracts(&self) -> BTreeSet<Address> {
        self.phrases().filter_map(account).filter(|(_, is_contract)| *is_contract).map(|(address, _)| address).collect()
    }

    /// All words that are said of it.
    pub(super) fn phrases(&self) -> impl Iterator<Item = &Phrase> {
        let sentences = self.sentences.iter().flat_map(|sentence| &sentence.phrases);
        sentences.chain(self.bridge.iter().flat_map(|moved| &moved.phrases))
    }
}

/// The account that a word is, and whether it is told of as a contract.
pub(super) fn account(phrase: &Phrase) -> Option<(Address, bool)> {
    match phrase.word {
        Word::Account { address, is_contract, .. } => Some((address, is_contract)),
        _ => None,
    }
}

/// A text that is nothing but an address.
fn read(text: &str) -> Option<Address> {
    is_address(text).then(|| text.parse().ok()).flatten()
}

/// Whether a text has the look of an address.
fn is_address(text: &str) -> bool {
    ADDRESS.contains(&text.len()) && (text.starts_with("init1") || text.starts_with("0x"))
}
