//! Node feed that uses a node client.

mod fallback;
mod refusals;
mod state;

pub use fallback::{NodeFallback, UnfitNode, prove_held};

use std::{
    collections::{BTreeMap, VecDeque},
    fmt,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::Duration,
};

use alloy_primitives::hex;
use base64::{Engine as _, prelude::BASE64_STANDARD};
use sha2::{Digest as _, Sha256};
use tokio::time::Instant;

use self::refusals::{DECODINGS, Lack, Refusals, Verdict};
use super::{
    ProposerTable, committed_block, consensus_address,
    feed::{
        AccountsPage, FeedError, HeldChain, NodeBlock, NodeChange, NodeFeed, NodeHead, NodeHeader, NodeRefusal,
        NodeTraces, RefusalKind,
    },
    receipts,
    record::bare_block,
    requests::NodeRequests,
    traces,
};
use crate::{
    client::{NodeClient, NodeError, NodeInterface},
    domain::{Address, Denom, Height, TxHash, Vm},
    indexer::{
        http::{ChainMetrics, NodeMetrics},
        index::{AccountBalances, DueBalances, UnknownNft},
        source::{CommittedBlock, EvmReceipts, EvmTraces, NftCollection, OwnedNft},
    },
    proof::{TxResult, data_hash, results_hash},
    wire::{
        BlockPart, ErrorKind, LackReason, PartFloor, UndecodedPart,
        node::{BlockAnswers, BlockHeader, BlockMeta},
    },
};

/// Maximum cached headers and receipts for later requests.
const KEPT: usize = 5_000;

