//! Schedule of the questions to the router: registration until the router accepts, then status polls until the end.

use std::time::Duration;

use super::{Follower, FollowerContext};
use crate::{
    domain::{Timestamp, Tracking},
    transfers::{LastPoll, Phase, PollPriority, Question, TrackReason, next_poll, next_try},
    wire::{ApiError, ErrorKind},
};

/// How long to poll often after the user retried an abandoned transfer.
pub(super) const REVIVAL: Duration = Duration::from_secs(120);
/// Poll interval during [`REVIVAL`].
const REVIVAL_PACE: Duration = Duration::from_secs(5);
/// Minimum poll interval; applies to the user's requests too.
const FASTEST: Duration = Duration::from_secs(1);

#[derive(Debug, Default)]
pub struct Poll {
    pub last: Option<LastPoll>,
    /// Why the last poll failed.
    pub problem: Option<ApiError>,
    /// Whether to poll at once.
    pub is_wanted: bool,
    /// When the user retried an abandoned transfer.
    pub(super) revived: Option<Timestamp>,
    pub(super) recall: Recall,
}

/// Automatic second registration of a transaction that the router accepted and then forgot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Recall {
    #[default]
    Unneeded,
    Due,
    /// Sent once, whatever the result; never again.
    Done,
}

impl Poll {
    pub(super) fn answer(&mut self, now: Timestamp) {
        self.last = Some(LastPoll { at: now, failures: 0, retry_after: None });
        (self.problem, self.is_wanted) = (None, false);
    }

    /// Records a failed poll. A 404 counts as an answer. For a transaction that the router accepted, a 404 makes a new
    /// registration due.
    pub(super) fn fail(&mut self, error: ApiError, is_taken: bool, now: Timestamp) {
        if error.is_not_found() {
            self.answer(now);
            if is_taken && self.recall == Recall::Unneeded {
                self.recall = Recall::Due;
            }
            return;
        }
        let failures = self.last.map_or(0, |last| last.failures).saturating_add(1);
        self.last = Some(LastPoll { at: now, failures, retry_after: retry_after(&error) });
        (self.problem, self.is_wanted) = (Some(error), false);
    }
}

/// Registration of the current transaction with the router.
#[derive(Debug)]
pub struct Registration {
    reason: TrackReason,
    most: u32,
    pub tries: u32,
    last: Option<Timestamp>,
    retry_after: Option<Duration>,
    /// Why the last attempt failed.
    pub problem: Option<ApiError>,
}

impl Registration {
    pub(super) fn new(reason: TrackReason) -> Self {
        Self { reason, most: reason.tries(), tries: 0, last: None, retry_after: None, problem: None }
    }

    /// Creates the state after a broadcast, with at most `most` attempts.
    pub fn of_broadcast(most: u32) -> Self {
        Self { most, ..Self::new(TrackReason::Broadcast) }
    }

    /// Returns the maximum number of attempts.
    pub fn most(&self) -> u32 {
        self.most
    }

    /// Records a failed attempt. Returns whether no further attempt follows.
    pub(super) fn fail(&mut self, error: ApiError, now: Timestamp) -> bool {
        self.tries += 1;
        (self.last, self.retry_after) = (Some(now), retry_after(&error));
        self.problem = Some(error);
        self.tries >= self.most
    }

    fn next(&self, now: Timestamp) -> Option<Timestamp> {
        let is_open = self.tries < self.most;
        let tries = self.tries.min(self.reason.tries() - 1);
        is_open.then(|| next_try(self.reason, tries, self.last, self.retry_after, now)).flatten()
    }
}

/// Returns the pause that a server requested.
fn retry_after(error: &ApiError) -> Option<Duration> {
    match error.kind {
        ErrorKind::RateLimited(wait) => wait,
        _ => None,
    }
}

impl Follower {
    pub(super) fn router_questions(&self, cx: &FollowerContext<'_>) -> Vec<(Question, Timestamp)> {
        let (track_at, poll_at) = (self.track_at(cx.now), self.poll_at(cx.priority, cx.now));
        let is_open = cx.has_router && (track_at.is_some() || poll_at.is_some());
        let Some(request) = is_open.then(|| self.track_request()).flatten() else { return Vec::new() };
        let is_given_up = self.view.phase == Phase::Abandoned;
        let track = if is_given_up { Question::TrackAgain } else { Question::Track };
        let track = track_at.map(|at| (track(request.clone()), at));
        track.into_iter().chain(poll_at.map(|at| (Question::Status(request), at))).collect()
    }

    /// Returns when to try the next registration; `None` if none is needed.
    fn track_at(&self, now: Timestamp) -> Option<Timestamp> {
        if self.poll.recall == Recall::Due {
            return Some(now);
        }
        self.current_tx().filter(|tx| tx.tracking == Tracking::Pending)?;
        let is_open = self.is_live() || self.poll.revived.is_some();
        is_open.then(|| self.registration.next(now)).flatten()
    }

    /// Returns when to poll the next status.
    pub fn poll_at(&self, priority: PollPriority, now: Timestamp) -> Option<Timestamp> {
        let clock = self.view.clocks.get(self.current());
        let begun = clock.and_then(|clock| clock.begun).or(self.current_tx().map(|tx| tx.at));
        let begun = begun.unwrap_or(self.record.created);
        let last = self.poll.last;
        let soon = |pace: Duration| {
            last.map_or(now, |last| last.at.after(pace.max(last.retry_after.unwrap_or_default())).max(now))
        };
        if self.poll.is_wanted {
            return Some(soon(FASTEST));
        }
        if self.poll.revived.is_some() {
            return Some(soon(REVIVAL_PACE));
        }
        if self.record.is_over {
            return None;
        }
        next_poll(&self.view, begun, last, priority, now, self.jitter())
    }

    /// Returns a number that depends on the transfer, so that many transfers retry at different times.
    fn jitter(&self) -> u8 {
        self.record.id.hash.as_str().bytes().fold(0, |sum: u8, byte| sum.wrapping_mul(31).wrapping_add(byte))
    }
}
