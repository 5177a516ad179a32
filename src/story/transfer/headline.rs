//! The first line: where the funds are, never more than is known.

use std::fmt;

use super::{
    ArrivalEvidence, HopPhase, HopView, Phase, SourceEvidence,
    analysis::TransferAnalysis,
    status_part::TransferState,
    tx_leg::{TxLeg, Withdrawal},
};
use crate::{
    domain::{ChainId, Timestamp, Tracking, text},
    wire::router::AssetRelease,
};

/// Columns of a chain's name, of an amount, and of the whole at the most.
const CHAIN: usize = 22;
const AMOUNT: usize = 36;
const LINE: usize = 120;

/// What the first line says only where it is true; names from outside could say it too.
const ARRIVED: &str = "arrived";

/// Where the funds are, in one sentence.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TransferHeadline {
    /// What is known: the same text stands for the same knowledge. Empty before anything is.
    pub text: String,
    /// The time that passes, where it does: `0:40 of about 1:30`.
    pub clock: Option<String>,
}

impl fmt::Display for TransferHeadline {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.text)?;
        self.clock.iter().try_for_each(|clock| write!(formatter, ", {clock}"))
    }
}

impl TransferAnalysis<'_> {
    /// Where the funds are, as one sentence.
    pub(super) fn headline(&self) -> TransferHeadline {
        let clock = self.is_timed().then(|| self.time());
        let room = LINE - clock.as_ref().map_or(0, |clock| clock.len() + 2);
        TransferHeadline { text: text::clip(&self.text(), room), clock }
    }

    /// Whether the sentence is of one that moves, so that the time tells how far it may be.
    fn is_timed(&self) -> bool {
        let is_there = self.leg().is_none_or(|leg| leg.release_at_destination().is_some());
        self.phase == Phase::Moving && self.to_send.is_none() && !is_there
    }

    fn text(&self) -> String {
        let Some(leg) = self.leg() else { return plain(&Phase::NotKnown).to_owned() };
        if let Some(index) = self.to_send {
            return self.next_text(leg, index);
        }
        if leg.is_failed_at_source {
            let source = self.place(self.source());
            return format!("Failed at the source: nothing but the fee left the account{source}.");
        }
        match self.phase {
            Phase::NotKnown => self.unknown_text(leg),
            Phase::Waiting => self.waiting_text(),
            Phase::Moving => self.moving_text(leg),
            Phase::Failing => self.failing_text(leg),
            Phase::Finalizing => self.finalizing_text(leg),
            Phase::Arrived => self.arrived_text(leg),
            Phase::EndedUnstated => self.ended_text(leg),
            Phase::FailedReleased => match (leg.release(), leg.part().map(|part| &part.state)) {
                (Some(release), Some(TransferState::Completed))
                    if leg.part().is_some_and(|part| part.error.is_none()) =>
                {
                    format!("Ended otherwise than planned. Your {}.", self.is_on(release))
                }
                (Some(release), _) => format!("Did not complete. Your {}.", self.is_on(release)),
                (None, _) => plain(&self.phase).to_owned(),
            },
            Phase::FailedHeld => self.held_text(leg),
            Phase::Abandoned => plain(&self.phase).to_owned(),
            Phase::Strange => self.strange_text(leg),
        }
    }

    fn unknown_text(&self, leg: &TxLeg<'_>) -> String {
        let source = self.place(self.source());
        if let Some(withdrawal) = &leg.withdrawal {
            let rollup = self.chain(&withdrawal.from);
            return match self.evidence.source {
                Some(SourceEvidence::Absent) => {
                    format!("Withdrawal sent; the indexer of {rollup} does not have it yet.")
                }
                _ => format!("Withdrawal sent on {rollup}; nobody has confirmed yet that it is on chain."),
            };
        }
        let is_refused = leg.tx.is_some_and(|tx| tx.tracking == Tracking::Refused);
        match self.evidence.source {
            Some(SourceEvidence::Succeeded) => {
                format!("The transaction is on chain{source}; the router does not know it yet.")
            }
            Some(SourceEvidence::Absent) => {
                format!("Not seen{source} yet, as far as its indexer knows; the router does not know it either.")
            }
            _ if is_refused => {
                "The router refused to track this transaction; where the funds are is not known.".to_owned()
            }
            _ => plain(&Phase::NotKnown).to_owned(),
        }
    }

    fn waiting_text(&self) -> String {
        let source = self.place(self.source());
        match self.evidence.source {
            Some(SourceEvidence::Succeeded) => {
                format!("The transaction is on chain{source}; the router has not seen it there yet.")
            }
            _ => format!("Sent; waiting until the transaction is on chain{source}."),
        }
    }

    fn moving_text(&self, leg: &TxLeg<'_>) -> String {
        if let Some(release) = leg.release_at_destination() {
            return format!("The router says that your {}; its last word is still out.", self.is_on(release));
        }
        let mine = || self.hops.iter().enumerate().filter(|(_, hop)| hop.tx_index == self.current);
        let active = mine().find(|(_, hop)| hop.phase == HopPhase::Active);
        let waiting = || mine().find(|(_, hop)| hop.phase == HopPhase::Waiting);
        let begun = mine().any(|(_, hop)| hop.phase == HopPhase::Done);
        let place = match (active, waiting().filter(|_| begun)) {
            (Some((index, hop)), _) => self.step(index, hop),
            (None, Some((index, hop))) => format!("next is {}", self.step(index, hop)),
            _ if begun => "every hop is done, waiting for the router's last word".to_owned(),
            _ if leg.is_on_chain() => format!("sent{}, no hop is known yet", self.place(self.source())),
            _ => "no hop is known yet".to_owned(),
        };
        format!("On its way: {place}")
    }

    fn failing_text(&self, leg: &TxLeg<'_>) -> String {
        if leg.part().is_some_and(|part| part.state != TransferState::PendingError) {
            return "One of its transfers did not complete; the others are not at their end.".to_owned();
        }
        let failed = self.hops.iter().enumerate().rev().find(|(_, hop)| hop.phase == HopPhase::Failed);
        let Some((index, hop)) = failed else { return plain(&Phase::Failing).to_owned() };
        format!("Will fail at {}; the error is travelling back.", self.step(index, hop))
    }

    fn finalizing_text(&self, leg: &TxLeg<'_>) -> String {
        let Some(Withdrawal { from, to, claimable, .. }) = &leg.withdrawal else {
            return plain(&Phase::Finalizing).to_owned();
        };
        let (from, to) = (self.chain(from), self.chain(to));
        match claimable {
            Some(time) if *time <= self.now => {
                format!("Withdrawal from {from}: should be claimable on {to} since about {} (estimate).", minute(*time))
            }
            Some(time) => format!("Withdrawal from {from}: claimable on {to} from about {} (estimate).", minute(*time)),
            None => format!("Withdrawal from {from}: claimable on {to} after its finalization period."),
        }
    }

    fn arrived_text(&self, leg: &TxLeg<'_>) -> String {
        let there = self.place(self.destination());
        match self.evidence.arrival {
            Some(ArrivalEvidence::NotCredited) => {
                return format!("The router says arrived{there}; its transaction there does not credit the recipient.");
            }
            Some(ArrivalEvidence::Credited) if leg.router_phase != Phase::Arrived => {
                return format!("Arrived{there}, as the indexer shows; the router has not said so yet.");
            }
            _ if leg.parts.len() > 1 => {
                return format!("Arrived: all {} transfers of the transaction.", leg.parts.len());
            }
            _ => {}
        }
        if let Some(release) = leg.release().filter(|release| release.released) {
            return format!("Arrived: {} on {}.", self.funds(release), self.chain(&release.chain_id));
        }
        let destination = &leg.destination;
        let planned = destination
            .chain
            .as_ref()
            .zip(destination.denom.as_ref())
            .zip(destination.amount)
            .map(|((chain, denom), amount)| text::clip(&self.names.amount(chain, denom, amount), AMOUNT));
        planned.map_or_else(|| format!("Arrived{there}."), |planned| format!("Arrived: about {planned}{there}."))
    }

    fn ended_text(&self, leg: &TxLeg<'_>) -> String {
        if self.evidence.source == Some(SourceEvidence::Failed) {
            let source = self.place(self.source());
            return format!(
                "The indexer and the router disagree: the transaction failed{source}, the router says completed."
            );
        }
        match leg.release().filter(|release| release.released) {
            Some(release) => format!("The router says completed, and that {}.", self.is_on(release)),
            None => plain(&Phase::EndedUnstated).to_owned(),
        }
    }

    fn held_text(&self, leg: &TxLeg<'_>) -> String {
        match leg.release() {
            Some(release) => {
                let chain = self.chain(&release.chain_id);
                format!("Failed; {} on {chain} is not released yet.", self.funds(release))
            }
            None => plain(&Phase::FailedHeld).to_owned(),
        }
    }

    fn strange_text(&self, leg: &TxLeg<'_>) -> String {
        let word = match leg.part().map(|part| &part.state) {
            Some(TransferState::Other(word)) if !word.is_empty() => self.outside(word, CHAIN + CHAIN),
            Some(TransferState::Unknown) => {
                return "The router says that the state is unknown; where the funds are is not stated.".to_owned();
            }
            _ => None,
        };
        match word {
            Some(word) => format!("The router says {word}, which this version does not know."),
            None => plain(&Phase::Strange).to_owned(),
        }
    }

    /// One transaction has done its part, and the next one is a person's to send.
    fn next_text(&self, leg: &TxLeg<'_>, index: usize) -> String {
        let there = leg.release().filter(|release| release.released);
        let place = match there {
            Some(release) => format!("your {}", self.is_on(release)),
            None => format!("the funds are{}", self.place(self.destination())),
        };
        let of = self.legs.len();
        format!("Step {} of {of} is done: {place}. Transaction {} is yours to send.", self.current + 1, index + 1)
    }

    /// `hop 2 of 3, Initia → Celestia`; without a route nobody knows of how many.
    pub(super) fn step(&self, index: usize, hop: &HopView) -> String {
        let of = if self.route.is_some() { format!(" of {}", self.hops.len()) } else { String::new() };
        let between = match (&hop.from, &hop.to) {
            (Some(from), Some(to)) if from == to => {
                let protocol = self.outside(&hop.protocol.to_string(), CHAIN);
                format!(", {} on {}", protocol.unwrap_or_else(|| "a step".to_owned()), self.chain(to))
            }
            (Some(from), Some(to)) => format!(", {} → {}", self.chain(from), self.chain(to)),
            (Some(one), None) | (None, Some(one)) => format!(", {}", self.chain(one)),
            (None, None) => String::new(),
        };
        format!("hop {}{of}{between}", index + 1)
    }

    /// `0:40 of about 1:30`, or `0:40 so far`.
    pub(super) fn time(&self) -> String {
        let elapsed = text::elapsed(self.elapsed());
        match self.estimate() {
            Some(estimate) => format!("{elapsed} of about {}", text::elapsed(estimate)),
            None => format!("{elapsed} so far"),
        }
    }

    /// `25 USDC`, or only what it is where the amount is not said.
    fn funds(&self, release: &AssetRelease) -> String {
        let AssetRelease { chain_id, denom, amount, .. } = release;
        let funds = match amount {
            Some(amount) => self.names.amount(chain_id, denom, *amount),
            None => self.names.denom(chain_id, denom),
        };
        self.outside(&funds, AMOUNT).unwrap_or_else(|| "asset".to_owned())
    }

    fn is_on(&self, release: &AssetRelease) -> String {
        format!("{} is on {}", self.funds(release), self.chain(&release.chain_id))
    }

    /// A name from outside, cleaned; `None` where it would say that the funds are there while that is not known.
    fn outside(&self, name: &str, width: usize) -> Option<String> {
        let name = text::clip(name, width);
        (self.phase == Phase::Arrived || !name.to_lowercase().contains(ARRIVED)).then_some(name)
    }

    pub(super) fn chain(&self, chain: &ChainId) -> String {
        self.outside(&self.names.chain(chain), CHAIN).unwrap_or_else(|| "a chain".to_owned())
    }

    /// ` on Initia`, or nothing where it is not known.
    pub(super) fn place(&self, chain: Option<&ChainId>) -> String {
        chain.map(|chain| format!(" on {}", self.chain(chain))).unwrap_or_default()
    }
}

/// What can be said of a phase without naming anything.
fn plain(phase: &Phase) -> &'static str {
    match phase {
        Phase::NotKnown => "The router does not know this transaction yet; where the funds are is not known.",
        Phase::Waiting => "Sent; waiting until the transaction is on chain.",
        Phase::Moving => "On its way.",
        Phase::Failing => "A hop failed; the error is travelling back, and nothing is released yet.",
        Phase::Finalizing => "A withdrawal that waits for its finalization.",
        Phase::Arrived => "Arrived.",
        Phase::EndedUnstated => "The router says completed; where the funds are is not stated.",
        Phase::FailedReleased => "Did not complete; the funds are released.",
        Phase::FailedHeld => "Failed; the router names no place where the funds are released.",
        Phase::Abandoned => "The tracker gave up; this says nothing about your funds.",
        Phase::Strange => "The router's answer cannot be read; where the funds are is not known.",
    }
}

/// Day and minute in UTC.
pub(super) fn minute(time: Timestamp) -> String {
    let text = time.day_and_clock();
    format!("{} UTC", text.get(..16).unwrap_or(&text))
}
