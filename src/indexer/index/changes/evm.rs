use super::{BlockChanges, CoinChange, CoinKey, NftEvent, NftId};
use crate::{
    domain::Balance,
    events::{
        EventRecord,
        evm::{LoggedMove, Moved},
    },
    indexer::source::TxEvent,
};

pub(super) fn follow<'e>(events: impl Iterator<Item = &'e TxEvent>, changes: &mut BlockChanges) {
    for moved in events.flat_map(EventRecord::logs).filter_map(LoggedMove::of) {
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

fn nft(moved: &LoggedMove) -> Option<NftId> {
    Some(NftId { collection: moved.contract, token_id: moved.nft()?.to_string() })
}
