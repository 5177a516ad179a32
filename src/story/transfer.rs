//! What a transfer's status means: where the funds are, how each hop stands, what a person can do next.
//!
//! Whatever a server says, the headline never says "arrived" without success or a release on the destination.

mod analysis;
mod answers;
mod clocks;
mod crossing;
mod evidence;
mod facts;
mod findings;
mod headline;
mod hops;
mod known_chains;
mod notes;
mod polling;
mod reminder;
mod source;
mod standing;
mod status_part;
mod tx_leg;
mod urgency;

pub use analysis::status_view;
#[cfg(test)]
pub(crate) use answers::DECODED;
pub use answers::RouterAnswers;
pub use clocks::LegClock;
pub use crossing::{CrossingEnd, CrossingNumber};
pub use evidence::{ArrivalEvidence, Evidence, SourceEvidence, evidence_of_arrival, evidence_of_source, hook_problem};
pub use facts::{phase_word, transfer_facts, transfer_line};
pub use findings::{
    IndexFindings, IndexedCredit, IndexedReturn, PacketEnd, ReturnCause, SentPacket, credit_of_arrival,
    is_bridge_arrival, packet_end, packets_sent,
};
pub use headline::TransferHeadline;
pub use hops::HopProtocol;
pub use known_chains::known_chain;
pub use polling::{Attention, LastPoll, Occasion, next_poll, next_try};
pub use reminder::{NoReminder, claim_reminder};
pub use source::{HeadlineSource, HeadlineWitness};
pub use standing::{AnswerStreak, RouterSilence, RouterStanding};
pub use urgency::Urgency;

use super::WithdrawalStage;
use crate::{
    domain::{Amount, ChainId, Denom, Timestamp},
    wire::router::{AssetRelease, ChainTx, HopSlot},
};

/// How chains and amounts are called; what is unknown is shown as it is.
pub trait Names {
    /// A chain's name for people, cleaned.
    fn chain(&self, chain: &ChainId) -> String;

    /// An amount of a denom of a chain, in display units with its ticker where the decimals are known, cleaned.
    fn amount(&self, chain: &ChainId, denom: &Denom, amount: Amount) -> String;

    /// A denom's ticker, or a short form of it, cleaned.
    fn denom(&self, chain: &ChainId, denom: &Denom) -> String;

    /// Whether optimistic bridges are hosted on this chain, so that what comes to it over one is a withdrawal: the L1 of
    /// Initia's two networks, unless somebody knows better.
    fn is_settlement(&self, chain: &ChainId) -> bool {
        matches!(chain.as_str(), "interwoven-1" | "initiation-2")
    }
}

/// Where a transfer stands as a whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Phase {
    /// The router does not know the transaction yet, or was not asked.
    NotKnown,
    /// The router took the transaction up, and answers now that it does not know it.
    Forgotten,
    /// Known to the router, not seen on the source chain yet.
    Waiting,
    /// On its way.
    Moving,
    /// A hop failed and the refund travels back; not the end.
    Failing,
    /// An optimistic withdrawal that waits for its finalization, or for its claim.
    Finalizing,
    /// The recipient has it: success, or a release on the destination, or evidence there.
    Arrived,
    /// "Completed" and nothing else: where the funds are is not stated.
    EndedUnstated,
    /// The source transaction itself failed, or the router says that it did: nothing but the fee left the account.
    FailedAtSource,
    /// It ended otherwise; the funds are released somewhere.
    FailedReleased,
    /// It ended otherwise; nothing is released yet, or nothing is known of it.
    FailedHeld,
    /// The tracker gave up, which says nothing of the funds.
    Abandoned,
    /// A state that this version does not know.
    Strange,
}

impl Phase {
    /// Whether nothing more is to be expected by polling often. A failed transfer without a release may still get one.
    pub fn is_over(&self) -> bool {
        matches!(
            self,
            Self::Arrived | Self::EndedUnstated | Self::FailedAtSource | Self::FailedReleased | Self::Abandoned
        )
    }

