//! One transfer under way: what was sent, how far it is, what happens next.

use serde::{Deserialize, Serialize};

use crate::{
    demo::router::{
        light::LightTxFailure,
        plan::{Plan, PlanStep, StepKind},
    },
    domain::{Amount, BroadcastHash, ChainId, Denom, Height, Timestamp},
};

/// Names a transfer: where its signed transaction is, and that one's hash in the chain's own form.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TransferKey {
    /// Where.
    pub chain_id: ChainId,
    /// The hash.
    pub tx_hash: String,
}

impl TransferKey {
    /// The transfer of a hash in any form; `None` where the text is no hash.
    pub fn read(chain_id: &ChainId, tx_hash: &str) -> Option<Self> {
        let hash: BroadcastHash = tx_hash.parse().ok()?;
        Some(Self { chain_id: chain_id.clone(), tx_hash: hash.for_chain(chain_id).to_string() })
    }
}

/// A transaction that is in a block, or will be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SentTx {
    /// Where.
    pub chain_id: ChainId,
    /// In the chain's own form.
    pub tx_hash: String,
    /// The block's time.
    pub at: Timestamp,
    /// Its block on the rollup, whose index must have it; `None` on the light chains.
    pub height: Option<Height>,
}

impl SentTx {
    /// Whether everybody can see it.
    pub fn is_there(&self, now: Timestamp, indexed: Option<Height>) -> bool {
        self.height.map_or(self.at <= now, |height| indexed >= Some(height))
    }
}

/// How far a transfer is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum TransferPhase {
    /// It moves, or its first transaction is not in a block yet.
    #[default]
    Moving,
    /// The recipient has it.
    Arrived,
    /// A hop failed, and the money is on its way back.
    Failing,
    /// It ended elsewhere than meant.
    Failed,
}

/// How far a hop is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum HopStage {
    /// It left.
    Sent,
    /// Its burn is being confirmed.
    Confirming,
    /// Its burn is attested.
    Attested,
    /// It arrived.
    Received,
    /// The sending chain knows that it did.
    Answered,
    /// Nobody took the order.
    TimedOut,
    /// It did not arrive.
    Failed,
}

/// What a transaction does for a hop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum HopTxRole {
    /// It leaves.
    Send,
    /// It arrives.
    Receive,
    /// The answer comes back.
    Answer,
    /// It was not taken in time.
    Timeout,
    /// It is given back.
    Refund,
}

/// Why a hop failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum HopFailure {
    /// The other chain refused it.
    Refused,
    /// It was not there in time.
    Expired,
}

/// A hop that began.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HopRecord {
    /// Its step of the plan.
    pub step: usize,
    /// How far it is.
    pub stage: HopStage,
    /// Its transactions that are in a block.
    pub txs: Vec<(HopTxRole, SentTx)>,
    /// Why it failed.
    pub failure: Option<HopFailure>,
    /// The number of the packet, where the rollup sent it.
    pub packet: Option<u64>,
    /// Until when that packet may arrive.
    pub expires: Option<Timestamp>,
}

/// What happens to a hop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum HopEventKind {
    /// Its burn is seen.
    Confirm,
    /// Its burn is attested.
    Attest,
    /// It arrives.
    Arrive,
    /// It arrives and is refused.
    Refuse,
    /// The good answer comes back.
    Answer,
    /// The bad answer comes back.
    Return,
    /// Its time is over, and the sending chain gives it back.
    Expire,
    /// Nobody took the order.
    TimeOut,
    /// The order is given back.
    Refund,
}

/// What happens next to a hop, and when.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HopEvent {
    /// What.
    pub kind: HopEventKind,
    /// To which of the hops that began.
    pub hop: usize,
    /// Not before.
    pub due: Timestamp,
    /// The transaction that does it, once it is sent.
    pub tx: Option<SentTx>,
}

/// Where the money is or will be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Funds {
    /// On which chain.
    pub chain_id: ChainId,
    /// Whose.
    pub account: String,
    /// As what.
    pub denom: Denom,
    /// How much.
    pub amount: Amount,
}

/// What of a transfer changes as it goes on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LastSeen {
    /// The hops that had begun.
    pub hops: Vec<HopRecord>,
    /// Where the money went then.
    pub funds: Option<Funds>,
}

