//! Node feed that uses a node client.

mod fallback;
mod state;

pub use fallback::{NodeFallback, UnfitNode, prove_held};

use std::{
    collections::BTreeMap,
    fmt,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::Duration,
};

use super::{
    ProposerTable, committed_block, consensus_address,
    feed::{AccountsPage, FeedError, HeldChain, NodeBlock, NodeChange, NodeFeed, NodeHead, NodeHeader, NodeTraces},
    receipts,
    record::bare_block,
    requests::NodeRequests,
    traces,
};
use crate::{
    client::{NodeClient, NodeError, NodeInterface},
    domain::{Address, BlockHash, Denom, Height, Vm},
    indexer::{
        http::{ChainMetrics, NodeMetrics},
        index::{AccountBalances, DueBalances, UnknownNft},
        source::{CommittedBlock, EvmReceipts, EvmTraces, NftCollection, OwnedNft},
    },
    wire::{
        BlockPart, ErrorKind, UndecodedPart,
        node::{BlockHeader, BlockMeta, EvmReceiptAnswer},
    },
};

/// Attempts to decode a part of a block. Then the block is indexed without it.
const DECODINGS: u32 = 4;

/// Attempts to get receipts that the JSON-RPC's own header announces, or call frames of receipts: a lagging node behind
/// a load balancer has them some blocks later.
const SILENT_ANSWERS: u32 = 12;

/// Maximum cached headers and receipts for later requests.
const KEPT: usize = 5_000;

pub struct ClientFeed {
    /// Client of the node in use.
    client: Mutex<NodeClient>,
    fallback: Option<NodeFallback>,
    metrics: NodeMetrics,
    /// Height of the newest block at the last request.
    tip: AtomicU64,
    /// Cached headers of blocks that were not requested yet.
    metas: Mutex<BTreeMap<Height, BlockMeta>>,
    /// Receipts that call frames need, without logs.
    receipts: Mutex<BTreeMap<Height, EvmReceipts>>,
    proposers: Mutex<Arc<ProposerTable>>,
    /// Proposers that are no longer validators; the feed does not request them again.
    unknown_proposers: Mutex<Vec<Address>>,
    contracts: Mutex<BTreeMap<Denom, Option<Address>>>,
    /// Failed attempts to decode parts of blocks.
    failed: Mutex<BTreeMap<(Height, BlockPart), u32>>,
    /// Whether the node has refused to trace.
    is_untraced: AtomicBool,
}

impl fmt::Debug for ClientFeed {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("ClientFeed").field("chain_id", &self.client().chain_id()).finish_non_exhaustive()
    }
}

impl ClientFeed {
    /// Creates a feed whose requests `metrics` count.
    pub fn new(client: &NodeClient, metrics: &ChainMetrics) -> Arc<Self> {
        Self::with_fallback(client, metrics, None)
    }

    /// Creates a feed that goes on with another node when its node fails.
    pub fn with_fallback(client: &NodeClient, metrics: &ChainMetrics, fallback: Option<NodeFallback>) -> Arc<Self> {
        Arc::new(Self {
            client: Mutex::new(observed(client, &metrics.node)),
            fallback,
            metrics: metrics.node.clone(),
            tip: AtomicU64::new(0),
            metas: Mutex::default(),
            receipts: Mutex::default(),
            proposers: Mutex::default(),
            unknown_proposers: Mutex::default(),
            contracts: Mutex::default(),
            failed: Mutex::default(),
            is_untraced: AtomicBool::new(false),
        })
    }

    fn client(&self) -> NodeClient {
        lock(&self.client).clone()
    }

    fn has(&self, interface: NodeInterface) -> bool {
        self.client().url(interface).is_some()
    }

