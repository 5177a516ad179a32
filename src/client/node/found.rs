//! Answers that the search for a node got for the follower's first requests, so that the first rows need fewer round
//! trips.

use std::{collections::BTreeMap, time::Duration};

use futures_util::{StreamExt as _, stream::FuturesUnordered};
use tokio::time::Instant;

use super::NodeClient;
use crate::{
    client::AnswerMeter,
    domain::Height,
    wire::node::{BlockMeta, BlockResultsAnswer, NodeStatusAnswer, RpcBlockAnswer},
};

/// Maximum age of an answer.
const FRESH: Duration = Duration::from_secs(3);

/// Maximum bytes of a block that is requested before the follower wants it.
const SMALL: u64 = 1 << 20;

/// Answers until their first use; empty once the node is asked for its status again.
#[derive(Default)]
pub(super) struct FoundAnswers {
    at: Option<Instant>,
    status: Option<NodeStatusAnswer>,
    headers: Vec<BlockMeta>,
    blocks: BTreeMap<Height, RpcBlockAnswer>,
    results: BTreeMap<Height, BlockResultsAnswer>,
}

impl FoundAnswers {
    /// Creates the answers with the status of this time.
    pub(super) fn new(at: Instant, status: NodeStatusAnswer) -> Self {
        Self { at: Some(at), status: Some(status), ..Self::default() }
    }

    /// Drops answers that are too old.
    fn refresh(&mut self) {
        if self.at.is_none_or(|at| at.elapsed() >= FRESH) {
            *self = Self::default();
        }
    }

    pub(super) fn take_status(&mut self) -> Option<NodeStatusAnswer> {
        self.refresh();
        let status = self.status.take();
        if status.is_none() {
            *self = Self::default();
        }
        status
    }

    /// Returns the headers of a range, if all were found.
    pub(super) fn headers(&mut self, from: Height, last: u64) -> Option<Vec<BlockMeta>> {
        self.refresh();
        let is_wanted = |meta: &&BlockMeta| (from.get()..=last).contains(&meta.header.height.get());
        let found: Vec<BlockMeta> = self.headers.iter().filter(is_wanted).cloned().collect();
        (!found.is_empty() && found.len() as u64 == (last + 1).saturating_sub(from.get())).then_some(found)
    }

    pub(super) fn take_block(&mut self, height: Height) -> Option<RpcBlockAnswer> {
        self.refresh();
        self.blocks.remove(&height)
    }

    pub(super) fn take_results(&mut self, height: Height) -> Option<BlockResultsAnswer> {
        self.refresh();
        self.results.remove(&height)
    }
}

impl NodeClient {
    /// Requests the newest headers and small blocks, and keeps what comes. Cancelling keeps what came.
    pub(super) async fn read_newest(&self, status: &NodeStatusAnswer, count: u64) {
        let tip = Height::new(status.sync_info.latest_block_height);
        let Some(tip) = tip.filter(|_| count > 0) else { return };
        let oldest = Height::new(status.sync_info.earliest_block_height).unwrap_or(Height::FIRST);
        let Ok(headers) = self.headers(tip.back(Self::HEADERS_AT_ONCE - 1).max(oldest), tip).await else { return };
        let is_wanted = |meta: &&BlockMeta| {
            meta.header.height > tip.back(count) && u64::try_from(meta.block_size).is_ok_and(|size| size < SMALL)
        };
        let mut asked: FuturesUnordered<_> = headers
            .iter()
            .filter(is_wanted)
            .map(|meta| {
                let (height, has_txs) = (meta.header.height, meta.num_txs > 0);
                // Nobody writes these yet, so large ones are given up.
                let (client, _) = self.with_meter(AnswerMeter::default());
                async move {
                    let block = async { if has_txs { client.block(height).await.ok() } else { None } };
                    (height, tokio::join!(block, client.results(height)))
                }
            })
            .collect();
        self.found().headers.clone_from(&headers);
        while let Some((height, (block, results))) = asked.next().await {
            let mut found = self.found();
            found.blocks.extend(block.map(|block| (height, block)));
            found.results.extend(results.ok().map(|results| (height, results)));
        }
    }
}
