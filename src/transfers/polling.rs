//! Times of status polls and of registrations with the router (`docs/apis/router.md` §4, §7).

use std::time::Duration;

use super::{NextStep, Phase, TransferStatusView};
use crate::domain::{SourceTx, Timestamp};

const FAR: Duration = Duration::from_secs(60);
const NEAR: Duration = Duration::from_secs(5);
const OVERDUE: Duration = Duration::from_secs(1);
/// Time before the expected end with frequent polls.
const NEARNESS: Duration = Duration::from_secs(300);
/// Time of frequent polls without an estimate, and after the end of a finalization.
const PATIENCE: Duration = Duration::from_secs(600);
/// Delay after which polls become rare.
const GIVEN_UP: Duration = Duration::from_secs(24 * 3600);
/// Maximum interval after failures, before a jitter of at most the same length.
const BACK_OFF: Duration = Duration::from_secs(30);
/// Maximum pause that a server may request.
const LONGEST_WAIT: Duration = Duration::from_secs(3600);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PollPriority {
    /// On screen.
    Shown,
    /// Not on screen, but a notification will announce the outcome.
    Watched,
    /// Neither: no polls.
    Hidden,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LastPoll {
    /// Time of its answer or failure.
    pub at: Timestamp,
    /// Consecutive failures including this one; 0 after an answer. A 404 is an answer.
    pub failures: u32,
    /// Pause that the server requested.
    pub retry_after: Option<Duration>,
}

/// Returns when to poll a transfer next, not before `now`; `None` if finished or hidden.
///
/// `begun` is the time of its newest transaction. `jitter` is a random number that spreads the retries of many
/// instances.
pub fn next_poll(
    view: &TransferStatusView,
    begun: Timestamp,
    last: Option<LastPoll>,
    attention: PollPriority,
    now: Timestamp,
    jitter: u8,
) -> Option<Timestamp> {
    if view.phase.is_over() || attention == PollPriority::Hidden {
        return None;
    }
    let Some(last) = last else { return Some(now) };
    let usual = interval(view, begun, now);
    let wait = if last.failures == 0 { usual } else { back_off(usual, last.failures, jitter) };
    let asked = last.retry_after.unwrap_or_default().min(LONGEST_WAIT);
    Some(last.at.after(wait.max(asked).max(OVERDUE)).max(now))
}

fn interval(view: &TransferStatusView, begun: Timestamp, now: Timestamp) -> Duration {
    let is_slow =
        matches!(view.phase, Phase::FailedHeld | Phase::Forgotten) || matches!(view.next, NextStep::SendNext(_));
    match view.expected {
        _ if is_slow => FAR,
        None if now.since(begun) < PATIENCE => NEAR,
        None => FAR,
        Some(end) if end > now => {
            if end.since(now) > NEARNESS {
                FAR
            } else {
                NEAR
            }
        }
        Some(end) => {
            let patience = if view.phase == Phase::Finalizing { PATIENCE } else { GIVEN_UP };
            if now.since(end) < patience { OVERDUE } else { FAR }
        }
    }
}

/// Doubles the interval with each failure, up to 30 s, and adds a jitter of up to the interval, at most 30 s.
fn back_off(usual: Duration, failures: u32, jitter: u8) -> Duration {
    let doubled = usual.saturating_mul(2_u32.saturating_pow(failures.min(16))).min(BACK_OFF).max(usual);
    let chance = doubled.min(BACK_OFF).saturating_mul(u32::from(jitter)) / u32::from(u8::MAX);
    doubled.saturating_add(chance)
}

/// Time for which a broadcast is fresh: routers see it some seconds late.
const FRESH: Duration = Duration::from_secs(30);

/// Reason for registering a transaction; attempts count per reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrackReason {
    /// Just broadcast: 1 attempt and 30 retries, a second apart.
    Broadcast,
    /// Found untracked later, or on request: 1 attempt and 6 retries, 5 seconds apart.
    Later,
}

impl TrackReason {
    /// Returns the reason at this time.
    pub fn of(tx: &SourceTx, now: Timestamp) -> Self {
        if now.since(tx.at) < FRESH { Self::Broadcast } else { Self::Later }
    }

    /// Returns the maximum number of attempts.
    pub fn tries(self) -> u32 {
        match self {
            Self::Broadcast => 31,
            Self::Later => 7,
        }
    }

    fn pause(self) -> Duration {
        match self {
            Self::Broadcast => Duration::from_secs(1),
            Self::Later => Duration::from_secs(5),
        }
    }
}

/// Returns when to register next, not before `now`, after `tries` attempts of which the last failed at `last`; `None`
/// after the last attempt, until the user retries.
pub fn next_try(
    occasion: TrackReason,
    tries: u32,
    last: Option<Timestamp>,
    retry_after: Option<Duration>,
    now: Timestamp,
) -> Option<Timestamp> {
    if tries >= occasion.tries() {
        return None;
    }
    let pause = occasion.pause().max(retry_after.unwrap_or_default().min(Duration::from_secs(3600)));
    Some(last.map_or(now, |last| last.after(pause).max(now)))
}
