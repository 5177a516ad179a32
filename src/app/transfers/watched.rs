//! Kept transfer with its follower in this session.

use std::{sync::Arc, time::Duration};

use crate::{
    domain::{BroadcastHash, ChainId, Timestamp, TransferRecord},
    msg::TransferOutcome,
    transfers::{Follower, PollPriority, QuestionKind, phase_word},
    wire::{RawJson, Verbatim, router::Route},
};

/// Maximum age up to which an unfinished transfer is polled without its page.
const WATCHED_FOR: Duration = Duration::from_secs(24 * 3600);

/// Which servers still know a transfer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Following {
    #[default]
    All,
    /// Only the router, since the indexer has another chain.
    Router,
    /// No server, since the router restarted with the chain.
    None,
}

/// Claim that this session broadcast.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SentClaim {
    pub(crate) chain_id: ChainId,
    pub(crate) hash: BroadcastHash,
    pub(crate) at: Timestamp,
}

#[derive(Debug)]
pub(crate) struct WatchedTransfer {
    pub(crate) follower: Follower,
    /// Whether the session polls the transfer on every screen.
    pub(super) is_watched: bool,
    /// Servers that can report the transfer's status.
    pub(super) following: Following,
    /// Claim of the transfer's withdrawal, if rollscope broadcast it.
    pub(crate) claim: Option<SentClaim>,
}

impl WatchedTransfer {
    pub(super) fn new(record: TransferRecord, now: Timestamp) -> Self {
        let is_recent = record.txs.last().is_some_and(|tx| now.since(tx.at) < WATCHED_FOR);
        let is_watched = !record.is_over && is_recent;
        Self { follower: Follower::new(record, now), is_watched, following: Following::default(), claim: None }
    }

    /// Whether a chain of the transfer is no longer at this address.
    pub(super) fn is_gone(&self) -> bool {
        self.following != Following::All
    }

    /// Whether no server can report the status.
    pub(crate) fn is_lost(&self) -> bool {
        self.following == Following::None
    }

    /// Whether a server can still answer this kind of question.
    pub(super) fn allows(&self, kind: QuestionKind) -> bool {
        match self.following {
            Following::All => true,
            Following::Router => kind.is_for_router(),
            Following::None => false,
        }
    }

    pub(crate) fn verbatim_route(&self) -> Option<Arc<Verbatim<Route>>> {
        let raw = RawJson::parse(self.follower.record.route.as_deref()?.to_owned()).ok()?;
        Some(Arc::new(Verbatim { value: Route::clone(self.follower.route()?), raw }))
    }

    /// Returns the chains whose assets the headline names.
    pub(super) fn named_chains(&self) -> impl Iterator<Item = &ChainId> {
        let route = self.follower.route().into_iter();
        let of_route = route.flat_map(|route| [&route.source_asset_chain_id, &route.dest_asset_chain_id]);
        of_route.chain(self.follower.view.release.as_ref().map(|release| &release.chain_id))
    }

    /// Whether the transfer is in progress.
    pub(crate) fn is_live(&self) -> bool {
        self.follower.is_live() && !self.is_lost()
    }

    /// Returns when to poll the status next.
    pub(crate) fn poll_at(&self, now: Timestamp) -> Option<Timestamp> {
        self.follower.poll_at(PollPriority::Shown, now).filter(|_| !self.is_lost())
    }

    /// Returns the outcome, with all known facts.
    pub(super) fn outcome(&self, now: Timestamp) -> TransferOutcome {
        let Follower { record, view, .. } = &self.follower;
        TransferOutcome {
            id: record.id.clone(),
            outcome: phase_word(&view.phase),
            facts: self.follower.line(view, now),
        }
    }
}
