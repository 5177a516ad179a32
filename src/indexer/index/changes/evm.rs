use std::collections::BTreeSet;

use super::{BlockChanges, CoinChange, CoinKey, NftEvent, NftId};
use crate::{
    domain::Balance,
    events::{
        evm::{LogText, LoggedMove, Moved},
        keys,
        names::EVM,
    },
    indexer::source::{CommittedTx, TxEvent},
};

/// Adds the effects of a transaction.
pub(super) fn follow(events: &[TxEvent], changes: &mut BlockChanges) {
    for moved in logs(events).filter_map(LoggedMove::of_text) {
        match moved.what {
            Moved::Nft(_) => changes.nfts.extend(nft(&moved).map(|nft| match moved.recipient() {
                Some(to) => NftEvent::Moved { nft, to, object: None },
                None => NftEvent::Burned(nft),
            })),
            Moved::Amount(amount) => {
                let sides = [(moved.sender(), Balance::below_zero(amount)), (moved.recipient(), Balance::from(amount))];
                for (account, by) in sides {
                    let token = CoinKey::Contract(moved.contract);
                    changes.coins.extend(account.map(|account| CoinChange { token, account, by }));
                }
            }
        }
    }
}

pub(super) fn nfts(tx: &CommittedTx) -> BTreeSet<NftId> {
    let texts = logs(&tx.events).filter(|text| LogText::is_without_data(text));
    texts.filter_map(LoggedMove::of_text).filter_map(|moved| nft(&moved)).collect()
}

fn logs(events: &[TxEvent]) -> impl Iterator<Item = &str> {
    events.iter().filter(|event| event.kind == EVM).flat_map(|event| event.texts(keys::LOG))
}

fn nft(moved: &LoggedMove) -> Option<NftId> {
    Some(NftId { collection: moved.contract, token_id: moved.nft()?.to_string() })
}
