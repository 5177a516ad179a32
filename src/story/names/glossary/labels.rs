//! Labels of accounts with their sources.

use std::{
    collections::{BTreeSet, HashMap},
    sync::Arc,
};

use super::{Glossary, well_known};
use crate::domain::{
    Address, Denom, Target,
    text::{PERSONAL_SIGNS, foreign, personal_name},
};

/// Name that the user gave, as typed and as shown between [`PERSONAL_SIGNS`].
#[derive(Clone, Debug)]
struct PersonalName {
    typed: Arc<str>,
    shown: Arc<str>,
    source: LabelSource,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LabelSource {
    /// The user.
    Person,
    /// File that the user imported.
    File,
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
            Self::File => "a file that you imported",
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
    /// The user's names: they take precedence as labels but prove no identity.
    personal: HashMap<Target, PersonalName>,
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
    pub fn add_label(&mut self, account: Address, label: &str) {
        self.labels.names.insert(account, foreign(label).into());
        self.labels.listed.insert(account);
    }

    /// Sets the user's name of a target, as typed or from a file; an empty name removes it.
    pub fn set_personal_name(&mut self, target: Target, name: &str, source: LabelSource) {
        let typed = name.replace(PERSONAL_SIGNS, "");
        if typed.is_empty() {
            self.labels.personal.remove(&target);
        } else {
            let shown = personal_name(&typed).into();
            self.labels.personal.insert(target, PersonalName { typed: typed.into(), shown, source });
        }
    }

    /// Copies the user's names from another glossary.
    pub fn keep_personal_names(&mut self, of: &Self) {
        self.labels.personal.clone_from(&of.labels.personal);
    }

    /// Returns the label of an account: the user's, else from the network's list or the address.
    pub fn label(&self, account: Address) -> Option<&Arc<str>> {
        self.personal_label(account).or_else(|| self.known_label(account))
    }

    /// Returns the user's name of an account, between [`PERSONAL_SIGNS`].
    pub fn personal_label(&self, account: Address) -> Option<&Arc<str>> {
        self.shown_personal_name(&Target::Account(account))
    }

    /// Returns the user's name of a denom, between [`PERSONAL_SIGNS`]. It stands beside the symbol, never for it.
    pub fn personal_denom(&self, denom: &Denom) -> Option<&Arc<str>> {
        self.shown_personal_name(&Target::Denom(denom.clone()))
    }

    /// Returns the user's name of a target, between [`PERSONAL_SIGNS`].
    pub fn shown_personal_name(&self, target: &Target) -> Option<&Arc<str>> {
        self.labels.personal.get(target).map(|name| &name.shown)
    }

    /// Returns the user's name of a target, as typed.
    pub fn personal_name(&self, target: &Target) -> Option<&Arc<str>> {
        self.labels.personal.get(target).map(|name| &name.typed)
    }

    /// Returns the user's names as typed, in a fixed order.
    pub fn personal_names(&self) -> Vec<(Target, Arc<str>)> {
        let mut names: Vec<_> =
            self.labels.personal.iter().map(|(target, name)| (target.clone(), Arc::clone(&name.typed))).collect();
        names.sort_by_cached_key(|(target, _)| target.tagged());
        names
    }

    /// Returns the accounts that the user named. An imported name makes no account the user's concern.
    pub fn named_accounts(&self) -> BTreeSet<Address> {
        let typed = self.labels.personal.iter().filter(|(_, name)| name.source == LabelSource::Person);
        typed
            .filter_map(|(target, _)| if let Target::Account(account) = target { Some(*account) } else { None })
            .collect()
    }

    /// Returns the label of an account from any source but the user. Only such a label vouches for a contract, because
    /// a user's own label says nothing about its honesty. Custody accounts of bridges and escrow accounts of
    /// channels derive from their ids and need no list.
    pub fn known_label(&self, account: Address) -> Option<&Arc<str>> {
        self.labels.names.get(&account).or_else(|| well_known::derived(account))
    }

    /// Returns the accounts with this label from any source but the user, in any case.
    pub fn accounts_called(&self, name: &str) -> BTreeSet<Address> {
        let name = name.to_lowercase();
        let called = self.labels.names.iter().filter(|(_, label)| label.to_lowercase() == name);
        called.map(|(account, _)| *account).collect()
    }

    /// Returns the source of an account's label; `None` without a label.
    pub fn label_source(&self, account: Address) -> Option<LabelSource> {
        if let Some(name) = self.labels.personal.get(&Target::Account(account)) {
            return Some(name.source);
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
            glossary.set_personal_name(Target::Account(account), "Alice", LabelSource::Person);
            assert_eq!(told(&glossary, account), (Some("‹Alice›".to_owned()), Some(LabelSource::Person)));
        }
        assert_eq!(glossary.known_label(mine), None, "a name of one's own vouches for nothing");
        glossary.add_label(listed, "‹Treasury›");
        glossary.add_token(Denom::new("umine"), "‹GAS›", 6);
        assert_eq!(glossary.known_label(listed).map(AsRef::as_ref), Some("<Treasury>"), "the signs are the user's");
        assert_eq!(glossary.token(&Denom::new("umine")).map(|unit| unit.symbol.as_str()), Some("<GAS>"));
        glossary.add_label(listed, "Treasury");
        glossary.set_personal_name(Target::Account(mine), "Alice", LabelSource::File);
        assert_eq!(told(&glossary, mine).1, Some(LabelSource::File));
        assert_eq!(glossary.named_accounts(), BTreeSet::from([listed]), "a file's name concerns nobody");
        let mut next = Glossary::default();
        next.keep_personal_names(&glossary);
        assert_eq!(next.personal_names(), glossary.personal_names());
        glossary.set_personal_name(Target::Account(listed), "", LabelSource::Person);
        assert_eq!(told(&glossary, listed).0.as_deref(), Some("Treasury"));
    }
}
