//! A kept transfer, as this session follows it.

use std::{sync::Arc, time::Duration};

use super::{claiming::SentClaim, gone::Following};
use crate::{
    domain::{Timestamp, TransferRecord},
    msg::TransferOutcome,
    transfers::{Follower, PollPriority, phase_word},
    wire::{RawJson, Verbatim, router::Route},
};

/// What is unfinished since so long is watched only once somebody opens it.
const WATCHED_FOR: Duration = Duration::from_secs(24 * 3600);

#[derive(Debug)]
pub(crate) struct WatchedTransfer {
    pub(crate) follower: Follower,
    /// Whether it is asked for on every screen.
    pub(super) is_watched: bool,
    /// Who can be asked about it.
    pub(super) following: Following,
    /// The claim of what it withdrew, sent from here.
    pub(crate) claim: Option<SentClaim>,
}

impl WatchedTransfer {
    pub(super) fn new(record: TransferRecord, now: Timestamp) -> Self {
        let is_recent = record.txs.last().is_some_and(|tx| now.since(tx.at) < WATCHED_FOR);
        let is_watched = !record.is_over && is_recent;
        Self { follower: Follower::new(record, now), is_watched, following: Following::default(), claim: None }
    }

    /// The route with its JSON.
    pub(crate) fn verbatim_route(&self) -> Option<Arc<Verbatim<Route>>> {
        let raw = RawJson::parse(self.follower.record.route.as_deref()?.to_owned()).ok()?;
        Some(Arc::new(Verbatim { value: Route::clone(self.follower.route()?), raw }))
    }

    /// Whether something is still awaited.
    pub(crate) fn is_live(&self) -> bool {
        self.follower.is_live() && !self.is_lost()
    }

    /// When the status is asked for next.
    pub(crate) fn poll_at(&self, now: Timestamp) -> Option<Timestamp> {
        self.follower.poll_at(PollPriority::Shown, now).filter(|_| !self.is_lost())
    }

    /// How it ended, with all that is known of it.
    pub(super) fn outcome(&self, now: Timestamp) -> TransferOutcome {
        let Follower { record, view, .. } = &self.follower;
        TransferOutcome {
            id: record.id.clone(),
            outcome: phase_word(&view.phase),
            facts: self.follower.line(view, now),
        }
    }
}
