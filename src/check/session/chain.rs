//! Comparison of the chain's own lists within the checked blocks, and of the indexer's height.

use std::collections::BTreeSet;

use super::{CheckSession, blocks::BlockFacts};
use crate::{
    check::{CheckedPart, CheckedRecord, Findings, KnownWay, SideDifference},
    client::BlocksQuery,
    domain::{Height, TxHash},
    msg::{TxQuery, TxScope},
    wire::{ApiError, ErrorKind},
};

impl CheckSession {
    /// Compares the rows and the order of the lists of all blocks and all transactions.
    pub(super) async fn check_chain_lists(&self, facts: &[BlockFacts], findings: &mut Findings) {
        let heights: BTreeSet<Height> = facts.iter().map(|block| block.height).collect();
        let mut blocks: Vec<Height> = Vec::new();
        let read = self.rows_upwards(&BlocksQuery, heights.clone(), &mut blocks).await;
        let expected: Vec<Height> = heights.iter().copied().collect();
        match read {
            Ok(()) => compare_rows(CheckedRecord::AllBlocks, &expected, &blocks, findings),
            // A block that cannot be served fails each page of the list.
            Err(ApiError { kind: ErrorKind::Server { .. }, .. })
                if findings.known.contains_key(&KnownWay::ProposerGone) =>
            {
                findings.known(KnownWay::ProposerGone, CheckedRecord::AllBlocks);
            }
            Err(error) => {
                let cause = format!("the indexer: {error}");
                findings.not_asked(CheckedPart::Order, CheckedRecord::AllBlocks, cause);
            }
        }
        let mut txs: Vec<TxHash> = Vec::new();
        let all = TxQuery { scope: TxScope::All, msgs: Vec::new() };
        let with_txs = facts.iter().filter(|block| !block.txs.is_empty()).map(|block| block.height);
        let read = self.rows_upwards(&all, with_txs.collect(), &mut txs).await;
        let expected: Vec<TxHash> = facts.iter().flat_map(|block| &block.txs).map(|tx| tx.hash).collect();
        match read {
            Ok(()) => compare_rows(CheckedRecord::AllTxs, &expected, &txs, findings),
            Err(error) => {
                findings.not_asked(CheckedPart::Order, CheckedRecord::AllTxs, format!("the indexer: {error}"));
            }
        }
    }

    /// Compares the indexer's height with the node's newest block, which is read afterwards and so is no lower.
    pub(super) async fn check_height(&self, findings: &mut Findings) {
        let status = match self.indexer.status().await {
            Ok(status) => status,
            Err(error) => {
                let cause = format!("the indexer: {error}");
                return findings.not_asked(CheckedPart::Totals, CheckedRecord::Chain, cause);
            }
        };
        let mut tip = 0;
        for _ in 0..HEADS {
            match self.node.status().await {
                Ok(node) => tip = tip.max(node.sync_info.latest_block_height),
                Err(error) => {
                    let cause = format!("the node: {error}");
                    return findings.not_asked(CheckedPart::Totals, CheckedRecord::Chain, cause);
                }
            }
        }
        findings.compared(CheckedPart::Totals, 1);
        if status.height.get() > tip {
            let difference = SideDifference::value("status.height", tip, status.height.get());
            findings.differs(CheckedPart::Totals, CheckedRecord::Chain, difference);
        }
    }
}

/// Requests for the height of a node behind a load balancer, whose nodes may differ.
pub(super) const HEADS: usize = 3;

/// Compares the rows of a list, which are in ascending order.
fn compare_rows<N: Ord + ToString>(record: CheckedRecord, expected: &[N], found: &[N], findings: &mut Findings) {
    findings.compared(CheckedPart::Order, 1);
    let (wanted, listed) = (expected.iter().collect::<BTreeSet<_>>(), found.iter().collect::<BTreeSet<_>>());
    for name in wanted.difference(&listed) {
        let difference = SideDifference::Missing { node: name.to_string().into() };
        findings.differs(CheckedPart::Order, record.clone(), difference);
    }
    for name in listed.difference(&wanted) {
        let difference = SideDifference::Unfounded { indexer: name.to_string().into() };
        findings.differs(CheckedPart::Order, record.clone(), difference);
    }
    if wanted == listed && expected != found {
        let texts = |names: &[N]| names.iter().map(ToString::to_string).collect();
        let order = SideDifference::Order { field: String::new(), node: texts(expected), indexer: texts(found) };
        findings.differs(CheckedPart::Order, record, order);
    }
}
