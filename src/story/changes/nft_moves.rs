use alloy_primitives::U256;

use crate::{
    domain::Address,
    events::{
        EventClass, EventRecord,
        evm::LoggedMove,
        keys,
        movevm::{ModuleEvent, StandardEvent},
        wasm::ReportedMove,
    },
    story::{
        ContractLog,
        decode::{DecodedEvent, decode},
        names::move_address::{account, padded, wide},
    },
    wire::Tx,
};

/// Movement of an NFT in a transaction. A side that no event names is `None`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NftMove {
    Minted {
        to: Option<Address>,
    },
    Moved {
        /// Previous owner; Wasm contracts name none.
        from: Option<Address>,
        to: Option<Address>,
    },
    Burned {
        from: Option<Address>,
    },
}

impl NftMove {
    /// Returns the owner after the movement.
    pub fn receiver(&self) -> Option<Address> {
        match self {
            Self::Minted { to } | Self::Moved { to, .. } => *to,
            Self::Burned { .. } => None,
        }
    }
}

/// Returns the movements of one NFT in order, by the events of each VM (`docs/apis/story.md` §2.2 to §2.4).
///
/// `object` is the NFT's own address on Move, if known; a mint or burn names it too. An NFT minted and transferred in
/// one transaction on Move counts as minted to its last receiver.
pub fn nft_moves(tx: &Tx, collection: Address, token_id: &str, object: Option<Address>) -> Vec<NftMove> {
    let events = decode(tx).events;
    let mut moves = evm_moves(&events, collection, token_id);
    moves.extend(events.iter().filter_map(|event| wasm_move(event, collection, token_id)));
    moves.extend(move_moves(&events, collection, token_id, object));
    moves
}

fn evm_moves(events: &[DecodedEvent], collection: Address, token_id: &str) -> Vec<NftMove> {
    let Ok(id) = U256::from_str_radix(token_id, 10) else { return Vec::new() };
    events.iter().flat_map(DecodedEvent::logs).filter_map(|log| evm_move(log, collection, id)).collect()
}

fn evm_move(log: &ContractLog, collection: Address, id: U256) -> Option<NftMove> {
    let moved = LoggedMove::of(log).filter(|moved| moved.contract == collection && moved.nft() == Some(id))?;
    Some(match (moved.sender(), moved.recipient()) {
        (None, to) => NftMove::Minted { to },
        (from, None) => NftMove::Burned { from },
        (from, to) => NftMove::Moved { from, to },
    })
}

fn wasm_move(event: &DecodedEvent, collection: Address, token_id: &str) -> Option<NftMove> {
    let is_ours = event.get(keys::WASM_CONTRACT) == Some(collection) && event.text(keys::TOKEN_ID) == Some(token_id);
    if !matches!(event.class(), EventClass::Wasm) || !is_ours {
        return None;
    }
    Some(match ReportedMove::of_nft(event.text(keys::ACTION)?, |key| event.get(key))? {
        ReportedMove::Minted { to } => NftMove::Minted { to },
        ReportedMove::Moved { from, to } => NftMove::Moved { from, to },
        ReportedMove::Burned { from } => NftMove::Burned { from },
    })
}

fn move_moves(events: &[DecodedEvent], collection: Address, token_id: &str, object: Option<Address>) -> Vec<NftMove> {
    let told = events.iter().filter_map(ModuleEvent::of);
    let told: Vec<(&str, StandardEvent<'_>)> =
        told.filter_map(|event| Some((event.standard()?, event.read()?))).collect();
    let is_ours =
        |data: &StandardEvent<'_>| data.token_id == token_id && padded(&data.collection) == Some(wide(collection));
    let named = told
        .iter()
        .filter(|(tag, data)| matches!(*tag, "collection::MintEvent" | "collection::BurnEvent") && is_ours(data))
        .find_map(|(_, data)| padded(&data.nft));
    let Some(object) = named.or(object.map(wide)) else { return Vec::new() };
    let mut moves = Vec::new();
    let mut owner = None;
    for (tag, data) in told {
        let is_object = padded(&data.object) == Some(object);
        match tag {
            "object::CreateEvent" | "object::DeleteEvent" if is_object => owner = account(&data.owner),
            "object::TransferEvent" if is_object => {
                owner = account(&data.to);
                match moves.last_mut() {
                    Some(NftMove::Minted { to }) => *to = owner,
                    _ => moves.push(NftMove::Moved { from: account(&data.from), to: owner }),
                }
            }
            "collection::MintEvent" if is_ours(&data) => moves.push(NftMove::Minted { to: owner }),
            "collection::BurnEvent" if is_ours(&data) => moves.push(NftMove::Burned { from: owner }),
            _ => {}
        }
    }
    moves
}
