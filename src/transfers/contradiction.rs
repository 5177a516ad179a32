//! Contradictions within one answer of the router, and between the router and the user's own servers.

use std::time::Duration;

use super::{
    HopPhase, Phase,
    status_part::{StatusPart, TransferDestination, own_phase},
};
use crate::{
    domain::{Amount, BroadcastHash, ChainId, SourceTx, Timestamp},
    wire::router::{AssetRelease, Hop, HopSlot, TransferStatus},
};

/// Two statements that cannot both be true.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Contradiction {
    /// The answer is about another transaction.
    OtherTx(BroadcastHash),
    /// A success, and a failed hop, by its index in the part.
    FailedHop(usize),
    /// A success, and a hop without proof of delivery, by its index in the part.
    PendingHop(usize),
    /// An end without failure, and an error.
    Error,
    /// An end without failure, and funds that are not released.
    Unreleased,
    /// Funds released on a chain that the hops do not reach; holds the chain where the hops end.
    OtherChain(ChainId),
    /// A release of the amount 0.
    NothingReleased,
    /// Two places of the answer with opposite ends.
    Ends,
    /// A hop that ended before it began, by its index in the part.
    Backwards(usize),
    /// A first hop that begins on another chain than the transaction.
    OtherStart(ChainId),
    /// A success, and funds that the route, or the source transaction, does not bring.
    OtherFunds(AssetRelease),
    /// A success, and a withdrawal that is not claimed by the L1.
    Unclaimed,
    /// A success, and an arrival transaction that credits nothing by the indexer.
    NotCredited,
    /// A failed source transaction that succeeded by the indexer.
    SourceSucceeded,
    /// An end that the indexer excludes.
    Excluded,
}

impl Contradiction {
    /// Whether both statements are the router's own.
    pub(super) fn is_of_router(&self) -> bool {
        !matches!(
            self,
            Self::OtherFunds(_) | Self::Unclaimed | Self::NotCredited | Self::SourceSucceeded | Self::Excluded
        )
    }
}

/// How much earlier than its departure an arrival may seem, since chains have clocks of their own.
const CLOCKS: Duration = Duration::from_secs(600);

impl StatusPart<'_> {
    /// Returns the fact that contradicts the phase of the state alone.
    pub(super) fn contradiction(&self, stated: &Phase, destination: &TransferDestination) -> Option<Contradiction> {
        let release = self.release.filter(|release| release.released);
        let is_nothing = |release: &AssetRelease| release.amount.is_some_and(Amount::is_zero);
        let end = self.hops.last().map_or(destination.chain.as_ref(), |hop| hop.to_chain_id.as_ref());
        let elsewhere = release.zip(end).filter(|(release, end)| release.chain_id != **end).map(|(_, end)| end);
        let of_chain = || elsewhere.cloned().map(Contradiction::OtherChain);
        match stated {
            Phase::Arrived | Phase::FailedReleased | Phase::FailedHeld | Phase::FailedAtSource if self.has_two_ends => {
                Some(Contradiction::Ends)
            }
            Phase::Arrived | Phase::FailedReleased if release.is_some_and(is_nothing) => {
                Some(Contradiction::NothingReleased)
            }
            Phase::Arrived => {
                let failed = (0..self.hops.len()).find(|place| self.hop_phase(*place) == HopPhase::Failed);
                let pending = (0..self.hops.len()).find(|place| self.is_undelivered(*place));
                let is_open = self.release.is_some_and(|release| !release.released);
                let backwards = self.hops.iter().position(is_backwards);
                failed
                    .map(Contradiction::FailedHop)
                    .or(pending.map(Contradiction::PendingHop))
                    .or(self.error.map(|_| Contradiction::Error))
                    .or(is_open.then_some(Contradiction::Unreleased))
                    .or(backwards.map(Contradiction::Backwards))
                    .or_else(of_chain)
            }
            Phase::FailedReleased if release.is_some_and(|release| self.is_unreached(&release.chain_id)) => of_chain(),
            _ => None,
        }
    }

    /// Whether the hop is under way by its state, and neither it nor a later one was delivered. An acknowledgement may
    /// be open after the delivery.
    pub(super) fn is_undelivered(&self, place: usize) -> bool {
        let is_delivered = |hop: &Hop| {
            let is_arrival =
                |slot: &HopSlot| matches!(slot, HopSlot::ReceiveTx | HopSlot::ExecuteTx | HopSlot::OrderFilledTx);
            own_phase(hop) == HopPhase::Done
                || hop.state.as_received().trim().ends_with("RECEIVED")
                || hop.txs.iter().any(|(slot, _)| is_arrival(slot))
        };
        let is_open = |hop: &Hop| own_phase(hop) == HopPhase::Active && !hop.state.as_received().trim().is_empty();
        self.hops.get(place).is_some_and(is_open) && !self.hops.iter().skip(place).any(is_delivered)
    }

    /// Whether all hops name their chains, and none of them names this one.
    fn is_unreached(&self, chain: &ChainId) -> bool {
        let is_other = |end: &Option<ChainId>| end.as_ref().is_some_and(|end| end != chain);
        !self.hops.is_empty() && self.hops.iter().all(|hop| is_other(&hop.from_chain_id) && is_other(&hop.to_chain_id))
    }
}

/// Whether a hop ended before it began.
fn is_backwards(hop: &Hop) -> bool {
    let at = |is_wanted: fn(&HopSlot) -> bool| {
        let found = hop.txs.iter().find(|(slot, _)| is_wanted(slot));
        found.and_then(|(_, tx)| tx.on_chain_at.parse::<Timestamp>().ok())
    };
    let is_end = |slot: &HopSlot| matches!(slot, HopSlot::ReceiveTx | HopSlot::ExecuteTx | HopSlot::OrderFilledTx);
    at(is_departure).zip(at(is_end)).is_some_and(|(begun, ended)| ended.after(CLOCKS) < begun)
}

/// Returns the transaction that a status names instead of this one on its chain; `None` if the status names this
/// transaction, none, or a hash in another format.
pub(super) fn other_tx(status: &TransferStatus, tx: &SourceTx) -> Option<BroadcastHash> {
    let of_transfers = status.transfers.iter().map(|transfer| &transfer.transfer_sequence);
    let sequences = || of_transfers.clone().chain([&status.transfer_sequence]);
    let departures = |hop: &Hop| {
        let here = hop.txs.iter().filter(|(slot, sent)| is_departure(slot) && sent.chain_id == tx.chain_id);
        here.filter_map(|(_, sent)| sent.tx_hash.parse::<BroadcastHash>().ok()).collect::<Vec<_>>()
    };
    if sequences().flatten().flat_map(departures).any(|hash| hash.for_chain(&tx.chain_id) == tx.hash) {
        return None;
    }
    // A Cosmos transaction may be named by its Ethereum hash.
    let is_alike = |hash: &BroadcastHash| hash.as_str().starts_with("0x") == tx.hash.as_str().starts_with("0x");
    sequences().filter_map(|hops| hops.first()).flat_map(departures).find(is_alike)
}

/// Whether the slot holds the transaction with which a hop begins.
pub(super) fn is_departure(slot: &HopSlot) -> bool {
    matches!(slot, HopSlot::SendTx | HopSlot::OrderSubmittedTx)
}
