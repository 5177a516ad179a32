//! Source and time of a headline.

use super::{
    ArrivalEvidence, HeadlineSource, HeadlineWitness, Phase, RouterHealth, SourceEvidence,
    analysis::TransferAnalysis,
    tx_leg::{TxLeg, Withdrawal},
};
use crate::domain::Timestamp;

impl TransferAnalysis<'_> {
    pub(super) fn headline_source(&self) -> HeadlineSource {
        let Some(leg) = self.leg() else { return HeadlineSource::default() };
        let (witness, at) = match self.phase {
            _ if self.to_send.is_some() => (HeadlineWitness::Router, self.router_at()),
            Phase::Arrived => self.source_of_arrival(leg),
            Phase::NotKnown | Phase::Waiting => self.source_of_waiting(leg),
            Phase::Forgotten => (HeadlineWitness::Router, self.heard_at()),
            Phase::FailedReleased | Phase::EndedUnstated if self.findings.returned.is_some() => {
                let is_both = self.phase == Phase::EndedUnstated;
                (if is_both { HeadlineWitness::Both } else { HeadlineWitness::Indexer }, self.findings.source_at)
            }
            Phase::FailedAtSource if self.is_refused_as_invalid() => (HeadlineWitness::Router, self.heard_at()),
            Phase::Contradictory if leg.contradiction.as_ref().is_some_and(|told| !told.is_of_router()) => {
                (HeadlineWitness::Both, self.findings.source_at.or(self.router_at()))
            }
            Phase::Finalizing if leg.withdrawal.as_ref().and_then(Withdrawal::known_stage).is_some() => {
                (HeadlineWitness::Settlement, self.settled_at())
            }
            Phase::Finalizing if leg.is_on_chain() => (HeadlineWitness::Router, self.router_at()),
            Phase::Finalizing => (HeadlineWitness::Indexer, self.findings.source_at),
            _ => match self.evidence.source {
                Some(SourceEvidence::Failed) if leg.router_phase != Phase::FailedAtSource => {
                    (HeadlineWitness::Indexer, self.findings.source_at)
                }
                Some(SourceEvidence::Failed) => (HeadlineWitness::Both, self.findings.source_at),
                Some(SourceEvidence::Expired) => (HeadlineWitness::Node, self.findings.source_at),
                _ => (HeadlineWitness::Router, self.router_at()),
            },
        };
        HeadlineSource { witness, at }
    }

    fn source_of_arrival(&self, leg: &TxLeg<'_>) -> (HeadlineWitness, Option<Timestamp>) {
        let is_told = leg.router_phase == Phase::Arrived;
        if leg.is_claimed_by_l1() && !is_told && self.evidence.arrival.is_none() {
            return (HeadlineWitness::Settlement, self.settled_at());
        }
        match self.evidence.arrival {
            Some(ArrivalEvidence::Credited) if !is_told => (HeadlineWitness::Indexer, self.findings.arrival_at),
            Some(ArrivalEvidence::Credited | ArrivalEvidence::NotCredited) => {
                (HeadlineWitness::Both, self.findings.arrival_at.or(self.router_at()))
            }
            _ if is_told => (HeadlineWitness::RouterOnly, self.router_at()),
            _ => (HeadlineWitness::Router, self.router_at()),
        }
    }

    fn source_of_waiting(&self, leg: &TxLeg<'_>) -> (HeadlineWitness, Option<Timestamp>) {
        let is_heard = self.heard_at().is_some();
        match self.evidence.source {
            Some(_) if is_heard => (HeadlineWitness::Both, self.findings.source_at.or(self.heard_at())),
            Some(_) => (HeadlineWitness::Indexer, self.findings.source_at),
            None if is_heard => (HeadlineWitness::Router, self.heard_at()),
            None if self.is_ours => (HeadlineWitness::Sender, leg.tx.map(|tx| tx.at)),
            None => (HeadlineWitness::Nobody, None),
        }
    }

    /// Returns when executor or L1 last answered.
    fn settled_at(&self) -> Option<Timestamp> {
        self.findings.settlement.as_ref().map(|answers| answers.at)
    }

    /// Returns when the router last answered, whatever the answer.
    fn heard_at(&self) -> Option<Timestamp> {
        match self.standing() {
            RouterHealth::Unknowing(streak) => Some(streak.last),
            RouterHealth::Refusing { at, .. } => Some(*at),
            _ => self.router_at(),
        }
    }
}
