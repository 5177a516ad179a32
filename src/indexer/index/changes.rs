//! Effects of transactions on NFTs and balances, from events only (`docs/apis/indexer.md` §10, `docs/apis/story.md`
//! §2).

mod evm;
mod movevm;
mod wasm;

use crate::{
    domain::{Address, Balance, Vm},
    indexer::source::TxEvent,
};

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct NftId {
    pub(super) collection: Address,
    pub(super) token_id: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum NftEvent {
    /// A contract or object was created that may be a collection.
    Created(Address),
    /// An NFT, possibly new, has a new owner. `object` is its object on Move, if the events name it.
    Moved {
        nft: NftId,
        to: Address,
        object: Option<Address>,
    },
    /// An object, possibly an NFT, has a new owner.
    Given {
        object: Address,
        to: Address,
    },
    Mutated {
        object: Address,
        uri: String,
    },
    Burned(NftId),
}

impl NftEvent {
    pub(super) fn collection(&self) -> Option<&Address> {
        match self {
            Self::Created(collection) => Some(collection),
            Self::Moved { nft, .. } | Self::Burned(nft) => Some(&nft.collection),
            Self::Given { .. } | Self::Mutated { .. } => None,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum CoinKey {
    /// Token, named by its ERC-20 contract.
    Contract(Address),
    Metadata(Address),
    Denom(String),
}

/// Balance change of one account in a token movement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CoinChange {
    pub(super) token: CoinKey,
    pub(super) account: Address,
    /// Change in the smallest unit; negative for the sender.
    pub(super) by: Balance,
}

/// Effects of a block, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct BlockChanges {
    pub(super) nfts: Vec<NftEvent>,
    pub(super) coins: Vec<CoinChange>,
}

impl BlockChanges {
    /// Adds the effects of one transaction's events, or of events outside transactions.
    pub(super) fn follow<'e>(&mut self, vm: Vm, events: impl IntoIterator<Item = &'e TxEvent>) {
        let events = events.into_iter();
        match vm {
            Vm::Evm => evm::follow(events, self),
            Vm::Move => movevm::follow(events, self),
            Vm::Wasm => wasm::follow(events, self),
        }
    }
}
