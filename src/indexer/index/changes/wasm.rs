use std::collections::BTreeSet;

use super::{BlockChanges, CoinChange, CoinKey, NftEvent, NftId};
use crate::{
    domain::{Address, Amount, Balance},
    indexer::source::{CommittedTx, TxEvent},
};

/// Adds what a transaction did. The bank's two sides are complete here, mints and burns included; tokens that contracts
/// keep are no denoms.
pub(super) fn follow(events: &[TxEvent], changes: &mut BlockChanges) {
    for event in events {
        match &*event.kind {
            "coin_spent" => side(event, "spender", Balance::below_zero, changes),
            "coin_received" => side(event, "receiver", Balance::from, changes),
            "wasm" => changes.nfts.extend(nft(event)),
            _ => {}
        }
    }
}

/// The NFTs that a transaction touches.
pub(super) fn nfts(tx: &CommittedTx) -> BTreeSet<NftId> {
    let changes = tx.events.iter().filter(|event| event.kind == "wasm").filter_map(nft);
    changes
        .filter_map(|change| match change {
            NftEvent::Moved { nft, .. } | NftEvent::Burned(nft) => Some(nft),
            NftEvent::Created(_) | NftEvent::Given { .. } | NftEvent::Mutated { .. } => None,
        })
        .collect()
}

fn side(event: &TxEvent, who: &str, sign: fn(Amount) -> Balance, changes: &mut BlockChanges) {
    let Some(account) = event.value(who).and_then(|text| text.parse().ok()) else { return };
    for coin in event.value("amount").unwrap_or_default().split(',') {
        let digits = coin.bytes().take_while(u8::is_ascii_digit).count();
        let (amount, denom) = coin.split_at(digits);
        if let Ok(amount) = amount.parse() {
            let token = CoinKey::Denom(denom.to_owned());
            changes.coins.push(CoinChange { token, account, by: sign(Amount::new(amount)) });
        }
    }
}

/// What a contract says of an NFT: CW-721.
fn nft(event: &TxEvent) -> Option<NftEvent> {
    let collection: Address = event.value("_contract_address")?.parse().ok()?;
    let account = |name| event.value(name).and_then(|text| text.parse::<Address>().ok());
    let Some(token_id) = event.value("token_id") else {
        let is_collection =
            event.value("minter").is_some() && (event.value("creator").or(event.value("owner"))).is_some();
        return is_collection.then_some(NftEvent::Created(collection));
    };
    let nft = NftId { collection, token_id: token_id.to_owned() };
    match event.value("action")? {
        "mint" => Some(NftEvent::Moved { nft, to: account("owner")?, object: None }),
        "transfer_nft" | "send_nft" => Some(NftEvent::Moved { nft, to: account("recipient")?, object: None }),
        "burn" => Some(NftEvent::Burned(nft)),
        _ => None,
    }
}
