//! State of one transfer: its transaction, progress and next event.

use serde::{Deserialize, Serialize};

use crate::{
    demo::router::{
        light::LightTxFailure,
        plan::{Plan, PlanStep, StepKind},
    },
    domain::{Amount, BroadcastHash, ChainId, Denom, Height, Timestamp},
};

/// Identity of a transfer: chain and hash of its signed transaction. The hash has the chain's format.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TransferKey {
    pub chain_id: ChainId,
    pub tx_hash: String,
}

impl TransferKey {
    /// Parses a hash in any format; `None` if it is invalid.
    pub fn read(chain_id: &ChainId, tx_hash: &str) -> Option<Self> {
        let hash: BroadcastHash = tx_hash.parse().ok()?;
        Some(Self { chain_id: chain_id.clone(), tx_hash: hash.for_chain(chain_id).to_string() })
    }
}

/// Transaction, and the block that has or will have it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SentTx {
    pub chain_id: ChainId,
    pub tx_hash: String,
    /// Time of the block.
    pub at: Timestamp,
    /// Height on the rollup, which clients see once it is indexed; `None` on light chains.
    pub height: Option<Height>,
}

impl SentTx {
    /// Whether every client can see the transaction.
    pub fn is_there(&self, now: Timestamp, indexed: Option<Height>) -> bool {
        self.height.map_or(self.at <= now, |height| indexed >= Some(height))
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum TransferPhase {
    /// The transfer is in progress, or waits for its first block.
    #[default]
    Moving,
    /// The recipient has the funds.
    Arrived,
    /// A hop failed, and the refund is in progress.
    Failing,
    /// The transfer ended without reaching the recipient.
    Failed,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum HopStage {
    Sent,
    Confirming,
    Attested,
    Received,
    /// The sending chain has the acknowledgement.
    Answered,
    /// No solver filled the order in time.
    TimedOut,
    Failed,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum HopTxRole {
    Send,
    Receive,
    /// Acknowledges the packet.
    Answer,
    Timeout,
    Refund,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum HopFailure {
    /// The destination rejected the packet.
    Refused,
    /// The packet timed out.
    Expired,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HopRecord {
    /// Index of the hop's step in the plan.
    pub step: usize,
    pub stage: HopStage,
    pub txs: Vec<(HopTxRole, SentTx)>,
    pub failure: Option<HopFailure>,
    /// Sequence number of the packet, if the rollup sent it.
    pub packet: Option<u64>,
    /// Timeout of that packet.
    pub expires: Option<Timestamp>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum HopEventKind {
    Confirm,
    Attest,
    Arrive,
    /// The destination rejects the packet.
    Refuse,
    /// The sending chain gets a success acknowledgement.
    Answer,
    /// The sending chain gets an error acknowledgement.
    Return,
    /// The packet times out, and the sending chain refunds it.
    Expire,
    /// The order expires unfilled.
    TimeOut,
    Refund,
}

/// Next event of a hop, and when it is due.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HopEvent {
    pub kind: HopEventKind,
    /// Index of the hop among those that have begun.
    pub hop: usize,
    pub due: Timestamp,
    /// Transaction of the event; `None` before it is sent.
    pub tx: Option<SentTx>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Funds {
    pub chain_id: ChainId,
    pub account: String,
    pub denom: Denom,
    pub amount: Amount,
}

/// Copy of the parts of a transfer that change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LastSeen {
    pub hops: Vec<HopRecord>,
    pub funds: Option<Funds>,
}

/// Signed transaction of a route, and its progress.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrackedTransfer {
    /// Plan of the transaction's effects.
    pub plan: Plan,
    pub source: SentTx,
    /// Why the transaction failed on its chain.
    pub source_error: Option<LightTxFailure>,
    /// Sequence number and timeout of the packet that the transaction sent from the rollup.
    pub source_packet: Option<(u64, Timestamp)>,
    /// Sequence number of the withdrawal that the transaction began on the rollup.
    #[serde(default)]
    pub source_withdrawal: Option<u64>,
    /// When a client first tracked the transfer; `None` if none did.
    pub tracked: Option<Timestamp>,
    /// Last status before the router abandoned the transfer. The transfer itself continues.
    #[serde(default)]
    pub abandoned: Option<LastSeen>,
    pub hops: Vec<HopRecord>,
    pub phase: TransferPhase,
    pub next: Option<HopEvent>,
    /// Where the funds finally are, or where a refund takes them.
    pub funds: Option<Funds>,
    /// When the withdrawal was claimed. The transfer waits for it.
    #[serde(default)]
    pub claimed: Option<Timestamp>,
    /// Whether a deposit's hook was stale, so that the funds are not wrapped.
    pub is_unwrapped: bool,
    /// Whether the destination refuses the transfer's first packet.
    #[serde(default)]
    pub is_refused: bool,
}

impl TrackedTransfer {
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
            is_refused: false,
        }
    }

    /// Abandons the transfer and keeps its current status.
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

    /// Returns the first step from index `first` that leaves its chain.
    pub fn hop_step_from(&self, first: usize) -> Option<(usize, &PlanStep)> {
        self.plan.steps.iter().enumerate().skip(first).find(|(_, step)| !step.kind.is_local())
    }

    /// Whether the transfer is finished.
    pub fn is_over(&self) -> bool {
        self.source_error.is_some()
            || (matches!(self.phase, TransferPhase::Arrived | TransferPhase::Failed) && self.next.is_none())
    }

    pub fn blocking(&self) -> Option<usize> {
        if !matches!(self.phase, TransferPhase::Moving | TransferPhase::Failing) || self.hops.is_empty() {
            return None;
        }
        let pending = self.next.as_ref().map(|event| event.hop);
        Some(pending.unwrap_or(self.hops.len() - 1).min(self.hops.len() - 1))
    }

    /// Returns the funds before the transfer.
    pub fn origin(&self) -> Option<Funds> {
        self.plan.steps.first().map(Funds::before)
    }

    /// Returns where the funds go if this hop is rejected: back over its packets to the start, or to the last swap,
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
    /// Returns the funds before a step.
    pub fn before(step: &PlanStep) -> Self {
        Self {
            chain_id: step.from.clone(),
            account: step.sender.clone(),
            denom: step.denom_in.clone(),
            amount: step.amount_in,
        }
    }

    /// Returns the refund of a failed step. A refunded packet returns the packet's coin, which is not wrapped again.
    pub fn given_back(step: &PlanStep) -> Self {
        let mut funds = Self::before(step);
        if let Some((denom, amount)) = &step.carried {
            (funds.denom, funds.amount) = (denom.clone(), *amount);
        }
        funds
    }

    /// Returns the funds after a step.
    pub fn after(step: &PlanStep) -> Self {
        Self {
            chain_id: step.to.clone(),
            account: step.receiver.clone(),
            denom: step.denom_out.clone(),
            amount: step.amount_out,
        }
    }
}