/// Maximum cached roots of results.
const ROOTS: usize = 1_000;

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
    /// Roots of the results of blocks, as the next headers have them.
    results_roots: Mutex<VecDeque<(Height, String)>>,
    /// Failed attempts to get parts of blocks.
    refusals: Mutex<Refusals>,
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
            results_roots: Mutex::default(),
            refusals: Mutex::default(),
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
            tip_hash: status.sync_info.latest_block_hash.parse().ok(),
            tip_time: status.sync_info.latest_block_time,
            oldest: Height::new(status.sync_info.earliest_block_height).unwrap_or(Height::FIRST),
            is_catching_up: status.sync_info.catching_up,
        })
    }

    async fn headers(&self, from: Height, to: Height) -> Result<Vec<NodeHeader>, FeedError> {
        let mut found = self.while_used(async |client| client.headers(from, to).await.map_err(failure)).await?;
        // Some answers lack headers between others; the blocks themselves have them.
        let tip = self.tip.load(Ordering::Acquire);
        let has = |found: &[BlockMeta], at: Height| found.iter().any(|meta| meta.header.height == at);
        let absent: Vec<_> =
            (from.get()..=to.get().min(tip)).filter_map(Height::new).filter(|at| !has(&found, *at)).collect();
        if absent.len() < found.len() {
            for height in absent {
                found.push(self.client().block(height).await.map_err(failure)?.into_meta());
            }
        }
        let mut roots = lock(&self.results_roots);
        roots.extend(
            found
                .iter()
                .filter_map(|meta| Some((meta.header.height.previous()?, meta.header.last_results_hash.clone()))),
        );
        // The blocks of these headers are requested next.
        while roots.len() > ROOTS {
            roots.pop_front();
        }
        drop(roots);
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

    fn set_floors(&self, floors: &[PartFloor], probed: Option<Height>) {
        lock(&self.refusals).set_floors(floors, probed);
    }

    fn set_second(&self, second: Duration) {
        lock(&self.refusals).second = second;
    }

    async fn block(&self, header: NodeHeader) -> Result<NodeBlock, FeedError> {
        let height = header.height;
        for part in [BlockPart::Results, BlockPart::Receipts] {
            self.be_due(height, part)?;
        }
        let known = lock(&self.metas).get(&height).cloned();
        let known = known.filter(|meta| meta.block_id.block_hash() == Some(header.hash));
        let meta = match known {
            Some(meta) => meta,
            None => self.newest_meta(height).await?,
        };
        let has_receipts = self.client().vm() == Vm::Evm && self.has(NodeInterface::JsonRpc);
        let is_empty = meta.num_txs == 0;
        let (client, answers) = self.client().metered();
        let read_receipts = self.read_receipts(&client, &meta);
        let asked_receipts = async {
            if has_receipts && !is_empty {
                read_receipts.await
            } else {
                Ok((has_receipts.then(EvmReceipts::default), Vec::new()))
            }
        };
        let read = Box::pin(async { tokio::join!(self.read_block(&client, meta.clone()), asked_receipts) });
        let (block, receipts_read) = self.while_used(async |_| Ok(read.await)).await?;
        // What contradicted the header once may contradict it for ever: the next attempt begins with a new one.
        lock(&self.metas).remove(&height);
        let (block, (receipts, lost)) = (block?, receipts_read?);
        let mut undecoded = block.undecoded;
        undecoded.extend(lost);
        if let Some(receipts) = receipts.as_ref().filter(|receipts| !receipts.receipts.is_empty()) {
            let mut kept = lock(&self.receipts);
            let mut bare = receipts.clone();
            bare.receipts.iter_mut().for_each(|receipt| receipt.logs = Vec::new());
            kept.insert(height, bare);
            while kept.len() > KEPT {
                kept.pop_first();
            }
        }
        let ReadBlock { block, tx_hashes, is_bare, .. } = block;
        Ok(NodeBlock { block, receipts, undecoded, answers, tx_hashes, is_bare })
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
        let part = BlockPart::CallFrames;
        self.be_due(height, part)?;
        if let Some(cause) = self.refused_below(height, part) {
            return Ok(NodeTraces { undecoded: vec![refused(height, part, cause)], ..NodeTraces::default() });
        }
        let (client, answers) = self.client().metered();
        let found = self.while_used(async |_| self.read_traces(&client, height).await).await;
        let ((traces, mut undecoded), lost) = self.or_without(height, part, found)?;
        undecoded.extend(lost);
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
    /// Requests the current header of a block.
    async fn newest_meta(&self, height: Height) -> Result<BlockMeta, FeedError> {
        let found = self.client().headers(height, height).await.map_err(failure)?.pop();
        match found {
            Some(meta) => Ok(meta),
            // Some answers lack a header between others.
            None => Ok(self.client().block(height).await.map_err(failure)?.into_meta()),
        }
    }

    /// Requests and decodes a block with its results. What the node refuses or cannot be decoded is left out after some
    /// attempts.
    async fn read_block(&self, client: &NodeClient, meta: BlockMeta) -> Result<ReadBlock, FeedError> {
        let (height, part) = (meta.header.height, BlockPart::Results);
        if let Some(cause) = self.refused_below(height, part) {
            return self.bare(client, &meta, refused(height, part, cause)).await;
        }
        let is_last = lock(&self.refusals).count(height, part) + 1 >= DECODINGS;
        let read = match tokio::join!(client.answers(meta.clone(), is_last), self.proposers(&meta.header)) {
            (Ok(answers), _) if self.contradicts(&answers) => Err(FeedError::Refused(NodeRefusal {
                kind: RefusalKind::Contradicts,
                cause: "the node's results are not those that the next block's header has the hash of".to_owned(),
                again: Duration::ZERO,
            })),
            (Ok(answers), proposers) => committed_block(answers, &*proposers?, is_last).map_err(malformed),
            (Err(error), _) => Err(failure(error)),
        };
        let (read, lost) = self.or_without(height, part, read.map(Some))?;
        match (read, lost) {
            (Some((block, undecoded)), _) => Ok(ReadBlock { block, undecoded, tx_hashes: Vec::new(), is_bare: false }),
            (None, lost) => {
                let lost = lost.unwrap_or_else(|| refused(height, part, String::new()));
                self.bare(client, &meta, lost).await
            }
        }
    }

    /// Whether the results are not those of the block's transactions, by the next block's header. Of a block that is
    /// the newest, nothing is known yet.
    fn contradicts(&self, answers: &BlockAnswers) -> bool {
        let BlockAnswers { header, raw_txs, results, .. } = answers;
        let roots = lock(&self.results_roots);
        let Some((_, root)) = roots.iter().rev().find(|(height, _)| *height == header.height).cloned() else {
            return false;
        };
        drop(roots);
        let is_hash = |text: &str, hash: [u8; 32]| hex::decode(text).is_ok_and(|bytes| bytes == hash);
        let hashes: Vec<[u8; 32]> = raw_txs.iter().map(|raw| Sha256::digest(raw).into()).collect();
        // Without the transactions of the header, the results say nothing.
        if root.is_empty()
            || results.txs_results.len() != raw_txs.len()
            || !is_hash(&header.data_hash, data_hash(&hashes))
        {
            return false;
        }
        let data: Vec<Vec<u8>> =
            results.txs_results.iter().map(|one| BASE64_STANDARD.decode(&one.data).unwrap_or_default()).collect();
        let results = results.txs_results.iter().zip(&data).map(|(one, data)| TxResult {
            code: one.code,
            data,
            gas_wanted: one.gas_wanted,
            gas_used: one.gas_used,
        });
        !is_hash(&root, results_hash(results))
    }

    /// Returns a block without results: its header, and the hashes of its transactions if the node sends them.
    async fn bare(&self, client: &NodeClient, meta: &BlockMeta, lost: UndecodedPart) -> Result<ReadBlock, FeedError> {
        let hash = meta.block_id.block_hash().ok_or(FeedError::NotYet)?;
        let raw = match meta.num_txs {
            0 => Vec::new(),
            _ => client.raw_txs(meta.header.height, hash).await.unwrap_or_default(),
        };
        let block = bare_block(meta, hash, &*self.proposers(&meta.header).await?);
        let tx_hashes: Vec<_> = raw.iter().map(|raw| TxHash::new(Sha256::digest(raw).into())).collect();
        let tx_hashes = if tx_hashes.len() as u64 == block.missing_txs { tx_hashes } else { Vec::new() };
        Ok(ReadBlock { block, undecoded: vec![lost], tx_hashes, is_bare: true })
    }

    async fn read_receipts(
        &self,
        client: &NodeClient,
        meta: &BlockMeta,
    ) -> Result<(Option<EvmReceipts>, Vec<UndecodedPart>), FeedError> {
        let (height, part) = (meta.header.height, BlockPart::Receipts);
        if let Some(cause) = self.refused_below(height, part) {
            return Ok((Some(EvmReceipts::default()), vec![refused(height, part, cause)]));
        }
        let answers = client.receipts(meta).await;
        let read = answers.map_err(failure).and_then(|answers| receipts(height, &answers).map_err(malformed));
        let ((receipts, mut undecoded), lost) = self.or_without(height, part, read)?;
        undecoded.extend(lost);
        Ok((Some(receipts), undecoded))
    }

    /// Fails if a part may not be requested again yet.
    fn be_due(&self, height: Height, part: BlockPart) -> Result<(), FeedError> {
        let pause = lock(&self.refusals).pause(height, part, Instant::now());
        pause.map_or(Ok(()), |refusal| Err(FeedError::Refused(refusal)))
    }

    /// Returns the node's words if it refuses this part of all blocks up to this one.
    fn refused_below(&self, height: Height, part: BlockPart) -> Option<String> {
        lock(&self.refusals).floor_above(height, part).map(|floor| floor.cause.clone())
    }

    /// Notes the failed attempts to get a part of a block. After the last attempt, returns the default value and the
    /// description of the lost part.
    fn or_without<T: Default>(
        &self,
        height: Height,
        part: BlockPart,
        read: Result<T, FeedError>,
    ) -> Result<(T, Option<UndecodedPart>), FeedError> {
        let tip = self.tip.load(Ordering::Acquire);
        let (lack, cause) = match read {
            Ok(read) => {
                lock(&self.refusals).forget(height, part);
                return Ok((read, None));
            }
            Err(FeedError::Malformed(cause)) => (Lack::Malformed, cause),
            Err(FeedError::Refused(refusal)) => (Lack::Refused(refusal.kind), refusal.cause),
            // The node announced the block, so it has it.
            Err(FeedError::NotYet) if height.get() <= tip => (
                Lack::Refused(RefusalKind::Silent),
                format!("the node has the block, but does not send {}", part.words()),
            ),
            Err(error) => return Err(error),
        };
        let (depth, nodes) = (tip.saturating_sub(height.get()), self.nodes());
        let verdict = lock(&self.refusals).failed((height, part), (lack, &cause), depth, nodes, Instant::now());
        let reason = match (verdict, lack) {
            (Verdict::Ask(_), Lack::Malformed) => return Err(FeedError::Malformed(cause)),
            (Verdict::Ask(again), Lack::Refused(kind)) => {
                return Err(FeedError::Refused(NodeRefusal { kind, cause, again }));
            }
            (Verdict::Await(_), _) => LackReason::Waiting,
            (Verdict::LeaveOut, Lack::Malformed) => LackReason::Undecoded,
            (Verdict::LeaveOut, Lack::Refused(RefusalKind::Contradicts)) => LackReason::Contradicts,
            (Verdict::LeaveOut, _) => LackReason::Refused,
        };
        Ok((T::default(), Some(UndecodedPart { height, part, index: None, cause, reason })))
    }

    /// Returns the call frames of a block, and the transactions whose frames the node does not have.
    async fn read_traces(
        &self,
        client: &NodeClient,
        height: Height,
    ) -> Result<(EvmTraces, Vec<UndecodedPart>), FeedError> {
        let known = lock(&self.receipts).get(&height).cloned();
        let known = if let Some(known) = known {
            known
        } else {
            let meta = self.newest_meta(height).await?;
            receipts(height, &client.receipts(&meta).await.map_err(failure)?).map_err(malformed)?.0
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
            return Err(FeedError::NotYet);
        }
        let found = traces(height, &known, &answers).map_err(malformed)?;
        lock(&self.receipts).remove(&height);
        Ok(found)
    }
}

/// Block of the node's answers, and the parts that it lacks.
struct ReadBlock {
    block: CommittedBlock,
    undecoded: Vec<UndecodedPart>,
    tx_hashes: Vec<TxHash>,
    is_bare: bool,
}

/// Creates the description of a part that the node refuses.
fn refused(height: Height, part: BlockPart, cause: String) -> UndecodedPart {
    UndecodedPart { height, part, index: None, cause, reason: LackReason::Refused }
}

/// Returns a client whose requests the metrics count.
fn observed(client: &NodeClient, metrics: &NodeMetrics) -> NodeClient {
    client.observed(Arc::new(NodeRequests::new(client, metrics.clone())))
}

/// Converts the error of a failed request for the follower.
#[expect(clippy::needless_pass_by_value, reason = "errors are mapped by it")]
fn failure(error: NodeError) -> FeedError {
    let refused = |kind| FeedError::Refused(NodeRefusal { kind, cause: error.to_string(), again: Duration::ZERO });
    match &error {
        NodeError::AboveTip(_) | NodeError::NotYet(_) | NodeError::NoHeights { .. } => FeedError::NotYet,
        NodeError::Pruned(_) => FeedError::Pruned,
        NodeError::NoReceipts { .. } => refused(RefusalKind::Silent),
        NodeError::DiscardsResults => refused(RefusalKind::Discarded),
        NodeError::NoResults
        | NodeError::Changed(_)
        | NodeError::OtherHead(_)
        | NodeError::Cut { .. }
        | NodeError::Refused { .. } => refused(RefusalKind::Spoken),
        NodeError::Api(api) if matches!(api.kind, ErrorKind::RateLimited(_)) => {
            FeedError::Busy(error.pause().unwrap_or(Duration::from_secs(1)))
        }
        NodeError::Api(api) if matches!(api.kind, ErrorKind::BadShape { .. } | ErrorKind::TooLarge(_)) => {
            FeedError::Malformed(error.to_string())
        }
        _ if error.is_transient() => FeedError::Away(error.to_string()),
        _ if error.is_refusal() => refused(RefusalKind::Spoken),
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
