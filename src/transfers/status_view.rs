//! Status of a transfer, as values.

use std::fmt;

use super::{HopPhase, HopProtocol, LegClock, Phase, SubstituteEstimate};
use crate::{
    domain::{Amount, ChainId, Denom, LocalZone, TimedText, Timestamp, text},
    story::WithdrawalStage,
    wire::router::{AssetRelease, ChainTx, HopSlot},
};

/// Step of a transfer: an operation of the route, a hop of the status, or both.
#[derive(Clone, Debug)]
pub struct HopView {
    pub protocol: HopProtocol,
    pub from: Option<ChainId>,
    pub to: Option<ChainId>,
    pub planned: Option<(Denom, Amount)>,
    pub phase: HopPhase,
    /// State as the server names it, without control characters; empty before the first status.
    pub state: String,
    /// Known transactions of the hop, each with its slot.
    pub txs: Vec<(HopSlot, ChainTx)>,
    /// Why the hop failed, without control characters.
    pub problem: Option<String>,
    /// Time of the hop's first transaction.
    pub began: Option<Timestamp>,
    /// Time of the hop's last transaction; `None` while in progress.
    pub ended: Option<Timestamp>,
    /// Planned duration in seconds, if the route states it for this hop.
    pub planned_seconds: Option<u64>,
    /// When a withdrawal is expected to be claimable; `None` if unknown or already claimed.
    pub claimable: Option<Timestamp>,
    /// Stage of a withdrawal, once executor and L1 have answered.
    pub stage: Option<WithdrawalStage>,
    /// Index of the hop's transfer within the transaction, from 0, and of the hop within the transfer; `None` before
    /// the router's answer.
    pub part: Option<(usize, usize)>,
    /// Index of the signed transaction that the hop belongs to, from 0.
    pub tx_index: usize,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum NextStep {
    #[default]
    Wait,
    /// Ask the router again to track the transaction.
    TrackAgain,
    /// Request a route from where the funds are.
    RouteFrom(AssetRelease),
    /// Sign and broadcast the route's next transaction, by index.
    SendNext(usize),
    /// Claim the withdrawal on the L1.
    Claim,
    /// Check the chain where the funds should be.
    CheckDestination,
}

/// Status of a transfer: sentences and values.
#[derive(Clone, Debug, Default)]
pub struct TransferStatusView {
    pub phase: Phase,
    /// Headline of the transfer's page. It says where the funds are, and never more than servers reported.
    pub headline: TransferHeadline,
    /// Short sentences below the headline: estimate, delay, and what router and indexer show.
    pub notes: Vec<TimedText>,
    /// Hops, in the order of their transactions.
    pub hops: Vec<HopView>,
    /// Where the funds are, or will be, according to the router.
    pub release: Option<AssetRelease>,
    /// Why the transfer failed, in the server's words without control characters.
    pub problem: Option<String>,
    /// Whether the chain's index tells the problem; else the router does.
    pub is_problem_indexed: bool,
    pub next: NextStep,
    /// Expected arrival: broadcast time plus quoted duration or, for a withdrawal, the claim time. `None` if the route
    /// states no duration for the current part.
    pub expected: Option<Timestamp>,
    /// Times of each transaction sent.
    pub clocks: Vec<LegClock>,
    /// Source of the estimate, if no route states one.
    pub substitute: Option<SubstituteEstimate>,
    /// When the router last answered, if it no longer does. Since then the status is unconfirmed.
    pub as_of: Option<Timestamp>,
}

impl TransferStatusView {
    /// Returns the sentence about the problem: the server's words stand in quotes behind its name.
    pub fn problem_sentence(&self) -> Option<String> {
        let who = if self.is_problem_indexed { "chain" } else { "router" };
        let problem = self.problem.as_deref()?;
        Some(format!("The {who}'s reason: {}", text::quoted_within(problem, PROBLEM)))
    }
}

/// Maximum columns of a problem.
const PROBLEM: usize = 240;

/// Location of the funds, in one sentence.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TransferHeadline {
    /// Sentence without times, so that equal texts mean equal knowledge; empty before the first answer.
    pub text: TimedText,
    /// Elapsed time, such as `0:40 of about 1:30`.
    pub clock: Option<String>,
    /// Sentence with its age inside, such as `As of 26 s ago (router unreachable): On its way`.
    pub dated: Option<TimedText>,
    pub source: HeadlineSource,
}

impl TransferHeadline {
    /// Returns the sentence followed by the elapsed time.
    pub fn sentence(&self) -> TimedText {
        match (&self.dated, &self.clock) {
            (Some(dated), _) => dated.clone(),
            (None, Some(clock)) => self.text.clone().words(", ").words(clock),
            (None, None) => self.text.clone(),
        }
    }

    /// Returns the first line of the page: the sentence, its source, and the source's age. Times are in `zone`.
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
    /// The router, about an end that no other server was there to show.
    RouterOnly,
    /// Indexer of the chain that the headline is about.
    Indexer,
    /// The L1, about a withdrawal.
    Settlement,
    /// Node of the transaction's chain.
    Node,
    /// Router and indexer; they may disagree.
    Both,
    /// The sender alone: no server knows of the transfer yet.
    Sender,
    /// No source: the status is unknown.
    #[default]
    Nobody,
}

impl HeadlineWitness {
    /// Returns the source's name in JSON.
    pub fn word(self) -> &'static str {
        match self {
            Self::Router | Self::RouterOnly => "router",
            Self::Indexer => "indexer",
            Self::Settlement => "l1",
            Self::Node => "node",
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
            Self::RouterOnly => "router only",
            Self::Indexer => "indexer",
            Self::Settlement => "L1",
            Self::Node => "node",
            Self::Both => "router and indexer",
            Self::Sender => "sender",
            Self::Nobody => "nobody",
        })
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HeadlineSource {
    pub witness: HeadlineWitness,
    /// When the source last answered; `None` before its first answer.
    pub at: Option<Timestamp>,
}

impl HeadlineSource {
    /// Formats source and age, as in `router, 4 s ago`; `None` before the first answer.
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
