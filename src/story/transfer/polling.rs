//! When the status is asked for next, and when a transaction is given to the router to watch (`docs/apis/router.md` §4,
//! §7).

use std::time::Duration;

use super::{NextStep, Phase, TransferStatusView};
use crate::domain::{SourceTx, Timestamp};

const FAR: Duration = Duration::from_secs(60);
const NEAR: Duration = Duration::from_secs(5);
const OVERDUE: Duration = Duration::from_secs(1);
/// The end is near from so long before it.
const NEARNESS: Duration = Duration::from_secs(300);
/// Without an estimate, and after the end of a finalization, it is asked for often only for so long.
const PATIENCE: Duration = Duration::from_secs(600);
/// What is overdue by so long is asked for seldom.
const GIVEN_UP: Duration = Duration::from_secs(24 * 3600);
/// Between two failed tries at the most, before the random part of as much again.
const BACK_OFF: Duration = Duration::from_secs(30);
/// No server is believed that asks for more.
const LONGEST_WAIT: Duration = Duration::from_secs(3600);

/// Who cares for a transfer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Attention {
    /// It is on the screen.
    Shown,
    /// It is not, and its end shall be told.
    Watched,
    /// Neither: it is not asked for.
    Hidden,
}

/// How the last poll ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LastPoll {
    /// When its answer, or its failure, came.
    pub at: Timestamp,
    /// How many failed in a row, this one included; 0 after an answer. A 404 is an answer.
    pub failures: u32,
    /// For how long the server wants to be left alone.
    pub retry_after: Option<Duration>,
}

/// When to ask for a transfer's status next, not before `now`; `None` where it is over or nobody cares.
///
/// `begun` is the time of its newest transaction. `jitter` is a random number of which all values count alike: failed
/// tries of many instances must not meet.
pub fn next_poll(
    view: &TransferStatusView,
    begun: Timestamp,
    last: Option<LastPoll>,
    attention: Attention,
    now: Timestamp,
    jitter: u8,
) -> Option<Timestamp> {
    if view.phase.is_over() || attention == Attention::Hidden {
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

/// Doubles with each failure, up to half a minute, and up to as much again by chance.
fn back_off(usual: Duration, failures: u32, jitter: u8) -> Duration {
    let doubled = usual.saturating_mul(2_u32.saturating_pow(failures.min(16))).min(BACK_OFF).max(usual);
    let chance = doubled.min(BACK_OFF).saturating_mul(u32::from(jitter)) / u32::from(u8::MAX);
    doubled.saturating_add(chance)
}

/// A transaction is fresh for so long after its broadcast: routers see it some seconds late.
const FRESH: Duration = Duration::from_secs(30);

/// Why the router is asked to watch a transaction; the tries count anew on each occasion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Occasion {
    /// It was broadcast just now: 1 try and 30 more, a second apart.
    Broadcast,
    /// It is found untracked later, or a person asks: 1 try and 6 more, 5 seconds apart.
    Later,
}

impl Occasion {
    /// The occasion of asking now.
    pub fn of(tx: &SourceTx, now: Timestamp) -> Self {
        if now.since(tx.at) < FRESH { Self::Broadcast } else { Self::Later }
    }

    /// Tries at the most.
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

/// When to ask the router next to watch a transaction, not before `now`, after `tries` of which the last one failed at
/// `last`; `None` where it has refused to the end, until a person asks again.
pub fn next_try(
    occasion: Occasion,
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
