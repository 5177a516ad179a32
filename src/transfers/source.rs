//! Source and time of a headline.

use std::fmt;

use super::{
    ArrivalEvidence, Phase, RouterHealth, SourceEvidence,
    analysis::TransferAnalysis,
    tx_leg::{TxLeg, Withdrawal},
};
use crate::domain::{Timestamp, text};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HeadlineWitness {
    Router,
    /// Indexer of the chain in question.
    Indexer,
    /// L1, for a withdrawal that is claimed there.
    Settlement,
    /// Both, possibly in disagreement.
    Both,
    /// Sender: no other server knows of it yet.
    Sender,
    /// No source: the status is unknown.
    #[default]
    Nobody,
}

impl HeadlineWitness {
    /// Returns the word in JSON.
    pub fn word(self) -> &'static str {
        match self {
            Self::Router => "router",
            Self::Indexer => "indexer",
            Self::Settlement => "l1",
            Self::Both => "router_and_indexer",
            Self::Sender => "sender",
            Self::Nobody => "nobody",
        }
    }
}

impl fmt::Display for HeadlineWitness {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(match self {
            Self::Router => "router",
            Self::Indexer => "indexer",
            Self::Settlement => "L1",
            Self::Both => "router and indexer",
            Self::Sender => "sender",
            Self::Nobody => "nobody",
        })
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HeadlineSource {
    pub witness: HeadlineWitness,
    /// Time of the last statement; `None` before the first.
    pub at: Option<Timestamp>,
}

impl HeadlineSource {
    /// Formats `router, 4 s ago`, `indexer, now`; `None` without a statement.
    pub fn words(&self, now: Timestamp) -> Option<String> {
        let at = self.at.filter(|_| self.witness != HeadlineWitness::Nobody)?;
        let age = now.since(at);
        Some(if age.as_secs() == 0 {
            format!("{}, now", self.witness)
        } else {
            format!("{}, {} ago", self.witness, text::age(age))
        })
    }
}

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

    /// Returns the time of the last answer from executor or L1.
    fn settled_at(&self) -> Option<Timestamp> {
        self.findings.settlement.as_ref().map(|answers| answers.at)
    }

    /// Returns the time of the router's last answer of any kind.
    fn heard_at(&self) -> Option<Timestamp> {
        match self.standing() {
            RouterHealth::Unknowing(streak) => Some(streak.last),
            RouterHealth::Refusing { at, .. } => Some(*at),
            _ => self.router_at(),
        }
    }
}
