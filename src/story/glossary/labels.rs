//! What accounts are called, and who says so.

use std::{
    collections::{BTreeSet, HashMap},
    sync::Arc,
};

use super::{Glossary, well_known};
use crate::domain::Address;

/// Who says what an account is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LabelSource {
    /// The person at the keyboard.
    Person,
    /// The network's list: built in, or of the settings.
    Network,
    /// Its address: every chain has such an account, or it follows from a channel or a bridge.
    Address,
}

impl LabelSource {
    /// Who it is, as it follows "named by".
    pub fn who(self) -> &'static str {
        match self {
            Self::Person => "you",
            Self::Network => "the network's list",
            Self::Address => "its address, which a module, channel or bridge fixes",
        }
    }
}

/// The names of accounts by who gave them.
#[derive(Clone, Debug)]
pub(super) struct Labels {
    names: HashMap<Address, Arc<str>>,
    /// Those of them that the network's list has.
    listed: BTreeSet<Address>,
    /// Those that the person gave: they go before all others, and vouch for nothing.
    personal: HashMap<Address, Arc<str>>,
}

impl Default for Labels {
    /// Those that every chain has in common.
    fn default() -> Self {
        Self { names: well_known::labels().collect(), listed: BTreeSet::new(), personal: HashMap::new() }
    }
}

impl Labels {
    /// A name that follows from an address; one that is known already stays.
    pub(super) fn derive(&mut self, account: Address, name: impl FnOnce() -> String) {
        self.names.entry(account).or_insert_with(|| name().into());
    }
}

impl Glossary {
    /// Learns what the network's list calls an account.
    pub fn add_label(&mut self, account: Address, label: impl Into<Arc<str>>) {
        self.labels.names.insert(account, label.into());
        self.labels.listed.insert(account);
    }

    /// Learns the person's own name of an account; an empty one takes it away.
    pub fn set_personal_label(&mut self, account: Address, label: &str) {
        if label.is_empty() {
            self.labels.personal.remove(&account);
        } else {
            self.labels.personal.insert(account, label.into());
        }
    }

    /// Takes over the person's own names of accounts from another one.
    pub fn keep_personal_labels(&mut self, of: &Self) {
        self.labels.personal.clone_from(&of.labels.personal);
    }

    /// What an account is called: by the person, else by the network's list or by what its address is.
    pub fn label(&self, account: Address) -> Option<&Arc<str>> {
        self.personal_label(account).or_else(|| self.known_label(account))
    }

    /// The person's own name of an account.
    pub fn personal_label(&self, account: Address) -> Option<&Arc<str>> {
        self.labels.personal.get(&account)
    }

    /// The person's own names, in the order of the accounts.
    pub fn personal_labels(&self) -> Vec<(Address, Arc<str>)> {
        let mut labels: Vec<_> =
            self.labels.personal.iter().map(|(account, label)| (*account, Arc::clone(label))).collect();
        labels.sort_unstable_by_key(|(account, _)| *account);
        labels
    }

    /// What an account is called by others than the person. Only this vouches for a contract: who names one for himself
    /// does not say that it is honest. Custody accounts of bridges follow from their numbers, so they need no list.
    pub fn known_label(&self, account: Address) -> Option<&Arc<str>> {
        self.labels.names.get(&account).or_else(|| well_known::custody(account))
    }

    /// Who says what an account is called; `None` where nobody does.
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
