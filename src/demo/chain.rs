//! A chain that makes a block when it is told to.

use super::ledger::{External, ExternalError, Ledger, Submitted};
use crate::{
    domain::{Address, Amount, Denom, Height, Timestamp, Vm},
    indexer::source::{CommittedBlock, EvmReceipts, EvmTraces, FungibleToken, NftCollection, OwnedNft, Source},
};

/// A chain as its runner drives it; the index reads it as a [`Source`].
pub trait BlockProducer: Source {
    /// When the block at this height is due.
    fn due(&self, height: Height) -> Timestamp;

    /// Makes the next block.
    fn advance(&mut self) -> Height;

    /// Takes a transaction from outside into the next block; the same ones between the same blocks must always give the
    /// same blocks. A chain need not take any.
    fn submit(&mut self, _external: &External) -> Result<Submitted, ExternalError> {
        Err(ExternalError::Closed)
    }

    /// Blocks below this height will not be asked for again.
    fn prune_below(&mut self, height: Height);
}

impl BlockProducer for Ledger {
    fn due(&self, height: Height) -> Timestamp {
        Ledger::due(self, height)
    }

    fn advance(&mut self) -> Height {
        Ledger::advance(self)
    }

    fn submit(&mut self, external: &External) -> Result<Submitted, ExternalError> {
        Ledger::submit(self, external)
    }

    fn prune_below(&mut self, height: Height) {
        Ledger::prune_below(self, height);
    }
}

impl Source for Ledger {
    fn chain_id(&self) -> &str {
        Ledger::chain_id(self)
    }

    fn tip(&self) -> Option<Height> {
        Ledger::tip(self)
    }

    fn time(&self, height: Height) -> Timestamp {
        Ledger::time(self, height)
    }

    fn block(&self, height: Height) -> Option<CommittedBlock> {
        Ledger::block(self, height)
    }

    fn receipts(&self, block: &CommittedBlock) -> Option<EvmReceipts> {
        Ledger::receipts(self, block)
    }

    fn is_traced(&self) -> bool {
        self.options().vm == Vm::Evm
    }

    fn traces(&self, height: Height) -> Option<EvmTraces> {
        Ledger::traces(self, height)
    }

    fn tokens(&self) -> Vec<FungibleToken> {
        Ledger::tokens(self)
    }

    fn holders(&self, denom: &Denom) -> Vec<(Address, Amount)> {
        Ledger::holders(self, denom)
    }

    fn collections(&self) -> Vec<NftCollection> {
        Ledger::collections(self)
    }

    fn collection(&self, address: &Address) -> Option<NftCollection> {
        Ledger::collection(self, address)
    }

    fn nfts(&self) -> Vec<OwnedNft> {
        Ledger::nfts(self)
    }

    fn nft(&self, collection: &Address, token_id: &str) -> Option<OwnedNft> {
        Ledger::nft(self, collection, token_id)
    }
}
