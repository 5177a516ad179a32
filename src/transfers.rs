//! Interprets the router's and indexers' answers about a transfer: where the funds are, the phase of each hop, and the
//! user's next action.
//!
//! Whatever a server says, the headline never says "arrived" without a success or a release on the destination.

mod analysis;
mod answers;
mod bundle;
mod clocks;
mod contradiction;
mod contradiction_text;
mod crossing;
mod evidence;
mod facts;
mod findings;
mod follower;
mod headline;
mod hop_protocol;
mod hops;
mod merging;
mod notes;
mod phase;
mod polling;
mod question;
mod reminder;
mod simulated;
mod source;
mod standing;
mod status_part;
mod status_view;
mod tx_leg;
mod urgency;
mod usual;

pub use analysis::status_view;
#[cfg(test)]
pub(crate) use answers::DECODED;
pub use answers::RouterAnswers;
pub use bundle::{BundleFacts, is_about};
pub use clocks::LegClock;
pub use crossing::{CrossingEnd, CrossingNumber};
pub use evidence::{ArrivalEvidence, Evidence, SourceEvidence, evidence_of_arrival, evidence_of_source, hook_problem};
pub use facts::{phase_word, transfer_facts, transfer_line};
pub use findings::{
    IndexFindings, IndexedCredit, IndexedReturn, PacketEnd, ReturnCause, SentPacket, credit_of_arrival,
    is_bridge_arrival, packet_end, packets_sent,
};
pub use follower::{CreditRivals, Follower, FollowerContext, L1Addresses, Milestone, Poll, Registration};
pub use hop_protocol::HopProtocol;
pub use phase::{HopPhase, Phase};
pub use polling::{LastPoll, PollPriority, TrackReason, next_poll, next_try};
pub use question::{FollowerAnswer, Question, QuestionKind, SoughtTxs, TakenAnswer, WitnessTxs};
pub use reminder::{NoReminder, claim_reminder};
pub use simulated::{MoveDifference, OutcomeDifference};
pub use standing::{AnswerStreak, RouterHealth, RouterSilence};
pub use status_view::{HeadlineSource, HeadlineWitness, HopView, NextStep, TransferHeadline, TransferStatusView};
pub use tx_leg::is_withdrawal;
pub use urgency::Urgency;
pub use usual::{SubstituteEstimate, UsualDuration};
