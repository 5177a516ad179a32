//! Mismatch between the network's chain and the server's chain: the session shows nothing of the latter.

use super::Chain;
use crate::{
    config::Network,
    domain::{ChainId, Timestamp, text},
    wire,
};

/// Maximum columns of a name in a sentence.
const NAME: usize = 40;

/// The network's chain and the chain that the server reports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ChainMismatch {
    pub(crate) named: ChainId,
    pub(crate) answering: ChainId,
}

impl ChainMismatch {
    /// Returns the mismatch between a network's chain id and a status.
    pub(super) fn of(network: &Network, status: &wire::Status) -> Option<Self> {
        let named = network.chain_id.as_deref().filter(|named| *named != status.chain_id)?;
        Some(Self { named: ChainId::new(named), answering: ChainId::new(status.chain_id.as_str()) })
    }

    /// Explains the mismatch with the network and its URL.
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
    /// Creates the state of a mismatch: only the status is requested, at the lowest rate.
    pub(super) fn named_else(of: ChainMismatch, now: Timestamp) -> Self {
        Self {
            named_else: Some(of),
            status_due: Some(now.after(super::SLOWEST)),
            average_due: None,
            oldest_due: None,
            ..Self::new(now)
        }
    }
}
