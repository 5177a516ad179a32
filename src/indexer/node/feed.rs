//! What a follower asks a rollup's node, whatever answers it.

use std::time::Duration;

use crate::{
    domain::{Address, BlockHash, Height, Timestamp},
    indexer::{
        index::{AccountBalances, DueBalances, UnknownNft},
        source::{CommittedBlock, EvmReceipts, EvmTraces, NftCollection, OwnedNft},
    },
};

/// Headers that a node gives at once.
pub const HEADERS_AT_ONCE: u64 = 20;

/// How far a node is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeHead {
    /// Its chain.
    pub chain_id: String,
    /// Its newest block.
    pub tip: Height,
    /// The hash of that block, where the node says it.
    pub tip_hash: Option<BlockHash>,
    /// The oldest block that it keeps.
    pub oldest: Height,
    /// Whether it is behind its chain.
    pub is_catching_up: bool,
}

/// A block's header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeHeader {
    /// Height.
    pub height: Height,
    /// The block's hash.
    pub hash: BlockHash,
    /// The hash of the block before it; `None` in the first block.
    pub previous_hash: Option<BlockHash>,
    /// Block time.
    pub time: Timestamp,
    /// How many transactions it has.
    pub txs: u64,
}

/// A block with all that comes with it.
#[derive(Clone, Debug)]
pub struct NodeBlock {
    /// The block with its results.
    pub block: CommittedBlock,
    /// Its receipts; `None` where the node has no Ethereum side.
    pub receipts: Option<EvmReceipts>,
}

/// A page of all accounts.
#[derive(Clone, Debug, Default)]
pub struct AccountsPage {
    /// Some of them.
    pub accounts: Vec<Address>,
    /// The key of the next page; `None` on the last one.
    pub next: Option<String>,
}

/// Why a node's answer cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FeedError {
    /// It does not answer, or with a failure of its own.
    #[error("{0}")]
    Away(String),
    /// It wants to be left alone for so long.
    #[error("the node asks for patience")]
    Busy(Duration),
    /// It does not have the block yet.
    #[error("the node does not have this block yet")]
    NotYet,
    /// It does not have the block, or the state of that height, any more.
    #[error("the node does not keep this block any more")]
    Pruned,
    /// It answers something that cannot be read.
    #[error("{0}")]
    Unreadable(String),
}

/// A rollup's node. Requests are made as often as they are asked for; how many go on at once, and when a refused one is
/// repeated, is the caller's business.
pub trait NodeFeed: Send + Sync + 'static {
    /// How far it is.
    fn head(&self) -> impl Future<Output = Result<NodeHead, FeedError>> + Send;

    /// The headers of these blocks, ascending, [`HEADERS_AT_ONCE`] at the most; those that it does not have are missing.
    fn headers(&self, from: Height, to: Height) -> impl Future<Output = Result<Vec<NodeHeader>, FeedError>> + Send;

    /// The block with this header.
    fn block(&self, header: NodeHeader) -> impl Future<Output = Result<NodeBlock, FeedError>> + Send;

    /// Whether it can say what transactions called.
    fn is_traced(&self) -> bool {
        false
    }

    /// The call frames of a block that has transactions.
    fn traces(&self, _height: Height) -> impl Future<Output = Result<EvmTraces, FeedError>> + Send {
        async { Ok(EvmTraces::default()) }
    }

    /// What it says of a contract or object that an event at this height calls a collection; `None` where it is none.
    fn collection(
        &self,
        _address: Address,
        _at: Height,
    ) -> impl Future<Output = Result<Option<NftCollection>, FeedError>> + Send {
        async { Ok(None) }
    }

    /// What it says of an NFT; `None` where it knows none.
    fn nft(&self, _nft: UnknownNft) -> impl Future<Output = Result<Option<OwnedNft>, FeedError>> + Send {
        async { Ok(None) }
    }

    /// The same of many at once, in any order; those that it does not know are left out.
    fn nfts(&self, wanted: Vec<UnknownNft>) -> impl Future<Output = Result<Vec<OwnedNft>, FeedError>> + Send {
        async {
            let mut found = Vec::with_capacity(wanted.len());
            for nft in wanted {
                found.extend(self.nft(nft).await?);
            }
            Ok(found)
        }
    }

    /// Whether it can say who holds what.
    fn has_balances(&self) -> bool {
        false
    }

    /// A page of all accounts.
    fn accounts(&self, _key: Option<String>) -> impl Future<Output = Result<AccountsPage, FeedError>> + Send {
        async { Ok(AccountsPage::default()) }
    }

    /// What an account holds now: by the bank, and by those of its contracts that the bank does not list.
    fn balances(&self, due: DueBalances) -> impl Future<Output = Result<AccountBalances, FeedError>> + Send {
        async move {
            let (coins, tokens) = (Vec::new(), Vec::new());
            Ok(AccountBalances { account: due.account, height: Height::FIRST, coins, tokens })
        }
    }
}
