use std::collections::BTreeMap;

use serde_json::Value;

use super::{BlockChanges, CoinChange, CoinKey, NftEvent, NftId};
use crate::{
    domain::{Address, Amount, Balance},
    events::keys,
    indexer::{index::address_of_digits, source::TxEvent},
};

/// Objects known within one transaction.
#[derive(Default)]
struct ObjectsOfTx {
    /// Owners of created objects.
    owners: BTreeMap<Address, Address>,
    /// Objects of minted tokens.
    minted: BTreeMap<Address, NftId>,
}

/// Adds the effects of a transaction. The following owner event, or the creation event, identifies a store's owner.
pub(super) fn follow(events: &[TxEvent], changes: &mut BlockChanges) {
    let events: Vec<(&str, Value)> = events.iter().filter(|event| event.kind == "move").filter_map(read).collect();
    let mut known = ObjectsOfTx::default();
    for (at, (kind, data)) in events.iter().enumerate() {
        match *kind {
            "fungible_asset::DepositEvent" | "fungible_asset::WithdrawEvent" => {
                let next = events.get(at + 1).filter(|(kind, _)| kind.ends_with("OwnerEvent"));
                let owner = match next {
                    Some((_, data)) => address(data, "owner"),
                    None => address(data, "store_addr").and_then(|store| known.owners.get(&store).copied()),
                };
                let is_deposit = *kind == "fungible_asset::DepositEvent";
                changes.coins.extend(owner.and_then(|owner| coins(data, owner, is_deposit)));
            }
            "object::CreateEvent" => {
                known.owners.extend(address(data, "object").zip(address(data, "owner")));
            }
            _ => changes.nfts.extend(nft(kind, data, &mut known)),
        }
    }
}

/// Returns the first type and data of a standard library event, without the library's address.
fn read(event: &TxEvent) -> Option<(&str, Value)> {
    let kind = event.text(keys::TYPE_TAG)?.strip_prefix("0x1::")?;
    Some((kind, serde_json::from_str(event.text(keys::DATA)?).ok()?))
}

fn coins(data: &Value, account: Address, is_deposit: bool) -> Option<CoinChange> {
    let amount = Amount::new(text(data, "amount")?.parse().ok()?);
    let by = if is_deposit { Balance::from(amount) } else { Balance::below_zero(amount) };
    Some(CoinChange { token: CoinKey::Metadata(address(data, "metadata_addr")?), account, by })
}

fn nft(kind: &str, data: &Value, known: &mut ObjectsOfTx) -> Option<NftEvent> {
    match kind {
        "collection::CreateCollectionEvent" => address(data, "collection").map(NftEvent::Created),
        "collection::MintEvent" => {
            let (nft, object) = (name(data)?, address(data, "nft")?);
            let to = *known.owners.get(&object)?;
            known.minted.insert(object, nft.clone());
            Some(NftEvent::Moved { nft, to, object: Some(object) })
        }
        "collection::BurnEvent" => name(data).map(NftEvent::Burned),
        "nft::MutationEvent" if data["mutated_field_name"] == "uri" => {
            let (object, uri) = (address(data, "nft")?, text(data, "new_value")?.replace('\0', ""));
            Some(NftEvent::Mutated { object, uri })
        }
        "object::TransferEvent" => {
            let (object, to) = (address(data, "object")?, address(data, "to")?);
            Some(match known.minted.get(&object) {
                Some(nft) => NftEvent::Moved { nft: nft.clone(), to, object: Some(object) },
                None => NftEvent::Given { object, to },
            })
        }
        _ => None,
    }
}

fn name(data: &Value) -> Option<NftId> {
    Some(NftId { collection: address(data, "collection")?, token_id: text(data, "token_id")? })
}

/// Parses an address without leading zeros.
fn address(data: &Value, field: &str) -> Option<Address> {
    data.get(field)?.as_str()?.strip_prefix("0x").and_then(address_of_digits)
}

/// Returns a string or number as text.
fn text(data: &Value, field: &str) -> Option<String> {
    match data.get(field)? {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}
