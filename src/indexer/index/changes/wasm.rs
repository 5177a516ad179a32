use std::collections::BTreeSet;

use super::{BlockChanges, CoinChange, CoinKey, NftEvent, NftId};
use crate::{
    domain::{Address, Amount, Balance},
    events::{
        keys::{self, AttributeKey},
        names::{COIN_RECEIVED, COIN_SPENT},
    },
    indexer::source::{CommittedTx, TxEvent},
};

/// Adds the effects of a transaction. Bank events are complete here, including mints and burns; contract tokens are not
/// denoms.
pub(super) fn follow(events: &[TxEvent], changes: &mut BlockChanges) {
    for event in events {
        match &*event.kind {
            COIN_SPENT => side(event, keys::SPENDER, Balance::below_zero, changes),
            COIN_RECEIVED => side(event, keys::RECEIVER, Balance::from, changes),
            "wasm" => changes.nfts.extend(nft(event)),
            _ => {}
        }
    }
}

pub(super) fn nfts(tx: &CommittedTx) -> BTreeSet<NftId> {
    let changes = tx.events.iter().filter(|event| event.kind == "wasm").filter_map(nft);
    changes
        .filter_map(|change| match change {
            NftEvent::Moved { nft, .. } | NftEvent::Burned(nft) => Some(nft),
            NftEvent::Created(_) | NftEvent::Given { .. } | NftEvent::Mutated { .. } => None,
        })
        .collect()
}

fn side(event: &TxEvent, who: AttributeKey<Address>, sign: fn(Amount) -> Balance, changes: &mut BlockChanges) {
    let Some(account) = event.get(who) else { return };
    for coin in event.text(keys::AMOUNT).unwrap_or_default().split(',') {
        let digits = coin.bytes().take_while(u8::is_ascii_digit).count();
        let (amount, denom) = coin.split_at(digits);
        if let Ok(amount) = amount.parse() {
            let token = CoinKey::Denom(denom.to_owned());
            changes.coins.push(CoinChange { token, account, by: sign(Amount::new(amount)) });
        }
    }
}

/// Parses a contract's CW-721 event.
fn nft(event: &TxEvent) -> Option<NftEvent> {
    let collection: Address = event.get(keys::WASM_CONTRACT)?;
    let Some(token_id) = event.text(keys::TOKEN_ID) else {
        let is_collection =
            event.text(keys::MINTER).is_some() && (event.text(keys::CREATOR).or(event.text(keys::OWNER))).is_some();
        return is_collection.then_some(NftEvent::Created(collection));
    };
    let nft = NftId { collection, token_id: token_id.to_owned() };
    match event.text(keys::ACTION)? {
        "mint" => Some(NftEvent::Moved { nft, to: event.get(keys::OWNER)?, object: None }),
        "transfer_nft" | "send_nft" => Some(NftEvent::Moved { nft, to: event.get(keys::RECIPIENT)?, object: None }),
        "burn" => Some(NftEvent::Burned(nft)),
        _ => None,
    }
}
