//! Order of transfers, most urgent first.

use super::{NextStep, Phase, TransferStatusView};
use crate::domain::Timestamp;

/// Urgency of a transfer, most urgent first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, strum::Display)]
#[strum(serialize_all = "snake_case")]
pub enum Urgency {
    Yours,
    Failed,
    Late,
    /// Where the funds are is unknown.
    Unknown,
    /// On its way and not late.
    Moving,
    Done,
}

impl Urgency {
    pub fn of(view: &TransferStatusView, now: Timestamp) -> Self {
        match (&view.next, &view.phase) {
            (NextStep::SendNext(_) | NextStep::Claim, _) => Self::Yours,
            (_, Phase::Failing | Phase::FailedHeld | Phase::FailedAtSource | Phase::FailedReleased) => Self::Failed,
            (_, Phase::Arrived) => Self::Done,
            _ if view.awaited().is_some_and(|at| at <= now) => Self::Late,
            (_, Phase::Waiting | Phase::Moving | Phase::Finalizing) => Self::Moving,
            (
                _,
                Phase::NotKnown
                | Phase::Forgotten
                | Phase::Strange
                | Phase::Contradictory
                | Phase::Abandoned
                | Phase::EndedUnstated,
            ) => Self::Unknown,
        }
    }
}

impl TransferStatusView {
    /// Returns the expected arrival; `None` if the transfer is finished, waits for the user, or has no estimate.
    pub fn awaited(&self) -> Option<Timestamp> {
        let is_with_person = matches!(self.next, NextStep::SendNext(_) | NextStep::Claim);
        self.expected.filter(|_| !self.phase.is_over() && !is_with_person)
    }
}
