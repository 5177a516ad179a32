//! What stands above the lines of the page, and how much room there is for either.

use std::time::Duration;

use ratatui::layout::Rect;

use super::hops::TransferFacts;
use crate::{
    app::transfers::signs,
    config::Meaning,
    domain::Timestamp,
    story::transfer::{HopPhase, NextStep},
    widgets::layout::{Regions, Tier},
};

/// Rows of the page's head: two of the headline, two bars, the next step and a line between.
const HEAD: u16 = 6;
/// The same where there is little room.
const COMPACT_HEAD: u16 = 3;

/// What stands above the lines: where the funds are, how long it takes, what to do.
#[derive(Clone, Debug)]
pub(super) struct TransferHead {
    /// What the sign means.
    pub(super) meaning: Meaning,
    /// Sign and word of the state.
    pub(super) sign: (&'static str, &'static str),
    /// Where the funds are.
    pub(super) headline: String,
    /// How long it takes or took, so far.
    pub(super) elapsed: Duration,
    /// How long it should take.
    pub(super) planned: Option<Duration>,
    /// When it should be there.
    pub(super) expected: Option<Timestamp>,
    /// Whether that is a time from which it can be claimed.
    pub(super) is_withdrawal: bool,
    /// Whether it waits for a person, and so for no time.
    pub(super) is_with_person: bool,
    /// Whether nothing is awaited any more.
    pub(super) is_over: bool,
    /// What can be done next, in words; `None` where it is to wait.
    pub(super) next: Option<String>,
}

impl TransferHead {
    pub(super) fn new(facts: &TransferFacts<'_>) -> Self {
        let TransferFacts { transfer, status_view, now, .. } = *facts;
        let begun = transfer.current_tx().map_or(transfer.record.created, |tx| tx.at);
        let ended = status_view.hops.iter().filter_map(|hop| hop.ended).max();
        let is_done = status_view.hops.iter().all(|hop| hop.phase != HopPhase::Active) && status_view.phase.is_over();
        let last_change = transfer.record.changes.last().map(|change| change.at);
        let until = if is_done { ended.or(last_change).unwrap_or(now) } else { now };
        let first = transfer.record.created.min(begun);
        let next = match &status_view.next {
            NextStep::Wait => None,
            NextStep::TrackAgain => Some("ask the router to watch it again".to_owned()),
            NextStep::RouteFrom(_) => Some("look for a new route from where the funds are".to_owned()),
            NextStep::SendNext(tx) => Some(format!("make transaction {} ready and send it", tx + 1)),
            NextStep::Claim if facts.cx.directory.wallet().is_some() => {
                Some("claim it with the demo wallet; it goes to the recipient".to_owned())
            }
            NextStep::Claim => Some("claim it on the L1 with any wallet; it goes to the recipient".to_owned()),
            NextStep::CheckDestination => Some("ask the chain where the funds should be".to_owned()),
        };
        Self {
            meaning: signs::meaning(transfer, status_view),
            sign: signs::sign(transfer, status_view),
            headline: status_view.headline.to_string(),
            elapsed: until.since(if is_done { first } else { begun }),
            planned: status_view.expected.map(|at| at.since(begun)).filter(|span| !span.is_zero()),
            expected: status_view.expected,
            is_withdrawal: facts.has_withdrawal(),
            is_with_person: matches!(status_view.next, NextStep::SendNext(_) | NextStep::Claim),
            is_over: !transfer.is_live(),
            next,
        }
    }
}

/// The room of the head, and that of the lines.
pub(super) fn rooms(regions: &Regions) -> (Rect, Rect) {
    let inner = regions.inner(regions.body);
    let rows = if regions.tier <= Tier::Compact { COMPACT_HEAD } else { HEAD }.min(inner.height);
    let below = Rect::new(inner.x, inner.y + rows, inner.width, inner.height - rows);
    (Rect { height: rows, ..inner }, below)
}
