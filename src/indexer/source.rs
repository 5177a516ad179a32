//! Sources of an index: blocks with transactions and results, receipts and call frames of the EVM, and the current
//! state.

mod block;
mod evm;

pub use crate::events::{EventAttribute, TxEvent};
pub use block::{BlockEvent, BlockPhase, BlockProposer, CommittedBlock, CommittedTx, ProposingValidator};
pub use evm::{EvmFrame, EvmReceipt, EvmReceipts, EvmTrace, EvmTraces, FrameKind, ReceiptLog};

use std::borrow::Cow;

use crate::domain::{Address, Amount, Denom, Height, Timestamp};

/// Chain that the index reads.
///
/// The methods of the second half query the state of the newest block, so call them before the next block. A chain
/// without tokens or NFTs need not implement them.
pub trait Source: Send {
    /// Returns the chain id, such as `rollscope-evm-1`.
    fn chain_id(&self) -> &str;

    fn tip(&self) -> Option<Height>;

    /// Returns the time in a block's header, also of a pruned block.
    fn time(&self, height: Height) -> Timestamp;

    /// Returns a block with its results; `None` above the newest block, or if pruned.
    fn block(&self, height: Height) -> Option<CommittedBlock>;

    /// Returns the receipts of a block, as `eth_getBlockReceipts` does; `None` without an EVM.
    fn receipts(&self, _block: &CommittedBlock) -> Option<EvmReceipts> {
        None
    }

    /// Whether the source can trace calls.
    fn is_traced(&self) -> bool {
        false
    }

    /// Returns the call frames of a block, as `debug_traceBlockByNumber` does; `None` above the newest block, if
    /// pruned, or without traces.
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
    /// ERC-20 contract; only on the EVM.
    pub contract: Option<Address>,
    /// Metadata object of 32 bytes; only on Move.
    pub metadata: Option<Address>,
    /// Symbol; several tokens may have it.
    pub symbol: Cow<'static, str>,
    pub decimals: u8,
    /// Sum of all accounts' balances, in the smallest unit.
    pub supply: Amount,
}

/// Existing NFT collection, as the node reports it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NftCollection {
    /// Contract (20 bytes on the EVM, 32 on Wasm), or on Move the object (32 bytes).
    pub address: Address,
    pub creator: Address,
    /// On-chain name; on Move `ibc/…` if the collection arrived over IBC.
    pub name: String,
    /// Name on the chain of origin; empty unless the collection arrived over IBC.
    pub origin_name: String,
    /// Block of the creation; the first height if created in genesis.
    pub created: Height,
}

/// Existing NFT, as the node reports it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnedNft {
    pub collection: Address,
    /// Token id; a decimal number on the EVM.
    pub token_id: String,
    /// Object of the token; only on Move.
    pub object: Option<Address>,
    pub owner: Address,
    pub uri: String,
    /// Block of the mint or last transfer; the first height if minted in genesis.
    pub moved: Height,
}
