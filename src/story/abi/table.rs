use std::{collections::HashMap, sync::LazyLock};

use super::item::{AbiItem, ItemKind};

/// Table of selectors of functions and errors (4 bytes) and topics of events (32 bytes): the Keccak-256 hash beside
/// each signature, with parameter names.
pub(super) const TABLE: &str = include_str!("../../../assets/abi.tsv");

/// Items by kind and hash; an event has an entry per choice of indexed parameters.
type Items = HashMap<ItemKind, HashMap<&'static str, Vec<AbiItem>>>;

static ITEMS: LazyLock<Items> = LazyLock::new(|| {
    let mut items = Items::new();
    for line in TABLE.lines() {
        let mut columns = line.split('\t');
        let (Some(kind), Some(hash), Some(text)) = (columns.next(), columns.next(), columns.next()) else { continue };
        let Some((kind, item)) = ItemKind::parse(kind).zip(AbiItem::parse(text)) else { continue };
        items.entry(kind).or_default().entry(hash).or_default().push(item);
    }
    items
});

/// Returns the embedded items with this hash, in lower-case hex without `0x`.
pub(super) fn embedded(kind: ItemKind, hash: &str) -> &'static [AbiItem] {
    ITEMS.get(&kind).and_then(|items| items.get(hash)).map_or(&[], Vec::as_slice)
}