/// A signed transaction of a route, and what came of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrackedTransfer {
    /// What it shall do.
    pub plan: Plan,
    /// The signed transaction.
    pub source: SentTx,
    /// Why that failed on its chain, where it did.
    pub source_error: Option<LightTxFailure>,
    /// The number of the packet that it sent from the rollup, and until when that may arrive.
    pub source_packet: Option<(u64, Timestamp)>,
    /// The number of the withdrawal that it began on the rollup.
    #[serde(default)]
    pub source_withdrawal: Option<u64>,
    /// Since when it is tracked.
    pub tracked: Option<Timestamp>,
    /// What the tracker saw last, where it gave up. The transfer goes on all the same.
    #[serde(default)]
    pub abandoned: Option<LastSeen>,
    /// The hops that began.
    pub hops: Vec<HopRecord>,
    /// How far it is.
    pub phase: TransferPhase,
    /// What happens next.
    pub next: Option<HopEvent>,
    /// Where the money is when the transfer ended, or goes when it fails.
    pub funds: Option<Funds>,
    /// When somebody claimed a withdrawal of it; until then that waits.
    #[serde(default)]
    pub claimed: Option<Timestamp>,
    /// Whether the hook of a deposit was stale.
    pub is_unwrapped: bool,
}

impl TrackedTransfer {
    /// A transaction that was just broadcast.
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

    /// Stops to say how it goes on, at what is so now.
    pub fn give_up(&mut self) {
        let funds = self.funds.clone().filter(|_| self.phase == TransferPhase::Failing);
        self.abandoned = Some(LastSeen { hops: self.hops.clone(), funds });
    }

    /// Its name.
    pub fn key(&self) -> TransferKey {
        TransferKey { chain_id: self.source.chain_id.clone(), tx_hash: self.source.tx_hash.clone() }
    }

    /// The step of a hop that began.
    pub fn step_of(&self, hop: usize) -> Option<&PlanStep> {
        self.plan.steps.get(self.hops.get(hop)?.step)
    }

    /// The first step from this one on that leaves its chain.
    pub fn hop_step_from(&self, first: usize) -> Option<(usize, &PlanStep)> {
        self.plan.steps.iter().enumerate().skip(first).find(|(_, step)| !step.kind.is_local())
    }

    /// Whether nothing more will happen to it.
    pub fn is_over(&self) -> bool {
        self.source_error.is_some()
            || (matches!(self.phase, TransferPhase::Arrived | TransferPhase::Failed) && self.next.is_none())
    }

    /// The hop that everything waits for, if any.
    pub fn blocking(&self) -> Option<usize> {
        if !matches!(self.phase, TransferPhase::Moving | TransferPhase::Failing) || self.hops.is_empty() {
            return None;
        }
        let pending = self.next.as_ref().map(|event| event.hop);
        Some(pending.unwrap_or(self.hops.len() - 1).min(self.hops.len() - 1))
    }

    /// What it began with.
    pub fn origin(&self) -> Option<Funds> {
        self.plan.steps.first().map(Funds::before)
    }

    /// Where the money goes when this hop is refused: back over the packets that brought it, to the start or to where it
    /// was swapped, minted or paid out on the way.
    pub fn refund_place(&self, hop: usize) -> Option<(usize, Funds)> {
        let failed = self.hops.get(hop)?.step;
        let is_final = |step: &PlanStep| !matches!(step.kind, StepKind::Ibc { .. });
        let first = self.plan.steps.get(..failed)?.iter().rposition(is_final).map_or(0, |last| last + 1);
        let stop = self.hops.iter().position(|record| record.step >= first)?;
        Some((stop, Funds::given_back(self.plan.steps.get(first)?)))
    }
}

impl Funds {
    /// What a step begins with.
    pub fn before(step: &PlanStep) -> Self {
        Self {
            chain_id: step.from.clone(),
            account: step.sender.clone(),
            denom: step.denom_in.clone(),
            amount: step.amount_in,
        }
    }

    /// What a step gives back when it fails: of a packet what it carried, which is not wrapped again.
    pub fn given_back(step: &PlanStep) -> Self {
        let mut funds = Self::before(step);
        if let Some((denom, amount)) = &step.carried {
            (funds.denom, funds.amount) = (denom.clone(), *amount);
        }
        funds
    }

    /// What a step ends with.
    pub fn after(step: &PlanStep) -> Self {
        Self {
            chain_id: step.to.clone(),
            account: step.receiver.clone(),
            denom: step.denom_out.clone(),
            amount: step.amount_out,
        }
    }
}
