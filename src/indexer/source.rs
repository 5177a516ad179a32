//! What feeds the index: blocks with their transactions and results, and on the EVM receipts and call frames; and what
//! the chain's state says now.

mod block;
mod evm;

pub use block::{BlockEvent, BlockPhase, BlockProposer, CommittedBlock, CommittedTx, EventAttribute, TxEvent};
pub use evm::{EvmFrame, EvmReceipt, EvmReceipts, EvmTrace, EvmTraces, FrameKind, ReceiptLog};

use std::borrow::Cow;

use crate::domain::{Address, Amount, Denom, Height, Timestamp};

/// A chain as the index reads it.
///
/// The second half are node queries: what an indexer asks a node besides blocks. They answer for the newest block, so
/// whoever starts from them must ask before the next one is there. A chain without tokens or NFTs need not answer.
pub trait Source: Send {
    /// `rollscope-evm-1` and the like.
    fn chain_id(&self) -> &str;

    /// The newest block, if there is one.
    fn tip(&self) -> Option<Height>;

    /// The time in the header of the block at this height, pruned or not.
    fn time(&self, height: Height) -> Timestamp;

    /// A block with its results; `None` above the tip or when pruned.
    fn block(&self, height: Height) -> Option<CommittedBlock>;

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
    fn tokens(&self) -> Vec<FungibleToken> {
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
    fn nfts(&self) -> Vec<OwnedNft> {
        Vec::new()
    }

    /// An NFT by its collection and id.
    fn nft(&self, _collection: &Address, _token_id: &str) -> Option<OwnedNft> {
        None
    }
}

/// A token of the rollup, for whoever starts from the ledger's state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FungibleToken {
    /// Its denom.
    pub denom: Denom,
    /// Its ERC-20 contract, on the EVM.
    pub contract: Option<Address>,
    /// Its metadata object of 32 bytes, on Move.
    pub metadata: Option<Address>,
    /// Ticker; two tokens may share one.
    pub symbol: Cow<'static, str>,
    /// Digits after the point in display units.
    pub decimals: u8,
    /// What all accounts hold together now, in the smallest unit.
    pub supply: Amount,
}

/// An NFT collection that exists, as the node answers when it is asked about one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NftCollection {
    /// Its contract (20 bytes on the EVM, 32 on Wasm) or object (32 bytes).
    pub address: Address,
    /// Who made it.
    pub creator: Address,
    /// Name as the chain has it; `ibc/…` on Move for one that came over IBC.
    pub name: String,
    /// Name where it came from; empty unless it came over IBC.
    pub origin_name: String,
    /// Since when it exists; the first height for what was there at genesis.
    pub created: Height,
}

/// An NFT that exists, as the node answers when it is asked about one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnedNft {
    /// The address of its collection.
    pub collection: Address,
    /// Its id in the collection, decimal on the EVM.
    pub token_id: String,
    /// Its own object, on Move.
    pub object: Option<Address>,
    /// Who has it.
    pub owner: Address,
    /// Where its metadata lies.
    pub uri: String,
    /// When it was minted or last changed hands; the first height for what was there at genesis.
    pub moved: Height,
}
