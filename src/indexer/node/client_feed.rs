//! Node feed that uses a node client.

mod fallback;
mod proofs;
mod refusals;
mod state;

pub use fallback::{NodeFallback, UnfitNode, prove_held};

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::Duration,
};

use tokio::time::Instant;

use self::{
    proofs::{ProofVerdict, ResultsProofs},
    refusals::{DECODINGS, Lack, Refusals, Verdict},
};
use super::{
    ProposerTable, committed_block, consensus_address,
    feed::{
        AccountsPage, FeedError, HeldChain, LONGEST_PAUSE, NodeBlock, NodeChange, NodeFeed, NodeHead, NodeHeader,
        NodeRefusal, NodeTraces, RefusalKind,
    },
    receipts,
    record::bare_block,
    requests::NodeRequests,
    traces,
};
use crate::{
    client::{NodeClient, NodeError, NodeInterface},
    domain::{Address, BlockHash, Denom, Height, TxHash, Vm},
    indexer::{
        http::{ChainMetrics, NodeMetrics},
        index::{AccountBalances, DueBalances, UnknownNft},
        source::{CommittedBlock, EvmReceipt, EvmReceipts, EvmTraces, NftCollection, OwnedNft},
    },
    wire::{
        BlockPart, ErrorKind, LackReason, PartFloor, UndecodedPart, mirrored_hash,
        node::{BlockAnswers, BlockHeader, BlockMeta},
        proto,
    },
};

/// Maximum cached headers and receipts for later requests.
const KEPT: usize = 5_000;

