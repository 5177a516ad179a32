//! Identification of a transfer: sign and word of its state, and its ends.

use super::{WatchedTransfer, gone::GONE};
use crate::{
    config::Meaning,
    domain::ChainId,
    transfers::{NextStep, Phase, TransferStatusView},
};

/// Returns sign and word of the state, which distinguish it without colour.
pub(crate) fn sign(transfer: &WatchedTransfer, status_view: &TransferStatusView) -> (&'static str, &'static str) {
    if transfer.is_lost() {
        return (GONE.1, GONE.2);
    }
    match (&status_view.phase, &status_view.next) {
        (_, NextStep::SendNext(_)) => ("»", "send next"),
        (_, NextStep::Claim) => ("»", "claimable"),
        (Phase::NotKnown, _) => ("?", "unknown"),
        (Phase::Forgotten, _) => ("?", "forgotten"),
        (Phase::Waiting, _) => ("…", "waiting"),
        (Phase::Moving, _) => ("▶", "moving"),
        (Phase::Failing, _) => ("↩", "failing"),
        (Phase::Finalizing, _) => ("◔", "finalizing"),
        (Phase::Arrived, _) => ("✓", "arrived"),
        (Phase::EndedUnstated, _) => ("◇", "completed?"),
        (Phase::FailedReleased, _) => ("!", "released"),
        (Phase::FailedAtSource | Phase::FailedHeld, _) => ("✗", "failed"),
        (Phase::Abandoned, _) => ("◌", "abandoned"),
        (Phase::Strange, _) => ("?", "strange"),
    }
}

/// Returns the colour of the state's sign.
pub(crate) fn meaning(transfer: &WatchedTransfer, status_view: &TransferStatusView) -> Meaning {
    if transfer.is_lost() {
        return GONE.0;
    }
    match (&status_view.phase, &status_view.next) {
        (_, NextStep::SendNext(_) | NextStep::Claim)
        | (Phase::Failing | Phase::FailedReleased | Phase::Abandoned | Phase::EndedUnstated | Phase::Forgotten, _) => {
            Meaning::Warning
        }
        (Phase::Arrived, _) => Meaning::Good,
        (Phase::FailedAtSource | Phase::FailedHeld, _) => Meaning::Bad,
        (Phase::Moving | Phase::Finalizing | Phase::Waiting, _) => Meaning::Link,
        (Phase::NotKnown | Phase::Strange, _) => Meaning::Muted,
    }
}

/// Returns the source chain, and the destination if known.
pub(crate) fn ends(transfer: &WatchedTransfer) -> (ChainId, Option<ChainId>) {
    let of_hops = transfer.follower.view.hops.last().and_then(|hop| hop.to.clone());
    match transfer.follower.route() {
        Some(route) => (route.source_asset_chain_id.clone(), Some(route.dest_asset_chain_id.clone())),
        None => (transfer.follower.record.id.chain_id.clone(), of_hops),
    }
}
