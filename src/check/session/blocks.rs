//! Comparison of one block: its records, and the filter by message type.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::atomic::Ordering,
};

use futures_util::{StreamExt as _, stream};
use serde_json::Value;

use super::{CheckSession, RECORDS_AT_ONCE, listing, placed::PlacedRow as _};
use crate::{
    check::{
        CheckedPart, CheckedRecord, Findings, IndexerSide, KnownWay, NodeSide, RecordRules, SideDifference,
        compare_records, types_of,
    },
    client::{NodeError, endpoints},
    domain::{Address, EvmTxHash, Height, MsgType, TxHash},
    indexer::{
        index::{AccountRole, NftStep, account_roles, call_records, nft_steps, receipt_accounts, used_stores},
        node::{committed_block, receipts, traces},
        source::CommittedBlock,
    },
    msg::{EvmTxScope, InternalTxScope, Order, PageRequest, PageStart, TxQuery, TxScope},
    wire::{ApiError, ErrorKind, Tx},
};

/// Facts of a block for the parts of the check that span several blocks.
pub(super) struct BlockFacts {
    pub(super) height: Height,
    pub(super) txs: Vec<CheckedTx>,
    /// Effects on NFTs in order, each with its transaction.
    pub(super) nfts: Vec<(NftStep, Option<TxHash>)>,
    /// Receipts and all accounts in each; `None` if they were not compared.
    pub(super) receipts: Option<BTreeSet<(EvmTxHash, Address)>>,
    /// Names of call frames, with caller and callee of each; `None` if they were not compared.
    pub(super) calls: Option<BTreeSet<(String, Address)>>,
    /// Transactions that the indexer lists by type; `None` if the requests failed.
    pub(super) types: Option<BTreeMap<MsgType, BTreeSet<TxHash>>>,
}

pub(super) struct CheckedTx {
    pub(super) hash: TxHash,
    pub(super) accounts: BTreeMap<Address, AccountRole>,
    /// Move stores whose coins the transaction moved, each with the metadata object of its asset.
    pub(super) stores: BTreeSet<(Address, Address)>,
}

enum SideFailure {
    Sentence(String),
    /// The proposer left the validator set, so the indexer fails on the block.
    ProposerGone,
}

impl From<NodeError> for SideFailure {
    fn from(error: NodeError) -> Self {
        Self::Sentence(format!("the node: {error}"))
    }
}

impl From<ApiError> for SideFailure {
    fn from(error: ApiError) -> Self {
        Self::Sentence(format!("the indexer: {error}"))
    }
}

impl CheckSession {
    /// Compares a block; also returns its facts, if the node has the block.
    pub(super) async fn check_block(&self, height: Height) -> (Findings, Option<BlockFacts>) {
        let mut findings = Findings::default();
        let node = match self.node_side(height, &mut findings).await {
            Ok(node) => node,
            Err(absent) => {
                findings.not_asked(CheckedPart::Blocks, CheckedRecord::Block(height), absent.words());
                return (findings, None);
            }
        };
        let is_known =
            node.block.proposer.consensus_address.is_some_and(|address| self.common.proposers.has_operator(address));
        match self.indexer_side(&node, is_known).await {
            Ok(indexer) if indexer.block.is_none() && self.common.oldest_indexed.is_err() => {
                let cause = "the indexer lacks the block, which may be older than its lowest";
                findings.not_asked(CheckedPart::Blocks, CheckedRecord::Block(height), cause);
            }
            Ok(indexer) => {
                let rules = RecordRules {
                    vm: self.vm,
                    chain_id: self.node.chain_id(),
                    is_oldest: self.may_be_oldest(height),
                    is_order_strict: self.is_order_strict,
                };
                findings.take(compare_records(rules, &node, &indexer));
            }
            Err(SideFailure::ProposerGone) => findings.known(KnownWay::ProposerGone, CheckedRecord::Block(height)),
            Err(absent) => findings.not_asked(CheckedPart::Blocks, CheckedRecord::Block(height), absent.words()),
        }
        let types = self.check_types(&node.block, &mut findings).await;
        let txs = node.block.txs.iter().map(|tx| CheckedTx {
            hash: tx.hash,
            accounts: account_roles(tx),
            stores: used_stores(tx),
        });
        let nfts = nft_steps(self.vm, &node.block);
        let (receipts, calls) = (receipt_members(&node), call_members(&node));
        (findings, Some(BlockFacts { height, txs: txs.collect(), nfts, receipts, calls, types }))
    }

