//! Sources of an index: blocks with transactions and results, receipts and call frames on the EVM, and the current
//! state.

mod block;
mod evm;

pub use crate::events::{EventAttribute, TxEvent};
pub use block::{BlockEvent, BlockPhase, BlockProposer, CommittedBlock, CommittedTx};
pub use evm::{EvmFrame, EvmReceipt, EvmReceipts, EvmTrace, EvmTraces, FrameKind, ReceiptLog};

use std::borrow::Cow;

use crate::domain::{Address, Amount, Denom, Height, Timestamp};

/// Chain as read by the index.
///
/// The second half are state queries, which answer for the newest block; a caller must query before the next block. A
/// chain without tokens or NFTs need not implement them.
pub trait Source: Send {
    /// `rollscope-evm-1` and the like.
    fn chain_id(&self) -> &str;

    fn tip(&self) -> Option<Height>;

    /// Returns the time in the header of a block, pruned or not.
    fn time(&self, height: Height) -> Timestamp;

    /// Returns a block with its results; `None` above the tip or if pruned.
    fn block(&self, height: Height) -> Option<CommittedBlock>;

    /// Returns the receipts of a block, `eth_getBlockReceipts`; `None` without an EVM.
    fn receipts(&self, _block: &CommittedBlock) -> Option<EvmReceipts> {
        None
    }

    /// Whether the source can trace calls.
    fn is_traced(&self) -> bool {
        false
    }

    /// Returns the call frames of a block, `debug_traceBlockByNumber`; `None` above the tip, if pruned, or without
    /// traces.
    fn traces(&self, _height: Height) -> Option<EvmTraces> {
        None
    }

    /// Returns all tokens, the fee token first.
    fn tokens(&self) -> Vec<FungibleToken> {
        Vec::new()
    }

    /// Returns all holders of a token, unordered.
    fn holders(&self, _denom: &Denom) -> Vec<(Address, Amount)> {
        Vec::new()
    }

    fn collections(&self) -> Vec<NftCollection> {
        Vec::new()
    }

    fn collection(&self, _address: &Address) -> Option<NftCollection> {
        None
    }

    fn nfts(&self) -> Vec<OwnedNft> {
        Vec::new()
    }

    fn nft(&self, _collection: &Address, _token_id: &str) -> Option<OwnedNft> {
        None
    }
}

/// Token of the rollup in the ledger's state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FungibleToken {
    pub denom: Denom,
    /// ERC-20 contract, on the EVM.
    pub contract: Option<Address>,
    /// Metadata object of 32 bytes, on Move.
    pub metadata: Option<Address>,
    /// Not unique.
    pub symbol: Cow<'static, str>,
    pub decimals: u8,
    /// Total balance of all accounts, in the smallest unit.
    pub supply: Amount,
}

/// Existing NFT collection, as the node returns it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NftCollection {
    /// Contract (20 bytes on the EVM, 32 on Wasm) or object (32 bytes).
    pub address: Address,
    pub creator: Address,
    /// On-chain name; `ibc/…` on Move if it came over IBC.
    pub name: String,
    /// Name on the chain of origin; empty unless it came over IBC.
    pub origin_name: String,
    /// Block of creation; the first height for genesis.
    pub created: Height,
}

/// Existing NFT, as the node returns it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnedNft {
    pub collection: Address,
    /// Decimal on the EVM.
    pub token_id: String,
    /// Object of the token, on Move.
    pub object: Option<Address>,
    pub owner: Address,
    pub uri: String,
    /// Block of the mint or last move; the first height for genesis.
    pub moved: Height,
}
