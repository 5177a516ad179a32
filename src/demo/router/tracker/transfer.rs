//! State of one transfer: its transaction, progress and next event.

use serde::{Deserialize, Serialize};

use crate::{
    demo::router::{
        light::LightTxFailure,
        plan::{Plan, PlanStep, StepKind},
    },
    domain::{Amount, BroadcastHash, ChainId, Denom, Height, Timestamp},
};

/// Identity of a transfer: chain and hash of its signed transaction, in the chain's form.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TransferKey {
    pub chain_id: ChainId,
    pub tx_hash: String,
}

impl TransferKey {
    /// Parses a hash in any form; `None` if invalid.
    pub fn read(chain_id: &ChainId, tx_hash: &str) -> Option<Self> {
        let hash: BroadcastHash = tx_hash.parse().ok()?;
        Some(Self { chain_id: chain_id.clone(), tx_hash: hash.for_chain(chain_id).to_string() })
    }
}

/// Transaction with its current or future block.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SentTx {
    pub chain_id: ChainId,
    /// Hash in the chain's own form.
    pub tx_hash: String,
    /// Time of the block.
    pub at: Timestamp,
    /// Height on the rollup, which must be indexed; `None` on the light chains.
    pub height: Option<Height>,
}

impl SentTx {
    /// Whether the transaction is visible to every client.
    pub fn is_there(&self, now: Timestamp, indexed: Option<Height>) -> bool {
        self.height.map_or(self.at <= now, |height| indexed >= Some(height))
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum TransferPhase {
    /// In progress, or waiting for its first block.
    #[default]
    Moving,
    /// Received by the recipient.
    Arrived,
    /// After a failed hop, with a refund in progress.
    Failing,
    /// Ended without reaching the recipient.
    Failed,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum HopStage {
    Sent,
    /// Burn awaiting confirmation.
    Confirming,
    /// Burn attested.
    Attested,
    Received,
    /// Acknowledged on the sending chain.
    Answered,
    /// Order not filled in time.
    TimedOut,
    /// Failed before arrival.
    Failed,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum HopTxRole {
    Send,
    Receive,
    /// Acknowledgement.
    Answer,
    Timeout,
    Refund,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum HopFailure {
    /// Rejected by the destination.
    Refused,
    /// Timed out.
    Expired,
}

/// Started hop.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HopRecord {
    /// Index of its step in the plan.
    pub step: usize,
    pub stage: HopStage,
    /// Transactions in blocks.
    pub txs: Vec<(HopTxRole, SentTx)>,
    pub failure: Option<HopFailure>,
    /// Packet sequence number, if the rollup sent it.
    pub packet: Option<u64>,
    /// Timeout of that packet.
    pub expires: Option<Timestamp>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum HopEventKind {
    /// Confirmation of a burn.
    Confirm,
    /// Attestation of a burn.
    Attest,
    Arrive,
    /// Arrival with a rejection.
    Refuse,
    /// Success acknowledgement.
    Answer,
    /// Error acknowledgement.
    Return,
    /// Timeout with a refund on the sending chain.
    Expire,
    /// Expiry of an unfilled order.
    TimeOut,
    /// Refund of an order.
    Refund,
}

/// Next event of a hop, with its time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HopEvent {
    pub kind: HopEventKind,
    /// Index of the hop among the started ones.
    pub hop: usize,
    /// Earliest time.
    pub due: Timestamp,
    /// Transaction of the event, once sent.
    pub tx: Option<SentTx>,
}

/// Current or future position of the funds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Funds {
    pub chain_id: ChainId,
    pub account: String,
    pub denom: Denom,
    pub amount: Amount,
}

/// Snapshot of a transfer's mutable part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LastSeen {
    /// Hops started by then.
    pub hops: Vec<HopRecord>,
    /// Position of the funds then.
    pub funds: Option<Funds>,
}

/// Signed transaction of a route with its progress.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrackedTransfer {
    /// Planned effects.
    pub plan: Plan,
    pub source: SentTx,
    /// Failure of the transaction on its chain.
    pub source_error: Option<LightTxFailure>,
    /// Sequence number and timeout of the packet that it sent from the rollup.
    pub source_packet: Option<(u64, Timestamp)>,
    /// Sequence number of the withdrawal that it started on the rollup.
    #[serde(default)]
    pub source_withdrawal: Option<u64>,
    /// Start of the tracking.
    pub tracked: Option<Timestamp>,
    /// Last status before the tracker abandoned the transfer, which continues on chain.
    #[serde(default)]
    pub abandoned: Option<LastSeen>,
    /// Started hops.
    pub hops: Vec<HopRecord>,
    pub phase: TransferPhase,
    pub next: Option<HopEvent>,
    /// Final position of the funds, or destination of a refund.
    pub funds: Option<Funds>,
    /// Time of a withdrawal's claim; the transfer waits until then.
    #[serde(default)]
    pub claimed: Option<Timestamp>,
    /// Whether the hook of a deposit was stale.
    pub is_unwrapped: bool,
}

impl TrackedTransfer {
    /// Creates the transfer of a transaction that was just broadcast.
    pub fn new(plan: Plan, source: SentTx) -> Self {
        Self {
            plan,
            source,
            source_error: None,
            source_packet: None,
            source_withdrawal: None,
            tracked: None,
            abandoned: None,
            hops: Vec::new(),
            phase: TransferPhase::default(),
            next: None,
            funds: None,
            claimed: None,
            is_unwrapped: false,
        }
    }

