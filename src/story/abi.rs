//! The functions, events and errors of EVM contracts: embedded ones and the user's, and what is read by them.

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

/// The functions, events and errors that inputs and logs are read by: the embedded ones, and those of the user's files.
/// A clone shares them.
#[derive(Clone, Debug, Default)]
pub struct AbiRegistry {
    /// In the order of the files.
    user: Arc<UserItems>,
}

/// Items of the user's files by kind and hash, with the contract that alone they belong to, where there is one.
type UserItems = HashMap<(ItemKind, String), Vec<(Option<Address>, AbiItem)>>;

impl AbiRegistry {
    /// What a hash may stand for: the contract's own items, then the user's for all contracts, then the embedded.
    fn candidates(&self, kind: ItemKind, contract: Option<Address>, hash: &str) -> Vec<&AbiItem> {
        let of_user = if self.user.is_empty() { None } else { self.user.get(&(kind, hash.to_owned())) };
        let of_user = of_user.map_or(&[][..], Vec::as_slice);
        let own = of_user.iter().filter(|(owner, _)| owner.is_some() && *owner == contract);
        let general = of_user.iter().filter(|(owner, _)| owner.is_none());
        own.chain(general).map(|(_, item)| item).chain(embedded(kind, hash)).collect()
    }
}

/// The signature behind a selector or topic, in hex without `0x`, by the embedded ABI: `transfer(address,uint256)`.
pub fn signature(hash: &str) -> Option<&'static str> {
    let hash = hash.to_ascii_lowercase();
    let of = |kind| embedded(kind, &hash).first().map(|item| &*item.signature);
    of(ItemKind::Function).or_else(|| of(ItemKind::Event))
}

/// The name of the function behind a selector, by the embedded ABI: `transfer`.
pub fn selector_name(selector: &str) -> Option<&'static str> {
    signature(selector).and_then(|signature| signature.split('(').next())
}

#[cfg(test)]
mod tests;