    /// Returns the validators; requests them again for an unknown proposer.
    async fn proposers(&self, header: &BlockHeader) -> Result<Arc<ProposerTable>, FeedError> {
        let known = Arc::clone(&lock(&self.proposers));
        let Ok(proposer) = consensus_address(header) else { return Ok(known) };
        if known.knows(proposer) || lock(&self.unknown_proposers).contains(&proposer) {
            return Ok(known);
        }
        let (validators, height) = match self.client().validators().await {
            // A chain without validators still has blocks.
            Err(error) if error.is_refusal() => (Vec::new(), None),
            answered => answered.map_err(failure)?,
        };
        let table = Arc::new(ProposerTable::new(validators, height));
        if !table.knows(proposer) {
            lock(&self.unknown_proposers).push(proposer);
        }
        *lock(&self.proposers) = Arc::clone(&table);
        Ok(table)
    }
}

impl NodeFeed for ClientFeed {
    async fn head(&self) -> Result<NodeHead, FeedError> {
        let status = self.ask_head().await?;
        let tip = Height::new(status.sync_info.latest_block_height);
        let tip = tip.ok_or_else(|| FeedError::Away("the node's chain has no block yet".to_owned()))?;
        self.tip.store(tip.get(), Ordering::Release);
        Ok(NodeHead {
            chain_id: status.node_info.network,
            tip,
            tip_hash: None,
            tip_time: status.sync_info.latest_block_time,
            oldest: Height::new(status.sync_info.earliest_block_height).unwrap_or(Height::FIRST),
            is_catching_up: status.sync_info.catching_up,
        })
    }

    async fn headers(&self, from: Height, to: Height) -> Result<Vec<NodeHeader>, FeedError> {
        let found = self.while_used(async |client| client.headers(from, to).await.map_err(failure)).await?;
        let mut metas = lock(&self.metas);
        let mut headers = Vec::with_capacity(found.len());
        for meta in found {
            let Some(hash) = meta.block_id.block_hash() else { continue };
            headers.push(NodeHeader {
                height: meta.header.height,
                hash,
                previous_hash: meta.header.last_block_id.block_hash(),
                time: meta.header.time,
                txs: meta.num_txs,
                bytes: meta.block_size.try_into().unwrap_or(0),
            });
            metas.insert(meta.header.height, meta);
        }
        // The next requests are near the latest requests, so drop the farthest entries.
        while metas.len() > KEPT {
            metas.pop_last();
        }
        Ok(headers)
    }

    async fn block(&self, header: NodeHeader) -> Result<NodeBlock, FeedError> {
        let height = header.height;
        let known = lock(&self.metas).get(&height).cloned();
        let known = known.filter(|meta| meta.block_id.block_hash() == Some(header.hash));
        let meta = if let Some(meta) = known {
            meta
        } else {
            let mut found = self.client().headers(height, height).await.map_err(failure)?;
            found.pop().ok_or(FeedError::NotYet)?
        };
        let has_receipts = self.client().vm() == Vm::Evm && self.has(NodeInterface::JsonRpc);
        let is_empty = meta.num_txs == 0;
        let (client, answers) = self.client().metered();
        let (hash, read_receipts) = (header.hash, self.read_receipts(&client, height));
        let asked_receipts = async {
            if has_receipts && !is_empty {
                read_receipts.await
            } else {
                Ok((has_receipts.then(EvmReceipts::default), None))
            }
        };
        let read = async |_| tokio::try_join!(self.read_block(&client, meta, hash), asked_receipts);
        let ((block, mut undecoded), (receipts, lost)) = Box::pin(self.while_used(read)).await?;
        undecoded.extend(lost);
        lock(&self.failed).retain(|(at, part), _| *at != height || *part == BlockPart::CallFrames);
        if let Some(receipts) = receipts.as_ref().filter(|receipts| !receipts.receipts.is_empty()) {
            let mut kept = lock(&self.receipts);
            let mut bare = receipts.clone();
            bare.receipts.iter_mut().for_each(|receipt| receipt.logs = Vec::new());
            kept.insert(height, bare);
            while kept.len() > KEPT {
                kept.pop_first();
            }
        }
        lock(&self.metas).remove(&height);
        Ok(NodeBlock { block, receipts, undecoded, answers })
    }

