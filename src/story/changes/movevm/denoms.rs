//! Denoms of fungible assets by their metadata objects.

use std::{
    collections::{HashMap, HashSet},
    sync::LazyLock,
};

use crate::{
    domain::Denom,
    events::keys,
    story::{
        decode::Decoded,
        limits::{MOST_EVENTS, Work},
        names::metadata::metadata_of,
    },
};

const NETWORKS: &str = include_str!("../../../../assets/networks.toml");

/// Denoms of the built-in networks' tokens by metadata object: an object's address does not reveal its denom.
static KNOWN: LazyLock<HashMap<[u8; 32], Denom>> = LazyLock::new(|| {
    let denoms = NETWORKS.split("denom = \"").skip(1).filter_map(|rest| rest.split('"').next());
    denoms.filter(|denom| is_derived(denom)).map(Denom::new).map(|denom| (metadata_of(&denom), denom)).collect()
});

/// Returns the denoms of these objects: of known networks, and named by the transaction itself.
pub(super) fn denoms(wanted: &HashSet<[u8; 32]>, decoded: &Decoded, work: &Work) -> HashMap<[u8; 32], Denom> {
    let mut found: HashMap<_, _> =
        wanted.iter().filter_map(|metadata| Some((*metadata, KNOWN.get(metadata)?.clone()))).collect();
    let mut tried = HashSet::new();
    for event in decoded.events.iter().take(MOST_EVENTS) {
        if found.len() == wanted.len() {
            break;
        }
        for denom in named(&event.attributes).filter(|denom| is_derived(denom)) {
            if tried.insert(denom) && work.takes_owner_test() {
                let denom = Denom::new(denom);
                let metadata = metadata_of(&denom);
                if wanted.contains(&metadata) {
                    found.insert(metadata, denom);
                }
            }
        }
    }
    found
}

/// Returns the denoms in attributes: within coin lists, or by name.
fn named(attributes: &[(String, String)]) -> impl Iterator<Item = &str> {
    attributes.iter().flat_map(|(key, value)| {
        let is_list = keys::COINS.is(key) || keys::FEE.is(key);
        let is_denom = keys::DENOM.is(key) || key.ends_with("_denom");
        let parts = value.split(',').filter(move |_| is_list || is_denom);
        parts
            .map(move |part| if is_list { part.trim_start_matches(|digit: char| digit.is_ascii_digit()) } else { part })
    })
}

/// Whether a denom's object derives from its name, unlike a denom that is named after its object.
fn is_derived(denom: &str) -> bool {
    Denom::is_fit(denom) && !denom.starts_with("move/") && !denom.starts_with("evm/")
}

#[cfg(test)]
mod tests {
    use alloy_primitives::hex;

    use super::*;

    #[test]
    fn known_tokens_are_found_by_their_objects() {
        assert!(KNOWN.len() > 30, "{} tokens", KNOWN.len());
        let init = hex::decode_to_array("8e4733bdabcf7d4afc3d14f0dd46c9bf52fb0fce9e4b996c939e195b8bc891d9").unwrap();
        assert_eq!(KNOWN.get(&init), Some(&Denom::new("uinit")));
    }
}
