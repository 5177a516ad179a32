//! Self-chosen names of collections and token contracts: untrusted, and not unique.

use std::{num::NonZeroUsize, sync::Arc};

use lru::LruCache;

use super::Glossary;
use crate::domain::Address;

/// Maximum names in memory; the oldest are dropped.
const MOST: NonZeroUsize = NonZeroUsize::MIN.saturating_add(4999);
/// Maximum characters of a name.
const NAME: usize = 200;

#[derive(Clone, Debug)]
pub(super) struct OwnNames(LruCache<Address, Arc<str>>);

impl Default for OwnNames {
    fn default() -> Self {
        Self(LruCache::new(MOST))
    }
}

fn beginning(name: &str) -> &str {
    name.char_indices().nth(NAME).map_or(name, |(end, _)| &name[..end])
}

impl Glossary {
    /// Adds the self-chosen name of a collection or token contract. It is untrusted, so it appears in quotes and never
    /// alone. The latest names are kept.
    pub fn add_own_name(&mut self, contract: Address, name: &str) {
        self.own_names.0.put(contract, beginning(name).into());
    }

    /// Returns the self-chosen name of a collection or token contract, truncated if long.
    pub fn own_name(&self, contract: Address) -> Option<&Arc<str>> {
        self.own_names.0.peek(&contract)
    }

    /// Returns the self-chosen name of an NFT collection. Notes a collection without one, for the caller to look it up.
    pub fn collection_name(&self, collection: Address) -> Option<&Arc<str>> {
        let name = self.own_name(collection);
        if name.is_none() {
            self.nameless.see(&collection);
        }
        name
    }

    /// Returns the collections whose missing name was looked up for the first time since the last call.
    pub fn take_nameless(&self) -> Vec<Address> {
        self.nameless.take()
    }

    /// Whether words looked up a reason or a collection's name that the glossary lacks, since these were taken.
    pub fn has_lookups(&self) -> bool {
        self.reverted.has_fresh() || self.nameless.has_fresh()
    }

    /// Whether the contract is known by this self-chosen name.
    pub fn has_own_name(&self, contract: Address, name: &str) -> bool {
        self.own_name(contract).is_some_and(|known| **known == *beginning(name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contract(number: usize) -> Address {
        let mut bytes = [0; 20];
        bytes[..8].copy_from_slice(&number.to_be_bytes());
        Address::Short(bytes)
    }

    #[test]
    fn names_of_strangers_are_bounded_and_the_latest_stay() {
        let mut glossary = Glossary::default();
        for number in 0..MOST.get() {
            glossary.add_own_name(contract(number), "first");
        }
        glossary.add_own_name(contract(0), "again");
        for number in MOST.get()..MOST.get() + 10 {
            glossary.add_own_name(contract(number), &"x".repeat(100_000));
        }
        assert_eq!(glossary.own_names.0.len(), MOST.get());
        assert_eq!(glossary.own_name(contract(0)).map(AsRef::as_ref), Some("again"), "it was learned anew");
        assert_eq!(glossary.own_name(contract(1)), None, "the oldest went");
        assert_eq!(glossary.own_name(contract(MOST.get())).map(|name| name.len()), Some(NAME));
        assert!(glossary.has_own_name(contract(MOST.get()), &"x".repeat(100_000)), "it is not learned again and again");
    }
}