/// Sender of receipts of transactions that no Ethereum wallet signed.
const NOBODY: [u8; 20] = [0; 20];

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
    proofs: Mutex<ResultsProofs>,
    /// Whether receipts of the node had the hashes that Cosmos transactions give them.
    is_mirrored: AtomicBool,
    /// Whether a block had other transactions than its header; it is logged once.
    has_other_txs: AtomicBool,
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
            proofs: Mutex::default(),
            is_mirrored: AtomicBool::new(false),
            has_other_txs: AtomicBool::new(false),
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
        lock(&self.proofs).take_headers(&found);
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
        let asked_receipts = async { if has_receipts && !is_empty { Some(read_receipts.await) } else { None } };
        let read = Box::pin(async { tokio::join!(self.read_block(&client, meta.clone()), asked_receipts) });
        let (block, receipts_read) = self.while_used(async |_| Ok(read.await)).await?;
        // What contradicted the header once may contradict it for ever: the next attempt begins with a new one.
        lock(&self.metas).remove(&height);
        let receipts_read = receipts_read.map(|read| {
            let read = match (read, &block) {
                (Ok(Some((receipts, _))), Ok(block)) if !self.are_of(&receipts, block) => {
                    Err(failure(NodeError::OtherHead(height)))
                }
                (read, _) => read,
            };
            self.without_receipts(height, read)
        });
        let (block, receipts_read) = (block?, receipts_read.transpose()?);
        let (receipts, lost) = match receipts_read {
            Some((receipts, lost)) => (Some(receipts), lost),
            None => (has_receipts.then(EvmReceipts::default), Vec::new()),
        };
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

    fn take_unproven(&self, height: Height, hash: BlockHash, results: [u8; 32]) {
        lock(&self.proofs).take_unproven(height, hash, results);
    }

    fn is_refuted(&self, height: Height, hash: BlockHash) -> bool {
        lock(&self.proofs).is_refuted(height, hash)
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
    /// Whether receipts may be those of the block's transactions: the sender of each signed one, or its Cosmos hash,
    /// made the receipt's.
    fn are_of(&self, receipts: &EvmReceipts, read: &ReadBlock) -> bool {
        let known = read.block.txs.iter().map(|tx| tx.hash).chain(read.tx_hashes.iter().copied());
        let mirrored: BTreeSet<[u8; 32]> = known.map(|hash| *mirrored_hash(hash).bytes()).collect();
        // Of a block without transactions that are known, nothing tells.
        if mirrored.is_empty() {
            return true;
        }
        let is_mirrored = |receipt: &&EvmReceipt| mirrored.contains(&receipt.hash);
        if receipts.receipts.iter().any(|receipt| is_mirrored(&receipt)) {
            self.is_mirrored.store(true, Ordering::Release);
        }
        let signers: Option<BTreeSet<Address>> = read.block.txs.iter().map(|tx| tx.signer).collect();
        let is_own = |receipt: &EvmReceipt| match receipt.from {
            NOBODY => is_mirrored(&receipt) || !self.is_mirrored.load(Ordering::Acquire),
            // The keys of some wallets are unknown, and a block without results has no signers.
            from => signers.as_ref().is_none_or(|all| read.is_bare || all.contains(&Address::Short(from))),
        };
        receipts.receipts.iter().all(is_own)
    }

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
        self.learn_root(&meta).await;
        let is_last = lock(&self.refusals).count(height, part) + 1 >= DECODINGS;
        let (answers, proposers) = tokio::join!(client.answers(meta.clone(), is_last), self.proposers(&meta.header));
        let read = match self.proven(&meta, answers.map_err(failure)).await {
            Ok(answers) => committed_block(answers, &*proposers?, is_last).map_err(malformed),
            Err(error) => Err(error),
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

    /// Requests the next block's header, if there is one, unless it is known: it has the root of this block's results.
    async fn learn_root(&self, meta: &BlockMeta) {
        let next = meta.header.height.next();
        let is_needed = meta.num_txs > 0 && next.get() <= self.tip.load(Ordering::Acquire);
        if is_needed && !lock(&self.proofs).knows(meta) {
            // Without the header the results are taken unproven, as those of the newest block.
            let found = self.client().headers(next, next).await.unwrap_or_default();
            lock(&self.proofs).take_headers(&found);
        }
    }

    /// Holds a node's answers against the chain's headers. What contradicts them is requested from the other nodes: the
    /// headers prove their answers.
    async fn proven(
        &self,
        meta: &BlockMeta,
        answers: Result<BlockAnswers, FeedError>,
    ) -> Result<BlockAnswers, FeedError> {
        let answers = answers?;
        let verdict = lock(&self.proofs).verdict(&answers);
        if matches!(verdict, ProofVerdict::Fits | ProofVerdict::Unknown) {
            return Ok(answers);
        }
        if let Some(proven) = self.answers_of_others(meta).await {
            return Ok(proven);
        }
        if verdict == ProofVerdict::OtherTxs {
            // Archives take bytes out of transactions. Nothing tells what they and the results would have been.
            if !self.has_other_txs.swap(true, Ordering::AcqRel) {
                let height = meta.header.height.get();
                tracing::warn!(height, "the transactions of blocks are not those that their headers have the hash of");
            }
            return Ok(answers);
        }
        let cause = "the node's results are not those that the next block's header has the hash of".to_owned();
        Err(FeedError::Refused(NodeRefusal { kind: RefusalKind::Contradicts, cause, again: Duration::ZERO }))
    }

    /// Returns a block without results: its header, and the hashes of its transactions if the node sends them.
    async fn bare(&self, client: &NodeClient, meta: &BlockMeta, lost: UndecodedPart) -> Result<ReadBlock, FeedError> {
        let hash = meta.block_id.block_hash().ok_or(FeedError::NotYet)?;
        let raw = match meta.num_txs {
            0 => Vec::new(),
            _ => client.raw_txs(meta.header.height, hash).await.unwrap_or_default(),
        };
        let block = bare_block(meta, hash, &*self.proposers(&meta.header).await?);
        let tx_hashes: Vec<_> = raw.iter().map(|raw| proto::tx_hash(raw)).collect();
        let tx_hashes = if tx_hashes.len() as u64 == block.missing_txs { tx_hashes } else { Vec::new() };
        Ok(ReadBlock { block, undecoded: vec![lost], tx_hashes, is_bare: true })
    }

    /// Requests the receipts of a block; `None` below their floor.
    async fn read_receipts(&self, client: &NodeClient, meta: &BlockMeta) -> Result<Option<TakenReceipts>, FeedError> {
        let height = meta.header.height;
        if self.refused_below(height, BlockPart::Receipts).is_some() {
            return Ok(None);
        }
        let answers = client.receipts(meta).await.map_err(failure)?;
        receipts(height, &answers).map(Some).map_err(malformed)
    }

    /// Notes the failed attempts to get the receipts of a block; returns the receipts with what they lack.
    fn without_receipts(
        &self,
        height: Height,
        read: Result<Option<TakenReceipts>, FeedError>,
    ) -> Result<TakenReceipts, FeedError> {
        let part = BlockPart::Receipts;
        if let Some(cause) = self.refused_below(height, part).filter(|_| matches!(read, Ok(None))) {
            return Ok((EvmReceipts::default(), vec![refused(height, part, cause)]));
        }
        let (found, lost) = self.or_without(height, part, read)?;
        let (receipts, mut undecoded) = found.unwrap_or_default();
        undecoded.extend(lost);
        Ok((receipts, undecoded))
    }

    /// Fails if a part may not be requested again yet.
    fn be_due(&self, height: Height, part: BlockPart) -> Result<(), FeedError> {
        let pause = lock(&self.refusals).pause(height, part, Instant::now());
        pause.map_or(Ok(()), |refusal| Err(FeedError::Refused(refusal)))
    }

    /// Returns the node's words if it refuses this part of all blocks up to this one.
    fn refused_below(&self, height: Height, part: BlockPart) -> Option<String> {
        lock(&self.refusals).floor_above(height, part).map(|floor| floor.cause.as_received().to_owned())
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
        Ok((T::default(), Some(UndecodedPart { height, part, index: None, cause: cause.into(), reason })))
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
        let hash = known.head_hash();
        let mut answers = client.traces(height, hash).await.map_err(failure)?;
        let is_silent = |answers: &Option<Vec<_>>| answers.as_ref().is_some_and(Vec::is_empty);
        if is_silent(&answers) && !known.receipts.is_empty() {
            answers = client.traces(height, hash).await.map_err(failure)?;
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

/// Receipts of a block, and those that they lack.
type TakenReceipts = (EvmReceipts, Vec<UndecodedPart>);

/// Block of the node's answers, and the parts that it lacks.
struct ReadBlock {
    block: CommittedBlock,
    undecoded: Vec<UndecodedPart>,
    tx_hashes: Vec<TxHash>,
    is_bare: bool,
}

/// Creates the description of a part that the node refuses.
fn refused(height: Height, part: BlockPart, cause: String) -> UndecodedPart {
    UndecodedPart { height, part, index: None, cause: cause.into(), reason: LackReason::Refused }
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
            FeedError::Busy(error.pause().unwrap_or(Duration::from_secs(1)).min(LONGEST_PAUSE))
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
