//! Interface between the follower and a rollup's node.

use std::{sync::Arc, time::Duration};

use crate::{
    client::AnswerMeter,
    domain::{Address, BlockHash, Height, Timestamp, TxHash, text},
    indexer::{
        index::{AccountBalances, DueBalances, UnknownNft},
        source::{CommittedBlock, EvmReceipts, EvmTraces, NftCollection, OwnedNft},
    },
    wire::{LackReason, PartFloor, UndecodedPart},
};

/// Maximum headers per request.
pub const HEADERS_AT_ONCE: u64 = 20;

/// Longest pause that a node may ask for.
pub const LONGEST_PAUSE: Duration = Duration::from_secs(10 * 60);

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeHead {
    pub chain_id: String,
    /// Newest block.
    pub tip: Height,
    /// Hash of the newest block; `None` if the node does not report it.
    pub tip_hash: Option<BlockHash>,
    /// Time of the newest block; `None` if the node does not report it.
    pub tip_time: Option<Timestamp>,
    pub oldest: Height,
    /// Whether the node is syncing.
    pub is_catching_up: bool,
}

impl NodeHead {
    /// Returns the head of a chain that ends with this block; unchanged if the node is not that far.
    #[must_use]
    pub fn up_to(self, last: Option<Height>) -> Self {
        match last.filter(|last| *last < self.tip) {
            Some(tip) => Self { tip, tip_hash: None, tip_time: None, ..self },
            None => self,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeHeader {
    pub height: Height,
    pub hash: BlockHash,
    /// Hash of the previous block; `None` for the first block.
    pub previous_hash: Option<BlockHash>,
    pub time: Timestamp,
    pub txs: u64,
    /// Bytes of the encoded block; 0 if unknown.
    pub bytes: u64,
}

/// Block with all its data.
#[derive(Clone, Debug)]
pub struct NodeBlock {
    pub block: CommittedBlock,
    /// Receipts; `None` without an EVM.
    pub receipts: Option<EvmReceipts>,
    /// Parts that could not be decoded, and that the record therefore lacks.
    pub undecoded: Vec<UndecodedPart>,
    /// Answers that the block was made of; keep them until it is written.
    pub answers: Arc<AnswerMeter>,
    /// Hashes of the transactions of a block that is made of its header alone; empty if unknown.
    pub tx_hashes: Vec<TxHash>,
    /// Whether the block is made of its header alone.
    pub is_bare: bool,
}

impl NodeBlock {
    /// Returns the refusal of a part that the node is still asked for; `None` if nothing is awaited.
    pub fn awaited(&self) -> Option<NodeRefusal> {
        self.undecoded.iter().find_map(awaited)
    }
}

impl NodeTraces {
    /// Returns the refusal if the node is still asked for the call frames.
    pub fn awaited(&self) -> Option<NodeRefusal> {
        self.undecoded.iter().find_map(awaited)
    }
}

fn awaited(part: &UndecodedPart) -> Option<NodeRefusal> {
    (part.reason == LackReason::Waiting).then(|| NodeRefusal {
        kind: RefusalKind::Spoken,
        cause: part.cause.as_received().to_owned(),
        again: Duration::ZERO,
    })
}

/// Call frames of a block.
#[derive(Clone, Debug, Default)]
pub struct NodeTraces {
    pub traces: EvmTraces,
    /// The call frames, or those of single transactions, that are lacking.
    pub undecoded: Vec<UndecodedPart>,
    /// Answers that the frames were made of; keep them until they are written.
    pub answers: Arc<AnswerMeter>,
}

#[derive(Clone, Debug, Default)]
pub struct AccountsPage {
    pub accounts: Vec<Address>,
    /// Key of the next page; `None` on the last page.
    pub next: Option<String>,
}

/// Blocks that an index holds, with which another node is compared.
#[derive(Clone, Copy)]
pub struct HeldChain<'a> {
    /// Empty before the first block.
    pub chain_id: &'a str,
    /// Newest block; `None` before the first block.
    pub tip: Option<Height>,
    /// Returns the hash of a held block.
    pub hash_of: &'a (dyn Fn(Height) -> Option<BlockHash> + Sync),
}

/// Result of looking for another node, as sentences.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NodeChange {
    /// The node that is used from now on, and why; `None` if no other node can be used.
    pub used: Option<String>,
    /// Nodes that answered but do not serve the held chain.
    pub refused: Vec<String>,
}

/// Reason why a node's response is unusable.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FeedError {
    /// The node did not answer, or failed.
    #[error("{0}")]
    Away(String),
    /// The node limits requests and demands this pause.
    #[error("the node limits requests; the index asks again in {}", text::age(*.0))]
    Busy(Duration),
    #[error("the node does not have this block yet")]
    NotYet,
    #[error("the node has pruned this block")]
    Pruned,
    /// The node refuses a part of a block, or its answers on the block contradict each other. After some attempts a
    /// feed returns the block without this part.
    #[error("{}", .0.cause)]
    Refused(NodeRefusal),
    #[error("{0}")]
    Unreadable(String),
    /// The node's data on a block cannot be decoded. After some attempts a feed returns the block without this part.
    #[error("{0}")]
    Malformed(String),
}

