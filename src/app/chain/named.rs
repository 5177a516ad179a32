//! Mismatch between the network's chain and the server's. The session then shows no data.

use super::Chain;
use crate::{
    config::Network,
    domain::{ChainId, Timestamp, text},
    wire,
};

/// Maximum columns of a chain ID in a sentence.
const NAME: usize = 40;

/// Chain that the network names, and chain that the server reports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ChainMismatch {
    pub(crate) named: ChainId,
    pub(crate) answering: ChainId,
}

impl ChainMismatch {
    /// Returns the mismatch between the network and a status; `None` if the chains match.
    pub(super) fn of(network: &Network, status: &wire::Status) -> Option<Self> {
        let named = network.chain_id.as_deref().filter(|named| *named != status.chain_id)?;
        Some(Self { named: ChainId::new(named), answering: ChainId::new(status.chain_id.as_str()) })
    }

    /// Explains the mismatch; names the network and its URL.
    pub(crate) fn sentence(&self, network: &Network) -> String {
        format!(
            "network “{}” is {}, but {} serves {}",
            text::clip(&network.name, NAME),
            text::clip(self.named.as_str(), NAME),
            text::clip(&network.indexer, 2 * NAME),
            text::clip(self.answering.as_str(), NAME),
        )
    }
}

impl Chain {
    /// Creates the state of a mismatch, in which rollscope requests only the status, at the slowest rate.
    pub(super) fn named_else(&self, of: ChainMismatch, now: Timestamp) -> Self {
        Self {
            named_else: Some(of),
            status_due: Some(now.after(super::SLOWEST)),
            average_due: None,
            oldest_due: None,
            ..self.renewed(now)
        }
    }
}
