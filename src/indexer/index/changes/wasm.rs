use super::{BlockChanges, CoinChange, CoinKey, NftEvent, NftId};
use crate::{
    domain::{Address, Amount, Balance},
    events::{ChainEvent, EventRecord, bank::BankEvent, keys, wasm::ReportedMove},
    indexer::source::TxEvent,
};

/// Adds the effects of a transaction. Bank events are complete on Wasm, including mints and burns; contract tokens have
/// no denom.
pub(super) fn follow<'e>(events: impl Iterator<Item = &'e TxEvent>, changes: &mut BlockChanges) {
    for event in events {
        match ChainEvent::of(event) {
            ChainEvent::Bank(moved) => side(moved, changes),
            ChainEvent::Wasm => changes.nfts.extend(nft(event)),
            _ => {}
        }
    }
}

fn side(event: BankEvent<'_>, changes: &mut BlockChanges) {
    let sign: fn(Amount) -> Balance = if event.change.is_loss() { Balance::below_zero } else { Balance::from };
    let Some(account) = event.address().filter(|_| !event.change.is_of_supply()) else { return };
    changes.coins.extend(event.coins().into_iter().map(|coin| {
        let token = CoinKey::Denom(coin.denom.to_string());
        CoinChange { token, account, by: sign(coin.amount) }
    }));
}

/// Parses a contract's CW-721 event; `None` for other events.
fn nft(event: &TxEvent) -> Option<NftEvent> {
    let collection: Address = event.get(keys::WASM_CONTRACT)?;
    let Some(token_id) = event.text(keys::TOKEN_ID) else {
        let is_collection =
            event.text(keys::MINTER).is_some() && (event.text(keys::CREATOR).or(event.text(keys::OWNER))).is_some();
        return is_collection.then_some(NftEvent::Created(collection));
    };
    let nft = NftId { collection, token_id: token_id.to_owned() };
    match ReportedMove::of_nft(event.text(keys::ACTION)?, |key| event.get(key))? {
        ReportedMove::Burned { .. } => Some(NftEvent::Burned(nft)),
        moved => Some(NftEvent::Moved { nft, to: moved.recipient()?, object: None }),
    }
}
