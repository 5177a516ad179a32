//! Requests to both sides, block by block, and the comparison of their responses.

mod accounts;
mod average;
mod blocks;
mod chain;
mod collections;
mod holders;
mod listing;
mod nfts;
mod placed;
mod questions;
mod totals;

use std::{
    collections::BTreeSet,
    sync::atomic::{AtomicBool, Ordering},
    time::Instant,
};

use futures_util::{StreamExt as _, stream};

use self::{blocks::BlockFacts, chain::HEADS, nfts::SeenNfts, totals::ListSums};
use super::{BlockSelection, CheckedPart, CheckedRecord, Findings, KnownWay, SelectionError};
use crate::{
    client::{IndexerClient, NodeClient, NodeError, NodeInterface},
    domain::{Address, Height, Vm, text},
    indexer::node::ProposerTable,
    wire::{ApiError, Status},
};

/// Number of blocks whose accounts are compared together; limits memory.
const BATCH: usize = 50;

const BLOCKS_AT_ONCE: usize = 4;

/// Maximum concurrent requests for accounts, NFTs and holders.
const RECORDS_AT_ONCE: usize = 8;

/// Maximum attempts while both sides differ because the chain advances.
const TRIES: usize = 4;

/// Maximum accounts of checked blocks that the check searches in rich lists.
const TOUCHED: usize = 100;

/// Maximum width of a chain id in a sentence, in terminal columns.
const CHAIN: usize = 40;

/// Reason why the check cannot start.
#[derive(Debug, thiserror::Error)]
pub enum CheckError {
    /// The indexer does not report its height.
    #[error("the indexer: {0}")]
    Indexer(ApiError),
    /// The node does not report its height.
    #[error("the node: {0}")]
    Node(NodeError),
    #[error("the node serves {node}, the indexer serves {indexer}: give two addresses of one chain")]
    OtherChain { node: String, indexer: String },
    /// The node has no REST interface, which is the source of its transactions.
    #[error("the node's REST interface is missing; transactions need it: give --rest")]
    NoRest,
}

/// Part of a check that needs many requests, so that the user can skip it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SkippedPart {
    Accounts,
    /// Owners and URIs of NFTs, and records of collections.
    Nfts,
    Holders,
    /// Totals of the chain's lists.
    Totals,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckStep {
    Blocks(usize),
    /// Accounts of the blocks checked until now.
    Accounts,
    Nfts,
    Holders,
    /// Totals of the chain's lists.
    Totals,
}

/// Blocks that both sides have, and what goes with them.
struct CommonBlocks {
    /// Heights of the lowest and the highest common block.
    lowest: Height,
    highest: Height,
    /// Heights of the newest blocks of the node and of the indexer.
    node_tip: u64,
    indexer_tip: Height,
    /// Height of the indexer's lowest block, which its list of blocks tells.
    oldest_indexed: Result<Height, ApiError>,
    /// Highest block whose call frames the indexer has; 0 without call frames.
    traced: u64,
    proposers: ProposerTable,
    read_at: Instant,
}

impl CommonBlocks {
    async fn read(node: &NodeClient, indexer: &IndexerClient) -> Result<Self, CheckError> {
        let status: Status = indexer.status().await.map_err(CheckError::Indexer)?;
        if status.chain_id != node.chain_id() {
            let clip = |chain_id: &str| text::clip(chain_id, CHAIN);
            return Err(CheckError::OtherChain { node: clip(node.chain_id()), indexer: clip(&status.chain_id) });
        }
        let mut reached = node.status().await.map_err(CheckError::Node)?.sync_info;
        // Behind a load balancer, only the blocks of the lowest node are available from each.
        for _ in 1..HEADS {
            let other = node.status().await.map_err(CheckError::Node)?.sync_info;
            reached.latest_block_height = reached.latest_block_height.min(other.latest_block_height);
            reached.earliest_block_height = reached.earliest_block_height.max(other.earliest_block_height);
        }
        let (validators, validators_at) = node.validators().await.map_err(CheckError::Node)?;
        let oldest = indexer.oldest_block().await.map(|block| block.map_or(status.height, |block| block.height));
        let height = |height| Height::new(height).unwrap_or(Height::FIRST);
        Ok(Self {
            lowest: height(reached.earliest_block_height).max(*oldest.as_ref().unwrap_or(&Height::FIRST)),
            highest: status.height.min(height(reached.latest_block_height)),
            node_tip: reached.latest_block_height,
            indexer_tip: status.height,
            oldest_indexed: oldest,
            traced: status.internal_tx_height.unwrap_or(0),
            proposers: ProposerTable::new(validators, validators_at),
            read_at: Instant::now(),
        })
    }
}

/// Check of an indexer against a node of its chain.
pub struct CheckSession {
    node: NodeClient,
    indexer: IndexerClient,
    vm: Vm,
    common: CommonBlocks,
    /// Whether the node reported that it cannot trace.
    is_untraced: AtomicBool,
    /// Whether the order of keys in records counts.
    is_order_strict: bool,
}

impl CheckSession {
    /// Connects to both sides and reads their heights.
    pub async fn open(node: NodeClient, indexer: IndexerClient, is_order_strict: bool) -> Result<Self, CheckError> {
        if node.url(NodeInterface::Rest).is_none() {
            return Err(CheckError::NoRest);
        }
        let common = CommonBlocks::read(&node, &indexer).await?;
        let (vm, is_untraced) = (node.vm(), AtomicBool::new(false));
        Ok(Self { node, indexer, vm, common, is_untraced, is_order_strict })
    }

