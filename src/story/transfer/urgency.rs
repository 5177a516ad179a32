//! Which of many transfers needs somebody most.

use super::{NextStep, Phase, TransferStatusView};
use crate::domain::Timestamp;

/// How much a transfer needs somebody, the most first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, strum::Display)]
#[strum(serialize_all = "snake_case")]
pub enum Urgency {
    /// The funds wait for a person.
    Yours,
    /// It failed, or will.
    Failed,
    /// It should be there already.
    Late,
    /// Where the funds are is not known.
    Unknown,
    /// On its way, as it should be.
    Moving,
    /// It arrived.
    Done,
}

impl Urgency {
    /// That of a transfer that stands like this.
    pub fn of(view: &TransferStatusView, now: Timestamp) -> Self {
        match (&view.next, &view.phase) {
            (NextStep::SendNext(_) | NextStep::Claim, _) => Self::Yours,
            (_, Phase::Failing | Phase::FailedHeld | Phase::FailedAtSource | Phase::FailedReleased) => Self::Failed,
            (_, Phase::Arrived) => Self::Done,
            _ if view.awaited().is_some_and(|at| at <= now) => Self::Late,
            (_, Phase::Waiting | Phase::Moving | Phase::Finalizing) => Self::Moving,
            (_, Phase::NotKnown | Phase::Forgotten | Phase::Strange | Phase::Abandoned | Phase::EndedUnstated) => {
                Self::Unknown
            }
        }
    }
}

impl TransferStatusView {
    /// When it should be there; `None` once it is over, while it waits for a person, who is not late, or where nobody
    /// knows.
    pub fn awaited(&self) -> Option<Timestamp> {
        let is_with_person = matches!(self.next, NextStep::SendNext(_) | NextStep::Claim);
        self.expected.filter(|_| !self.phase.is_over() && !is_with_person)
    }
}
