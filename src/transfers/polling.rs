//! Schedule of status polls and of registrations with the router (`docs/apis/router.md` §4, §7).

use std::time::Duration;

use super::{NextStep, Phase, TransferStatusView};
use crate::domain::{SourceTx, Timestamp};

const FAR: Duration = Duration::from_secs(60);
const NEAR: Duration = Duration::from_secs(5);
const OVERDUE: Duration = Duration::from_secs(1);
/// How long before the expected end the polls become frequent.
const NEARNESS: Duration = Duration::from_secs(300);
/// How long polls stay frequent without an estimate, and after a challenge period.
const PATIENCE: Duration = Duration::from_secs(600);
/// Delay after the expected end from which polls become rare.
const GIVEN_UP: Duration = Duration::from_secs(24 * 3600);
/// Maximum poll interval after failures, without the jitter, which may double it.
const BACK_OFF: Duration = Duration::from_secs(30);
/// Longest pause that rollscope grants a server.
const LONGEST_WAIT: Duration = Duration::from_secs(3600);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PollPriority {
    Shown,
    /// The transfer is off screen, but the user gets a notification of its outcome.
    Watched,
    /// The transfer is off screen and not announced; rollscope does not poll it.
    Hidden,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LastPoll {
    /// When the poll was answered or failed.
    pub at: Timestamp,
    /// Number of failures in a row, up to this one; 0 after an answer. A 404 is an answer.
    pub failures: u32,
    /// Pause that the server requested.
    pub retry_after: Option<Duration>,
}

/// Returns when to poll a transfer next, not before `now`; `None` if it is finished or hidden.
///
/// `begun` is the time of its newest transaction. `jitter` is a random number; it spreads the retries of many
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

/// Doubles the interval with each failure, up to 30 s. Adds a jitter of at most one interval, or 30 s if that is
/// shorter.
fn back_off(usual: Duration, failures: u32, jitter: u8) -> Duration {
    let doubled = usual.saturating_mul(2_u32.saturating_pow(failures.min(16))).min(BACK_OFF).max(usual);
    let chance = doubled.min(BACK_OFF).saturating_mul(u32::from(jitter)) / u32::from(u8::MAX);
    doubled.saturating_add(chance)
}

/// How long a broadcast is fresh. Routers see it some seconds late.
const FRESH: Duration = Duration::from_secs(30);

/// Why a transaction is registered. Each reason has its own number of attempts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrackReason {
    /// The user has just broadcast it: 1 attempt and 30 retries, one second apart.
    Broadcast,
    /// The router later turned out not to track it, or the user asks: 1 attempt and 6 retries, 5 seconds apart.
    Later,
}

impl TrackReason {
    /// Returns the reason that applies at `now`.
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

/// Returns when to register next, not before `now`. `tries` attempts have failed, the last at `last`. `None` after the
/// last attempt, until the user retries.
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