    async fn node_side(&self, height: Height, findings: &mut Findings) -> Result<NodeSide, SideFailure> {
        let said = |error: &dyn std::fmt::Display| SideFailure::Sentence(format!("the node: {error}"));
        let lowest = height.previous().unwrap_or(height);
        let mut metas = self.node.headers(lowest, height).await?;
        let meta = metas.pop().filter(|meta| meta.header.height == height);
        let meta = meta.ok_or_else(|| SideFailure::Sentence("the node sent no header".to_owned()))?;
        let previous = metas.pop().map(|meta| meta.header.time);
        let answers = self.node.answers(meta.clone(), false).await?;
        let has_nul =
            |tx: &Option<crate::wire::node::NodeTx>| tx.as_ref().is_some_and(|tx| tx.body.get().contains("\\u0000"));
        let with_nul = answers.txs.iter().map(has_nul).collect();
        let (block, undecoded) =
            committed_block(answers, &self.common.proposers, false).map_err(|error| said(&error))?;
        if let Some(part) = undecoded.first() {
            return Err(said(&part.cause.clipped(160)));
        }
        let mut side = NodeSide { block, previous, with_nul, receipts: None, traces: None };
        if !self.is_ethereum() || side.block.txs.is_empty() {
            return Ok(side);
        }
        let (found, undecoded) = receipts(height, &self.node.receipts(&meta).await?).map_err(|error| said(&error))?;
        if let Some(part) = undecoded.first() {
            return Err(said(&part.cause.clipped(160)));
        }
        if self.is_traced() {
            if height.get() > self.common.traced {
                let cause = format!("the indexer has call frames up to block {}", self.common.traced);
                findings.not_asked(CheckedPart::Calls, CheckedRecord::CallsOf(height), cause);
            } else if let Some(answers) = self.node.traces(height, found.head_hash()).await? {
                side.traces = Some(traces(height, &found, &answers).map_err(|error| said(&error))?.0);
            } else if !self.is_untraced.swap(true, Ordering::AcqRel) {
                findings.not_asked(CheckedPart::Calls, CheckedRecord::Chain, "the node does not trace calls");
            }
        }
        side.receipts = Some(found);
        Ok(side)
    }

    async fn indexer_side(&self, node: &NodeSide, is_proposer_known: bool) -> Result<IndexerSide, SideFailure> {
        let height = node.block.height;
        let block = match self.indexer.one_and_body(endpoints::block(height)).await {
            Ok((_, body)) => Some(field(&body, "block")),
            Err(error) if error.is_not_found() => None,
            Err(error) if !is_proposer_known && matches!(error.kind, ErrorKind::Server { .. }) => {
                return Err(SideFailure::ProposerGone);
            }
            Err(error) => return Err(error.into()),
        };
        let mut side = IndexerSide { block, ..IndexerSide::default() };
        let query = TxQuery { scope: TxScope::Height(height), msgs: Vec::new() };
        side.txs = listing::whole(&self.indexer, &query).await?;
        let newest =
            self.indexer.list(&query, &PageRequest { count_total: false, ..PageRequest::newest(1_000) }).await?;
        let hashes = newest.items.iter().map(|tx| tx.txhash.to_string());
        side.newest_first = if node.block.txs.len() > 1_000 {
            node.block.txs.iter().rev().map(|tx| tx.hash.to_string()).collect()
        } else {
            hashes.collect()
        };
        let asked = stream::iter(&node.block.txs).map(|tx| async {
            let hash = tx.hash.to_string();
            match self.indexer.one_and_body(endpoints::tx(tx.hash)).await {
                Ok((_, body)) => Ok((hash, Some(field(&body, "tx")))),
                Err(error) if error.is_not_found() => Ok((hash, None)),
                Err(error) => Err(SideFailure::from(error)),
            }
        });
        let asked: Vec<Result<_, SideFailure>> = asked.buffered(RECORDS_AT_ONCE).collect().await;
        side.by_hash = asked.into_iter().collect::<Result<_, _>>()?;
        if node.receipts.is_some() {
            side.receipts = Some(listing::whole(&self.indexer, &EvmTxScope::Height(height)).await?);
        }
        if node.traces.is_some() {
            side.calls = Some(listing::whole(&self.indexer, &InternalTxScope::Height(height)).await?);
        }
        Ok(side)
    }

