//! Head of a transfer's page, and the layout of head and lines.

use std::time::Duration;

use ratatui::layout::Rect;

use super::hops::TransferFacts;
use crate::{
    app::transfers::signs::sign,
    config::{Command, Meaning},
    domain::{Timestamp, text},
    transfers::{NextStep, Phase, SubstituteEstimate},
    widgets::layout::{Regions, Tier},
};

/// Rows of the head: two of headline, two bars, the next action and a separator.
const HEAD: u16 = 6;
/// Rows of the head on a small screen.
const COMPACT_HEAD: u16 = 3;

/// Head of the page: where the funds are, for how long, and the next action.
#[derive(Clone, Debug)]
pub(super) struct TransferHead {
    /// Colour, symbol and word of the state.
    pub(super) sign: (Meaning, &'static str, &'static str),
    /// Sentence about the location of the funds.
    pub(super) headline: String,
    /// Elapsed time, without waits for the user; `None` if the start is unknown.
    pub(super) elapsed: Option<Duration>,
    /// Known times of a transfer without `elapsed`.
    pub(super) untimed: String,
    pub(super) planned: Option<Duration>,
    /// What `planned` is estimated by; `None` if the transfer's route states it.
    pub(super) substitute: Option<SubstituteEstimate>,
    pub(super) expected: Option<Timestamp>,
    /// Whether [`Self::expected`] is when the withdrawal becomes claimable.
    pub(super) is_withdrawal: bool,
    /// Whether to show no arrival time: the transfer is finished, waits for the user, or has an outdated status.
    pub(super) is_quiet: bool,
    /// Whether the transfer is finished.
    pub(super) is_over: bool,
    /// The user's next action; `None` if none is due.
    pub(super) next: Option<String>,
    pub(super) next_by: Command,
}

impl TransferHead {
    pub(super) fn new(facts: &TransferFacts<'_>) -> Self {
        let TransferFacts { transfer, status_view, now, .. } = *facts;
        let is_with_person = matches!(status_view.next, NextStep::SendNext(_) | NextStep::Claim);
        let is_stopped = status_view.phase.is_over() || is_with_person;
        let last_change = transfer.follower.record.changes.last().map_or(now, |change| change.at);
        let is_abandoned = status_view.phase == Phase::Abandoned;
        let spans = status_view.clocks.iter().map(|clock| clock.elapsed(if is_stopped { last_change } else { now }));
        let current = status_view.clocks.last().copied().unwrap_or_default();
        let is_own_claim = status_view.next == NextStep::Claim && facts.cx.directory.wallet().is_none();
        let next_by = if is_own_claim { Command::SignInBrowser } else { Command::NextStep };
        let next = match &status_view.next {
            NextStep::Wait => None,
            NextStep::TrackAgain => Some("ask the router to retry tracking".to_owned()),
            NextStep::RouteFrom(_) => Some("find a new route from the funds' location".to_owned()),
            NextStep::SendNext(tx) => Some(format!("prepare and send transaction {}", tx + 1)),
            NextStep::Claim if facts.cx.directory.wallet().is_some() => {
                Some("claim with the demo wallet; the recipient gets the funds".to_owned())
            }
            NextStep::Claim => Some("claim with your own wallet; the recipient gets the funds".to_owned()),
            NextStep::CheckDestination => Some("check the chain where the funds should be".to_owned()),
        };
        Self {
            sign: sign(transfer, status_view),
            headline: status_view.headline.first_line_in(&facts.cx.zone, now),
            elapsed: spans.collect::<Option<Vec<Duration>>>().filter(|_| !is_abandoned).map(|spans| spans.iter().sum()),
            untimed: untimed(facts),
            planned: current.estimate,
            substitute: status_view.substitute,
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

/// Describes a transfer's known times, without its duration so far.
fn untimed(facts: &TransferFacts<'_>) -> String {
    let TransferFacts { transfer, status_view, now, .. } = *facts;
    let zone = &facts.cx.zone;
    let of_hops = status_view.hops.iter().flat_map(|hop| &hop.txs).filter_map(|(_, tx)| tx.on_chain_at.parse().ok());
    let newest: Option<Timestamp> = of_hops.max();
    if status_view.clocks.iter().any(|clock| clock.is_ahead(now)) {
        return "a time of this transfer is in the future: the clocks differ".to_owned();
    }
    match newest.filter(|_| status_view.phase == Phase::Abandoned) {
        Some(at) => {
            let (when, age) = (zone.recent(at, now), text::age(now.since(at)));
            format!("last transaction {when}, {age} ago  ·  the router stopped tracking")
        }
        None => format!("start unknown  ·  first seen {}", zone.day_and_clock(transfer.follower.record.created)),
    }
}

pub(super) fn rooms(regions: &Regions) -> (Rect, Rect) {
    let inner = regions.inner(regions.body);
    let rows = if regions.tier <= Tier::Compact { COMPACT_HEAD } else { HEAD }.min(inner.height);
    let below = Rect::new(inner.x, inner.y + rows, inner.width, inner.height - rows);
    (Rect { height: rows, ..inner }, below)
}
