//! What the index follows: a chain that makes a block when it is told to.

use super::ledger::{
    CommittedBlock, EvmReceipts, EvmTraces, External, ExternalError, Ledger, Nft, NftCollection, Submitted, Token,
};
use crate::domain::{Address, Amount, Denom, Height, Timestamp, Vm};

/// A chain as its runner drives it and as the index reads it.
///
/// The second half are node queries: what an indexer asks a node besides blocks. They answer for the newest block, so
/// whoever starts from them must ask before the next one is made. A chain without tokens or NFTs need not answer.
pub trait Chain: Send {
    /// Its identifier.
    fn chain_id(&self) -> &str;

    /// The newest block, if there is one.
    fn tip(&self) -> Option<Height>;

    /// When the block at this height is due.
    fn due(&self, height: Height) -> Timestamp;

    /// The time in the header of the block at this height, pruned or not.
    fn time(&self, height: Height) -> Timestamp {
        self.due(height)
    }

    /// Makes the next block.
    fn advance(&mut self) -> Height;

    /// Takes a transaction from outside into the next block; the same ones between the same blocks must always give the
    /// same blocks. A chain need not take any.
    fn submit(&mut self, _external: &External) -> Result<Submitted, ExternalError> {
        Err(ExternalError::Closed)
    }

    /// A block with its results; `None` above the tip or when pruned.
    fn block(&self, height: Height) -> Option<CommittedBlock>;

    /// Blocks below this height will not be asked for again.
    fn prune_below(&mut self, height: Height);

    /// The virtual machine.
    fn vm(&self) -> Vm;

    /// The receipts of a block that it gave, `eth_getBlockReceipts`; `None` where there is no Ethereum side.
    fn receipts(&self, _block: &CommittedBlock) -> Option<EvmReceipts> {
        None
    }

    /// Whether it can say what transactions called.
    fn is_traced(&self) -> bool {
        false
    }

    /// The call frames of a block, `debug_traceBlockByNumber`; `None` above the tip, when pruned or not traced at all.
    fn traces(&self, _height: Height) -> Option<EvmTraces> {
        None
    }

    /// All tokens, the fee token first.
    fn tokens(&self) -> Vec<Token> {
        Vec::new()
    }

    /// Everybody who holds a token, in no order of size.
    fn holders(&self, _denom: &Denom) -> Vec<(Address, Amount)> {
        Vec::new()
    }

    /// The NFT collections that exist.
    fn collections(&self) -> Vec<NftCollection> {
        Vec::new()
    }

    /// The collection at this address.
    fn collection(&self, _address: &Address) -> Option<NftCollection> {
        None
    }

    /// The NFTs that exist.
    fn nfts(&self) -> Vec<Nft> {
        Vec::new()
    }

    /// An NFT by its collection and id.
    fn nft(&self, _collection: &Address, _token_id: &str) -> Option<Nft> {
        None
    }
}

impl Chain for Ledger {
    fn chain_id(&self) -> &str {
        Ledger::chain_id(self)
    }

    fn tip(&self) -> Option<Height> {
        Ledger::tip(self)
    }

    fn due(&self, height: Height) -> Timestamp {
        Ledger::due(self, height)
    }

    fn time(&self, height: Height) -> Timestamp {
        Ledger::time(self, height)
    }

    fn advance(&mut self) -> Height {
        Ledger::advance(self)
    }

    fn submit(&mut self, external: &External) -> Result<Submitted, ExternalError> {
        Ledger::submit(self, external)
    }

    fn block(&self, height: Height) -> Option<CommittedBlock> {
        Ledger::block(self, height)
    }

    fn prune_below(&mut self, height: Height) {
        Ledger::prune_below(self, height);
    }

    fn vm(&self) -> Vm {
        self.options().vm
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

    fn tokens(&self) -> Vec<Token> {
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

    fn nfts(&self) -> Vec<Nft> {
        Ledger::nfts(self)
    }

    fn nft(&self, collection: &Address, token_id: &str) -> Option<Nft> {
        Ledger::nft(self, collection, token_id)
    }
}
