//! Bounds for the waits that a router chooses: until then the funds are out of the signer's reach.

use std::time::Duration;

use super::{QuotedTx, refusal::SigningRefusal};
use crate::{
    domain::{Timestamp, text::span},
    signing::MemoForward,
};

/// Longest wait of a packet or an order; routers ask for minutes.
const LONGEST: Duration = Duration::from_secs(24 * 60 * 60);
/// Shortest wait: no relayer delivers a packet earlier.
const SHORTEST_TRY: Duration = Duration::from_secs(30);
/// Most further tries of a forward.
const MOST_RETRIES: u8 = 5;

/// Checks that a packet, swap or order ends within a day, and leaves time to carry it out.
pub(super) fn ends_soon(stage: &QuotedTx<'_>, what: &'static str, end: Timestamp) -> Result<(), SigningRefusal> {
    if is_soon(stage, end) {
        return Ok(());
    }
    let found = match end.as_nanos() {
        _ if end > stage.quote.now && end < stage.quote.now.after(SHORTEST_TRY) => {
            format!("ends in {}", span(end.since(stage.quote.now).as_secs()))
        }
        0 => "has no time limit".to_owned(),
        _ if end <= stage.quote.now => format!("ended at {} UTC", end.day_and_clock()),
        _ => format!("ends at {} UTC", end.day_and_clock()),
    };
    Err(SigningRefusal::Wait { what, found })
}

/// Checks the tries of a forward. Routers write a date into its timeout, which chains read as a wait.
pub(super) fn tries_soon(stage: &QuotedTx<'_>, forward: &MemoForward) -> Result<(), SigningRefusal> {
    let retries = forward.retries.unwrap_or(0);
    if retries > MOST_RETRIES {
        return Err(SigningRefusal::Wait { what: "the forward", found: format!("tries {retries} more times") });
    }
    let Some(nanos) = forward.timeout.filter(|nanos| *nanos > 0) else { return Ok(()) };
    let wait = Duration::from_nanos(nanos);
    if (SHORTEST_TRY..=LONGEST).contains(&wait) || is_soon(stage, Timestamp::from_nanos(i128::from(nanos))) {
        return Ok(());
    }
    let found = format!("waits {} per try", span(wait.as_secs()));
    Err(SigningRefusal::Wait { what: "the forward", found })
}

fn is_soon(stage: &QuotedTx<'_>, end: Timestamp) -> bool {
    let now = stage.quote.now;
    end >= now.after(SHORTEST_TRY) && end <= now.after(LONGEST)
}