    /// Abandons the transfer with its current status.
    pub fn give_up(&mut self) {
        let funds = self.funds.clone().filter(|_| self.phase == TransferPhase::Failing);
        self.abandoned = Some(LastSeen { hops: self.hops.clone(), funds });
    }

    pub fn key(&self) -> TransferKey {
        TransferKey { chain_id: self.source.chain_id.clone(), tx_hash: self.source.tx_hash.clone() }
    }

    pub fn step_of(&self, hop: usize) -> Option<&PlanStep> {
        self.plan.steps.get(self.hops.get(hop)?.step)
    }

    /// Returns the first step from this index that leaves its chain.
    pub fn hop_step_from(&self, first: usize) -> Option<(usize, &PlanStep)> {
        self.plan.steps.iter().enumerate().skip(first).find(|(_, step)| !step.kind.is_local())
    }

    /// Whether the transfer is finished.
    pub fn is_over(&self) -> bool {
        self.source_error.is_some()
            || (matches!(self.phase, TransferPhase::Arrived | TransferPhase::Failed) && self.next.is_none())
    }

    /// Returns the hop that blocks further progress.
    pub fn blocking(&self) -> Option<usize> {
        if !matches!(self.phase, TransferPhase::Moving | TransferPhase::Failing) || self.hops.is_empty() {
            return None;
        }
        let pending = self.next.as_ref().map(|event| event.hop);
        Some(pending.unwrap_or(self.hops.len() - 1).min(self.hops.len() - 1))
    }

    /// Returns the initial funds.
    pub fn origin(&self) -> Option<Funds> {
        self.plan.steps.first().map(Funds::before)
    }

    /// Returns where the funds go if this hop is rejected: back over its packets, to the start or to the last swap,
    /// mint or payment.
    pub fn refund_place(&self, hop: usize) -> Option<(usize, Funds)> {
        let failed = self.hops.get(hop)?.step;
        let is_final = |step: &PlanStep| !matches!(step.kind, StepKind::Ibc { .. });
        let first = self.plan.steps.get(..failed)?.iter().rposition(is_final).map_or(0, |last| last + 1);
        let stop = self.hops.iter().position(|record| record.step >= first)?;
        Some((stop, Funds::given_back(self.plan.steps.get(first)?)))
    }
}

impl Funds {
    /// Returns the input of a step.
    pub fn before(step: &PlanStep) -> Self {
        Self {
            chain_id: step.from.clone(),
            account: step.sender.clone(),
            denom: step.denom_in.clone(),
            amount: step.amount_in,
        }
    }

    /// Returns the refund of a failed step: for a packet its own coin, which is not wrapped again.
    pub fn given_back(step: &PlanStep) -> Self {
        let mut funds = Self::before(step);
        if let Some((denom, amount)) = &step.carried {
            (funds.denom, funds.amount) = (denom.clone(), *amount);
        }
        funds
    }

    /// Returns the output of a step.
    pub fn after(step: &PlanStep) -> Self {
        Self {
            chain_id: step.to.clone(),
            account: step.receiver.clone(),
            denom: step.denom_out.clone(),
            amount: step.amount_out,
        }
    }
}