    /// Reads the heights of both sides again.
    pub async fn refresh(&mut self) -> Result<(), CheckError> {
        self.common = CommonBlocks::read(&self.node, &self.indexer).await?;
        Ok(())
    }

    /// Returns the height of the node's newest block, as of the last refresh.
    pub fn node_tip(&self) -> u64 {
        self.common.node_tip
    }

    /// Returns the selected heights among the common blocks. The newest of these blocks are fully indexed.
    pub fn heights(&self, selection: BlockSelection) -> Result<Vec<Height>, SelectionError> {
        let CommonBlocks { lowest, highest, traced, .. } = self.common;
        let is_newest = matches!(selection, BlockSelection::Newest(_) | BlockSelection::Above(_));
        let traced = Height::new(traced).filter(|_| is_newest);
        selection.heights(lowest, traced.map_or(highest, |traced| highest.min(traced.max(lowest))))
    }

    /// Checks these blocks and their contents, then rich lists and totals. Passes the findings of each step to the
    /// caller.
    pub async fn run<E>(
        &self,
        heights: &[Height],
        skipped: &[SkippedPart],
        mut tell: impl FnMut(CheckStep, &mut Findings) -> Result<(), E>,
    ) -> Result<Findings, E> {
        let mut findings = Findings::default();
        self.check_height(&mut findings).await;
        let (mut done, mut touched, mut sums) = (0, BTreeSet::new(), ListSums::default());
        let mut nfts = SeenNfts::default();
        for batch in heights.chunks(BATCH) {
            let mut facts: Vec<BlockFacts> = Vec::with_capacity(batch.len());
            let mut blocks = stream::iter(batch).map(|height| self.check_block(*height)).buffered(BLOCKS_AT_ONCE);
            while let Some((found, block)) = blocks.next().await {
                done += 1;
                findings.take(found);
                sums.add_types(block.as_ref().and_then(|block| block.types.as_ref()));
                facts.extend(block);
                tell(CheckStep::Blocks(done), &mut findings)?;
            }
            self.check_chain_lists(&facts, &mut findings).await;
            if !skipped.contains(&SkippedPart::Accounts) {
                let (found, lists) = self.check_accounts(&facts).await;
                findings.take(found);
                findings.take(self.check_evm_lists(&facts).await);
                sums.add_accounts(lists.filter(|_| facts.len() == batch.len()));
                tell(CheckStep::Accounts, &mut findings)?;
            }
            for block in &facts {
                nfts.add(self.vm, block);
            }
            touched.extend(self.accounts_of(&facts).take(TOUCHED - touched.len().min(TOUCHED)));
        }
        if !skipped.contains(&SkippedPart::Nfts) {
            let (found, collections) = self.check_nfts(nfts).await;
            findings.take(found);
            findings.take(self.check_collections(&collections).await);
            tell(CheckStep::Nfts, &mut findings)?;
        }
        if !skipped.contains(&SkippedPart::Holders) {
            findings.take(self.check_holders(&touched).await);
            tell(CheckStep::Holders, &mut findings)?;
        }
        if !skipped.contains(&SkippedPart::Totals) {
            let has_accounts = !skipped.contains(&SkippedPart::Accounts);
            findings.take(self.check_totals(sums, heights.len(), has_accounts).await);
            tell(CheckStep::Totals, &mut findings)?;
        }
        Ok(findings)
    }

    /// Whether a block is the indexer's lowest, as far as known.
    fn may_be_oldest(&self, height: Height) -> bool {
        self.common.oldest_indexed.as_ref().map_or(true, |oldest| *oldest == height)
    }

    /// Whether the node serves receipts and call frames.
    fn is_ethereum(&self) -> bool {
        self.vm == Vm::Evm && self.node.url(NodeInterface::JsonRpc).is_some()
    }

    fn is_traced(&self) -> bool {
        self.is_ethereum() && self.common.traced > 0 && !self.is_untraced.load(Ordering::Acquire)
    }

    /// Returns the accounts in these blocks. The bank of an EVM keeps a long address's coins under its last 20 bytes.
    fn accounts_of(&self, facts: &[BlockFacts]) -> impl Iterator<Item = Address> {
        let is_evm = self.vm == Vm::Evm;
        let accounts = facts.iter().flat_map(|block| &block.txs).flat_map(|tx| tx.accounts.keys().copied());
        accounts.map(move |account| match account {
            Address::Long(bytes) if is_evm => {
                bytes.last_chunk().map_or(account, |short: &[u8; 20]| Address::Short(*short))
            }
            account => account,
        })
    }

    /// Returns what can be compared in no block.
    pub fn missing(&self) -> Findings {
        let mut findings = Findings::default();
        if let Err(error) = &self.common.oldest_indexed {
            let cause = format!("the indexer: {error}; its lowest block is unknown");
            findings.not_asked(CheckedPart::Blocks, CheckedRecord::AllBlocks, cause);
        }
        if self.vm != Vm::Evm {
            return findings;
        }
        if !self.is_ethereum() {
            let cause = "the node's JSON-RPC is missing: give --json-rpc";
            findings.not_asked(CheckedPart::Receipts, CheckedRecord::Chain, cause);
            findings.not_asked(CheckedPart::Calls, CheckedRecord::Chain, cause);
        } else if self.common.traced == 0 {
            findings.known(KnownWay::NoCalls, CheckedRecord::Chain);
        }
        findings
    }
}
