//! One address for each chain that the route needs one on: the first signs, the last receives.

use std::cmp::Ordering;

use super::SendPage;
use crate::{
    app::{
        directory::Directory,
        prompt::{Entry, EntryPurpose},
    },
    domain::{Address, AddressRule, ChainAddress, ChainId},
    story::transfer::Names,
    wire::router::ChainKind,
};

/// Where an address came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// A person typed it.
    Typed,
    /// It is the demo wallet's.
    Wallet,
    /// The transfer began with it.
    Kept,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AddressRole {
    /// The first: it signs.
    Signs,
    /// The last: it receives.
    Receives,
    /// The only one.
    Both,
    /// Between: refunds come to it.
    Passes,
    /// On a chain that the funds have left.
    Left,
}

#[derive(Clone, Debug)]
pub(super) struct AddressSlot {
    pub(super) chain: ChainId,
    /// The address, and where it came from.
    pub(super) address: Option<(ChainAddress, Origin)>,
    /// How addresses look there.
    pub(super) rule: AddressRule,
}

impl AddressSlot {
    /// An empty place.
    pub(super) fn new(chain: ChainId) -> Self {
        Self { chain, address: None, rule: AddressRule::Unknown }
    }

    /// Takes the address that the transfer began with.
    pub(super) fn keep(&mut self, text: &str) {
        self.address = AddressRule::Unknown.read(text).ok().map(|address| (address, Origin::Kept));
    }

    /// As the routing API takes it.
    pub(super) fn text(&self) -> Option<&str> {
        self.address.as_ref().map(|(address, _)| address.as_str())
    }

    /// The account on Initia chains.
    pub(super) fn account(&self) -> Option<Address> {
        let (address, _) = self.address.as_ref()?;
        address.account().or_else(|| address.as_str().starts_with("init1").then(|| address.as_str().parse().ok())?)
    }
}

/// How addresses of a chain look, as far as anybody says: `own` is the chain of the indexer, an Initia chain.
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
    /// Learns how addresses look, and takes the demo wallet's where nothing was typed.
    pub(super) fn fill_addresses(&mut self, names: &Directory, own: Option<&ChainId>) {
        for slot in &mut self.addresses {
            slot.rule = rule_of(names, own, &slot.chain);
            let held = names.wallet().and_then(|wallet| wallet.addresses.get(&slot.chain));
            match &slot.address {
                // Typed before anybody said how it must look.
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

    /// Whose address signs the transaction that is sent from here: that on its chain.
    fn signer_place(&self) -> usize {
        let Some(further) = &self.further else { return 0 };
        let chain = self.tx_chain(further.tx);
        self.addresses.iter().position(|slot| slot.chain == chain).unwrap_or(0)
    }

    /// The first address that lacks, in words.
    pub(super) fn missing_address(&self, names: &Directory) -> Option<String> {
        if self.addresses.is_empty() {
            return Some("a route that says which addresses it needs".to_owned());
        }
        let missing = self.addresses.iter().find(|slot| slot.address.is_none());
        missing.map(|slot| format!("an address on {}", Names::chain(names, &slot.chain)))
    }

    /// What to offer for an empty place: an address of a chain whose accounts come of keys in the same way. It is only
    /// put into the input; whether it is meant is for the person to say.
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

/// Whether one address is the same account on all chains of a rule.
fn is_shared(rule: &AddressRule) -> bool {
    matches!(rule, AddressRule::Initia | AddressRule::Evm)
}

impl SendPage {
    /// Asks for the address at this place.
    pub(super) fn address_entry(&self, place: usize, names: &Directory) -> Option<Entry> {
        let chain = Names::chain(names, &self.addresses.get(place)?.chain);
        let prompt = match self.role(place) {
            AddressRole::Signs => format!("Your address on {chain}, which signs"),
            AddressRole::Both => format!("Your address on {chain}, which signs and receives"),
            AddressRole::Passes => format!("Your address on {chain}: refunds come to it"),
            AddressRole::Left => format!("Your address on {chain}, which the funds have left"),
            AddressRole::Receives => format!("The address on {chain} that receives"),
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