    fn node(&self) -> Option<String> {
        self.fallback.as_ref().map(NodeFallback::present)
    }

    async fn change_node(&self, cause: &str, held: HeldChain<'_>) -> NodeChange {
        self.find_another_node(cause, held).await
    }

    fn is_traced(&self) -> bool {
        self.client().vm() == Vm::Evm && self.has(NodeInterface::JsonRpc) && !self.is_untraced.load(Ordering::Acquire)
    }

    async fn traces(&self, height: Height) -> Result<NodeTraces, FeedError> {
        let (client, answers) = self.client().metered();
        let found = self.while_used(async |_| self.read_traces(&client, height).await).await;
        let is_silent = matches!(&found, Ok(None));
        let silence =
            || FeedError::Malformed(format!("the node has receipts of block {height}, but sends no call frames"));
        let attempts = if is_silent { SILENT_ANSWERS } else { DECODINGS };
        let found = found.and_then(|found| found.ok_or_else(silence));
        let (traces, undecoded) = self.or_without(height, BlockPart::CallFrames, attempts, found)?;
        Ok(NodeTraces { traces, undecoded, answers })
    }

    async fn collection(&self, address: Address, at: Height) -> Result<Option<NftCollection>, FeedError> {
        self.while_used(async |_| self.find_collection(address, at).await).await
    }

    async fn nft(&self, nft: UnknownNft) -> Result<Option<OwnedNft>, FeedError> {
        self.find_nft(nft).await
    }

    async fn nfts(&self, wanted: Vec<UnknownNft>) -> Result<Vec<OwnedNft>, FeedError> {
        self.while_used(async |_| self.find_nfts(wanted).await).await
    }

    fn has_balances(&self) -> bool {
        true
    }

    async fn accounts(&self, key: Option<String>) -> Result<AccountsPage, FeedError> {
        self.while_used(async |_| self.page_of_accounts(key).await).await
    }

    async fn balances(&self, due: DueBalances) -> Result<AccountBalances, FeedError> {
        let at = Height::new(self.tip.load(Ordering::Acquire)).ok_or(FeedError::NotYet)?;
        self.while_used(async |_| self.balances_at(due, at).await).await
    }
}

impl ClientFeed {
    /// Requests and decodes a block with its results; after some attempts returns what can be decoded.
    async fn read_block(
        &self,
        client: &NodeClient,
        meta: BlockMeta,
        hash: BlockHash,
    ) -> Result<(CommittedBlock, Vec<UndecodedPart>), FeedError> {
        let height = meta.header.height;
        let is_last = self.attempts(height, BlockPart::Results) + 1 >= DECODINGS;
        let read = match tokio::join!(client.answers(meta.clone()), self.proposers(&meta.header)) {
            (Ok(answers), proposers) => committed_block(answers, &*proposers?, is_last).map_err(malformed),
            (Err(error), _) => Err(failure(error)),
        };
        let (read, lost) = self.or_without(height, BlockPart::Results, DECODINGS, read.map(Some))?;
        match read {
            Some(read) => Ok(read),
            None => Ok((bare_block(&meta, hash, &*self.proposers(&meta.header).await?), lost.into_iter().collect())),
        }
    }

    async fn read_receipts(
        &self,
        client: &NodeClient,
        height: Height,
    ) -> Result<(Option<EvmReceipts>, Option<UndecodedPart>), FeedError> {
        let answers: Result<Vec<EvmReceiptAnswer>, NodeError> = client.receipts(height).await;
        let is_silent = matches!(answers, Err(NodeError::NoReceipts { .. }));
        let attempts = if is_silent { SILENT_ANSWERS } else { DECODINGS };
        let read = answers.map_err(failure).and_then(|answers| receipts(height, &answers).map_err(malformed));
        let (receipts, lost) = self.or_without(height, BlockPart::Receipts, attempts, read)?;
        Ok((Some(receipts), lost))
    }

