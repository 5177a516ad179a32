//! Sign and word of a transfer's state, and its ends.

use std::time::Duration;

use super::{OpenClaim, WatchedTransfer};
use crate::{
    config::Meaning,
    domain::{ChainId, Timestamp},
    story::WithdrawalStage,
    transfers::{NextStep, Phase, TransferStatusView, Urgency},
};

/// Age from which a finished transfer moves to the end of the board.
const STALE: Duration = Duration::from_secs(24 * 3600);
/// Sign and word of a transfer whose chain is gone.
const GONE: (Meaning, &str, &str) = (Meaning::Muted, "∅", "chain gone");

/// Returns colour, sign and word of the state; sign and word distinguish it without colour.
pub(crate) fn sign(
    transfer: &WatchedTransfer,
    status_view: &TransferStatusView,
) -> (Meaning, &'static str, &'static str) {
    if transfer.is_lost() {
        return GONE;
    }
    match (&status_view.phase, &status_view.next) {
        (_, NextStep::SendNext(_)) => (Meaning::Warning, "»", "send next"),
        (_, NextStep::Claim) => (Meaning::Warning, "»", "claimable"),
        (Phase::NotKnown, _) => (Meaning::Muted, "?", "unknown"),
        (Phase::Forgotten, _) => (Meaning::Warning, "?", "forgotten"),
        (Phase::Waiting, _) => (Meaning::Link, "…", "waiting"),
        (Phase::Moving, _) => (Meaning::Link, "▶", "moving"),
        (Phase::Failing, _) => (Meaning::Warning, "↩", "failing"),
        (Phase::Finalizing, _) => (Meaning::Link, "◔", "finalizing"),
        (Phase::Arrived, _) => (Meaning::Good, "✓", "arrived"),
        (Phase::EndedUnstated, _) => (Meaning::Warning, "◇", "completed?"),
        (Phase::FailedReleased, _) => (Meaning::Warning, "!", "released"),
        (Phase::FailedAtSource | Phase::FailedHeld, _) => (Meaning::Bad, "✗", "failed"),
        (Phase::Abandoned, _) => (Meaning::Warning, "◌", "abandoned"),
        (Phase::Strange, _) => (Meaning::Muted, "?", "strange"),
        (Phase::Contradictory, _) => (Meaning::Warning, "?", "disputed"),
    }
}

/// Returns colour, sign and word of an unclaimed withdrawal, with its urgency.
pub(crate) fn sign_of_claim(claim: &OpenClaim, now: Timestamp) -> ((Meaning, &'static str, &'static str), Urgency) {
    match &claim.stage {
        stage if stage.is_ready(now) => ((Meaning::Warning, "»", "claimable"), Urgency::Yours),
        WithdrawalStage::Disproven(_) => ((Meaning::Bad, "✗", "disproven"), Urgency::Failed),
        WithdrawalStage::Unconfirmed { .. } => ((Meaning::Muted, "?", "unknown"), Urgency::Unknown),
        WithdrawalStage::Unproposed | WithdrawalStage::Proposed { .. } | WithdrawalStage::Claimed { .. } => {
            ((Meaning::Link, "◔", "finalizing"), Urgency::Moving)
        }
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

/// Returns the transfer's rank on the board. A long finished transfer, or one that no server reports on, ranks last.
pub(crate) fn urgency(transfer: &WatchedTransfer, now: Timestamp) -> Urgency {
    let newest = transfer.follower.record.changes.last().map_or(transfer.follower.record.created, |change| change.at);
    let is_stale = !transfer.is_live() && now.since(newest) >= STALE;
    if is_stale || transfer.is_lost() { Urgency::Done } else { Urgency::of(&transfer.follower.view, now) }
}
