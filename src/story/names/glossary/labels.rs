//! Labels of accounts with their sources.

use std::{
    collections::{BTreeSet, HashMap},
    sync::Arc,
};

use super::{Glossary, well_known};
use crate::domain::Address;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LabelSource {
    /// The user.
    Person,
    Network,
    /// Known address: common to all chains, or derived from a channel or a bridge.
    Address,
}

impl LabelSource {
    /// Returns [`Self::who`] without its explanation.
    pub fn brief(self) -> &'static str {
        self.who().split(',').next().unwrap_or_default()
    }

    /// Returns the source as it follows "named by".
    pub fn who(self) -> &'static str {
        match self {
            Self::Person => "you",
            Self::Network => "the network's list",
            Self::Address => "the address, which a module, channel or bridge determines",
        }
    }
}

#[derive(Clone, Debug)]
pub(super) struct Labels {
    names: HashMap<Address, Arc<str>>,
    /// Accounts from the network's list.
    listed: BTreeSet<Address>,
    /// The user's labels: they take precedence but prove no identity.
    personal: HashMap<Address, Arc<str>>,
}

impl Default for Labels {
    fn default() -> Self {
        Self { names: well_known::labels().collect(), listed: BTreeSet::new(), personal: HashMap::new() }
    }
}

impl Labels {
    /// Adds a label derived from an address, unless one exists.
    pub(super) fn derive(&mut self, account: Address, name: impl FnOnce() -> String) {
        self.names.entry(account).or_insert_with(|| name().into());
    }
}

impl Glossary {
    pub fn add_label(&mut self, account: Address, label: impl Into<Arc<str>>) {
        self.labels.names.insert(account, label.into());
        self.labels.listed.insert(account);
    }

    /// Sets the user's label of an account; an empty label removes it.
    pub fn set_personal_label(&mut self, account: Address, label: &str) {
        if label.is_empty() {
            self.labels.personal.remove(&account);
        } else {
            self.labels.personal.insert(account, label.into());
        }
    }

    /// Copies the user's labels from another glossary.
    pub fn keep_personal_labels(&mut self, of: &Self) {
        self.labels.personal.clone_from(&of.labels.personal);
    }

    /// Returns the label of an account: the user's, else from the network's list or the address.
    pub fn label(&self, account: Address) -> Option<&Arc<str>> {
        self.personal_label(account).or_else(|| self.known_label(account))
    }

    pub fn personal_label(&self, account: Address) -> Option<&Arc<str>> {
        self.labels.personal.get(&account)
    }

    /// Returns the user's labels, ordered by account.
    pub fn personal_labels(&self) -> Vec<(Address, Arc<str>)> {
        let mut labels: Vec<_> =
            self.labels.personal.iter().map(|(account, label)| (*account, Arc::clone(label))).collect();
        labels.sort_unstable_by_key(|(account, _)| *account);
        labels
    }

    /// Returns the label of an account from any source but the user. Only such a label vouches for a contract, because
    /// a user's own label says nothing about its honesty. Custody accounts of bridges and escrow accounts of
    /// channels derive from their ids and need no list.
    pub fn known_label(&self, account: Address) -> Option<&Arc<str>> {
        self.labels.names.get(&account).or_else(|| well_known::derived(account))
    }

    /// Returns the source of an account's label; `None` without a label.
    pub fn label_source(&self, account: Address) -> Option<LabelSource> {
        if self.labels.personal.contains_key(&account) {
            return Some(LabelSource::Person);
        }
        let is_listed = self.labels.listed.contains(&account);
        self.known_label(account).map(|_| if is_listed { LabelSource::Network } else { LabelSource::Address })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_persons_own_name_goes_before_others_and_can_be_taken_away() {
        let [mine, listed, module] = [[7; 20], [8; 20], [0; 20]].map(Address::Short);
        let mut glossary = Glossary::default();
        glossary.add_label(listed, "Treasury");
        let told = |glossary: &Glossary, account| {
            (glossary.label(account).map(ToString::to_string), glossary.label_source(account))
        };
        assert_eq!(told(&glossary, mine), (None, None));
        assert_eq!(told(&glossary, listed), (Some("Treasury".to_owned()), Some(LabelSource::Network)));
        assert_eq!(told(&glossary, module).1, Some(LabelSource::Address));
        for account in [mine, listed] {
            glossary.set_personal_label(account, "Alice");
            assert_eq!(told(&glossary, account), (Some("Alice".to_owned()), Some(LabelSource::Person)));
        }
        assert_eq!(glossary.known_label(mine), None, "a name of one's own vouches for nothing");
        let mut next = Glossary::default();
        next.keep_personal_labels(&glossary);
        assert_eq!(next.personal_labels(), glossary.personal_labels());
        glossary.set_personal_label(listed, "");
        assert_eq!(told(&glossary, listed).0.as_deref(), Some("Treasury"));
    }
}