/// Refusal of a request, in the node's words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeRefusal {
    pub kind: RefusalKind,
    pub cause: String,
    /// Time until the feed sends the request again; zero if unknown.
    pub again: Duration,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RefusalKind {
    /// The node said no, or its answers contradict each other.
    Spoken,
    /// The node sent nothing of the part.
    Silent,
    /// The node keeps the part of its newest block only.
    Discarded,
    /// The part contradicts the chain's headers.
    Contradicts,
}

/// Interface to a rollup's node. Every call sends a request; the caller limits concurrency and retries.
pub trait NodeFeed: Send + Sync + 'static {
    /// Requests the node's height.
    fn head(&self) -> impl Future<Output = Result<NodeHead, FeedError>> + Send;

    /// Requests the headers of these blocks, ascending, at most [`HEADERS_AT_ONCE`]; omits missing headers.
    fn headers(&self, from: Height, to: Height) -> impl Future<Output = Result<Vec<NodeHeader>, FeedError>> + Send;

    /// Sets the heights below which the feed requests no such part. It requests the parts of `probed` all the same.
    fn set_floors(&self, _floors: &[PartFloor], _probed: Option<Height>) {}

    /// Sets the length of a second in the schedule by which refused requests are sent again.
    fn set_second(&self, _second: Duration) {}

    fn block(&self, header: NodeHeader) -> impl Future<Output = Result<NodeBlock, FeedError>> + Send;

    /// Takes the root of the results of a stored block that an earlier feed may have returned unproven.
    fn take_unproven(&self, _height: Height, _hash: BlockHash, _results: [u8; 32]) {}

    /// Whether the header after this block, which came since, contradicts the results with which the feed returned the
    /// block, or that it was told of. The feed says it once.
    fn is_refuted(&self, _height: Height, _hash: BlockHash) -> bool {
        false
    }

    /// Returns the URL of the node in use, if the feed has several.
    fn node(&self) -> Option<String> {
        None
    }

    /// Goes on with another node of the held chain, if the feed has one, because the node in use failed.
    fn change_node(&self, _cause: &str, _held: HeldChain<'_>) -> impl Future<Output = NodeChange> + Send {
        async { NodeChange::default() }
    }

    /// Whether the node can trace calls.
    fn is_traced(&self) -> bool {
        false
    }

    /// Requests the call frames of a block with transactions.
    fn traces(&self, _height: Height) -> impl Future<Output = Result<NodeTraces, FeedError>> + Send {
        async { Ok(NodeTraces::default()) }
    }

    /// Requests the node's data on a contract or object that an event calls a collection; `None` if it is no
    /// collection.
    fn collection(
        &self,
        _address: Address,
        _at: Height,
    ) -> impl Future<Output = Result<Option<NftCollection>, FeedError>> + Send {
        async { Ok(None) }
    }

    /// Requests the node's data on an NFT; `None` if unknown.
    fn nft(&self, _nft: UnknownNft) -> impl Future<Output = Result<Option<OwnedNft>, FeedError>> + Send {
        async { Ok(None) }
    }

    /// Requests many NFTs in one call, in any order; omits unknown NFTs.
    fn nfts(&self, wanted: Vec<UnknownNft>) -> impl Future<Output = Result<Vec<OwnedNft>, FeedError>> + Send {
        async {
            let mut found = Vec::with_capacity(wanted.len());
            for nft in wanted {
                found.extend(self.nft(nft).await?);
            }
            Ok(found)
        }
    }

    /// Whether the node can return balances.
    fn has_balances(&self) -> bool {
        false
    }

    fn accounts(&self, _key: Option<String>) -> impl Future<Output = Result<AccountsPage, FeedError>> + Send {
        async { Ok(AccountsPage::default()) }
    }

    /// Requests an account's current balances: from the bank, and from those of its token contracts that the bank does
    /// not list.
    fn balances(&self, due: DueBalances) -> impl Future<Output = Result<AccountBalances, FeedError>> + Send {
        async move {
            let (coins, tokens) = (Vec::new(), Vec::new());
            Ok(AccountBalances { account: due.account, height: Height::FIRST, coins, tokens })
        }
    }
}
