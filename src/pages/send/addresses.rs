//! Addresses of a route, one per chain that needs one. The first signs, the last receives.

use std::cmp::Ordering;

use super::SendPage;
use crate::{
    app::{
        directory::Directory,
        prompt::{Entry, EntryPurpose},
    },
    domain::{Address, AddressRule, ChainAddress, ChainId},
    story::Names,
    wire::router::ChainKind,
};

/// Where an address came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    Typed,
    /// The demo wallet.
    Wallet,
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
    /// Creates an empty slot.
    pub(super) fn new(chain: ChainId) -> Self {
        Self { chain, address: None, rule: AddressRule::Unknown }
    }

    /// Fills in the address from the transfer's record.
    pub(super) fn keep(&mut self, text: &str) {
        self.address = AddressRule::Unknown.read(text).ok().map(|address| (address, Origin::Kept));
    }

    /// Returns the address in the form that the routing API expects.
    pub(super) fn text(&self) -> Option<&str> {
        self.address.as_ref().map(|(address, _)| address.as_str())
    }

    /// Returns the address as an account of an Initia chain.
    pub(super) fn account(&self) -> Option<Address> {
        let (address, _) = self.address.as_ref()?;
        address.account().or_else(|| address.as_str().starts_with("init1").then(|| address.as_str().parse().ok())?)
    }
}

/// Returns the address format of a chain, if known. `own` is the indexer's chain, which is an Initia chain.
fn rule_of(names: &Directory, own: Option<&ChainId>, chain: &ChainId) -> AddressRule {
    let is_number = !chain.as_str().is_empty() && chain.as_str().bytes().all(|byte| byte.is_ascii_digit());
    match names.chain(chain) {
        Some(info) => match info.kind() {
            ChainKind::Evm => AddressRule::Evm,
            ChainKind::Svm => AddressRule::Solana,
            ChainKind::Cosmos | ChainKind::Unknown => AddressRule::of_prefix(&info.bech32_prefix),
        },
        None if own == Some(chain) => AddressRule::Initia,
        None if is_number => AddressRule::Evm,
        None => AddressRule::Unknown,
    }
}

impl SendPage {
    /// Sets the address formats, and fills empty slots from the demo wallet.
    pub(super) fn fill_addresses(&mut self, names: &Directory, own: Option<&ChainId>) {
        for slot in &mut self.addresses {
            slot.rule = rule_of(names, own, &slot.chain);
            let held = names.wallet().and_then(|wallet| wallet.addresses.get(&slot.chain));
            match &slot.address {
                // The user typed it while the format was unknown.
                Some((address, Origin::Typed)) if !address.is_checked() && slot.rule != AddressRule::Unknown => {
                    slot.address = slot.rule.read(address.as_str()).ok().map(|address| (address, Origin::Typed));
                }
                None => {
                    let address = held.and_then(|text| slot.rule.read(text).ok());
                    slot.address = address.map(|address| (address, Origin::Wallet));
                }
                Some(_) => {}
            }
        }
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

    /// Suggests an address for an empty slot: one from a chain that derives accounts from keys in the same way. The
    /// suggestion only fills the input; the user decides.
    fn offered(&self, place: usize) -> String {
        let Some(slot) = self.addresses.get(place) else { return String::new() };
        if let Some(text) = slot.text() {
            return text.to_owned();
        }
        let is_alike = |other: &&AddressSlot| {
            other.address.is_some() && (other.chain == slot.chain || (other.rule == slot.rule && is_shared(&slot.rule)))
        };
        let offered = self.addresses.iter().find(is_alike).and_then(AddressSlot::text);
        offered.unwrap_or_default().to_owned()
    }
}

/// Whether an address with this format belongs to the same account on all chains.
fn is_shared(rule: &AddressRule) -> bool {
    matches!(rule, AddressRule::Initia | AddressRule::Evm)
}

impl SendPage {
    /// Returns the input for a slot's address.
    pub(super) fn address_entry(&self, place: usize, names: &Directory) -> Option<Entry> {
        let chain = Names::chain(names, &self.addresses.get(place)?.chain);
        let prompt = match self.role(place) {
            AddressRole::Signs => format!("Your signing address on {chain}"),
            AddressRole::Both => format!("Your signing and receiving address on {chain}"),
            AddressRole::Passes => format!("Your address on {chain}, for refunds"),
            AddressRole::Left => format!("Your source address on {chain}"),
            AddressRole::Receives => format!("The recipient's address on {chain}"),
        };
        Some(Entry::new(EntryPurpose::Address(place), prompt, &self.offered(place)))
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
