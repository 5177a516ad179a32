//! Evidence behind the words about an executed message.

use std::{cell::RefCell, collections::HashSet};

/// Evidence for a sentence about a message, in a successful transaction. Ordered from the weakest, so that the minimum
/// of two is the weaker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Proof {
    /// The record lacks the events that such a message always emits: the words only state the request.
    Absent,
    /// Execution is certain, and the words claim no more: "called X on Y".
    Ran,
    /// Only events of the contract itself, which any contract may write.
    Reported,
    /// Events of the chain, or of a contract with a known address.
    Shown,
}

/// Position of a trace: an event, or one log within an EVM event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct TracePlace {
    /// Index in [`crate::story::Decoded::events`].
    pub(crate) event: usize,
    /// Index of the log; `None` for an event that is a trace as a whole.
    pub(crate) log: Option<usize>,
}

/// Traces already used as evidence. Each proves one fact: of two equal calls with one event, only one is proven.
#[derive(Debug, Default)]
pub(crate) struct Claims(RefCell<HashSet<TracePlace>>);

impl Proof {
    /// Returns `Shown` if there are events, else `Absent`.
    pub(crate) fn by(events: &[usize]) -> Self {
        if events.is_empty() { Self::Absent } else { Self::Shown }
    }
}

impl TracePlace {
    pub(crate) fn event(event: usize) -> Self {
        Self { event, log: None }
    }
}

impl Claims {
    /// Whether the trace is unused.
    pub(crate) fn is_free(&self, trace: TracePlace) -> bool {
        !self.0.borrow().contains(&trace)
    }

    /// Uses a trace; false if it was used before.
    pub(crate) fn take(&self, trace: TracePlace) -> bool {
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
