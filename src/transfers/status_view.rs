//! Status of a transfer as values.

use std::fmt;

use super::{HopPhase, HopProtocol, LegClock, Phase};
use crate::{
    domain::{Amount, ChainId, Denom, LocalZone, TimedText, Timestamp, text},
    story::WithdrawalStage,
    wire::router::{AssetRelease, ChainTx, HopSlot},
};

/// Step of a transfer: an operation of its route, a hop of its status, or both.
#[derive(Clone, Debug)]
pub struct HopView {
    pub protocol: HopProtocol,
    pub from: Option<ChainId>,
    pub to: Option<ChainId>,
    pub planned: Option<(Denom, Amount)>,
    pub phase: HopPhase,
    /// State name from the server, cleaned; empty before the first status.
    pub state: String,
    /// Known transactions.
    pub txs: Vec<(HopSlot, ChainTx)>,
    /// Cause of the failure, cleaned.
    pub problem: Option<String>,
    /// Time of its first transaction.
    pub began: Option<Timestamp>,
    /// Time of its last transaction; `None` while in progress.
    pub ended: Option<Timestamp>,
    /// Planned duration in seconds, if the route gives one for this hop.
    pub planned_seconds: Option<u64>,
    /// Expected claim time of an unclaimed withdrawal; `None` if unknown.
    pub claimable: Option<Timestamp>,
    /// Stage of a withdrawal by executor and L1, if they answered.
    pub stage: Option<WithdrawalStage>,
    /// Index of its transfer within the transaction, from 0, and index within that; `None` before the router's answer.
    pub part: Option<(usize, usize)>,
    /// Index of its signed transaction, from 0.
    pub tx_index: usize,
}

/// Next action of the user.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum NextStep {
    #[default]
    Wait,
    /// Register the transaction with the router again.
    TrackAgain,
    /// Requests a route from the funds' position.
    RouteFrom(AssetRelease),
    /// Sign and broadcast the next transaction of the route.
    SendNext(usize),
    /// Claim the withdrawal on the L1.
    Claim,
    /// Checks the chain where the funds should be.
    CheckDestination,
}

/// Status of a transfer, as sentences and as values.
#[derive(Clone, Debug, Default)]
pub struct TransferStatusView {
    /// Phase of the whole transfer.
    pub phase: Phase,
    /// Headline of the transfer page: the position of the funds. Always true, never more than is known.
    pub headline: TransferHeadline,
    /// Short sentences beside the headline: estimate, delay, evidence of router and indexer.
    pub notes: Vec<TimedText>,
    /// Hops in the order of their transactions.
    pub hops: Vec<HopView>,
    /// Current or future position of the funds, by the router.
    pub release: Option<AssetRelease>,
    /// Failure in the server's words, cleaned.
    pub problem: Option<String>,
    /// Next action of the user.
    pub next: NextStep,
    /// Expected arrival: broadcast time plus quoted duration; for withdrawals the claim time. `None` if the route has
    /// no duration for the current part.
    pub expected: Option<Timestamp>,
    /// Times of each sent transaction.
    pub clocks: Vec<LegClock>,
    /// Time of the router's last answer, if it no longer answers: the status is unconfirmed since then.
    pub as_of: Option<Timestamp>,
}

/// Position of the funds, in one sentence.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TransferHeadline {
    /// Sentence without times: equal text means equal knowledge. Empty before the first answer.
    pub text: TimedText,
    /// Elapsed time, if any: `0:40 of about 1:30`.
    pub clock: Option<String>,
    /// Sentence that contains its age, if any: `As of 26 s ago (router unreachable): On its way`.
    pub dated: Option<TimedText>,
    pub source: HeadlineSource,
}

impl TransferHeadline {
    /// Returns the sentence with the elapsed time.
    pub fn sentence(&self) -> TimedText {
        match (&self.dated, &self.clock) {
            (Some(dated), _) => dated.clone(),
            (None, Some(clock)) => self.text.clone().words(", ").words(clock),
            (None, None) => self.text.clone(),
        }
    }

    /// Returns the first line in this zone: sentence, source, and age of the source.
    pub fn first_line_in(&self, zone: &LocalZone, now: Timestamp) -> String {
        let sentence = self.sentence().in_zone(zone);
        match self.source.words(now).filter(|_| self.dated.is_none()) {
            Some(source) => format!("{sentence} ({source})"),
            None => sentence,
        }
    }
}

impl fmt::Display for TransferHeadline {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.sentence().fmt(formatter)
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum HeadlineWitness {
    Router,
    /// Indexer of the chain in question.
    Indexer,
    /// L1, for a withdrawal that is claimed on the L1.
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
