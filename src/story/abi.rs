//! ABIs of EVM contracts, embedded and from the user's files, and decoding with them.

pub(super) mod conversion;
mod decode;
mod file;
mod item;
mod parameter;
mod reading;
mod table;
mod value;
mod weigh;

use std::{collections::HashMap, sync::Arc};

pub use file::{AbiFile, AbiFileError};
pub use reading::AbiReading;
pub use value::{AbiValue, Argument};

use crate::domain::Address;
use item::{AbiItem, ItemKind};
use table::embedded;

/// Functions, events and errors for decoding inputs and logs: the embedded ones and those from the user's files. Clones
/// share them.
#[derive(Clone, Debug, Default)]
pub struct AbiRegistry {
    /// User's items, in the order of the files.
    user: Arc<UserItems>,
}

/// User's items by kind and hash, each with the contract that it is restricted to, if any.
type UserItems = HashMap<(ItemKind, String), Vec<(Option<Address>, AbiItem)>>;

impl AbiRegistry {
    /// Returns the candidates for a hash: the contract's own items, then the user's for all contracts, then the
    /// embedded ones.
    fn candidates(&self, kind: ItemKind, contract: Option<Address>, hash: &str) -> Vec<&AbiItem> {
        let of_user = if self.user.is_empty() { None } else { self.user.get(&(kind, hash.to_owned())) };
        let of_user = of_user.map_or(&[][..], Vec::as_slice);
        let own = of_user.iter().filter(|(owner, _)| owner.is_some() && *owner == contract);
        let general = of_user.iter().filter(|(owner, _)| owner.is_none());
        own.chain(general).map(|(_, item)| item).chain(embedded(kind, hash)).collect()
    }
}

/// Returns the embedded ABI's signature for a selector or topic, in hex without `0x`: `transfer(address,uint256)`.
pub fn signature(hash: &str) -> Option<&'static str> {
    let hash = hash.to_ascii_lowercase();
    let of = |kind| embedded(kind, &hash).first().map(|item| &*item.signature);
    of(ItemKind::Function).or_else(|| of(ItemKind::Event))
}

/// Returns the embedded ABI's function name for a selector: `transfer`.
pub fn selector_name(selector: &str) -> Option<&'static str> {
    signature(selector).and_then(|signature| signature.split('(').next())
}

#[cfg(test)]
mod tests;
