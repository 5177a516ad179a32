//! Addresses of a route, one per chain that needs one. The first signs, the last receives.

use std::cmp::Ordering;

use super::SendPage;
use crate::{
    app::{
        directory::Directory,
        prompt::{Entry, EntryPurpose},
    },
    domain::{Address, AddressRule, ChainAddress, ChainId},
    signing::WalletAccounts,
    story::Names,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    Typed,
    Wallet,
    /// The user's browser wallet.
    Connected,
    Signer,
    /// The transfer's record.
    Kept,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AddressRole {
    /// Signs the first transaction.
    Signs,
    Receives,
    /// The only address: signs and receives.
    Both,
    /// On a chain in the middle: receives refunds.
    Passes,
    /// On a chain that the funds have already left.
    Left,
}

#[derive(Clone, Debug)]
pub(super) struct AddressSlot {
    pub(super) chain: ChainId,
    pub(super) address: Option<(ChainAddress, Origin)>,
    pub(super) rule: AddressRule,
}

impl AddressSlot {
    pub(super) fn new(chain: ChainId) -> Self {
        Self { chain, address: None, rule: AddressRule::Unknown }
    }

    /// Fills in the address from the transfer's record.
    pub(super) fn keep(&mut self, text: &str) {
        self.address = AddressRule::Unknown.read(text).ok().map(|address| (address, Origin::Kept));
    }

    /// Returns the address in the format of the routing API.
    pub(super) fn text(&self) -> Option<&str> {
        self.address.as_ref().map(|(address, _)| address.as_str())
    }

    /// Returns the address as an account of an Initia chain.
    pub(super) fn account(&self) -> Option<Address> {
        let (address, _) = self.address.as_ref()?;
        address.account().or_else(|| address.as_str().starts_with("init1").then(|| address.as_str().parse().ok())?)
    }
}

impl SendPage {
    /// Sets the address formats, and fills the slots that the user did not type: beside a typed signer only with the
    /// signer's own account, else from the connected wallet, else from the demo wallet.
    pub(super) fn fill_addresses(
        &mut self,
        names: &Directory,
        own: Option<&ChainId>,
        accounts: Option<&WalletAccounts>,
    ) {
        for slot in &mut self.addresses {
            slot.rule = names.address_rule(&slot.chain, own);
            if let Some((address, Origin::Typed)) = &slot.address
                && !address.is_checked()
                && slot.rule != AddressRule::Unknown
            {
                // The user typed it while the format was unknown.
                slot.address = slot.rule.read(address.as_str()).ok().map(|address| (address, Origin::Typed));
            }
        }
        let signer = self.addresses.get(self.signer_place()).cloned();
        let typed = signer.as_ref().filter(|slot| matches!(slot.address, Some((_, Origin::Typed))));
        for slot in &mut self.addresses {
            if matches!(slot.address, Some((_, Origin::Typed | Origin::Kept))) {
                continue;
            }
            slot.address = if let Some(signer) = typed {
                let is_alike = slot.chain == signer.chain || slot.rule == signer.rule && is_shared(&slot.rule);
                let text = signer.text().filter(|_| is_alike);
                text.and_then(|text| slot.rule.read(text).ok()).map(|address| (address, Origin::Signer))
            } else if let Some(accounts) = accounts {
                accounts.on(&slot.chain, &slot.rule).map(|address| (address, Origin::Connected))
            } else {
                let held = names.wallet().and_then(|wallet| wallet.addresses.get(&slot.chain));
                held.and_then(|text| slot.rule.read(text).ok()).map(|address| (address, Origin::Wallet))
            };
        }
    }

    /// Whether an address is another account than the signer's; accounts of different formats cannot be compared.
    pub(super) fn is_anothers(&self, place: usize) -> bool {
        let account = |place: usize| self.addresses.get(place).and_then(AddressSlot::account);
        account(place).zip(account(self.signer_place())).is_some_and(|(one, signer)| one != signer)
    }

    pub(super) fn role(&self, place: usize) -> AddressRole {
        let is_last = place + 1 == self.addresses.len();
        let signer = self.signer_place();
        match (place.cmp(&signer), is_last) {
            (Ordering::Equal, true) => AddressRole::Both,
            (Ordering::Equal, false) => AddressRole::Signs,
            (Ordering::Less, _) => AddressRole::Left,
            (Ordering::Greater, true) => AddressRole::Receives,
            (Ordering::Greater, false) => AddressRole::Passes,
        }
    }

    /// Returns the slot of the signer, on the chain of the next transaction.
    fn signer_place(&self) -> usize {
        let Some(further) = &self.further else { return 0 };
        let chain = self.tx_chain(further.tx);
        self.addresses.iter().position(|slot| slot.chain == chain).unwrap_or(0)
    }

    /// Names the first missing address for the user.
    pub(super) fn missing_address(&self, names: &Directory) -> Option<String> {
        if self.addresses.is_empty() {
            return Some("a route that lists its addresses".to_owned());
        }
        let missing = self.addresses.iter().find(|slot| slot.address.is_none());
        missing.map(|slot| format!("an address on {}", Names::chain(names, &slot.chain)))
    }
}

/// Whether an address with this format belongs to the same account on all chains.
fn is_shared(rule: &AddressRule) -> bool {
    matches!(rule, AddressRule::Initia | AddressRule::Evm)
}

impl SendPage {
    /// Returns the input for a slot's address.
    pub(super) fn address_entry(&self, place: usize, names: &Directory) -> Option<Entry> {
        let slot = self.addresses.get(place)?;
        let chain = Names::chain(names, &slot.chain);
        let prompt = match self.role(place) {
            AddressRole::Signs => format!("Your signing address on {chain}"),
            AddressRole::Both => format!("Your signing and receiving address on {chain}"),
            AddressRole::Passes => format!("Your address on {chain}, for refunds"),
            AddressRole::Left => format!("Your source address on {chain}"),
            AddressRole::Receives => format!("The recipient's address on {chain}"),
        };
        Some(Entry::new(EntryPurpose::Address(place), prompt, slot.text().unwrap_or_default()))
    }

    pub(super) fn enter_address(&mut self, place: usize, text: &str) -> Result<(), String> {
        let Some(slot) = self.addresses.get_mut(place) else { return Ok(()) };
        slot.address = match text {
            "" => None,
            text => {
                let address = slot.rule.read(text).map_err(|error| error.to_string())?;
                Some((address, Origin::Typed))
            }
        };
        self.notice = None;
        Ok(())
    }
}
