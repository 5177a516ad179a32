//! What indexers have found, put together.

use super::Evidence;

/// What is found of the newest source transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Source {
    /// Its indexer does not have it yet.
    Absent,
    /// It is on chain and did what it was meant to.
    Succeeded,
    /// It is on chain and failed.
    Failed,
}

/// What is found on the destination.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Arrival {
    /// Its indexer does not have the transaction yet.
    Absent,
    /// The transaction is there and gives the recipient nothing.
    NotCredited,
    /// The recipient was credited.
    Credited,
}

/// Everything that was found; of several findings the one that says more counts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sightings {
    pub(super) source: Option<Source>,
    pub(super) arrival: Option<Arrival>,
}

impl Sightings {
    pub(super) fn of(evidence: &[Evidence]) -> Self {
        let source = evidence.iter().filter_map(|found| match found {
            Evidence::SourceSucceeded => Some(Source::Succeeded),
            Evidence::SourceFailed => Some(Source::Failed),
            Evidence::SourceAbsent => Some(Source::Absent),
            _ => None,
        });
        let arrival = evidence.iter().filter_map(|found| match found {
            Evidence::Credited => Some(Arrival::Credited),
            Evidence::NotCredited => Some(Arrival::NotCredited),
            Evidence::ArrivalAbsent => Some(Arrival::Absent),
            _ => None,
        });
        Self { source: source.max(), arrival: arrival.max() }
    }
}
