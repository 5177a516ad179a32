use std::collections::BTreeMap;

use super::{BlockChanges, CoinChange, CoinKey, NftEvent, NftId};
use crate::{
    domain::{
        Address, Balance,
        move_address::{self, account},
    },
    events::movevm::{ModuleEvent, StandardEvent},
    indexer::source::TxEvent,
};

#[derive(Default)]
struct ObjectsOfTx {
    owners: BTreeMap<Address, Address>,
    minted: BTreeMap<Address, NftId>,
}

/// Adds the effects of a transaction. The next owner event, or the creation event, names a store's owner.
pub(super) fn follow<'e>(events: impl Iterator<Item = &'e TxEvent>, changes: &mut BlockChanges) {
    let events = events.filter_map(ModuleEvent::of);
    let events: Vec<(&str, StandardEvent<'_>)> =
        events.filter_map(|event| Some((event.standard()?, event.read()?))).collect();
    let mut known = ObjectsOfTx::default();
    for (at, (kind, data)) in events.iter().enumerate() {
        match *kind {
            "fungible_asset::DepositEvent" | "fungible_asset::WithdrawEvent" => {
                let next = events.get(at + 1).filter(|(kind, _)| kind.ends_with("OwnerEvent"));
                let owner = match next {
                    Some((_, data)) => account(&data.owner),
                    None => account(&data.store_addr).and_then(|store| known.owners.get(&store).copied()),
                };
                let is_deposit = *kind == "fungible_asset::DepositEvent";
                changes.coins.extend(owner.and_then(|owner| coins(data, owner, is_deposit)));
            }
            "object::CreateEvent" => {
                known.owners.extend(account(&data.object).zip(account(&data.owner)));
            }
            _ => changes.nfts.extend(nft(kind, data, &mut known)),
        }
    }
}

fn coins(data: &StandardEvent<'_>, account: Address, is_deposit: bool) -> Option<CoinChange> {
    let amount = data.amount()?;
    let by = if is_deposit { Balance::from(amount) } else { Balance::below_zero(amount) };
    Some(CoinChange { token: CoinKey::Metadata(move_address::account(&data.metadata_addr)?), account, by })
}

fn nft(kind: &str, data: &StandardEvent<'_>, known: &mut ObjectsOfTx) -> Option<NftEvent> {
    match kind {
        "collection::CreateCollectionEvent" => account(&data.collection).map(NftEvent::Created),
        "collection::MintEvent" => {
            let (nft, object) = (name(data)?, account(&data.nft)?);
            let to = *known.owners.get(&object)?;
            known.minted.insert(object, nft.clone());
            Some(NftEvent::Moved { nft, to, object: Some(object) })
        }
        "collection::BurnEvent" => name(data).map(NftEvent::Burned),
        "nft::MutationEvent" if data.mutated_field_name == "uri" => {
            Some(NftEvent::Mutated { object: account(&data.nft)?, uri: data.new_value.replace('\0', "") })
        }
        "object::TransferEvent" => {
            let (object, to) = (account(&data.object)?, account(&data.to)?);
            Some(match known.minted.get(&object) {
                Some(nft) => NftEvent::Moved { nft: nft.clone(), to, object: Some(object) },
                None => NftEvent::Given { object, to },
            })
        }
        _ => None,
    }
}

fn name(data: &StandardEvent<'_>) -> Option<NftId> {
    Some(NftId { collection: account(&data.collection)?, token_id: data.token_id.to_string() })
}
