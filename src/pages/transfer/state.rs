//! What stands above the lines of the page, and how much room there is for either.

use std::time::Duration;

use ratatui::layout::Rect;

use super::hops::TransferFacts;
use crate::{
    app::transfers::signs,
    config::{Command, Meaning},
    domain::Timestamp,
    story::transfer::NextStep,
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
    /// How long it takes or took so far, without the waits for a person; `None` where nobody knows since when.
    pub(super) elapsed: Option<Duration>,
    /// When it was first looked at.
    pub(super) looked_at: Timestamp,
    /// How long it should take.
    pub(super) planned: Option<Duration>,
    /// When it should be there.
    pub(super) expected: Option<Timestamp>,
    /// Whether that is a time from which it can be claimed.
    pub(super) is_withdrawal: bool,
    /// Whether no time is awaited: it is over, waits for a person, or nobody confirms any more how it stands.
    pub(super) is_quiet: bool,
    /// Whether nothing is awaited any more.
    pub(super) is_over: bool,
    /// What can be done next, in words; `None` where it is to wait.
    pub(super) next: Option<String>,
    /// By which command.
    pub(super) next_by: Command,
}

impl TransferHead {
    pub(super) fn new(facts: &TransferFacts<'_>) -> Self {
        let TransferFacts { transfer, status_view, now, .. } = *facts;
        let is_with_person = matches!(status_view.next, NextStep::SendNext(_) | NextStep::Claim);
        let is_stopped = status_view.phase.is_over() || is_with_person;
        let last_change = transfer.record.changes.last().map_or(now, |change| change.at);
        let spans = status_view.clocks.iter().map(|clock| clock.elapsed(if is_stopped { last_change } else { now }));
        let current = status_view.clocks.last().copied().unwrap_or_default();
        let is_own_claim = status_view.next == NextStep::Claim && facts.cx.directory.wallet().is_none();
        let next_by = if is_own_claim { Command::SignInBrowser } else { Command::NextStep };
        let next = match &status_view.next {
            NextStep::Wait => None,
            NextStep::TrackAgain => Some("ask the router to watch it again".to_owned()),
            NextStep::RouteFrom(_) => Some("look for a new route from where the funds are".to_owned()),
            NextStep::SendNext(tx) => Some(format!("make transaction {} ready and send it", tx + 1)),
            NextStep::Claim if facts.cx.directory.wallet().is_some() => {
                Some("claim it with the demo wallet; it goes to the recipient".to_owned())
            }
            NextStep::Claim => Some("claim it with your own wallet; it goes to the recipient".to_owned()),
            NextStep::CheckDestination => Some("ask the chain where the funds should be".to_owned()),
        };
        Self {
            meaning: signs::meaning(transfer, status_view),
            sign: signs::sign(transfer, status_view),
            headline: status_view.headline.first_line_in(&facts.cx.zone, now),
            elapsed: spans.collect::<Option<Vec<Duration>>>().map(|spans| spans.iter().sum()),
            looked_at: transfer.record.created,
            planned: current.estimate,
            expected: status_view.expected,
            is_withdrawal: status_view
                .hops
                .iter()
                .any(|hop| hop.claimable.is_some() && hop.claimable == status_view.expected),
            is_quiet: !transfer.is_live() || is_with_person || status_view.as_of.is_some(),
            is_over: !transfer.is_live(),
            next,
            next_by,
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
