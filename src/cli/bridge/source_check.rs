//! What the chosen indexer says of a watched transfer's source transaction, where the transfer starts on its chain.

use std::time::{Duration, Instant};

use super::transfer::FollowedTransfer;
use crate::{
    client::{IndexerClient, endpoints},
    domain::{ChainId, Timestamp, TxHash, text},
    msg::{PageRequest, TxQuery, TxScope},
    story::transfer::{PacketEnd, SentPacket, SourceEvidence, evidence_of_source, packet_end, packets_sent},
    wire::Tx,
};

/// Questions at the most: an indexer that does not have the transaction by then is not asked on.
const TRIES: u32 = 30;
/// How long an answer is waited for: the router's word must not wait for the indexer's.
const PATIENCE: Duration = Duration::from_secs(3);
/// Between two looks at what the sender was part of.
const PACE: Duration = Duration::from_secs(15);
/// The sender's newest transactions that are looked through.
const LOOKED_THROUGH: u16 = 50;
/// Columns of a chain's reason at the most.
const REASON: usize = 240;

/// The indexer that is asked for the source transaction and for what comes back to its chain.
pub(super) struct SourceCheck {
    /// `None` where none is chosen, or it has nothing more to say.
    indexer: Option<IndexerClient>,
    /// The chain of that indexer, once it said so.
    chain: Option<ChainId>,
    tries: u32,
    /// The packets whose end is waited for.
    packets: Vec<SentPacket>,
    looked_at: Option<Instant>,
}

impl SourceCheck {
    /// One that has not been asked yet.
    pub(super) fn new(indexer: Option<IndexerClient>) -> Self {
        Self { indexer, chain: None, tries: 0, packets: Vec::new(), looked_at: None }
    }

    /// Asks for what may be new; what is found is added to what is known of the transfer.
    pub(super) async fn ask_once(&mut self, follow: &mut FollowedTransfer) {
        let Some(indexer) = self.indexer.clone() else { return };
        let id = follow.id().clone();
        let Some(hash) = id.hash.tx_hash() else { return };
        if !follow.is_indexed() && self.tries < TRIES {
            self.tries += 1;
            let asked = tokio::time::timeout(PATIENCE, self.ask(&indexer, &id.chain_id, hash)).await;
            if let Some(found) = asked.ok().flatten() {
                self.take_source(found.as_ref(), follow);
            }
        }
        let is_other = self.chain.as_ref().is_some_and(|own| *own != id.chain_id);
        if is_other || (self.tries >= TRIES && !follow.is_indexed()) {
            self.indexer = None;
        }
        let is_due = self.looked_at.is_none_or(|at| at.elapsed() >= PACE);
        if let Some(packet) = self.packets.first().cloned().filter(|_| is_due) {
            self.looked_at = Some(Instant::now());
            let asked = tokio::time::timeout(PATIENCE, end_of(&indexer, &packet)).await;
            if let Some(end) = asked.ok().flatten() {
                self.packets.clear();
                if let PacketEnd::Returned(returned) = end {
                    follow.findings.returned = Some(returned);
                    follow.findings.source_at = Some(Timestamp::now());
                }
            }
        }
    }

    fn take_source(&mut self, found: Option<&Tx>, follow: &mut FollowedTransfer) {
        follow.findings.source_at = Some(Timestamp::now());
        let Some(tx) = found else {
            follow.findings.evidence.source = Some(SourceEvidence::Absent);
            return;
        };
        follow.findings.evidence.source = Some(evidence_of_source(tx));
        follow.findings.included_at = Some(tx.timestamp);
        follow.findings.failure = (!tx.is_success()).then(|| text::clip(&tx.raw_log, REASON));
        self.packets = packets_sent(tx);
    }

    /// The transaction, or that the indexer of its chain does not have it; `None` where nobody can say.
    async fn ask(&mut self, indexer: &IndexerClient, chain: &ChainId, hash: TxHash) -> Option<Option<Tx>> {
        if self.chain.is_none() {
            self.chain = Some(ChainId::new(indexer.status().await.ok()?.chain_id));
        }
        if self.chain.as_ref() != Some(chain) {
            return None;
        }
        match indexer.one(endpoints::tx(hash)).await {
            Ok(tx) => Some(Some(tx)),
            Err(error) if error.is_not_found() => Some(None),
            Err(_) => None,
        }
    }
}

/// What became of a packet, as the newest transactions show that its sender was part of.
async fn end_of(indexer: &IndexerClient, packet: &SentPacket) -> Option<PacketEnd> {
    let scope = TxScope::Account { address: packet.sender, signer_only: false };
    let query = TxQuery { scope, msgs: Vec::new() };
    let page = indexer.list(&query, &PageRequest::newest(LOOKED_THROUGH)).await.ok()?;
    page.items.iter().find_map(|tx| packet_end(tx, packet))
}
