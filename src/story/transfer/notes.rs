//! What else is to be said: the estimate, what is overdue, what the two witnesses say.

use super::{
    ArrivalEvidence, Phase, SourceEvidence, analysis::TransferAnalysis, status_part::TransferState, tx_leg::TxLeg,
};
use crate::domain::text;

/// So many times the estimate is worth a word of its own.
const MUCH: u32 = 3;
/// Columns of a server's word at the most.
const WORD: usize = 60;

impl TransferAnalysis<'_> {
    /// More on where it stands, one short sentence each.
    pub(super) fn notes(&self) -> Vec<String> {
        let Some(leg) = self.leg() else { return Vec::new() };
        let unread = self.answers.has_unreadable_route();
        [
            unread.then(|| "The kept route cannot be read; only the status is shown.".to_owned()),
            note_parts(leg),
            self.note_legs(),
            self.note_overdue(leg),
            self.note_place(leg),
            self.evidence_note(leg),
        ]
        .into_iter()
        .flatten()
        .chain(self.notes_of_withdrawal(leg))
        .collect()
    }

    fn note_legs(&self) -> Option<String> {
        let of = self.legs.len();
        (of > 1).then(|| format!("Transaction {} of {of}; each needs a signature of its own.", self.current + 1))
    }

    fn note_overdue(&self, leg: &TxLeg<'_>) -> Option<String> {
        let is_open = matches!(self.phase, Phase::NotKnown | Phase::Waiting | Phase::Moving | Phase::Failing);
        let estimate = self.estimate().filter(|_| is_open && self.to_send.is_none() && leg.withdrawal.is_none())?;
        let elapsed = self.elapsed();
        if elapsed <= estimate {
            return None;
        }
        let times = format!("{} of about {}", text::elapsed(elapsed), text::elapsed(estimate));
        let is_much = elapsed >= estimate.saturating_mul(MUCH);
        Some(if is_much {
            format!("Much longer than usual, over {MUCH} times the estimate: {times}.")
        } else {
            format!("Taking longer than usual: {times}.")
        })
    }

    /// Where it was last, where the state does not say, or another place than planned.
    fn note_place(&self, leg: &TxLeg<'_>) -> Option<String> {
        match self.phase {
            Phase::Abandoned | Phase::Strange => {
                let hop = leg.part()?.frontier()?;
                let (from, to) = hop.from_chain_id.as_ref().zip(hop.to_chain_id.as_ref())?;
                let state = text::clip(&hop.state, WORD);
                Some(format!("Last heard of between {} and {}: {state}.", self.chain(from), self.chain(to)))
            }
            Phase::Arrived => {
                let release = leg.release().filter(|release| release.released)?;
                let is_planned = leg.destination.chain.is_none() || leg.destination.holds(release);
                (!is_planned).then(|| "The route was to end in another place or another asset.".to_owned())
            }
            Phase::EndedUnstated => {
                let release = leg.release().filter(|release| !release.released)?;
                Some(format!(
                    "It names {}, and does not say that anything is released there.",
                    self.chain(&release.chain_id)
                ))
            }
            _ => None,
        }
    }

    fn notes_of_withdrawal(&self, leg: &TxLeg<'_>) -> Vec<String> {
        let Some(withdrawal) = leg.withdrawal.as_ref().filter(|_| self.phase == Phase::Finalizing) else {
            return Vec::new();
        };
        let (from, to) = (self.chain(&withdrawal.from), self.chain(&withdrawal.to));
        let mut notes = Vec::new();
        if withdrawal.claimable.is_some() {
            notes.push(format!("The estimate is the time of the transaction on {from} and the quoted duration."));
        }
        notes.push(format!("Routers do not follow withdrawals to their end: the claim is a transaction on {to}."));
        if leg
            .part()
            .is_some_and(|part| matches!(part.state, TransferState::CompletedSuccess | TransferState::Completed))
        {
            notes.push(format!("The router says completed; that is the transaction on {from}, not the claim."));
        }
        notes
    }

    /// What the router and an indexer say of the same thing.
    fn evidence_note(&self, leg: &TxLeg<'_>) -> Option<String> {
        self.note_on_arrival(leg).or_else(|| self.note_on_source(leg))
    }

    fn note_on_arrival(&self, leg: &TxLeg<'_>) -> Option<String> {
        let chain = self.destination().map_or_else(|| "the destination".to_owned(), |chain| self.chain(chain));
        let indexer = format!("the indexer of {chain}");
        let is_there = leg.router_phase == Phase::Arrived;
        Some(match self.evidence.arrival? {
            ArrivalEvidence::Credited if is_there && self.phase == Phase::Arrived => {
                format!("The router and {indexer} agree: it arrived.")
            }
            ArrivalEvidence::Credited if self.phase == Phase::Arrived => {
                format!("Only {indexer} shows the credit; the router has not caught up.")
            }
            ArrivalEvidence::Credited => {
                format!("The router and {indexer} disagree: only the indexer shows a credit.")
            }
            ArrivalEvidence::NotCredited if is_there => {
                format!("The router and {indexer} disagree: the transaction that the router names holds no credit.")
            }
            ArrivalEvidence::NotCredited => {
                format!("The transaction on {chain} that the router names credits the recipient nothing.")
            }
            ArrivalEvidence::Absent if is_there => {
                format!("Only the router says arrived; {indexer} does not have that transaction yet.")
            }
            ArrivalEvidence::Absent => return None,
        })
    }

    fn note_on_source(&self, leg: &TxLeg<'_>) -> Option<String> {
        let chain = self.source().map_or_else(|| "the source".to_owned(), |chain| self.chain(chain));
        let indexer = format!("the indexer of {chain}");
        let is_behind = matches!(leg.router_phase, Phase::NotKnown | Phase::Waiting);
        let is_told = leg.part().is_some_and(super::status_part::StatusPart::is_failed_at_source);
        Some(match self.evidence.source? {
            SourceEvidence::Failed if is_told => format!("The router and {indexer} agree: the transaction failed."),
            SourceEvidence::Failed if self.phase == Phase::EndedUnstated || !leg.is_failed_at_source => {
                format!("The router and {indexer} disagree: only the indexer has the transaction as failed.")
            }
            SourceEvidence::Failed => {
                format!("Only {indexer} has the transaction as failed; the router has not caught up.")
            }
            SourceEvidence::Succeeded if is_told => {
                format!("The router and {indexer} disagree: only the router has the transaction as failed.")
            }
            SourceEvidence::Succeeded if is_behind => {
                format!("Only {indexer} has the transaction; the router has not caught up.")
            }
            SourceEvidence::Succeeded => format!("The router and {indexer} agree: the transaction is on chain."),
            SourceEvidence::Absent if is_behind => {
                format!("Neither the router nor {indexer} has seen the transaction on chain.")
            }
            SourceEvidence::Absent => {
                format!("Only the router knows the transaction; {indexer} does not have it yet.")
            }
        })
    }
}

fn note_parts(leg: &TxLeg<'_>) -> Option<String> {
    let done = leg.parts.iter().filter(|part| part.phase(&leg.destination) == Phase::Arrived).count();
    let of = leg.parts.len();
    (of > 1).then(|| format!("The transaction began {of} transfers, of which {done} are done; the worst is told."))
}
