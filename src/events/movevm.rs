use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::{EventClass, EventRecord, keys};
use crate::domain::Amount;

/// Event of a Move module. Only the first type tag and data count, because newer nodes repeat their fields after them.
#[derive(Clone, Copy)]
pub(crate) struct ModuleEvent<'e> {
    /// `0x1::fungible_asset::DepositEvent`.
    pub(crate) tag: &'e str,
    /// JSON.
    pub(crate) data: &'e str,
}

/// Data of an event of the standard library. An absent field is empty.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(crate) struct StandardEvent<'e> {
    #[serde(borrow)]
    pub(crate) store_addr: Cow<'e, str>,
    #[serde(borrow)]
    pub(crate) metadata_addr: Cow<'e, str>,
    #[serde(borrow)]
    pub(crate) owner_addr: Cow<'e, str>,
    #[serde(borrow)]
    pub(crate) object: Cow<'e, str>,
    #[serde(borrow)]
    pub(crate) owner: Cow<'e, str>,
    #[serde(borrow)]
    pub(crate) from: Cow<'e, str>,
    #[serde(borrow)]
    pub(crate) to: Cow<'e, str>,
    #[serde(borrow)]
    pub(crate) collection: Cow<'e, str>,
    #[serde(borrow)]
    pub(crate) token_id: Cow<'e, str>,
    #[serde(borrow)]
    pub(crate) nft: Cow<'e, str>,
    #[serde(borrow)]
    pub(crate) mutated_field_name: Cow<'e, str>,
    #[serde(borrow)]
    pub(crate) new_value: Cow<'e, str>,
    #[serde(borrow)]
    amount: Option<&'e RawValue>,
}

impl<'e> ModuleEvent<'e> {
    pub(crate) fn of(event: &'e impl EventRecord) -> Option<Self> {
        let EventClass::Move = event.class() else { return None };
        Some(Self { tag: event.text(keys::TYPE_TAG)?, data: event.text(keys::DATA)? })
    }

    /// Returns the type without the address of the standard library; `None` for another module.
    pub(crate) fn standard(&self) -> Option<&'e str> {
        self.tag.strip_prefix("0x1::")
    }

    /// Reads the data as standard-library data; `None` for other data.
    pub(crate) fn read(&self) -> Option<StandardEvent<'e>> {
        serde_json::from_str(self.data).ok()
    }
}

impl StandardEvent<'_> {
    /// Returns the amount, written as a string or a number.
    pub(crate) fn amount(&self) -> Option<Amount> {
        self.amount?.get().trim_matches('"').parse().ok()
    }
}
