//! Meaning of a transfer's status: position of the funds, phase of each hop, next action of the user.
//!
//! Whatever a server says, the headline never says "arrived" without a success or a release on the destination.

mod analysis;
mod answers;
mod clocks;
mod crossing;
mod evidence;
mod facts;
mod findings;
mod follower;
mod headline;
mod hops;
mod merging;
mod notes;
mod polling;
mod question;
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
pub use follower::{CreditRivals, Follower, FollowerContext, L1Addresses, Milestone, Poll, Registration};
pub use headline::TransferHeadline;
pub use hops::HopProtocol;
pub use polling::{LastPoll, PollPriority, TrackReason, next_poll, next_try};
pub use question::{FollowerAnswer, Question, QuestionKind, SoughtTxs, TakenAnswer, WitnessTxs};
pub use reminder::{NoReminder, claim_reminder};
pub use source::{HeadlineSource, HeadlineWitness};
pub use standing::{AnswerStreak, RouterHealth, RouterSilence};
pub use urgency::Urgency;

use crate::{
    domain::{Amount, ChainId, Denom, TimedText, Timestamp},
    story::WithdrawalStage,
    wire::router::{AssetRelease, ChainTx, HopSlot},
};

/// Phase of a transfer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Phase {
    /// Unknown to the router, or not requested from it yet.
    #[default]
    NotKnown,
    /// Accepted earlier, but now unknown to the router.
    Forgotten,
    /// Known to the router, not seen on the source chain yet.
    Waiting,
    Moving,
    /// A hop failed, and the refund is on its way; not final.
    Failing,
    /// Optimistic withdrawal that waits for its finalization or claim.
    Finalizing,
    /// Received: success, a release on the destination, or evidence there.
    Arrived,
    /// "Completed" without a statement about the funds.
    EndedUnstated,
    /// The source transaction failed, by chain or router: the account lost only the fee.
    FailedAtSource,
    /// Failed, with a release of the funds somewhere.
    FailedReleased,
    /// Failed, without a known release.
    FailedHeld,
    /// Abandoned by the tracker; the position of the funds is unknown.
    Abandoned,
    /// Unknown state.
    Strange,
}

impl Phase {
    /// Whether frequent polling is pointless. A failed transfer without a release may still get one.
    pub fn is_over(&self) -> bool {
        matches!(
            self,
            Self::Arrived | Self::EndedUnstated | Self::FailedAtSource | Self::FailedReleased | Self::Abandoned
        )
    }

    /// Whether the router apparently does not track the transfer, so that it can be registered again.
    pub fn is_unwatched(&self) -> bool {
        matches!(self, Self::Abandoned | Self::NotKnown | Self::Forgotten | Self::Strange | Self::FailedAtSource)
    }

    pub fn is_failure(&self) -> bool {
        matches!(self, Self::FailedAtSource | Self::FailedReleased | Self::FailedHeld)
    }
}

/// Phase of a hop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, strum::Display)]
#[strum(serialize_all = "lowercase")]
pub enum HopPhase {
    /// Not begun, as far as is known.
    Waiting,
    Active,
    Done,
    Failed,
    /// Unreachable: an earlier hop failed for good.
    #[strum(serialize = "not_reached")]
    Unreached,
    Unknown,
}

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
