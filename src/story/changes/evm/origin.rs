//! NFTs from another chain: their ids on the EVM are hashes of the original ids.

use std::collections::HashMap;

use alloy_primitives::U256;
use sha2::{Digest, Sha256};

use crate::{
    events::{
        EventClass, EventRecord, keys,
        names::{ERC721_MINTED, NON_FUNGIBLE_TOKEN_PACKET},
    },
    story::{
        changes::parts::{NftChange, NftName},
        decode::DecodedEvent,
        packet::PacketData,
    },
};

/// Replaces hashed ids by the ids of the chain of origin, where an event names them.
pub(super) fn named(mut moved: Vec<NftChange>, events: &[DecodedEvent]) -> Vec<NftChange> {
    let is_hash = |change: &NftChange| matches!(&change.what, NftName::Token { token_id, .. } if token_id.len() > 70);
    if !moved.iter().any(is_hash) {
        return moved;
    }
    let ids: HashMap<String, String> = events
        .iter()
        .flat_map(|event| match event.kind.as_str() {
            _ if matches!(event.class(), EventClass::Packet(_)) => match PacketData::of_event(event) {
                PacketData::Nfts(nfts) => nfts.tokens,
                _ => Vec::new(),
            },
            ERC721_MINTED => event.text(keys::TOKEN_ORIGIN_ID).into_iter().map(ToOwned::to_owned).collect(),
            NON_FUNGIBLE_TOKEN_PACKET => {
                event.text(keys::TOKEN_IDS).into_iter().flat_map(|ids| ids.split(',')).map(ToOwned::to_owned).collect()
            }
            _ => Vec::new(),
        })
        .map(|id| (U256::from_be_bytes::<32>(Sha256::digest(&id).into()).to_string(), id))
        .collect();
    for change in &mut moved {
        if let NftName::Token { token_id, .. } = &change.what {
            change.origin_id = ids.get(token_id).cloned();
        }
    }
    moved
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::story::decode::EventPhase;

    #[test]
    fn only_an_id_whose_hash_is_the_token_names_it() {
        let id = U256::from_be_bytes::<32>(Sha256::digest("7").into()).to_string();
        let minted = |origin: &str| {
            let attributes = vec![("token_origin_id".to_owned(), origin.to_owned())];
            DecodedEvent::new("erc721_minted".to_owned(), attributes, EventPhase::Message(0))
        };
        let change = NftChange {
            message: 0,
            what: NftName::Token { contract: "0xab".to_owned(), token_id: id },
            from: None,
            is_inferred: false,
            to: None,
            amount: None,
            origin_id: None,
            events: Vec::new(),
        };
        let named_by = |origin: &str| named(vec![change.clone()], &[minted(origin)])[0].origin_id.clone();
        assert_eq!((named_by("7"), named_by("8")), (Some("7".to_owned()), None), "anybody can tell an id");
    }
}
