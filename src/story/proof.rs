//! What stands behind the words of a message that ran.

use std::{cell::RefCell, collections::HashSet};

use super::SentenceKind;

/// What bears out what is said of a message, in a transaction that succeeded. The weakest comes first, so that the
/// weaker of two is their minimum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Proof {
    /// Nothing: what such a message always leaves is not in the record. The words say what was asked.
    Absent,
    /// That it ran is certain, and the words say no more than that: "called X on Y".
    Ran,
    /// Events of the contract itself, which anybody may write, and nothing else.
    Reported,
    /// Events of the chain, or of a contract that is known by its address.
    Shown,
}

/// Where a trace is: an event, and in an event of the EVM the attribute with the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct TracePlace {
    /// In [`super::Decoded::events`].
    pub(super) event: usize,
    /// The log's number within the event; none for an event that is one trace as a whole.
    pub(super) log: Option<usize>,
}

/// The traces that bear something out already. Each bears out one thing only: of two equal calls with one event, one
/// left nothing.
#[derive(Debug, Default)]
pub(super) struct Claims(RefCell<HashSet<TracePlace>>);

impl Proof {
    /// What is said of a sentence with this behind it.
    pub(super) fn kind(self) -> SentenceKind {
        match self {
            Self::Absent | Self::Ran => SentenceKind::Asked,
            Self::Reported => SentenceKind::Reported,
            Self::Shown => SentenceKind::Proven,
        }
    }

    /// Shown where there are events, else absent.
    pub(super) fn by(events: &[usize]) -> Self {
        if events.is_empty() { Self::Absent } else { Self::Shown }
    }
}

impl TracePlace {
    /// A whole event.
    pub(super) fn event(event: usize) -> Self {
        Self { event, log: None }
    }
}

impl Claims {
    /// Whether it bears out nothing yet.
    pub(super) fn is_free(&self, trace: TracePlace) -> bool {
        !self.0.borrow().contains(&trace)
    }

    /// Takes a trace; whether it was free.
    pub(super) fn take(&self, trace: TracePlace) -> bool {
        self.0.borrow_mut().insert(trace)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_weaker_of_two_decides_and_a_trace_is_taken_once() {
        assert_eq!(Proof::Shown.min(Proof::Absent), Proof::Absent);
        assert_eq!([Proof::by(&[]), Proof::by(&[3])], [Proof::Absent, Proof::Shown]);
        let claims = Claims::default();
        let log = TracePlace { event: 3, log: Some(0) };
        assert!(claims.take(log) && !claims.take(log) && !claims.is_free(log));
        assert!(claims.is_free(TracePlace { log: Some(1), ..log }) && claims.is_free(TracePlace::event(3)));
    }
}