    /// Whether the router does not watch it, as far as is known, and may be asked again to.
    pub fn is_unwatched(&self) -> bool {
        matches!(self, Self::Abandoned | Self::NotKnown | Self::Forgotten | Self::Strange | Self::FailedAtSource)
    }

    /// Whether it ended in failure.
    pub fn is_failure(&self) -> bool {
        matches!(self, Self::FailedAtSource | Self::FailedReleased | Self::FailedHeld)
    }
}

/// How a hop stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::Display)]
#[strum(serialize_all = "lowercase")]
pub enum HopPhase {
    /// Not begun, as far as is known.
    Waiting,
    /// Under way.
    Active,
    /// Done.
    Done,
    /// Failed.
    Failed,
    /// It will not begin: what comes before it failed for good.
    #[strum(serialize = "not_reached")]
    Unreached,
    /// Nobody can say.
    Unknown,
}

/// One step of a transfer: an operation of its route, a hop of its status, or both.
#[derive(Clone, Debug)]
pub struct HopView {
    /// Over what.
    pub protocol: HopProtocol,
    /// Where it starts.
    pub from: Option<ChainId>,
    /// Where it ends.
    pub to: Option<ChainId>,
    /// What comes out where it ends, as the route planned it.
    pub planned: Option<(Denom, Amount)>,
    /// How it stands.
    pub phase: HopPhase,
    /// The server's own word for that, cleaned; empty before there is one.
    pub state: String,
    /// Its transactions so far.
    pub txs: Vec<(HopSlot, ChainTx)>,
    /// Why it failed, cleaned.
    pub problem: Option<String>,
    /// When it began, by its first transaction.
    pub began: Option<Timestamp>,
    /// When it ended, by its last transaction; `None` while it is under way.
    pub ended: Option<Timestamp>,
    /// How long the route gives it, in seconds, where that can be said of one hop.
    pub planned_seconds: Option<u64>,
    /// When it should be claimable, where it is an optimistic withdrawal that is not claimed; `None` where nobody says.
    pub claimable: Option<Timestamp>,
    /// Where it stands by its executor and the L1, where it is an optimistic withdrawal of which they were heard.
    pub stage: Option<WithdrawalStage>,
    /// Which of the transfers of its transaction it is of, from 0, and its place there; `None` before the router told.
    pub part: Option<(usize, usize)>,
    /// Which signed transaction of the transfer it belongs to, from 0.
    pub tx_index: usize,
}

/// What a person can do next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NextStep {
    /// Nothing: wait.
    Wait,
    /// Register the transaction with the router again.
    TrackAgain,
    /// Ask for a route from where the funds are now.
    RouteFrom(AssetRelease),
    /// Sign and broadcast the next transaction of the route.
    SendNext(usize),
    /// Claim the withdrawal on the L1.
    Claim,
    /// Ask the chain where the funds should be.
    CheckDestination,
}

/// How a transfer stands, in words and in parts.
#[derive(Clone, Debug)]
pub struct TransferStatusView {
    /// As a whole.
    pub phase: Phase,
    /// The first line of the transfer page: where the funds are. Always true, never more than is known.
    pub headline: TransferHeadline,
    /// More on it, one short sentence each: the estimate, the overdue note, what the two witnesses say.
    pub notes: Vec<String>,
    /// The steps in order, those of later transactions behind the earlier ones'.
    pub hops: Vec<HopView>,
    /// Where the money is or will be, as the router says.
    pub release: Option<AssetRelease>,
    /// What went wrong, in the server's words, cleaned.
    pub problem: Option<String>,
    /// What a person can do next.
    pub next: NextStep,
    /// When it should be there: when it was sent and the quoted duration; for optimistic withdrawals when it should be
    /// claimable. `None` where the route gives no duration for what is under way.
    pub expected: Option<Timestamp>,
    /// The times of each transaction that was sent.
    pub clocks: Vec<LegClock>,
    /// Since when nobody confirms how it stands: the time of the router's last word, where it gives none any more.
    pub as_of: Option<Timestamp>,
}
