//! When a transaction is given to the router to watch, until it takes it (`wire/router.md` §4).

use std::time::Duration;

use crate::domain::{SourceTx, Timestamp};

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
