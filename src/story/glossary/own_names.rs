//! What collections and token contracts call themselves: names of strangers, of which any number may go by.

use std::{num::NonZeroUsize, sync::Arc};

use lru::LruCache;

use super::Glossary;
use crate::domain::Address;

/// Names that are kept; those that were learned longest ago go.
const MOST: NonZeroUsize = NonZeroUsize::MIN.saturating_add(4999);
/// Characters of a name that are kept: more are shown nowhere.
const NAME: usize = 200;

/// The names by contract.
#[derive(Clone, Debug)]
pub(super) struct OwnNames(LruCache<Address, Arc<str>>);

impl Default for OwnNames {
    fn default() -> Self {
        Self(LruCache::new(MOST))
    }
}

/// The beginning of a name, where it is long.
fn beginning(name: &str) -> &str {
    name.char_indices().nth(NAME).map_or(name, |(end, _)| &name[..end])
}

impl Glossary {
    /// Learns what a collection or token contract calls itself. Words of a stranger: they stand in quotes, and never
    /// alone. Of very many the latest are kept.
    pub fn add_own_name(&mut self, contract: Address, name: &str) {
        self.own_names.0.put(contract, beginning(name).into());
    }

    /// What a collection or token contract calls itself, its beginning where that is long.
    pub fn own_name(&self, contract: Address) -> Option<&Arc<str>> {
        self.own_names.0.peek(&contract)
    }

    /// Whether this is how a contract is known to call itself.
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
