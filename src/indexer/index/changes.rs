//! What transactions do to NFTs and balances, read from their events alone (`docs/apis/indexer.md` §10,
//! `docs/apis/story.md` §2).

mod evm;
mod movevm;
mod wasm;

use std::collections::BTreeSet;

use crate::{
    domain::{Address, Balance, Vm},
    indexer::source::{CommittedTx, TxEvent},
};

/// An NFT by its collection and id.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct NftId {
    pub(super) collection: Address,
    pub(super) token_id: String,
}

/// Something that happened to a collection or an NFT.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum NftEvent {
    /// A collection may be new.
    Created(Address),
    /// An NFT has this owner now; it may be new. Its own object is named where it is, on Move.
    Moved { nft: NftId, to: Address, object: Option<Address> },
    /// The object at this address, which may be an NFT, has this owner now.
    Given { object: Address, to: Address },
    /// The NFT that is this object has this URI now.
    Mutated { object: Address, uri: String },
    /// An NFT is gone.
    Burned(NftId),
}

impl NftEvent {
    /// The collection that it names.
    pub(super) fn collection(&self) -> Option<&Address> {
        match self {
            Self::Created(collection) => Some(collection),
            Self::Moved { nft, .. } | Self::Burned(nft) => Some(&nft.collection),
            Self::Given { .. } | Self::Mutated { .. } => None,
        }
    }
}

/// A token as events name it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum CoinKey {
    /// Its ERC-20 contract.
    Contract(Address),
    Metadata(Address),
    Denom(String),
}

/// One side of a movement of tokens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CoinChange {
    pub(super) token: CoinKey,
    pub(super) account: Address,
    /// Below zero for whoever gives.
    pub(super) by: Balance,
}

/// What a block did, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct BlockChanges {
    pub(super) nfts: Vec<NftEvent>,
    pub(super) coins: Vec<CoinChange>,
}

impl BlockChanges {
    /// What these transactions did, by the events of each.
    pub(super) fn of<'a>(vm: Vm, txs: impl IntoIterator<Item = &'a [TxEvent]>) -> Self {
        let mut changes = Self::default();
        for events in txs {
            match vm {
                Vm::Evm => evm::follow(events, &mut changes),
                Vm::Move => movevm::follow(events, &mut changes),
                Vm::Wasm => wasm::follow(events, &mut changes),
            }
        }
        changes
    }
}

/// Whether an event may say anything of NFTs or balances.
pub(super) fn is_evidence(event: &TxEvent) -> bool {
    matches!(&*event.kind, "evm" | "move" | "wasm" | "coin_spent" | "coin_received")
}

/// The NFTs that a transaction made, moved or burned. On Move its object's account has its transactions.
pub(super) fn nfts_of(vm: Vm, tx: &CommittedTx) -> BTreeSet<NftId> {
    match vm {
        Vm::Evm => evm::nfts(tx),
        Vm::Wasm => wasm::nfts(tx),
        Vm::Move => BTreeSet::new(),
    }
}
