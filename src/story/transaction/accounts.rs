//! Accounts in a story, which determine how far a screen may shorten addresses.

use std::collections::BTreeSet;

use super::Story;
use crate::{
    domain::Address,
    story::{
        changes::{BalanceHolder, NftName},
        words::phrase::{Phrase, account},
    },
};

/// Maximum events searched.
const MOST_EVENTS: usize = 300;
/// Range of an address's length in characters, in either format.
const ADDRESS: std::ops::RangeInclusive<usize> = 42..=66;

impl Story {
    /// Returns the accounts that the texts about the transaction may name, with duplicates.
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
        // Parse each text once: parsing an address costs more than comparing it.
        let texts: BTreeSet<&str> =
            attributes.map(|(_, value)| value.as_str()).filter(|text| is_address(text)).collect();
        accounts.extend(texts.into_iter().filter_map(read));
        accounts
    }

    /// Returns the accounts that the story treats as EVM contracts.
    pub fn contracts(&self) -> BTreeSet<Address> {
        self.phrases().filter_map(account).filter(|(_, is_contract)| *is_contract).map(|(address, _)| address).collect()
    }

    pub(crate) fn phrases(&self) -> impl Iterator<Item = &Phrase> {
        let sentences = self.sentences.iter().flat_map(|sentence| &sentence.phrases);
        sentences.chain(self.bridge.iter().flat_map(|moved| &moved.phrases))
    }
}

fn read(text: &str) -> Option<Address> {
    is_address(text).then(|| text.parse().ok()).flatten()
}

/// Whether a text looks like an address.
fn is_address(text: &str) -> bool {
    ADDRESS.contains(&text.len()) && (text.starts_with("init1") || text.starts_with("0x"))
}
