use alloy_primitives::{U256, hex};
use serde::Deserialize;
use sha3::{Digest, Sha3_256};

use super::{ContractLog, DecodedEvent, decode, log::TRANSFER};
use crate::{domain::Address, wire::Tx};

/// Where an NFT went in a transaction. Sides that the events do not name are left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NftMove {
    /// It came into being.
    Minted {
        /// For whom.
        to: Option<Address>,
    },
    /// It changed hands.
    Moved {
        /// Who gave it; on Wasm who sent it, which may be an operator of the owner.
        from: Option<Address>,
        /// Who has it now.
        to: Option<Address>,
    },
    /// It ceased to be.
    Burned {
        /// Who had it.
        from: Option<Address>,
    },
}

impl NftMove {
    /// Who has the NFT after this.
    pub fn receiver(&self) -> Option<Address> {
        match self {
            Self::Minted { to } | Self::Moved { to, .. } => *to,
            Self::Burned { .. } => None,
        }
    }
}

/// The moves of one NFT in a transaction, in order, as the events of each VM tell them (`docs/apis/story.md` §2.2 to
/// §2.4).
///
/// `object` is the NFT's own address on Move, where it is known; a mint or burn tells it too. An NFT that is minted and
/// handed on in one transaction on Move is minted to the last receiver.
pub fn nft_moves(tx: &Tx, collection: Address, token_id: &str, object: Option<Address>) -> Vec<NftMove> {
    let events = decode(tx).events;
    let mut moves = evm_moves(&events, collection, token_id);
    moves.extend(wasm_moves(&events, collection, token_id));
    moves.extend(move_moves(&events, collection, token_id, object));
    moves
}

fn evm_moves(events: &[DecodedEvent], collection: Address, token_id: &str) -> Vec<NftMove> {
    let Ok(id) = U256::from_str_radix(token_id, 10) else { return Vec::new() };
    events.iter().flat_map(ContractLog::of_event).filter_map(|log| evm_move(&log, collection, id)).collect()
}

fn evm_move(log: &ContractLog, collection: Address, id: U256) -> Option<NftMove> {
    let [topic, from, to, token] = log.topics.as_slice() else { return None };
    let is_ours = topic == TRANSFER
        && matches!(log.data.as_str(), "" | "0x")
        && log.address.parse() == Ok(collection)
        && word(token).map(U256::from_be_bytes) == Some(id);
    if !is_ours {
        return None;
    }
    Some(match (ContractLog::party(from), ContractLog::party(to)) {
        (None, to) => NftMove::Minted { to },
        (from, None) => NftMove::Burned { from },
        (from, to) => NftMove::Moved { from, to },
    })
}

/// 32 bytes in hex.
fn word(text: &str) -> Option<[u8; 32]> {
    hex::decode(text).ok()?.try_into().ok()
}

fn wasm_moves(events: &[DecodedEvent], collection: Address, token_id: &str) -> Vec<NftMove> {
    events
        .iter()
        .filter(|event| event.kind == "wasm")
        .filter_map(|event| wasm_move(event, collection, token_id))
        .collect()
}

fn wasm_move(event: &DecodedEvent, collection: Address, token_id: &str) -> Option<NftMove> {
    let value = |key: &str| event.attributes.iter().find(|(name, _)| name == key).map(|(_, value)| value.as_str());
    let address = |key: &str| value(key).and_then(|text| text.parse::<Address>().ok());
    if address("_contract_address") != Some(collection) || value("token_id") != Some(token_id) {
        return None;
    }
    match value("action")? {
        "mint" => Some(NftMove::Minted { to: address("owner") }),
        "transfer_nft" | "send_nft" => Some(NftMove::Moved { from: address("sender"), to: address("recipient") }),
        "burn" => Some(NftMove::Burned { from: address("sender") }),
        _ => None,
    }
}

/// What the data of Move's object and NFT events hold.
#[derive(Default, Deserialize)]
#[serde(default)]
struct MoveData {
    object: String,
    owner: String,
    from: String,
    to: String,
    collection: String,
    token_id: String,
    nft: String,
}

fn move_moves(events: &[DecodedEvent], collection: Address, token_id: &str, object: Option<Address>) -> Vec<NftMove> {
    let told: Vec<(&str, MoveData)> = events.iter().filter_map(move_event).collect();
    let is_ours = |data: &MoveData| data.token_id == token_id && padded(&data.collection) == Some(wide(collection));
    let named = told
        .iter()
        .filter(|(tag, data)| {
            matches!(*tag, "0x1::collection::MintEvent" | "0x1::collection::BurnEvent") && is_ours(data)
        })
        .find_map(|(_, data)| padded(&data.nft));
    let Some(object) = named.or(object.map(wide)) else { return Vec::new() };
    let mut moves = Vec::new();
    let mut owner = None;
    for (tag, data) in told {
        let is_object = padded(&data.object) == Some(object);
        match tag {
            "0x1::object::CreateEvent" | "0x1::object::DeleteEvent" if is_object => owner = account(&data.owner),
            "0x1::object::TransferEvent" if is_object => {
                owner = account(&data.to);
                match moves.last_mut() {
                    Some(NftMove::Minted { to }) => *to = owner,
                    _ => moves.push(NftMove::Moved { from: account(&data.from), to: owner }),
                }
            }
            "0x1::collection::MintEvent" if is_ours(&data) => moves.push(NftMove::Minted { to: owner }),
            "0x1::collection::BurnEvent" if is_ours(&data) => moves.push(NftMove::Burned { from: owner }),
            _ => {}
        }
    }
    moves
}

/// Only the first type tag and the first data count: newer nodes repeat fields behind them.
fn move_event(event: &DecodedEvent) -> Option<(&str, MoveData)> {
    let value = |key: &str| event.attributes.iter().find(|(name, _)| name == key).map(|(_, value)| value.as_str());
    let tag = value("type_tag").filter(|_| event.kind == "move")?;
    Some((tag, serde_json::from_str(value("data")?).ok()?))
}

/// An address as Move writes it, without leading zeros.
pub(super) fn padded(text: &str) -> Option<[u8; 32]> {
    let digits = text.strip_prefix("0x").filter(|digits| (1..=64).contains(&digits.len()))?;
    word(&format!("{digits:0>64}"))
}

/// An account of Move: 20 bytes behind zeros are a user's address.
pub(super) fn account(text: &str) -> Option<Address> {
    padded(text).map(narrow)
}

/// The account behind 32 bytes of Move.
pub(super) fn narrow(bytes: [u8; 32]) -> Address {
    let (head, tail) = bytes.split_at(12);
    let user = Address::from_bytes(tail).filter(|_| head.iter().all(|&byte| byte == 0));
    user.unwrap_or(Address::Long(bytes))
}

/// An address behind zeros, as Move knows it.
pub(super) fn wide(address: Address) -> [u8; 32] {
    let mut bytes = [0; 32];
    let given = address.bytes();
    bytes.iter_mut().rev().zip(given.iter().rev()).for_each(|(to, from)| *to = *from);
    bytes
}

/// An object's address: SHA3-256 of its maker's address, a seed and the mark of its kind (`docs/apis/story.md` §2.3 and
/// §6).
pub(super) fn derived(owner: &[u8; 32], seed: &[u8], scheme: u8) -> [u8; 32] {
    Sha3_256::new().chain_update(owner).chain_update(seed).chain_update([scheme]).finalize().into()
}