    /// Requests the block's transactions of each type and compares them. Returns the correct transactions, including
    /// those that the indexer lacks.
    async fn check_types(
        &self,
        block: &CommittedBlock,
        findings: &mut Findings,
    ) -> Option<BTreeMap<MsgType, BTreeSet<TxHash>>> {
        let mut listed = Some(BTreeMap::<MsgType, BTreeSet<TxHash>>::new());
        let types: Vec<(BTreeSet<MsgType>, BTreeSet<MsgType>)> = block.txs.iter().map(types_of).collect();
        let asked: BTreeSet<&MsgType> = types.iter().flat_map(|(outer, inner)| outer.iter().chain(inner)).collect();
        for kind in asked {
            let record = CheckedRecord::TxsOf(block.height);
            let query = TxQuery { scope: TxScope::Height(block.height), msgs: vec![kind.clone()] };
            let page =
                PageRequest { cursor: PageStart::Start, limit: 1_000, order: Order::Ascending, count_total: false };
            // As received: what a workaround filters says nothing about the indexer's filter.
            let found = match self.indexer.page::<_, Tx>(&query, &page).await {
                Ok(found) => found,
                Err(_) if self.indexer.list(&query, &page).await.is_ok() => {
                    findings.known(KnownWay::FilterIgnored, record);
                    listed = None;
                    continue;
                }
                Err(error) => {
                    findings.not_asked(CheckedPart::MessageTypes, record, format!("the indexer: {error}"));
                    listed = None;
                    continue;
                }
            };
            findings.compared(CheckedPart::MessageTypes, 1);
            let found: BTreeSet<TxHash> = found.items.iter().map(|tx| tx.txhash).collect();
            // Only all rows of the block prove that nothing was filtered; a row too many is a fault of the filter.
            let is_unfiltered = types.iter().any(|(outer, inner)| !outer.contains(kind) && !inner.contains(kind))
                && block.txs.iter().all(|tx| found.contains(&tx.hash));
            if is_unfiltered {
                findings.known(KnownWay::FilterIgnored, record);
                listed = None;
                continue;
            }
            for hash in found.iter().filter(|hash| block.txs.iter().all(|tx| tx.hash != **hash)) {
                let difference = SideDifference::Unfounded { indexer: hash.to_string().into() };
                findings.differs(CheckedPart::MessageTypes, record.clone(), difference);
            }
            for (tx, (outer, inner)) in block.txs.iter().zip(&types) {
                let (is_outer, is_inner) = (outer.contains(kind), inner.contains(kind));
                if let Some(listed) = listed.as_mut().filter(|_| is_outer || is_inner && found.contains(&tx.hash)) {
                    listed.entry(kind.clone()).or_default().insert(tx.hash);
                }
                match found.contains(&tx.hash) {
                    true if !is_outer && !is_inner => {
                        let difference = SideDifference::Unfounded { indexer: kind.as_str().into() };
                        findings.differs(CheckedPart::MessageTypes, CheckedRecord::Tx(tx.hash), difference);
                    }
                    false if is_outer => {
                        let difference = SideDifference::Missing { node: kind.as_str().into() };
                        findings.differs(CheckedPart::MessageTypes, CheckedRecord::Tx(tx.hash), difference);
                    }
                    false if is_inner => findings.known(KnownWay::InnerMessage, CheckedRecord::Tx(tx.hash)),
                    _ => {}
                }
            }
        }
        listed
    }
}

impl SideFailure {
    fn words(&self) -> &str {
        match self {
            Self::Sentence(words) => words,
            Self::ProposerGone => KnownWay::ProposerGone.sentence(),
        }
    }
}

fn receipt_members(node: &NodeSide) -> Option<BTreeSet<(EvmTxHash, Address)>> {
    let mut members = BTreeSet::new();
    for receipt in &node.receipts.as_ref()?.receipts {
        let hash = EvmTxHash::new(receipt.hash);
        members.extend(receipt_accounts(receipt).into_iter().map(|account| (hash, account)));
    }
    Some(members)
}

fn call_members(node: &NodeSide) -> Option<BTreeSet<(String, Address)>> {
    let mut members = BTreeSet::new();
    for call in call_records(node.block.height, node.receipts.as_ref()?, node.traces.as_ref()?) {
        let accounts = [&call.from, &call.to].into_iter().filter_map(|text| text.parse().ok());
        members.extend(accounts.map(|account| (call.name(), account)));
    }
    Some(members)
}

/// Returns a field of a response; null if missing.
fn field(body: &[u8], name: &str) -> Value {
    let mut answer: Value = serde_json::from_slice(body).unwrap_or_default();
    answer.get_mut(name).map(Value::take).unwrap_or_default()
}
