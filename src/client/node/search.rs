//! Search in the node's index of transactions, and the state of sent packets.

use std::{collections::HashSet, sync::Arc};

use serde::de::IgnoredAny;

use super::{NodeClient, NodeError, StateQuestion};
use crate::{
    domain::LocalPacket,
    wire::{
        ApiError,
        node::{GrpcError, SearchedTxs, TxSearchAnswer},
    },
};

impl NodeClient {
    /// Requests the newest transactions with an event that matches one of the queries: at most `most` per query, in the
    /// order of the queries. Fails on a node without an index of transactions.
    pub async fn find_txs(&self, queries: &[String], most: u16) -> Result<SearchedTxs, NodeError> {
        let mut found = SearchedTxs { txs: Vec::new(), is_whole: true };
        let mut seen = HashSet::new();
        for query in queries {
            let answer: TxSearchAnswer = self.state(&StateQuestion::txs(query, most), None).await?;
            found.is_whole &= answer.total.parse().is_ok_and(|total: usize| total <= answer.tx_responses.len());
            let new = answer.tx_responses.into_iter().filter(|tx| seen.insert(tx.txhash));
            found.txs.extend(new.map(Arc::new));
        }
        Ok(found)
    }

    /// Whether a packet that this chain sent is neither acknowledged nor timed out: until then the chain keeps its
    /// commitment.
    pub async fn is_packet_pending(&self, packet: &LocalPacket) -> Result<bool, NodeError> {
        match self.state::<IgnoredAny>(&StateQuestion::packet_commitment(packet), None).await {
            Err(NodeError::NoRecord) => Ok(false),
            Err(NodeError::Api(ApiError { body: Some(body), .. })) if is_not_found(&body) => Ok(false),
            answered => answered.map(|_| true),
        }
    }
}

fn is_not_found(body: &str) -> bool {
    GrpcError::read(body.as_bytes()).is_some_and(|error| error.code == GrpcError::NOT_FOUND)
}