    fn attempts(&self, height: Height, part: BlockPart) -> u32 {
        lock(&self.failed).get(&(height, part)).copied().unwrap_or_default()
    }

    /// Counts the failed attempts to decode a part of a block. After the last attempt, returns the default value and
    /// the description of the lost part.
    fn or_without<T: Default>(
        &self,
        height: Height,
        part: BlockPart,
        attempts: u32,
        read: Result<T, FeedError>,
    ) -> Result<(T, Option<UndecodedPart>), FeedError> {
        let cause = match read {
            Err(FeedError::Malformed(cause)) => cause,
            read => return read.map(|read| (read, None)),
        };
        let mut failed = lock(&self.failed);
        let count = failed.entry((height, part)).or_default();
        *count += 1;
        if *count < attempts {
            return Err(FeedError::Malformed(cause));
        }
        failed.remove(&(height, part));
        Ok((T::default(), Some(UndecodedPart { height, part, index: None, cause })))
    }

    /// Returns the call frames of a block; `None` if the node sends none although it has receipts.
    async fn read_traces(&self, client: &NodeClient, height: Height) -> Result<Option<EvmTraces>, FeedError> {
        let known = lock(&self.receipts).get(&height).cloned();
        let known = match known {
            Some(known) => known,
            None => receipts(height, &client.receipts(height).await.map_err(failure)?).map_err(malformed)?,
        };
        // Above its newest block a node returns an empty list; another node behind this URL may answer the next
        // request.
        let mut answers = client.traces(height).await.map_err(failure)?;
        let is_silent = |answers: &Option<Vec<_>>| answers.as_ref().is_some_and(Vec::is_empty);
        if is_silent(&answers) && !known.receipts.is_empty() {
            answers = client.traces(height).await.map_err(failure)?;
        }
        let Some(answers) = answers else {
            self.is_untraced.store(true, Ordering::Release);
            return Err(FeedError::Unreadable("the node cannot trace".to_owned()));
        };
        if answers.is_empty() && !known.receipts.is_empty() {
            return Ok(None);
        }
        let found = traces(height, &known, &answers).map_err(malformed)?;
        lock(&self.receipts).remove(&height);
        Ok(Some(found))
    }
}

/// Returns a client whose requests the metrics count.
fn observed(client: &NodeClient, metrics: &NodeMetrics) -> NodeClient {
    client.observed(Arc::new(NodeRequests::new(client, metrics.clone())))
}

/// Converts the error of a failed request for the follower.
#[expect(clippy::needless_pass_by_value, reason = "errors are mapped by it")]
fn failure(error: NodeError) -> FeedError {
    match &error {
        NodeError::AboveTip(_)
        | NodeError::NotYet(_)
        | NodeError::NoResults
        | NodeError::NoHeights { .. }
        | NodeError::Changed(_) => FeedError::NotYet,
        NodeError::Pruned(_) => FeedError::Pruned,
        NodeError::Api(api) if matches!(api.kind, ErrorKind::RateLimited(_)) => {
            FeedError::Busy(error.pause().unwrap_or(Duration::from_secs(1)))
        }
        NodeError::NoReceipts { .. } => FeedError::Malformed(error.to_string()),
        NodeError::Api(api) if matches!(api.kind, ErrorKind::BadShape { .. } | ErrorKind::TooLarge(_)) => {
            FeedError::Malformed(error.to_string())
        }
        _ if error.is_transient() => FeedError::Away(error.to_string()),
        _ => FeedError::Unreadable(error.to_string()),
    }
}

/// Converts the error of a response from which no record can be made.
#[expect(clippy::needless_pass_by_value, reason = "errors are mapped by it")]
fn malformed(error: super::RecordError) -> FeedError {
    FeedError::Malformed(error.to_string())
}

/// Locks a mutex; no code panics halfway through a change, so a poisoned lock holds valid data.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
