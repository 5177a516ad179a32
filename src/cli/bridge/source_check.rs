//! What the chosen indexer says of a watched transfer's source transaction, where the transfer starts on its chain.

use std::time::Duration;

use crate::{
    client::{IndexerClient, endpoints},
    domain::{ChainId, TxHash},
    story::transfer::{SourceEvidence, evidence_of_source},
};

/// Questions at the most: an indexer that does not have the transaction by then is not asked on.
const TRIES: u32 = 30;
/// How long an answer is waited for: the router's word must not wait for the indexer's.
const PATIENCE: Duration = Duration::from_secs(3);

/// The indexer that is asked for the source transaction, and what it said.
pub(super) struct SourceCheck {
    /// `None` where none is chosen, or it has nothing more to say.
    indexer: Option<IndexerClient>,
    /// The chain of that indexer, once it said so.
    chain: Option<ChainId>,
    tries: u32,
}

impl SourceCheck {
    /// One that has not been asked yet.
    pub(super) fn new(indexer: Option<IndexerClient>) -> Self {
        Self { indexer, chain: None, tries: 0 }
    }

    /// Asks once; `None` where there is nothing new to say.
    pub(super) async fn ask_once(&mut self, chain: &ChainId, hash: TxHash) -> Option<SourceEvidence> {
        let indexer = self.indexer.clone()?;
        self.tries += 1;
        let found = tokio::time::timeout(PATIENCE, self.ask(&indexer, chain, hash)).await.ok().flatten();
        let is_settled = matches!(found, Some(SourceEvidence::Succeeded | SourceEvidence::Failed));
        let is_other = self.chain.as_ref().is_some_and(|own| own != chain);
        if is_settled || is_other || self.tries >= TRIES {
            self.indexer = None;
        }
        found
    }

    async fn ask(&mut self, indexer: &IndexerClient, chain: &ChainId, hash: TxHash) -> Option<SourceEvidence> {
        if self.chain.is_none() {
            self.chain = Some(ChainId::new(indexer.status().await.ok()?.chain_id));
        }
        if self.chain.as_ref() != Some(chain) {
            return None;
        }
        match indexer.one(endpoints::tx(hash)).await {
            Ok(tx) => Some(evidence_of_source(&tx)),
            Err(error) if error.is_not_found() => Some(SourceEvidence::Absent),
            Err(_) => None,
        }
    }
}
